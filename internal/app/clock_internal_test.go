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
