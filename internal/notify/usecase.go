package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// setIf applies a field of an update that is given, and notes it for the audit.
func setIf[V, B any](changes map[string]any, name string, value *V, set func(V) B) {
	if value != nil {
		set(*value)
		changes[name] = *value
	}
}

// stamp is the time of a change as the database keeps it: whole microseconds.
func (b base) stamp() time.Time { return b.now().UTC().Truncate(time.Microsecond) }

// source is where SQL of internal/postgres reads from: the transaction that ctx runs in, else the pool.
func (b base) source(ctx context.Context) querier {
	if tx, ok := postgres.TxFromContext(ctx); ok {
		return tx.Pgx
	}
	return b.db.Pool
}

// base is what every noun's use cases share.
type base struct {
	db   *postgres.DB
	now  func() time.Time
	live *realtime.Hub // nil: nobody watches
}

// errNoHub is why nothing can be watched where no hub was configured.
var errNoHub = errors.New("no hub")

// tell says that what can be watched has changed, once the transaction that ctx runs in has committed.
func (b base) tell(ctx context.Context, topic realtime.Topic) {
	if b.live != nil {
		postgres.AfterCommit(ctx, func() { b.live.Tell(topic) })
	}
}

// accessChanged has the environment's open connections judged anew: a credential may have ended.
func (b base) accessChanged(ctx context.Context) {
	v, _ := viewer.FromContext(ctx)
	b.tell(ctx, realtime.Access(v.EnvironmentID))
}

// accessOfChanged does the same wherever a person is logged in, in whichever environment that is.
func (b base) accessOfChanged(ctx context.Context, db *ent.Client, userID string) error {
	var environments []string
	err := db.Session.Query().Where(session.UserID(userID), session.RevokedAtIsNil(), session.ExpiresAtGT(b.stamp())).
		Unique(true).Select(session.FieldEnvironmentID).Scan(viewer.SystemContext(ctx), &environments)
	if err != nil {
		return fmt.Errorf("log-ins of a person: %w", err)
	}
	for _, environmentID := range environments {
		b.tell(ctx, realtime.Access(environmentID))
	}
	return nil
}

// read runs a read-only use case for a viewer who meets a need.
func read[T any](ctx context.Context, b base, need Need, fn func(ctx context.Context, db *ent.Client) (T, error)) (T, error) {
	if _, err := authorize(ctx, need); err != nil {
		return *new(T), err
	}
	out, err := fn(ctx, b.db.Client(ctx))
	return out, postgres.Translate(err)
}

// write runs a use case in one transaction, for a viewer who meets a need. A use case called from another one joins the
// transaction that is there.
func write[T any](ctx context.Context, b base, need Need, fn func(ctx context.Context, db *ent.Client) (T, error)) (T, error) {
	if _, err := authorize(ctx, need); err != nil {
		return *new(T), err
	}
	var out T
	err := b.db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		var err error
		out, err = fn(ctx, tx.Ent)
		return err
	})
	return out, postgres.Translate(err)
}

// audit records who changed what, in the transaction of the change.
func audit(ctx context.Context, db *ent.Client, action string, record ent.Node, changes map[string]any) error {
	typ, recordID, _ := splitGlobal(record.GlobalID())
	e := auditEntry(ctx, action, typ, recordID, changes)
	err := db.AuditEntry.Create().SetActorType(e.ActorType).SetActorID(e.ActorID).SetAction(e.Action).
		SetRecordType(e.RecordType).SetRecordID(e.RecordID).SetChanges(e.Changes).SetOrganizationID(e.OrganizationID).SetActorName(e.ActorName).SetAddress(e.Address).Exec(ctx)
	if err != nil {
		return fmt.Errorf("audit %s %s: %w", action, typ, err)
	}
	return nil
}

// auditEntry tells that the viewer changes a record now.
func auditEntry(ctx context.Context, action, recordType, recordID string, changes map[string]any) postgres.AuditEntry {
	v, _ := viewer.FromContext(ctx)
	e := postgres.AuditEntry{
		Scope: v.Scope, ActorType: "user", ActorID: v.UserID, Action: action, RecordType: recordType, RecordID: recordID,
		Changes: changes, At: recordTime(), ActorName: v.Name, Address: viewer.Address(ctx),
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

// recordTime is the present for the timestamps of records: real time, in what the database keeps of it.
func recordTime() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// notFound turns ent's not-found into ours, which names the thing in the caller's words.
func notFound(err error, format string, args ...any) error {
	if ent.IsNotFound(err) {
		return fault.NotFoundf(format, args...)
	}
	return err
}

// taken turns a violated unique key into a conflict in the caller's words.
func taken(err error, format string, args ...any) error {
	if ent.IsConstraintError(err) {
		return fault.Conflictf("ALREADY_EXISTS", format, args...)
	}
	return err
}

// setOrClear applies a field of an update: absent leaves it, null clears it, a value sets it.
func setOrClear[V, B any](field graphql.Omittable[*V], set func(V) B, unset func() B) {
	switch value, given := field.ValueOK(); {
	case !given:
	case value == nil:
		unset()
	default:
		set(*value)
	}
}

func (b base) newID() id.ID { return id.New(b.now()) }
