package postgres_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
