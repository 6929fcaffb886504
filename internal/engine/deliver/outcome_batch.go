package deliver

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
)

// recorder records the outcomes of all batches of attempts under way together, so that commits grow with the load instead
// of their number.
type recorder struct {
	*state.Shared
	executor *run.Executor
	batches  postgres.Gather[[]pgmessage.MessageOutcome, error]
}

const (
	outcomeWriters = 3   // commits at once
	outcomeLimit   = 500 // outcomes of one commit; the last batch may exceed it
)

func newRecorder(s *state.Shared, executor *run.Executor) *recorder {
	r := &recorder{Shared: s, executor: executor}
	r.batches.Ask = r.recordBatches
	r.batches.Workers, r.batches.Most, r.batches.Inherit = outcomeWriters, outcomeLimit, true
	r.batches.Weight = func(outcomes []pgmessage.MessageOutcome) int { return len(outcomes) }
	return r
}

// record records outcomes, and returns when they are committed or have failed.
func (r *recorder) record(ctx context.Context, outcomes []pgmessage.MessageOutcome) error {
	failed, err := r.batches.Get(ctx, outcomes)
	return errors.Join(failed, err)
}

// recordBatches records several batches in one commit. Batches that fail together are recorded one by one, and so are the outcomes of a
// batch that Postgres refuses, so that the one at fault fails alone: a call whose outcome is not recorded is made again.
func (r *recorder) recordBatches(ctx context.Context, batches [][]pgmessage.MessageOutcome) ([]error, error) {
	all, err := r.recordGroup(ctx, slices.Concat(batches...))
	failures := make([]error, len(batches))
	for i, outcomes := range batches {
		recorded := all
		failures[i] = err
		if !recorded && len(batches) > 1 {
			recorded, failures[i] = r.recordGroup(ctx, outcomes)
		}
		if !recorded && len(outcomes) > 1 && fault.KindOf(postgres.Translate(failures[i])) != fault.Unavailable {
			failures[i] = r.recordEach(ctx, outcomes)
		}
	}
	return failures, nil
}

func (r *recorder) recordEach(ctx context.Context, outcomes []pgmessage.MessageOutcome) error {
	var failures []error
	for i := range outcomes {
		_, err := r.recordGroup(ctx, outcomes[i:i+1])
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

func (r *recorder) recordGroup(ctx context.Context, outcomes []pgmessage.MessageOutcome) (recorded bool, err error) {
	err = state.RecoverPanic(func() (err error) {
		recorded, err = r.recordOutcomes(ctx, outcomes)
		return err
	})
	return recorded, err
}

// recordOutcomes records outcomes, retries when the database gave way to another transaction, and takes up the runs that
// waited for them; recorded reports whether they are. When the record fails for good the intents stay, and whoever claims
// next finds them.
func (r *recorder) recordOutcomes(ctx context.Context, outcomes []pgmessage.MessageOutcome) (recorded bool, err error) {
	var waiting []string
	var completed int
	began := time.Now()
	err = postgres.Retry(ctx, func(ctx context.Context) (err error) {
		waiting, completed, err = pgmessage.RecordOutcomes(ctx, r.DB, outcomes)
		return err
	})
	if err != nil {
		return false, err
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
	if len(waiting) == 0 {
		return true, nil
	}
	return true, r.executor.Advance(ctx, waiting)
}
