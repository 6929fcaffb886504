package main_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/stall"
)

// drainTime is what the tests' processes are given, and more than they need.
var drainTime = stall.Limit(time.Minute)

func TestStopAnswersWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	dir, key := dataDir(t), newKey()
	called, release := make(chan struct{}, 8), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		called <- struct{}{}
		<-release
		w.WriteHeader(http.StatusOK)
	}))
	t.Cleanup(slow.Close)
	cfg := child.Config{
		DataDir: dir, Key: key,
		Env: []string{"CARILLON_EGRESS_ALLOW=127.0.0.0/8", "CARILLON_DATABASE_URL=", "CARILLON_DRAIN_TIMEOUT=" + drainTime.String()},
	}
	p := serve(t, cfg)
	c := &client.Client{URL: p.URL(), Key: key}
	furnishSlow(t, c, slow.URL)

	_, err := fire(t.Context(), c, "everything", "delivery", "ann")
	require.NoError(t, err)
	<-called // the provider has the request, and takes its time
	request := beginRequest(t, p.Addr, key, `{"name":"everything","to":"ann","transactionId":"request","payload":{"text":"request"}}`)

	began := time.Now()
	require.NoError(t, p.Signal(syscall.SIGTERM))
	until(t, drainTime, "new requests are refused", func(ctx context.Context) (bool, error) {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", p.Addr)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil, nil
	})
	require.Equal(t, http.StatusCreated, request.finish(t), "a request under way is answered")
	close(release)
	require.NoError(t, p.Wait(within(t, drainTime)), "the exit code is 0")
	require.Less(t, time.Since(began), drainTime)
	gone(t, dir)

	cfg.Addr = p.Addr
	again := serve(t, cfg)
	until(t, time.Minute, "what was acknowledged is delivered", func(ctx context.Context) (bool, error) {
		open, err := quiet(ctx, c)
		return open == 0, err
	})
	all, err := messages(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, m := range all {
		require.Equal(t, "SENT", m.Status)
		require.Equal(t, 1, m.Attempts, "the stop cut no call off: %+v", m)
	}
	require.NoError(t, again.Stop(drainTime))
}

// TestOperationsOutlastTheWork: a process that stops answers the operator's questions until its last delivery has ended, and takes
// no requests meanwhile.
func TestOperationsOutlastTheWork(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"serve", "worker"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			called, release := make(chan struct{}, 8), make(chan struct{})
			slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				called <- struct{}{}
				<-release
				w.WriteHeader(http.StatusOK)
			}))
			t.Cleanup(slow.Close)
			finish := sync.OnceFunc(func() { close(release) })
			t.Cleanup(finish)
			url, key := pgtest.NewURL(t), newKey()
			env := []string{
				"CARILLON_DATABASE_URL=" + url, "CARILLON_SECRET_KEY=" + secret.Generate(), "CARILLON_EGRESS_ALLOW=127.0.0.0/8",
				"CARILLON_DRAIN_TIMEOUT=" + drainTime.String(),
			}
			first := serve(t, child.Config{DataDir: t.TempDir(), Key: key, Env: env})
			c := &client.Client{URL: first.URL(), Key: key}
			hour := object{"stepId": "wait", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 1, "unit": "HOURS"}}
			furnishSlow(t, c, slow.URL, hour)
			_, err := fire(t.Context(), c, "everything", "delivery", "ann")
			require.NoError(t, err)
			until(t, patience, "the run waits", func(ctx context.Context) (bool, error) {
				all, err := notifications(ctx, c)
				return len(all) == 1 && all[0].Status == "WAITING", err
			})
			require.NoError(t, first.Stop(drainTime))
			_, err = pgtest.Open(t, url).Pool.Exec(t.Context(), `UPDATE notifications SET due_at = now()`)
			require.NoError(t, err)

			operations := freeAddr(t)
			p := serve(t, child.Config{Command: command, DataDir: t.TempDir(), Key: key, OpsAddr: operations, Env: env})
			select {
			case <-called:
			case <-within(t, patience).Done():
				t.Fatal("the process delivers nothing")
			}
			require.NoError(t, p.Signal(syscall.SIGTERM))
			ask := func(ctx context.Context, path string) (status int, text string, err error) {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+operations+path, nil)
				require.NoError(t, err)
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					return 0, "", err
				}
				defer func() { _ = resp.Body.Close() }()
				body, err := io.ReadAll(resp.Body)
				return resp.StatusCode, string(body), err
			}
			until(t, drainTime, "it says that it stops", func(ctx context.Context) (bool, error) {
				status, text, err := ask(ctx, "/readyz")
				return status == http.StatusServiceUnavailable && text == "stopping\n", err
			})
			until(t, drainTime, "requests are refused", func(ctx context.Context) (bool, error) {
				conn, err := new(net.Dialer).DialContext(ctx, "tcp", p.Addr)
				if err == nil {
					_ = conn.Close()
				}
				return err != nil, nil
			})
			for _, path := range []string{"/healthz", "/metrics"} {
				status, _, err := ask(t.Context(), path)
				require.NoError(t, err)
				require.Equal(t, http.StatusOK, status, path)
			}
			finish()
			require.NoError(t, p.Wait(within(t, drainTime)), "the exit code is 0")
		})
	}
}

// furnishSlow makes a workflow "everything" with one text message, sent through url, behind the steps given.
func furnishSlow(t *testing.T, c *client.Client, url string, before ...object) {
	t.Helper()
	graphQL(t, c, `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id } } }`, object{"input": object{
		"providerId": "generic-sms", "primary": true, "credentials": object{"baseUrl": url, "apiKeyRequestHeader": "X-Api-Key", "apiKey": "k", "from": "SHOP"},
	}}, nil)
	graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "everything", "name": "Everything",
		"definition": object{"steps": append(before, object{"stepId": "a", "type": "SMS", "sms": object{"body": "{{payload.text}}"}})},
	}}, nil)
	graphQL(t, c, `mutation($input: CreateSubscriberInput!) { createSubscriber(input: $input) { subscriber { id } } }`, object{"input": object{
		"subscriberId": "ann", "phone": "+4930901820",
	}}, nil)
}

// request is one whose handler waits for the body.
type request struct {
	conn   net.Conn
	answer *bufio.Reader
	body   string
}

// beginRequest sends the head of a trigger and waits until its handler asks for the body.
func beginRequest(t *testing.T, addr, key, body string) *request {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(within(t, patience), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(drainTime)))
	_, err = fmt.Fprintf(conn, "POST /v1/events/trigger HTTP/1.1\r\nHost: %s\r\nAuthorization: ApiKey %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", addr, key, len(body))
	require.NoError(t, err)
	r := &request{conn: conn, answer: bufio.NewReader(conn), body: body}
	line, err := r.answer.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "100 Continue")
	_, err = r.answer.ReadString('\n')
	require.NoError(t, err)
	return r
}

// finish sends the body and returns the answer's status.
func (r *request) finish(t *testing.T) int {
	t.Helper()
	_, err := strings.NewReader(r.body).WriteTo(r.conn)
	require.NoError(t, err)
	resp, err := http.ReadResponse(r.answer, nil)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

func TestInterruptStopsTheDatabaseToo(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	p := serve(t, child.Config{DataDir: dir, Key: newKey(), Env: []string{"CARILLON_DATABASE_URL="}})
	pid, running := databasePID(dir)
	require.True(t, running)
	require.NoError(t, p.Signal(os.Interrupt))
	require.NoError(t, p.Wait(within(t, drainTime)))
	gone(t, dir)
	require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)

	// The doctor starts a database that nobody runs, and leaves it as it was.
	stdout, stderr, code := run(t, []string{"CARILLON_DATABASE_URL=", "CARILLON_DATA_DIR=" + dir, "CARILLON_ADDR=" + p.Addr}, "doctor")
	require.Zero(t, code, "%s%s", stdout, stderr)
	for _, line := range []string{"ok +postgres", "ok +durability", "ok +schema", "ok +secret key", "ok +port .* is free"} {
		require.Regexp(t, line, stdout)
	}
	gone(t, dir)
}

func TestKeysBesideTheRunningService(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	p := serve(t, child.Config{DataDir: dir, Key: newKey(), Env: []string{"CARILLON_DATABASE_URL="}})
	env := []string{"CARILLON_DATABASE_URL=", "CARILLON_DATA_DIR=" + dir}

	stdout, stderr, code := run(t, env, "keys", "create", "--name", "second")
	require.Zero(t, code, stderr)
	c := &client.Client{URL: p.URL(), Key: strings.TrimSpace(stdout)}
	graphQL(t, c, `{ currentEnvironment { identifier } }`, nil, nil)

	listed, stderr, code := run(t, env, "keys", "list")
	require.Zero(t, code, stderr)
	id := ""
	for line := range strings.Lines(listed) {
		if strings.Contains(line, "second") {
			id = strings.Fields(line)[0]
		}
	}
	require.NotEmpty(t, id, listed)
	require.NotContains(t, listed, c.Key)
	_, stderr, code = run(t, env, "keys", "revoke", id)
	require.Zero(t, code, stderr)
	status, err := c.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": "hello", "to": "you", "payload": object{}}, nil)
	require.Error(t, err)
	require.Equal(t, http.StatusUnauthorized, status, "from the first request on")
}

// TestServeOutlivesTheReaderOfItsLog, as of carillon serve 2>&1 | head.
func TestServeOutlivesTheReaderOfItsLog(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.CommandContext(within(t, patience), binary(t), "serve")
	cmd.Env = append(append(os.Environ(), migrated(t)...), "CARILLON_ADDR=127.0.0.1:0", "CARILLON_DATA_DIR="+t.TempDir())
	cmd.Stdout, cmd.Stderr = write, write
	require.NoError(t, cmd.Start())
	require.NoError(t, write.Close())
	_, err = bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, read.Close())
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM)) // it logs that it stops
	require.NoError(t, cmd.Wait())
}
