package notify_test

import (
	"encoding/json"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/workflow"
)

func (a *audienceSuite) mark(t *testing.T, as inbox.Mark, ids ...string) []*ent.Message {
	t.Helper()
	rows, err := a.Inbox.Mark(a.ctx, inbox.MarkMessagesInput{
		InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: ids}, MarkAs: as,
	})
	require.NoError(t, err)
	return rows
}

func TestMarkMessages(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	u := a.subscribers(t, 2)
	own, foreign := a.messages(t, u[0], 3), a.messages(t, u[1], 1)

	rows := a.mark(t, inbox.MarkRead, own[2], id.Global("Message", own[0]), "nonsense", foreign[0], own[2], id.New(a.now))
	require.Len(t, rows, 2)
	require.Equal(t, []string{own[2], own[0]}, []string{rows[0].ID, rows[1].ID}, "order of the call, each once")
	for _, m := range rows {
		require.True(t, m.Read && m.Seen)
		require.Equal(t, a.now, m.LastReadAt.UTC())
		require.Equal(t, a.now, m.LastSeenAt.UTC())
	}
	state, err := a.InboxStates.BySubscriber(a.ctx, "u0", nil)
	require.NoError(t, err)
	require.Equal(t, []int{3, 1, 1}, []int{state.Total, state.Unread, state.Unseen})
	require.EqualValues(t, 2, state.Sequence)
	require.EqualValues(t, 2, rows[0].Sequence)

	row := a.mark(t, inbox.MarkUnread, own[0])[0]
	require.False(t, row.Read)
	require.True(t, row.Seen)
	require.NotNil(t, row.LastReadAt, "dates stay")
	row = a.mark(t, inbox.MarkUnseen, own[0])[0]
	require.False(t, row.Seen)
	row = a.mark(t, inbox.MarkSeen, own[0])[0]
	require.True(t, row.Seen)
	require.False(t, row.Read)

	before, err := a.InboxStates.BySubscriber(a.ctx, "u0", nil)
	require.NoError(t, err)
	require.Len(t, a.mark(t, inbox.MarkUnread, own[0]), 1, "one in that state already is included")
	after, err := a.InboxStates.BySubscriber(a.ctx, "u0", nil)
	require.NoError(t, err)
	require.Equal(t, before.Sequence, after.Sequence, "nothing changed")
	require.Empty(t, a.mark(t, inbox.MarkRead, foreign[0]))

	require.NoError(t, a.db.Ent.Message.UpdateOneID(own[1]).SetStatus(workflow.MessagePending).Exec(a.ctx))
	require.Empty(t, a.mark(t, inbox.MarkRead, own[1]), "it has not come yet")
	pending, err := a.db.Ent.Message.Get(a.ctx, own[1])
	require.NoError(t, err)
	require.False(t, pending.Read)
}

func TestMarkMessagesRefusals(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	a.subscribers(t, 1)
	call := func(subscriber string, as inbox.Mark, ids ...string) error {
		_, err := a.Inbox.Mark(a.ctx, inbox.MarkMessagesInput{
			InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: subscriber, MessageIDs: ids}, MarkAs: as,
		})
		return err
	}
	var f *fault.Error
	require.ErrorAs(t, call("u0", inbox.MarkRead), &f)
	require.Equal(t, inbox.CodeMessageIDRequired, f.Code)
	require.ErrorAs(t, call("u0", inbox.MarkRead, ""), &f)
	require.Equal(t, inbox.CodeMessageIDRequired, f.Code)
	requireKind(t, fault.Invalid, call("u0", "burnt", "x"))
	requireKind(t, fault.Invalid, call("u0", inbox.MarkRead, make([]string, 1001)...))
	requireKind(t, fault.NotFound, call("ghost", inbox.MarkRead, "x"))
}

func TestArchiveAndSnooze(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	u := a.subscribers(t, 1)[0]
	ids := a.messages(t, u, 2)
	named := func(i int) inbox.InboxMessagesInput {
		return inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: ids[i : i+1]}
	}
	rows, err := a.Inbox.Archive(a.ctx, named(0))
	require.NoError(t, err)
	require.True(t, rows[0].Archived && rows[0].Read && rows[0].Seen)
	rows, err = a.Inbox.Unarchive(a.ctx, named(0))
	require.NoError(t, err)
	require.True(t, rows[0].Read && !rows[0].Archived)
	_, err = a.Inbox.Archive(a.ctx, named(0))
	require.NoError(t, err)
	require.False(t, a.mark(t, inbox.MarkUnread, ids[0])[0].Archived, "unread leaves the archive")

	_, err = a.Inbox.Snooze(a.ctx, inbox.SnoozeMessagesInput{InboxMessagesInput: named(1), Until: a.now})
	requireKind(t, fault.Invalid, err)
	until := a.now.Add(time.Hour)
	rows, err = a.Inbox.Snooze(a.ctx, inbox.SnoozeMessagesInput{InboxMessagesInput: named(1), Until: until})
	require.NoError(t, err)
	require.Equal(t, until, rows[0].SnoozedUntil.UTC())
	state, err := a.InboxStates.BySubscriber(a.ctx, "u0", nil)
	require.NoError(t, err)
	require.Equal(t, 1, state.Total, "it leaves the counters")
	require.False(t, a.mark(t, inbox.MarkRead, ids[1])[0].Read, "it answers unchanged")
	rows, err = a.Inbox.Unsnooze(a.ctx, named(1))
	require.NoError(t, err)
	require.Nil(t, rows[0].SnoozedUntil)
	require.False(t, rows[0].Read, "as it was")
}

func TestCompleteMessageAction(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	u := a.subscribers(t, 1)[0]
	messageID := a.messages(t, u, 1)[0]
	use := func(button string, payload map[string]any) (*ent.Message, error) {
		return a.Inbox.CompleteAction(a.ctx, inbox.CompleteMessageActionInput{SubscriberID: "u0", MessageID: messageID, Button: button, Payload: payload})
	}
	_, err := use("primary", nil)
	requireKind(t, fault.Invalid, err)
	a.db.Ent.Message.UpdateOneID(messageID).SetCta(&workflow.CTA{Action: &workflow.CTAAction{
		Status: workflow.ActionPending, Buttons: []workflow.CTAButton{{Type: "primary", Content: "Yes"}},
	}}).ExecX(a.ctx)
	done, err := use("primary", map[string]any{"answer": "yes"})
	require.NoError(t, err)
	require.Equal(t, workflow.ActionDone, done.Cta.Action.Status)
	require.Equal(t, "yes", done.Cta.Action.Result.Payload["answer"])
	again, err := use("primary", map[string]any{"answer": "no"})
	require.NoError(t, err)
	require.Equal(t, "yes", again.Cta.Action.Result.Payload["answer"], "never back")
}

func TestMarkAllMessages(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	u := a.subscribers(t, 1)[0]
	a.messages(t, u, 1005)
	scoped := a.messages(t, u, 2, "region:eu")
	count := func(action inbox.SweepAction, keys []string) int {
		n, err := a.Inbox.MarkAll(a.ctx, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: action, ContextKeys: keys})
		require.NoError(t, err)
		return n
	}
	a.now = a.now.Add(time.Minute)
	a.mark(t, inbox.MarkSeen, scoped[0])
	require.Equal(t, 1, count(inbox.SweepSeen, []string{"region:eu"}))
	require.Equal(t, 1007, count(inbox.SweepRead, nil))
	require.Equal(t, 0, count(inbox.SweepRead, nil))
	require.Equal(t, 2, count(inbox.SweepArchive, []string{"region:eu"}))
	a.requireCounters(t)
}

// What a filter leaves out stays as it is, and one context's inbox is none of another's business.
func TestMarkAllMeetsTheFilter(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	u := a.subscribers(t, 1)[0]
	ids := append(a.messages(t, u, 6), a.messages(t, u, 2, "region:eu")...)
	a.now = a.now.Add(time.Minute)
	orders := a.db.Ent.Feed.Create().SetIdentifier("orders").SetName("Orders").SaveX(a.ctx)
	a.db.Ent.Message.Update().Where(message.IDIn(ids[0], ids[1])).SetFeedID(orders.ID).ExecX(a.ctx)
	all := func(action inbox.SweepAction, keys []string, filter inbox.InboxFilter) int {
		n, err := a.Inbox.MarkAll(a.ctx, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: action, ContextKeys: keys, Filter: &filter})
		require.NoError(t, err)
		a.requireCounters(t)
		return n
	}
	yes := true
	require.Equal(t, 2, all(inbox.SweepRead, nil, inbox.InboxFilter{FeedIn: []string{"orders", "others"}}))
	require.Equal(t, 2, all(inbox.SweepArchive, nil, inbox.InboxFilter{Read: &yes}), "all that are read")
	_, err := a.Inbox.Snooze(a.ctx, inbox.SnoozeMessagesInput{
		InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: ids[2:3]}, Until: a.now.Add(time.Hour),
	})
	require.NoError(t, err)
	require.Zero(t, all(inbox.SweepArchive, nil, inbox.InboxFilter{Snoozed: &yes}), "until it is back")
	require.Equal(t, 2, all(inbox.SweepDelete, nil, inbox.InboxFilter{Archived: &yes}), "all that are archived")
	require.Equal(t, 2, all(inbox.SweepDelete, []string{"region:eu"}, inbox.InboxFilter{}))
	require.Equal(t, 4, a.db.Ent.Message.Query().CountX(a.ctx), "three as they came, and the one that is put off")
}

// A filter's data names members of a message's data, with equal values: a part of a value is not equal to it.
func TestInboxFilterData(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	u := a.subscribers(t, 1)[0]
	ids := a.messages(t, u, 2)
	a.db.Ent.Message.UpdateOneID(ids[0]).SetData(map[string]any{"k": 1, "list": []any{1, 2}, "of": map[string]any{"a": 1, "b": nil}, "none": nil}).ExecX(a.ctx)
	name := "u0"
	view, err := a.Inbox.Open(a.ctx, &name, nil)
	require.NoError(t, err)
	for text, want := range map[string]int{
		`{}`: 1, `{"k":1}`: 1, `{"k":1.0}`: 1, `{"k":"1"}`: 0, `{"none":null}`: 1, `{"missing":null}`: 0,
		`{"list":[1,2]}`: 1, `{"list":[1]}`: 0, `{"list":[2,1]}`: 0, `{"list":1}`: 0,
		`{"of":{"b":null,"a":1}}`: 1, `{"of":{"a":1}}`: 0, `{"of":{}}`: 0, `{"k":1,"of":{}}`: 0,
	} {
		var data map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &data))
		counts, err := a.Inbox.Counts(a.ctx, view, []*inbox.InboxFilter{{Data: data}})
		require.NoError(t, err)
		require.Equal(t, []int{want}, counts, text)
	}
}

// requireCounters compares every inbox's counters with its messages.
func (a *audienceSuite) requireCounters(t *testing.T) {
	t.Helper()
	type counters struct{ total, unread, unseen int }
	want, got := map[string]counters{}, map[string]counters{}
	for _, m := range a.db.Ent.Message.Query().AllX(a.ctx) {
		key := m.SubscriberID + m.Scope
		c := want[key]
		if !m.Archived && m.SnoozedUntil == nil {
			c.total++
			if !m.Read {
				c.unread++
			}
			if !m.Seen {
				c.unseen++
			}
		}
		want[key] = c
	}
	for _, s := range a.db.Ent.InboxState.Query().AllX(a.ctx) {
		c := counters{s.Total, s.Unread, s.Unseen}
		if _, known := want[s.SubscriberID+s.Scope]; known || c != (counters{}) {
			got[s.SubscriberID+s.Scope] = c
		}
	}
	require.Equal(t, want, got)
}

// Whatever is done to messages, by several callers at once, counters equal a recount.
func TestCountersEqualARecount(t *testing.T) {
	t.Parallel()
	a := newAudience(t)
	u := a.subscribers(t, 1)[0]
	ids := append(a.messages(t, u, 12), a.messages(t, u, 12, "region:eu")...)
	operations := []func(in inbox.InboxMessagesInput) error{
		func(in inbox.InboxMessagesInput) error { _, err := a.Inbox.Archive(a.ctx, in); return err },
		func(in inbox.InboxMessagesInput) error { _, err := a.Inbox.Unarchive(a.ctx, in); return err },
		func(in inbox.InboxMessagesInput) error { _, err := a.Inbox.Unsnooze(a.ctx, in); return err },
		func(in inbox.InboxMessagesInput) error {
			_, err := a.Inbox.Snooze(a.ctx, inbox.SnoozeMessagesInput{InboxMessagesInput: in, Until: a.now.Add(time.Hour)})
			return err
		},
		func(in inbox.InboxMessagesInput) error {
			in.MessageIDs = in.MessageIDs[:1]
			_, err := a.Inbox.Delete(a.ctx, in)
			return err
		},
		func(inbox.InboxMessagesInput) error {
			_, err := a.Inbox.MarkAll(a.ctx, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: inbox.SweepSeen})
			return err
		},
	}
	for _, as := range []inbox.Mark{inbox.MarkRead, inbox.MarkUnread, inbox.MarkSeen, inbox.MarkUnseen} {
		operations = append(operations, func(in inbox.InboxMessagesInput) error {
			_, err := a.Inbox.Mark(a.ctx, inbox.MarkMessagesInput{InboxMessagesInput: in, MarkAs: as})
			return err
		})
	}
	var wait sync.WaitGroup
	failures := make(chan error, 1000)
	for seed := range uint64(6) {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // repeatable
			for range 40 {
				some := make([]string, 1+random.IntN(6))
				for i := range some {
					some[i] = ids[random.IntN(len(ids))]
				}
				in := inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: some}
				if err := operations[random.IntN(len(operations))](in); err != nil {
					failures <- err
				}
			}
		})
	}
	wait.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	a.requireCounters(t)
}
