package postgres_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/stall"
)

func TestLeaseRate(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	lease := func(environment, category string, want float64, after time.Duration) [2]float64 {
		granted, left, err := db.LeaseRate(t.Context(), postgres.RateLease{
			EnvironmentID: environment, Category: category, PerSecond: 2, Burst: 10, Want: want, Now: pgtest.Noon.Add(after),
		})
		require.NoError(t, err)
		return [2]float64{granted, left}
	}
	for i, c := range []struct {
		environment, category string
		want                  float64
		after                 time.Duration
		granted               [2]float64
	}{
		{"a", "triggers", 4, 0, [2]float64{4, 6}},
		{"b", "triggers", 99, 0, [2]float64{10, 0}},
		{"a", "reads", 1, 0, [2]float64{1, 9}},
		{"a", "triggers", 8, 0, [2]float64{6, 0}},
		{"a", "triggers", 1, 0, [2]float64{0, 0}},
		{"a", "triggers", 4, time.Second, [2]float64{2, 0}},
		{"a", "triggers", 1, -time.Hour, [2]float64{0, 0}},
		{"a", "triggers", 1, 2 * time.Second, [2]float64{1, 1}},
		{"a", "triggers", 1, time.Hour, [2]float64{1, 9}},
	} {
		require.Equal(t, c.granted, lease(c.environment, c.category, c.want, c.after), "step %d", i)
	}
}

// TestLeaseRateManyAtOnce holds that processes together take no more than the bucket has.
func TestLeaseRateManyAtOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	var wg sync.WaitGroup
	granted := make([]float64, 20)
	for i := range granted {
		wg.Go(func() {
			granted[i], _, _ = db.LeaseRate(t.Context(), postgres.RateLease{EnvironmentID: "e", Category: "c", PerSecond: 1, Burst: 7, Want: 1, Now: pgtest.Noon})
		})
	}
	wg.Wait()
	sum := 0.0
	for _, g := range granted {
		sum += g
	}
	require.InDelta(t, 7, sum, 0)
}

func TestNotifyAndListen(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	connected, heard, ended := make(chan struct{}), make(chan string, 9), make(chan error, 1)
	go func() {
		ended <- db.Listen(ctx, `odd "channel"`, func() { close(connected) }, func(payload string) { heard <- payload })
	}()
	<-connected
	require.NoError(t, db.Notify(ctx, `odd "channel"`, nil))
	require.NoError(t, db.Notify(ctx, "another", []string{"x"}))
	require.NoError(t, db.Notify(ctx, `odd "channel"`, []string{"a", "b"}))
	require.Equal(t, []string{"a", "b"}, []string{<-heard, <-heard}, "of its own channel alone, in order")
	require.False(t, db.Pooled())
	stop()
	require.NoError(t, <-ended, "its end is no error")

	require.ErrorContains(t, db.Notify(t.Context(), "c", []string{string(make([]byte, 8000))}), "notify c")
}

// TestListenOutlastsIdleTimeout: a bound of the role for idle sessions does not end the one that listens.
func TestListenOutlastsIdleTimeout(t *testing.T) {
	t.Parallel()
	dsn := pgtest.EmptyURL(t)
	other := pgtest.Open(t, dsn)
	between := map[bool]string{true: "&", false: "?"}[strings.Contains(dsn, "?")]
	bounded := pgtest.Open(t, dsn+between+"idle_session_timeout=500")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	connected, heard, ended := make(chan struct{}), make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- bounded.Listen(ctx, "c", func() { close(connected) }, func(payload string) { heard <- payload })
	}()
	select {
	case <-connected:
	case err := <-ended:
		t.Fatal(err)
	}
	require.Eventually(t, func() bool {
		return len(ended) > 0 || len(texts(t, other, `SELECT pid::text FROM pg_stat_activity WHERE datname = current_database()
	AND query LIKE 'LISTEN%' AND state_change < clock_timestamp() - interval '600 milliseconds'`)) == 1
	}, stall.Limit(time.Minute), 10*time.Millisecond, "idle for longer than the bound")
	require.NoError(t, other.Notify(ctx, "c", []string{"late"}))
	select {
	case payload := <-heard:
		require.Equal(t, "late", payload)
	case err := <-ended:
		require.NoError(t, err)
		t.Fatal("it listens no more")
	}
	stop()
	require.NoError(t, <-ended)
}

// TestListenLosesItsConnection returns an error, so that its caller connects anew.
func TestListenLosesItsConnection(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	connected, ended := make(chan struct{}, 2), make(chan error, 1)
	listen := func() {
		ended <- db.Listen(t.Context(), "c", func() { connected <- struct{}{} }, func(string) {})
	}
	go listen()
	<-connected
	_, err := db.Pool.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
	require.NoError(t, err)
	require.ErrorContains(t, <-ended, "listen to c")
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- db.Listen(ctx, "c", func() { connected <- struct{}{} }, func(string) {}) }()
	<-connected
	stop()
	require.NoError(t, <-ended, "the next connection hears again")
}
