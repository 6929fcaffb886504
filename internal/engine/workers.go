package engine

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/carillon/carillon/internal/engine/deliver"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/engine/run"
)

type fanOutWorker struct {
	river.WorkerDefaults[queue.FanOutArgs]
	fanOut *run.FanOut
}

// Work fans the events out. The job is completed by River in its own time: to repeat it finds nothing left to do.
func (w *fanOutWorker) Work(ctx context.Context, job *river.Job[queue.FanOutArgs]) error {
	if job.Queue != queue.QueueUrgent {
		w.fanOut.AwaitBackpressure(ctx)
	}
	return w.fanOut.Events(ctx, job.Args.EventIDs)
}

type sendWorker struct {
	river.WorkerDefaults[queue.SendArgs]
	worker *deliver.Worker
}

// Work makes the attempts that are due.
func (w *sendWorker) Work(ctx context.Context, job *river.Job[queue.SendArgs]) error {
	return w.worker.SendAside(ctx, job.Args.MessageIDs)
}
