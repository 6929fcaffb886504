package repairs

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/workflow"
)

// Recalls are the use cases of taking back what was triggered, as far as that is possible.
type Recalls struct {
	usecase.Deps
	count     func(status string, n int) // hears of runs by the status they come to
	batchSize int                        // runs that share a transaction
	changes   int                        // that one call makes: runs that it stops, and messages that it takes back or has deleted
	looks     int                        // runs that it looks at: those of the calls before pass quickly
}

// RecallInput names what is recalled: exactly one of the two.
type RecallInput struct {
	TransactionID  *string
	NotificationID *string // global or internal id
	DryRun         *bool
}

// RecallPayload is what a recall reached.
type RecallPayload struct {
	EventsStopped   int
	StoppedCount    int            // notifications that had something left to do
	WithdrawnCount  int            // in-app messages taken back
	RecallingCount  int            // messages that their providers are asked to delete
	OutOfReach      []*ent.Message // the first MaxOutOfReach of those that have left, by ascending id
	OutOfReachCount int
	Complete        bool // every notification was looked at; else call again
	DryRun          bool
}

const (
	// MaxOutOfReach bounds the list of a RecallPayload.
	MaxOutOfReach = 1000
	recallBatch   = 500
	recallChanges = 100_000
	recallLooks   = 1_000_000
)

// Recall stops what waits, takes in-app messages back, asks providers to delete what they can, and lists what has left.
func (r *Recalls) Recall(ctx context.Context, in RecallInput) (*RecallPayload, error) {
	if (in.TransactionID == nil) == (in.NotificationID == nil) {
		return nil, fault.Invalidf("transactionId", "give either transactionId or notificationId")
	}
	out := &RecallPayload{DryRun: isDry(in.DryRun)}
	events, only, err := r.begin(ctx, in, out)
	if err != nil {
		return nil, err
	}
	for after, looked := "", 0; looked < r.looks && out.StoppedCount+out.WithdrawnCount+out.RecallingCount < r.changes; {
		runs, err := r.batch(ctx, events, only, after, out)
		switch {
		case err != nil:
			return nil, err
		case only != "" || len(runs) < r.batchSize:
			out.Complete = true
			return out, nil
		}
		after, looked = runs[len(runs)-1], looked+len(runs)
	}
	return out, nil
}

// begin stops the events of a transaction, or finds the one notification, and records the recall.
func (r *Recalls) begin(ctx context.Context, in RecallInput, out *RecallPayload) (events []string, only string, err error) {
	at, err := r.Instant(ctx)
	if err != nil {
		return nil, "", err
	}
	if in.NotificationID != nil {
		if only, err = usecase.RecordID("Notification", *in.NotificationID); err != nil {
			return nil, "", err
		}
	}
	_, err = try(ctx, r.Deps, usecase.RepairDelivery, out.DryRun, func(ctx context.Context, db *ent.Client) (struct{}, error) {
		if only != "" {
			found, err := db.Notification.Query().Where(notification.ID(only)).Only(ctx)
			if err != nil {
				return struct{}{}, usecase.NotFound(err, "Notification %s was not found.", *in.NotificationID)
			}
			return struct{}{}, usecase.Audit(ctx, db, "recall", found, nil)
		}
		tx, scope := usecase.TxScope(ctx)
		all, stopped, err := pgrun.CancelEvents(ctx, tx, scope, *in.TransactionID, at)
		if err != nil {
			return struct{}{}, err
		}
		if len(all) == 0 {
			return struct{}{}, fault.NotFoundf("Transaction %s was not found.", *in.TransactionID)
		}
		events, out.EventsStopped = all, len(stopped)
		for _, eventID := range all {
			if err := usecase.Audit(ctx, db, "recall", &ent.Event{ID: eventID}, map[string]any{"transactionId": *in.TransactionID}); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	return events, only, err
}

// batch recalls the next runs of the events, or the one, in one transaction.
func (r *Recalls) batch(ctx context.Context, events []string, only, after string, out *RecallPayload) ([]string, error) {
	at, err := r.Instant(ctx)
	if err != nil {
		return nil, err
	}
	return try(ctx, r.Deps, usecase.RepairDelivery, out.DryRun, func(ctx context.Context, db *ent.Client) ([]string, error) {
		tx, scope := usecase.TxScope(ctx)
		runs := []string{only}
		if only == "" {
			if runs, err = pgrun.EventRuns(ctx, tx, scope, events, after, r.batchSize); err != nil || len(runs) == 0 {
				return nil, err
			}
		}
		stopped, err := pgrun.CancelRuns(ctx, tx, scope, runs, at, run.TakeOver)
		if err != nil {
			return nil, err
		}
		withdrawn, err := pgrepair.Withdraw(ctx, tx, scope, runs, at)
		if err != nil {
			return nil, err
		}
		recalling, err := pgrepair.BeginRecalls(ctx, tx, scope, runs, at)
		if err != nil {
			return nil, err
		}
		if err := pgrepair.Forget(ctx, tx, scope, runs); err != nil {
			return nil, err
		}
		told := map[string]bool{}
		for _, m := range withdrawn {
			if !told[m.SubscriberID] {
				told[m.SubscriberID] = true
				r.Publish(ctx, realtime.Inbox(m.EnvironmentID, m.SubscriberID))
			}
		}
		if r.Live != nil && r.Live.Followed(realtime.Notifications(scope.EnvironmentID)) {
			for _, runID := range runs {
				r.Publish(ctx, realtime.Notification(scope.EnvironmentID, runID))
			}
		}
		if n := len(stopped); n > 0 && r.count != nil {
			postgres.AfterCommit(ctx, func() { r.count(string(workflow.RunCancelled), n) })
		}
		left, count, err := pgrepair.OutOfReach(ctx, tx, scope, runs, MaxOutOfReach-len(out.OutOfReach))
		if err != nil {
			return nil, err
		}
		if len(left) > 0 {
			rows, err := db.Message.Query().Where(message.IDIn(left...)).Order(message.ByID()).All(ctx)
			if err != nil {
				return nil, err
			}
			out.OutOfReach = append(out.OutOfReach, rows...)
		}
		out.StoppedCount += len(stopped)
		out.WithdrawnCount += len(withdrawn)
		out.RecallingCount += recalling
		out.OutOfReachCount += count
		return runs, nil
	})
}
