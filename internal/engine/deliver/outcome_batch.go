package deliver

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
)

// recorder records the outcomes of all batches of attempts under way together, so that commits grow with the load instead
// of their number.
type recorder struct {
	*state.Shared
	executor *run.Executor
	batches  postgres.Gather[[]pgmessage.MessageOutcome, recorded]
}

// recorded is what became of a batch of outcomes.
type recorded struct {
	err error
	// waiting are runs that waited for outcomes of this batch, or of those that were committed with it.
	waiting []string
}

const (
	outcomeWriters = 3   // commits at once
	outcomeLimit   = 500 // outcomes of one commit; the last batch may exceed it

	// awayFor is for how long outcomes are kept while the database does not answer. A provider that has taken a message would get it again
	// otherwise.
	awayFor = 2 * time.Minute
	// longestPause is between two tries. It is short, so that outcomes are recorded before messages whose leases ended meanwhile are claimed.
	longestPause = 200 * time.Millisecond
)

func newRecorder(s *state.Shared, executor *run.Executor) *recorder {
	r := &recorder{Shared: s, executor: executor}
	r.batches.Ask = r.recordBatches
	r.batches.Workers, r.batches.Most, r.batches.Inherit, r.batches.Direct = outcomeWriters, outcomeLimit, true, true
	r.batches.Weight = func(outcomes []pgmessage.MessageOutcome) int { return len(outcomes) }
	return r
}

// record records outcomes, and returns when they are committed or have failed, and the runs that waited for them are taken up.
func (r *recorder) record(ctx context.Context, outcomes []pgmessage.MessageOutcome) error {
	done, err := r.batches.Get(ctx, outcomes)
	if len(done.waiting) == 0 {
		return errors.Join(done.err, err)
	}
	// Not where outcomes are written, so that those of others do not wait for it.
	advanced := state.RecoverPanic(func() error { return r.executor.Advance(ctx, done.waiting) })
	return errors.Join(done.err, err, advanced)
}

// recordBatches records several batches in one commit. Batches that fail together are recorded one by one, and so are the outcomes of a
// batch that Postgres refuses, so that the one at fault fails alone: a call whose outcome is not recorded is made again.
func (r *recorder) recordBatches(ctx context.Context, batches [][]pgmessage.MessageOutcome) ([]recorded, error) {
	done := make([]recorded, len(batches))
	until := time.Now().Add(awayFor)
	all := r.recordGroup(ctx, slices.Concat(batches...), until)
	if all.err == nil {
		done[0] = all
		return done, nil
	}
	for i, outcomes := range batches {
		if done[i] = all; len(batches) > 1 {
			done[i] = r.recordGroup(ctx, outcomes, until)
		}
		if err := done[i].err; err != nil && len(outcomes) > 1 && !state.IsInfrastructure(ctx, err) {
			done[i] = r.recordEach(ctx, outcomes, until)
		}
	}
	return done, nil
}

func (r *recorder) recordEach(ctx context.Context, outcomes []pgmessage.MessageOutcome, until time.Time) (all recorded) {
	for i := range outcomes {
		done := r.recordGroup(ctx, outcomes[i:i+1], until)
		all.err = errors.Join(all.err, done.err)
		all.waiting = append(all.waiting, done.waiting...)
	}
	return all
}

func (r *recorder) recordGroup(ctx context.Context, outcomes []pgmessage.MessageOutcome, until time.Time) (done recorded) {
	done.err = state.RecoverPanic(func() (err error) {
		done.waiting, err = r.recordOutcomes(ctx, outcomes, until)
		return err
	})
	return done
}

// recordOutcomes records outcomes, retries when the database gave way to another transaction, and returns the runs that waited for
// them. It keeps them until the given time while the database does not answer. When the record fails for good the intents stay, and the
// next claim finds them.
func (r *recorder) recordOutcomes(ctx context.Context, outcomes []pgmessage.MessageOutcome, until time.Time) (waiting []string, err error) {
	var completed int
	began := time.Now()
	record := func(ctx context.Context) (err error) {
		waiting, completed, err = pgmessage.RecordOutcomes(ctx, r.DB, outcomes)
		return err
	}
	err = postgres.Retry(ctx, record)
	for pause := 50 * time.Millisecond; err != nil && state.IsInfrastructure(ctx, err) && r.pause(ctx, pause, until); pause = min(2*pause, longestPause) {
		var committed bool
		if committed, err = pgmessage.OutcomesRecorded(ctx, r.DB, outcomes); err == nil && !committed {
			err = postgres.Retry(ctx, record)
		}
	}
	if err != nil {
		return nil, err
	}
	r.Meter.Commit("outcomes", len(outcomes), time.Since(began))
	if completed > 0 {
		r.Meter.Notifications(string(workflow.RunCompleted), completed)
	}
	r.recordHealth(ctx, outcomes)
	r.linkReceipts(ctx, outcomes)
	traced := make([]state.TraceChange, len(outcomes))
	for i := range outcomes {
		o := &outcomes[i]
		if o.DueAt == nil {
			r.Meter.Messages(o.Channel, string(o.Status), 1)
			if o.Took > 0 {
				r.Meter.Delivered(o.Lane, o.Channel, o.Took)
			}
		}
		traced[i] = state.TraceChange{EnvironmentID: o.EnvironmentID, NotificationID: o.NotificationID}
	}
	r.Traced(traced)
	return waiting, nil
}

// pause waits, and reports whether there is time for another try.
func (r *recorder) pause(ctx context.Context, pause time.Duration, until time.Time) bool {
	if time.Until(until) < pause {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}
