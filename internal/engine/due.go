package engine

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/deliver"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

const (
	dueLimit      = 200 // rows that one look takes; a look that found some is followed by the next at once
	advances      = 4   // batches of runs that one look takes, which are planned and stored beside each other
	dueBatches    = 16  // batches of one kind under way at once, where each may wait for others' servers
	takeUpBatches = 4   // of overdue events, for the urgent and the normal lane, and as many for the bulk lane
)

// dueWork is one kind of row that becomes due.
type dueWork struct {
	name pgdue.DueTable
	// concurrency is how many batches are handled at once, beside the loop that claims them, so that a slow one does not hold
	// up the rest; 0: the loop handles each before it looks again.
	concurrency int
	patience    time.Duration // after which a batch no longer counts among those; 0: it does until it is handled
	// claim takes what is due. found is how many rows it came across; handle is nil when none is left to handle.
	claim claim
}

type claim func(ctx context.Context) (found int, handle func(context.Context) error, err error)

// due is a dueWork that hands the rows which take returns to handle.
func due[T any](w dueWork, take func(context.Context) ([]T, int, error), handle func(context.Context, []T) error) dueWork {
	w.claim = func(ctx context.Context) (int, func(context.Context) error, error) {
		rows, found, err := take(ctx)
		if err != nil || len(rows) == 0 {
			return found, nil, err
		}
		return found, func(ctx context.Context) error { return handle(ctx, rows) }, nil
	}
	return w
}

// counted makes a claim of one whose rows are all that it found.
func counted[T any](take func(context.Context) ([]T, error)) func(context.Context) ([]T, int, error) {
	return func(ctx context.Context) ([]T, int, error) {
		rows, err := take(ctx)
		return rows, len(rows), err
	}
}

// dueWorks lists everything that becomes due.
func (e *Engine) dueWorks() []dueWork {
	works := append(e.dueEvents(),
		due(dueWork{name: pgdue.DueNotifications}, e.dueIDs(pgdue.DueNotifications, e.runsPerLook()), e.advance),
		due(dueWork{name: pgdue.DueSnoozes}, counted(e.snoozes.Unsnooze), e.snoozes.Announce),
		due(dueWork{name: pgdue.DueHTTPSteps, concurrency: e.HTTPSteps()}, e.httpSteps.Claim, e.httpSteps.Run),
		due(dueWork{name: pgdue.DueMessages, concurrency: dueBatches, patience: deliver.BatchPatience}, e.worker.ClaimDue, e.worker.Deliver),
		dueWork{name: pgdue.DueLeases, claim: e.endLeases},
		due(dueWork{name: pgdue.DueWebhooks, concurrency: e.ConcurrentAttempts}, e.webhooks.Claim, e.webhooks.Deliver),
	)
	works = append(works,
		due(dueWork{name: pgdue.DuePauses}, counted(e.repairs.DuePauses), e.repairs.Release),
		due(dueWork{name: pgdue.DueRetries}, counted(e.repairs.DueRetries), e.repairs.Retry),
		due(dueWork{name: pgdue.DueAlerts}, counted(e.watch.Claim), e.watch.Evaluate))
	if e.RunSchedule != nil {
		works = append(works, due(dueWork{name: pgdue.DueSchedules}, counted(e.schedules.Due), e.schedules.Run))
	}
	if e.Replies != nil {
		works = append(works, due(dueWork{name: pgdue.DueReplies, concurrency: dueBatches}, counted(e.replies.Claim), e.replies.Post))
	}
	return works
}

// dueEvents are the events that no process has taken up, for example because the one that accepted them ended. The bulk lane has batches of
// its own, since one of its events may take minutes to stream.
func (e *Engine) dueEvents() []dueWork {
	if e.DB.VirtualClocks { // events of an environment follow its clock one after the other
		return []dueWork{due(dueWork{name: pgdue.DueEvents}, e.dueIDs(pgdue.DueEvents, dueLimit), e.fanOut.Events)}
	}
	w := dueWork{name: pgdue.DueEvents, concurrency: takeUpBatches}
	return []dueWork{
		due(w, e.overdueLanes(queue.Lanes[:2]), e.fanOut.TakeUp),
		due(w, e.overdueLanes(queue.Lanes[2:]), e.fanOut.TakeUp),
	}
}

// leasesPerLook is how many leases one statement ends; each names up to a page of messages.
const leasesPerLook = 200

// endLeases leaves nothing to handle: open messages become due. As a rule there are none, which is no sign of more work.
func (e *Engine) endLeases(ctx context.Context) (found int, handle func(context.Context) error, err error) {
	ended, open, err := pgmessage.EndLeases(ctx, e.DB, leasesPerLook, e.Lease)
	if open > 0 || ended == leasesPerLook {
		found = ended
	}
	return found, nil, err
}

// dueIDs claims nothing: who handles the rows locks them.
func (e *Engine) dueIDs(table pgdue.DueTable, limit int) func(context.Context) ([]string, int, error) {
	return counted(func(ctx context.Context) ([]string, error) {
		ids, _, err := pgdue.Due(ctx, e.DB, table, e.Clocks.Moment(), limit)
		return ids, err
	})
}

// runsPerLook is how many due runs one look takes. Where clocks can be set, runs of an environment follow its clock one batch after the
// other.
func (e *Engine) runsPerLook() int {
	if e.DB.VirtualClocks {
		return dueLimit
	}
	return advances * dueLimit
}

// advance takes runs through their next steps. Of many, those of digests that all end at nine o'clock for example, one batch is planned
// while another waits for the database.
func (e *Engine) advance(ctx context.Context, ids []string) error {
	var batches errgroup.Group
	for batch := range slices.Chunk(ids, dueLimit) {
		batches.Go(func() error { return e.executor.Advance(ctx, batch) })
	}
	return batches.Wait() //nolint:wrapcheck // says what it did
}

// overdueLanes returns the lanes when one of them has overdue events that no worker holds.
func (e *Engine) overdueLanes(lanes []event.Lane) func(context.Context) ([]event.Lane, int, error) {
	return func(ctx context.Context) ([]event.Lane, int, error) {
		for _, lane := range lanes {
			if ids, err := pgfanout.DueEventIDs(ctx, e.DB, string(lane), time.Now(), 1); err != nil || len(ids) > 0 {
				return lanes, len(ids), err
			}
		}
		return nil, 0, nil
	}
}

// poll looks every WakeInterval while there is work, and again at once as long as there is more than one look takes. Without
// work, as at the start, it sleeps until the lookout wakes it, or, where clocks can be set and no instant says when a row becomes
// due, for idleTurns intervals.
func (e *Engine) poll(ctx context.Context, w dueWork, wake <-chan struct{}) {
	tick := time.NewTicker(e.WakeInterval)
	defer tick.Stop()
	w.claim = e.whileClocksAgree(e.lookout.inTurn(w.claim))
	look := w.look
	if w.concurrency > 0 {
		look = e.beside(w)
	}
	for {
		var next <-chan time.Time
		switch {
		case e.lookout.busy():
			next = tick.C
		case e.DB.VirtualClocks:
			next = time.After(e.WakeInterval * idleTurns)
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-next:
		}
		for e.lookOnce(ctx, w, look) {
			e.lookout.touch()
		}
	}
}

// whileClocksAgree is a claim that takes nothing while the clocks of this machine and the database differ: what is due here may not be.
func (e *Engine) whileClocksAgree(of claim) claim {
	return func(ctx context.Context) (int, func(context.Context) error, error) {
		if apart, err := e.ClockGuard.Apart(ctx); err != nil || apart > 0 {
			return 0, nil, err //nolint:wrapcheck // says what it did
		}
		return of(ctx)
	}
}

// lookOnce reports whether to look again at once.
func (e *Engine) lookOnce(ctx context.Context, w dueWork, look func(context.Context) (int, error)) bool {
	found, err := look(ctx)
	e.Meter.TakenUp(string(w.name), found)
	if err != nil && ctx.Err() == nil {
		e.notHandled(ctx, w, err)
	}
	return found > 0 && err == nil
}

// notHandled logs err. Of a database that is away each loop hears with every look.
func (e *Engine) notHandled(ctx context.Context, w dueWork, err error) {
	attrs := []any{slog.String("rows", string(w.name)), slog.String("error", err.Error())}
	if fault.KindOf(postgres.Translate(err)) == fault.Unavailable {
		left, ok := e.repeats.Say(err, time.Now())
		if !ok {
			return
		}
		attrs = append(attrs, slog.Int("left_out", left))
	}
	e.Logger.WarnContext(ctx, "due rows not handled", attrs...)
}

// look claims once and handles what it found.
func (w *dueWork) look(ctx context.Context) (found int, err error) {
	found, handle, err := w.claim(ctx)
	if err != nil || handle == nil {
		return found, err
	}
	return found, handle(ctx)
}

// beside returns a look that claims when there is room for another batch, and handles it in the background. After a batch
// that failed the next look is not at once.
func (e *Engine) beside(w dueWork) func(context.Context) (found int, err error) {
	room := make(chan struct{}, w.concurrency)
	var failed atomic.Bool
	return func(ctx context.Context) (found int, err error) {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
		release := sync.OnceFunc(func() { <-room })
		found, handle, err := w.claim(ctx)
		if err != nil || handle == nil {
			release()
			return found, err
		}
		e.Background.Go(func() {
			defer release()
			if w.patience > 0 {
				defer time.AfterFunc(w.patience, release).Stop()
			}
			if err := handle(ctx); err != nil && ctx.Err() == nil {
				failed.Store(true)
				e.notHandled(ctx, w, err)
			}
		})
		if failed.Swap(false) {
			found = 0
		}
		return found, nil
	}
}

// Wake looks once at the due rows of one kind, handles them, and returns how many a claim came across. The loops of Start do
// the same again and again; tests and clocks that jump look by themselves.
func (e *Engine) Wake(ctx context.Context, table pgdue.DueTable) (found int, err error) {
	known := false
	for _, w := range e.dueWorks() {
		if w.name != table {
			continue
		}
		known = true
		n, err := w.look(ctx)
		if found += n; err != nil {
			return found, err
		}
	}
	if !known {
		return 0, fmt.Errorf("engine: no rows named %q become due", table)
	}
	return found, nil
}
