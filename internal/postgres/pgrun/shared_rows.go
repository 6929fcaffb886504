package pgrun

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// LockedRows are the rows that runs share, for those who write them: it locks what it reads, and stores what is not there yet.
type LockedRows struct{ Tx pgx.Tx }

// Windows locks windows, and stores those that are not there yet: see LockWindows.
func (l LockedRows) Windows(ctx context.Context, of []WindowRow) ([]WindowRow, error) {
	return LockWindows(ctx, l.Tx, of)
}

// LastEvents returns when the latest event of each window came: see the function of that name.
func (l LockedRows) LastEvents(ctx context.Context, of []WindowRow) ([]time.Time, error) {
	return LastEvents(ctx, l.Tx, of)
}

// Throttles locks throttles, and stores those that are not there yet: see LockThrottles.
func (l LockedRows) Throttles(ctx context.Context, of []ThrottleRow) ([]ThrottleRow, error) {
	return LockThrottles(ctx, l.Tx, of)
}

// ReadRows are the rows that runs share, for those who explain: it only reads.
type ReadRows struct{ Querier postgres.Querier }

// Windows reads windows: see ReadWindows.
func (r ReadRows) Windows(ctx context.Context, of []WindowRow) ([]WindowRow, error) {
	return ReadWindows(ctx, r.Querier, of)
}

// LastEvents returns when the latest event of each window came: see the function of that name.
func (r ReadRows) LastEvents(ctx context.Context, of []WindowRow) ([]time.Time, error) {
	return LastEvents(ctx, r.Querier, of)
}

// Throttles reads throttles: see ReadThrottles.
func (r ReadRows) Throttles(ctx context.Context, of []ThrottleRow) ([]ThrottleRow, error) {
	return ReadThrottles(ctx, r.Querier, of)
}

// Compare orders keys: all who lock several windows lock them in this order.
func (a WindowKey) Compare(b WindowKey) int {
	return cmp.Or(cmp.Compare(a.EnvironmentID, b.EnvironmentID), cmp.Compare(a.WorkflowID, b.WorkflowID), cmp.Compare(a.StepID, b.StepID),
		cmp.Compare(a.SubscriberID, b.SubscriberID), cmp.Compare(a.DigestKey, b.DigestKey), cmp.Compare(a.Scope, b.Scope))
}

// windowOrder is the order of WindowKey.Compare among windows d.
const windowOrder = ` ORDER BY d.environment_id, d.workflow_id, d.step_id, d.subscriber_id, d.digest_key, d.scope`

// ThrottleKey is whose throttle of a step a row counts.
type ThrottleKey struct{ EnvironmentID, WorkflowID, StepID, SubscriberID, Value string }

// Compare orders keys: all who lock several throttles lock them in this order.
func (a ThrottleKey) Compare(b ThrottleKey) int {
	return cmp.Or(cmp.Compare(a.EnvironmentID, b.EnvironmentID), cmp.Compare(a.WorkflowID, b.WorkflowID), cmp.Compare(a.StepID, b.StepID),
		cmp.Compare(a.SubscriberID, b.SubscriberID), cmp.Compare(a.Value, b.Value))
}

// Row is a row of the key that has counted nothing yet.
func (a ThrottleKey) Row(rowID string) ThrottleRow {
	return ThrottleRow{
		ID: rowID, EnvironmentID: a.EnvironmentID, WorkflowID: a.WorkflowID, StepID: a.StepID, SubscriberID: a.SubscriberID, ThrottleKey: a.Value,
	}
}

// Key is whose throttle the row counts.
func (t *ThrottleRow) Key() ThrottleKey {
	return ThrottleKey{t.EnvironmentID, t.WorkflowID, t.StepID, t.SubscriberID, t.ThrottleKey}
}
