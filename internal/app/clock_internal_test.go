package app

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestClockOfAnotherTime: a process whose clock differs from the database's by minutes does not start; one by seconds is logged.
func TestClockOfAnotherTime(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, c := range []struct {
		ahead            time.Duration
		refused, warning bool
	}{
		{time.Hour, true, false}, {-time.Hour, true, false}, {time.Minute, false, true}, {-time.Minute, false, true},
	} {
		var log strings.Builder
		err := requireClock(t.Context(), db, func() time.Time { return time.Now().Add(c.ahead) }, slog.New(slog.NewTextHandler(&log, nil)))
		if c.refused {
			require.ErrorContains(t, err, "the clocks of this machine and the database differ by", c.ahead)
		} else {
			require.NoError(t, err, c.ahead)
		}
		require.Equal(t, c.warning, strings.Contains(log.String(), "run NTP on both"), c.ahead)
	}
}

func TestClockDifference(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for read, want := range map[time.Duration]time.Duration{-time.Second: time.Second, 0: 0, 5 * time.Second: 0, 10 * time.Second: 0, 12 * time.Second: 2 * time.Second} {
		require.Equal(t, want, clockDifference(noon, noon.Add(read), noon.Add(10*time.Second)), "the answer may have taken ten seconds")
	}
}
