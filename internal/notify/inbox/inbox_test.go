package inbox_test

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
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow"
)

func mark(t *testing.T, a *notifytest.Audience, as inbox.Mark, ids ...string) []*ent.Message {
	t.Helper()
	rows, err := a.Inbox.Mark(a.Ctx, inbox.MarkMessagesInput{
		InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: ids}, MarkAs: as,
	})
	require.NoError(t, err)
	return rows
}

func TestMarkMessages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	own, foreign := a.MakeMessages(t, u[0], 3), a.MakeMessages(t, u[1], 1)

	rows := mark(t, a, inbox.MarkRead, own[2], id.Global("Message", own[0]), "nonsense", foreign[0], own[2], id.New(a.Now))
	require.Len(t, rows, 2)
	require.Equal(t, []string{own[2], own[0]}, []string{rows[0].ID, rows[1].ID}, "order of the call, each once")
	for _, m := range rows {
		require.True(t, m.Read && m.Seen)
		require.Equal(t, a.Now, m.LastReadAt.UTC())
		require.Equal(t, a.Now, m.LastSeenAt.UTC())
	}
	state, err := a.InboxStates.BySubscriber(a.Ctx, "u0", nil)
	require.NoError(t, err)
	require.Equal(t, []int{3, 1, 1}, []int{state.Total, state.Unread, state.Unseen})
	require.EqualValues(t, 2, state.Sequence)
	require.EqualValues(t, 2, rows[0].Sequence)

	row := mark(t, a, inbox.MarkUnread, own[0])[0]
	require.False(t, row.Read)
	require.True(t, row.Seen)
	require.NotNil(t, row.LastReadAt, "dates stay")
	row = mark(t, a, inbox.MarkUnseen, own[0])[0]
	require.False(t, row.Seen)
	row = mark(t, a, inbox.MarkSeen, own[0])[0]
	require.True(t, row.Seen)
	require.False(t, row.Read)

	before, err := a.InboxStates.BySubscriber(a.Ctx, "u0", nil)
	require.NoError(t, err)
	require.Len(t, mark(t, a, inbox.MarkUnread, own[0]), 1, "one in that state already is included")
	after, err := a.InboxStates.BySubscriber(a.Ctx, "u0", nil)
	require.NoError(t, err)
	require.Equal(t, before.Sequence, after.Sequence, "nothing changed")
	require.Empty(t, mark(t, a, inbox.MarkRead, foreign[0]))

	require.NoError(t, a.DB.Ent.Message.UpdateOneID(own[1]).SetStatus(workflow.MessagePending).Exec(a.Ctx))
	require.Empty(t, mark(t, a, inbox.MarkRead, own[1]), "it has not come yet")
	pending, err := a.DB.Ent.Message.Get(a.Ctx, own[1])
	require.NoError(t, err)
	require.False(t, pending.Read)
}

func TestMarkMessagesRefusals(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	call := func(subscriber string, as inbox.Mark, ids ...string) error {
		_, err := a.Inbox.Mark(a.Ctx, inbox.MarkMessagesInput{
			InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: subscriber, MessageIDs: ids}, MarkAs: as,
		})
		return err
	}
	var f *fault.Error
	require.ErrorAs(t, call("u0", inbox.MarkRead), &f)
	require.Equal(t, inbox.CodeMessageIDRequired, f.Code)
	require.NoError(t, call("u0", inbox.MarkRead, ""), "one that names nothing is left out, as among others")
	notifytest.RequireKind(t, fault.Invalid, call("u0", "burnt", "x"))
	require.Equal(t, []string{"messageIds"}, notifytest.Paths(t, call("u0", inbox.MarkRead, make([]string, 1001)...)))
	notifytest.RequireKind(t, fault.NotFound, call("ghost", inbox.MarkRead, "x"))
}

func TestArchiveAndSnooze(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	ids := a.MakeMessages(t, u, 2)
	named := func(i int) inbox.InboxMessagesInput {
		return inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: ids[i : i+1]}
	}
	rows, err := a.Inbox.Archive(a.Ctx, named(0))
	require.NoError(t, err)
	require.True(t, rows[0].Archived && rows[0].Read && rows[0].Seen)
	rows, err = a.Inbox.Unarchive(a.Ctx, named(0))
	require.NoError(t, err)
	require.True(t, rows[0].Read && !rows[0].Archived)
	_, err = a.Inbox.Archive(a.Ctx, named(0))
	require.NoError(t, err)
	require.False(t, mark(t, a, inbox.MarkUnread, ids[0])[0].Archived, "unread leaves the archive")

	_, err = a.Inbox.Snooze(a.Ctx, inbox.SnoozeMessagesInput{InboxMessagesInput: named(1), Until: a.Now})
	notifytest.RequireKind(t, fault.Invalid, err)
	until := a.Now.Add(time.Hour)
	rows, err = a.Inbox.Snooze(a.Ctx, inbox.SnoozeMessagesInput{InboxMessagesInput: named(1), Until: until})
	require.NoError(t, err)
	require.Equal(t, until, rows[0].SnoozedUntil.UTC())
	state, err := a.InboxStates.BySubscriber(a.Ctx, "u0", nil)
	require.NoError(t, err)
	require.Equal(t, 1, state.Total, "it leaves the counters")
	require.False(t, mark(t, a, inbox.MarkRead, ids[1])[0].Read, "it answers unchanged")
	rows, err = a.Inbox.Unsnooze(a.Ctx, named(1))
	require.NoError(t, err)
	require.Nil(t, rows[0].SnoozedUntil)
	require.False(t, rows[0].Read, "as it was")
}

func TestCompleteMessageAction(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	messageID := a.MakeMessages(t, u, 1)[0]
	use := func(button string, payload map[string]any) (*ent.Message, error) {
		return a.Inbox.CompleteAction(a.Ctx, inbox.CompleteMessageActionInput{SubscriberID: "u0", MessageID: messageID, Button: button, Payload: payload})
	}
	_, err := use("primary", nil)
	notifytest.RequireKind(t, fault.Invalid, err)
	a.DB.Ent.Message.UpdateOneID(messageID).SetCta(&workflow.CTA{Action: &workflow.CTAAction{
		Status: workflow.ActionPending, Buttons: []workflow.CTAButton{{Type: "primary", Content: "Yes"}},
	}}).ExecX(a.Ctx)
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
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	a.MakeMessages(t, u, 1005)
	scoped := a.MakeMessages(t, u, 2, "region:eu")
	count := func(action inbox.SweepAction, keys []string) int {
		n, err := a.Inbox.MarkAll(a.Ctx, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: action, ContextKeys: keys})
		require.NoError(t, err)
		return n
	}
	a.Now = a.Now.Add(time.Minute)
	mark(t, a, inbox.MarkSeen, scoped[0])
	require.Equal(t, 1, count(inbox.SweepSeen, []string{"region:eu"}))
	require.Equal(t, 1007, count(inbox.SweepRead, nil))
	require.Equal(t, 0, count(inbox.SweepRead, nil))
	require.Equal(t, 2, count(inbox.SweepArchive, []string{"region:eu"}))
	requireCounters(t, a)
}

// What a filter leaves out stays as it is, and one context's inbox is none of another's business.
func TestMarkAllMeetsTheFilter(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	ids := append(a.MakeMessages(t, u, 6), a.MakeMessages(t, u, 2, "region:eu")...)
	a.Now = a.Now.Add(time.Minute)
	orders := a.DB.Ent.Feed.Create().SetIdentifier("orders").SetName("Orders").SaveX(a.Ctx)
	a.DB.Ent.Message.Update().Where(message.IDIn(ids[0], ids[1])).SetFeedID(orders.ID).ExecX(a.Ctx)
	all := func(action inbox.SweepAction, keys []string, filter inbox.InboxFilter) int {
		n, err := a.Inbox.MarkAll(a.Ctx, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: action, ContextKeys: keys, Filter: &filter})
		require.NoError(t, err)
		requireCounters(t, a)
		return n
	}
	yes := true
	require.Equal(t, 2, all(inbox.SweepRead, nil, inbox.InboxFilter{FeedIn: []string{"orders", "others"}}))
	require.Equal(t, 2, all(inbox.SweepArchive, nil, inbox.InboxFilter{Read: &yes}), "all that are read")
	_, err := a.Inbox.Snooze(a.Ctx, inbox.SnoozeMessagesInput{
		InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: ids[2:3]}, Until: a.Now.Add(time.Hour),
	})
	require.NoError(t, err)
	require.Zero(t, all(inbox.SweepArchive, nil, inbox.InboxFilter{Snoozed: &yes}), "until it is back")
	require.Equal(t, 2, all(inbox.SweepDelete, nil, inbox.InboxFilter{Archived: &yes}), "all that are archived")
	require.Equal(t, 2, all(inbox.SweepDelete, []string{"region:eu"}, inbox.InboxFilter{}))
	require.Equal(t, 4, a.DB.Ent.Message.Query().CountX(a.Ctx), "three as they came, and the one that is put off")
}

// A filter's data names members of a message's data, with equal values: a part of a value is not equal to it.
func TestInboxFilterData(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	ids := a.MakeMessages(t, u, 2)
	a.DB.Ent.Message.UpdateOneID(ids[0]).SetData(map[string]any{"k": 1, "list": []any{1, 2}, "of": map[string]any{"a": 1, "b": nil}, "none": nil}).ExecX(a.Ctx)
	name := "u0"
	view, err := a.Inbox.Open(a.Ctx, &name, nil)
	require.NoError(t, err)
	for text, want := range map[string]int{
		`{}`: 1, `{"k":1}`: 1, `{"k":1.0}`: 1, `{"k":"1"}`: 0, `{"none":null}`: 1, `{"missing":null}`: 0,
		`{"list":[1,2]}`: 1, `{"list":[1]}`: 0, `{"list":[2,1]}`: 0, `{"list":1}`: 0,
		`{"of":{"b":null,"a":1}}`: 1, `{"of":{"a":1}}`: 0, `{"of":{}}`: 0, `{"k":1,"of":{}}`: 0,
	} {
		var data map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &data))
		counts, err := a.Inbox.Counts(a.Ctx, view, []*inbox.InboxFilter{{Data: data}})
		require.NoError(t, err)
		require.Equal(t, []int{want}, counts, text)
	}
}

// requireCounters compares every inbox's counters with its messages.
func requireCounters(t *testing.T, a *notifytest.Audience) {
	t.Helper()
	type counters struct{ total, unread, unseen int }
	want, got := map[string]counters{}, map[string]counters{}
	for _, m := range a.DB.Ent.Message.Query().AllX(a.Ctx) {
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
	for _, s := range a.DB.Ent.InboxState.Query().AllX(a.Ctx) {
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
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	ids := append(a.MakeMessages(t, u, 12), a.MakeMessages(t, u, 12, "region:eu")...)
	operations := []func(in inbox.InboxMessagesInput) error{
		func(in inbox.InboxMessagesInput) error { _, err := a.Inbox.Archive(a.Ctx, in); return err },
		func(in inbox.InboxMessagesInput) error { _, err := a.Inbox.Unarchive(a.Ctx, in); return err },
		func(in inbox.InboxMessagesInput) error { _, err := a.Inbox.Unsnooze(a.Ctx, in); return err },
		func(in inbox.InboxMessagesInput) error {
			_, err := a.Inbox.Snooze(a.Ctx, inbox.SnoozeMessagesInput{InboxMessagesInput: in, Until: a.Now.Add(time.Hour)})
			return err
		},
		func(in inbox.InboxMessagesInput) error {
			in.MessageIDs = in.MessageIDs[:1]
			_, err := a.Inbox.Delete(a.Ctx, in)
			return err
		},
		func(inbox.InboxMessagesInput) error {
			_, err := a.Inbox.MarkAll(a.Ctx, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: inbox.SweepSeen})
			return err
		},
	}
	for _, as := range []inbox.Mark{inbox.MarkRead, inbox.MarkUnread, inbox.MarkSeen, inbox.MarkUnseen} {
		operations = append(operations, func(in inbox.InboxMessagesInput) error {
			_, err := a.Inbox.Mark(a.Ctx, inbox.MarkMessagesInput{InboxMessagesInput: in, MarkAs: as})
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
	requireCounters(t, a)
}
