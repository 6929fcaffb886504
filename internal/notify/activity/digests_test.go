package activity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// TestDigests narrows windows by each filter, and finds the open one of an identity.
func TestDigests(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	order := a.MakeWorkflow(t, "order", nil)
	window := func(of *ent.Subscriber, key string, status digest.Status, keys ...string) string {
		set := workflow.NewContextSet(keys...)
		return a.DB.Ent.Digest.Create().SetWorkflowID(order.ID).SetNotificationID("n").SetClosesAt(a.Now).SetStepID("collect").SetSubscriberID(of.ID).SetDigestKey(key).
			SetStatus(status).SetOpenedAt(a.Now).SetContextKeys(set).SetScope(set.Scope()).SaveX(a.Ctx).ID
	}
	open := window(u[0], "a", digest.StatusOpen)
	closed := window(u[0], "a", digest.StatusClosed)
	scoped := window(u[0], "a", digest.StatusOpen, "region:eu")
	other := window(u[1], "b", digest.StatusOpen)
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter *activity.DigestFilter
		want   []string
	}{
		"none":             {nil, []string{other, scoped, closed, open}},
		"status":           {&activity.DigestFilter{StatusIn: []digest.Status{digest.StatusClosed}}, []string{closed}},
		"workflow":         {&activity.DigestFilter{Workflow: new("order"), SubscriberID: new("u1")}, []string{other}},
		"unknown workflow": {&activity.DigestFilter{Workflow: new("none")}, []string{}},
		"step":             {&activity.DigestFilter{StepID: new("other")}, []string{}},
		"no subscriber":    {&activity.DigestFilter{SubscriberID: new("u9")}, []string{}},
		"created after":    {&activity.DigestFilter{CreatedAfter: &hour}, []string{}},
		"created before":   {&activity.DigestFilter{CreatedBefore: &hour, SubscriberID: new("u1")}, []string{other}},
	} {
		list, err := a.Digests.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Equal(t, c.want, notifytest.NodeIDs(list.Nodes()), name)
	}
	identity := activity.DigestIdentity{Workflow: "order", StepID: "collect", SubscriberID: "u0", DigestKey: "a"}
	found, err := a.Digests.Open(a.Ctx, identity)
	require.NoError(t, err)
	require.Equal(t, open, found.ID, "not the closed one, nor that of a context")
	identity.ContextKeys = []string{"region:eu"}
	found, err = a.Digests.Open(a.Ctx, identity)
	require.NoError(t, err)
	require.Equal(t, scoped, found.ID)
	elsewhere := a.OtherEnvironment(t)
	for _, err := range []error{
		notifytest.Err(a.Digests.Open(a.Ctx, activity.DigestIdentity{Workflow: "order", StepID: "collect", SubscriberID: "u0", DigestKey: "b"})),
		notifytest.Err(a.Digests.Open(a.Ctx, activity.DigestIdentity{Workflow: "none", StepID: "collect", SubscriberID: "u0", DigestKey: "a"})),
		notifytest.Err(a.Digests.Open(a.Ctx, activity.DigestIdentity{Workflow: "order", StepID: "collect", SubscriberID: "u9", DigestKey: "a"})),
		notifytest.Err(a.Digests.Open(elsewhere, identity)), notifytest.Err(a.Digests.Get(elsewhere, open)), notifytest.Err(a.Digests.Get(a.Ctx, "none")),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
	same, err := a.Digests.Get(a.Ctx, found.GlobalID())
	require.NoError(t, err)
	require.Equal(t, scoped, same.ID)
}

// TestDigestsOfAnotherClock lists windows whose ids are of a process with another clock than the database's, which made their created_at:
// by as much as processes work with.
func TestDigestsOfAnotherClock(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	created, skew := time.Now().Add(-time.Hour), postgres.MostSkew-time.Second
	var want []string
	for _, at := range []time.Time{created.Add(-skew), created.Add(skew)} {
		made := a.DB.Ent.Digest.Create().SetID(id.Floor(at)).SetCreatedAt(created).SetWorkflowID("w").SetStepID("s").SetSubscriberID("u").SetDigestKey(at.String()).
			SetNotificationID("n").SetContextKeys(workflow.NewContextSet()).SetScope("").SetOpenedAt(a.Now).SetClosesAt(a.Now).SaveX(a.Ctx)
		want = append(want, made.ID)
	}
	digests := activity.Digests{Deps: usecase.Deps{DB: a.DB, Now: time.Now}} // clocks that are set narrow nothing
	list, err := digests.List(a.Ctx, usecase.Page{}, &usecase.OldestFirst, &activity.DigestFilter{
		CreatedAfter: new(created.Add(-time.Second)), CreatedBefore: new(created.Add(time.Second)),
	})
	require.NoError(t, err)
	require.ElementsMatch(t, want, notifytest.NodeIDs(list.Nodes()))
}
