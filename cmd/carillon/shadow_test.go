package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/shadow"
)

// proxy is a running carillon shadow.
type proxy struct {
	cmd           *exec.Cmd
	calls, status string // addresses
	printed       *bufio.Reader
	log           strings.Builder // its standard error, complete once it has ended
}

var (
	shadowAddresses = regexp.MustCompile(`^Calls to (http://\S+) are forwarded to \S+ and played on \S+; the status is at (http://\S+)/\n$`)
	shadowPassword  = regexp.MustCompile(`^The password of the status page, shown once: (\S+)\n$`)
)

// startShadow starts the command and reads what it prints at its start.
func startShadow(t *testing.T, env []string, args ...string) *proxy {
	t.Helper()
	p := &proxy{cmd: exec.CommandContext(t.Context(), binary(t), append([]string{"shadow", "--listen", "127.0.0.1:0", "--status-addr", "127.0.0.1:0"}, args...)...)}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.log
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	p.printed = bufio.NewReader(out)
	first, err := p.printed.ReadString('\n')
	require.NoError(t, err)
	found := shadowAddresses.FindStringSubmatch(first)
	require.NotNil(t, found, first)
	p.calls, p.status = found[1], found[2]
	return p
}

// stop interrupts the proxy and returns the rest of what it printed.
func (p *proxy) stop(t *testing.T) string {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	rest, err := io.ReadAll(p.printed)
	require.NoError(t, err)
	require.NoError(t, p.cmd.Wait(), p.log.String())
	return string(rest)
}

// ask asks for a page of the status.
func (p *proxy) ask(ctx context.Context, t *testing.T, path, password string) (status int, body []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.status+path, nil)
	require.NoError(t, err)
	if password != "" {
		req.SetBasicAuth("anyone", password)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, body
}

// call sends a call of the old deployment's users through the proxy.
func (p *proxy) call(t *testing.T, method, path, body string) (status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, p.calls+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "ApiKey old-key")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// TestShadowCommand: calls are forwarded and played, the status is for whoever has the password, and the end prints it.
func TestShadowCommand(t *testing.T) {
	t.Parallel()
	in := install(t)
	old, address := oldDeployment(t, 3)
	log := filepath.Join(t.TempDir(), "differences.ndjson")
	env := []string{"CARILLON_API_KEY=" + in.key, "CARILLON_URL=" + in.URL(), "CARILLON_FROM_URL=" + address}
	p := startShadow(t, env, "--log", log)
	second, err := p.printed.ReadString('\n')
	require.NoError(t, err)
	found := shadowPassword.FindStringSubmatch(second)
	require.NotNil(t, found, second)

	const event = `{"name":%q,"to":"ann","payload":{"name":"Ann"}}`
	require.Equal(t, http.StatusCreated, p.call(t, "POST", "/v1/events/trigger", fmt.Sprintf(event, "hello")))
	require.Equal(t, http.StatusCreated, p.call(t, "POST", "/v1/events/trigger", fmt.Sprintf(event, "lost"))) // Carillon has no such workflow
	require.Equal(t, http.StatusNotFound, p.call(t, "GET", "/elsewhere", ""))
	for _, wrong := range []string{"", "wrong", found[1] + "x"} {
		status, body := p.ask(t.Context(), t, "/status.json", wrong)
		require.Equal(t, http.StatusUnauthorized, status)
		require.NotContains(t, string(body), "forwarded")
	}
	var s shadow.Summary
	until(t, patience, "the calls are played", func(ctx context.Context) (bool, error) {
		status, body := p.ask(ctx, t, "/status.json", found[1])
		require.Equal(t, http.StatusOK, status)
		return json.Unmarshal(body, &s) == nil && s.Played == 2, nil
	})
	require.EqualValues(t, 3, s.Forwarded)
	require.EqualValues(t, 1, s.Same)
	require.EqualValues(t, 1, s.Held["in_app"])
	require.Contains(t, s.Groups, shadow.Group{Route: "POST /v1/events/trigger", Count: 1, Example: shadow.Difference{
		Kind: "value", Path: "status", Old: `"processed"`, Here: `"error"`, Reason: `["workflow_not_found"]`,
	}})
	_, text := p.ask(t.Context(), t, "/", found[1])
	require.Contains(t, string(text), "3 calls forwarded")
	require.Equal(t, 3, old.Requests())

	require.Contains(t, p.stop(t), "3 calls forwarded since", "the end prints the summary")
	lines, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(lines), "\n"))
	info, err := os.Stat(log)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it holds people's data")
	for _, told := range []string{string(lines), string(text), p.log.String()} {
		require.NotContains(t, told, "old-key")
		require.NotContains(t, told, in.key)
	}

	p = startShadow(t, append(env, "CARILLON_SHADOW_TOKEN=of-my-own"))
	status, _ := p.ask(t.Context(), t, "/", "of-my-own")
	require.Equal(t, http.StatusOK, status)
	require.NotContains(t, p.stop(t), "of-my-own", "a token that was given is not printed")
}

// TestShadowRefuses: a wrong call ends with its code and names what is wrong.
func TestShadowRefuses(t *testing.T) {
	t.Parallel()
	in := install(t)
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	from := []string{"shadow", "--from", in.URL(), "--listen", "127.0.0.1:0", "--status-addr", "127.0.0.1:0"}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "--from", []string{"shadow"}},
		{1, `--from "nowhere" is not an address`, []string{"shadow", "--from", "nowhere"}},
		{1, "--queue must be at least 1", append(from, "--queue", "0")},
		{1, "UNAUTHENTICATED", append(from, "--key", "wrong")},
		{1, "listen at " + taken.Addr().String(), append(from, "--listen", taken.Addr().String())},
		{1, "listen at " + taken.Addr().String(), append(from, "--status-addr", taken.Addr().String())},
		{1, "open", append(from, "--log", filepath.Join(t.TempDir(), "missing", "log"))},
	} {
		require.Contains(t, in.carillon(t, in.key, c.code, c.args...), c.says, "%v", c.args)
	}
}
