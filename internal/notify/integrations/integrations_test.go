package integrations_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// primaries are the identifiers of the primary integrations of a channel.
func primaries(t *testing.T, a *notifytest.Authoring, c workflow.Channel) []string {
	t.Helper()
	page, err := a.Integrations.List(a.Ctx, usecase.Page{}, nil, &integrations.IntegrationFilter{ChannelIn: []workflow.Channel{c}, Primary: new(true)})
	require.NoError(t, err)
	names := []string{}
	for _, node := range page.Nodes() {
		names = append(names, node.Identifier)
	}
	return names
}

func TestEnvironmentStartsWithItsBuiltInSenders(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	page, err := a.Integrations.List(a.Ctx, usecase.Page{}, &usecase.Order{Field: usecase.ColumnID, Direction: usecase.OrderAsc}, nil)
	require.NoError(t, err)
	var names []string
	for _, node := range page.Nodes() {
		require.True(t, node.Active)
		require.Equal(t, node.Channel == workflow.ChannelEmail || node.Channel == workflow.ChannelSMS, node.Primary)
		names = append(names, node.Identifier)
	}
	require.Equal(t, []string{"acme", "acme-email", "acme-sms", "acme-slack"}, names)
}

func TestExactlyOnePrimary(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	first := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Identifier: new("first"), Credentials: notifytest.SMTP(nil)})
	require.True(t, first.Primary, "a demo sender yields to the first real one")
	second := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Identifier: new("second"), Credentials: notifytest.SMTP(nil)})
	require.False(t, second.Primary)

	_, err := a.Integrations.SetPrimary(a.Ctx, second.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"second"}, primaries(t, a, workflow.ChannelEmail))

	_, err = a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{ID: second.ID, Active: new(false)})
	require.NoError(t, err)
	require.Equal(t, []string{"first"}, primaries(t, a, workflow.ChannelEmail), "the newest other active one takes over")
	_, err = a.Integrations.SetPrimary(a.Ctx, second.ID)
	require.Equal(t, []string{"primary"}, notifytest.Paths(t, err), "what is switched off cannot be primary")

	_, err = a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{ID: first.ID, Primary: new(false)})
	require.NoError(t, err)
	require.Equal(t, []string{"acme-email"}, primaries(t, a, workflow.ChannelEmail))

	remaining, err := a.Integrations.Delete(a.Ctx, a.Integration(t, "acme-email").GlobalID())
	require.NoError(t, err)
	require.Equal(t, []string{"first"}, primaries(t, a, workflow.ChannelEmail))
	var names []string
	for _, left := range remaining.Integrations {
		require.False(t, left.Deleted)
		names = append(names, left.Identifier)
	}
	require.Equal(t, []string{"acme", "acme-sms", "acme-slack", "first", "second"}, names, "oldest first")

	slack := a.Integration(t, "acme-slack")
	_, err = a.Integrations.SetPrimary(a.Ctx, slack.ID)
	require.Equal(t, []string{"primary"}, notifytest.Paths(t, err), "chat has no primary")
}

// TestDemoSenderYields: a demo sender is primary only while there is no real provider, unless it is chosen.
func TestDemoSenderYields(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	change := func(id string, in integrations.UpdateIntegrationInput) {
		in.ID = id
		_, err := a.Integrations.Update(a.Ctx, in)
		require.NoError(t, err)
	}
	first := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Identifier: new("first"), Credentials: notifytest.SMTP(nil), Active: new(false)})
	require.Equal(t, []string{"acme-email"}, primaries(t, a, workflow.ChannelEmail))
	for range 2 {
		change(first.ID, integrations.UpdateIntegrationInput{Active: new(true)})
		require.Equal(t, []string{"first"}, primaries(t, a, workflow.ChannelEmail), "switched on")
		change(first.ID, integrations.UpdateIntegrationInput{Active: new(false)})
		require.Equal(t, []string{"acme-email"}, primaries(t, a, workflow.ChannelEmail), "switched off")
	}
	change(first.ID, integrations.UpdateIntegrationInput{Active: new(true)})
	demo := a.Integration(t, "acme-email")
	change(demo.ID, integrations.UpdateIntegrationInput{Primary: new(true)})
	change(first.ID, integrations.UpdateIntegrationInput{Active: new(true), Name: new("The first")})
	require.Equal(t, []string{"acme-email"}, primaries(t, a, workflow.ChannelEmail), "chosen")
	change(first.ID, integrations.UpdateIntegrationInput{Active: new(false)})
	change(demo.ID, integrations.UpdateIntegrationInput{Active: new(false)})
	change(demo.ID, integrations.UpdateIntegrationInput{Active: new(true)})
	change(first.ID, integrations.UpdateIntegrationInput{Active: new(true), Primary: new(false)})
	require.Equal(t, []string{"acme-email"}, primaries(t, a, workflow.ChannelEmail), "not wanted as primary")
}

func TestPrimaryUnderConcurrentChanges(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	var wait sync.WaitGroup
	failures := make(chan error, 16)
	for n := range 8 {
		wait.Go(func() {
			made, err := a.Integrations.Create(a.Ctx, integrations.CreateIntegrationInput{
				ProviderID: "nodemailer", Identifier: new(fmt.Sprintf("mail-%d", n)), Credentials: notifytest.SMTP(nil),
			})
			if err == nil {
				_, err = a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{ID: made.ID, Primary: new(n%2 == 0), Active: new(n%3 != 1)})
			}
			if err != nil && fault.KindOf(err) != fault.Invalid {
				failures <- err
			}
		})
	}
	wait.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	require.Len(t, primaries(t, a, workflow.ChannelEmail), 1)
}

func TestDeletedIntegrationIsFinal(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Name: new("Our mail"), Credentials: notifytest.SMTP(nil)})
	require.Equal(t, "our-mail", made.Identifier)
	_, err := a.Integrations.Delete(a.Ctx, made.ID)
	require.NoError(t, err)

	gone, err := a.Integrations.Get(a.Ctx, made.ID)
	require.NoError(t, err, "history still names it")
	require.True(t, gone.Deleted)
	require.NotNil(t, gone.DeletedAt)
	require.Nil(t, gone.DeletedBy, "nobody is known to have done it")
	require.False(t, gone.Active)

	_, err = a.Integrations.Delete(a.Ctx, made.ID)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	_, err = a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{ID: made.ID, Active: new(true)})
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	again := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Identifier: new("our-mail"), Credentials: notifytest.SMTP(nil)})
	require.NotEqual(t, made.ID, again.ID, "the identifier is free again")
}

func TestCredentialsAreCheckedByName(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, err := a.Integrations.Create(a.Ctx, integrations.CreateIntegrationInput{
		ProviderID: "nodemailer", Credentials: map[string]any{"from": "shop@example.com", "port": "many"}, Name: new(""),
	})
	require.Subset(t, notifytest.Paths(t, err), []string{"credentials.host", "credentials.port", "name"})
	_, err = a.Integrations.Create(a.Ctx, integrations.CreateIntegrationInput{ProviderID: "carrier-pigeon"})
	require.Contains(t, notifytest.Paths(t, err), "providerId")
	_, err = a.Integrations.Create(a.Ctx, integrations.CreateIntegrationInput{
		ProviderID: "acme-sms", Conditions: []condition.StepFilter{{Type: "NONSENSE", Value: "AND"}},
	})
	require.NotEmpty(t, notifytest.Paths(t, err))
}

// TestSecretsNeverLeave plants a marker in every secret place and looks for it in everything that is stored or shown.
func TestSecretsNeverLeave(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	const marker = "MARKER-5f1c"
	made := a.MakeIntegration(t, integrations.CreateIntegrationInput{
		ProviderID: "nodemailer",
		Credentials: notifytest.SMTP(map[string]any{
			"user": "shop", "password": marker, "secretKey": marker, "apiKey": marker, "webhookUrl": "https://x.example/" + marker,
			"serviceAccount": marker, "somethingNew": marker, "secure": false, "tlsOptions": map[string]any{"ca": marker},
		}),
		Configurations: &integrations.IntegrationConfigurations{InboundWebhookEnabled: new(true), InboundWebhookSigningKey: new(marker)},
	})
	connection, err := a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{Integration: "acme-slack", AccessToken: new(marker)})
	require.NoError(t, err)

	shown, err := a.Integrations.ShownCredentials(a.Ctx, made)
	require.NoError(t, err)
	require.Equal(t, map[string]any{
		"host": "mail.example.com", "port": "587", "from": "shop@example.com", "senderName": "Shop", "user": "shop", "secure": false,
		"password": usecase.Mask, "secretKey": usecase.Mask, "apiKey": usecase.Mask, "webhookUrl": usecase.Mask,
		"serviceAccount": usecase.Mask, "somethingNew": usecase.Mask,
	}, shown)
	configurations, err := a.Integrations.ShownConfigurations(a.Ctx, made)
	require.NoError(t, err)
	require.Equal(t, &integrations.IntegrationConfigurations{InboundWebhookEnabled: new(true), InboundWebhookSigningKey: new(usecase.Mask)}, configurations)

	for _, table := range []string{"integrations", "channel_connections", "audit_entries"} {
		var count int
		query := fmt.Sprintf(`SELECT count(*) FROM %s AS row WHERE row::text LIKE '%%%s%%' OR row::text LIKE '%%%x%%'`, table, marker, marker)
		require.NoError(t, a.DB.Pool.QueryRow(t.Context(), query).Scan(&count))
		require.Zero(t, count, table)
	}
	for _, record := range []any{made, connection} {
		raw, err := json.Marshal(record)
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprintf("%s %v", raw, record), marker)
	}

	// Who calls the provider gets them back.
	opened, err := a.Integrations.OpenCredentials(made)
	require.NoError(t, err)
	require.Equal(t, marker, opened.Secret("password"))
	token, err := a.ConnectedWorkspaces.OpenToken(connection)
	require.NoError(t, err)
	require.Equal(t, marker, token)

	// A ciphertext moved to another record does not open.
	other := *a.Integration(t, "acme-sms")
	other.Credentials = made.Credentials
	_, err = a.Integrations.OpenCredentials(&other)
	require.Error(t, err)
}

func TestMaskKeepsTheStoredValue(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made := a.MakeIntegration(t, integrations.CreateIntegrationInput{
		ProviderID: "nodemailer", Credentials: notifytest.SMTP(map[string]any{"user": "shop", "password": "old"}),
		Configurations: &integrations.IntegrationConfigurations{InboundWebhookSigningKey: new("key")},
	})
	var gone *string
	updated, err := a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{
		ID: made.GlobalID(), Credentials: map[string]any{"password": new(usecase.Mask), "user": new("desk"), "senderName": gone},
		Configurations: &integrations.IntegrationConfigurations{InboundWebhookEnabled: new(true), InboundWebhookSigningKey: new(usecase.Mask)},
	})
	require.NoError(t, err)
	opened, err := a.Integrations.OpenCredentials(updated)
	require.NoError(t, err)
	require.Equal(t, provider.Credentials{
		"host": "mail.example.com", "port": "587", "from": "shop@example.com", "user": "desk", "password": "old",
	}, opened)
	_, err = a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{ID: made.ID, Credentials: map[string]any{"host": nil}})
	require.Equal(t, []string{"credentials.host"}, notifytest.Paths(t, err))
	_, err = a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{ID: made.ID, Name: new("New name")})
	require.NoError(t, err)
}

func TestOnlyAdminsChangeIntegrations(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	v, _ := viewer.FromContext(a.Ctx)
	v.Role = viewer.RoleEditor
	_, err := a.Integrations.Create(viewer.NewContext(a.Ctx, v), integrations.CreateIntegrationInput{ProviderID: "nodemailer", Credentials: notifytest.SMTP(nil)})
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
}

func subscriber(t *testing.T, a *notifytest.Authoring, subscriberID string) *ent.Subscriber {
	t.Helper()
	made, err := a.DB.Ent.Subscriber.Create().SetSubscriberID(subscriberID).Save(a.Ctx)
	require.NoError(t, err)
	return made
}

func TestChannelEndpoints(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	subscriber(t, a, "ann")
	subscriber(t, a, "bob")
	hook := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "chat-webhook", Identifier: new("hook")})
	connection, err := a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{
		Identifier: new("team"), Integration: "acme-slack", SubscriberID: new("ann"), WorkspaceName: new("Team"),
	})
	require.NoError(t, err)
	create := func(in integrations.CreateChannelEndpointInput) *ent.ChannelEndpoint {
		made, err := a.ChannelEndpoints.Create(a.Ctx, in)
		require.NoError(t, err)
		return made
	}
	first := create(integrations.CreateChannelEndpointInput{
		SubscriberID: "ann", Integration: "acme-slack", Connection: new("team"), Endpoint: workflow.ChannelEndpointTargetInput{SlackUser: &workflow.SlackUserTarget{UserID: "U1"}}, ContextKeys: []string{"tenant:b", "region:a", "tenant:b"},
	})
	require.Equal(t, []string{"region:a", "tenant:b"}, first.ContextKeys)
	second := create(integrations.CreateChannelEndpointInput{
		Identifier: new("mine"), SubscriberID: "bob", Integration: hook.ID, Endpoint: workflow.ChannelEndpointTargetInput{Webhook: &workflow.WebhookTarget{URL: "https://chat.example.com/x"}},
	})

	ids := func(f integrations.ChannelEndpointFilter) []string {
		page, err := a.ChannelEndpoints.List(a.Ctx, usecase.Page{}, nil, &f)
		require.NoError(t, err)
		ids := []string{}
		for _, node := range page.Nodes() {
			ids = append(ids, node.ID)
		}
		return ids
	}
	require.Equal(t, []string{second.ID, first.ID}, ids(integrations.ChannelEndpointFilter{Channel: new(workflow.ChannelChat)}))
	require.Equal(t, []string{first.ID}, ids(integrations.ChannelEndpointFilter{SubscriberID: new("ann")}))
	require.Equal(t, []string{first.ID}, ids(integrations.ChannelEndpointFilter{ProviderID: new("acme-slack")}))
	require.Equal(t, []string{first.ID}, ids(integrations.ChannelEndpointFilter{ConnectionIdentifier: new("team")}))
	require.Equal(t, []string{second.ID}, ids(integrations.ChannelEndpointFilter{IntegrationIdentifier: new("hook")}))
	require.Equal(t, []string{first.ID}, ids(integrations.ChannelEndpointFilter{ContextKeys: []string{"tenant:b", "region:a"}}))
	require.Empty(t, ids(integrations.ChannelEndpointFilter{ContextKeys: []string{"tenant:b"}}), "sets are equal or not")
	require.Equal(t, []string{second.ID}, ids(integrations.ChannelEndpointFilter{ContextKeys: []string{}}))
	require.Empty(t, ids(integrations.ChannelEndpointFilter{ContextKeys: []string{"malformed"}}))
	contexts, err := a.DB.Ent.Context.Query().Count(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, 2, contexts, "contexts are made on first use")

	_, err = a.ConnectedWorkspaces.Delete(a.Ctx, connection.ID)
	require.NoError(t, err)
	first, err = a.ChannelEndpoints.ByIdentifier(a.Ctx, first.Identifier)
	require.NoError(t, err)
	require.Nil(t, first.ConnectionIdentifier)
	require.Nil(t, first.ConnectionID)

	before := second.UpdatedAt
	_, err = a.Integrations.Delete(a.Ctx, hook.ID)
	require.NoError(t, err)
	second, err = a.ChannelEndpoints.ByIdentifier(a.Ctx, "mine")
	require.NoError(t, err)
	require.Nil(t, second.Channel)
	require.Nil(t, second.ProviderID)
	require.Nil(t, second.IntegrationIdentifier)
	require.Equal(t, before.UTC(), second.UpdatedAt.UTC())
	require.Empty(t, ids(integrations.ChannelEndpointFilter{IntegrationIdentifier: new("hook")}))
}

func TestChannelEndpointFaults(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	subscriber(t, a, "ann")
	a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "chat-webhook", Identifier: new("hook")})
	_, err := a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{Identifier: new("team"), Integration: "acme-slack"})
	require.NoError(t, err)
	_, err = a.ChannelEndpoints.Create(a.Ctx, integrations.CreateChannelEndpointInput{
		Identifier: new(""), SubscriberID: "nobody", Integration: "nothing", Connection: new("none"), ContextKeys: []string{"x"},
		Endpoint: workflow.ChannelEndpointTargetInput{Phone: &workflow.PhoneTarget{PhoneNumber: "12"}},
	})
	require.ElementsMatch(t, []string{
		"identifier", "subscriberId", "integration", "connection", "contextKeys", "endpoint.phone.phoneNumber",
	}, notifytest.Paths(t, err))
	_, err = a.ChannelEndpoints.Create(a.Ctx, integrations.CreateChannelEndpointInput{
		SubscriberID: "ann", Integration: "hook", Connection: new("team"), Endpoint: workflow.ChannelEndpointTargetInput{MSTeamsChannel: &workflow.MSTeamsChannelTarget{TeamID: "t"}},
	})
	require.ElementsMatch(t, []string{"connection", "endpoint.msTeamsChannel.channelId"}, notifytest.Paths(t, err))
	_, err = a.ChannelEndpoints.Create(a.Ctx, integrations.CreateChannelEndpointInput{
		Identifier: new(".."), SubscriberID: "ann", Integration: "hook", Endpoint: workflow.ChannelEndpointTargetInput{Webhook: &workflow.WebhookTarget{URL: "https://a.example"}},
	})
	require.Equal(t, []string{"identifier"}, notifytest.Paths(t, err), "no URL can address it")

	made, err := a.ChannelEndpoints.Create(a.Ctx, integrations.CreateChannelEndpointInput{
		SubscriberID: "ann", Integration: "hook", Endpoint: workflow.ChannelEndpointTargetInput{Webhook: &workflow.WebhookTarget{URL: "https://a.example"}},
	})
	require.NoError(t, err)
	_, err = a.ChannelEndpoints.Update(a.Ctx, integrations.UpdateChannelEndpointInput{ID: made.ID, Endpoint: &workflow.ChannelEndpointTargetInput{Webhook: &workflow.WebhookTarget{URL: "ftp://a"}}})
	require.Equal(t, []string{"endpoint.webhook.url"}, notifytest.Paths(t, err))
	masked := &workflow.ChannelEndpointTargetInput{Webhook: &workflow.WebhookTarget{URL: "https://a.example/" + usecase.Mask, Channel: "#ops"}}
	renamed, err := a.ChannelEndpoints.Update(a.Ctx, integrations.UpdateChannelEndpointInput{ID: made.ID, Endpoint: masked})
	require.NoError(t, err)
	require.Equal(t, workflow.EndpointData{URL: made.Endpoint.URL, Channel: "#ops"}, renamed.Endpoint, "the URL that was read keeps the stored one")
	_, err = a.ChannelEndpoints.Update(a.Ctx, integrations.UpdateChannelEndpointInput{ID: made.ID, Connection: graphql.OmittableOf(new("team"))})
	require.Equal(t, []string{"connection"}, notifytest.Paths(t, err))
}

func TestCatcher(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	message, err := a.DB.Ent.Message.Create().SetNotificationID(id.New(time.Now())).SetEventID("e").SetTransactionID("t").
		SetWorkflowID("w").SetWorkflowIdentifier("w").SetStepID("s").SetSubscriberID("u").SetChannel(workflow.ChannelEmail).
		SetTarget("ann@example.com").Save(a.Ctx)
	require.NoError(t, err)
	catcher := integrations.NewCatcher(a.DB, time.Now)
	caught := provider.CaughtMessage{
		MessageID: message.ID, ProviderID: "svc-email", Channel: workflow.ChannelEmail, Target: "ann@example.com",
		Subject: "Hi", HTML: "<b>Hi</b>", Text: "Hi", Payload: map[string]any{"n": 1.0},
	}
	worker := viewer.SystemContext(t.Context())
	require.NoError(t, catcher.Catch(worker, caught))
	require.NoError(t, catcher.Catch(worker, caught), "a repeated attempt")
	require.Error(t, catcher.Catch(viewer.InScope(t.Context(), viewer.Scope{EnvironmentID: "another"}), provider.CaughtMessage{
		MessageID: message.ID, Target: "bob@example.com",
	}), "tenancy binds")
	require.Error(t, catcher.Catch(viewer.InScope(t.Context(), viewer.Scope{EnvironmentID: "another"}), caught), "also after its own caught it")

	page, err := a.CaughtMessages.List(a.Ctx, usecase.Page{}, nil, &integrations.CaughtMessageFilter{ProviderIDIn: []string{"acme-email"}})
	require.NoError(t, err)
	require.Len(t, page.Edges, 1)
	require.Equal(t, map[string]any{"n": 1.0}, page.Nodes()[0].Details)
	cleared, err := a.CaughtMessages.Clear(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, 1, cleared)
}

func TestProviderRegistryShowsTheConfiguredPrefix(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	list, err := a.Providers.List(a.Ctx, new(workflow.ChannelInApp))
	require.NoError(t, err)
	require.Equal(t, "acme", list[0].ID)
	found, err := a.Providers.Get(a.Ctx, "svc-email")
	require.NoError(t, err)
	require.Equal(t, "acme-email", found.ID)
	_, err = a.Providers.Get(a.Ctx, "nothing")
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}
