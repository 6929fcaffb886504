// Package deliver makes the attempts of messages: it claims those that are due, admits as many as their integrations take,
// calls providers and records the outcomes.
package deliver

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

// Worker makes the attempts of messages: the first one and every later one.
type Worker struct {
	*state.Shared
	executor *run.Executor
	adapters *adapters
	outcomes *recorder
	cancels  postgres.Gather[string, bool] // by message: whether it was cancelled
	sends    *places                       // one per attempt under way
	slow     chan struct{}                 // one per attempt under way that takes long
	underWay underWay
	outage   outage

	started    atomic.Bool
	attempting context.Context //nolint:containedctx // of all attempts; it ends with Interrupt
	interrupt  context.CancelFunc
}

// NewWorker returns a Worker; executor takes up the runs that wait for its outcomes.
func NewWorker(s *state.Shared, executor *run.Executor) *Worker {
	w := &Worker{
		Shared: s, executor: executor, adapters: newAdapters(s), outcomes: newRecorder(s, executor),
		sends: newPlaces(s.ConcurrentAttempts), slow: make(chan struct{}, slowAttempts*s.ConcurrentAttempts),
		outage: outage{until: time.Now().Add(s.Lease / 2)},
	}
	w.cancels.Direct = true
	w.cancels.Ask = func(ctx context.Context, messageIDs []string) ([]bool, error) {
		return pgmessage.Cancelled(ctx, w.DB, messageIDs)
	}
	w.attempting, w.interrupt = context.WithCancel(context.Background())
	return w
}

// Interrupt ends the attempts under way, so that what is known of them is recorded before the process ends. An attempt whose
// message had not left is made again later; what became of the others is unknown.
func (w *Worker) Interrupt() { w.interrupt() }

// CloseGone closes the adapters of integrations that were deleted: no message asks for them any more.
func (w *Worker) CloseGone(ctx context.Context) error { return w.adapters.dropGone(ctx) }

// UntilInterrupt is ctx without its end: it ends with Interrupt, or with the function returned.
func (w *Worker) UntilInterrupt(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(w.attempting, cancel)
	return ctx, func() { stop(); cancel() }
}

// Stop waits for what is under way, interrupts it when ctx ends, and gives it a moment to be recorded then. No attempt may
// begin afterwards.
func (w *Worker) Stop(ctx context.Context) error {
	w.Background.Stop()
	if err := w.finish(ctx); err != nil {
		return err
	}
	w.adapters.close()
	return nil
}

func (w *Worker) finish(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		w.Background.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	w.Interrupt()
	late := time.NewTimer(stoppingTime)
	defer late.Stop()
	select {
	case <-done:
		return nil
	case <-late.C:
		return fmt.Errorf("stop the engine: %w", context.Cause(ctx))
	}
}

// ClaimDue claims a batch of due messages. When one of them spoils the batch they are sent one by one.
func (w *Worker) ClaimDue(ctx context.Context) (deliveries []*Delivery, found int, err error) {
	deliveries, found, err = w.claim(ctx, nil)
	if err == nil || state.IsInfrastructure(ctx, err) {
		return deliveries, found, err
	}
	ids, _, dueErr := pgdue.Due(ctx, w.DB, pgdue.DueMessages, w.Clocks.Moment(), queue.MessagesPerSend)
	if dueErr != nil || len(ids) == 0 {
		return nil, 0, errors.Join(err, dueErr)
	}
	return nil, 0, w.sendEach(ctx, ids, err)
}
