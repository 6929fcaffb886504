package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/postgres"
)

// Worker makes the attempts of messages: the first one and every later one.
type Worker struct {
	*shared
	executor *Executor
	adapters *adapters
	outcomes *recorder
	sends    *tokens       // one per provider call under way
	slow     chan struct{} // one per provider call under way that takes long

	calling   context.Context //nolint:containedctx // of all provider calls; it ends with Interrupt
	interrupt context.CancelFunc
}

func newWorker(s *shared, executor *Executor) *Worker {
	w := &Worker{
		shared: s, executor: executor, adapters: newAdapters(s), outcomes: &recorder{shared: s, executor: executor},
		sends: newTokens(s.Calls), slow: make(chan struct{}, slowCalls*s.Calls),
	}
	w.calling, w.interrupt = context.WithCancel(context.Background())
	return w
}

// Interrupt ends the calls under way, so that what is known of them is recorded before the process ends. A call whose
// message had not left is made again later; what became of the others is unknown.
func (w *Worker) Interrupt() { w.interrupt() }

// CloseGone closes the adapters of integrations that were deleted: no message asks for them any more.
func (w *Worker) CloseGone(ctx context.Context) error { return w.adapters.dropGone(ctx) }

// callContext outlives the job that a call belongs to, until Interrupt.
func (w *Worker) callContext(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(w.calling, cancel)
	return ctx, func() { stop(); cancel() }
}

// Stop waits for what is under way, interrupts it when ctx ends, and gives it a moment to be recorded then. No attempt may
// begin afterwards.
func (w *Worker) Stop(ctx context.Context) error {
	w.background.stop()
	if err := w.finish(ctx); err != nil {
		return err
	}
	w.adapters.close()
	return nil
}

func (w *Worker) finish(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		w.background.Wait()
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

// claimDue claims a batch of due messages. When one of them spoils the batch they are sent one by one.
func (w *Worker) claimDue(ctx context.Context) (deliveries []*delivery, found int, err error) {
	deliveries, found, err = w.claim(ctx, nil)
	if err == nil || isInfrastructureError(ctx, err) {
		return deliveries, found, err
	}
	ids, _, dueErr := w.DB.Due(ctx, postgres.DueMessages, w.clocks.moment(), messagesPerJob)
	if dueErr != nil || len(ids) == 0 {
		return nil, 0, errors.Join(err, dueErr)
	}
	return nil, 0, w.sendEach(ctx, ids, err)
}
