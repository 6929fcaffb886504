package pgaccess_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

func TestLogInTries(t *testing.T) {
	t.Parallel()
	db, key := pgtest.New(t), []byte("ada from home")
	limit := pgaccess.TryLimit{Free: 3, First: 2 * time.Second, Longest: time.Minute, Forget: time.Hour}
	now := time.Now().UTC().Truncate(time.Microsecond)
	try := func(key []byte, at time.Time) pgaccess.Tried {
		t.Helper()
		tried, err := pgaccess.TryLogIn(t.Context(), db, key, at, limit)
		require.NoError(t, err)
		return tried
	}
	require.Equal(t, pgaccess.Tried{Fresh: true}, try(key, now))
	require.Equal(t, pgaccess.Tried{}, try(key, now))
	require.Equal(t, pgaccess.Tried{}, try(key, now))
	for _, delay := range []time.Duration{2, 4, 8, 16, 32, 60, 60, 60} { // each try is delayed longer than the one before, up to a bound
		delay *= time.Second
		require.Equal(t, delay, try(key, now).Wait)
		require.Equal(t, time.Second, try(key, now.Add(delay-time.Second)).Wait, "a refused try delays nothing further")
		now = now.Add(delay)
		require.Zero(t, try(key, now).Wait)
	}
	require.Zero(t, try([]byte("ada from elsewhere"), now).Wait, "another key is counted for itself")
	require.Equal(t, pgaccess.Tried{Fresh: true}, try(key, now.Add(2*time.Hour)), "what is quiet for long is forgotten")

	now = now.Add(3 * time.Hour)
	for range 3 {
		try(key, now)
	}
	require.NotZero(t, try(key, now).Wait)
	require.NoError(t, pgaccess.EndTries(t.Context(), db, key, []byte("nothing")))
	require.Equal(t, pgaccess.Tried{Fresh: true}, try(key, now))
}

// TestManyTriesAtOnce counts every one of them: guessing in parallel gains nothing.
func TestManyTriesAtOnce(t *testing.T) {
	t.Parallel()
	db, now := pgtest.New(t), time.Now()
	limit := pgaccess.TryLimit{Free: 5, First: time.Second, Longest: time.Minute, Forget: time.Hour}
	var tries sync.WaitGroup
	passed := make(chan struct{}, 40)
	for range cap(passed) {
		tries.Go(func() {
			if tried, err := pgaccess.TryLogIn(t.Context(), db, []byte("k"), now, limit); err == nil && tried.Wait == 0 {
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
	limit := pgaccess.TryLimit{Free: 5, First: time.Second, Longest: time.Minute, Forget: time.Hour}
	guess := func() (last pgaccess.Tried) {
		for range limit.Free {
			var err error
			last, err = pgaccess.TryLogIn(t.Context(), db, []byte("ada"), now, limit)
			require.NoError(t, err)
		}
		return last
	}
	guess()
	for i := range 10 {
		_, err := pgaccess.TryLogIn(t.Context(), db, []byte{byte(i)}, now.Add(time.Duration(i)*time.Second), limit)
		require.NoError(t, err)
	}
	require.NoError(t, pgaccess.TrimTries(t.Context(), db, 5))
	require.NotZero(t, guess().Wait, "a flood of others ends no delay")
	require.NoError(t, pgaccess.EndTries(t.Context(), db, []byte("ada")))
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

	deleted, err := pgupkeep.Prune(t.Context(), db, now.Add(25*time.Hour), pgupkeep.Retention{}, 100)
	require.NoError(t, err)
	require.EqualValues(t, 4, deleted, "what is forgotten goes")
}
