// Package engine does everything that follows the acceptance of an event. Its parts are packages: accept admits events, run
// fans them out and takes runs through their steps, and deliver makes the attempts. This one builds them, polls due rows and
// maintains. Due rows are the truth; package queue only hands over what this process has committed, so that losing or
// repeating a hand-over changes nothing.
package engine

import (
	"context"
	"sync"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/deliver"
	"github.com/carillon/carillon/internal/engine/repair"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/schedules"
	"github.com/carillon/carillon/internal/engine/snooze"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/engine/watch"
	"github.com/carillon/carillon/internal/engine/webhooks"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
)

// Config is what an Engine works with.
type Config = state.Config

// Engine does everything that follows the acceptance of an event: it fans out, resumes runs, delivers and maintains.
type Engine struct {
	*state.Shared
	executor  *run.Executor
	snoozes   snooze.Snoozes
	fanOut    *run.FanOut
	httpSteps *run.HTTPSteps
	worker    *deliver.Worker
	replies   *deliver.ReplyPoster
	webhooks  *webhooks.Sender
	repairs   repair.Repairs
	schedules schedules.Schedules
	watch     *watch.Watch

	lookout    *lookout
	repeats    fault.Repeats // of what keeps the loops over due rows from looking
	start      sync.Once
	cancel     context.CancelFunc
	fanningOut sync.WaitGroup // workers that fan out
	streaming  sync.WaitGroup // those that do it page by page
}

// New makes an Engine. Start sets it to work.
func New(cfg Config) (*Engine, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	s := state.New(cfg)
	executor := run.NewExecutor(s)
	worker := deliver.NewWorker(s, executor)
	executor.SendWith(worker)
	ahead := newLookout()
	return &Engine{
		Shared: s, executor: executor, fanOut: &run.FanOut{Executor: executor}, httpSteps: run.NewHTTPSteps(executor, func() { ahead.wake(pgdue.DueHTTPSteps) }), worker: worker,
		snoozes: snooze.Snoozes{Shared: s}, lookout: ahead, replies: &deliver.ReplyPoster{Shared: s},
		webhooks: webhooks.NewSender(s, func() { ahead.wake(pgdue.DueWebhooks) }), repairs: repair.Repairs{Shared: s}, schedules: schedules.Schedules{Shared: s},
		watch: watch.New(s),
	}, nil
}

// Planner plans small events before they are stored.
func (e *Engine) Planner() accept.Planner { return run.NewPlanner(e.executor) }

// Start sets the workers, the waker and maintenance to work until Stop.
func (e *Engine) Start(ctx context.Context) error {
	e.start.Do(func() {
		working, _ := e.worker.UntilInterrupt(ctx)
		e.worker.Start()
		ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
		works := e.dueWorks()
		wakes := make([]<-chan struct{}, len(works))
		for i, w := range works {
			wakes[i] = e.lookout.add(w.name)
			e.Meter.TakenUp(string(w.name), 0) // the figure is there before anything is
		}
		for i, w := range works {
			e.Background.Go(func() { e.poll(ctx, w, wakes[i]) })
		}
		e.Queue.Open(e.lookout.touch)
		e.startWorkers(working)
		if !e.DB.VirtualClocks {
			e.Background.Go(func() { e.keepLookout(ctx) })
		}
		e.Background.Go(func() { e.prune(ctx) })
		e.Background.Go(func() { e.analyze(ctx) })
		e.Background.Go(func() { e.linkReceipts(ctx) })
		e.Background.Go(func() { e.restTriggers(ctx) })
		e.Background.Go(func() { e.sealStored(ctx) })
	})
	return nil
}

// Stop ends the waker and maintenance, lets the workers finish what they were handed, and waits for that or for ctx. What is
// cut off is taken up again by another process.
func (e *Engine) Stop(ctx context.Context) error {
	e.start.Do(func() {})
	if e.cancel != nil {
		e.cancel()
	}
	e.Background.Go(e.drain)
	return e.worker.Stop(ctx)
}

// Interrupt ends the attempts under way, so that what is known of them is recorded before the process ends. An attempt whose
// message had not left is made again later; what became of the others is unknown.
func (e *Engine) Interrupt() { e.worker.Interrupt() }

// SendTest makes the one attempt of a test message as that of any message is made, and reports it to the integration's breaker.
// It belongs to no message, so nothing is stored.
func (e *Engine) SendTest(ctx context.Context, t deliver.TestMessage) (pgmessage.AttemptRow, error) {
	return e.worker.SendTest(ctx, t)
}
