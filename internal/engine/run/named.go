package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// A broadcast reaches every subscriber that exists, or is named by an event accepted, before the broadcast is accepted
// (semantics.md §11.34). The subscribers that existed are those up to an id. Of the events from before it some may still
// wait for their fan-out, or fail in it again and again: the broadcast does not wait for them, which would let one event
// hold up all, but creates whom they name, in the order of acceptance, and reaches them first. Events that are done by
// then, or parked, have created whom they name in the same transaction, and subscribers keep the oldest event that named
// them: those are reached last.

// namedEvents is how many events of the time before a broadcast are looked at together.
const namedEvents = 1_000

// namedBefore are whom earlier events name that still wait, a page of them, and the event up to which they were read.
func (f *FanOut) namedBefore(ctx context.Context, s *EventContext, at pgfanout.Checkpoint) (inputs namedInputs, upTo string, err error) {
	from := at.Named
	if from == "" {
		oldest, err := pgfanout.OldestWaiting(ctx, f.DB.Pool, s.EnvironmentID, at.MaxEventID, s.ID)
		if err != nil {
			return nil, "", err
		}
		from = before(oldest)
		if oldest == "" {
			from = at.MaxEventID
		}
	}
	inputs = namedInputs{}
	most, _ := f.most(s)
	for len(inputs) < most && from < at.MaxEventID {
		events, err := pgfanout.NamedPage(ctx, f.DB.Pool, s.EnvironmentID, from, at.MaxEventID, s.ID, namedEvents)
		if err != nil {
			return nil, "", err
		}
		if len(events) < namedEvents {
			from = at.MaxEventID
		} else {
			from = events[namedEvents-1].ID
		}
		for i := range events {
			if inputs.addNamed(s.EnvironmentID, &events[i]); len(inputs) >= most {
				from = events[i].ID
				break
			}
		}
	}
	return inputs, from, nil
}

// planNamed makes the batch of a page of a broadcast's recipients who are named by earlier events.
func (f *FanOut) planNamed(p *page, s *EventContext, inputs namedInputs) func(context.Context, pgx.Tx) error {
	return func(ctx context.Context, tx pgx.Tx) error {
		p.batch = f.newBatch()
		return f.reachNamed(ctx, tx, p.batch, s, inputs, p.before.MaxSubscriberID)
	}
}

// noneLate reports whether a broadcast that has come to the last subscriber of its acceptance has reached all its recipients.
func (f *FanOut) noneLate(ctx context.Context, want pgfanout.PageQuery, at *pgfanout.Checkpoint) (bool, error) {
	if at.MaxEventID == "" { // accepted before events were recorded
		return true, nil
	}
	want.After, want.NewestEvent, want.Limit = at.MaxSubscriberID, at.MaxEventID, 1
	late, err := pgfanout.LatePage(ctx, f.DB.Pool, want)
	return len(late) == 0, err
}

// before is an id that lies right before another.
func before(record string) string {
	if record == "" {
		return ""
	}
	return record[:len(record)-1] // a text sorts behind each of its beginnings
}

// addNamed adds whom an event names. What cannot be read is passed over: the event itself fails by it.
func (inputs namedInputs) addNamed(environmentID string, ev *pgfanout.NamedRow) {
	var recipients workflow.Recipients
	if len(ev.Recipients) > 0 && json.Unmarshal(ev.Recipients, &recipients) == nil {
		for i := range recipients.Direct {
			inputs.add(environmentID, ev.ID, &recipients.Direct[i])
		}
	}
	var actor workflow.SubscriberInput
	if len(ev.Actor) > 0 && json.Unmarshal(ev.Actor, &actor) == nil && actor.SubscriberID != "" {
		inputs.add(environmentID, ev.ID, &actor)
	}
}

// reachNamed creates those of the named subscribers that do not exist yet, and makes the runs of those that a page of the
// subscribers up to newest does not reach.
func (f *FanOut) reachNamed(ctx context.Context, tx pgx.Tx, b *batch, s *EventContext, inputs namedInputs, newest string) error {
	known, err := f.createNamed(ctx, tx, inputs)
	if err != nil {
		return err
	}
	late := map[string]*Recipient{}
	var ids []string
	for _, recipient := range known {
		if recipient.ID > newest {
			late[recipient.ID] = recipient
			ids = append(ids, recipient.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	reached, err := pgfanout.ReachedSubscribers(ctx, tx, s.ID, ids)
	if err != nil {
		return err
	}
	slices.Sort(ids)
	var runs []*run
	for _, recipientID := range ids {
		if !slices.Contains(reached, recipientID) {
			runs = append(runs, b.newRun(s, late[recipientID]))
		}
	}
	if err := f.loadPersonal(ctx, tx, runs); err != nil {
		return err
	}
	if err := b.starts.load(ctx, tx, runs); err != nil {
		return err
	}
	b.advanceAll(ctx, runs)
	return nil
}

// createNamed creates subscribers that are missing, and returns all of them. What is said of those that exist is left to the
// events that say it.
func (e *Executor) createNamed(ctx context.Context, tx pgx.Tx, inputs namedInputs) (map[pgsubscriber.SubscriberKey]*Recipient, error) {
	known := make(map[pgsubscriber.SubscriberKey]*Recipient, len(inputs))
	if len(inputs) == 0 {
		return known, nil
	}
	names := inputs.sorted()
	found, err := pgsubscriber.FindSubscribers(ctx, tx, names)
	if err != nil {
		return nil, err
	}
	addRecipients(known, found)
	var writes []pgsubscriber.SubscriberWrite
	for _, key := range names {
		switch in := inputs[key]; {
		case known[key] == nil:
			writes = append(writes, in.write(key))
		case in.older(known[key]):
			bare := namedInput{SubscriberInput: workflow.SubscriberInput{SubscriberID: key.SubscriberID}, by: in.by}
			writes = append(writes, bare.write(key))
		}
	}
	if len(writes) == 0 {
		return known, nil
	}
	for i, recordID := range id.Batch(time.Now(), len(writes)) {
		writes[i].ID = recordID
	}
	return known, e.writeNamed(ctx, tx, writes, known)
}

// writeNamed writes subscribers with their channel settings. Of one whom Postgres refuses only the subscriberId is kept: the event that
// says the rest fails by it, and must hold up neither a broadcast nor the others. It is found by halving the writes.
func (e *Executor) writeNamed(ctx context.Context, tx pgx.Tx, writes []pgsubscriber.SubscriberWrite, known map[pgsubscriber.SubscriberKey]*Recipient) error {
	if _, err := tx.Exec(ctx, "SAVEPOINT named"); err != nil {
		return fmt.Errorf("set a savepoint: %w", err)
	}
	err := e.upsertWrites(ctx, tx, writes, known)
	if !postgres.RefusesValue(err) || len(writes) == 1 && writes[0].Input.Bare() {
		return err
	}
	if _, undone := tx.Exec(ctx, "ROLLBACK TO SAVEPOINT named"); undone != nil {
		return fmt.Errorf("undo the creation of subscribers: %w", errors.Join(err, undone))
	}
	if len(writes) == 1 {
		writes[0].Input = workflow.SubscriberInput{SubscriberID: writes[0].Input.SubscriberID}
		return e.writeNamed(ctx, tx, writes, known)
	}
	half := len(writes) / 2
	if err := e.writeNamed(ctx, tx, writes[:half], known); err != nil {
		return err
	}
	return e.writeNamed(ctx, tx, writes[half:], known)
}

// park counts a failure of an event. One that is parked by it creates whom it names in the same transaction: it was
// accepted, so that later broadcasts reach them.
func (e *Executor) park(ctx context.Context, tx pgx.Tx, eventID string, f *pgdue.Failure) (parked bool, err error) {
	if parked, err = pgdue.FailEvent(ctx, tx, eventID, f); err != nil || !parked {
		return parked, err
	}
	ev, err := pgfanout.ReadNamed(ctx, tx, eventID)
	if err != nil || ev == nil {
		return parked, err
	}
	inputs := namedInputs{}
	inputs.addNamed(ev.EnvironmentID, &ev.NamedRow)
	_, err = e.createNamed(ctx, tx, inputs)
	return parked, err
}

// named reports whether the recipients that earlier events name have been looked at.
func named(at *pgfanout.Checkpoint) bool { return at.Named >= at.MaxEventID }
