package inbox_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// self returns the context of a subscriber's own credential, bound to one context set or to none.
func self(t *testing.T, a *notifytest.Audience, of *ent.Subscriber, keys ...string) context.Context {
	t.Helper()
	v := viewer.Viewer{Role: viewer.RoleSubscriber, SubscriberID: of.ID, ExternalID: of.SubscriberID}
	if len(keys) > 0 {
		v.ContextScope = new(workflow.NewContextSet(keys...).Scope())
	}
	return a.As(t, v)
}

// open opens the inbox of u0.
func open(t *testing.T, a *notifytest.Audience, keys ...string) *inbox.InboxView {
	t.Helper()
	view, err := a.Inbox.Open(a.Ctx, new("u0"), keys)
	require.NoError(t, err)
	return view
}

// TestOpenInbox holds whose inbox is opened, in which context set.
func TestOpenInbox(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	for name, c := range map[string]struct {
		ctx  context.Context //nolint:containedctx // a row of a table
		of   *string
		keys []string
		want string // the subscriber
		in   []string
	}{
		"a key":                            {a.Ctx, new("u1"), nil, "u1", nil},
		"a key, in a context":              {a.Ctx, new(" u1 "), []string{"region:eu", "app:web"}, "u1", []string{"app:web", "region:eu"}},
		"a subscriber":                     {self(t, a, u[0]), nil, nil, "u0", nil},
		"a subscriber, in a context":       {self(t, a, u[0]), new("u0"), []string{"region:eu"}, "u0", []string{"region:eu"}},
		"a subscriber bound to a context":  {self(t, a, u[0], "region:eu"), nil, nil, "u0", []string{"region:eu"}},
		"a subscriber naming that context": {self(t, a, u[0], "region:eu"), nil, []string{"region:eu"}, "u0", []string{"region:eu"}},
	} {
		view, err := a.Inbox.Open(c.ctx, c.of, c.keys)
		require.NoError(t, err, name)
		require.Equal(t, c.want, view.Subscriber.SubscriberID, name)
		require.ElementsMatch(t, c.in, view.ContextKeys, name)
	}
	for name, c := range map[string]struct {
		ctx  context.Context //nolint:containedctx // a row of a table
		of   *string
		keys []string
		want fault.Kind
	}{
		"no one":          {a.Ctx, nil, nil, fault.Invalid},
		"unknown":         {a.Ctx, new("u9"), nil, fault.NotFound},
		"other's":         {self(t, a, u[0]), new("u1"), nil, fault.Forbidden},
		"another context": {self(t, a, u[0], "region:eu"), nil, []string{"region:us"}, fault.Forbidden},
		"no context":      {self(t, a, u[0], "region:eu"), nil, []string{}, fault.Forbidden},
		"elsewhere":       {a.OtherEnvironment(t), new("u0"), nil, fault.NotFound},
	} {
		_, err := a.Inbox.Open(c.ctx, c.of, c.keys)
		require.Equal(t, c.want, fault.KindOf(err), "%s: %v", name, err)
	}
}

// TestInboxFilters narrows an inbox by each filter, and counts as it lists.
func TestInboxFilters(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	plain := a.MakeMessages(t, u[0], 5)
	a.MakeMessages(t, u[0], 1, "region:eu")
	a.MakeMessages(t, u[1], 1)
	orders := a.DB.Ent.Feed.Create().SetIdentifier("orders").SetName("Orders").SaveX(a.Ctx)
	mark(t, a, inbox.MarkRead, plain[0])
	mark(t, a, inbox.MarkSeen, plain[1])
	_, err := a.Inbox.Archive(a.Ctx, inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: plain[2:3]})
	require.NoError(t, err)
	_, err = a.Inbox.Snooze(a.Ctx, inbox.SnoozeMessagesInput{
		InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: plain[3:4]}, Until: a.Now.Add(time.Hour),
	})
	require.NoError(t, err)
	a.DB.Ent.Message.UpdateOneID(plain[1]).SetFeedID(orders.ID).ExecX(a.Ctx)
	_, err = a.DB.Pool.Exec(a.Ctx, `UPDATE messages SET tags = '["sale", "new"]', severity = 'high', workflow_identifier = 'promo' WHERE id = $1`, plain[4])
	require.NoError(t, err)
	_, err = a.DB.Pool.Exec(a.Ctx, `UPDATE messages SET channel = 'email' WHERE id = $1`, a.MakeMessages(t, u[0], 1)[0])
	require.NoError(t, err)
	hour, view := time.Now().Add(time.Hour), open(t, a)
	filters, wants := []*inbox.InboxFilter{}, []int{}
	for name, c := range map[string]struct {
		filter *inbox.InboxFilter
		want   []int
	}{
		"none":                {nil, []int{0, 1, 4}},
		"read":                {&inbox.InboxFilter{Read: notifytest.Yes()}, []int{0}},
		"unread":              {&inbox.InboxFilter{Read: notifytest.No()}, []int{1, 4}},
		"seen":                {&inbox.InboxFilter{Seen: notifytest.Yes()}, []int{0, 1}},
		"unread but seen":     {&inbox.InboxFilter{Seen: notifytest.Yes(), Read: notifytest.No()}, []int{1}},
		"archived":            {&inbox.InboxFilter{Archived: notifytest.Yes()}, []int{2}},
		"snoozed":             {&inbox.InboxFilter{Snoozed: notifytest.Yes()}, []int{3}},
		"a tag":               {&inbox.InboxFilter{TagsAny: []string{"none", "new"}}, []int{4}},
		"part of a tag":       {&inbox.InboxFilter{TagsAny: []string{"sal"}}, nil},
		"no tags":             {&inbox.InboxFilter{TagsAny: []string{}}, nil},
		"severity":            {&inbox.InboxFilter{SeverityIn: []workflow.Severity{workflow.SeverityHigh}}, []int{4}},
		"workflow":            {&inbox.InboxFilter{WorkflowIn: []string{"promo"}}, []int{4}},
		"feed":                {&inbox.InboxFilter{FeedID: &orders.ID}, []int{1}},
		"feed's identifier":   {&inbox.InboxFilter{FeedIn: []string{"orders"}}, []int{1}},
		"unknown feed":        {&inbox.InboxFilter{FeedIn: []string{"none"}}, nil},
		"created after":       {&inbox.InboxFilter{CreatedAfter: &hour}, nil},
		"created before":      {&inbox.InboxFilter{CreatedBefore: &hour}, []int{0, 1, 4}},
		"archived and unread": {&inbox.InboxFilter{Archived: notifytest.Yes(), Read: notifytest.No()}, nil},
	} {
		list, err := a.Inbox.Messages(a.Ctx, view, usecase.Page{}, c.filter)
		require.NoError(t, err, name)
		want := []string{}
		for _, i := range c.want {
			want = append(want, plain[i])
		}
		require.ElementsMatch(t, want, notifytest.NodeIDs(list.Nodes()), name)
		filters, wants = append(filters, c.filter), append(wants, len(want))
	}
	counts, err := a.Inbox.Counts(a.Ctx, view, filters)
	require.NoError(t, err)
	require.Equal(t, wants, counts)
	other, err := a.Inbox.Messages(a.Ctx, open(t, a, "region:eu"), usecase.Page{}, nil)
	require.NoError(t, err)
	require.Len(t, other.Edges, 1, "each context set has an inbox of its own")
}

// TestInboxFilterBounds holds what a filter may hold, and how many filters are counted at once.
func TestInboxFilterBounds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	view := open(t, a)
	texts := make([]string, 101)
	for name, filters := range map[string][2]inbox.InboxFilter{
		"tagsAny":    {{TagsAny: texts[:100]}, {TagsAny: texts}},
		"workflowIn": {{WorkflowIn: texts[:100]}, {WorkflowIn: texts}},
		"feedIn":     {{FeedIn: texts[:100]}, {FeedIn: texts}},
		"severityIn": {{SeverityIn: make([]workflow.Severity, 100)}, {SeverityIn: make([]workflow.Severity, 101)}},
		"data":       {{Data: map[string]any{"k": strings.Repeat("x", workflow.MaxContextData-8)}}, {Data: map[string]any{"k": strings.Repeat("x", workflow.MaxContextData-7)}}},
	} {
		_, err := a.Inbox.Messages(a.Ctx, view, usecase.Page{}, &filters[0])
		require.NoError(t, err, name)
		_, err = a.Inbox.Messages(a.Ctx, view, usecase.Page{}, &filters[1])
		require.Equal(t, []string{name}, notifytest.Paths(t, err))
		_, err = a.Inbox.MarkAll(a.Ctx, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: inbox.SweepDelete, Filter: &filters[1]})
		require.Equal(t, []string{name}, notifytest.Paths(t, err))
	}
	_, err := a.Inbox.Counts(a.Ctx, view, make([]*inbox.InboxFilter, 20))
	require.NoError(t, err)
	_, err = a.Inbox.Counts(a.Ctx, view, make([]*inbox.InboxFilter, 21))
	require.Equal(t, []string{"filters"}, notifytest.Paths(t, err))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Inbox.Messages(a.Ctx, view, usecase.Page{}, &inbox.InboxFilter{FeedID: new("orders")})))
	_, err = a.Inbox.MarkAll(a.Ctx, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: "burn"})
	require.Equal(t, []string{"action"}, notifytest.Paths(t, err))
}

// TestInboxFilterOfManyMembers: the question grows with the object that it names. It was repeated for each member of the object.
func TestInboxFilterOfManyMembers(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	made := a.MakeMessages(t, a.MakeSubscribers(t, 1)[0], 1)[0]
	data := map[string]any{}
	for i := range 4_000 {
		data[strconv.Itoa(i)] = []any{i}
	}
	text, err := json.Marshal(data)
	require.NoError(t, err)
	_, err = a.DB.Pool.Exec(a.Ctx, `UPDATE messages SET data = $2::text::jsonb WHERE id = $1`, made, text)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(a.Ctx, 10*time.Second) // a minute is not enough for 200 MB
	defer cancel()
	view := open(t, a)
	list, err := a.Inbox.Messages(ctx, view, usecase.Page{}, &inbox.InboxFilter{Data: data})
	require.NoError(t, err)
	require.Len(t, list.Edges, 1)
	data["7"] = []any{7, 8}
	list, err = a.Inbox.Messages(ctx, view, usecase.Page{}, &inbox.InboxFilter{Data: data})
	require.NoError(t, err)
	require.Empty(t, list.Edges)
	for _, number := range []string{"1e-30000", "0." + strings.Repeat("1", 20_000)} {
		_, err = a.Inbox.Messages(ctx, view, usecase.Page{}, &inbox.InboxFilter{Data: map[string]any{"n": json.Number(number)}})
		require.Equal(t, []string{"data"}, notifytest.Paths(t, err))
	}
}

// TestInboxOrder holds that the latest arrival is first, whenever a message was made.
func TestInboxOrder(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	ids := a.MakeMessages(t, a.MakeSubscribers(t, 1)[0], 3)
	for i, hours := range []int{2, 3, 1} {
		a.DB.Ent.Message.UpdateOneID(ids[i]).SetArrivedAt(a.Now.Add(time.Duration(hours) * time.Hour)).ExecX(a.Ctx)
	}
	view, all := open(t, a), []string{}
	for page := (usecase.Page{First: new(1)}); ; {
		list, err := a.Inbox.Messages(a.Ctx, view, page, nil)
		require.NoError(t, err)
		all = append(all, notifytest.NodeIDs(list.Nodes())...)
		if !list.PageInfo.HasNextPage {
			break
		}
		page.After = list.PageInfo.EndCursor
	}
	require.Equal(t, []string{ids[1], ids[0], ids[2]}, all)
}

// TestInboxSince holds that updates, applied one after the other, miss and repeat nothing, and split no commit.
func TestInboxSince(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	ids := a.MakeMessages(t, u[0], 250) // by one commit, with one sequence
	a.MakeMessages(t, u[0], 1, "region:eu")
	a.MakeMessages(t, u[1], 1)
	_, err := a.DB.Pool.Exec(a.Ctx, "UPDATE messages SET sequence = 1")
	require.NoError(t, err)
	view := open(t, a)
	since := func(after int64) *inbox.InboxUpdate {
		update, _, err := a.Inbox.Since(a.Ctx, view, after)
		require.NoError(t, err)
		return update
	}
	first := since(0)
	require.Len(t, first.Messages, 250, "a commit is not split")
	require.EqualValues(t, 1, first.Sequence)
	require.False(t, first.More)
	require.Nil(t, since(1), "nothing happened since")

	mark(t, a, inbox.MarkRead, ids[0])
	mark(t, a, inbox.MarkUnread, ids[0])
	_, err = a.Inbox.Delete(a.Ctx, inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: ids[1:3]})
	require.NoError(t, err)
	update := since(1)
	require.Equal(t, []string{ids[0]}, notifytest.NodeIDs(update.Messages), "one that changed twice comes once")
	require.False(t, update.Messages[0].Read, "as it is now")
	require.ElementsMatch(t, ids[1:3], update.RemovedIDs)
	require.EqualValues(t, 4, update.Sequence)
	require.Equal(t, 248, update.State.Total)

	for _, messageID := range ids[3:123] { // a commit each
		mark(t, a, inbox.MarkSeen, messageID)
	}
	update = since(4)
	require.Len(t, update.Messages, 100)
	require.True(t, update.More)
	rest := since(update.Sequence)
	require.Len(t, rest.Messages, 20)
	require.False(t, rest.More)
	require.Equal(t, rest.State.Sequence, rest.Sequence)
}

// TestDeleteMessages holds that only one's own messages are removed, with what they counted.
func TestDeleteMessages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	own, scoped, foreign := a.MakeMessages(t, u[0], 2), a.MakeMessages(t, u[0], 1, "region:eu"), a.MakeMessages(t, u[1], 1)
	named := inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: []string{scoped[0], foreign[0], own[1], "none", own[1]}}
	bound := self(t, a, u[0], "region:eu")
	removed, err := a.Inbox.Delete(bound, named)
	require.NoError(t, err)
	require.Equal(t, scoped, notifytest.NodeIDs(removed), "a credential of one context set reaches no other")
	removed, err = a.Inbox.Delete(a.Ctx, named)
	require.NoError(t, err)
	require.Equal(t, []string{own[1]}, notifytest.NodeIDs(removed))
	require.ElementsMatch(t, []string{own[0], foreign[0]}, a.DB.Ent.Message.Query().Select(message.FieldID).StringsX(a.Ctx))
	requireCounters(t, a)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Inbox.Delete(a.Ctx, inbox.InboxMessagesInput{SubscriberID: "u9", MessageIDs: own})))
	require.Equal(t, inbox.CodeMessageIDRequired, notifytest.Code(notifytest.Err(a.Inbox.Delete(a.Ctx, inbox.InboxMessagesInput{SubscriberID: "u0"}))))
	other := a.OtherEnvironment(t)
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Inbox.Delete(other, inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: own})))
	_, err = a.Inbox.MarkAll(bound, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: inbox.SweepDelete})
	require.NoError(t, err)
	require.Equal(t, 2, a.DB.Ent.Message.Query().CountX(a.Ctx), "nor does a sweep")
}

// TestSnoozeBounds holds how far ahead a message can be put off, and that archived ones are not.
func TestSnoozeBounds(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	ids := a.MakeMessages(t, u, 2)
	snooze := func(messageID string, until time.Time) ([]*ent.Message, error) {
		return a.Inbox.Snooze(a.Ctx, inbox.SnoozeMessagesInput{
			InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: []string{messageID}}, Until: until,
		})
	}
	most := a.Now.Add(366 * 24 * time.Hour)
	for _, until := range []time.Time{{}, a.Now.Add(-time.Hour), a.Now, most.Add(time.Microsecond)} {
		_, err := snooze(ids[0], until)
		require.Equal(t, []string{"until"}, notifytest.Paths(t, err))
		require.Nil(t, a.DB.Ent.Message.GetX(a.Ctx, ids[0]).SnoozedUntil)
	}
	rows, err := snooze(ids[0], most)
	require.NoError(t, err)
	require.Equal(t, most, rows[0].SnoozedUntil.UTC())
	_, err = a.Inbox.Archive(a.Ctx, inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: ids})
	require.NoError(t, err)
	require.False(t, a.DB.Ent.Message.GetX(a.Ctx, ids[0]).Archived, "one that is put off stays as it is until it is back")
	rows, err = snooze(ids[1], most)
	require.NoError(t, err)
	require.Nil(t, rows[0].SnoozedUntil, "an archived one is not put off")
	_, err = a.Inbox.Snooze(self(t, a, u), inbox.SnoozeMessagesInput{
		InboxMessagesInput: inbox.InboxMessagesInput{SubscriberID: "u1", MessageIDs: ids[:1]}, Until: most,
	})
	notifytest.RequireKind(t, fault.Forbidden, err)
}
