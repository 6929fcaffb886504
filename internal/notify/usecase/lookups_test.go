package usecase_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestWorkflowRefs holds by which names a living workflow is found, and which of two wins.
func TestWorkflowRefs(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	order := a.MakeWorkflow(t, "order", nil)
	named := a.MakeWorkflow(t, id.Slug("order", "wf", order.ID), nil) // its identifier is the slug of another
	deleted := a.MakeWorkflow(t, "gone", nil)
	deleted.Update().SetDeleted(true).ExecX(a.Ctx)
	likeAnID := a.MakeWorkflow(t, strings.Repeat("ab", 12), nil)
	other := a.OtherEnvironment(t)
	refs := map[string]*ent.Workflow{
		order.ID: order, strings.ToUpper(order.ID): order, id.Global("Workflow", order.ID): order, "order": order,
		id.Slug("whatever it was called", "wf", order.ID): order,
		named.Identifier: order, // an id inside a reference is tried before identifiers
		named.ID:         named,
		"Order":          nil, "gone": nil, deleted.ID: nil, id.Global("Topic", order.ID): nil, id.New(a.Now): nil, "": nil,
		likeAnID.Identifier: nil, // a plain id names nothing but its record
	}
	names := make([]string, 0, len(refs))
	for ref := range refs {
		names = append(names, ref)
	}
	found, err := usecase.WorkflowRefs(a.Ctx, a.DB.Ent, names)
	require.NoError(t, err)
	for ref, want := range refs {
		if want == nil {
			require.NotContains(t, found, ref)
			notifytest.RequireKind(t, fault.NotFound, notifytest.Err(usecase.WorkflowRef(a.Ctx, a.DB.Ent, ref)))
			continue
		}
		require.Equal(t, want.ID, usecase.WorkflowIDOf(found[ref]), ref)
		one, err := usecase.WorkflowRef(a.Ctx, a.DB.Ent, ref)
		require.NoError(t, err)
		require.Equal(t, want.ID, one.ID, ref)
	}
	elsewhere, err := usecase.WorkflowRefs(other, a.DB.Ent, names)
	require.NoError(t, err)
	require.Empty(t, elsewhere, "another environment's are not found")
	none, err := usecase.WorkflowRefs(a.Ctx, a.DB.Ent, nil)
	require.NoError(t, err)
	require.Empty(t, none)
	name, err := usecase.NamedWorkflow(a.Ctx, a.DB.Ent, "order")
	require.NoError(t, err)
	require.Equal(t, order.ID, name)
	name, err = usecase.NamedWorkflow(a.Ctx, a.DB.Ent, "none")
	require.NoError(t, err)
	require.Empty(t, name, "which matches no record")
	require.NotContains(t, usecase.ShownWorkflowColumns, "search")
	require.Contains(t, usecase.ShownWorkflowColumns, "draft")
}

// TestNamedSubscribers holds whom a subscriberId names: for lists everyone who ever bore it, for calls who bears it now.
func TestNamedSubscribers(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	first := a.MakeSubscribers(t, 2)[0]
	a.DB.Ent.Subscriber.UpdateOneID(first.ID).SetDeleted(true).ExecX(a.Ctx)
	second := a.DB.Ent.Subscriber.Create().SetSubscriberID("u0").SaveX(a.Ctx)
	ids, err := usecase.NamedSubscribers(a.Ctx, a.DB.Ent, "u0")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{first.ID, second.ID}, ids)
	living, err := usecase.LivingSubscriberID(a.Ctx, a.DB.Ent, "u0")
	require.NoError(t, err)
	require.Equal(t, second.ID, living)
	found, err := usecase.LivingSubscriber(a.Ctx, a.DB.Ent, " u0 ")
	require.NoError(t, err)
	require.Equal(t, second.ID, found.ID)
	second.Update().SetDeleted(true).ExecX(a.Ctx)
	other := a.OtherEnvironment(t)
	for _, err := range []error{
		notifytest.Err(usecase.LivingSubscriberID(a.Ctx, a.DB.Ent, "u0")),
		notifytest.Err(usecase.LivingSubscriber(a.Ctx, a.DB.Ent, "u0")),
		notifytest.Err(usecase.LivingSubscriber(a.Ctx, a.DB.Ent, "")),
		notifytest.Err(usecase.LivingSubscriber(other, a.DB.Ent, "u1")),
		notifytest.Err(usecase.LivingSubscriberID(other, a.DB.Ent, "u1")),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
	ids, err = usecase.NamedSubscribers(other, a.DB.Ent, "u0")
	require.NoError(t, err)
	require.Empty(t, ids)
}

// TestScopeMatch holds what a filter by context keys keeps.
func TestScopeMatch(t *testing.T) {
	t.Parallel()
	match := func(keys []string) []string {
		return usecase.ScopeMatch([]string{"before"}, keys, func(scope string) string { return "=" + scope }, func() string { return "nothing" })
	}
	eu := workflow.NewContextSet("region:eu").Scope()
	require.Equal(t, []string{"before"}, match(nil))
	require.Equal(t, []string{"before", "="}, match([]string{}), "records without context")
	require.Equal(t, []string{"before", "=" + eu}, match([]string{"region:eu"}))
	require.Equal(t, match([]string{"app:web", "region:eu"}), match([]string{"region:eu", "app:web"}), "in any order")
	require.Equal(t, []string{"before", "nothing"}, match([]string{"eu"}))
	require.Equal(t, eu, usecase.ScopeOf([]string{"region:eu"}))
}

// TestSmallHelpers holds what updates and batches are made of.
func TestSmallHelpers(t *testing.T) {
	t.Parallel()
	changes, set := map[string]any{}, ""
	usecase.SetIf(changes, "name", new("x"), func(v string) error { set = v; return nil })
	usecase.SetIf(changes, "other", nil, func(string) error { set = "other"; return nil })
	require.Equal(t, "x", set)
	require.Equal(t, map[string]any{"name": "x"}, changes)
	require.True(t, usecase.SameJSON(map[string]any{"a": 1, "b": nil}, map[string]any{"b": nil, "a": 1.0}))
	require.False(t, usecase.SameJSON(map[string]any{"a": 1}, map[string]any{"a": 1, "b": nil}))
	require.False(t, usecase.SameJSON(func() {}, func() {}), "what has no JSON is not the same")
	topics := []*ent.Topic{{ID: "1", Key: "a"}, {ID: "2", Key: "b"}, {ID: "3", Key: "a"}}
	require.Equal(t, map[string]*ent.Topic{"1": topics[0], "2": topics[1], "3": topics[2]}, usecase.ByID(topics))
	require.Equal(t, map[string][]*ent.Topic{"a": {topics[0], topics[2]}, "b": {topics[1]}}, usecase.GroupBy(topics, func(t *ent.Topic) string { return t.Key }))
	require.Empty(t, usecase.Text(nil))
	require.Equal(t, "x", usecase.Text(new("x")))
	require.Equal(t, []int{1, 2}, usecase.WithFilter([]int{1}, new(2), func(v int) int { return v }))
	require.Equal(t, []int{1}, usecase.WithFilter([]int{1}, nil, func(v int) int { return v }))
	require.Empty(t, usecase.WorkflowIDOf(nil))
}

// TestRecordIDSpeaks: what is told of an id that names nothing has the words of texts, not the names of the schema.
func TestRecordIDSpeaks(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]string{
		"APIKey": "API key", "ChannelEndpoint": "Channel endpoint", "SubscriptionPreference": "Subscription preference", "Topic": "Topic",
	} {
		_, err := usecase.RecordID(typ, "nope")
		require.EqualError(t, err, want+" nope was not found.")
	}
}
