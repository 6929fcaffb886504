package main_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
)

// TestCells runs two installations behind HAProxy with the published configuration. What a caller shows leads to its own cell;
// while one of a cell's processes is killed, calls are acknowledged.
func TestCells(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("haproxy"); err != nil {
		t.Skip("HAProxy is not installed")
	}
	eu, us := newCell(t, "eu"), newCell(t, "us")
	second := eu.start(t, "serve")
	proxy := startProxy(t, "CARILLON_CELL_EU_1="+eu.Addr, "CARILLON_CELL_EU_2="+second.Addr, "CARILLON_CELL_US_1="+us.Addr)

	for _, c := range []*cell{eu, us} {
		through := &client.Client{URL: proxy.URL(), Key: c.made}
		require.NoError(t, client.Until(within(t, time.Minute), 50*time.Millisecond, func(ctx context.Context) (bool, error) {
			_, err := fire(ctx, through, "hello", "first-"+c.name, "ada-"+c.name)
			return err == nil, nil
		}), "the proxy has found cell %s", c.name)
		until(t, patience, "the event is in its cell", func(ctx context.Context) (bool, error) {
			n, err := inbox(ctx, &client.Client{URL: c.URL(), Key: c.key}, "ada-"+c.name)
			return n == 1, err
		})

		token := subscriberToken(t, through, "ada-"+c.name)
		require.Regexp(t, `^cst_`+c.name+`\.`, token)
		_, err := (&client.Client{URL: proxy.URL(), HTTP: bearer{token}.client()}).Do(t.Context(), http.MethodPost, "/graphql", object{"query": "{ inbox { contextKeys } }"}, nil)
		require.NoError(t, err)
		dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
		conn, resp, err := dialer.DialContext(t.Context(), "ws://"+proxy.Addr+"/graphql?cell="+c.name, nil)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		t.Cleanup(func() { _ = conn.Close() })
		s := &socket{conn}
		require.NoError(t, s.send("", "connection_init", object{"Authorization": "Bearer " + token}))
		f, err := s.read()
		require.NoError(t, err)
		require.Equal(t, "connection_ack", f.Type)
	}
	status, err := (&client.Client{URL: us.URL(), Key: eu.made}).Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": "hello", "to": "ada"}, nil)
	require.Equal(t, http.StatusUnauthorized, status)
	require.ErrorContains(t, err, "belongs to cell eu, and this is cell us")

	logInThrough(t, proxy, us)

	through := &client.Client{URL: proxy.URL(), Key: eu.made}
	second.Kill()
	for n := range 20 {
		id := "after-" + string(rune('a'+n))
		require.NoError(t, client.Until(within(t, 10*time.Second), 50*time.Millisecond, func(ctx context.Context) (bool, error) {
			_, err := fire(ctx, through, "hello", id, "eve")
			return err == nil, nil
		}), "a call after a process was killed")
	}
	until(t, patience, "each event is there once", func(ctx context.Context) (bool, error) {
		n, err := inbox(ctx, &client.Client{URL: eu.URL(), Key: eu.key}, "eve")
		return n == 20, err
	})
}

// cell is one of several installations, with a process.
type cell struct {
	*cluster
	*child.Process
	name string
	made string // an API key that was made there
}

func newCell(t *testing.T, name string, env ...string) *cell {
	t.Helper()
	c := &cell{cluster: newCluster(t), name: name}
	c.env = append(append(c.env, "CARILLON_CELL="+name), env...)
	c.Process = c.cluster.start(t, "serve")
	stdout, stderr, code := run(t, c.env, "keys", "create")
	require.Zero(t, code, stderr)
	c.made = regexp.MustCompile(`crl_` + name + `\.[0-9A-Za-z]{43}`).FindString(stdout)
	require.NotEmpty(t, c.made, stdout)
	return c
}

// startProxy starts HAProxy with the configuration that is published.
func startProxy(t *testing.T, env ...string) *child.Process {
	t.Helper()
	addr := freeAddr(t)
	cmd := exec.CommandContext(t.Context(), "haproxy", "-db", "-f", filepath.Join("deploy", "cells", "haproxy.cfg"))
	cmd.Env = append(append(os.Environ(), "CARILLON_PROXY_ADDR="+addr, "CARILLON_CELL_MAP="+os.DevNull), env...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the proxy said:\n%s", log.String())
		}
	})
	return &child.Process{Addr: addr}
}

// inbox returns how many messages a subscriber's inbox holds.
func inbox(ctx context.Context, c *client.Client, who string) (int, error) {
	var out struct{ Messages struct{ TotalCount int } }
	err := c.GraphQL(ctx, `query($who: String!) { messages(filter: {subscriberId: $who, channelIn: [IN_APP]}) { totalCount } }`, object{"who": who}, &out)
	return out.Messages.TotalCount, err
}

// logInThrough chooses a cell as a browser does, and logs in there: the session's cookie leads to it from then on.
func logInThrough(t *testing.T, proxy *child.Process, c *cell) {
	t.Helper()
	input := strings.NewReader("a long enough passphrase\n")
	cmd := exec.CommandContext(within(t, time.Minute), binary(t), "users", "create", "ada@example.com")
	cmd.Env, cmd.Stdin = append(os.Environ(), c.env...), input
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))

	stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	call := func(method, path, body string, cookies ...*http.Cookie) (int, []*http.Cookie) {
		req, err := http.NewRequestWithContext(t.Context(), method, proxy.URL()+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		for _, cookie := range cookies {
			req.AddCookie(cookie)
		}
		resp, err := stay.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode, resp.Cookies()
	}
	_, chosen := call(http.MethodGet, "/cells/"+c.name, "")
	require.Len(t, chosen, 1)
	status, sessions := call(http.MethodPost, "/dashboard/session", `{"email": "ada@example.com", "password": "a long enough passphrase"}`, chosen[0])
	require.Less(t, status, 300)
	sessions = slices.DeleteFunc(sessions, func(c *http.Cookie) bool { return c.Name != "carillon_session" })
	require.Len(t, sessions, 1)
	require.True(t, strings.HasPrefix(sessions[0].Value, "crs_"+c.name+"."), "the session names its cell")
	status, _ = call(http.MethodDelete, "/dashboard/session", "", sessions[0])
	require.Less(t, status, 300, "the session alone leads to its cell")
	status, _ = call(http.MethodPut, "/dashboard/session", `{"environmentId": "x"}`, sessions[0])
	require.Equal(t, http.StatusUnauthorized, status, "where it has ended")
}
