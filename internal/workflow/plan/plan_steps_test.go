package plan_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// TestPlanActs: steps that reach no one by themselves go by their conditions alone.
func TestPlanActs(t *testing.T) {
	t.Parallel()
	for kind, want := range map[workflow.StepType]plan.DecisionKind{
		workflow.StepTrigger: plan.DecideTrigger, workflow.StepCustom: plan.DecideCall, workflow.StepDigest: plan.DecideDigest,
		workflow.StepThrottle: plan.DecideThrottle,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := step("s", kind)
			s.Filters = when("payload", "go", "true")
			in := planInput(s)
			in.Data.Payload = map[string]any{"go": true}
			d, ok := plan.NewRun(in).Next()
			require.True(t, ok)
			require.Equal(t, want, d.Kind)

			in.Data.Payload = map[string]any{"go": false}
			d, _ = plan.NewRun(in).Next()
			require.Equal(t, []any{plan.DecideSkip, workflow.ReasonCondition}, []any{d.Kind, d.Reason})
			require.False(t, d.Why.Result)

			in.Definition.Steps[0].Active = false
			d, _ = plan.NewRun(in).Next()
			require.Equal(t, workflow.ReasonStepInactive, d.Reason)
		})
	}
	delay := delayed(workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours})
	delay.Filters = when("payload", "go", "true")
	decisions := decide(planInput(delay, step("a", workflow.StepInApp)))
	require.Equal(t, []any{plan.DecideSkip, plan.DecideSend}, []any{decisions[0].Kind, decisions[1].Kind}, "a delay whose condition fails does not wait")

	d := decide(planInput(step("x", "carrier_pigeon")))[0]
	require.Equal(t, []any{plan.DecideSkip, workflow.ReasonStepUnsupported, "carrier_pigeon"}, []any{d.Kind, d.Reason, d.Detail})
}

// TestPlanFailures: a channel step that fails lets the run continue unless it says otherwise; any other step ends it.
func TestPlanFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind workflow.StepType
		stop bool
		want plan.DecisionKind
	}{
		"Mail":         {workflow.StepEmail, false, plan.DecideSend},
		"MailThatEnds": {workflow.StepEmail, true, plan.DecideStop},
		"Custom":       {workflow.StepCustom, false, plan.DecideStop},
		"Trigger":      {workflow.StepTrigger, false, plan.DecideStop},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failing := step("f", c.kind)
			failing.ShouldStopOnFail = c.stop
			in := planInput(failing, step("a", workflow.StepInApp))
			in.Position, in.Begun = 1, true
			in.Results = map[string]plan.StepResult{"f": {Failed: true}}
			d := decide(in)[0]
			require.Equal(t, c.want, d.Kind)
			if c.want == plan.DecideStop {
				require.Equal(t, []any{workflow.ReasonStopOnFail, workflow.RunFailed, "f", 1}, []any{d.Reason, d.Status, d.Step.StepID, d.Position})
			}
		})
	}
}

// TestPlanWaitsForOutcomes: only where something depends on them.
func TestPlanWaitsForOutcomes(t *testing.T) {
	t.Parallel()
	kinds := func(in *plan.PlanInput) (list []plan.DecisionKind) {
		for _, d := range decide(in) {
			list = append(list, d.Kind)
		}
		return list
	}
	mail := step("m", workflow.StepEmail)
	require.Equal(t, []plan.DecisionKind{plan.DecideSend, plan.DecideSend, plan.DecideComplete}, kinds(planInput(mail, step("a", workflow.StepInApp))))

	stopping := mail
	stopping.ShouldStopOnFail = true
	require.Equal(t, []plan.DecisionKind{plan.DecideSend, plan.DecideWait}, kinds(planInput(stopping, step("a", workflow.StepInApp))))
	require.Equal(t, []plan.DecisionKind{plan.DecideSend, plan.DecideComplete}, kinds(planInput(stopping)), "nothing follows that a failure could stop")

	for field, waits := range map[string]bool{"m.sent": true, "m.failed": true, "m.seen": false, "m.read": false, "other.sent": false} {
		looking := step("a", workflow.StepInApp)
		looking.Filters = when("step", field, "true")
		require.Equal(t, waits, kinds(planInput(mail, looking))[1] == plan.DecideWait, field)

		variant := step("a", workflow.StepInApp)
		variant.Variants = []workflow.Variant{{Name: "v", Filters: when("step", field, "true")}}
		require.Equal(t, waits, kinds(planInput(mail, variant))[1] == plan.DecideWait, "in a variant: %s", field)
	}
}

// TestPlanVariants: the first whose conditions hold replaces the content, and the trace says which.
func TestPlanVariants(t *testing.T) {
	t.Parallel()
	s := step("a", workflow.StepInApp)
	s.Variants = []workflow.Variant{
		{ID: "1", Name: "gold", Filters: when("payload", "tier", "gold")},
		{ID: "2", Name: "any", Filters: when("subscriber", "locale", "de")},
		{ID: "3", Filters: when("step", "m.failed", "true")},
	}
	for name, c := range map[string]struct {
		payload, subscriber map[string]any
		results             map[string]plan.StepResult
		want, detail        string
	}{
		"None":      {nil, nil, nil, "", ""},
		"First":     {map[string]any{"tier": "gold"}, map[string]any{"locale": "de"}, nil, "1", "variant gold 1"},
		"Second":    {map[string]any{"tier": "iron"}, map[string]any{"locale": "de"}, nil, "2", "variant any 2"},
		"ByOutcome": {nil, nil, map[string]plan.StepResult{"m": {Failed: true}}, "3", "variant 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := planInput(s)
			in.Data.Payload, in.Data.Subscriber, in.Results = c.payload, c.subscriber, c.results
			d := decide(in)[0]
			id := ""
			if d.Variant != nil {
				id = d.Variant.ID
			}
			require.Equal(t, []string{c.want, c.detail}, []string{id, d.Detail})
		})
	}
}

// TestPlanListsEveryReason: all grounds to skip a step, the first of the documented order shown (semantics.md §11.18).
func TestPlanListsEveryReason(t *testing.T) {
	t.Parallel()
	s := step("m", workflow.StepEmail)
	s.Filters = when("payload", "go", "true")
	in := planInput(s)
	in.Now, in.Profile, in.Integrations = time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC), plan.Profile{Schedule: office("monday")}, nil
	off := false
	in.Definition.Preferences.Email = &off
	in.Preferences = workflow.Preferences{Author: in.Definition.Preferences}
	d := decide(in)[0]
	require.Equal(t, workflow.ReasonCondition, d.Reason)
	require.Equal(t, []workflow.Reason{
		workflow.ReasonCondition, workflow.ReasonPreference, workflow.ReasonSchedule, workflow.ReasonNoAddress, workflow.ReasonNoIntegration,
	}, d.Reasons)
	require.Contains(t, d.Detail, "decided by", "the detail is that of the preference, which came first")
	require.Empty(t, d.Targets)
}

// TestPlanEmailAddresses: those of the trigger come beside the subscriber's own, or in place of it.
func TestPlanEmailAddresses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own    string
		over   map[string]any
		want   []string
		reason workflow.Reason
		detail string
	}{
		"Own":             {"a@example.com", nil, []string{"a@example.com"}, "", ""},
		"Trimmed":         {" a@example.com ", nil, []string{"a@example.com"}, "", ""},
		"Beside":          {"a@example.com", map[string]any{"to": []any{"b@example.com", "a@example.com"}}, []string{"a@example.com", "b@example.com"}, "", ""},
		"InPlace":         {"a@example.com", map[string]any{"to": []any{"b@example.com"}, "replaceToRecipient": true}, []string{"b@example.com"}, "", ""},
		"InPlaceOfNone":   {"a@example.com", map[string]any{"replaceToRecipient": true}, []string{"a@example.com"}, "", ""},
		"WithoutOwn":      {"", map[string]any{"to": []any{"b@example.com"}}, []string{"b@example.com"}, "", ""},
		"InvalidLeftOut":  {"nonsense", map[string]any{"to": []any{"b@example.com"}}, []string{"b@example.com"}, "", "invalid e-mail address: that of the subscriber"},
		"OneOfTheTrigger": {"a@example.com", map[string]any{"to": []any{"b@example.com", "Ann <c@example.com>"}}, []string{"a@example.com", "b@example.com"}, "", "invalid e-mail address: overrides.email.to.1"},
		"TwoOfTheTrigger": {"a@example.com", map[string]any{"to": []any{"b", "c"}}, []string{"a@example.com"}, "", "invalid e-mail address: overrides.email.to.0 and 1 more"},
		"NoneAtAll":       {"", nil, nil, workflow.ReasonNoAddress, ""},
		"OnlyInvalidOnes": {"nonsense", nil, nil, workflow.ReasonInvalidAddress, "invalid e-mail address: that of the subscriber"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := planInput(step("m", workflow.StepEmail))
			in.Profile.Email = c.own
			if c.over != nil {
				in.Overrides = overridden(t, map[string]any{"email": c.over})
			}
			d := decide(in)[0]
			require.Equal(t, c.detail, d.Detail)
			if c.reason != "" {
				require.Equal(t, []any{plan.DecideSkip, c.reason}, []any{d.Kind, d.Reason})
				return
			}
			require.Equal(t, c.want, d.Targets[0].To)
		})
	}
}

func TestPlanPhones(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ own, over, want string }{
		"Own":         {" +15550101234 ", "", "+15550101234"},
		"Overridden":  {"+15550101234", "+4915112345678", "+4915112345678"},
		"OnlyOver":    {"", "+4915112345678", "+4915112345678"},
		"BadOverride": {"+15550101234", "0151", string(workflow.ReasonInvalidAddress)},
		"Written":     {"+44 (7700) 900-123", "", "+447700900123"},
		"DialedFrom":  {"", "0049.151.12345678", "+4915112345678"},
		"National":    {"0151 1234", "", string(workflow.ReasonInvalidAddress)},
		"None":        {"", "", string(workflow.ReasonNoAddress)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := planInput(step("s", workflow.StepSMS))
			in.Profile.Phone = c.own
			if c.over != "" {
				in.Overrides = overridden(t, map[string]any{"sms": map[string]any{"to": c.over}})
			}
			d := decide(in)[0]
			got := string(d.Reason)
			if d.Kind == plan.DecideSend {
				got = d.Targets[0].Phone
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestPlanRedirectsEndpoints: an override replaces an endpoint's address only when it is one for that type.
func TestPlanRedirectsEndpoints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind     workflow.EndpointType
		endpoint map[string]any
		want     workflow.EndpointData
	}{
		"Webhook":         {workflow.EndpointWebhook, map[string]any{"url": "https://new"}, workflow.EndpointData{URL: "https://new"}},
		"OtherTypesField": {workflow.EndpointWebhook, map[string]any{"channelId": "C1"}, workflow.EndpointData{URL: "https://stored"}},
		"NoText":          {workflow.EndpointWebhook, map[string]any{"url": 5}, workflow.EndpointData{URL: "https://stored"}},
		"BadPhone":        {workflow.EndpointPhone, map[string]any{"phoneNumber": "123"}, workflow.EndpointData{URL: "https://stored"}},
		"TeamsNeedsBoth":  {workflow.EndpointMSTeamsChannel, map[string]any{"channelId": "C"}, workflow.EndpointData{URL: "https://stored"}},
		"Teams":           {workflow.EndpointMSTeamsChannel, map[string]any{"channelId": "C", "teamId": "T"}, workflow.EndpointData{ChannelID: "C", TeamID: "T"}},
		"Nothing":         {workflow.EndpointWebhook, nil, workflow.EndpointData{URL: "https://stored"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := planInput(step("c", workflow.StepChat))
			in.Profile.Phone = ""
			in.Endpoints = []plan.Endpoint{{Identifier: "e1", IntegrationID: "5", Type: c.kind, Data: workflow.EndpointData{URL: "https://stored"}, ConnectionID: "k"}}
			own := map[string]any{}
			if c.endpoint != nil {
				own["endpoint"] = c.endpoint
			}
			in.Overrides = overridden(t, map[string]any{"providers": map[string]any{"chat-webhook": map[string]any{"e1": own}}})
			targets := decide(in)[0].Targets
			require.Len(t, targets, 1)
			require.Equal(t, c.want, targets[0].Endpoint)
			require.Equal(t, []string{"endpoint:e1", "e1", "k"}, []string{targets[0].Key, targets[0].EndpointID, targets[0].ConnectionID})
		})
	}
}

// A target's key goes into a unique index: long tokens are shortened, and stay apart.
func TestPlanTargetKeys(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 4_000)
	in := planInput(step("p", workflow.StepPush))
	in.Settings = []plan.ChannelSetting{{ID: "s", ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{long, long + "y", long, "", "t"}}}}
	targets := decide(in)[0].Targets
	require.Len(t, targets, 3)
	require.NotEqual(t, targets[0].Key, targets[1].Key)
	for _, target := range targets {
		require.LessOrEqual(t, len(target.Key), 220)
	}
	require.Equal(t, long, targets[0].DeviceToken)
}

// TestPlanIntegrationsWithConditions: on channels with many targets each integration's own conditions count.
func TestPlanIntegrationsWithConditions(t *testing.T) {
	t.Parallel()
	in := planInput(step("p", workflow.StepPush), step("c", workflow.StepChat))
	in.Profile.Phone = ""
	for i := range in.Integrations {
		if in.Integrations[i].ID == "6" || in.Integrations[i].ID == "7" {
			in.Integrations[i].Conditions = when("payload", "region", "eu")
		}
	}
	in.Settings = []plan.ChannelSetting{
		{ID: "p", ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"t"}}},
		{ID: "c", ProviderID: "chat-webhook", IntegrationID: "6", Credentials: workflow.ChannelCredentials{WebhookURL: "https://a"}},
	}
	for _, d := range decide(in)[:2] {
		require.Equal(t, []any{plan.DecideSkip, workflow.ReasonNoIntegration}, []any{d.Kind, d.Reason})
	}
	in.Data.Payload = map[string]any{"region": "eu"}
	for _, d := range decide(in)[:2] {
		require.Equal(t, plan.DecideSend, d.Kind)
	}
	in.Overrides = overridden(t, map[string]any{"push": map[string]any{"integrationIdentifier": "another"}, "chat": map[string]any{"integrationIdentifier": "chat2"}})
	decisions := decide(in)
	require.Equal(t, workflow.ReasonNoIntegration, decisions[0].Reason, "the trigger demands another integration")
	require.Equal(t, plan.DecideSend, decisions[1].Kind)
}

// A result is recorded for later conditions without a change of what the plan was given.
func TestPlanRecords(t *testing.T) {
	t.Parallel()
	in := planInput(step("a", workflow.StepInApp), step("b", workflow.StepInApp))
	in.Results = map[string]plan.StepResult{"old": {Sent: true}}
	run := plan.NewRun(in)
	require.Equal(t, in.Results, run.Results())
	run.Record("a", plan.StepResult{Failed: true})
	require.Equal(t, map[string]plan.StepResult{"old": {Sent: true}, "a": {Failed: true}}, run.Results())
	require.Len(t, in.Results, 1)
}

func TestStepResultView(t *testing.T) {
	t.Parallel()
	view := plan.StepResult{Sent: true, Response: map[string]any{"id": 7.0}, Digest: &plan.Collected{Events: []any{"x"}, Total: 12}}.View()
	require.Equal(t, map[string]any{
		"sent": true, "failed": false, "skipped": false, "seen": false, "read": false,
		"response": map[string]any{"id": 7.0}, "events": []any{"x"}, "total_count": 12.0,
	}, view)
	require.NotContains(t, plan.StepResult{}.View(), "response")
}
