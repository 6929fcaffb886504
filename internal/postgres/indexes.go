package postgres

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
)

// indexesSQL are the statements that make the indexes of the schema, one a line, in the order of their names. TestIndexes writes it.
//
//go:embed indexes.sql
var indexesSQL string

// ErrIndexes says that unique indexes of the schema are missing, on which correctness rests: without them a transactionId that is used
// twice is two events.
var ErrIndexes = errors.New("unique indexes of the schema are missing or not valid")

// Index is an index of the schema.
type Index struct {
	Name   string
	Unique bool
	SQL    string // makes it, or makes the one that cannot be used anew
}

// schemaIndexes are the indexes that the migrations make.
var schemaIndexes = sync.OnceValue(func() []Index {
	var all []Index
	for line := range strings.Lines(indexesSQL) {
		made, rest, _ := strings.Cut(strings.TrimSpace(line), " INDEX ")
		name, _, _ := strings.Cut(rest, " ")
		all = append(all, Index{Name: name, Unique: made == "CREATE UNIQUE", SQL: makesIndex(name, strings.TrimSpace(line))})
	}
	return all
})

// makesIndex is the statement of a line that makes an index. A primary key is made as the constraint that it is: a unique index alone
// would be no key to logical replication, and foreign keys would not find it.
func makesIndex(name, line string) string {
	table, columns, found := strings.Cut(line, " USING btree ")
	if !found || !strings.HasSuffix(name, "_pkey") {
		return line
	}
	return "ALTER TABLE " + strings.TrimPrefix(table, "CREATE UNIQUE INDEX "+name+" ON ") + " ADD CONSTRAINT " + name + " PRIMARY KEY " + columns
}

// MissingIndexes returns the indexes of the schema that the database does not have, or has and cannot use, as after a restore that was
// not finished or a REINDEX that failed.
func (db *DB) MissingIndexes(ctx context.Context) ([]Index, error) {
	rows, err := db.Pool.Query(ctx, `SELECT c.relname::text AS name, i.indisvalid AND i.indisready AS usable FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid WHERE pg_table_is_visible(c.oid)`)
	type found struct {
		Name   string
		Usable bool
	}
	list, err := Collect(rows, err, "look for indexes", pgx.RowToStructByName[found])
	if err != nil {
		return nil, err
	}
	usable := make(map[string]bool, len(list))
	for _, i := range list {
		usable[i.Name] = i.Usable
	}
	var missing []Index
	for _, i := range schemaIndexes() {
		switch usable, there := usable[i.Name]; {
		case usable:
			continue
		case there: // that of a constraint cannot be dropped, and it may be what foreign keys refer to
			i.SQL = "REINDEX INDEX " + i.Name
		}
		missing = append(missing, i)
	}
	return missing, nil
}

// RequireIndexes returns an ErrIndexes that names the unique indexes which are missing.
func (db *DB) RequireIndexes(ctx context.Context) error {
	missing, err := db.MissingIndexes(ctx)
	if err != nil {
		return err
	}
	var names []string
	for _, i := range missing {
		if i.Unique {
			names = append(names, i.Name)
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("%w: %s; `carillon doctor` prints the statements that make them", ErrIndexes, strings.Join(names, ", "))
	}
	return nil
}
