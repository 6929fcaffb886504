// Package engine owns accept and everything after it: fan-out, plan, send and wake. Due rows are the truth; River jobs
// only say "look here now", so losing or repeating one changes nothing.
package engine

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// Queues of River: one per lane, so that a broadcast cannot starve a login code. Sends have queues of their own, because
// a provider that hangs holds its workers, and those must not be the ones that fan out.
const (
	QueueUrgent     = "urgent"
	QueueNormal     = "normal"
	QueueBulk       = "bulk"
	QueueSendUrgent = "send_urgent"
	QueueSendNormal = "send_normal"
	QueueSendBulk   = "send_bulk"
)

// RiverConfig is how River serves the engine best. The caller adds workers, logger and, where LISTEN does not work,
// PollOnly. Jobs are as good as gone once worked, since due rows are the truth, so they are not kept. River's two GIN
// indexes must be set to fastupdate=off (the migration does), else every flush of their pending list stalls a writer.
func RiverConfig() *river.Config {
	return &river.Config{
		// Throughput of a queue is MaxWorkers / FetchCooldown.
		FetchCooldown: 5 * time.Millisecond,
		// A job inserted within the cooldown of another is not notified of, so the poll bounds how long it waits.
		FetchPollInterval:           200 * time.Millisecond,
		CompletedJobRetentionPeriod: time.Minute,
		CancelledJobRetentionPeriod: time.Hour,
		DiscardedJobRetentionPeriod: 24 * time.Hour,
		JobTimeout:                  -1,
		MaxAttempts:                 5,
		Queues: map[string]river.QueueConfig{
			QueueUrgent:     {MaxWorkers: 4},
			QueueNormal:     {MaxWorkers: 8},
			QueueBulk:       {MaxWorkers: 2},
			QueueSendUrgent: {MaxWorkers: 32},
			QueueSendNormal: {MaxWorkers: 64},
			QueueSendBulk:   {MaxWorkers: 16},
		},
	}
}

// FanOutArgs says that these events were accepted.
type FanOutArgs struct {
	EventIDs []string `json:"event_ids"`
}

// Kind names the job.
func (FanOutArgs) Kind() string { return "fan_out" }

// SendArgs says that these messages are due for an attempt.
type SendArgs struct {
	MessageIDs []string `json:"message_ids"`
}

// Kind names the job.
func (SendArgs) Kind() string { return "send" }

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
	return w.worker.send(ctx, job.Args.MessageIDs, w.worker.deliverAside)
}

// messagesPerJob bounds a send job: its calls share a commit before and a few after.
const messagesPerJob = 50

var sendQueueOf = map[string]string{"urgent": QueueSendUrgent, "normal": QueueSendNormal, "bulk": QueueSendBulk}

// sendJobs are the jobs for messages, by lane.
func sendJobs(byLane map[string][]string) []river.InsertManyParams {
	var jobs []river.InsertManyParams
	for _, lane := range []string{"urgent", "normal", "bulk"} {
		ids := byLane[lane]
		for len(ids) > 0 {
			n := min(len(ids), messagesPerJob)
			jobs = append(jobs, river.InsertManyParams{
				Args: SendArgs{MessageIDs: ids[:n]}, InsertOpts: &river.InsertOpts{Queue: sendQueueOf[lane]},
			})
			ids = ids[n:]
		}
	}
	return jobs
}
