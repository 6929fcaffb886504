package postgres

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/carillon/carillon/internal/fault"
)

// The codes of servers' errors by which rows of an organization refuse to be written (pgmove).
const (
	CodeMoving = "CM001" // it is being moved to another cell
	CodeMoved  = "CM002" // it has moved; the detail says where
)

// movingSeconds is after how long a caller asks again whose organization is being moved.
const movingSeconds = 5

// Moving is what callers hear of an organization that is being moved to another cell: nothing was done, and the same request is
// right a little later.
func Moving(cause error) error {
	return &fault.Error{
		Kind: fault.Unavailable, Code: "ORGANIZATION_MOVING", Message: "The organization is being moved to another cell. Retry later.",
		Details: map[string]any{fault.RetryAfter: movingSeconds}, Cause: cause,
	}
}

// Moved is what the old cell answers for an organization that lives in another one now.
func Moved(to string, cause error) error {
	return &fault.Error{
		Kind: fault.Unauthenticated, Code: "ORGANIZATION_MOVED",
		Message: "The organization has moved to " + to + ". Send its requests there.", Cause: cause,
	}
}

// IsMove reports whether a row refused to be written because its organization is being moved, or has moved.
func IsMove(err error) bool {
	code := Code(err)
	return code == CodeMoving || code == CodeMoved
}

// ofMove is the failure of IsMove; nil for any other.
func ofMove(err error) error {
	var pg *pgconn.PgError
	switch {
	case !errors.As(err, &pg):
		return nil
	case pg.Code == CodeMoving:
		return Moving(err)
	case pg.Code == CodeMoved:
		return Moved(pg.Detail, err)
	}
	return nil
}
