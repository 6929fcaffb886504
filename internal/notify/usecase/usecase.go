// Package usecase holds what the use cases of all areas share: what they are built of, who may do what, transactions with
// their audit entries, pages of lists, checks of input, and look-ups.
package usecase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// SetIf applies a field of an update that is given, and notes it for the audit.
func SetIf[V, B any](changes map[string]any, name string, value *V, set func(V) B) {
	if value != nil {
		set(*value)
		changes[name] = *value
	}
}

// Stamp is the time of a change as the database keeps it: whole microseconds.
func (b Deps) Stamp() time.Time { return b.Now().UTC().Truncate(time.Microsecond) }

// Reader is where SQL of internal/postgres reads from: the transaction that ctx runs in, else the pool.
func (b Deps) Reader(ctx context.Context) querier {
	if tx, ok := postgres.TxFromContext(ctx); ok {
		return tx.Pgx
	}
	return b.DB.Pool
}

// Deps is what every noun's use cases share.
type Deps struct {
	DB   *postgres.DB
	Now  func() time.Time
	Live *realtime.Hub // nil: there are no live updates
	Cell auth.Cell     // that credentials made here name
}

// ErrNoHub is why nothing can be watched where no hub was configured.
var ErrNoHub = errors.New("no hub")

// Publish says that what can be watched has changed, once the transaction that ctx runs in has committed.
func (b Deps) Publish(ctx context.Context, topic realtime.Topic) {
	if b.Live != nil {
		postgres.AfterCommit(ctx, func() { b.Live.Publish(topic) })
	}
}

// AccessChanged has the environment's open connections checked again: a credential may have ended.
func (b Deps) AccessChanged(ctx context.Context) {
	v, _ := viewer.FromContext(ctx)
	b.Publish(ctx, realtime.Access(v.EnvironmentID))
}

// AccessOfChanged does the same wherever a person is logged in, in whichever environment that is.
func (b Deps) AccessOfChanged(ctx context.Context, db *ent.Client, userID string) error {
	var environments []string
	err := db.Session.Query().Where(session.UserID(userID), session.RevokedAtIsNil(), session.ExpiresAtGT(b.Stamp())).
		Unique(true).Select(session.FieldEnvironmentID).Scan(viewer.SystemContext(ctx), &environments)
	if err != nil {
		return fmt.Errorf("log-ins of a person: %w", err)
	}
	for _, environmentID := range environments {
		b.Publish(ctx, realtime.Access(environmentID))
	}
	return nil
}

// Read runs a read-only use case for a viewer who meets a need.
func Read[T any](ctx context.Context, b Deps, need Need, fn func(ctx context.Context, db *ent.Client) (T, error)) (T, error) {
	if _, err := Require(ctx, need); err != nil {
		return *new(T), err
	}
	out, err := fn(ctx, b.DB.Client(ctx))
	return out, postgres.Translate(err)
}

// Write runs a use case in one transaction, for a viewer who meets a need. A use case called from another one joins the
// transaction that is there. One that Postgres gives up in favour of another transaction, which took the same rows in another order, runs
// again, so fn leaves its input as it is.
func Write[T any](ctx context.Context, b Deps, need Need, fn func(ctx context.Context, db *ent.Client) (T, error)) (out T, err error) {
	err = postgres.Retry(ctx, func(ctx context.Context) error {
		out, err = WriteOnce(ctx, b, need, fn)
		return err
	})
	return out, err
}

// WriteOnce is Write for a use case that does not run again: to it, another transaction's change of the same rows is a conflict.
func WriteOnce[T any](ctx context.Context, b Deps, need Need, fn func(ctx context.Context, db *ent.Client) (T, error)) (T, error) {
	if _, err := Require(ctx, need); err != nil {
		return *new(T), err
	}
	var out T
	err := b.DB.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		var err error
		out, err = fn(ctx, tx.Ent)
		return err
	})
	return out, postgres.Translate(err)
}

// namedTries bounds how often WriteNamed looks for a free identifier. The second try finds what took the first one.
const namedTries = 3

// WriteNamed is Write for a use case that makes a record whose identifier is made from its name unless one is given. When another request
// takes that identifier at the same time, the use case runs again and finds another; inside an open transaction it cannot.
func WriteNamed[T any](ctx context.Context, b Deps, need Need, given *string, fn func(ctx context.Context, db *ent.Client) (T, error)) (T, error) {
	for try := 1; ; try++ {
		out, err := Write(ctx, b, need, fn)
		_, joined := postgres.TxFromContext(ctx)
		var taken *fault.Error
		if given != nil || joined || try == namedTries || !errors.As(err, &taken) || taken.Code != "ALREADY_EXISTS" {
			return out, err
		}
	}
}

// Audit records who changed what, in the transaction of the change.
func Audit(ctx context.Context, db *ent.Client, action string, record ent.Node, changes map[string]any) error {
	typ, recordID, _ := SplitGlobal(record.GlobalID())
	e := NewAuditEntry(ctx, action, typ, recordID, changes)
	err := db.AuditEntry.Create().SetActorType(e.ActorType).SetActorID(e.ActorID).SetAction(e.Action).
		SetRecordType(e.RecordType).SetRecordID(e.RecordID).SetChanges(e.Changes).SetOrganizationID(e.OrganizationID).SetActorName(e.ActorName).SetAddress(e.Address).Exec(ctx)
	if err != nil {
		return fmt.Errorf("audit %s %s: %w", action, typ, err)
	}
	return nil
}

// NewAuditEntry is the audit entry of the viewer changing a record now.
func NewAuditEntry(ctx context.Context, action, recordType, recordID string, changes map[string]any) postgres.AuditEntry {
	v, _ := viewer.FromContext(ctx)
	e := postgres.AuditEntry{
		Scope: v.Scope, ActorType: "user", ActorID: v.UserID, Action: action, RecordType: recordType, RecordID: recordID,
		Changes: changes, At: RecordTime(), ActorName: v.Name, Address: viewer.Address(ctx),
	}
	switch {
	case v.APIKeyID != "":
		e.ActorType, e.ActorID = "api_key", v.APIKeyID
	case v.OrganizationKeyID != "":
		e.ActorType, e.ActorID = "organization_key", v.OrganizationKeyID
	}
	if v.System() || e.ActorID == "" {
		e.ActorType = "system"
	}
	return e
}

// RecordTime is the present for the timestamps of records: real time, in what the database keeps of it.
func RecordTime() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// NotFound turns ent's not-found into ours, which names the thing in the caller's words.
func NotFound(err error, format string, args ...any) error {
	if ent.IsNotFound(err) {
		return fault.NotFoundf(format, args...)
	}
	return err
}

// AlreadyExists turns a violated unique key into a conflict in the caller's words.
func AlreadyExists(err error, format string, args ...any) error {
	if ent.IsConstraintError(err) {
		return fault.Conflictf("ALREADY_EXISTS", format, args...)
	}
	return err
}

// SetOrClear applies a field of an update: absent leaves it, null clears it, a value sets it.
func SetOrClear[V, B any](field graphql.Omittable[*V], set func(V) B, unset func() B) {
	switch value, given := field.ValueOK(); {
	case !given:
	case value == nil:
		unset()
	default:
		set(*value)
	}
}

// NewID is a fresh id, ordered by time.
func (b Deps) NewID() id.ID { return id.New(b.Now()) }
