package engine

import (
	"context"
	"sync"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// outcomeBatcher records the outcomes of all batches of calls under way together: what comes while a few writes run waits for
// the next one, so that commits grow with the load instead of their number. It never waits itself.
type outcomeBatcher struct {
	mu      sync.Mutex
	waiting []outcomeGroup
	writers int
}

// outcomeGroup is what one batch hands in at once.
type outcomeGroup struct {
	outcomes []postgres.MessageOutcome
	done     chan error
}

const (
	outcomeWriters = 3   // writes at once
	outcomeLimit   = 500 // outcomes of one write, a settlement more or less
)

// recordTogether records outcomes, and returns when they are committed.
func (e *Engine) recordTogether(ctx context.Context, outcomes []postgres.MessageOutcome) error {
	own := outcomeGroup{outcomes, make(chan error, 1)}
	s := &e.outcomes
	s.mu.Lock()
	s.waiting = append(s.waiting, own)
	begin := s.writers < outcomeWriters
	if begin {
		s.writers++
	}
	s.mu.Unlock()
	if begin {
		go e.recordWaiting(ctx)
	}
	return <-own.done
}

// recordWaiting writes until nothing waits. Settlements that fail together are tried one by one, so that the one at fault
// holds up no other.
func (e *Engine) recordWaiting(ctx context.Context) {
	for {
		group := e.outcomes.next()
		if len(group) == 0 {
			return
		}
		var all []postgres.MessageOutcome
		for _, one := range group {
			all = append(all, one.outcomes...)
		}
		recorded, err := e.recordGroup(ctx, all)
		for _, one := range group {
			if !recorded && len(group) > 1 {
				_, err = e.recordGroup(ctx, one.outcomes)
			}
			one.done <- err
		}
	}
}

func (e *Engine) recordGroup(ctx context.Context, outcomes []postgres.MessageOutcome) (recorded bool, err error) {
	err = recoverPanic(func() (err error) {
		recorded, err = e.recordOutcomes(ctx, outcomes)
		return err
	})
	return recorded, err
}

// next takes what waits, as much as one write should hold; nothing ends the writer.
func (s *outcomeBatcher) next() (group []outcomeGroup) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, outcomes := 0, 0
	for n < len(s.waiting) && outcomes < outcomeLimit {
		outcomes += len(s.waiting[n].outcomes)
		n++
	}
	group, s.waiting = s.waiting[:n:n], s.waiting[n:]
	if n == 0 {
		s.writers--
	}
	return group
}

// recordOutcomes records outcomes, tries again when the database gave way to another transaction, and takes up the runs that
// waited for them; recorded reports whether they are. When the record fails for good the intents stay, and whoever claims
// next finds them.
func (e *Engine) recordOutcomes(ctx context.Context, outcomes []postgres.MessageOutcome) (recorded bool, err error) {
	var calledUp []string
	var completed int
	err = postgres.Retry(ctx, func(ctx context.Context) (err error) {
		calledUp, completed, err = e.DB.RecordOutcomes(ctx, outcomes)
		return err
	})
	if err != nil {
		return false, err
	}
	if completed > 0 {
		e.Meter.Notifications(string(workflow.RunCompleted), completed)
	}
	e.recordHealth(ctx, outcomes)
	e.linkReceipts(ctx, outcomes)
	traced := make([]TraceChange, len(outcomes))
	for i := range outcomes {
		o := &outcomes[i]
		if o.DueAt == nil {
			e.Meter.Messages(o.Channel, string(o.Status), 1)
		}
		traced[i] = TraceChange{o.EnvironmentID, o.NotificationID}
	}
	e.Traced(traced)
	if len(calledUp) == 0 {
		return true, nil
	}
	return true, e.Advance(ctx, calledUp)
}
