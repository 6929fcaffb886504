package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

var (
	// errTaken says that another worker has the event, or has finished it.
	errTaken = errors.New("the event is worked on elsewhere")
	// errPaced says that the event's pace was changed while it was fanned out.
	errPaced = errors.New("the event has another pace now")
)

// stream fans out an event to topics or, as a broadcast, to all subscribers, page by page, each page with its checkpoint in one transaction.
// While pages are written the next is read and planned, so that database and process both have work. Pages commit in their order
// (page_order.go). Whoever finds the checkpoint moved by another worker leaves the event to it. Of a paced event one page is made;
// the event is due again when the next may be.
func (f *FanOut) stream(ctx context.Context, eventID string, yields func() bool) (more bool, err error) {
	for {
		if more, err = f.streamAtPace(ctx, eventID, yields); !errors.Is(err, errPaced) {
			return more, err
		}
	}
}

func (f *FanOut) streamAtPace(ctx context.Context, eventID string, yields func() bool) (more bool, err error) {
	s, at, err := f.open(ctx, eventID)
	if err != nil || s == nil {
		return false, err
	}
	ctx, span := f.Span(ctx, s.TraceParent, "fan out stream")
	defer span.End()
	pages := make(chan *page)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		defer close(pages)
		more, err = f.readPages(ctx, s, at, pages, yields)
		return err
	})
	for range pageWriters {
		group.Go(func() error {
			for p := range pages {
				if err := f.writePage(ctx, s, p); err != nil {
					return err
				}
			}
			return nil
		})
	}
	switch err = group.Wait(); {
	case errors.Is(err, errTaken):
		return false, nil
	case err != nil:
		return false, err
	}
	return more, nil
}

// open claims the event and, on its first time, makes the runs of those named directly: they come before all topics, so
// that the object a trigger gives wins over what is stored.
func (f *FanOut) open(ctx context.Context, eventID string) (s *EventContext, at pgfanout.Checkpoint, err error) {
	var b *batch
	err = f.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		b, at = f.newBatch(), pgfanout.Checkpoint{}
		if err := f.boundPage(ctx, tx); err != nil {
			return err
		}
		events, err := pgfanout.ClaimEvents(ctx, tx, []string{eventID}, f.Clocks.Moment())
		if err != nil || len(events) == 0 {
			return err
		}
		ev := &events[0]
		if ev.Checkpoint != nil {
			at = *ev.Checkpoint
		}
		contexts, broken, err := f.LoadEventContexts(ctx, tx, events)
		if err != nil {
			return err
		}
		if broken[eventID] != nil {
			return broken[eventID]
		}
		if contexts, err = holdEvents(ctx, tx, contexts); err != nil || len(contexts) == 0 {
			return err
		}
		s = contexts[0]
		s.Checkpoint = &at
		if at.Started {
			return f.findActor(ctx, tx, s)
		}
		at.Started = true
		if at.Planned, err = pgfanout.Planned(ctx, tx, &s.EventRow, &at); err != nil {
			return err
		}
		ev.Checkpoint = &at
		changes, err := f.fanOutDirect(ctx, tx, b, events, nil, &at)
		if err != nil {
			return err
		}
		if err := f.findActor(ctx, tx, s); err != nil {
			return err
		}
		return b.write(ctx, tx, func(q *pgx.Batch) { pgfanout.ChangeEvents(q, changes) })
	})
	if err == nil {
		b.publish(ctx)
	}
	return s, at, err
}

func (e *Executor) findActor(ctx context.Context, tx pgx.Tx, s *EventContext) error {
	if s.Actor == nil {
		return nil
	}
	found, err := pgsubscriber.FindSubscribers(ctx, tx, []pgsubscriber.SubscriberKey{{EnvironmentID: s.EnvironmentID, SubscriberID: s.Actor.SubscriberID}})
	if err == nil && len(found) == 1 {
		s.setActor(&Recipient{SubscriberRow: found[0]})
	}
	return err
}

// page is a planned page of a stream.
type page struct {
	batch  *batch
	plan   func(context.Context, pgx.Tx) error // makes the batch, when rows that runs share decide: while it is written
	before pgfanout.Checkpoint                 // the checkpoint that the event must have when the page is written
	after  pgfanout.Checkpoint
	last   bool
	*progress
	earlier *progress // of the page before
}

// refreshEvery is how long a stream works with integrations, layouts and the workflow's switch as it once read them.
const refreshEvery = 5 * time.Second

// patience is how long a stream waits for this process to send what its pages have come to: messages that it sends soon cost less
// than those that are left to their due time. Where sending takes longer, the stream does not wait for it until it is refreshed.
const patience = time.Second

func (f *FanOut) readPages(ctx context.Context, s *EventContext, at pgfanout.Checkpoint, out chan<- *page, yields func() bool) (more bool, err error) {
	skip := s.leftOut()
	read := time.Now()
	earlier := begun
	for waits := true; ; {
		if time.Since(read) > refreshEvery {
			fresh, err := f.refresh(ctx, s)
			if err != nil {
				return false, err
			}
			s, read, waits = fresh, time.Now(), true
		}
		waits = waits && f.Queue.Messages.AwaitRoom(ctx, event.Lane(s.Lane), patience)
		p, err := f.plan(ctx, s, at, skip)
		if err != nil {
			return false, err
		}
		p.earlier, earlier = earlier, p.progress
		select {
		case out <- p:
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
		if p.last || s.PerSecond != nil {
			return false, nil
		}
		if p.after.Topic != at.Topic || p.after.Named != at.Named || p.after.Late != at.Late {
			// What comes next asks who was reached before, so that must be committed.
			if err := p.stored.await(ctx); err != nil {
				return false, err
			}
		}
		if at = p.after; yields() {
			return true, nil
		}
	}
}

// refresh reads the surroundings of an event anew, since a stream may take minutes.
func (f *FanOut) refresh(ctx context.Context, s *EventContext) (*EventContext, error) {
	events, err := pgfanout.LoadEvents(ctx, f.DB.Pool, []string{s.ID})
	if err != nil {
		return nil, err
	}
	contexts, broken, err := f.LoadEventContexts(ctx, f.DB.Pool, events)
	if err != nil {
		return nil, err
	}
	if len(contexts) == 0 {
		return nil, errors.Join(broken[s.ID], errTaken)
	}
	if contexts[0].pause() != nil {
		return nil, errors.Join(f.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
			_, err := holdEvents(ctx, tx, contexts)
			return err
		}), errTaken)
	}
	contexts[0].actor, contexts[0].actorAvatar = s.actor, s.actorAvatar
	return contexts[0], nil
}

// leftOut are the subscriberIds that topics do not reach: excluded ones, the actor, and those named directly, who have
// their notification already.
func (s *EventContext) leftOut() map[string]bool {
	skip := map[string]bool{}
	if s.Recipients != nil {
		for _, excluded := range s.Recipients.Excluded() {
			skip[excluded] = true
		}
		for i := range s.Recipients.Direct {
			skip[s.Recipients.Direct[i].SubscriberID] = true
		}
	}
	if s.Actor != nil && s.Kind != "broadcast" {
		skip[s.Actor.SubscriberID] = true
	}
	return skip
}

// plan reads the page that follows a checkpoint and takes its runs as far as they go.
func (f *FanOut) plan(ctx context.Context, s *EventContext, at pgfanout.Checkpoint, skip map[string]bool) (*page, error) {
	p := &page{before: at, after: at, progress: newProgress(), earlier: begun}
	p.after.Due = nil // a paced event's is known when the page is stored
	most, limit := f.most(s)
	want := pgfanout.PageQuery{
		EnvironmentID: s.EnvironmentID, Scope: s.Scope, WorkflowID: s.WorkflowID, After: at.After, Max: at.MaxSubscriberID,
		EventID: s.ID, Limit: limit, Earlier: []string{},
	}
	if s.Kind == "broadcast" && !named(&at) {
		inputs, upTo, err := f.namedBefore(ctx, s, at)
		if err != nil {
			return nil, err
		}
		p.after.Named = upTo
		if len(inputs) > 0 {
			p.plan = f.planNamed(p, s, inputs)
			return p, nil
		}
		at.Named = upTo
	}
	var rows []pgfanout.PageRow
	var err error
	switch {
	case s.Kind == "broadcast" && at.Late:
		want.NewestEvent = at.MaxEventID
		rows, err = pgfanout.LatePage(ctx, f.DB.Pool, want)
		full := f.cut(s, &rows, len(rows) == want.Limit, most)
		p.last = !full
	case s.Kind == "broadcast":
		rows, err = pgfanout.BroadcastPage(ctx, f.DB.Pool, want)
		full := f.cut(s, &rows, len(rows) == want.Limit, most)
		if p.after.Late = err == nil && !full; p.after.Late {
			p.last, err = f.noneLate(ctx, want, &at)
		}
	case at.Topic >= len(s.Recipients.Topics): // its audiences follow its topics
		if rows, err = f.chosen(ctx, s, want, p, most); err != nil {
			return nil, err
		}
	default:
		topics := s.Recipients.Topics
		want.Topic = topics[at.Topic].TopicKey
		for _, t := range topics[:at.Topic] {
			want.Earlier = append(want.Earlier, t.TopicKey)
		}
		rows, err = pgfanout.TopicPage(ctx, f.DB.Pool, want)
		full := len(rows) == want.Limit
		if full {
			rows = WholeSubscribers(rows)
		}
		if full = f.cut(s, &rows, full, most); !full {
			p.after.Topic, p.after.After = at.Topic+1, ""
			p.last = p.after.Topic == len(topics)+len(s.Recipients.Audiences)
		}
	}
	if err != nil {
		return nil, err
	}
	p.after.Examined += len(rows)
	switch {
	case p.after.Late && !at.Late:
		p.after.After = at.MaxSubscriberID
	case len(rows) > 0 && p.after.Topic == at.Topic:
		p.after.After = rows[len(rows)-1].ID
	}
	rows = s.choose(rows, &at)
	runs := func(ctx context.Context, q postgres.Querier) error {
		p.batch = f.newBatch()
		runs := p.batch.runsOf(s, rows, skip)
		if err := f.targets(ctx, q, runs); err != nil {
			return err
		}
		if err := p.batch.starts.load(ctx, q, runs); err != nil {
			return err
		}
		p.batch.advanceAll(ctx, runs)
		return nil
	}
	if s.definition.HasSharedSteps {
		p.plan = func(ctx context.Context, tx pgx.Tx) error { return runs(ctx, tx) }
		return p, nil
	}
	return p, state.RecoverPanic(func() error { return runs(ctx, f.DB.Pool) })
}

// targets reads where chat and push go; preferences came with the page.
func (f *FanOut) targets(ctx context.Context, q postgres.Querier, runs []*run) error {
	if len(runs) == 0 || !runs[0].event.definition.Settings {
		return nil
	}
	own, global := make([]*workflow.PreferenceLevel, len(runs)), make([]*workflow.PreferenceLevel, len(runs))
	for i, r := range runs {
		own[i], global[i] = r.own, r.global
	}
	if err := f.loadPersonal(ctx, q, runs); err != nil {
		return fmt.Errorf("read targets: %w", err)
	}
	for i, r := range runs {
		r.own, r.global = own[i], global[i]
	}
	return nil
}

// WholeSubscribers drops the last subscriber of a full page, whose further subscriptions may be on the next.
func WholeSubscribers(rows []pgfanout.PageRow) []pgfanout.PageRow {
	last := rows[len(rows)-1].ID
	first := slices.IndexFunc(rows, func(r pgfanout.PageRow) bool { return r.ID == last })
	if first == 0 {
		return rows // one subscriber fills the page: take it as it is, since nothing smaller can be taken
	}
	return rows[:first]
}

// runsOf makes the runs of a page: one per subscriber of whose subscriptions at least one lets the workflow pass.
func (b *batch) runsOf(s *EventContext, rows []pgfanout.PageRow, skip map[string]bool) []*run {
	runs := make([]*run, 0, len(rows)) // as a rule each has one subscription
	var budget condition.Budget
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].ID == rows[0].ID {
			n++
		}
		own := rows[:n]
		rows = rows[n:]
		if skip[own[0].SubscriberID] || own[0].Reached || own[0].Gone {
			continue
		}
		recipient := &Recipient{SubscriberRow: own[0].SubscriberRow}
		passing, passes := s.passing(recipient, own, &budget)
		if !passes {
			continue
		}
		r := b.newRun(s, recipient)
		r.row.Topics, r.own, r.global = passing, own[0].Workflow, own[0].Global
		runs = append(runs, r)
	}
	return runs
}

// passing are the identifiers of the subscriptions that let the workflow pass (decisions.md §12, Topic subscriptions).
func (s *EventContext) passing(recipient *Recipient, subscriptions []pgfanout.PageRow, budget *condition.Budget) (identifiers []string, passes bool) {
	if s.Kind == "broadcast" {
		return nil, true
	}
	budget.Next()
	for i := range subscriptions {
		sub := &subscriptions[i]
		switch {
		case sub.Enabled == nil:
		case sub.Condition != nil: // {} as well, which is no boolean and blocks
			pass, _ := budget.Evaluate(sub.Condition, condition.RuleData{
				Payload: s.Payload, Subscriber: recipient.View(), Actor: s.actor, Context: s.contextIDs,
			})
			if !pass {
				continue
			}
		case !*sub.Enabled:
			continue
		}
		identifiers = append(identifiers, sub.Subscription)
	}
	return identifiers, len(identifiers) > 0
}
