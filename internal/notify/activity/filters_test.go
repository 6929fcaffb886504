package activity_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestEventsAndNotifications narrows lists by each filter, and finds single records by what callers know of them.
func TestEventsAndNotifications(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	order := a.MakeWorkflow(t, "order", nil)
	var events, runs []string
	for i, transactionID := range []string{"t1", "t2", "t1"} {
		made := a.DB.Ent.Event.Create().SetTransactionID(transactionID).SetWorkflowVersionID("v").SetPayload(map[string]any{})
		made.SetWorkflowID("w").SetKind(event.KindTrigger)
		set := workflow.NewContextSet()
		if i == 1 {
			set = workflow.NewContextSet("region:eu")
			made.SetWorkflowID(order.ID).SetKind(event.KindBroadcast)
		}
		e := made.SetContextKeys(set).SetScope(set.Scope()).SaveX(a.Ctx)
		workflowID := "w"
		if i == 1 {
			workflowID = order.ID
		}
		run := a.DB.Ent.Notification.Create().SetEventID(e.ID).SetTransactionID(transactionID).SetWorkflowID(workflowID).SetWorkflowVersionID("v").
			SetSubscriberID(u[i%2].ID).SetTrace([]workflow.TraceEntry{}).SetContextKeys(set).SetScope(set.Scope()).SaveX(a.Ctx)
		events, runs = append(events, e.ID), append(runs, run.ID)
	}
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *activity.EventFilter
		want   []int
	}{
		"none":              {nil, []int{2, 1, 0}},
		"kind":              {&activity.EventFilter{KindIn: []event.Kind{event.KindBroadcast}}, []int{1}},
		"of no status":      {&activity.EventFilter{StatusIn: []event.Status{}}, nil},
		"workflow":          {&activity.EventFilter{Workflow: new("order")}, []int{1}},
		"unknown workflow":  {&activity.EventFilter{Workflow: new("none")}, nil},
		"transaction":       {&activity.EventFilter{TransactionID: new("t1")}, []int{2, 0}},
		"contexts":          {&activity.EventFilter{ContextKeys: []string{"region:eu"}}, []int{1}},
		"without context":   {&activity.EventFilter{ContextKeys: []string{}}, []int{2, 0}},
		"malformed context": {&activity.EventFilter{ContextKeys: []string{"eu"}}, nil},
		"created after":     {&activity.EventFilter{CreatedAfter: &hour}, nil},
		"created before":    {&activity.EventFilter{CreatedBefore: &hour, TransactionID: new("t2")}, []int{1}},
	} {
		list, err := a.Events.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Equal(t, pick(events, c.want), notifytest.NodeIDs(list.Nodes()), name)
	}
	for name, c := range map[string]struct {
		filter *activity.NotificationFilter
		want   []int
	}{
		"none":             {nil, []int{2, 1, 0}},
		"of no status":     {&activity.NotificationFilter{StatusIn: []workflow.RunStatus{}}, nil},
		"subscriber":       {&activity.NotificationFilter{SubscriberID: new("u0")}, []int{2, 0}},
		"nobody":           {&activity.NotificationFilter{SubscriberID: new("nobody")}, nil},
		"event":            {&activity.NotificationFilter{EventID: &events[1]}, []int{1}},
		"event's name":     {&activity.NotificationFilter{EventID: new(id.Global("Event", events[0]))}, []int{0}},
		"transaction":      {&activity.NotificationFilter{TransactionID: new("t1")}, []int{2, 0}},
		"workflow":         {&activity.NotificationFilter{Workflow: &order.ID}, []int{1}},
		"unknown workflow": {&activity.NotificationFilter{Workflow: new("none")}, nil},
		"contexts":         {&activity.NotificationFilter{ContextKeys: []string{"region:eu"}}, []int{1}},
		"provider's id":    {&activity.NotificationFilter{ProviderMessageID: new("none")}, nil},
		"two of them":      {&activity.NotificationFilter{SubscriberID: new("u1"), TransactionID: new("t1")}, nil},
	} {
		list, err := a.Notifications.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Equal(t, pick(runs, c.want), notifytest.NodeIDs(list.Nodes()), name)
	}
	newest, err := a.Events.ByTransactionID(a.Ctx, "t1")
	require.NoError(t, err)
	require.Equal(t, events[2], newest.ID, "an id that was used again names its newest event")
	run, err := a.Notifications.ByKey(a.Ctx, id.Global("Event", events[1]), "u1")
	require.NoError(t, err)
	require.Equal(t, runs[1], run.ID)
	for _, err := range []error{
		notifytest.Err(a.Events.ByTransactionID(a.Ctx, "none")), notifytest.Err(a.Events.Get(a.Ctx, runs[0])), notifytest.Err(a.Events.Get(a.Ctx, "t1")),
		notifytest.Err(a.Notifications.ByKey(a.Ctx, events[1], "u0")), notifytest.Err(a.Notifications.ByKey(a.Ctx, events[1], "nobody")),
		notifytest.Err(a.Notifications.List(a.Ctx, usecase.Page{}, nil, &activity.NotificationFilter{EventID: new("none")})),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
	a.DB.Ent.Subscriber.UpdateOne(u[1]).SetDeleted(true).ExecX(a.Ctx)
	list, err := a.Notifications.List(a.Ctx, usecase.Page{}, nil, &activity.NotificationFilter{SubscriberID: new("u1")})
	require.NoError(t, err)
	require.Len(t, list.Edges, 1, "lists know deleted subscribers")
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Notifications.ByKey(a.Ctx, events[1], "u1")))
}

// pick returns the values at the given places.
func pick(values []string, at []int) []string {
	picked := []string{}
	for _, i := range at {
		picked = append(picked, values[i])
	}
	return picked
}

// TestAttempts narrows attempts by message, integration, provider and outcome, and finds one by its number.
func TestAttempts(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)
	messages, integrations := a.MakeMessages(t, u[0], 2), id.Batch(a.Now, 2)
	for i, provider := range []string{"ses", "smtp"} {
		a.DB.Ent.Integration.Create().SetID(integrations[i]).SetIdentifier(provider).SetName(provider).SetProviderID(provider).
			SetChannel(workflow.ChannelEmail).SaveX(a.Ctx)
	}
	var made []string
	for i, c := range []struct {
		message, number, integration int
		outcome                      workflow.AttemptOutcome
	}{{0, 1, 0, workflow.AttemptRejected}, {0, 2, 1, workflow.AttemptAccepted}, {1, 1, 1, workflow.AttemptAccepted}} {
		made = append(made, a.DB.Ent.Attempt.Create().SetMessageID(messages[c.message]).SetNumber(c.number).SetIntegrationID(integrations[c.integration]).
			SetProviderID([]string{"ses", "smtp", "smtp"}[i]).SetProviderMessageID([]string{"", "p1", "p2"}[i]).SetOutcome(c.outcome).SaveX(a.Ctx).ID)
	}
	for name, c := range map[string]struct {
		filter *activity.AttemptFilter
		want   []int
	}{
		"none":               {nil, []int{2, 1, 0}},
		"message":            {&activity.AttemptFilter{MessageID: &messages[0]}, []int{1, 0}},
		"message's name":     {&activity.AttemptFilter{MessageID: new(id.Global("Message", messages[1]))}, []int{2}},
		"integration":        {&activity.AttemptFilter{IntegrationID: &integrations[1]}, []int{2, 1}},
		"provider":           {&activity.AttemptFilter{ProviderID: new("ses")}, []int{0}},
		"outcome":            {&activity.AttemptFilter{OutcomeIn: []workflow.AttemptOutcome{workflow.AttemptAccepted}}, []int{2, 1}},
		"outcome of message": {&activity.AttemptFilter{MessageID: &messages[0], OutcomeIn: []workflow.AttemptOutcome{workflow.AttemptAccepted}}, []int{1}},
	} {
		list, err := a.Attempts.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Equal(t, pick(made, c.want), notifytest.NodeIDs(list.Nodes()), name)
	}
	found, err := a.Attempts.ByNumber(a.Ctx, id.Global("Message", messages[0]), 2)
	require.NoError(t, err)
	require.Equal(t, made[1], found.ID)
	for _, err := range []error{
		notifytest.Err(a.Attempts.ByNumber(a.Ctx, messages[1], 2)), notifytest.Err(a.Attempts.ByNumber(a.Ctx, "none", 1)), notifytest.Err(a.Attempts.Get(a.Ctx, messages[0])),
		notifytest.Err(a.Attempts.List(a.Ctx, usecase.Page{}, nil, &activity.AttemptFilter{MessageID: new("none")})),
		notifytest.Err(a.Attempts.List(a.Ctx, usecase.Page{}, nil, &activity.AttemptFilter{IntegrationID: new("none")})),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}

// TestPagesOfATransaction pages through the notifications of one transactionId, among others whose ids are before and after it, in
// both orders and both directions.
func TestPagesOfATransaction(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t, func(c *usecase.Config) { c.Now = time.Now }) // so that instants narrow by id
	u := a.MakeSubscribers(t, 5)
	var own []string
	events := map[string]*ent.Event{}
	for _, transactionID := range []string{"t0", "t1", "t2"} {
		events[transactionID] = a.MakeEvent(t, transactionID)
	}
	for i := range u {
		a.MakeRun(t, events["t0"], u[i].ID, workflow.RunCompleted)
		own = append(own, a.MakeRun(t, events["t1"], u[i].ID, workflow.RunCompleted).ID)
		a.MakeRun(t, events["t2"], u[i].ID, workflow.RunCompleted)
	}
	filter := &activity.NotificationFilter{TransactionID: new("t1")}
	for _, direction := range []usecase.OrderDirection{usecase.OrderAsc, usecase.OrderDesc} {
		want := slices.Clone(own)
		if direction == usecase.OrderDesc {
			slices.Reverse(want)
		}
		read := func(page usecase.Page) (ids []string, info usecase.PageInfo) {
			list, err := a.Notifications.List(a.Ctx, page, &usecase.Order{Field: usecase.ColumnID, Direction: direction}, filter)
			require.NoError(t, err)
			for _, n := range list.Nodes() {
				ids = append(ids, n.ID)
			}
			total, err := list.TotalCount(a.Ctx)
			require.NoError(t, err)
			require.Equal(t, 5, total)
			return ids, list.PageInfo
		}
		first, info := read(usecase.Page{First: new(2)})
		require.Equal(t, want[:2], first)
		require.Equal(t, []bool{false, true}, []bool{info.HasPreviousPage, info.HasNextPage})
		rest, info := read(usecase.Page{First: new(3), After: info.EndCursor})
		require.Equal(t, want[2:], rest)
		require.Equal(t, []bool{true, false}, []bool{info.HasPreviousPage, info.HasNextPage})
		before, info := read(usecase.Page{Last: new(2), Before: info.StartCursor})
		require.Equal(t, want[:2], before)
		require.Equal(t, []bool{false, true}, []bool{info.HasPreviousPage, info.HasNextPage})
	}
	early := time.Now().Add(-time.Hour)
	filter.CreatedAfter, filter.CreatedBefore = &early, new(time.Now().Add(time.Hour))
	within, err := a.Notifications.List(a.Ctx, usecase.Page{}, nil, filter)
	require.NoError(t, err)
	require.Len(t, within.Nodes(), 5)
}
