package run

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// upsertNamed creates and changes the directly named recipients and actors of events, all of them in one go, and returns
// them as they are now.
func (e *Executor) upsertNamed(ctx context.Context, tx pgx.Tx, inputs namedInputs) (map[pgsubscriber.SubscriberKey]*Recipient, error) {
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
		if in := inputs[key]; in.changes(known[key]) {
			writes = append(writes, in.write(key))
		}
	}
	if len(writes) == 0 {
		return known, nil
	}
	for i, recordID := range id.Batch(time.Now(), len(writes)) {
		writes[i].ID = recordID
	}
	return known, e.upsertWrites(ctx, tx, writes, known)
}

// upsertWrites stores subscribers with the channel settings that came with them, and adds them to those that are known.
func (e *Executor) upsertWrites(ctx context.Context, tx pgx.Tx, writes []pgsubscriber.SubscriberWrite, known map[pgsubscriber.SubscriberKey]*Recipient) error {
	written, err := pgsubscriber.UpsertSubscribers(ctx, tx, writes)
	if err != nil {
		return err
	}
	addRecipients(known, written)
	return e.mergeSettings(ctx, tx, writes, known)
}

// namedInput is what events say of a subscriber whom they name as recipient or actor: a later event overlays an earlier one.
type namedInput struct {
	workflow.SubscriberInput
	by, newest string // the oldest and the newest of these events
}

type namedInputs map[pgsubscriber.SubscriberKey]*namedInput

func (inputs namedInputs) add(environmentID, eventID string, in *workflow.SubscriberInput) {
	key := pgsubscriber.SubscriberKey{EnvironmentID: environmentID, SubscriberID: in.SubscriberID}
	if earlier := inputs[key]; earlier != nil {
		earlier.Overlay(*in)
		earlier.by, earlier.newest = min(earlier.by, eventID), max(earlier.newest, eventID)
		return
	}
	merged := *in
	merged.Channels = slices.Clone(in.Channels)
	inputs[key] = &namedInput{merged, eventID, eventID}
}

// addEvent adds whom an event names, without profiles that were stored with it: later events may have changed these.
func (inputs namedInputs) addEvent(ev *pgfanout.EventRow) {
	add := func(in *workflow.SubscriberInput) {
		if ev.ProfilesStored {
			in = &workflow.SubscriberInput{SubscriberID: in.SubscriberID, Channels: in.Channels}
		}
		inputs.add(ev.EnvironmentID, ev.ID, in)
	}
	if ev.Recipients != nil {
		for i := range ev.Recipients.Direct {
			add(&ev.Recipients.Direct[i])
		}
	}
	if ev.Actor != nil {
		add(ev.Actor)
	}
}

// changes reports whether the subscriber has to be created or changed; recipient is nil when there is none yet.
func (in *namedInput) changes(recipient *Recipient) bool {
	return recipient == nil || in.older(recipient) || in.Differs(&recipient.Profile, recipient.Data)
}

// older reports whether no event that named the subscriber is known to be as old as this one.
func (in *namedInput) older(recipient *Recipient) bool {
	return recipient.NamedBy == nil || in.by < *recipient.NamedBy
}

func (in *namedInput) write(key pgsubscriber.SubscriberKey) pgsubscriber.SubscriberWrite {
	return pgsubscriber.SubscriberWrite{EnvironmentID: key.EnvironmentID, Input: in.SubscriberInput, NamedBy: in.by}
}

// applied is a subscriber as the input makes it. It is nil when that is left to the fan-out: with channel settings, or with much data.
func (in *namedInput) applied(row pgsubscriber.SubscriberRow) *Recipient {
	if len(in.Channels) > 0 {
		return nil
	}
	if in.Data.Set {
		row.Data = nil
	}
	if data := in.Data.Ptr(); data != nil {
		text, err := json.Marshal(*data)
		if err != nil || len(text) > maxKnownBytes || !jsonnum.IsPlain(text) {
			return nil
		}
		row.Data = text
	}
	values := row.Values()
	for i, text := range in.Texts() {
		if text.Value.Set {
			*values[i] = text.Value.Ptr()
		}
	}
	return &Recipient{SubscriberRow: row}
}

// sorted are the keys in the order in which they are locked.
func (inputs namedInputs) sorted() []pgsubscriber.SubscriberKey {
	keys := make([]pgsubscriber.SubscriberKey, 0, len(inputs))
	for key := range inputs {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, pgsubscriber.SubscriberKey.Compare)
	return keys
}

func addRecipients(known map[pgsubscriber.SubscriberKey]*Recipient, rows []pgsubscriber.SubscriberRow) {
	for _, row := range rows {
		known[pgsubscriber.SubscriberKey{EnvironmentID: row.EnvironmentID, SubscriberID: row.SubscriberID}] = &Recipient{SubscriberRow: row}
	}
}

// mergeSettings stores the channel settings that came with recipients, whose rows the upsert has locked.
func (e *Executor) mergeSettings(ctx context.Context, tx pgx.Tx, writes []pgsubscriber.SubscriberWrite, known map[pgsubscriber.SubscriberKey]*Recipient) error {
	var settings []pgsubscriber.SettingWrite
	for _, w := range writes {
		recipient := known[pgsubscriber.SubscriberKey{EnvironmentID: w.EnvironmentID, SubscriberID: w.Input.SubscriberID}]
		for _, channel := range workflow.MergeChannels(w.Input.Channels) {
			var err error
			if channel.Credentials.WebhookURL, err = e.Secrets.SealURL(w.EnvironmentID, channel.Credentials.WebhookURL); err != nil {
				return err
			}
			settings = append(settings, pgsubscriber.SettingWrite{
				ID: id.New(time.Now()), EnvironmentID: w.EnvironmentID, SubscriberID: recipient.ID, ChannelInput: channel,
			})
		}
	}
	if len(settings) == 0 {
		return nil
	}
	return pgsubscriber.MergeSettings(ctx, tx, settings)
}
