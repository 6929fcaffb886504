package postgres_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func TestLogInTries(t *testing.T) {
	t.Parallel()
	db, key := pgtest.New(t), []byte("ada from home")
	limit := postgres.TryLimit{Free: 3, First: 2 * time.Second, Longest: time.Minute, Forget: time.Hour}
	now := time.Now().UTC().Truncate(time.Microsecond)
	try := func(key []byte, at time.Time) postgres.Tried {
		t.Helper()
		tried, err := db.TryLogIn(t.Context(), key, at, limit)
		require.NoError(t, err)
		return tried
	}
	require.Equal(t, postgres.Tried{Fresh: true}, try(key, now))
	require.Equal(t, postgres.Tried{}, try(key, now))
	require.Equal(t, postgres.Tried{}, try(key, now))
	for _, delay := range []time.Duration{2, 4, 8, 16, 32, 60, 60, 60} { // each try is delayed longer than the one before, up to a bound
		delay *= time.Second
		require.Equal(t, delay, try(key, now).Wait)
		require.Equal(t, time.Second, try(key, now.Add(delay-time.Second)).Wait, "a refused try delays nothing further")
		now = now.Add(delay)
		require.Zero(t, try(key, now).Wait)
	}
	require.Zero(t, try([]byte("ada from elsewhere"), now).Wait, "another key is counted for itself")
	require.Equal(t, postgres.Tried{Fresh: true}, try(key, now.Add(2*time.Hour)), "what is quiet for long is forgotten")

	now = now.Add(3 * time.Hour)
	for range 3 {
		try(key, now)
	}
	require.NotZero(t, try(key, now).Wait)
	require.NoError(t, db.EndTries(t.Context(), key, []byte("nothing")))
	require.Equal(t, postgres.Tried{Fresh: true}, try(key, now))
}

// TestManyTriesAtOnce counts every one of them: guessing in parallel gains nothing.
func TestManyTriesAtOnce(t *testing.T) {
	t.Parallel()
	db, now := pgtest.New(t), time.Now()
	limit := postgres.TryLimit{Free: 5, First: time.Second, Longest: time.Minute, Forget: time.Hour}
	var tries sync.WaitGroup
	passed := make(chan struct{}, 40)
	for range cap(passed) {
		tries.Go(func() {
			if tried, err := db.TryLogIn(t.Context(), []byte("k"), now, limit); err == nil && tried.Wait == 0 {
				passed <- struct{}{}
			}
		})
	}
	tries.Wait()
	require.Len(t, passed, 5)
}

func TestTriesAreBounded(t *testing.T) {
	t.Parallel()
	db, now := pgtest.New(t), time.Now()
	limit := postgres.TryLimit{Free: 5, First: time.Second, Longest: time.Minute, Forget: time.Hour}
	for i := range 10 {
		_, err := db.TryLogIn(t.Context(), []byte{byte(i)}, now.Add(time.Duration(i)*time.Second), limit)
		require.NoError(t, err)
	}
	require.NoError(t, db.TrimTries(t.Context(), 4))
	var left []byte
	rows, err := db.Pool.Query(t.Context(), "SELECT key FROM log_in_tries ORDER BY tried_at")
	require.NoError(t, err)
	for rows.Next() {
		var key []byte
		require.NoError(t, rows.Scan(&key))
		left = append(left, key...)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []byte{6, 7, 8, 9}, left)

	deleted, err := db.Prune(t.Context(), now.Add(25*time.Hour), postgres.Retention{}, 100)
	require.NoError(t, err)
	require.EqualValues(t, 4, deleted, "what is forgotten goes")
}
