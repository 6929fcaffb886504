package triggers

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Cancellations are the use cases that stop what was triggered, as far as it has not happened yet.
type Cancellations struct {
	usecase.Deps
	count func(status string, n int) // hears of runs by the status they come to
}

// CancelResult says exactly what a cancellation stopped.
type CancelResult struct {
	EventsStopped int                 // events whose recipients had not all been found yet
	Stopped       []*ent.Notification // the first MaxCancelled of them, by ascending id
	TooLate       []*ent.Notification // likewise
	StoppedCount  int
	TooLateCount  int
	Complete      bool // every notification was looked at; else call again
}

const (
	// MaxCancelled bounds each list of a CancelResult.
	MaxCancelled = 1000
	// cancelBatch is how many runs share a transaction.
	cancelBatch = 1000
	// cancelLimit bounds how many runs one call cancels.
	cancelLimit = 1_000_000
)

// Transaction cancels all events of a transactionId and their notifications.
func (c *Cancellations) Transaction(ctx context.Context, transactionID string) (*CancelResult, error) {
	at, err := c.Instant(ctx)
	if err != nil {
		return nil, err
	}
	result := &CancelResult{}
	events, err := usecase.Write(ctx, c.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) ([]string, error) {
		tx, scope := usecase.TxScope(ctx)
		all, stopped, err := pgrun.CancelEvents(ctx, tx, scope, transactionID, at)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 {
			return nil, fault.NotFoundf("Transaction %s was not found.", transactionID)
		}
		result.EventsStopped = len(stopped)
		for _, eventID := range all {
			if err := usecase.Audit(ctx, db, "cancel", &ent.Event{ID: eventID}, map[string]any{"transactionId": transactionID}); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
	if err != nil {
		return nil, err
	}
	for after := ""; result.StoppedCount+result.TooLateCount < cancelLimit; {
		last, err := usecase.Write(ctx, c.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (string, error) {
			tx, scope := usecase.TxScope(ctx)
			runs, err := pgrun.EventRuns(ctx, tx, scope, events, after, cancelBatch)
			if err != nil || len(runs) == 0 {
				return "", err
			}
			stopped, err := pgrun.CancelRuns(ctx, tx, scope, runs, at, run.TakeOver)
			if err != nil {
				return "", err
			}
			c.stopped(ctx, stopped)
			return runs[len(runs)-1], result.add(ctx, db, runs, stopped)
		})
		switch {
		case err != nil:
			return nil, err
		case last == "":
			result.Complete = true
			return result, nil
		}
		after = last
	}
	return result, nil
}

// Notification cancels one notification, by its global or internal id.
func (c *Cancellations) Notification(ctx context.Context, globalID string) (*CancelResult, error) {
	runID, err := usecase.RecordID("Notification", globalID)
	if err != nil {
		return nil, err
	}
	at, err := c.Instant(ctx)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, c.Deps, usecase.TriggerEvents, func(ctx context.Context, db *ent.Client) (*CancelResult, error) {
		found, err := db.Notification.Query().Where(notification.ID(runID)).Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Notification %s was not found.", globalID)
		}
		tx, scope := usecase.TxScope(ctx)
		runs := []string{found.ID}
		stopped, err := pgrun.CancelRuns(ctx, tx, scope, runs, at, run.TakeOver)
		if err != nil {
			return nil, err
		}
		c.stopped(ctx, stopped)
		result := &CancelResult{Complete: true}
		if err := result.add(ctx, db, runs, stopped); err != nil {
			return nil, err
		}
		return result, usecase.Audit(ctx, db, "cancel", found, map[string]any{"stopped": len(stopped) == 1})
	})
}

// stopped counts cancelled notifications once they are, and publishes them to those who follow them.
func (c *Cancellations) stopped(ctx context.Context, stopped []string) {
	if n := len(stopped); n > 0 && c.count != nil {
		postgres.AfterCommit(ctx, func() { c.count(string(workflow.RunCancelled), n) })
	}
	v, ok := viewer.FromContext(ctx)
	if !ok || c.Live == nil || !c.Live.Followed(realtime.Notifications(v.EnvironmentID)) {
		return
	}
	for _, runID := range stopped {
		c.Publish(ctx, realtime.Notification(v.EnvironmentID, runID))
	}
}

// add counts a batch of checked runs and reads those that are listed, as they are now.
func (r *CancelResult) add(ctx context.Context, db *ent.Client, runs, stopped []string) error {
	ended := make(map[string]bool, len(stopped))
	for _, runID := range stopped {
		ended[runID] = true
	}
	if len(r.Stopped) < MaxCancelled || len(r.TooLate) < MaxCancelled {
		list, err := db.Notification.Query().Where(notification.IDIn(runs...)).Order(notification.ByID()).All(ctx)
		if err != nil {
			return err
		}
		for _, n := range list {
			switch {
			case ended[n.ID] && len(r.Stopped) < MaxCancelled:
				r.Stopped = append(r.Stopped, n)
			case !ended[n.ID] && len(r.TooLate) < MaxCancelled:
				r.TooLate = append(r.TooLate, n)
			}
		}
	}
	r.StoppedCount += len(stopped)
	r.TooLateCount += len(runs) - len(stopped)
	return nil
}
