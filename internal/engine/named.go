package engine

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// A broadcast reaches every subscriber that exists, or is named by an event accepted, before the broadcast is accepted
// (semantics.md §11.34). The subscribers that existed are those up to an id. Of the events from before it some may still
// wait for their fan-out, or fail in it again and again: the broadcast does not wait for them, which would let one event
// hold up all, but creates whom they name, in the order of acceptance, and reaches them first. Whoever was created
// meanwhile, by an event that is done, has a notification of that event, and is reached last.

// namedEvents is how many events of the time before a broadcast are looked at together.
const namedEvents = 1_000

// planNamed makes the next page of a broadcast's recipients who are named by earlier events that still wait.
func (e *Engine) planNamed(ctx context.Context, s *source, at postgres.Checkpoint) (*page, error) {
	p := &page{before: at, after: at, stored: make(chan struct{})}
	from := at.Named
	if from == "" {
		oldest, err := postgres.OldestWaiting(ctx, e.DB.Pool, s.EnvironmentID, at.MaxEventID)
		if err != nil {
			return nil, err
		}
		from = before(oldest)
		if oldest == "" {
			from = at.MaxEventID
		}
	}
	inputs := map[postgres.SubscriberKey]*workflow.SubscriberInput{}
	for len(inputs) < e.PageSize && from < at.MaxEventID {
		events, err := postgres.NamedPage(ctx, e.DB.Pool, s.EnvironmentID, from, at.MaxEventID, namedEvents)
		if err != nil {
			return nil, err
		}
		if len(events) < namedEvents {
			from = at.MaxEventID
		} else {
			from = events[namedEvents-1].ID
		}
		for i := range events {
			if addNamed(inputs, s.EnvironmentID, &events[i]); len(inputs) >= e.PageSize {
				from = events[i].ID
				break
			}
		}
	}
	p.after.Named = from
	p.plan = func(ctx context.Context, tx pgx.Tx) error {
		p.batch = e.newBatch()
		return e.reachNamed(ctx, tx, p.batch, s, inputs, at.MaxSubscriberID)
	}
	return p, nil
}

// before is an id that lies right before another.
func before(record string) string {
	if record == "" {
		return ""
	}
	return record[:len(record)-1] // a text sorts behind each of its beginnings
}

// addNamed adds whom an event names. What cannot be read is passed over: the event itself fails by it.
func addNamed(inputs map[postgres.SubscriberKey]*workflow.SubscriberInput, environmentID string, ev *postgres.NamedRow) {
	var recipients workflow.Recipients
	if len(ev.Recipients) > 0 && json.Unmarshal(ev.Recipients, &recipients) == nil {
		for i := range recipients.Direct {
			addInput(inputs, environmentID, &recipients.Direct[i])
		}
	}
	var actor workflow.SubscriberInput
	if len(ev.Actor) > 0 && json.Unmarshal(ev.Actor, &actor) == nil && actor.SubscriberID != "" {
		addInput(inputs, environmentID, &actor)
	}
}

// reachNamed creates those of the named subscribers that do not exist yet, and makes the runs of those that a page of the
// subscribers up to newest does not reach.
func (e *Engine) reachNamed(ctx context.Context, tx pgx.Tx, b *batch, s *source, inputs map[postgres.SubscriberKey]*workflow.SubscriberInput, newest string) error {
	known, err := e.createNamed(ctx, tx, inputs)
	if err != nil {
		return err
	}
	late := map[string]*recipient{}
	var ids []string
	for _, who := range known {
		if who.ID > newest {
			late[who.ID] = who
			ids = append(ids, who.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	reached, err := postgres.ReachedSubscribers(ctx, tx, s.ID, ids)
	if err != nil {
		return err
	}
	slices.Sort(ids)
	var runs []*run
	for _, whoID := range ids {
		if !slices.Contains(reached, whoID) {
			runs = append(runs, b.newRun(s, late[whoID]))
		}
	}
	if err := e.personal(ctx, tx, runs); err != nil {
		return err
	}
	if err := b.know(ctx, tx, runs); err != nil {
		return err
	}
	for _, r := range runs {
		b.advance(ctx, r)
	}
	return nil
}

// createNamed creates subscribers that are missing, and answers all of them. Those that exist are left to the events that
// name them.
func (e *Engine) createNamed(ctx context.Context, tx pgx.Tx, inputs map[postgres.SubscriberKey]*workflow.SubscriberInput) (map[postgres.SubscriberKey]*recipient, error) {
	known := make(map[postgres.SubscriberKey]*recipient, len(inputs))
	if len(inputs) == 0 {
		return known, nil
	}
	names := sortedNames(inputs)
	found, err := postgres.FindSubscribers(ctx, tx, names)
	if err != nil {
		return nil, err
	}
	keep(known, found)
	var writes []postgres.SubscriberWrite
	for _, key := range names {
		if known[key] == nil {
			writes = append(writes, postgres.SubscriberWrite{EnvironmentID: key.EnvironmentID, Input: *inputs[key]})
		}
	}
	if len(writes) == 0 {
		return known, nil
	}
	for i, recordID := range id.Batch(time.Now(), len(writes)) {
		writes[i].ID = recordID
	}
	written, err := postgres.UpsertSubscribers(ctx, tx, writes)
	if err != nil {
		return nil, err
	}
	keep(known, written)
	return known, e.mergeSettings(ctx, tx, writes, known)
}

// nameParked creates whom a parked event names: it was accepted, so that later broadcasts reach them.
func (e *Engine) nameParked(ctx context.Context, eventID string) error {
	return e.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		ev, err := postgres.ReadNamed(ctx, tx, eventID)
		if err != nil || ev == nil {
			return err
		}
		inputs := map[postgres.SubscriberKey]*workflow.SubscriberInput{}
		addNamed(inputs, ev.EnvironmentID, &ev.NamedRow)
		_, err = e.createNamed(ctx, tx, inputs)
		return err
	})
}

// named reports whether the recipients that earlier events name have been looked at.
func named(at *postgres.Checkpoint) bool { return at.Named >= at.MaxEventID }
