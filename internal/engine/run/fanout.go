package run

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// FanOut makes the notifications of accepted events.
type FanOut struct{ *Executor }

// runsPerCommit bounds how many runs small events share a transaction with.
const runsPerCommit = 2_000

// Events makes the notifications of accepted events and takes each as far as it goes now. Events that
// were fanned out already are skipped, so a repetition is harmless.
func (f *FanOut) Events(ctx context.Context, eventIDs []string) error {
	return f.events(ctx, eventIDs, lockWait)
}

// Small makes the notifications of as many accepted events as one transaction takes. It returns those that are to be streamed, which are
// leased to this process, and those that are left.
func (f *FanOut) Small(ctx context.Context, eventIDs []string) (streams, left []string, err error) {
	got, err := f.claimNamed(ctx, eventIDs, lockWait)
	switch {
	case err == nil:
		return got.streams, got.left, nil
	case isAway(ctx, err):
		return nil, nil, err
	}
	return nil, nil, f.alone(ctx, eventIDs, err)
}

func (f *FanOut) claimNamed(ctx context.Context, eventIDs []string, wait time.Duration) (claimed, error) {
	return f.fanOutClaimed(ctx, len(eventIDs), wait, func(ctx context.Context, tx pgx.Tx) ([]pgfanout.EventRow, error) {
		return pgfanout.ClaimEvents(ctx, tx, eventIDs, f.Clocks.Moment())
	})
}

// alone handles events of which one is at fault: each by itself from here on, so that it spoils no other.
func (f *FanOut) alone(ctx context.Context, eventIDs []string, cause error) error {
	if len(eventIDs) == 1 {
		return f.failed(ctx, pgdue.DueEvents, eventIDs[0], cause)
	}
	for _, eventID := range eventIDs {
		if err := f.events(ctx, []string{eventID}, lockWaitAlone); err != nil {
			return err
		}
	}
	return nil
}

func (f *FanOut) events(ctx context.Context, eventIDs []string, wait time.Duration) error {
	for len(eventIDs) > 0 {
		got, err := f.claimNamed(ctx, eventIDs, wait)
		if err != nil {
			if isAway(ctx, err) {
				return err
			}
			return f.alone(ctx, eventIDs, err)
		}
		if err := f.streams(ctx, got.streams); err != nil {
			return err
		}
		eventIDs = got.left
	}
	return nil
}

func (f *FanOut) streams(ctx context.Context, eventIDs []string) error {
	for _, eventID := range eventIDs {
		if _, err := f.Stream(ctx, eventID, func() bool { return false }); err != nil {
			return err
		}
	}
	return nil
}

// Stream fans out an event page by page. When yields says so behind a page, it stops there, and there is more.
func (f *FanOut) Stream(ctx context.Context, eventID string, yields func() bool) (more bool, err error) {
	err = state.RecoverPanic(func() (err error) {
		more, err = f.stream(ctx, eventID, yields)
		return err
	})
	if err == nil || isAway(ctx, err) {
		return more, err
	}
	return false, f.failed(ctx, pgdue.DueEvents, eventID, err)
}

// claimed is what became of a set of events that a transaction claimed.
type claimed struct {
	found   int
	streams []string // to be streamed; they are leased to this process
	left    []string // those for which the transaction had no more room
}

// fanOutClaimed claims events and fans out all small ones of them in one transaction. Of the others it leases at most so many
// to be streamed.
func (f *FanOut) fanOutClaimed(ctx context.Context, streams int, wait time.Duration, claim func(context.Context, pgx.Tx) ([]pgfanout.EventRow, error)) (got claimed, err error) {
	var b *batch
	err = f.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		b, got = f.newBatch(), claimed{}
		if err := postgres.BoundLocks(ctx, tx, wait); err != nil {
			return err
		}
		events, err := claim(ctx, tx)
		if err != nil || len(events) == 0 {
			return err
		}
		got.found = len(events)
		sizes, err := f.audienceSizes(ctx, tx, events)
		if err != nil {
			return err
		}
		events, got.streams, got.left = f.split(events, sizes)
		got.streams = got.streams[:min(len(got.streams), streams)]
		if err := pgfanout.LeaseEvents(ctx, tx, got.streams, f.Lease); err != nil || len(events) == 0 {
			return err
		}
		audiences, err := loadAudiences(ctx, tx, events)
		if err != nil {
			return err
		}
		changes, err := f.fanOutDirect(ctx, tx, b, events, audiences, nil)
		if err != nil {
			return err
		}
		return b.write(ctx, tx, func(q *pgx.Batch) { pgfanout.ChangeEvents(q, changes) })
	})
	if err == nil {
		b.publish(ctx)
	}
	return got, err
}

// split separates small events from those that are streamed, and leaves for later what exceeds one transaction.
func (f *FanOut) split(events []pgfanout.EventRow, sizes map[pgfanout.Audience]int) (small []pgfanout.EventRow, streams, left []string) {
	room := runsPerCommit
	for i := range events {
		ev := &events[i]
		runs, fits := f.size(ev, sizes)
		switch {
		case !fits:
			streams = append(streams, ev.ID)
		case room <= 0:
			left = append(left, ev.ID)
		default:
			small = append(small, *ev)
			room -= runs
		}
	}
	return small, streams, left
}

// fanOutDirect makes the runs of the directly named recipients of events and of their audiences, as far as these are given. more
// is the checkpoint of events that continue as a stream; nil when all end here. An event that cannot be read is an error;
// each event is then retried by itself.
func (f *FanOut) fanOutDirect(ctx context.Context, tx pgx.Tx, b *batch, events []pgfanout.EventRow, audiences map[pgfanout.Audience][]pgfanout.PageRow, more *pgfanout.Checkpoint) ([]pgfanout.EventChange, error) {
	contexts, broken, err := f.LoadEventContexts(ctx, tx, events)
	if err != nil {
		return nil, err
	}
	for _, cause := range broken {
		return nil, cause
	}
	if contexts, err = holdEvents(ctx, tx, contexts); err != nil {
		return nil, err
	}
	b.named = namedInputs{}
	for _, s := range contexts {
		b.named.addEvent(&s.EventRow)
	}
	known, err := f.upsertNamed(ctx, tx, b.named)
	if err != nil {
		return nil, err
	}
	var changes []pgfanout.EventChange
	var runs []*run
	for _, s := range contexts {
		_, span := f.Span(ctx, s.TraceParent, "fan out", attribute.String("event.id", s.ID))
		first := len(runs)
		runs = append(runs, b.runsOfNamed(s, known)...)
		runs = append(runs, b.runsOfAudiences(s, audiences)...)
		changes = append(changes, s.change(len(runs)-first, more, f.Lease))
		span.End()
	}
	if err := f.loadPersonal(ctx, tx, runs); err != nil {
		return nil, err
	}
	if err := b.starts.load(ctx, tx, runs); err != nil {
		return nil, err
	}
	b.advanceAll(ctx, runs)
	return changes, nil
}

// runsOfNamed makes the runs of an event's directly named recipients, and shows them its actor.
func (b *batch) runsOfNamed(s *EventContext, known map[pgsubscriber.SubscriberKey]*Recipient) (runs []*run) {
	if s.Actor != nil {
		s.setActor(known[pgsubscriber.SubscriberKey{EnvironmentID: s.EnvironmentID, SubscriberID: s.Actor.SubscriberID}])
	}
	if s.Recipients == nil {
		return nil
	}
	for i := range s.Recipients.Direct {
		recipient := known[pgsubscriber.SubscriberKey{EnvironmentID: s.EnvironmentID, SubscriberID: s.Recipients.Direct[i].SubscriberID}]
		runs = append(runs, b.newRun(s, recipient))
	}
	return runs
}

// change is the end of an event's fan-out, or its first stage when more follows.
func (s *EventContext) change(notified int, more *pgfanout.Checkpoint, lease time.Duration) pgfanout.EventChange {
	c := pgfanout.EventChange{EnvironmentID: s.EnvironmentID, ID: s.ID, Status: "fanned_out", Notified: notified, Checkpoint: more}
	if more != nil {
		soon := time.Now().Add(lease)
		c.Status, c.DueAt = "accepted", &soon
	}
	if s.Recipients != nil {
		for _, invalid := range s.Recipients.Invalid {
			c.Trace = append(c.Trace, workflow.TraceEntry{
				At: s.now, Reason: workflow.ReasonInvalidRecipient, Detail: invalid.Path + ": " + invalid.Reason,
			})
		}
	}
	return c
}

// loadPersonal gives runs what belongs to their subscribers: preferences, and for chat and push where these go.
func (e *Executor) loadPersonal(ctx context.Context, q postgres.Querier, runs []*run) error {
	if len(runs) == 0 {
		return nil
	}
	want := pgrun.PersonalQuery{}
	for _, r := range runs {
		r.event.definition.AddPersonal(&want, &r.event.EventRow, r.subscriber.ID)
	}
	found, err := pgrun.LoadPersonal(ctx, q, want)
	if err != nil {
		return err
	}
	setPersonal(runs, found)
	return nil
}

// setPersonal gives runs what was found of their subscribers.
func setPersonal(runs []*run, found *pgrun.Personal) {
	bySubscriber := map[string][]*run{}
	for _, r := range runs {
		bySubscriber[r.subscriber.ID] = append(bySubscriber[r.subscriber.ID], r)
	}
	for i := range found.Preferences {
		p := &found.Preferences[i]
		for _, r := range bySubscriber[p.SubscriberID] {
			switch {
			case r.event.Scope != p.Scope:
			case p.WorkflowID == "":
				r.global = &p.PreferenceLevel
			case p.WorkflowID == r.event.WorkflowID:
				r.own = &p.PreferenceLevel
			}
		}
	}
	for _, s := range found.Settings {
		for _, r := range bySubscriber[s.SubscriberID] {
			r.settings = append(r.settings, s.ChannelSetting)
		}
	}
	for _, p := range found.Endpoints {
		for _, r := range bySubscriber[p.SubscriberID] {
			if r.event.Scope == p.Scope {
				r.endpoints = append(r.endpoints, p.Endpoint)
			}
		}
	}
}
