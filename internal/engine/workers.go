package engine

import (
	"context"

	"github.com/riverqueue/river"
)

type fanOutWorker struct {
	river.WorkerDefaults[FanOutArgs]
	fanOut *FanOut
}

// Work fans the events out. The job is completed by River in its own time: to repeat it finds nothing left to do.
func (w *fanOutWorker) Work(ctx context.Context, job *river.Job[FanOutArgs]) error {
	if job.Queue != QueueUrgent {
		w.fanOut.awaitBackpressure(ctx)
	}
	return w.fanOut.Events(ctx, job.Args.EventIDs)
}

type sendWorker struct {
	river.WorkerDefaults[SendArgs]
	worker *Worker
}

// Work makes the attempts that are due.
func (w *sendWorker) Work(ctx context.Context, job *river.Job[SendArgs]) error {
	return w.worker.SendAside(ctx, job.Args.MessageIDs)
}
