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
	db := pgtest.Open(t, databaseWith(t, "default_transaction_isolation = serializable"))
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
	url := databaseWith(t, "random_page_cost = 4", "jit = on")
	require.Equal(t, [2]string{"1.1", "1.1"}, shown(t, url, "random_page_cost"))
	require.Equal(t, [2]string{"off", "off"}, shown(t, url, "jit"))
	require.Equal(t, [2]string{"2", "2"}, shown(t, with(url, "random_page_cost=2"), "random_page_cost"))
}

// TestIdleSessions: a bound that the administrator sets for idle sessions ends none that a pool keeps; one of the connection string does.
func TestIdleSessions(t *testing.T) {
	t.Parallel()
	url := databaseWith(t, "idle_session_timeout = 1000")
	require.Equal(t, [2]string{"0", "0"}, shown(t, url, "idle_session_timeout"))
	require.Equal(t, [2]string{"9s", "9s"}, shown(t, with(url, "idle_session_timeout=9000"), "idle_session_timeout"))
}

// databaseWith is the address of a database for which the administrator has set something.
func databaseWith(t *testing.T, settings ...string) (url string) {
	t.Helper()
	url = pgtest.NewURL(t)
	db := pgtest.Open(t, url)
	for _, setting := range settings {
		_, err := db.Pool.Exec(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET `+setting+`', current_database()); END $$`)
		require.NoError(t, err)
	}
	return url
}

// shown is a setting as the hot path and lists have it.
func shown(t *testing.T, url, setting string) (values [2]string) {
	t.Helper()
	db := pgtest.Open(t, url)
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SHOW `+setting).Scan(&values[0]))
	require.NoError(t, db.SQL.QueryRowContext(t.Context(), `SHOW `+setting).Scan(&values[1]))
	return values
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
