package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestIsolation: what the administrator sets for the database does not change the isolation that transactions and single statements have.
func TestIsolation(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	const set = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database()); END $$`
	_, err := pgtest.Open(t, url).Pool.Exec(t.Context(), set)
	require.NoError(t, err)
	db := pgtest.Open(t, url)
	var one, list, tx string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SHOW transaction_isolation`).Scan(&one))
	require.NoError(t, db.SQL.QueryRowContext(t.Context(), `SHOW transaction_isolation`).Scan(&list))
	require.NoError(t, db.Tx(t.Context(), func(ctx context.Context, in *postgres.Tx) error {
		return in.Pgx.QueryRow(ctx, `SHOW transaction_isolation`).Scan(&tx)
	}))
	require.Equal(t, []string{"read committed", "read committed", "read committed"}, []string{one, list, tx})
}

// TestPlanning: lists and the hot path are planned alike, whatever the administrator sets for the database; the connection string counts.
func TestPlanning(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	const set = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 4', current_database());
	EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END $$`
	_, err := pgtest.Open(t, url).Pool.Exec(t.Context(), set)
	require.NoError(t, err)
	planned := func(url string) (settings [2]string) {
		db := pgtest.Open(t, url)
		const show = `SELECT current_setting('random_page_cost') || ' ' || current_setting('jit')`
		require.NoError(t, db.Pool.QueryRow(t.Context(), show).Scan(&settings[0]))
		require.NoError(t, db.SQL.QueryRowContext(t.Context(), show).Scan(&settings[1]))
		return settings
	}
	require.Equal(t, [2]string{"1.1 off", "1.1 off"}, planned(url))
	require.Equal(t, [2]string{"2 off", "2 off"}, planned(with(url, "random_page_cost=2")))
}

// with adds a setting to a connection string that is a URL.
func with(url, setting string) string {
	if strings.Contains(url, "?") {
		return url + "&" + setting
	}
	return url + "?" + setting
}

// TestSessionsOfLostMachines: the server is told when to take a machine for lost; what the connection string says about it counts.
func TestSessionsOfLostMachines(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	given := func(url string) string {
		var names string
		require.NoError(t, pgtest.Open(t, url).Pool.QueryRow(t.Context(),
			`SELECT string_agg(name || '=' || reset_val, ' ' ORDER BY name) FROM pg_settings WHERE name LIKE 'tcp%' AND source = 'client'`).Scan(&names))
		return names
	}
	require.Equal(t, "tcp_keepalives_count=4 tcp_keepalives_idle=20 tcp_keepalives_interval=5 tcp_user_timeout=40000", given(url))
	require.Contains(t, given(with(url, "tcp_keepalives_idle=90")), "tcp_keepalives_idle=90")
}
