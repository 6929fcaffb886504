package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// fixed is a record id that is the same in every run.
func fixed(n int) id.ID { return fmt.Sprintf("%024x", n) }

// hours is frozen, some hours later.
func hours(n int) time.Time { return frozen.Add(time.Duration(n) * time.Hour) }

var keeper = func() *secret.Keeper {
	k, err := secret.NewKeeper(secret.Generate())
	if err != nil {
		panic(err)
	}
	return k
}()

// world fills an environment with records of every noun that the documented routes show.
func (b *bundle) world(tb testing.TB) {
	tb.Helper()
	w := world{tb, viewer.InScope(tb.Context(), b.scope), b.db.Ent}
	w.people(b)
	w.workflows()
	w.topics()
	w.integrations()
	w.endpoints()
	w.messages(b)
}

type world struct {
	tb  testing.TB
	ctx context.Context //nolint:containedctx // of one test
	db  *ent.Client
}

func (w world) people(b *bundle) {
	system := viewer.SystemContext(w.ctx)
	require.NoError(w.tb, w.db.User.Create().SetID(fixed(0x11)).SetEmail("ada@example.com").SetFirstName("Ada").SetExternalID("ext-1").Exec(system))
	require.NoError(w.tb, w.db.Member.Create().SetOrganizationID(b.scope.OrganizationID).SetUserID(fixed(0x11)).SetRole("admin").Exec(system))
	for i, name := range []string{"u1", "u2", "gone", "a/b+c"} {
		require.NoError(w.tb, w.db.Subscriber.Create().SetID(fixed(0x101+i)).SetSubscriberID(name).SetDeleted(name == "gone").
			SetCreatedAt(hours(i)).SetUpdatedAt(hours(i)).Exec(w.ctx))
	}
	for i, setting := range []struct{ provider, integration, integrationID string }{{"slack", "", ""}, {"fcm", "main", ""}, {"discord", "team", fixed(0x5ff)}} {
		create := w.db.SubscriberChannel.Create().SetID(fixed(0x111 + i)).SetSubscriberID(fixed(0x101)).SetProviderID(setting.provider).
			SetIntegrationIdentifier(setting.integration).SetCredentials(workflow.ChannelCredentials{
			WebhookURL: "https://hooks.example.com/secret", Channel: "general", DeviceTokens: []string{"t1", "t2"},
		})
		if setting.integrationID != "" {
			create.SetIntegrationID(setting.integrationID)
		}
		require.NoError(w.tb, create.Exec(w.ctx))
	}
	require.NoError(w.tb, w.db.SubscriberChannel.Create().SetID(fixed(0x114)).SetSubscriberID(fixed(0x101)).SetProviderID("grafana-on-call").
		SetIntegrationIdentifier("").SetCredentials(workflow.ChannelCredentials{
		WebhookURL: "https://oncall.example.com/secret", AlertUID: "a1", Title: "Disk", State: "alerting",
		ImageURL: "https://example.com/disk.png", ExternalURL: "https://example.com/alerts/a1",
	}).Exec(w.ctx))
	off := false
	// u2 wants no push; a/b+c wants nothing, except e-mails of one workflow.
	for _, p := range []struct {
		subscriber, workflow int
		enabled              *bool
		channels             workflow.ChannelPreferences
	}{
		{0x102, 0, nil, workflow.ChannelPreferences{Push: &off}},
		{0x104, 0, &off, workflow.ChannelPreferences{}},
		{0x104, 0x401, nil, workflow.ChannelPreferences{Email: new(true)}},
	} {
		create := w.db.Preference.Create().SetSubscriberID(fixed(p.subscriber)).SetNillableEnabled(p.enabled).SetChannels(p.channels).
			SetCreatedAt(hours(1)).SetUpdatedAt(hours(2))
		if p.workflow != 0 {
			create.SetWorkflowID(fixed(p.workflow))
		}
		require.NoError(w.tb, create.Exec(w.ctx))
	}
	require.NoError(w.tb, w.db.Subscriber.UpdateOneID(fixed(0x101)).SetFirstName("Uma").SetLastName("One").SetEmail("u1@example.com").
		SetAvatar("https://example.com/u1.png").SetSchedule(&calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{
		"monday": {IsEnabled: true, Hours: []calendar.TimeRange{{Start: "09:00 AM", End: "05:30 PM"}}}, "sunday": {},
	}}).Exec(w.ctx))
}

func (w world) workflows() {
	step := func(n int, name string, kind workflow.StepType) workflow.Step {
		return workflow.Step{ID: fixed(0x4100 + n), StepID: fmt.Sprint("step-", n), Name: name, Type: kind, Active: true}
	}
	draft := func(n int, identifier, name string, d workflow.Definition) *ent.WorkflowCreate {
		d.Severity = workflow.SeverityNone
		return w.db.Workflow.Create().SetID(fixed(0x401 + n)).SetIdentifier(identifier).SetName(name).SetDraft(&d).
			SetCritical(d.Critical).SetTags(d.Tags).SetCreatedAt(hours(n)).SetUpdatedAt(hours(10 - n))
	}
	off := false
	all := []*ent.WorkflowCreate{
		draft(0, "welcome", "Welcome! 100%", workflow.Definition{
			Tags: []string{"on,board", "sale"}, Translations: true, Preferences: workflow.ChannelPreferences{SMS: &off},
			Steps: []workflow.Step{step(1, "Wait a bit", workflow.StepDelay), step(2, "Mail", workflow.StepEmail), step(3, "Mail", workflow.StepEmail)},
		}).SetLastTriggeredAt(hours(20)).SetLastPublishedAt(hours(19)).SetLastPublishedBy(fixed(0x11)).SetUpdatedBy(fixed(0x11)).
			SetData(map[string]any{"team": "growth"}).SetSeverity(workflow.SeverityHigh),
		draft(1, "alarm", "alarm", workflow.Definition{Critical: true, Steps: []workflow.Step{step(4, "Text", workflow.StepSMS)}}).
			SetOrigin(workflow.OriginExternal).SetTags([]string{"ops"}),
		draft(2, "off", "Off_duty", workflow.Definition{Tags: []string{"sale"}}).SetActive(false).SetStatus(workflow.StatusInactive),
		draft(3, "broken", "Broken", workflow.Definition{Steps: []workflow.Step{step(5, "", workflow.StepEmail), step(6, "Push", workflow.StepPush)}}).
			SetStatus(workflow.StatusError).SetOrigin(workflow.OriginCloudV1).SetIssues([]workflow.StepIssue{
			{StepID: "step-5", Group: "controls", Key: "subject", Type: workflow.IssueMissingValue, Message: "The control subject must not be empty."},
			{StepID: "step-5", Group: "controls", Key: "body", Type: workflow.IssueIllegalVariable, VariableName: "foo", Message: "Unknown."},
			{StepID: "step-6", Group: "integration", Key: "push", Type: workflow.IssueMissingIntegration, Message: "No active integration serves the channel push."},
		}).SetUpdatedBy(fixed(0xdead)),
	}
	for _, create := range all {
		require.NoError(w.tb, create.Exec(w.ctx))
	}
	require.NoError(w.tb, draft(4, "welcome", "Deleted", workflow.Definition{}).SetDeleted(true).Exec(w.ctx))
}

func (w world) topics() {
	require.NoError(w.tb, w.db.Topic.Create().SetID(fixed(0x201)).SetKey("news").SetName("News").SetCreatedAt(frozen).SetUpdatedAt(hours(1)).Exec(w.ctx))
	require.NoError(w.tb, w.db.Topic.Create().SetID(fixed(0x202)).SetKey("a@b.example").SetCreatedAt(frozen).SetUpdatedAt(frozen).Exec(w.ctx))
	for i, s := range []struct {
		topic, subscriber int
		identifier        string
		contexts          []string
	}{
		{0x201, 0x101, "tk=news:si=u1", nil},
		{0x201, 0x101, "second", []string{"app:web", "region:eu"}},
		{0x202, 0x101, "tk=a@b.example:si=u1", []string{"app:web"}},
		{0x201, 0x102, "tk=news:si=u2", nil},
		{0x201, 0x103, "tk=news:si=gone", nil},
	} {
		set := workflow.NewContextSet(s.contexts...)
		create := w.db.Subscription.Create().SetID(fixed(0x301 + i)).SetTopicID(fixed(s.topic)).SetSubscriberID(fixed(s.subscriber)).
			SetIdentifier(s.identifier).SetContextKeys(set).SetScope(set.Scope()).SetCreatedAt(hours(5 - i)).SetUpdatedAt(hours(i))
		if i == 0 {
			create.SetName("Mine")
		}
		require.NoError(w.tb, create.Exec(w.ctx))
	}
	for i, p := range []struct {
		workflow  int
		condition map[string]any
	}{{0x402, nil}, {0x401, map[string]any{"==": []any{map[string]any{"var": "payload.tier"}, "gold"}}}} {
		require.NoError(w.tb, w.db.SubscriptionPreference.Create().SetSubscriptionID(fixed(0x301)).SetWorkflowID(fixed(p.workflow)).
			SetPosition(i).SetEnabled(i > 0).SetCondition(p.condition).Exec(w.ctx))
	}
}

func (w world) integrations() {
	for i, in := range []struct {
		provider    string
		channel     workflow.Channel
		primary     bool
		active      bool
		credentials provider.Credentials
	}{
		{"sendgrid", workflow.ChannelEmail, true, true, provider.Credentials{
			"apiKey": "SG.secret", "from": "shop@example.com", "senderName": "Shop", "secure": true, "tlsOptions": map[string]any{"key": "k"},
		}},
		{"svc-email", workflow.ChannelEmail, false, true, nil},
		{"postmark", workflow.ChannelEmail, false, false, nil},
		{"twilio", workflow.ChannelSMS, true, true, provider.Credentials{"accountSid": "AC1", "token": "t", "from": "+4915112345678"}},
		{"slack", workflow.ChannelChat, false, true, nil},
		{"svc", workflow.ChannelInApp, false, true, nil},
	} {
		credentials, err := provider.SealCredentials(keeper, fixed(0x501+i), in.credentials)
		require.NoError(w.tb, err)
		configurations, err := provider.SealConfigurations(keeper, fixed(0x501+i), map[string]any{})
		if i == 3 {
			configurations, err = provider.SealConfigurations(keeper, fixed(0x501+i),
				map[string]any{"inboundWebhookEnabled": true, "inboundWebhookSigningKey": "hush"})
		}
		require.NoError(w.tb, err)
		create := w.db.Integration.Create().SetID(fixed(0x501 + i)).SetIdentifier(in.provider + "-1").SetName(in.provider).
			SetProviderID(in.provider).SetChannel(in.channel).SetPrimary(in.primary).SetActive(in.active).
			SetCredentials(credentials).SetConfigurations(configurations)
		switch i {
		case 3:
			create.SetConditions([]condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{
				{Field: "tier", Value: "gold", Operator: "EQUAL", On: "payload"},
			}}})
		case 4:
			create.SetConditions([]condition.StepFilter{{Type: "GROUP", Value: "OR", IsNegated: true, Children: []condition.FieldFilterPart{
				{Field: "identifier", Value: "acme", Operator: "EQUAL", On: "tenant"},
			}}})
		case 2:
			create.SetConditions([]condition.StepFilter{
				{Type: "GROUP", Value: "OR", Children: []condition.FieldFilterPart{
					{Field: "plan", Value: "pro", Operator: "NOT_EQUAL", On: "tenant"}, {Field: "locale", Value: "de", Operator: "EQUAL", On: "subscriber"},
				}},
				{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{{Field: "firstName", Value: "Ada", Operator: "EQUAL", On: "actor"}}},
				{Type: "GROUP", Value: "AND", IsNegated: true, Children: []condition.FieldFilterPart{{Field: "tier", Value: "gold", Operator: "EQUAL", On: "payload"}}},
			})
		}
		require.NoError(w.tb, create.Exec(w.ctx))
	}
}

func (w world) endpoints() {
	require.NoError(w.tb, w.db.ChannelConnection.Create().SetID(fixed(0x551)).SetIdentifier("workspace").SetIntegrationID(fixed(0x505)).
		SetSubscriberID(fixed(0x101)).Exec(w.ctx))
	for i, e := range []struct {
		kind       workflow.EndpointType
		data       workflow.EndpointData
		subscriber int
		contexts   []string
	}{
		{workflow.EndpointSlackChannel, workflow.EndpointData{ChannelID: "C1"}, 0x101, []string{"region:eu", "app:web"}},
		{workflow.EndpointSlackUser, workflow.EndpointData{UserID: "U1"}, 0x101, []string{"app:web"}},
		{workflow.EndpointWebhook, workflow.EndpointData{URL: "https://example.com/hook", Channel: "ops"}, 0x102, nil},
		{workflow.EndpointWebhook, workflow.EndpointData{URL: "https://example.com/other"}, 0x102, nil},
		{workflow.EndpointPhone, workflow.EndpointData{PhoneNumber: "+4915112345678"}, 0x102, nil},
		{workflow.EndpointMSTeamsChannel, workflow.EndpointData{TeamID: "T1", ChannelID: "C2"}, 0x101, nil},
		{workflow.EndpointMSTeamsUser, workflow.EndpointData{UserID: "U2"}, 0x101, nil},
	} {
		set := workflow.NewContextSet(e.contexts...)
		create := w.db.ChannelEndpoint.Create().SetID(fixed(0x601 + i)).SetIdentifier(fmt.Sprint("chep-", i+1)).
			SetSubscriberID(fixed(e.subscriber)).SetSubscriberExternalID(fmt.Sprint("u", e.subscriber-0x100)).
			SetIntegrationID(fixed(0x505)).SetIntegrationIdentifier("slack-1").SetProviderID("slack").SetChannel(workflow.ChannelChat).
			SetType(e.kind).SetEndpoint(e.data).SetContextKeys(set).SetScope(set.Scope()).
			SetCreatedAt(hours(i)).SetUpdatedAt(hours(10 - i))
		switch i {
		case 0:
			create.SetConnectionID(fixed(0x551)).SetConnectionIdentifier("workspace")
		case 1:
			create.SetProviderID("svc-slack").SetIntegrationIdentifier("own-1").SetIntegrationID(fixed(0x502))
		}
		require.NoError(w.tb, create.Exec(w.ctx))
	}
	// One whose integration is gone.
	require.NoError(w.tb, w.db.ChannelEndpoint.UpdateOneID(fixed(0x607)).ClearChannel().ClearProviderID().ClearIntegrationIdentifier().
		SetUpdatedAt(hours(4)).Exec(w.ctx))
}

func (w world) messages(b *bundle) {
	system := viewer.SystemContext(w.ctx)
	require.NoError(w.tb, w.db.Event.Create().SetID(fixed(0x801)).SetEnvironmentID(b.scope.EnvironmentID).
		SetWorkflowID(fixed(0x401)).SetWorkflowVersionID(fixed(0x4011)).SetTransactionID("tx-1").SetKind("trigger").
		SetPayload(map[string]any{"tier": "gold", "order": json.Number("9007199254740993")}).SetOverrides(map[string]any{"email": map[string]any{"from": "x@example.com"}}).Exec(system))
	for i, m := range []struct {
		subscriber int
		channel    workflow.Channel
	}{{0x101, workflow.ChannelInApp}, {0x101, workflow.ChannelInApp}, {0x101, workflow.ChannelEmail}, {0x102, workflow.ChannelInApp}, {0x101, workflow.ChannelInApp}} {
		create := w.db.Message.Create().SetID(fixed(0x701 + i)).SetNotificationID(fixed(0x711 + i)).SetEventID(fixed(0x801)).
			SetTransactionID("tx-1").SetWorkflowID(fixed(0x401)).SetWorkflowIdentifier("welcome").SetStepID("step-2").
			SetSubscriberID(fixed(m.subscriber)).SetChannel(m.channel).SetTarget("").SetStatus(workflow.MessageSent).
			SetContent(&workflow.MessageContent{Text: "Hello"}).SetCreatedAt(hours(i)).SetUpdatedAt(hours(i))
		if i == 4 { // of an earlier release, which kept the feed's identifier
			create.SetFeedID("promo")
		}
		if i == 0 {
			set := workflow.NewContextSet("app:web")
			create.SetSubject("Hi").SetTitle("Hi").SetAvatar("https://example.com/a.png").SetFeedID(fixed(0x901)).SetProviderID("svc").
				SetContextKeys(set).SetScope(set.Scope()).SetDeliveredAt([]string{"2025-03-01T09:30:00.000Z"}).
				SetErrorID("soft_bounce").SetErrorText("It came late.").SetStatus(workflow.MessageWarning).
				SetEmail("u1@example.com").SetPhone("+4915112345678").SetDirectWebhookURL("https://example.com/hook").
				SetDeviceTokens([]string{"t1"}).SetCta(&workflow.CTA{
				Type: "redirect", Data: &workflow.CTAData{URL: "https://example.com"}, Action: &workflow.CTAAction{
					Status: workflow.ActionDone, Buttons: []workflow.CTAButton{
						{Type: "primary", Content: "Yes", ResultContent: "Done", URL: "https://example.com/yes"}, {Type: "secondary", Content: "No"},
					}, Result: &workflow.CTAResult{Type: "primary", Payload: map[string]any{"n": 1}},
				},
			})
		}
		require.NoError(w.tb, create.Exec(w.ctx))
	}
}
