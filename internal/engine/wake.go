package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/carillon/carillon/internal/postgres"
)

const (
	wakeLimit = 200 // rows that one look takes; a full look is followed by the next at once
	wakeSends = 16  // batches of due messages under way at once
)

// startWakers sets one loop to work for each kind of row, so that slow sends hold up no fan-out.
func (e *Engine) startWakers(ctx context.Context) {
	e.startTakeUp(ctx)
	e.working.Go(func() {
		e.loop(ctx, "notifications", func() (int, error) { return e.Wake(ctx, postgres.DueNotifications) })
	})
	e.working.Go(func() { e.loop(ctx, "snoozes", func() (int, error) { return e.Wake(ctx, postgres.DueSnoozes) }) })
	calls := make(chan struct{}, wakeSends)
	e.working.Go(func() { e.loop(ctx, "calls", func() (int, error) { return e.runDueHTTPSteps(ctx, calls) }) })
	if e.Replies != nil {
		callbacks := make(chan struct{}, wakeSends)
		e.working.Go(func() { e.loop(ctx, "replies", func() (int, error) { return e.replyDue(ctx, callbacks) }) })
	}
	room := make(chan struct{}, wakeSends)
	e.working.Go(func() { e.loop(ctx, "messages", func() (int, error) { return e.sendDue(ctx, room) }) })
}

// loop looks every WakeInterval, and again at once as long as there is more than one look takes.
func (e *Engine) loop(ctx context.Context, what string, look func() (found int, err error)) {
	tick := time.NewTicker(e.WakeInterval)
	defer tick.Stop()
	for {
		found, err := look()
		if err != nil && ctx.Err() == nil {
			e.Logger.WarnContext(ctx, "due rows not handled", slog.String("rows", what), slog.String("error", err.Error()))
		}
		if found > 0 && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Wake handles what is due of one kind, one look's worth, and tells how many rows it found. The loops of Start call it;
// tests and clocks that jump may as well.
func (e *Engine) Wake(ctx context.Context, table postgres.DueTable) (found int, err error) {
	now := e.moment()
	if table == postgres.DueSnoozes {
		return e.unsnooze(ctx)
	}
	if table == postgres.DueCalls {
		calls, err := e.claimHTTPSteps(ctx)
		if err != nil {
			return 0, err
		}
		return len(calls), e.runHTTPSteps(ctx, calls)
	}
	if table == postgres.DueMessages {
		deliveries, found, err := e.claimDue(ctx)
		if err != nil || len(deliveries) == 0 {
			return found, err
		}
		return found, e.deliver(ctx, deliveries)
	}
	if table == postgres.DueEvents && !now.Virtual {
		return e.takeUp(ctx, lanes...)
	}
	ids, _, err := e.DB.Due(ctx, table, now, wakeLimit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	if table == postgres.DueNotifications {
		return len(ids), e.Advance(ctx, ids)
	}
	return len(ids), e.FanOut(ctx, ids)
}

// sendDue claims a batch of due messages and lets it run, so that one slow provider does not hold up the rest.
func (e *Engine) sendDue(ctx context.Context, room chan struct{}) (found int, err error) {
	select {
	case room <- struct{}{}:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	deliveries, found, err := e.claimDue(ctx)
	if err != nil || len(deliveries) == 0 {
		<-room
		return found, err
	}
	e.working.Go(func() {
		defer func() { <-room }()
		if err := e.deliverAside(ctx, deliveries); err != nil {
			e.Logger.WarnContext(ctx, "outcomes not recorded", slog.String("error", err.Error()))
		}
	})
	return found, nil
}

// claimDue claims a batch of due messages. When one of them spoils the batch they are sent one by one.
func (e *Engine) claimDue(ctx context.Context) (deliveries []*delivery, found int, err error) {
	deliveries, found, err = e.claim(ctx, nil)
	if err == nil || isInfrastructureError(ctx, err) {
		return deliveries, found, err
	}
	ids, _, dueErr := e.DB.Due(ctx, postgres.DueMessages, e.moment(), messagesPerJob)
	if dueErr != nil || len(ids) == 0 {
		return nil, 0, errors.Join(err, dueErr)
	}
	return nil, 0, e.sendEach(ctx, ids, err)
}

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
		if err := e.dropGoneAdapters(ctx); err != nil && ctx.Err() == nil {
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
