package plan_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// decide plans a whole run, treating every send as handed on.
func decide(in *plan.PlanInput) []plan.Decision {
	run := plan.NewRun(in)
	var out []plan.Decision
	for {
		d, ok := run.Next()
		if !ok {
			return out
		}
		out = append(out, d)
		switch d.Kind {
		case plan.DecideSend:
			run.Record(d.Step.StepID, plan.StepResult{Pending: d.Channel != workflow.ChannelInApp, Sent: d.Channel == workflow.ChannelInApp})
		case plan.DecideSkip:
			run.Record(d.Step.StepID, plan.StepResult{Skipped: true})
		}
	}
}

func planInput(steps ...workflow.Step) *plan.PlanInput {
	for i := range steps {
		steps[i].Active = true
	}
	return &plan.PlanInput{
		Now: time.Date(2026, 3, 4, 3, 0, 0, 0, time.UTC), Active: true,
		Definition: &workflow.Definition{Steps: steps},
		Profile:    plan.Profile{Email: "a@example.com", Phone: "+15550101234"},
		Integrations: []plan.Integration{
			{ID: "1", Identifier: "inbox", ProviderID: "svc", Channel: workflow.ChannelInApp},
			{ID: "2", Identifier: "old", ProviderID: "nodemailer", Channel: workflow.ChannelEmail},
			{ID: "3", Identifier: "main", ProviderID: "email-webhook", Channel: workflow.ChannelEmail, Primary: true},
			{ID: "4", Identifier: "text", ProviderID: "generic-sms", Channel: workflow.ChannelSMS, Primary: true},
			{ID: "5", Identifier: "chat", ProviderID: "chat-webhook", Channel: workflow.ChannelChat},
			{ID: "6", Identifier: "chat2", ProviderID: "chat-webhook", Channel: workflow.ChannelChat},
			{ID: "7", Identifier: "push", ProviderID: "push-webhook", Channel: workflow.ChannelPush},
			{ID: "8", Identifier: "wa", ProviderID: "whatsapp-business", Channel: workflow.ChannelChat},
		},
	}
}

func step(id string, t workflow.StepType) workflow.Step { return workflow.Step{StepID: id, Type: t} }

func overridden(t *testing.T, raw map[string]any) *workflow.Overrides {
	t.Helper()
	return workflow.ParseOverrides(nil, "overrides", raw, workflowtest.Providers)
}

func TestPlanChoosesIntegrations(t *testing.T) {
	t.Parallel()

	t.Run("PrimaryFirstThenTheOthers", func(t *testing.T) {
		t.Parallel()
		d := decide(planInput(step("m", workflow.StepEmail)))[0]
		require.Equal(t, "3", d.Targets[0].IntegrationID)
		require.Equal(t, []string{"2"}, d.Targets[0].Alternatives)
	})

	t.Run("ConditionsBeforePrimary", func(t *testing.T) {
		t.Parallel()
		in := planInput(step("m", workflow.StepEmail))
		in.Integrations[1].Conditions = []condition.StepFilter{{Type: "TEXT", Value: "AND", Children: []condition.FieldFilterPart{
			{On: "payload", Field: "region", Operator: "EQUAL", Value: "eu"},
		}}}
		require.Equal(t, "3", decide(in)[0].Targets[0].IntegrationID)
		in.Data.Payload = map[string]any{"region": "eu"}
		require.Equal(t, "2", decide(in)[0].Targets[0].IntegrationID)
	})

	t.Run("DemandedByTheTrigger", func(t *testing.T) {
		t.Parallel()
		in := planInput(step("m", workflow.StepEmail))
		in.Overrides = overridden(t, map[string]any{"email": map[string]any{"integrationIdentifier": "old", "to": []any{"b@example.com"}}})
		d := decide(in)[0]
		require.Equal(t, "2", d.Targets[0].IntegrationID)
		require.Equal(t, []string{"a@example.com", "b@example.com"}, d.Targets[0].To)
		in.Overrides = overridden(t, map[string]any{"email": map[string]any{"integrationIdentifier": "gone"}})
		require.Equal(t, workflow.ReasonNoIntegration, decide(in)[0].Reason)
	})
}

// TestPlanLeavesDemoSendersOut: what a demo sender keeps nobody receives, so that it takes nothing from a provider of the user's own.
func TestPlanLeavesDemoSendersOut(t *testing.T) {
	t.Parallel()
	email := func(id, providerID string) plan.Integration {
		return plan.Integration{ID: id, Identifier: "named-" + id, ProviderID: providerID, Channel: workflow.ChannelEmail}
	}
	primary := func(i plan.Integration) plan.Integration {
		i.Primary = true
		return i
	}
	forRegion := func(i plan.Integration) plan.Integration {
		i.Conditions = []condition.StepFilter{{Type: "TEXT", Value: "AND", Children: []condition.FieldFilterPart{
			{On: "payload", Field: "region", Operator: "EQUAL", Value: "eu"},
		}}}
		return i
	}
	for _, c := range []struct {
		name         string
		integrations []plan.Integration
		region, want string
		alternatives []string
	}{
		{"BehindThePrimary", []plan.Integration{email("1", "svc-email"), primary(email("2", "sendgrid"))}, "", "2", nil},
		{"AmongOthers", []plan.Integration{email("1", "ses"), email("2", "svc-email"), primary(email("3", "sendgrid"))}, "", "3", []string{"1"}},
		{"NewestOfSeveralWithoutAPrimary", []plan.Integration{email("1", "ses"), email("2", "svc-email")}, "", "1", nil},
		{"ThePrimaryBehindConditions", []plan.Integration{primary(email("1", "svc-email")), forRegion(email("2", "ses"))}, "eu", "2", nil},
		{"Alone", []plan.Integration{primary(email("1", "svc-email"))}, "", "1", nil},
		{"AloneWithoutAPlace", []plan.Integration{email("1", "svc-email"), forRegion(email("2", "ses"))}, "us", "1", nil},
		{"ChosenAsPrimary", []plan.Integration{primary(email("1", "svc-email")), email("2", "ses"), email("3", "svc-email")}, "", "1", []string{"2"}},
		{"ChosenByConditions", []plan.Integration{forRegion(email("1", "svc-email")), primary(email("2", "ses"))}, "eu", "1", []string{"2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := planInput(step("m", workflow.StepEmail))
			in.Integrations, in.Data.Payload = c.integrations, map[string]any{"region": c.region}
			target := decide(in)[0].Targets[0]
			require.Equal(t, c.want, target.IntegrationID)
			require.Equal(t, c.alternatives, target.Alternatives)
		})
	}
	in := planInput(step("s", workflow.StepSMS))
	in.Integrations = append(in.Integrations, plan.Integration{ID: "9", ProviderID: "svc-sms", Channel: workflow.ChannelSMS})
	require.Empty(t, decide(in)[0].Targets[0].Alternatives)
}

func TestPlanFindsTargets(t *testing.T) {
	t.Parallel()

	t.Run("ChatUsesEndpointsSettingsAndPhone", func(t *testing.T) {
		t.Parallel()
		in := planInput(step("c", workflow.StepChat))
		in.Endpoints = []plan.Endpoint{{Identifier: "e1", IntegrationID: "5", Type: workflow.EndpointWebhook, Data: workflow.EndpointData{URL: "https://a"}}}
		in.Settings = []plan.ChannelSetting{
			{ProviderID: "chat-webhook", Credentials: workflow.ChannelCredentials{WebhookURL: "https://b", Channel: "#x"}},
			{ProviderID: "chat-webhook", IntegrationIdentifier: "chat", Credentials: workflow.ChannelCredentials{WebhookURL: "https://c"}},
			{ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"t"}}},
		}
		targets := decide(in)[0].Targets
		require.Len(t, targets, 4)
		require.Equal(t, "https://a", targets[0].Endpoint.URL)
		require.Equal(t, "6", targets[1].IntegrationID, "a setting without integration belongs to the newest")
		require.Equal(t, "#x", targets[1].Endpoint.Channel)
		require.Equal(t, "5", targets[2].IntegrationID)
		require.Equal(t, "+15550101234", targets[3].Endpoint.PhoneNumber)
	})

	t.Run("PushIsOneTargetPerToken", func(t *testing.T) {
		t.Parallel()
		in := planInput(step("p", workflow.StepPush))
		require.Equal(t, workflow.ReasonNoAddress, decide(in)[0].Reason)
		in.Settings = []plan.ChannelSetting{{ID: "s", ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"t1", "t2", "t1"}}}}
		require.Len(t, decide(in)[0].Targets, 2)
		in.Overrides = overridden(t, map[string]any{"push-webhook": map[string]any{"deviceTokens": []any{"other"}}})
		require.Equal(t, "other", decide(in)[0].Targets[0].DeviceToken)
		in.Integrations = in.Integrations[:6]
		require.Equal(t, workflow.ReasonNoIntegration, decide(in)[0].Reason)
	})

	t.Run("FCMGoesElsewhere", func(t *testing.T) {
		t.Parallel()
		in := planInput(step("p", workflow.StepPush))
		in.Integrations = append(in.Integrations,
			plan.Integration{ID: "90", Identifier: "apps", ProviderID: "fcm", Channel: workflow.ChannelPush},
			plan.Integration{ID: "91", Identifier: "newest", ProviderID: "fcm", Channel: workflow.ChannelPush})
		goes := func(over map[string]any) (out []string) {
			in.Overrides = overridden(t, over)
			for _, target := range decide(in)[0].Targets {
				out = append(out, target.IntegrationID+":"+target.DeviceToken)
			}
			return out
		}
		topic := map[string]any{"providers": map[string]any{"fcm": map[string]any{"topic": "news"}}}
		require.Equal(t, []string{"91:"}, goes(topic), "also without tokens")
		require.Equal(t, []string{"91:a", "91:b"}, goes(map[string]any{"fcm": map[string]any{"tokens": []any{"a", "b", "a"}}}))
		in.Settings = []plan.ChannelSetting{
			{ID: "s", ProviderID: "fcm", IntegrationIdentifier: "apps", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"t1", "t2"}}},
			{ID: "w", ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"t3"}}},
		}
		require.Equal(t, []string{"90:", "7:t3"}, goes(topic), "once, however many tokens there are")
		require.Equal(t, []string{"90:own", "7:t3"}, goes(map[string]any{"steps": map[string]any{"p": map[string]any{
			"providers": map[string]any{"fcm": map[string]any{"token": "own"}},
		}}}))
		require.Equal(t, []string{"90:t1", "90:t2", "7:t3"}, goes(nil))
		in.Integrations = in.Integrations[:8]
		require.Equal(t, []string{"7:t3"}, goes(topic))
	})

	t.Run("OverridesNameTargetsNearestFirst", func(t *testing.T) {
		t.Parallel()
		in := planInput(step("p", workflow.StepPush), step("c", workflow.StepChat))
		in.Profile.Phone = "+49 151 12345678"
		in.Settings = []plan.ChannelSetting{
			{ID: "w", ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"stored"}}},
			{ID: "s", ProviderID: "chat-webhook", Credentials: workflow.ChannelCredentials{Channel: "news"}},
			{ID: "a", ProviderID: "whatsapp-business"},
		}
		named := func(object map[string]any) map[string]any { return map[string]any{"push-webhook": object} }
		token := func(s string) map[string]any { return map[string]any{"deviceTokens": []any{s}} }
		in.Overrides = overridden(t, map[string]any{
			"push-webhook": token("low"), "providers": named(token("middle")),
			"steps": map[string]any{"p": map[string]any{"providers": named(token("high"))}},
			"chat":  map[string]any{"webhookUrl": "https://chat.example/all"},
		})
		decisions := decide(in)
		require.Equal(t, "high", decisions[0].Targets[0].DeviceToken)
		require.Equal(t, "https://chat.example/all", decisions[1].Targets[0].Endpoint.URL)
		require.Equal(t, workflow.EndpointPhone, decisions[1].Targets[1].EndpointType, "WhatsApp takes phones, whatever URL there is for others")
		in.Overrides = overridden(t, map[string]any{"providers": named(token("middle"))})
		in.Data.Payload = map[string]any{"webhookUrl": "https://chat.example/payload"}
		decisions = decide(in)
		require.Equal(t, "middle", decisions[0].Targets[0].DeviceToken)
		require.Equal(t, "https://chat.example/payload", decisions[1].Targets[0].Endpoint.URL)
		require.Equal(t, "+4915112345678", decisions[1].Targets[1].Endpoint.PhoneNumber)
	})

	t.Run("AddressesAreChecked", func(t *testing.T) {
		t.Parallel()
		in := planInput(step("m", workflow.StepEmail), step("s", workflow.StepSMS))
		in.Profile = plan.Profile{Email: "nonsense", Phone: "12"}
		for _, d := range decide(in)[:2] {
			require.Equal(t, workflow.ReasonInvalidAddress, d.Reason)
		}
	})
}

func TestPlanListsAllReasons(t *testing.T) {
	t.Parallel()
	off := false
	s := step("m", workflow.StepEmail)
	s.Filters = []condition.StepFilter{{Type: "TEXT", Value: "AND", Children: []condition.FieldFilterPart{{On: "payload", Field: "x", Operator: "EQUAL", Value: "1"}}}}
	in := planInput(s)
	in.Profile = plan.Profile{Schedule: &calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{"monday": {IsEnabled: true}}}}
	in.Preferences.Global = &workflow.PreferenceLevel{Channels: workflow.ChannelPreferences{Email: &off}}
	d := decide(in)[0]
	require.Equal(t, workflow.ReasonCondition, d.Reason)
	require.Equal(t, []workflow.Reason{
		workflow.ReasonCondition, workflow.ReasonPreference, workflow.ReasonSchedule, workflow.ReasonNoAddress,
	}, d.Reasons)
	require.NotNil(t, d.Why)

	integrations := in.Integrations
	in.Integrations = nil
	require.Equal(t, []workflow.Reason{
		workflow.ReasonCondition, workflow.ReasonPreference, workflow.ReasonSchedule, workflow.ReasonNoAddress, workflow.ReasonNoIntegration,
	}, decide(in)[0].Reasons)
	in.Integrations = integrations

	in.Definition.Critical, in.Preferences.Critical = true, true
	require.NotContains(t, decide(in)[0].Reasons, workflow.ReasonSchedule)
	require.NotContains(t, decide(in)[0].Reasons, workflow.ReasonPreference)
}

// TestPlanListsBothAddressAndIntegration: neither hides the other, on no channel.
func TestPlanListsBothAddressAndIntegration(t *testing.T) {
	t.Parallel()
	address, invalid, integration := workflow.ReasonNoAddress, workflow.ReasonInvalidAddress, workflow.ReasonNoIntegration
	push := func(tokens ...string) []plan.ChannelSetting {
		return []plan.ChannelSetting{{ID: "s", ProviderID: "push-webhook", Credentials: workflow.ChannelCredentials{DeviceTokens: tokens}}}
	}
	chat := func(url string) []plan.ChannelSetting {
		return []plan.ChannelSetting{{ID: "s", ProviderID: "chat-webhook", Credentials: workflow.ChannelCredentials{WebhookURL: url}}}
	}
	for name, c := range map[string]struct {
		kind     workflow.StepType
		profile  plan.Profile
		settings []plan.ChannelSetting
		want     []workflow.Reason
	}{
		"EmailNeither":     {workflow.StepEmail, plan.Profile{}, nil, []workflow.Reason{address, integration}},
		"EmailInvalid":     {workflow.StepEmail, plan.Profile{Email: "x"}, nil, []workflow.Reason{invalid, integration}},
		"EmailIntegration": {workflow.StepEmail, plan.Profile{Email: "a@example.com"}, nil, []workflow.Reason{integration}},
		"SMSNeither":       {workflow.StepSMS, plan.Profile{}, nil, []workflow.Reason{address, integration}},
		"InApp":            {workflow.StepInApp, plan.Profile{}, nil, []workflow.Reason{integration}},
		"PushNeither":      {workflow.StepPush, plan.Profile{}, nil, []workflow.Reason{address, integration}},
		"PushNoTokens":     {workflow.StepPush, plan.Profile{}, push(), []workflow.Reason{address, integration}},
		"PushIntegration":  {workflow.StepPush, plan.Profile{}, push("t"), []workflow.Reason{integration}},
		"ChatNeither":      {workflow.StepChat, plan.Profile{}, nil, []workflow.Reason{address, integration}},
		"ChatNoURL":        {workflow.StepChat, plan.Profile{}, chat(""), []workflow.Reason{address, integration}},
		"ChatIntegration":  {workflow.StepChat, plan.Profile{}, chat("https://a"), []workflow.Reason{integration}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := planInput(step("m", c.kind))
			in.Integrations, in.Profile, in.Settings = nil, c.profile, c.settings
			d := decide(in)[0]
			require.Equal(t, c.want[0], d.Reason)
			if len(c.want) > 1 {
				require.Equal(t, c.want, d.Reasons)
			} else {
				require.Empty(t, d.Reasons)
			}
		})
	}
}

func TestPlanEndsRuns(t *testing.T) {
	t.Parallel()
	in := planInput(step("a", workflow.StepInApp))
	in.Active = false
	require.Equal(t, []plan.Decision{{Kind: plan.DecideStop, Reason: workflow.ReasonWorkflowInactive, Status: workflow.RunCancelled}}, decide(in))
	in.Definition.Drain = true
	require.Equal(t, plan.DecideSend, decide(in)[0].Kind)
	in.Deleted = true
	require.Equal(t, plan.DecideStop, decide(in)[0].Kind)

	in = planInput(step("a", workflow.StepInApp))
	in.Definition.Conditions = []condition.StepFilter{{Type: "TEXT", Value: "AND", Children: []condition.FieldFilterPart{{On: "payload", Field: "x", Operator: "EQUAL", Value: "1"}}}}
	require.Equal(t, workflow.RunSkipped, decide(in)[0].Status)

	later := step("b", workflow.StepInApp)
	later.Filters = []condition.StepFilter{{Type: "BOOLEAN", Value: "AND", Children: []condition.FieldFilterPart{{On: "step", Field: "m.sent", Operator: "EQUAL", Value: "true"}}}}
	in = planInput(step("m", workflow.StepEmail), later)
	decisions := decide(in)
	require.Equal(t, plan.DecideWait, decisions[1].Kind, "a condition looks at the outcome of the mail")
	in.Position, in.Results = decisions[1].Position, map[string]plan.StepResult{"m": {Sent: true}}
	require.Equal(t, plan.DecideSend, decide(in)[0].Kind)
}

func BenchmarkPlan(b *testing.B) {
	in := planInput(step("m", workflow.StepEmail))
	b.ReportAllocs()
	for b.Loop() {
		decide(in)
	}
}

func TestControls(t *testing.T) {
	t.Parallel()
	step := workflow.Step{StepID: "mail", Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: "a"}}
	own, chosen := step.Email, &workflow.EmailControls{Subject: "b"}
	require.Same(t, own, (&plan.Decision{Step: &step}).Controls().Email)
	require.Same(t, own, (&plan.Decision{Step: &step, Variant: &workflow.Variant{}}).Controls().Email)
	require.Same(t, chosen, (&plan.Decision{Step: &step, Variant: &workflow.Variant{Email: chosen}}).Controls().Email)
	require.Same(t, own, step.Email)
	require.NotNil(t, (&plan.Decision{Step: &workflow.Step{}}).Controls().Push, "a step stored without controls renders as empty")
}
