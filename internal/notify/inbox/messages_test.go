package inbox_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestMessagesByStatus: the indexes that a status is looked up by hold all messages that have it, however they came to it.
func TestMessagesByStatus(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	sets := map[string]string{
		"sent":          `status = 'sent'`,
		"due":           `status = 'pending', due_at = now()`,
		"under a lease": `status = 'pending', lease_id = 'lease'`,
		"tried again":   `status = 'pending', due_at = now(), error_text = 'later'`,
		"failed":        `status = 'error', error_id = 'rejected', error_text = 'refused'`,
		"remarked":      `status = 'warning', error_text = 'cut'`,
	}
	names := slices.Sorted(maps.Keys(sets))
	u := a.MakeSubscribers(t, 1)[0]
	byID := map[string]string{}
	for i, messageID := range a.MakeMessages(t, u, len(names)) {
		byID[messageID] = names[i]
		_, err := a.DB.Pool.Exec(a.Ctx, `UPDATE messages SET channel = 'email', `+sets[names[i]]+` WHERE id = $1`, messageID)
		require.NoError(t, err)
	}
	_, err := a.DB.Pool.Exec(a.Ctx, `INSERT INTO message_leases (id, due_at, message_ids) SELECT 'lease', now(), array_agg(id) FROM messages`)
	require.NoError(t, err)
	pending, failed, remarked := []string{"due", "tried again", "under a lease"}, []string{"failed"}, []string{"remarked"}
	for _, c := range []struct {
		statuses []workflow.MessageStatus
		want     []string
	}{
		{nil, names},
		{[]workflow.MessageStatus{}, nil},
		{[]workflow.MessageStatus{workflow.MessageSent}, []string{"sent"}},
		{[]workflow.MessageStatus{workflow.MessagePending}, pending},
		{[]workflow.MessageStatus{workflow.MessagePending, workflow.MessagePending}, pending},
		{[]workflow.MessageStatus{workflow.MessageError}, failed},
		{[]workflow.MessageStatus{workflow.MessageWarning}, remarked},
		{[]workflow.MessageStatus{workflow.MessageError, workflow.MessageWarning}, slices.Concat(failed, remarked)},
		{[]workflow.MessageStatus{workflow.MessageWarning, workflow.MessagePending}, slices.Concat(pending, remarked)},
		{[]workflow.MessageStatus{workflow.MessageError, workflow.MessagePending}, slices.Concat(pending, failed)},
		{[]workflow.MessageStatus{workflow.MessageError, workflow.MessageWarning, workflow.MessagePending}, slices.Concat(pending, failed, remarked)},
		{[]workflow.MessageStatus{workflow.MessageSent, workflow.MessagePending, workflow.MessageError, workflow.MessageWarning}, names},
	} {
		page, err := a.Messages.List(a.Ctx, usecase.Page{}, nil, &inbox.MessageFilter{StatusIn: c.statuses})
		require.NoError(t, err)
		var found []string
		for _, m := range page.Nodes() {
			found = append(found, byID[m.ID])
		}
		require.ElementsMatch(t, c.want, found, "%v", c.statuses)
	}
}

func TestMessagesList(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	ids := a.MakeMessages(t, u[0], 3)
	a.MakeMessages(t, u[1], 2, "region:eu")
	mark(t, a, inbox.MarkRead, ids[0])
	orders := a.DB.Ent.Feed.Create().SetIdentifier("orders").SetName("Orders").SaveX(a.Ctx)
	w := a.MakeWorkflow(t, "order", nil)
	run := a.MakeRun(t, a.MakeEvent(t, "t1"), u[0].ID, workflow.RunCompleted)
	_, err := a.DB.Pool.Exec(a.Ctx, "UPDATE messages SET feed_id = $2, workflow_id = $3, notification_id = $4, event_id = $5, severity = 'low' WHERE id = $1", ids[1], orders.ID, w.ID, run.ID, run.EventID)
	require.NoError(t, err)
	_, err = a.DB.Pool.Exec(a.Ctx, "UPDATE notifications SET workflow_id = $2 WHERE id = $1", run.ID, w.ID)
	require.NoError(t, err)
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *inbox.MessageFilter
		want   int
	}{
		"none":                    {nil, 5},
		"subscriber and channel":  {&inbox.MessageFilter{SubscriberID: new("u0"), ChannelIn: []workflow.Channel{workflow.ChannelInApp}}, 3},
		"unknown subscriber":      {&inbox.MessageFilter{SubscriberID: new("u9")}, 0},
		"of no channel":           {&inbox.MessageFilter{ChannelIn: []workflow.Channel{}}, 0},
		"read":                    {&inbox.MessageFilter{Read: notifytest.Yes()}, 1},
		"unseen":                  {&inbox.MessageFilter{Seen: notifytest.No()}, 4},
		"context":                 {&inbox.MessageFilter{ContextKeys: []string{"region:eu"}}, 2},
		"malformed context":       {&inbox.MessageFilter{ContextKeys: []string{"eu"}}, 0},
		"status":                  {&inbox.MessageFilter{StatusIn: []workflow.MessageStatus{workflow.MessagePending}}, 0},
		"no run of a transaction": {&inbox.MessageFilter{TransactionID: new("t")}, 0},
		"transaction":             {&inbox.MessageFilter{TransactionID: new("t1")}, 1},
		"transaction and channel": {&inbox.MessageFilter{TransactionID: new("t1"), ChannelIn: []workflow.Channel{workflow.ChannelInApp}}, 1},
		"of another channel":      {&inbox.MessageFilter{TransactionID: new("t1"), ChannelIn: []workflow.Channel{workflow.ChannelSMS}}, 0},
		"notification":            {&inbox.MessageFilter{NotificationID: new(run.GlobalID())}, 1},
		"neither hidden":          {&inbox.MessageFilter{Snoozed: notifytest.No(), Archived: notifytest.No()}, 5},
		"snoozed":                 {&inbox.MessageFilter{Snoozed: notifytest.Yes()}, 0},
		"feed":                    {&inbox.MessageFilter{FeedID: new(orders.GlobalID())}, 1},
		"workflow":                {&inbox.MessageFilter{Workflow: new("order")}, 1},
		"unknown workflow":        {&inbox.MessageFilter{Workflow: new("none")}, 0},
		"severity":                {&inbox.MessageFilter{SeverityIn: []workflow.Severity{workflow.SeverityLow}}, 1},
		"created after":           {&inbox.MessageFilter{CreatedAfter: &hour}, 0},
		"created before":          {&inbox.MessageFilter{CreatedBefore: &hour, Read: notifytest.Yes()}, 1},
	} {
		page, err := a.Messages.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err, name)
		require.Len(t, page.Nodes(), c.want, name)
	}
	again := a.MakeRun(t, a.MakeEvent(t, "t1"), u[0].ID, workflow.RunCompleted)
	_, err = a.DB.Pool.Exec(a.Ctx, "UPDATE messages SET notification_id = $2, event_id = $3 WHERE id = $1", ids[2], again.ID, again.EventID)
	require.NoError(t, err)
	both, err := a.Messages.List(a.Ctx, usecase.Page{}, nil, &inbox.MessageFilter{TransactionID: new("t1")})
	require.NoError(t, err)
	require.Len(t, both.Nodes(), 2, "a transactionId that was used again")
	for _, filter := range []*inbox.MessageFilter{{NotificationID: new("none")}, {FeedID: new("orders")}} {
		notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Messages.List(a.Ctx, usecase.Page{}, nil, filter)))
	}
	message, err := a.Messages.Get(a.Ctx, ids[0])
	require.NoError(t, err)
	key := inbox.MessageKey{NotificationID: message.NotificationID, StepID: "s", Target: "inbox"}
	same, err := a.Messages.ByKey(a.Ctx, key)
	require.NoError(t, err)
	require.Equal(t, ids[0], same.ID)
	other := a.OtherEnvironment(t)
	for _, err := range []error{
		notifytest.Err(a.Messages.Get(other, ids[0])), notifytest.Err(a.Messages.ByKey(other, key)), notifytest.Err(a.Messages.Get(a.Ctx, id.New(a.Now))),
		notifytest.Err(a.Messages.ByKey(a.Ctx, inbox.MessageKey{NotificationID: key.NotificationID, StepID: "s", Target: "other"})),
		notifytest.Err(a.Messages.ByKey(a.Ctx, inbox.MessageKey{NotificationID: "none", StepID: "s", Target: "inbox"})),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}

// TestMessageParents holds what messages show besides themselves, and to whom.
func TestMessageParents(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	e := a.MakeEvent(t, "t", func(c *ent.EventCreate) { c.SetPayload(map[string]any{"n": 1}) })
	integration := a.DB.Ent.SubscriberChannel.Create().SetSubscriberID(u.ID).SetProviderID("fcm").SetIntegrationID("i").SetCredentials(workflow.ChannelCredentials{}).SaveX(a.Ctx)
	messages := []*ent.Message{{EventID: e.ID, SubscriberID: u.ID}, {EventID: e.ID, SubscriberID: u.ID}, {EventID: id.New(a.Now), SubscriberID: id.New(a.Now)}}
	parents, err := a.Messages.Parents(a.Ctx, messages)
	require.NoError(t, err)
	require.Len(t, parents.Events, 1)
	require.Equal(t, "u0", parents.Subscribers[u.ID].SubscriberID)
	require.Equal(t, []string{integration.ID}, notifytest.NodeIDs(parents.Channels[u.ID]))
	events, err := a.Messages.Events(a.Ctx, []string{e.ID})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"n": 1.0}, events[e.ID].Payload)
	none, err := a.Messages.Parents(a.Ctx, nil)
	require.NoError(t, err)
	require.Empty(t, none.Events)

	other := a.OtherEnvironment(t)
	parents, err = a.Messages.Parents(other, messages)
	require.NoError(t, err)
	require.Empty(t, parents.Events)
	require.Empty(t, parents.Subscribers)
	events, err = a.Messages.Events(other, []string{e.ID})
	require.NoError(t, err)
	require.Empty(t, events)
	content := a.As(t, viewer.Viewer{Role: viewer.RoleKey, APIKeyID: "k", Grants: viewer.GrantsOf(viewer.GrantContent)})
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(a.Messages.Parents(content, messages)))
	notifytest.RequireKind(t, fault.Forbidden, notifytest.Err(a.Messages.Events(content, []string{e.ID})))
	require.Nil(t, inbox.ActionStatus(&workflow.CTAAction{}))
	require.Equal(t, workflow.ActionDone, *inbox.ActionStatus(&workflow.CTAAction{Status: workflow.ActionDone}))
}

// TestInboxStates narrows inbox states, and finds one by its subscriber and context set.
func TestInboxStates(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 3)
	a.MakeMessages(t, u[0], 2)
	a.MakeMessages(t, u[0], 1, "region:eu")
	a.MakeMessages(t, u[1], 1)
	for name, c := range map[string]struct {
		filter *inbox.InboxStateFilter
		want   int
	}{
		"none":            {nil, 3},
		"subscriber":      {&inbox.InboxStateFilter{SubscriberID: new("u0")}, 2},
		"no inbox":        {&inbox.InboxStateFilter{SubscriberID: new("u2")}, 0},
		"context":         {&inbox.InboxStateFilter{ContextKeys: []string{"region:eu"}}, 1},
		"without context": {&inbox.InboxStateFilter{ContextKeys: []string{}}, 2},
		"both":            {&inbox.InboxStateFilter{SubscriberID: new("u1"), ContextKeys: []string{"region:eu"}}, 0},
	} {
		list, err := a.InboxStates.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Len(t, list.Edges, c.want, name)
	}
	state, err := a.InboxStates.BySubscriber(a.Ctx, "u0", []string{"region:eu"})
	require.NoError(t, err)
	require.Equal(t, 1, state.Total)
	same, err := a.InboxStates.Get(a.Ctx, state.GlobalID())
	require.NoError(t, err)
	require.Equal(t, state.ID, same.ID)
	none, err := a.InboxStates.BySubscriber(a.Ctx, "u2", nil)
	require.NoError(t, err)
	require.Nil(t, none)
	other := a.OtherEnvironment(t)
	for _, err := range []error{
		notifytest.Err(a.InboxStates.BySubscriber(a.Ctx, "u9", nil)), notifytest.Err(a.InboxStates.Get(a.Ctx, "none")),
		notifytest.Err(a.InboxStates.Get(other, state.ID)), notifytest.Err(a.InboxStates.BySubscriber(other, "u0", nil)),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}
