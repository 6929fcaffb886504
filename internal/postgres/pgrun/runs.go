// Package pgrun stores runs of workflows, with their digest windows and throttles, and loads what a batch of runs is
// planned with.
package pgrun

import (
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/workflow"
)

// NotificationRow is a run as the engine keeps it.
type NotificationRow struct {
	ID            string
	EnvironmentID string
	CreatedAt     time.Time
	ContextKeys   []string
	Scope         string
	EventID       string
	TransactionID string
	WorkflowID    string
	VersionID     string
	SubscriberID  string // internal id
	TenantID      string
	Status        workflow.RunStatus
	Position      int
	State         json.RawMessage // nil: nothing
	Topics        []string
	Trace         []workflow.TraceEntry // when written: what is new
	DueAt         *time.Time
	FinishedAt    *time.Time
	Failures      int
	DigestID      string // the window that its event is in
	Lane          string // when it is new: its event's
}

var insertNotifications = bulk.Insert("notifications", bulk.Columns[NotificationRow]{
	bulk.Field("id", func(n *NotificationRow) *string { return &n.ID }),
	bulk.Field("created_at", func(n *NotificationRow) *time.Time { return &n.CreatedAt }),
	bulk.Field("environment_id", func(n *NotificationRow) *string { return &n.EnvironmentID }),
	bulk.List("context_keys", func(n *NotificationRow) *[]string { return &n.ContextKeys }),
	bulk.Field("scope", func(n *NotificationRow) *string { return &n.Scope }),
	bulk.Field("event_id", func(n *NotificationRow) *string { return &n.EventID }),
	bulk.Field("transaction_id", func(n *NotificationRow) *string { return &n.TransactionID }),
	bulk.Field("workflow_id", func(n *NotificationRow) *string { return &n.WorkflowID }),
	bulk.Field("workflow_version_id", func(n *NotificationRow) *string { return &n.VersionID }),
	bulk.Field("subscriber_id", func(n *NotificationRow) *string { return &n.SubscriberID }),
	bulk.Optional("tenant_id", func(n *NotificationRow) *string { return &n.TenantID }),
	bulk.Text("status", func(n *NotificationRow) *workflow.RunStatus { return &n.Status }),
	bulk.Field("position", func(n *NotificationRow) *int { return &n.Position }),
	bulk.JSON("state", func(n *NotificationRow) *json.RawMessage { return &n.State }),
	bulk.JSON("topics", func(n *NotificationRow) *[]string { return &n.Topics }),
	bulk.List("trace", func(n *NotificationRow) *[]workflow.TraceEntry { return &n.Trace }),
	bulk.Field("due_at", func(n *NotificationRow) **time.Time { return &n.DueAt }),
	bulk.Field("finished_at", func(n *NotificationRow) **time.Time { return &n.FinishedAt }),
	bulk.Optional("digest_id", func(n *NotificationRow) *string { return &n.DigestID }),
	bulk.Field("lane", func(n *NotificationRow) *string { return &n.Lane }),
}).Set("updated_at", "u.created_at").With("")

// InsertNotifications queues new runs. One that is there already (same event, same subscriber) fails the transaction: its messages would be
// counted and sent once more. That cannot happen while an event is fanned out under its lock.
func InsertNotifications(b *pgx.Batch, runs []NotificationRow) {
	if len(runs) == 0 {
		return
	}
	insertNotifications.Queue(b, runs)
}

var updateNotifications = bulk.New(`UPDATE notifications n SET workflow_version_id = u.workflow_version_id, status = u.status, position = u.position,
	state = u.state::jsonb, trace = CASE WHEN u.repeats THEN `+Folded("n.trace || u.trace::jsonb")+` ELSE n.trace || u.trace::jsonb END,
	due_at = u.due_at, finished_at = u.finished_at, digest_id = u.digest_id, failures = 0, updated_at = now()
FROM {rows} WHERE n.id = u.id AND n.environment_id = u.environment_id`,
	append(insertNotifications.Columns.Pick("environment_id", "id", "workflow_version_id", "status", "position", "state", "trace",
		"due_at", "finished_at", "digest_id"),
		bulk.Value("repeats", func(n *NotificationRow) bool { return Repeats(n.Trace) })))

// UpdateNotifications queues the next stage of runs that the transaction holds.
func UpdateNotifications(b *pgx.Batch, runs []NotificationRow) {
	if len(runs) == 0 {
		return
	}
	updateNotifications.Queue(b, runs)
}
