package deliver

import (
	"context"
	"sync"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/workflow"
)

// recorder records the outcomes of all batches of calls under way together: what comes while a few writes run waits for
// the next one, so that commits grow with the load instead of their number. It never waits itself.
type recorder struct {
	*state.Shared
	executor *run.Executor

	mu      sync.Mutex
	waiting []outcomeGroup
	writers int
}

// outcomeGroup is what one batch hands in at once.
type outcomeGroup struct {
	outcomes []pgmessage.MessageOutcome
	done     chan error
}

const (
	outcomeWriters = 3   // writes at once
	outcomeLimit   = 500 // outcomes of one write, a settlement more or less
)

// recordTogether records outcomes, and returns when they are committed.
func (r *recorder) recordTogether(ctx context.Context, outcomes []pgmessage.MessageOutcome) error {
	own := outcomeGroup{outcomes, make(chan error, 1)}
	r.mu.Lock()
	r.waiting = append(r.waiting, own)
	begin := r.writers < outcomeWriters
	if begin {
		r.writers++
	}
	r.mu.Unlock()
	if begin {
		go r.recordWaiting(ctx)
	}
	return <-own.done
}

// recordWaiting writes until nothing waits. Settlements that fail together are tried one by one, so that the one at fault
// holds up no other.
func (r *recorder) recordWaiting(ctx context.Context) {
	for {
		group := r.next()
		if len(group) == 0 {
			return
		}
		var all []pgmessage.MessageOutcome
		for _, one := range group {
			all = append(all, one.outcomes...)
		}
		recorded, err := r.recordGroup(ctx, all)
		for _, one := range group {
			if !recorded && len(group) > 1 {
				_, err = r.recordGroup(ctx, one.outcomes)
			}
			one.done <- err
		}
	}
}

func (r *recorder) recordGroup(ctx context.Context, outcomes []pgmessage.MessageOutcome) (recorded bool, err error) {
	err = state.RecoverPanic(func() (err error) {
		recorded, err = r.recordOutcomes(ctx, outcomes)
		return err
	})
	return recorded, err
}

// next takes what waits, as much as one write should hold; nothing ends the writer.
func (r *recorder) next() (group []outcomeGroup) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, outcomes := 0, 0
	for n < len(r.waiting) && outcomes < outcomeLimit {
		outcomes += len(r.waiting[n].outcomes)
		n++
	}
	group, r.waiting = r.waiting[:n:n], r.waiting[n:]
	if n == 0 {
		r.writers--
	}
	return group
}

// recordOutcomes records outcomes, tries again when the database gave way to another transaction, and takes up the runs that
// waited for them; recorded reports whether they are. When the record fails for good the intents stay, and whoever claims
// next finds them.
func (r *recorder) recordOutcomes(ctx context.Context, outcomes []pgmessage.MessageOutcome) (recorded bool, err error) {
	var calledUp []string
	var completed int
	err = postgres.Retry(ctx, func(ctx context.Context) (err error) {
		calledUp, completed, err = pgmessage.RecordOutcomes(ctx, r.DB, outcomes)
		return err
	})
	if err != nil {
		return false, err
	}
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
		}
		traced[i] = state.TraceChange{EnvironmentID: o.EnvironmentID, NotificationID: o.NotificationID}
	}
	r.Traced(traced)
	if len(calledUp) == 0 {
		return true, nil
	}
	return true, r.executor.Advance(ctx, calledUp)
}
