package prove

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
)

// crashing is set in a child that is this binary.
const crashing = "CARILLON_TEST_CRASHING"

func TestMain(m *testing.M) {
	if os.Getenv(crashing) != "" {
		crash()
	}
	os.Exit(m.Run())
}

// crash is ready at once, and panics when it is asked to end.
func crash() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	go func() {
		_ = http.ListenAndServe(os.Getenv("CARILLON_ADDR"), http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})) //nolint:gosec // of a test, on loopback
	}()
	<-asked
	panic("out of range")
}

// TestKillFindsCrashes: a process that had ended by itself is not taken for one that was killed.
func TestKillFindsCrashes(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	p := &process{name: "serve", cfg: child.Config{Binary: self, Env: []string{crashing + "=1"}}}
	require.NoError(t, p.start(t.Context()))
	defer func() { p.now.Kill() }()
	require.NoError(t, p.kill(t.Context()))
	require.NoError(t, p.now.Signal(syscall.SIGTERM))
	<-p.now.Done()
	err = p.kill(t.Context())
	require.ErrorContains(t, err, "serve ended by itself: exit status 2")
	require.ErrorContains(t, err, "panic: out of range")
}

// TestUntilItIsLate: what a check says that the limit cut off is that it was not in time; the caller then judges what is still open.
func TestUntilItIsLate(t *testing.T) {
	t.Parallel()
	cutOff := func(ctx context.Context) (bool, error) {
		<-ctx.Done()
		return false, errors.New("timeout: context deadline exceeded")
	}
	require.ErrorIs(t, until(t.Context(), time.Millisecond, cutOff), errPatience)
	require.ErrorIs(t, until(t.Context(), time.Millisecond, func(context.Context) (bool, error) { return false, nil }), errPatience)
	ended, end := context.WithCancelCause(t.Context())
	end(errors.New("the run is over"))
	require.ErrorContains(t, until(ended, time.Hour, func(context.Context) (bool, error) { return false, nil }), "the run is over")
	require.ErrorContains(t, until(t.Context(), time.Hour, func(context.Context) (bool, error) { return false, errors.New("refused") }), "refused")
	require.NoError(t, until(t.Context(), time.Hour, func(context.Context) (bool, error) { return true, nil }))
}
