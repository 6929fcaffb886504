package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestConnections: those of lists count as those of the hot path do, and no more are opened than is said beforehand.
func TestConnections(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	for _, opts := range []postgres.Options{{MaxConns: 20}, {MaxConns: 1}, {MaxConns: 20, Pooler: true}} {
		most, err := postgres.MaxConnections(url, opts)
		require.NoError(t, err)
		db, err := postgres.Open(t.Context(), url, opts)
		require.NoError(t, err)
		require.Equal(t, most, db.Connections().Max)
		list, err := db.SQL.Conn(t.Context())
		require.NoError(t, err)
		require.Equal(t, int32(1), db.Connections().Used)
		hot, err := db.Pool.Acquire(t.Context())
		require.NoError(t, err)
		require.Equal(t, int32(2), db.Connections().Used)
		hot.Release()
		require.NoError(t, list.Close())
		db.Close()
	}
	most, err := postgres.MaxConnections(url+"&pool_max_conns=50", postgres.Options{})
	require.NoError(t, err)
	require.Equal(t, int32(50), most)
}

// TestBusy: a pool is busy while all of its connections are in use, not before the last one is opened.
func TestBusy(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), pgtest.NewURL(t), postgres.Options{MaxConns: 1})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	for range db.Pool.Config().MaxConns {
		require.False(t, db.Busy())
		conn, err := db.Pool.Acquire(t.Context())
		require.NoError(t, err)
		defer conn.Release()
	}
	require.True(t, db.Busy())
}
