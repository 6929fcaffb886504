package pgbackup_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgbackup"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestTablesBehindAnEmptySchema: tables are found where they are, not in the schema that new ones would be made in.
func TestTablesBehindAnEmptySchema(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	_, err := pgtest.Open(t, url).Pool.Exec(t.Context(), `CREATE SCHEMA another;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = another, public', current_database()); END $$`)
	require.NoError(t, err)
	require.NoError(t, pgx.BeginFunc(t.Context(), pgtest.Open(t, url).Pool, func(tx pgx.Tx) error {
		tables, err := pgbackup.Tables(t.Context(), tx)
		require.Greater(t, len(tables), 40)
		return err
	}))
}
