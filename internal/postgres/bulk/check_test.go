package bulk_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// TestCheck: a batch fails when a condition does not hold for one of the rows, and what it does is undone.
func TestCheck(t *testing.T) {
	t.Parallel()
	db := pgtest.Open(t, pgtest.NewURL(t))
	_, err := db.Pool.Exec(t.Context(), `CREATE TABLE counted (name text, n int); CREATE TABLE written (); INSERT INTO counted VALUES ('a', 1), ('b', 2)`)
	require.NoError(t, err)
	type row struct {
		name string
		n    int
	}
	columns := bulk.Columns[row]{
		bulk.Field("name", func(r *row) *string { return &r.name }),
		bulk.Field("n", func(r *row) *int { return &r.n }),
	}
	counted := bulk.That(`(SELECT c.n FROM counted c WHERE c.name = u.name) = u.n`, columns)
	named := bulk.That(`length(u.name) = 1`, columns.Pick("name"))

	written := 0
	for name, c := range map[string]struct {
		counted, named []row
		fails          bool
	}{
		"Nothing":  {},
		"One":      {counted: []row{{"a", 1}}},
		"All":      {counted: []row{{"a", 1}, {"b", 2}}, named: []row{{name: "x"}}},
		"Another":  {counted: []row{{"a", 2}}, fails: true},
		"OneOfTwo": {counted: []row{{"a", 1}, {"b", 1}}, fails: true},
		"Missing":  {counted: []row{{"c", 1}}, fails: true},
		"Second":   {counted: []row{{"a", 1}}, named: []row{{name: "x"}, {name: "xy"}}, fails: true},
	} {
		check, batch := &bulk.Check{}, &pgx.Batch{}
		batch.Queue(`INSERT INTO written DEFAULT VALUES`)
		counted.Add(check, c.counted)
		named.Add(check, c.named)
		check.Set("lock_timeout", "7ms")
		check.Queue(batch)
		var timeout string
		batch.Queue(`SHOW lock_timeout`).QueryRow(func(row pgx.Row) error { return row.Scan(&timeout) })
		err := db.Pool.SendBatch(t.Context(), batch).Close()
		if failed := (*pgconn.PgError)(nil); c.fails {
			require.ErrorAs(t, err, &failed, name)
			require.Equal(t, "22012", failed.Code, name)
		} else {
			require.NoError(t, err, name)
			require.Equal(t, "7ms", timeout)
			written++
		}
	}
	var n int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM written`).Scan(&n))
	require.Equal(t, written, n)
}
