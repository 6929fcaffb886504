package postgres_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func TestClockDifference(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for read, want := range map[time.Duration]time.Duration{-time.Second: time.Second, 0: 0, 5 * time.Second: 0, 10 * time.Second: 0, 12 * time.Second: 2 * time.Second} {
		require.Equal(t, want, postgres.ClockDifference(noon, noon.Add(read), noon.Add(10*time.Second)), "the answer may have taken ten seconds")
	}
}

// TestClockGuard: a clock that is set is compared with the database's, again and again while they differ, and otherwise never.
func TestClockGuard(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	var said bytes.Buffer
	var ahead, passed time.Duration
	began := time.Now()
	g := postgres.NewClockGuard(db, slog.New(slog.NewTextHandler(&said, nil)), func() (time.Time, time.Duration) {
		ran := time.Since(began) + passed
		return began.Add(ran + ahead), ran
	})
	asked := func() int64 { return db.Pool.Stat().AcquireCount() }
	apart := func() time.Duration {
		by, err := g.Apart(t.Context())
		require.NoError(t, err)
		return by.Round(time.Minute)
	}
	before := asked()
	require.Zero(t, apart())
	ahead = 50 * time.Second
	require.Zero(t, apart(), "a clock may drift")
	require.Equal(t, before, asked(), "nothing has set the clock")

	ahead = 4 * time.Minute
	require.Zero(t, apart())
	require.Zero(t, apart())
	require.Equal(t, before+1, asked(), "set by little, it is compared once")

	for _, ahead = range []time.Duration{time.Hour, -time.Hour} {
		require.Equal(t, time.Hour, apart())
		compared := asked()
		require.Equal(t, time.Hour, apart())
		require.Equal(t, compared, asked(), "the answer holds for a second")
		passed += 2 * time.Second
	}
	require.Equal(t, 1, strings.Count(said.String(), "run NTP on both"), said.String())

	ahead = 0
	require.Zero(t, apart())
	require.Contains(t, said.String(), "agree again")
	before = asked()
	require.Zero(t, apart())
	require.Equal(t, before, asked())

	db.Close()
	ahead = time.Hour
	_, err := g.Apart(t.Context())
	require.Error(t, err, "without the database it is not known")
}
