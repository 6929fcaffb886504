package postgres_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func TestWritable(t *testing.T) {
	t.Parallel()
	dsn := pgtest.EmptyURL(t)
	db := pgtest.Open(t, dsn)
	require.NoError(t, db.Writable(t.Context()))

	refuse := func(code string) {
		_, err := db.Pool.Exec(t.Context(), `DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '`+code+`'; END $$`)
		require.Equal(t, code, postgres.Code(err))
	}
	refuse("53200") // memory
	require.NoError(t, db.Writable(t.Context()))
	refuse("53100") // disk
	require.ErrorIs(t, db.Writable(t.Context()), postgres.ErrDiskFull)

	between := "?"
	if strings.Contains(dsn, "?") {
		between = "&"
	}
	standby := pgtest.Open(t, dsn+between+"default_transaction_read_only=on")
	require.ErrorIs(t, standby.Writable(t.Context()), postgres.ErrReadOnly)
	standby.Pool.Close()
	err := standby.Writable(t.Context())
	require.Error(t, err)
	require.NotErrorIs(t, err, postgres.ErrReadOnly)
}

// TestWritableWithoutConnections: a server that refuses connections because it has too many is not one that does not answer.
func TestWritableWithoutConnections(t *testing.T) {
	t.Parallel()
	dsn := pgtest.EmptyURL(t)
	admin := pgtest.Open(t, dsn)
	role := "crowded_" + id.New(time.Now())
	exec(t, admin, `CREATE ROLE `+role+` LOGIN PASSWORD 'p'`)
	t.Cleanup(func() { _, _ = admin.Pool.Exec(context.Background(), `DROP ROLE `+role) })
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	query := u.Query()
	query.Set("user", role)
	query.Set("password", "p")
	u.RawQuery = query.Encode()
	db := pgtest.Open(t, u.String())
	require.NoError(t, db.Writable(t.Context()))
	exec(t, admin, `ALTER ROLE `+role+` CONNECTION LIMIT 0`)

	// A connection that is in use for a moment does: the answer does not depend on the moment of the question.
	busy, err := db.Pool.Acquire(t.Context())
	require.NoError(t, err)
	for _, idle := range db.Pool.AcquireAllIdle(t.Context()) {
		require.NoError(t, idle.Conn().Close(t.Context()))
		idle.Release()
	}
	given := time.AfterFunc(10*time.Millisecond, busy.Release)
	defer func() {
		if given.Stop() {
			busy.Release()
		}
	}()
	require.NoError(t, db.Writable(t.Context()))

	db.Pool.Reset()
	require.ErrorIs(t, db.Writable(t.Context()), postgres.ErrCrowded)

	exec(t, admin, `ALTER ROLE `+role+` NOLOGIN CONNECTION LIMIT -1`) // as with another password, where one is asked for
	require.ErrorIs(t, db.Writable(t.Context()), postgres.ErrLogIn)
}

// After a fail-over by an address that moves, open connections lead to the standby that the address led to before.
func TestConnectionsToAStandbyAreReplaced(t *testing.T) {
	t.Parallel()
	dsn := pgtest.EmptyURL(t)
	primary := pgtest.Open(t, dsn)
	set := func(change string) {
		_, err := primary.Pool.Exec(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I `+change+`', current_database()); END $$`)
		require.NoError(t, err)
	}
	const write = `CREATE TABLE IF NOT EXISTS written (n int)`
	set("SET default_transaction_read_only = on")
	writes, asks := pgtest.Open(t, dsn), pgtest.Open(t, dsn)
	for _, db := range []*postgres.DB{writes, asks} {
		require.NoError(t, db.Pool.Ping(t.Context()))
		require.NoError(t, db.SQL.PingContext(t.Context()))
	}
	set("RESET default_transaction_read_only") // for new connections, as when the address leads elsewhere

	_, err := writes.Pool.Exec(t.Context(), write)
	require.Equal(t, "25006", postgres.Code(err))
	require.ErrorIs(t, asks.Writable(t.Context()), postgres.ErrReadOnly)
	for _, db := range []*postgres.DB{writes, asks} {
		require.NoError(t, db.Writable(t.Context()))
		_, err := db.Pool.Exec(t.Context(), write)
		require.NoError(t, err)
		_, err = db.SQL.ExecContext(t.Context(), write)
		require.NoError(t, err)
	}
}
