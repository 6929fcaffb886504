package usecase

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// TxScope is what the functions of internal/postgres want: the transaction that ctx runs in and the viewer's scope. Only use
// cases inside write call it.
func TxScope(ctx context.Context) (pgx.Tx, viewer.Scope) {
	tx, _ := postgres.TxFromContext(ctx)
	v, _ := viewer.FromContext(ctx)
	return tx.Pgx, v.Scope
}

// SameJSON compares values by their JSON text, whose object members are sorted.
func SameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}
