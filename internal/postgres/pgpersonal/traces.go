package pgpersonal

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Trace is a column in which values are found that should have been erased.
type Trace struct {
	Table  string `json:"table"`
	Column string `json:"column"`
	Rows   int64  `json:"rows"`
	// Shared is set for tables that belong to no environment, such as users: what is found there was not the environment's.
	Shared bool `json:"shared,omitempty"`
}

// Search is what was searched, and what was found.
type Search struct {
	Tables, Columns int
	Traces          []Trace
}

// column is one column of a table as the catalogue describes it.
type column struct {
	Table, Name string
	Binary      bool
	Environment bool // the table has a column environment_id
}

// readColumns are all columns of the installation's tables, whatever they are called, so that a table added later is searched.
const readColumns = `SELECT c.table_name::text, c.column_name::text, c.data_type = 'bytea',
	EXISTS (SELECT FROM information_schema.columns e WHERE e.table_schema = c.table_schema AND e.table_name = c.table_name AND e.column_name = 'environment_id')
FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
WHERE c.table_schema = (SELECT n.nspname FROM pg_namespace n JOIN pg_class k ON k.relnamespace = n.oid WHERE k.oid = 'carillon_migrations'::regclass)
	AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
ORDER BY 1, c.ordinal_position`

// patience bounds the search of one table; it reads every row.
const patience = `SET LOCAL statement_timeout = '1h'`

// FindTraces looks for values as whole words, in any case, in every column of every table: in the rows of an environment, and in
// the tables that belong to none. It reads one table after another, whole, in a transaction that sees one moment. What is stored
// encrypted cannot be searched.
func FindTraces(ctx context.Context, db *postgres.DB, scope viewer.Scope, values []string) (*Search, error) {
	search := &Search{Traces: []Trace{}}
	err := pgx.BeginTxFunc(ctx, db.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, patience); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, readColumns)
		all, err := postgres.Collect(rows, err, "read the tables", pgx.RowToStructByPos[column])
		if err != nil {
			return err
		}
		for len(all) > 0 {
			n := 1
			for n < len(all) && all[n].Table == all[0].Table {
				n++
			}
			if err := search.table(ctx, tx, scope, all[:n], wholeWords(values)); err != nil {
				return fmt.Errorf("search %s: %w", all[0].Table, err)
			}
			all = all[n:]
		}
		return nil
	})
	return search, err
}

// table counts, for each column of a table, the rows whose text the pattern matches.
func (s *Search) table(ctx context.Context, tx pgx.Tx, scope viewer.Scope, columns []column, pattern string) error {
	counts := make([]string, len(columns))
	for i, c := range columns {
		text := pgx.Identifier{c.Name}.Sanitize() + `::text`
		if c.Binary {
			text = `encode(` + pgx.Identifier{c.Name}.Sanitize() + `, 'escape')`
		}
		counts[i] = `count(*) FILTER (WHERE ` + text + ` ~* $1)`
	}
	query, args := `SELECT ARRAY[`+strings.Join(counts, ", ")+`] FROM `+pgx.Identifier{columns[0].Table}.Sanitize(), []any{pattern}
	if columns[0].Environment {
		query, args = query+` WHERE environment_id = $2`, append(args, scope.EnvironmentID)
	}
	var found []int64
	if err := tx.QueryRow(ctx, query, args...).Scan(&found); err != nil {
		return err
	}
	s.Tables, s.Columns = s.Tables+1, s.Columns+len(columns)
	for i, rows := range found {
		if rows > 0 {
			s.Traces = append(s.Traces, Trace{Table: columns[i].Table, Column: columns[i].Name, Rows: rows, Shared: !columns[i].Environment})
		}
	}
	return nil
}

// wholeWords is a pattern of values that no letter or digit precedes or follows, as they are and as JSON writes them: an
// identifier such as "ada" is not found in "Canada".
func wholeWords(values []string) string {
	var patterns []string
	for _, value := range values {
		patterns = append(patterns, regexp.QuoteMeta(value))
		if quoted := inJSON(value); quoted != value {
			patterns = append(patterns, regexp.QuoteMeta(quoted))
		}
	}
	return `(^|[^[:alnum:]])(` + strings.Join(patterns, "|") + `)([^[:alnum:]]|$)`
}
