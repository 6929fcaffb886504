package engine

import (
	"context"
	"log/slog"
	"time"

	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/postgres/pgwebhook"
)

// pruneEvery and pruneLimit keep the deletion of old rows off the hot path.
const (
	pruneEvery = 10 * time.Second
	pruneLimit = 500
)

const (
	// analyzeEvery is the pause between two looks for tables that have grown, while there is work.
	analyzeEvery = time.Second / 4
	// analyzeAfter is how often the process takes a connection between two such looks at least: an idle one takes one or two a second.
	analyzeAfter = 10
	// analyzeAgain is the pause after an ANALYZE that failed, as on a disk without space: it costs as much each time.
	analyzeAgain = time.Minute
)

// analyze keeps the plans of statements right while tables grow, whoever makes them grow.
func (e *Engine) analyze(ctx context.Context) {
	taken := func() int64 { return e.DB.Pool.Stat().AcquireCount() }
	before := taken()
	var failedUntil time.Time
	e.every(ctx, analyzeEvery, func() {
		if taken()-before < analyzeAfter || time.Now().Before(failedUntil) {
			return
		}
		if _, err := pgupkeep.AnalyzeGrown(ctx, e.DB); err != nil && ctx.Err() == nil {
			failedUntil = time.Now().Add(analyzeAgain)
			e.Logger.WarnContext(ctx, "tables that have grown not analyzed", slog.String("error", err.Error()))
		}
		before = taken()
	})
}

// prune deletes what is past its retention, in bounded batches, and closes adapters of deleted integrations.
func (e *Engine) prune(ctx context.Context) {
	var idleUntil time.Time
	e.every(ctx, pruneEvery, func() {
		if time.Now().Before(idleUntil) {
			return
		}
		if err := e.worker.CloseGone(ctx); err != nil && ctx.Err() == nil {
			e.Logger.WarnContext(ctx, "adapters of deleted integrations not closed", slog.String("error", err.Error()))
		}
		for ctx.Err() == nil {
			if apart, err := e.ClockGuard.Apart(ctx); err != nil || apart > 0 {
				return // what is past its retention by this clock may not be
			}
			deleted, err := pgupkeep.Prune(ctx, e.DB, time.Now(), e.Retention, pruneLimit)
			if err != nil && ctx.Err() == nil {
				e.Logger.WarnContext(ctx, "old rows not deleted", slog.String("error", err.Error()))
			}
			if err == nil && deleted == 0 {
				idleUntil = time.Now().Add(pruneIdle)
			}
			if err != nil || deleted < pruneLimit {
				break
			}
		}
	})
}

const (
	// linkEvery is the pause between two looks for receipts that were not linked to their messages.
	linkEvery = time.Minute
	// linkSince is how far a look goes back. An outcome is kept for two minutes while the database is away, and its receipts wait as long.
	linkSince = 5 * time.Minute
	// linkSinceStart is how far the first look of a process goes back: for what a process before it left.
	linkSinceStart = time.Hour
)

// linkReceipts links receipts that came before the answer to their own request, where the process did not come to that.
func (e *Engine) linkReceipts(ctx context.Context) {
	since := time.Now().Add(-linkSinceStart)
	look := func() {
		began := time.Now()
		switch err := e.worker.LinkMissed(ctx, since); {
		case err == nil:
			since = began.Add(-linkSince)
		case ctx.Err() == nil:
			e.Logger.WarnContext(ctx, "missed receipts not linked", slog.String("error", err.Error()))
		}
	}
	look()
	e.every(ctx, linkEvery, look)
}

// restTriggersEvery is the pause between two looks whether webhooks are wanted still.
const restTriggersEvery = time.Hour

// restTriggers lets writes do without the triggers of webhooks once there is no active endpoint any more.
func (e *Engine) restTriggers(ctx context.Context) {
	e.every(ctx, restTriggersEvery, func() {
		if err := pgwebhook.DisableTriggers(ctx, e.DB); err != nil && ctx.Err() == nil {
			e.Logger.WarnContext(ctx, "triggers of webhooks not disabled", slog.String("error", err.Error()))
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
