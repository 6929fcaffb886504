package engine

import (
	"context"
	"log/slog"
	"time"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/postgres"
)

const (
	wakeLimit = 200 // rows that one look takes; a full look is followed by the next at once
	wakeSends = 16  // batches of due messages under way at once
)

// startWakers sets one loop to work for each kind of row, so that slow sends hold up no fan-out.
func (e *Engine) startWakers(ctx context.Context) {
	e.startTakeUp(ctx)
	e.Background.Go(func() {
		e.loop(ctx, "notifications", func() (int, error) { return e.Wake(ctx, postgres.DueNotifications) })
	})
	e.Background.Go(func() { e.loop(ctx, "snoozes", func() (int, error) { return e.Wake(ctx, postgres.DueSnoozes) }) })
	calls := make(chan struct{}, wakeSends)
	e.Background.Go(func() { e.loop(ctx, "calls", func() (int, error) { return e.runDueHTTPSteps(ctx, calls) }) })
	if e.Replies != nil {
		callbacks := make(chan struct{}, wakeSends)
		e.Background.Go(func() { e.loop(ctx, "replies", func() (int, error) { return e.replyDue(ctx, callbacks) }) })
	}
	room := make(chan struct{}, wakeSends)
	e.Background.Go(func() { e.loop(ctx, "messages", func() (int, error) { return e.sendDue(ctx, room) }) })
}

const takeUpWorkers = 4 // for the urgent and the normal lane, and as many for the bulk lane

// startTakeUp sets workers to events whose job was lost, for example with the process that was to do it. The bulk lane has
// workers of its own, since one of its events may take minutes to stream.
func (e *Engine) startTakeUp(ctx context.Context) {
	if e.DB.VirtualClocks { // events of an environment follow its clock one after the other
		e.Background.Go(func() { e.loop(ctx, "events", func() (int, error) { return e.Wake(ctx, postgres.DueEvents) }) })
		return
	}
	for _, some := range [][]event.Lane{run.Lanes[:2], run.Lanes[2:]} {
		room := make(chan struct{}, takeUpWorkers)
		e.Background.Go(func() { e.loop(ctx, "events", func() (int, error) { return 0, e.hire(ctx, room, some) }) })
	}
}

// hire sets as many workers as there is room for to overdue events, if there are any. Each works until none is left, so
// that one which streams for minutes holds up no other.
func (e *Engine) hire(ctx context.Context, room chan struct{}, lanes []event.Lane) error {
	overdue := false
	for _, lane := range lanes {
		ids, err := e.DB.DueEventIDs(ctx, string(lane), time.Now(), 1)
		if err != nil {
			return err
		}
		overdue = overdue || len(ids) > 0
	}
	if !overdue {
		return nil
	}
	for range takeUpWorkers {
		select {
		case room <- struct{}{}:
			e.Background.Go(func() {
				defer func() { <-room }()
				e.takeUpAll(ctx, lanes)
			})
		default:
			return nil
		}
	}
	return nil
}

// takeUpAll takes up overdue events until none is left.
func (e *Engine) takeUpAll(ctx context.Context, lanes []event.Lane) {
	for ctx.Err() == nil {
		found, err := e.fanOut.TakeUp(ctx, lanes...)
		if err != nil && ctx.Err() == nil {
			e.Logger.WarnContext(ctx, "overdue events not taken up", slog.String("error", err.Error()))
		}
		if found == 0 || err != nil {
			return
		}
	}
}

// runDueHTTPSteps claims due calls and lets them run, so that a slow address does not hold up the rest.
func (e *Engine) runDueHTTPSteps(ctx context.Context, room chan struct{}) (found int, err error) {
	select {
	case room <- struct{}{}:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	calls, err := e.httpSteps.Claim(ctx)
	if err != nil || len(calls) == 0 {
		<-room
		return 0, err
	}
	e.Background.Go(func() {
		defer func() { <-room }()
		if err := e.httpSteps.Run(ctx, calls); err != nil {
			e.Logger.WarnContext(ctx, "answers of custom steps not recorded", slog.String("error", err.Error()))
		}
	})
	return len(calls), nil
}

// replyDue posts due replies, in the background, so that a slow callback does not hold up the others.
func (e *Engine) replyDue(ctx context.Context, room chan struct{}) (found int, err error) {
	select {
	case room <- struct{}{}:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	replies, err := e.replies.Claim(ctx)
	if err != nil || len(replies) == 0 {
		<-room
		return 0, err
	}
	e.Background.Go(func() {
		defer func() { <-room }()
		if err := e.replies.Post(ctx, replies); err != nil {
			e.Logger.WarnContext(ctx, "callbacks of replies not recorded", slog.String("error", err.Error()))
		}
	})
	return len(replies), nil
}

// CallBack posts what replies are due, one look's worth, and tells how many it found. The loop of Start does; tests may.
func (e *Engine) CallBack(ctx context.Context) (found int, err error) {
	replies, err := e.replies.Claim(ctx)
	if err != nil || len(replies) == 0 {
		return 0, err
	}
	return len(replies), e.replies.Post(ctx, replies)
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
	now := e.Clocks.Moment()
	if table == postgres.DueSnoozes {
		return e.executor.Unsnooze(ctx)
	}
	if table == postgres.DueCalls {
		calls, err := e.httpSteps.Claim(ctx)
		if err != nil {
			return 0, err
		}
		return len(calls), e.httpSteps.Run(ctx, calls)
	}
	if table == postgres.DueMessages {
		deliveries, found, err := e.worker.ClaimDue(ctx)
		if err != nil || len(deliveries) == 0 {
			return found, err
		}
		return found, e.worker.Deliver(ctx, deliveries)
	}
	if table == postgres.DueEvents && !now.Virtual {
		return e.fanOut.TakeUp(ctx, run.Lanes...)
	}
	ids, _, err := e.DB.Due(ctx, table, now, wakeLimit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	if table == postgres.DueNotifications {
		return len(ids), e.executor.Advance(ctx, ids)
	}
	return len(ids), e.fanOut.Events(ctx, ids)
}

// sendDue claims a batch of due messages and lets it run, so that one slow provider does not hold up the rest.
func (e *Engine) sendDue(ctx context.Context, room chan struct{}) (found int, err error) {
	select {
	case room <- struct{}{}:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	deliveries, found, err := e.worker.ClaimDue(ctx)
	if err != nil || len(deliveries) == 0 {
		<-room
		return found, err
	}
	e.Background.Go(func() {
		defer func() { <-room }()
		if err := e.worker.DeliverAside(ctx, deliveries); err != nil {
			e.Logger.WarnContext(ctx, "outcomes not recorded", slog.String("error", err.Error()))
		}
	})
	return found, nil
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
