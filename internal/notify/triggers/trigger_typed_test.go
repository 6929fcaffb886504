package triggers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/triggers"
)

// TestTypedEvents holds that typed fields are accepted as their documented form is.
func TestTypedEvents(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	typed := triggers.TriggerInput{
		Name: "w", TransactionID: new("t"),
		To: []*triggers.RecipientInput{
			{SubscriberID: new("u0")},
			{Subscriber: map[string]any{"subscriberId": "u1", "email": nil, "firstName": "Ada"}},
			{Topic: map[string]any{"topicKey": "orders", "exclude": []any{"u2"}}},
		},
		Payload: map[string]any{"n": 1}, Overrides: map[string]any{"severity": "low"},
		Actor:            map[string]any{"subscriberId": "a"},
		TenantIdentifier: new("acme"),
		Context:          []*triggers.TriggerContextInput{{Type: "region", ID: "eu"}, {Type: "app", ID: "web", Data: map[string]any{"v": 1}}},
	}
	_, err := a.Triggers.Trigger(a.Ctx, typed)
	require.NoError(t, err)
	_, err = a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","transactionId":"t",
		"to":["u0",{"subscriberId":"u1","email":null,"firstName":"Ada"},{"topicKey":"orders","exclude":["u2"]}],
		"payload":{"n":1},"overrides":{"severity":"low"},"actor":{"subscriberId":"a"},"tenant":"acme",
		"context":{"region":{"id":"eu"},"app":{"id":"web","data":{"v":1}}}}`))
	require.NoError(t, err)
	require.Len(t, accepted.given, 2)
	got, want := accepted.given[0], accepted.given[1]
	require.JSONEq(t, string(want.Recipients), string(got.Recipients))
	require.JSONEq(t, string(want.Payload), string(got.Payload))
	require.JSONEq(t, string(want.Overrides), string(got.Overrides))
	require.JSONEq(t, string(want.Actor), string(got.Actor))
	require.Equal(t, want.Tenant, got.Tenant)
	require.False(t, got.Tenant.Inline, "an identifier names a tenant that exists")
	require.ElementsMatch(t, want.Contexts, got.Contexts)
	require.Equal(t, want.TransactionID, got.TransactionID)
	require.Equal(t, want.Severity, got.Severity)

	typed.TenantIdentifier, typed.Tenant = nil, map[string]any{"identifier": "acme"}
	_, err = a.Triggers.Trigger(a.Ctx, typed)
	require.NoError(t, err)
	require.True(t, accepted.last(t).Tenant.Inline, "an object makes or changes a tenant")
}

// TestTypedEventProblems holds what the documented form cannot express.
func TestTypedEventProblems(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	u := []*triggers.RecipientInput{{SubscriberID: new("u")}}
	for name, c := range map[string]struct {
		in   triggers.TriggerInput
		want []string
	}{
		"an empty recipient": {triggers.TriggerInput{Name: "w", To: []*triggers.RecipientInput{{}, u[0], nil}}, []string{"to.0", "to.2"}},
		"a recipient of two kinds": {
			triggers.TriggerInput{Name: "w", To: []*triggers.RecipientInput{{SubscriberID: new("u"), Topic: map[string]any{"topicKey": "t"}}}},
			[]string{"to.0"},
		},
		"a tenant twice": {
			triggers.TriggerInput{Name: "w", To: u, TenantIdentifier: new("a"), Tenant: map[string]any{"identifier": "a"}},
			[]string{"tenantIdentifier"},
		},
		"a context twice": {
			triggers.TriggerInput{Name: "w", To: u, Context: []*triggers.TriggerContextInput{{Type: "r", ID: "a"}, {Type: "q", ID: "a"}, {Type: "r", ID: "b"}}},
			[]string{"context.2.type"},
		},
		"too many recipients to encode": {
			triggers.TriggerInput{Name: "w", To: make([]*triggers.RecipientInput, triggers.MaxEventBytes/4+1)}, []string{"to"},
		},
		"no tenant": {triggers.TriggerInput{Name: "w", To: u, TenantIdentifier: new("é")}, []string{"tenantIdentifier"}},
		"contexts": {
			triggers.TriggerInput{Name: "w", To: u, Context: []*triggers.TriggerContextInput{{Type: "r", ID: "a"}, {Type: "a b", ID: "a"}, {Type: "q", ID: ""}}},
			[]string{"context.1.type", "context.2.id"},
		},
		"profiles": {
			triggers.TriggerInput{Name: "w", To: []*triggers.RecipientInput{
				u[0], {Subscriber: map[string]any{"subscriberId": "u", "email": strings.Repeat("a", 513)}}, {Topic: map[string]any{"topicKey": "t", "exclude": 5}},
			}},
			[]string{"to.1.subscriber.email", "to.2.topic.exclude"},
		},
		"nothing":           {triggers.TriggerInput{}, []string{"name"}},
		"a name too long":   {triggers.TriggerInput{Name: strings.Repeat("w", 256), To: u}, []string{"name"}},
		"no transaction id": {triggers.TriggerInput{Name: "w", To: u, TransactionID: new("")}, []string{"transactionId"}},
	} {
		_, err := a.Triggers.Trigger(a.Ctx, c.in)
		require.Equal(t, c.want, notifytest.Paths(t, err), name)
	}
	require.Empty(t, accepted.given)

	results, err := a.Triggers.Bulk(a.Ctx, []*triggers.TriggerInput{{Name: "w", To: u}, {Name: "w", To: []*triggers.RecipientInput{{}}}})
	require.NoError(t, err)
	require.Len(t, accepted.given, 1, "an event of several that is wrong leaves the others")
	require.Equal(t, []string{"to.0 must hold exactly one of subscriberId, subscriber, topic and audience"}, results[1].Error)
}
