package engine

import (
	"context"
	"log/slog"
	"time"
)

// pruneEvery and pruneLimit keep the deletion of old rows off the hot path.
const (
	pruneEvery = 10 * time.Second
	pruneLimit = 500
)

// A job may look as if it ran for orphanedAfter before it is checked whether a process still works on it, each time that
// orphansEvery is over.
const (
	orphanedAfter = 40 * time.Second
	orphansEvery  = 10 * time.Second
)

// dropOrphans drops the jobs that a dead process left behind, within a minute of its death.
func (e *Engine) dropOrphans(ctx context.Context) {
	e.every(ctx, orphansEvery, func() {
		for dropped := pruneLimit; dropped == pruneLimit; {
			var err error
			if dropped, err = e.DB.DropOrphanedJobs(ctx, orphanedAfter, pruneLimit); err != nil && ctx.Err() == nil {
				e.Logger.WarnContext(ctx, "orphaned jobs not dropped", slog.String("error", err.Error()))
			}
		}
	})
}

// prune deletes what is past its retention, in bounded batches, and closes adapters of deleted integrations.
func (e *Engine) prune(ctx context.Context) {
	e.every(ctx, pruneEvery, func() {
		if err := e.worker.CloseGone(ctx); err != nil && ctx.Err() == nil {
			e.Logger.WarnContext(ctx, "adapters of deleted integrations not closed", slog.String("error", err.Error()))
		}
		for ctx.Err() == nil {
			deleted, err := e.DB.Prune(ctx, time.Now(), e.Retention, pruneLimit)
			if err != nil && ctx.Err() == nil {
				e.Logger.WarnContext(ctx, "old rows not deleted", slog.String("error", err.Error()))
			}
			if err != nil || deleted < pruneLimit {
				break
			}
		}
	})
}

// every does something again and again, with a pause before.
func (e *Engine) every(ctx context.Context, pause time.Duration, do func()) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}
