package postgres

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
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
	SQL    string // makes it
}

// schemaIndexes are the indexes that the migrations make.
var schemaIndexes = sync.OnceValue(func() []Index {
	var all []Index
	for line := range strings.Lines(indexesSQL) {
		made, rest, _ := strings.Cut(strings.TrimSpace(line), " INDEX ")
		name, _, _ := strings.Cut(rest, " ")
		all = append(all, Index{Name: name, Unique: made == "CREATE UNIQUE", SQL: strings.TrimSpace(line)})
	}
	return all
})

// MissingIndexes returns the indexes of the schema that the database does not have, or has and cannot use, as after a restore that was
// not finished or a REINDEX that failed.
func (db *DB) MissingIndexes(ctx context.Context) ([]Index, error) {
	rows, err := db.Pool.Query(ctx, `SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE pg_table_is_visible(c.oid) AND i.indisvalid AND i.indisready`)
	there, err := Collect(rows, err, "look for indexes", pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	slices.Sort(there)
	return slices.DeleteFunc(slices.Clone(schemaIndexes()), func(i Index) bool {
		_, found := slices.BinarySearch(there, i.Name)
		return found
	}), nil
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
