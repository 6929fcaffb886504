// Package pgfanout claims accepted events for their fan-out, and reads the subscribers whom they reach page by page.
package pgfanout

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// EventRow is an accepted event that waits for its fan-out.
type EventRow struct {
	ID             string
	EnvironmentID  string
	CreatedAt      time.Time
	ContextKeys    []string
	Scope          string
	TransactionID  string
	WorkflowID     string
	VersionID      string
	Kind           string // trigger or broadcast
	Payload        map[string]any
	Overrides      map[string]any
	Recipients     *workflow.Recipients
	Actor          *workflow.SubscriberInput
	ProfilesStored bool // the profiles of whom it names were stored with it
	TenantID       string
	Lane           string
	Checkpoint     *Checkpoint
	Notified       int
	Failures       int
	TraceParent    string
	PerSecond      *int // notifications that a streamed fan-out makes per second; nil: as many as it can

	Workflow        string // trigger identifier
	WorkflowActive  bool
	WorkflowDeleted bool
}

// Checkpoint is where a streamed fan-out continues. Broadcasts carry MaxSubscriberID and MaxEventID from their acceptance on:
// who came later, and is not named by an event up to the latter, is not reached.
type Checkpoint struct {
	MaxSubscriberID string `json:"max_subscriber_id,omitempty"`
	MaxEventID      string `json:"max_event_id,omitempty"`
	Named           string `json:"named,omitempty"` // event up to which recipients of earlier events are reached
	Late            bool   `json:"late,omitempty"`  // all up to MaxSubscriberID are reached
	After           string `json:"after,omitempty"` // internal id of the subscriber reached last
	Topic           int    `json:"topic,omitempty"` // position of the topic under way
	Started         bool   `json:"started,omitempty"`

	// How far it has come: subscribers and subscriptions, those to be looked at, counted up to PlannedLimit, and those that were.
	Planned  int        `json:"planned,omitempty"`
	Examined int        `json:"examined,omitempty"`
	Due      *time.Time `json:"due,omitempty"` // of a paced event: when the next page is to be made, by the environment's clock
}

// PlannedLimit is where the count of an event's recipients stops.
const PlannedLimit = 50_000

var waitingEvents = bulk.Columns[EventRow]{
	bulk.Field("id", func(e *EventRow) *string { return &e.ID }),
	bulk.Field("environment_id", func(e *EventRow) *string { return &e.EnvironmentID }),
	bulk.Field("created_at", func(e *EventRow) *time.Time { return &e.CreatedAt }),
	bulk.List("context_keys", func(e *EventRow) *[]string { return &e.ContextKeys }),
	bulk.Field("scope", func(e *EventRow) *string { return &e.Scope }),
	bulk.Field("transaction_id", func(e *EventRow) *string { return &e.TransactionID }),
	bulk.Field("workflow_id", func(e *EventRow) *string { return &e.WorkflowID }),
	bulk.Field("workflow_version_id", func(e *EventRow) *string { return &e.VersionID }),
	bulk.Field("kind", func(e *EventRow) *string { return &e.Kind }),
	bulk.JSON("payload", func(e *EventRow) *map[string]any { return &e.Payload }),
	bulk.JSON("overrides", func(e *EventRow) *map[string]any { return &e.Overrides }),
	bulk.JSON("recipients", func(e *EventRow) **workflow.Recipients { return &e.Recipients }),
	bulk.JSON("actor", func(e *EventRow) **workflow.SubscriberInput { return &e.Actor }),
	bulk.Field("profiles_stored", func(e *EventRow) *bool { return &e.ProfilesStored }),
	bulk.Optional("tenant_id", func(e *EventRow) *string { return &e.TenantID }),
	bulk.Field("lane", func(e *EventRow) *string { return &e.Lane }),
	bulk.JSON("checkpoint", func(e *EventRow) **Checkpoint { return &e.Checkpoint }),
	bulk.Field("notified", func(e *EventRow) *int { return &e.Notified }),
	bulk.Field("failures", func(e *EventRow) *int { return &e.Failures }),
	bulk.Optional("trace_parent", func(e *EventRow) *string { return &e.TraceParent }),
	bulk.Read("e.per_second", func(e *EventRow) any { return &e.PerSecond }),
	bulk.Read("coalesce(w.identifier, '')", func(e *EventRow) any { return &e.Workflow }),
	bulk.Read("coalesce(w.active, false)", func(e *EventRow) any { return &e.WorkflowActive }),
	bulk.Read("coalesce(w.deleted, true)", func(e *EventRow) any { return &e.WorkflowDeleted }),
}

var selectWaiting = `SELECT ` + waitingEvents.Select("e") + ` FROM events e LEFT JOIN workflows w ON w.id = e.workflow_id`

// ClaimEvents locks those of the named events that still wait for their fan-out and that no other worker holds. The lock
// is the claim: it ends with the transaction, also when the process dies.
// With virtual clocks, an event waits until its environment has come to the time of its acceptance, or of its next try.
func ClaimEvents(ctx context.Context, tx pgx.Tx, ids []string, at pgdue.Moment) ([]EventRow, error) {
	rows, err := tx.Query(ctx, claimEvents(at), ids)
	return waitingEvents.Collect(rows, err, "claim events")
}

func claimEvents(at pgdue.Moment) string {
	join, reached := "", ""
	if at.Virtual {
		join, reached = ` LEFT JOIN `+pgdue.FrozenClocks+` c ON c.id = e.environment_id`, ` AND `+pgdue.FansOutAt("e")+` <= coalesce(c.at, 'infinity')`
	}
	return selectWaiting + join + `
WHERE e.id = ANY($1) AND ` + pgdue.HasStatus("e.status", "accepted") + ` AND ` + pgdue.Open("e.due_at") + reached + ` ORDER BY e.id FOR UPDATE OF e SKIP LOCKED`
}

var claimDueEvents = selectWaiting + `
WHERE e.lane = $1 AND e.due_at <= $2 AND ` + pgdue.HasStatus("e.status", "accepted") + ` ORDER BY e.due_at LIMIT $3 FOR UPDATE OF e SKIP LOCKED`

// ClaimDueEvents is ClaimEvents for the oldest events of a lane that are overdue by real time, at most limit: those whose
// job was lost. Any number of workers and processes share them.
func ClaimDueEvents(ctx context.Context, tx pgx.Tx, lane string, now time.Time, limit int) ([]EventRow, error) {
	rows, err := tx.Query(ctx, claimDueEvents, lane, now, limit)
	return waitingEvents.Collect(rows, err, "claim overdue events")
}

// DueEventIDs are the ids of what ClaimDueEvents would claim, for when one of them cannot even be read.
func DueEventIDs(ctx context.Context, db *postgres.DB, lane string, now time.Time, limit int) ([]string, error) {
	rows, err := db.Pool.Query(ctx, `SELECT id FROM events WHERE lane = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3
FOR UPDATE SKIP LOCKED`, lane, now, limit)
	return postgres.Collect(rows, err, "look for overdue events", pgx.RowTo[string])
}

// LeaseEvents keeps claimed events to their worker beyond its transaction: until the lease ends they are not overdue.
func LeaseEvents(ctx context.Context, tx pgx.Tx, ids []string, lease time.Duration) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE events SET due_at = clock_timestamp() + $2::interval WHERE id = ANY($1) AND `+pgdue.Open("due_at"), ids, lease)
	if err != nil {
		return fmt.Errorf("lease events: %w", err)
	}
	return nil
}

// LoadEvents reads events without claiming them.
func LoadEvents(ctx context.Context, q postgres.Querier, ids []string) ([]EventRow, error) {
	rows, err := q.Query(ctx, selectWaiting+`
WHERE e.id = ANY($1)`, ids)
	return waitingEvents.Collect(rows, err, "load events")
}

// EventChange is the end of an event's fan-out, or of one page of it.
type EventChange struct {
	EnvironmentID string
	ID            string
	Status        string
	Checkpoint    *Checkpoint
	Notified      int // more of them
	Trace         []workflow.TraceEntry
	DueAt         *time.Time // nil: final
}

var changeEvents = bulk.New(`UPDATE events e SET status = u.status, checkpoint = u.checkpoint::jsonb, notified = e.notified + u.notified,
	trace = CASE WHEN u.trace IS NULL THEN e.trace ELSE coalesce(nullif(e.trace, 'null'), '[]') || u.trace::jsonb END,
	due_at = u.due_at, updated_at = now()
FROM {rows} WHERE e.id = u.id AND e.environment_id = u.environment_id`, bulk.Columns[EventChange]{
	bulk.Field("environment_id", func(e *EventChange) *string { return &e.EnvironmentID }),
	bulk.Field("id", func(e *EventChange) *string { return &e.ID }),
	bulk.Field("status", func(e *EventChange) *string { return &e.Status }),
	bulk.JSON("checkpoint", func(e *EventChange) **Checkpoint { return &e.Checkpoint }),
	bulk.Field("notified", func(e *EventChange) *int { return &e.Notified }),
	bulk.JSON("trace", func(e *EventChange) *[]workflow.TraceEntry { return &e.Trace }),
	bulk.Field("due_at", func(e *EventChange) **time.Time { return &e.DueAt }),
})

// ChangeEvents queues the changes of claimed events.
func ChangeEvents(b *pgx.Batch, changes []EventChange) {
	if len(changes) > 0 {
		changeEvents.Queue(b, changes)
	}
}

// Move is the move of a streamed event from one checkpoint to the next.
type Move struct {
	EnvironmentID, ID string
	From, To          Checkpoint
	Notified          int
	Last              bool          // ends the fan-out
	Lease             time.Duration // within which no waker looks after it, unless DueAt is set
	DueAt, RetryAt    *time.Time    // of a paced event: when the next page is due, in real time and by the environment's clock
}

// MoveEvent queues a move. moved hears whether the checkpoint was still the one it begins at, and no pause holds the event, and
// the pace of the event; its error undoes the transaction.
func MoveEvent(b *pgx.Batch, m *Move, moved func(moved bool, perSecond *int) error) {
	b.Queue(`UPDATE events SET checkpoint = $4::jsonb, notified = notified + $5, failures = 0, updated_at = now(),
	status = CASE WHEN $6 THEN 'fanned_out' ELSE status END,
	due_at = CASE WHEN $6 THEN NULL ELSE coalesce($8::timestamptz, clock_timestamp() + $7::interval) END, retry_at = coalesce($9::timestamptz, retry_at)
WHERE environment_id = $1 AND id = $2 AND status = 'accepted' AND checkpoint = $3::jsonb AND NOT `+pgdue.Far("due_at")+` RETURNING per_second`,
		m.EnvironmentID, m.ID, bulk.JSONText(m.From), bulk.JSONText(m.To), m.Notified, m.Last, m.Lease, m.DueAt, m.RetryAt).Query(func(rows pgx.Rows) error {
		list, err := pgx.CollectRows(rows, pgx.RowTo[*int])
		switch {
		case err != nil:
			return err
		case len(list) == 0:
			return moved(false, nil)
		}
		return moved(true, list[0])
	})
}

// FindTenant is the internal id of a tenant; "" when there is none.
func FindTenant(ctx context.Context, q postgres.Querier, environmentID, identifier string) (string, error) {
	rows, err := q.Query(ctx, `SELECT id FROM tenants WHERE environment_id = $1 AND identifier = $2`, environmentID, identifier)
	return first(rows, err, "find a tenant")
}

// WorkflowIdentifier is the trigger identifier of a workflow; "" when there is none.
func WorkflowIdentifier(ctx context.Context, q postgres.Querier, environmentID, id string) (string, error) {
	rows, err := q.Query(ctx, `SELECT identifier FROM workflows WHERE environment_id = $1 AND id = $2`, environmentID, id)
	return first(rows, err, "find a workflow")
}

func first(rows pgx.Rows, err error, what string) (string, error) {
	list, err := postgres.Collect(rows, err, what, pgx.RowTo[string])
	if len(list) == 0 {
		return "", err
	}
	return list[0], err
}
