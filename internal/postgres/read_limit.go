package postgres

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"sync/atomic"

	entsql "entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/internal/fault"
)

type readLimitKey struct{}

// readLimit is what may still be read under one context.
type readLimit struct {
	bytes int64
	left  atomic.Int64
}

// WithReadLimit bounds the bytes of texts and JSON that ent reads under a context, all queries together. A short question can ask for any
// number of long records, which are in memory until it is answered.
func WithReadLimit(ctx context.Context, bytes int64) context.Context {
	limit := &readLimit{bytes: bytes}
	limit.left.Store(bytes)
	return context.WithValue(ctx, readLimitKey{}, limit)
}

// spend takes what was scanned from what may still be read.
func (l *readLimit) spend(scanned []any) error {
	size := 0
	for _, value := range scanned {
		switch v := value.(type) {
		case *[]byte:
			size += len(*v)
		case *stdsql.NullString:
			size += len(v.String)
		}
	}
	if l.left.Add(-int64(size)) < 0 {
		return &fault.Error{Kind: fault.TooLarge, Message: fmt.Sprintf("More than %d MiB would have to be read: ask for smaller pages, or for less at once.", l.bytes>>20)}
	}
	return nil
}

// limitedDriver is ent's way to the database, with the limits of contexts.
type limitedDriver struct{ *entsql.Driver }

// Query runs a query whose rows count.
func (d limitedDriver) Query(ctx context.Context, query string, args, v any) error {
	if err := d.Driver.Query(ctx, query, args, v); err != nil {
		return err
	}
	limit, limited := ctx.Value(readLimitKey{}).(*readLimit)
	if rows, ok := v.(*entsql.Rows); ok && limited {
		rows.ColumnScanner = limitedRows{rows.ColumnScanner, limit}
	}
	return nil
}

type limitedRows struct {
	entsql.ColumnScanner
	limit *readLimit
}

// Scan reads a row.
func (r limitedRows) Scan(into ...any) error {
	if err := r.ColumnScanner.Scan(into...); err != nil {
		return err
	}
	return r.limit.spend(into)
}
