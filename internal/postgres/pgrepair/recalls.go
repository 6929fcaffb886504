package pgrepair

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// reached is the condition on messages m that their provider has deleted, or is asked to delete.
const reached = `coalesce(m.envelope -> 'recall' ? 'done' OR m.envelope ? 'recall' AND m.due_at IS NOT NULL, false)`

// BeginRecalls makes the messages of runs due for their deletion whose providers delete what they have delivered (semantics.md
// §13.5), and returns how many there are. The caller has locked the runs.
func BeginRecalls(ctx context.Context, tx pgx.Tx, scope viewer.Scope, runs []string, at time.Time) (int, error) {
	tag, err := tx.Exec(ctx, `WITH chosen AS (SELECT m.id FROM messages m WHERE m.environment_id = $1 AND m.notification_id = ANY($2)
	AND m.channel <> 'in_app' AND m.status IN ('sent', 'warning') AND NOT `+pgdue.OpenMessage("m.")+` AND m.envelope ? 'receipt' AND NOT `+reached+` ORDER BY m.id FOR UPDATE)
UPDATE messages m SET envelope = m.envelope || jsonb_build_object('recall', jsonb_build_object('at', $3::timestamptz)), due_at = $3, leased_until = NULL,
	updated_at = now() FROM chosen c WHERE m.id = c.id`, scope.EnvironmentID, runs, at)
	if err != nil {
		return 0, fmt.Errorf("begin recalls: %w", err)
	}
	return int(tag.RowsAffected()), nil
}

// RecallOutcome is what came of asking a provider to delete a message.
type RecallOutcome struct {
	EnvironmentID  string
	MessageID      string
	NotificationID string
	Recall         json.RawMessage // state.Recall
	DueAt          *time.Time      // of the next call; nil: there is none
	Trace          workflow.TraceEntry
}

var storeRecalls = bulk.New(`UPDATE messages m SET due_at = u.due_at, leased_until = NULL, updated_at = now(),
	envelope = m.envelope || jsonb_build_object('recall', u.recall::jsonb)
FROM {rows} WHERE m.id = u.id AND m.environment_id = u.environment_id AND m.envelope ? 'recall' AND `+pgdue.Open("m.due_at"), bulk.Columns[RecallOutcome]{
	bulk.Field("environment_id", func(o *RecallOutcome) *string { return &o.EnvironmentID }),
	bulk.Field("id", func(o *RecallOutcome) *string { return &o.MessageID }),
	bulk.JSON("recall", func(o *RecallOutcome) *json.RawMessage { return &o.Recall }),
	bulk.Field("due_at", func(o *RecallOutcome) **time.Time { return &o.DueAt }),
})

// StoreRecalls stores what came of recalls, of any environments, and traces it.
func StoreRecalls(ctx context.Context, tx pgx.Tx, outcomes []RecallOutcome) error {
	runs, entries := map[string][]string{}, map[string][]string{}
	for i := range outcomes {
		o := &outcomes[i]
		runs[o.EnvironmentID] = append(runs[o.EnvironmentID], o.NotificationID)
		entries[o.EnvironmentID] = append(entries[o.EnvironmentID], postgres.JSONOr(o.Trace, "{}"))
	}
	for environmentID := range runs {
		if err := addTrace(ctx, tx, viewer.Scope{EnvironmentID: environmentID}, runs[environmentID], entries[environmentID]); err != nil {
			return err
		}
	}
	q := &pgx.Batch{}
	storeRecalls.Queue(q, outcomes)
	if err := tx.SendBatch(ctx, q).Close(); err != nil {
		return fmt.Errorf("store recalls: %w", err)
	}
	return nil
}
