package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"io/fs"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
)

// Translate gives an error of ent, pgx or database/sql its kind, so that the doors answer it rightly. An error that is
// already classified and one that says nothing about the caller or the server come back as they are: the latter are ours.
func Translate(err error) error {
	var known *fault.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	if moved := ofMove(err); moved != nil {
		return moved
	}
	switch kind, message, field := classify(err); kind {
	case fault.Internal:
		return err
	case fault.Invalid:
		return &fault.Error{Kind: kind, Message: fault.ValidationMessage, Fields: []fault.Field{{Path: field, Message: message}}, Cause: err}
	default:
		return &fault.Error{Kind: kind, Message: message, Cause: err}
	}
}

// IsUniqueViolation reports whether a unique key of one of the named constraints (any, when none is named) is taken.
func IsUniqueViolation(err error, constraints ...string) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "23505" {
		return false
	}
	return len(constraints) == 0 || slices.Contains(constraints, pg.ConstraintName)
}

// IsLocked reports whether a statement gave up waiting for a lock of another transaction. Nothing of its own transaction has happened.
func IsLocked(err error) bool { return Code(err) == lockTimeout }

// UnstorableText is the message of a text that no column takes. The server names neither the column nor the value.
const UnstorableText = "must be valid UTF-8 without the character U+0000"

// How the server ends a statement, for the sake of another transaction or because it was asked to (PostgreSQL, appendix A).
const (
	serialization = "40001"
	deadlock      = "40P01"
	lockTimeout   = "55P03"
	queryCanceled = "57014"
)

const awayMessage = "The database is not available right now. Retry later."

func classify(err error) (kind fault.Kind, message, field string) {
	var notFound *ent.NotFoundError
	var invalid *ent.ValidationError
	switch {
	case errors.As(err, &notFound):
		return fault.NotFound, strings.TrimPrefix(notFound.Error(), "ent: "), ""
	case errors.Is(err, pgx.ErrNoRows), errors.Is(err, sql.ErrNoRows):
		return fault.NotFound, "not found", ""
	case errors.As(err, &invalid):
		return fault.Invalid, strings.TrimPrefix(errors.Unwrap(invalid).Error(), "ent: "), invalid.Name
	case away(err):
		return fault.Unavailable, awayMessage, ""
	}
	return classifyCode(err)
}

// classifyCode reads the server's own code (PostgreSQL, appendix A). What is not named is our mistake.
func classifyCode(err error) (kind fault.Kind, message, field string) {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return fault.Internal, "", ""
	}
	switch pg.Code {
	case "23505":
		return fault.Conflict, "a record with the same key exists already", ""
	case "23503":
		return fault.Invalid, "refers to a record that does not exist", offender(pg)
	case "23514":
		return fault.Invalid, "is outside of what is allowed", offender(pg)
	case "22021", "22P05": // bytes that no text column takes, U+0000 above all
		return fault.Invalid, UnstorableText, offender(pg)
	case "25006", // a standby: the primary is moving
		"25P03", "25P04": // the connection was ended for a transaction that was idle, or lasted, for too long: nothing of it has happened
		return fault.Unavailable, awayMessage, ""
	case serialization, deadlock, lockTimeout:
		return fault.Unavailable, "Too many changes of the same records at once. Retry later.", ""
	}
	switch pg.Code[:2] {
	case "08", "53", "57":
		return fault.Unavailable, awayMessage, ""
	}
	return fault.Internal, "", ""
}

func offender(pg *pgconn.PgError) string {
	if pg.ColumnName != "" {
		return pg.ColumnName
	}
	return "general"
}

// away reports whether no answer came: the connection broke or could not be made, the pool is closed or exhausted, time ran
// out, or we are stopping.
func away(err error) bool {
	var file *fs.PathError
	if errors.As(err, &file) {
		return false // the numbers of errors of files are network errors, too
	}
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &connect) || errors.As(err, &network) {
		return true
	}
	for _, sign := range []error{
		context.Canceled, context.DeadlineExceeded, puddle.ErrClosedPool, puddle.ErrNotAvailable,
		io.ErrUnexpectedEOF, io.EOF, net.ErrClosed, driver.ErrBadConn, sql.ErrConnDone, errAlone,
	} {
		if errors.Is(err, sign) {
			return true
		}
	}
	return pgconn.SafeToRetry(err)
}

// Stopped reports whether err came of ctx, which was cancelled: the statement was not begun, the server was asked to
// cancel it and says no more than that it did, or the connection of its transaction was taken away for that.
func Stopped(ctx context.Context, err error) bool {
	return errors.Is(ctx.Err(), context.Canceled) &&
		(errors.Is(err, context.Canceled) || errors.Is(err, driver.ErrBadConn) || Code(err) == queryCanceled)
}

// Code is the SQLSTATE of a server's error; "" for any other.
func Code(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}

// RefusesValue reports whether the server cannot hold a value, however often it is asked: a data exception (class 22), or a limit of its
// own, such as a text that is too long for an index (class 54).
func RefusesValue(err error) bool {
	code := Code(err)
	return strings.HasPrefix(code, "22") || strings.HasPrefix(code, "54")
}
