package accept

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWatchdogWaitsForAnAnswer gives a commit up, as when a synchronous standby is away, and lets callers repeat what was refused.
func TestWatchdogWaitsForAnAnswer(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	w := &watchdog{now: func() time.Time { return now }}
	leave, end := w.enter(), w.begin()
	now = now.Add(stallAfter)
	stalled, changed := w.look()
	require.True(t, stalled && changed)

	now = now.Add(stallAfter)
	end(false)
	leave()
	require.Zero(t, w.stalledFor(), "no request waits: one has to be tried")
	stalled, changed = w.look()
	require.True(t, stalled)
	require.False(t, changed, "nothing was stored, so nothing is said")

	leave, end = w.enter(), w.begin()
	require.GreaterOrEqual(t, w.stalledFor(), stallAfter, "the next request finds the writer as it was")
	stalled, changed = w.look()
	require.True(t, stalled)
	require.False(t, changed)

	end(true)
	leave()
	stalled, changed = w.look()
	require.False(t, stalled)
	require.True(t, changed, "a commit was answered")
	now = now.Add(time.Hour)
	leave = w.enter()
	require.Zero(t, w.stalledFor())
	leave()
}
