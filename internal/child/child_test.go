package child_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/stall"
)

// roleVariable says what this binary does when it is started as a child.
const roleVariable = "CARILLON_TEST_CHILD"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(act(role))
	}
	os.Exit(m.Run())
}

// act is a server that is ready at once, ends by itself, finds its port taken, never becomes ready, or crashes or does not end when it is asked to.
func act(role string) (exit int) {
	fmt.Println("began as", strings.Join(os.Args[1:], " "), os.Getenv("CARILLON_DATA_DIR"), os.Getenv("CARILLON_BOOTSTRAP_API_KEY"), os.Getenv("EXTRA"))
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	if role == "parent" {
		parent()
	}
	if role == "ends" {
		fmt.Fprintln(os.Stderr, "no database")
		return 3
	}
	if role == "crowded" {
		fmt.Fprintln(os.Stderr, "another program listens on", os.Getenv("CARILLON_ADDR"), "already")
		return 1
	}
	status := http.StatusOK
	if role == "unready" {
		status = http.StatusServiceUnavailable
	}
	go func() {
		_ = http.ListenAndServe(os.Getenv("CARILLON_ADDR"), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })) //nolint:gosec // of a test, on loopback
	}()
	<-asked
	switch role {
	case "stubborn":
		select {}
	case "crashes":
		panic("out of range")
	}
	fmt.Println("ended")
	return 0
}

// log is what a child wrote, as its parent passes it on.
type log struct {
	mu    sync.Mutex
	text  bytes.Buffer
	heard func() // called for each text; nil: nothing is
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.heard != nil {
		defer l.heard()
	}
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func start(ctx context.Context, t *testing.T, role string, l *log) (*child.Process, error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return child.Start(ctx, child.Config{Binary: self, DataDir: "/data", Key: "crl_key", Env: []string{roleVariable + "=" + role, "EXTRA=more"}, Log: l})
}

func patience(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), stall.Limit(time.Minute))
	t.Cleanup(cancel)
	return ctx
}

// TestStartAndStop: a child is ready when Start returns, knows its settings, and ends when it is asked to.
func TestStartAndStop(t *testing.T) {
	t.Parallel()
	written := &log{}
	p, err := start(patience(t), t, "serves", written)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL()+"/readyz", nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.True(t, strings.HasPrefix(p.Addr, "127.0.0.1:"), p.Addr)
	now, peak, err := p.Memory()
	require.NoError(t, err)
	require.Greater(t, now, int64(1<<20))
	require.GreaterOrEqual(t, peak, now)
	select {
	case <-p.Done():
		t.Error("it runs")
	default:
	}
	require.NoError(t, p.Stop(stall.Limit(time.Minute)))
	<-p.Done()
	require.NoError(t, p.Wait(t.Context()))
	require.Contains(t, p.Output(), "began as serve /data crl_key more\n")
	require.Contains(t, p.Output(), "ended\n")
	require.Equal(t, p.Output(), written.String())
	_, _, err = p.Memory()
	require.ErrorContains(t, err, "read the child's memory")
}

// TestChildrenThatDoNotStart: whoever starts one learns why, from its last words.
func TestChildrenThatDoNotStart(t *testing.T) {
	t.Parallel()
	_, err := start(patience(t), t, "ends", &log{})
	require.ErrorContains(t, err, "carillon ended while starting")
	require.ErrorContains(t, err, "no database")
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.ExitCode())

	ctx, cancel := context.WithCancelCause(t.Context())
	tired := errors.New("waited long enough")
	written := &log{}
	written.heard = func() { cancel(tired) }
	_, err = start(ctx, t, "unready", written)
	require.ErrorIs(t, err, tired)
	require.ErrorContains(t, err, "carillon is not ready")
	require.ErrorContains(t, err, "began as serve")

	written = &log{}
	_, err = start(patience(t), t, "crowded", written)
	require.ErrorContains(t, err, "another program listens")
	require.Equal(t, 3, strings.Count(written.String(), "began as"), "each try has a port of its own")

	_, err = child.Start(t.Context(), child.Config{Binary: "/no/such/binary"})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestChildrenThatDoNotStop are killed after the grace, and that is told; one can also be killed at once, or asked by a signal.
func TestChildrenThatDoNotStop(t *testing.T) {
	t.Parallel()
	p, err := start(patience(t), t, "stubborn", &log{})
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, p.Wait(ended), context.Canceled)
	require.ErrorContains(t, p.Stop(time.Millisecond), "carillon did not stop within 1ms")
	var exit *exec.ExitError
	require.ErrorAs(t, p.Wait(t.Context()), &exit)

	p, err = start(patience(t), t, "serves", &log{})
	require.NoError(t, err)
	p.Kill()
	require.ErrorAs(t, p.Wait(t.Context()), &exit)
	require.ErrorIs(t, p.Signal(syscall.SIGTERM), os.ErrProcessDone)
}

// TestCrashed: a child that ended by itself says how, one that was killed or stopped does not.
func TestCrashed(t *testing.T) {
	t.Parallel()
	p, err := start(patience(t), t, "crashes", &log{})
	require.NoError(t, err)
	require.NoError(t, p.Crashed(), "it runs")
	require.ErrorContains(t, p.Stop(stall.Limit(time.Minute)), "panic: out of range")
	p.Kill()
	require.ErrorContains(t, p.Crashed(), "exit status 2; its last words\n")
	require.ErrorContains(t, p.Crashed(), "panic: out of range")

	for _, end := range []func(*child.Process){(*child.Process).Kill, func(p *child.Process) { _ = p.Stop(stall.Limit(time.Minute)) }} {
		p, err := start(patience(t), t, "serves", &log{})
		require.NoError(t, err)
		end(p)
		require.NoError(t, p.Crashed())
	}
}

// TestFreeAddr: ports that a system gives to who asks for any are left alone.
func TestFreeAddr(t *testing.T) {
	t.Parallel()
	addr, err := child.FreeAddr(t.Context())
	require.NoError(t, err)
	bound, err := netip.ParseAddrPort(addr)
	require.NoError(t, err)
	require.True(t, bound.Addr().IsLoopback())
	require.Less(t, bound.Port(), uint16(32_768), "the first that Linux gives")
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr)
	require.NoError(t, err)
	require.NoError(t, ln.Close())
}
