// Package queue holds the River queues and jobs with which the engine is told to look at rows.
package queue

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/postgres"
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

// MessagesPerJob bounds a send job: its calls share a commit before and a few after.
const MessagesPerJob = 50

var sendQueueOf = map[string]string{"urgent": QueueSendUrgent, "normal": QueueSendNormal, "bulk": QueueSendBulk}

// SendJobs are the jobs for messages, by lane.
func SendJobs(byLane map[string][]string) []river.InsertManyParams {
	var jobs []river.InsertManyParams
	for _, lane := range []string{"urgent", "normal", "bulk"} {
		ids := byLane[lane]
		for len(ids) > 0 {
			n := min(len(ids), MessagesPerJob)
			jobs = append(jobs, river.InsertManyParams{
				Args: SendArgs{MessageIDs: ids[:n]}, InsertOpts: &river.InsertOpts{Queue: sendQueueOf[lane]},
			})
			ids = ids[n:]
		}
	}
	return jobs
}

// Inserter is *river.Client[pgx.Tx], as far as the engine needs it. Jobs are few, because each holds a batch: for few
// rows one INSERT is cheaper than the COPY of InsertManyFastTx.
type Inserter interface {
	InsertManyTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
}

var queueOf = map[string]string{
	string(event.LaneUrgent): QueueUrgent,
	string(event.LaneNormal): QueueNormal,
	string(event.LaneBulk):   QueueBulk,
}

// maxJobEvents bounds a fan-out job.
const maxJobEvents = 100

// FanOutJobs groups events into jobs, each of one lane, in the order of acceptance.
func FanOutJobs(events []postgres.AcceptedEvent) []river.InsertManyParams {
	slices.SortFunc(events, func(x, y postgres.AcceptedEvent) int { return cmp.Compare(x.ID, y.ID) })
	lanes := map[string][]string{}
	for _, e := range events {
		lanes[e.Lane] = append(lanes[e.Lane], e.ID)
	}
	var jobs []river.InsertManyParams
	for lane, ids := range lanes {
		for part := range slices.Chunk(ids, maxJobEvents) {
			jobs = append(jobs, river.InsertManyParams{Args: FanOutArgs{EventIDs: part}, InsertOpts: &river.InsertOpts{Queue: queueOf[lane]}})
		}
	}
	return jobs
}
