package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/bulk"
)

// Selected lists the columns of a table under its alias.
func Selected(alias string, names []string) string {
	return alias + `."` + strings.Join(names, `", `+alias+`."`) + `"`
}

// Into reads all rows into dst, by the names of their columns.
func Into[T any](dst *[]*T) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*dst, err = pgx.CollectRows(rows, pgx.RowToAddrOfStructByNameLax[T])
		return err
	}
}

// One reads the first row, if there is any, into dst.
func One[T any](dst **T) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		all, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByNameLax[T])
		if len(all) > 0 {
			*dst = all[0]
		}
		return err
	}
}

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// Collect reads all rows of a query with scan.
func Collect[T any](rows pgx.Rows, err error, what string, scan pgx.RowToFunc[T]) ([]T, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	list, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return list, nil
}

// JSONOr is v as JSON text, or otherwise when v is nil or empty.
func JSONOr(v any, otherwise string) string {
	if text := bulk.JSONText(v); text != nil {
		return *text
	}
	return otherwise
}

// JSONList is the JSON text of a list of strings; never null.
func JSONList(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	text, _ := json.Marshal(list) // strings always marshal
	return string(text)
}

// Reader is where single queries read from: the pool, a connection or a transaction.
type Reader interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}
