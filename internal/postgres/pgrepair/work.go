package pgrepair

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// pace is how long after a batch the next one is due: batches are what is done per second.
const pace = time.Second

// DuePauses are the ids of pauses that are over and still hold something, at most limit.
func DuePauses(ctx context.Context, db *postgres.DB, now time.Time, limit int) ([]string, error) {
	rows, err := db.Pool.Query(ctx, `SELECT id FROM pauses WHERE due_at <= $1 ORDER BY due_at LIMIT $2`, now, limit)
	return postgres.Collect(rows, err, "look for due pauses", pgx.RowTo[string])
}

// ReleasePause gives a batch back that a pause holds, unless another process is doing that.
func ReleasePause(ctx context.Context, tx pgx.Tx, id string, now time.Time) error {
	rows, err := tx.Query(ctx, `SELECT per_second FROM pauses WHERE id = $1 AND due_at <= $2 FOR NO KEY UPDATE SKIP LOCKED`, id, now)
	claimed, err := postgres.Collect(rows, err, "claim a pause", pgx.RowTo[int])
	if err != nil || len(claimed) == 0 {
		return err
	}
	released, left, err := pgdue.Release(ctx, tx, id, claimed[0])
	if err != nil {
		return err //nolint:wrapcheck // says what it did
	}
	if _, err := tx.Exec(ctx, `UPDATE pauses SET released = released + $2, due_at = CASE WHEN $3 THEN $4::timestamptz END, updated_at = now()
WHERE id = $1`, id, released, left, now.Add(pace)); err != nil {
		return fmt.Errorf("release a pause: %w", err)
	}
	return nil
}

// DueRetries are the ids of retries of failed messages that are due, at most limit.
func DueRetries(ctx context.Context, db *postgres.DB, now time.Time, limit int) ([]string, error) {
	rows, err := db.Pool.Query(ctx, `SELECT id FROM message_retries WHERE due_at <= $1 ORDER BY due_at LIMIT $2`, now, limit)
	return postgres.Collect(rows, err, "look for due retries", pgx.RowTo[string])
}

// Retry is a retry of failed messages that a process has claimed.
type Retry struct {
	ID            string
	EnvironmentID string
	Filter        workflow.FailedMessages
	Through       Integration
	PerSecond     int
	UpTo          string
	Position      string
}

// ClaimRetry locks a retry that is due, unless another process has it.
func ClaimRetry(ctx context.Context, tx pgx.Tx, id string, now time.Time) (*Retry, error) {
	rows, err := tx.Query(ctx, `SELECT r.id, r.environment_id, r.filter, coalesce(r.integration_id, ''), coalesce(i.provider_id, ''), r.per_second, r.up_to, r.position
FROM message_retries r LEFT JOIN integrations i ON i.id = r.integration_id WHERE r.id = $1 AND r.due_at <= $2 FOR NO KEY UPDATE OF r SKIP LOCKED`, id, now)
	found, err := postgres.Collect(rows, err, "claim a retry", func(row pgx.CollectableRow) (r Retry, err error) {
		return r, row.Scan(&r.ID, &r.EnvironmentID, &r.Filter, &r.Through.ID, &r.Through.ProviderID, &r.PerSecond, &r.UpTo, &r.Position)
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Advance retries the next batch of a retry's messages, at an instant of their environment, and ends it with the last.
func (r *Retry) Advance(ctx context.Context, tx pgx.Tx, at, now time.Time) (retried []Retried, err error) {
	ids, err := Failed(ctx, tx, r.EnvironmentID, &r.Filter, r.Position, r.UpTo, r.PerSecond)
	if err != nil {
		return nil, err
	}
	scope, condition := viewer.Scope{EnvironmentID: r.EnvironmentID}, certain(&r.Filter, r.Through.ID != "")
	if retried, err = retryMessages(ctx, tx, scope, ids, r.Through, at, condition); err != nil {
		return nil, err
	}
	position, last := r.Position, len(ids) < r.PerSecond
	if len(ids) > 0 {
		position = ids[len(ids)-1]
	}
	_, err = tx.Exec(ctx, `UPDATE message_retries SET position = $2, retried = retried + $3, refused = refused + $4, updated_at = now(),
	status = CASE WHEN $5 THEN 'completed' ELSE status END, due_at = CASE WHEN $5 THEN NULL ELSE $6::timestamptz END WHERE id = $1`,
		r.ID, position, len(retried), len(ids)-len(retried), last, now.Add(pace))
	if err != nil {
		return nil, fmt.Errorf("advance a retry: %w", err)
	}
	return retried, nil
}

// Failed are the next failed messages that a filter chooses, behind an id and up to another, by ascending id.
func Failed(ctx context.Context, q postgres.Querier, environmentID string, f *workflow.FailedMessages, after, upTo string, limit int) ([]string, error) {
	where, args := failed(environmentID, f, after, upTo)
	rows, err := q.Query(ctx, `SELECT m.id FROM messages m WHERE `+where+fmt.Sprintf(` ORDER BY m.id LIMIT %d`, limit), args...)
	return postgres.Collect(rows, err, "find failed messages", pgx.RowTo[string])
}

// CountFailed is how many failed messages a filter chooses, at most limit, and how many of them would be retried, through another
// integration or their own.
func CountFailed(ctx context.Context, q postgres.Querier, environmentID string, f *workflow.FailedMessages, through bool, limit int) (chosen, retried int, err error) {
	where, args := failed(environmentID, f, "", "")
	rows, err := q.Query(ctx, `SELECT count(*), count(*) FILTER (WHERE retryable)
FROM (SELECT `+retryable+` AND `+certain(f, through)+` AS retryable FROM messages m WHERE `+where+fmt.Sprintf(` LIMIT %d) c`, limit), args...)
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&chosen, &retried}, func() error { return nil })
	}
	if err != nil {
		return 0, 0, fmt.Errorf("count failed messages: %w", err)
	}
	return chosen, retried, nil
}

func failed(environmentID string, f *workflow.FailedMessages, after, upTo string) (where string, args []any) {
	conditions, args := []string{`m.environment_id = $1`, `m.status = 'error'`, `m.error_id IS NOT NULL`, `m.channel <> 'in_app'`}, []any{environmentID}
	add := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, fmt.Sprintf(condition, len(args)))
	}
	for _, c := range []struct{ condition, value string }{
		{`m.id > $%d`, after},
		{`m.id <= $%d`, upTo},
		{`m.workflow_id = $%d`, f.WorkflowID},
		{`m.integration_id = $%d`, f.IntegrationID},
		{`m.channel = $%d`, string(f.Channel)},
		{`m.error_id = $%d`, f.ErrorID},
		{`m.transaction_id = $%d`, f.TransactionID},
	} {
		if c.value != "" {
			add(c.condition, c.value)
		}
	}
	if f.CreatedAfter != nil {
		add(`m.created_at > $%d`, *f.CreatedAfter)
	}
	if f.CreatedBefore != nil {
		add(`m.created_at < $%d`, *f.CreatedBefore)
	}
	return strings.Join(conditions, " AND "), args
}

// CountUnder is how much that is open a pause would hold: events, runs and messages, at most limit of each.
func CountUnder(ctx context.Context, q postgres.Querier, scope viewer.Scope, p workflow.Pause, limit int) (events, runs, messages int, err error) {
	ofEvents, own, ofMessages := "true", "true", "true"
	switch p.Kind {
	case workflow.PauseWorkflow:
		ofEvents, own, ofMessages = "t.workflow_id = $3", "t.workflow_id = $3", "t.workflow_id = $3"
	case workflow.PauseBroadcast:
		ofEvents, own, ofMessages = "t.id = $3", "t.event_id = $3", "t.event_id = $3"
	case workflow.PauseSubscriber:
		ofEvents, own, ofMessages = "false", "t.subscriber_id = $3", "t.subscriber_id = $3"
	case workflow.PauseIntegration:
		ofEvents, own, ofMessages = "false", "false", "t.integration_id = $3"
	case workflow.PauseChannel:
		ofEvents, own, ofMessages = "false", "false", "t.channel = $3"
	}
	count := func(table, where string) string {
		return `(SELECT count(*) FROM (SELECT FROM ` + table + ` t WHERE t.environment_id = $1 AND t.due_at IS NOT NULL AND ` + where + ` LIMIT $2) c)`
	}
	rows, err := q.Query(ctx, `SELECT `+count("events", ofEvents)+`, `+count("notifications", own)+`, `+count("messages", ofMessages)+`
WHERE $3::text IS NOT NULL`, scope.EnvironmentID, limit, p.Target)
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&events, &runs, &messages}, func() error { return nil })
	}
	if err != nil {
		return 0, 0, 0, fmt.Errorf("count what a pause would hold: %w", err)
	}
	return events, runs, messages, nil
}
