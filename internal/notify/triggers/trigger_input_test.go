package triggers_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// recorder is an acceptor that keeps what it is given and answers each event by its transactionId.
type recorder struct {
	given    []accept.Acceptance
	outcomes map[string]accept.Outcome // by transactionId; all others are processed
	failure  error
}

// Accept keeps the events of a request.
func (r *recorder) Accept(_ context.Context, call accept.Request) ([]accept.Outcome, error) {
	r.given = append(r.given, call.Items...)
	outcomes := make([]accept.Outcome, len(call.Items))
	for i, item := range call.Items {
		outcomes[i] = accept.Outcome{Status: workflow.TriggerProcessed, EventID: "event of " + item.TransactionID}
		if other, found := r.outcomes[item.TransactionID]; found {
			outcomes[i] = other
		}
	}
	return outcomes, r.failure
}

// Urgent reports that only the workflow "alarm" is urgent.
func (*recorder) Urgent(_, name string) bool { return name == "alarm" }

// last returns the event that was accepted last.
func (r *recorder) last(t *testing.T) accept.Acceptance {
	t.Helper()
	require.NotEmpty(t, r.given)
	return r.given[len(r.given)-1]
}

// newRecorded returns use cases whose events go to a recorder.
func newRecorded(t *testing.T, changes ...func(*usecase.Config)) (*notifytest.Audience, *recorder) {
	t.Helper()
	r := &recorder{outcomes: map[string]accept.Outcome{}}
	a := notifytest.NewAudience(t, append(changes, func(cfg *usecase.Config) { cfg.Accept = r })...)
	return a, r
}

// documented returns an event in its documented form.
func documented(document string) triggers.TriggerInput {
	return *triggers.NewTriggerInput([]byte(document), nil)
}

// TestTriggerInputProblems holds which field each problem of an event names, and that nothing of such an event is accepted.
func TestTriggerInputProblems(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	list := func(n int, item string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	for document, want := range map[string][]string{
		`[]`:                      {"general"},
		`null`:                    {"general"},
		`"w"`:                     {"general"},
		`{"na`:                    {"general"},
		`{}`:                      {"name", "to"},
		`{"name":null,"to":null}`: {"name", "to"},
		`{"name":1,"to":"u"}`:     {"name"},
		`{"name":"","to":"u"}`:    {"name"},
		`{"name":"a b","to":"u"}`: {"name"},
		`{"name":"` + strings.Repeat("w", 256) + `","to":"u"}`: {"name"},

		`{"name":"w","to":"u","transactionId":""}`:                                                      {"transactionId"},
		`{"name":"w","to":"u","transactionId":7}`:                                                       {"transactionId"},
		`{"name":"w","to":"u","transactionId":"a\u0000"}`:                                               {"transactionId"},
		`{"name":"w","to":"u","transactionId":"` + strings.Repeat("t", workflow.MaxIdentifier+1) + `"}`: {"transactionId"},

		`{"name":"w","to":"u","payload":[]}`:                 {"payload"},
		`{"name":"w","to":"u","payload":"text"}`:             {"payload"},
		`{"name":"w","to":"u","payload":{"n":1e400}}`:        {"payload"},
		`{"name":"w","to":"u","payload":{"a":"\u0000"}}`:     {"payload"},
		`{"name":"w","to":"u","overrides":[]}`:               {"overrides"},
		`{"name":"w","to":"u","overrides":{"severity":"x"}}`: {"overrides.severity"},
		`{"name":"w","to":"u","overrides":{"a":"\u0000"}}`:   {"overrides"},

		`{"name":"w","to":` + list(workflow.MaxRecipients+1, `"u"`) + `}`:  {"to"},
		`{"name":"w","to":{"subscriberId":"u","email":1,"data":[]}}`:       {"to.email", "to.data"},
		`{"name":"w","to":["u",{"subscriberId":"v","firstName":true}]}`:    {"to.1.firstName"},
		`{"name":"w","to":{"subscriberId":"u","email":"\u0000"}}`:          {"to.email"},
		`{"name":"w","to":[{"subscriberId":"u","data":{"a":["\u0000"]}}]}`: {"to.0.data"},
		`{"name":"w","to":{"subscriberId":"u","avatar":"javascript:x"}}`:   {"to.avatar"},
		`{"name":"w","to":{"topicKey":"t","exclude":"u"}}`:                 {"to.exclude"},
		`{"name":"w","to":{"topicKey":"t","exclude":["a\u0000"]}}`:         {"to.exclude"},
		`{"name":"w","to":{"subscriberId":"u","channels":[{}]}}`:           {"to.channels.0.providerId"},
		`{"name":"w","to":{"subscriberId":"u","channels":{}}}`:             {"to.channels"},
		`{"name":"w","to":{"subscriberId":"u","channels":[{"providerId":"fcm","credentials":{"deviceTokens":` +
			list(workflow.MaxDeviceTokens+1, `"d"`) + `}}]}}`: {"to.channels.0.credentials.deviceTokens"},

		`{"name":"w","to":"u","actor":7}`:                                                             {"actor"},
		`{"name":"w","to":"u","actor":" "}`:                                                           {"actor"},
		`{"name":"w","to":"u","actor":{"subscriberId":""}}`:                                           {"actor.subscriberId"},
		`{"name":"w","to":"u","actor":{"subscriberId":"a","data":{"x":"\u0000"}}}`:                    {"actor.data"},
		`{"name":"w","to":"u","tenant":[]}`:                                                           {"tenant"},
		`{"name":"w","to":"u","tenant":{"name":"x"}}`:                                                 {"tenant.identifier"},
		`{"name":"w","to":"u","tenant":{"identifier":"t","data":{"x":"\u0000"}}}`:                     {"tenant.data"},
		`{"name":"w","to":"u","tenant":{"identifier":"t","name":"` + strings.Repeat("x", 256) + `"}}`: {"tenant.name"},
		`{"name":"w","to":"u","context":[]}`:                                                          {"context"},
		`{"name":"w","to":"u","context":{"a b":"x"}}`:                                                 {"context.a b"},
		`{"name":"w","to":"u","context":{"region":{"id":"eu","data":{"x":"\u0000"}}}}`:                {"context.region.data"},

		`{"to":1,"actor":1,"tenant":1,"payload":1,"transactionId":1}`: {"name", "transactionId", "payload", "actor", "tenant"},
	} {
		_, err := a.Triggers.Trigger(a.Ctx, documented(document))
		require.Equal(t, want, notifytest.Paths(t, err), document)
	}
	_, err := a.Triggers.Broadcast(a.Ctx, documented(`{"name":"w"}`))
	require.Equal(t, []string{"payload"}, notifytest.Paths(t, err), "a broadcast has a payload")
	require.Empty(t, accepted.given)
}

// TestTriggerInputBounds holds what an event may hold at most.
func TestTriggerInputBounds(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	to := make([]string, workflow.MaxRecipients)
	for i := range to {
		to[i] = strings.Repeat("u", i+1)
	}
	document, err := json.Marshal(map[string]any{
		"name": strings.Repeat("w", 255), "to": to, "transactionId": strings.Repeat("t", workflow.MaxIdentifier),
	})
	require.NoError(t, err)
	result, err := a.Triggers.Trigger(a.Ctx, documented(string(document)))
	require.NoError(t, err)
	require.Equal(t, workflow.TriggerProcessed, result.Status)
	var stored workflow.Recipients
	require.NoError(t, json.Unmarshal(accepted.last(t).Recipients, &stored))
	require.Len(t, stored.Direct, workflow.MaxRecipients)
}

// TestTriggerInputAccepted holds what is accepted of an event's fields.
func TestTriggerInputAccepted(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	trigger := func(document string) accept.Acceptance {
		_, err := a.Triggers.Trigger(a.Ctx, documented(document))
		require.NoError(t, err, document)
		return accepted.last(t)
	}

	bare := trigger(`{"name":"w","to":" u ","payload":null,"overrides":null,"actor":null,"tenant":null,"context":null}`)
	require.Equal(t, event.KindTrigger, bare.Kind)
	require.Equal(t, a.Scope.EnvironmentID, bare.EnvironmentID)
	require.JSONEq(t, `{"direct":[{"subscriberId":"u"}]}`, string(bare.Recipients), "blanks around an id do not count")
	require.JSONEq(t, `{}`, string(bare.Payload))
	require.Nil(t, bare.Overrides)
	require.Nil(t, bare.Actor)
	require.Nil(t, bare.Tenant)
	require.Empty(t, bare.Contexts)
	require.True(t, bare.Reachable)
	require.False(t, bare.Topics)

	full := trigger(`{"name":"w","transactionId":"t1","payload":{"big":12345678901234567890},
		"to":["u",{"subscriberId":"u","email":"a@example.com","phone":null},{"type":"Topic","topicKey":"orders","exclude":["x"]},
			{"topicKey":"orders","exclude":[" y "]},{"type":"other"},7],
		"overrides":{"severity":"high"},"actor":{"subscriberId":"a","firstName":"Ada"},
		"tenant":{"identifier":"acme","name":"Acme"},"context":{"region":"eu","app":{"id":"web","data":{"v":1}}}}`)
	require.Equal(t, "t1", full.TransactionID)
	require.False(t, full.Generated)
	require.JSONEq(t, `{"direct":[{"subscriberId":"u","email":"a@example.com","phone":null}],
		"topics":[{"topicKey":"orders","exclude":["x","y"]}],
		"invalid":[{"path":"to.4","reason":"type must be Topic or Subscriber"},{"path":"to.5","reason":"must be a string or an object"}]}`,
		string(full.Recipients), "a subscriber or topic that is named twice is one")
	require.Contains(t, string(full.Payload), "12345678901234567890", "numbers keep their digits")
	require.True(t, full.Reachable)
	require.True(t, full.Topics)
	require.Equal(t, workflow.SeverityHigh, full.Severity)
	require.JSONEq(t, `{"severity":"high"}`, string(full.Overrides))
	require.JSONEq(t, `{"subscriberId":"a","firstName":"Ada"}`, string(full.Actor))
	require.Equal(t, &workflow.TenantInput{Identifier: "acme", Inline: true, Name: new("Acme")}, full.Tenant)
	require.Len(t, full.Contexts, 2)

	require.False(t, trigger(`{"name":"w","to":[]}`).Reachable, "no recipient is named")
	require.False(t, trigger(`{"name":"w","to":[7,{"subscriberId":""}]}`).Reachable, "no valid recipient is named")
	require.False(t, trigger(`{"name":"w","to":"u","tenant":"acme"}`).Tenant.Inline, "a tenant that must exist")

	_, err := a.Triggers.Broadcast(a.Ctx, documented(`{"name":"w","payload":{},"to":"ignored"}`))
	require.NoError(t, err)
	all := accepted.last(t)
	require.Equal(t, event.KindBroadcast, all.Kind)
	require.Nil(t, all.Recipients, "a broadcast names no recipients")
	require.True(t, all.Reachable)
}

// TestTriggerInputPrefix holds that the operator's own providers are stored by their canonical ids, however callers write them.
func TestTriggerInputPrefix(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t, func(cfg *usecase.Config) { cfg.Prefix = "acme" })
	_, err := a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","to":"u","overrides":{"providers":{"acme-email":{"x":1},"resend":{"y":2}}}}`))
	require.NoError(t, err)
	overrides := accepted.last(t).Overrides
	require.Contains(t, string(overrides), `"`+workflow.OwnPrefix+`-email"`)
	require.NotContains(t, string(overrides), "acme-email")
	require.Contains(t, string(overrides), `"resend"`)
}

// TestWebhookURLsOfTriggersAreSealed holds that an address that a trigger sets for a recipient is not stored in the clear.
func TestWebhookURLsOfTriggersAreSealed(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	_, err := a.Triggers.Trigger(a.Ctx, documented(`{"name":"w","to":{"subscriberId":"u","channels":[
		{"providerId":"slack","credentials":{"webhookUrl":"https://hooks.example.com/secret"}}]}}`))
	require.NoError(t, err)
	require.NotContains(t, string(accepted.last(t).Recipients), "hooks.example.com")
}

// TestTriggerSizes holds that an event is measured before anything else of it is read.
func TestTriggerSizes(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	large := `{"name":"big","payload":{"a":"` + strings.Repeat("a", triggers.MaxEventBytes) + `"}}`
	notifytest.RequireKind(t, fault.TooLarge, notifytest.Err(a.Triggers.Trigger(a.Ctx, documented(large))))
	small := triggers.NewTriggerInput([]byte(`{"name":"w","to":"u"}`), nil)
	_, err := a.Triggers.Bulk(a.Ctx, []*triggers.TriggerInput{small, triggers.NewTriggerInput([]byte(large), nil)})
	notifytest.RequireKind(t, fault.TooLarge, err)
	require.ErrorContains(t, err, "Event 1 (workflow big) has ")
	_, err = a.Triggers.Bulk(a.Ctx, []*triggers.TriggerInput{triggers.NewTriggerInput([]byte(strings.Replace(large, `"big"`, `7`, 1)), nil)})
	require.ErrorContains(t, err, "Event 0 (workflow unnamed) has ")
	require.Empty(t, accepted.given, "nothing of the request is accepted")
}
