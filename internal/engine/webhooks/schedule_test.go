package webhooks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSchedule holds eight attempts over about 28 hours.
func TestSchedule(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	at, attempts := begin, 1
	for next := Next(1, at, 0, 0); next != nil; next = Next(attempts, at, 0, 0) {
		require.True(t, next.After(at))
		at = *next
		attempts++
	}
	require.Equal(t, 8, attempts)
	require.Equal(t, 27*time.Hour+35*time.Minute+5*time.Second, at.Sub(begin))
	require.Nil(t, Next(8, at, time.Hour, 0))

	require.Equal(t, begin.Add(5*time.Second), *Next(1, begin, time.Second, 0), "no sooner than the schedule says")
	require.Equal(t, begin.Add(time.Minute), *Next(1, begin, time.Minute, 0.5), "later when the endpoint asks for that")
	require.Equal(t, begin.Add(longestWait), *Next(1, begin, 48*time.Hour, 0), "but not for ever")
	require.Equal(t, begin.Add(5*time.Minute+15*time.Second), *Next(2, begin, 0, 0.5), "jitter lengthens by up to a tenth")
}
