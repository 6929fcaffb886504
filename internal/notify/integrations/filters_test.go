package integrations_test

import (
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestIntegrationFilters narrows the list by each filter.
func TestIntegrationFilters(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	create := func(identifier, name, providerID string, credentials map[string]any, active bool) string {
		return a.MakeIntegration(t, integrations.CreateIntegrationInput{
			ProviderID: providerID, Identifier: &identifier, Name: &name, Credentials: credentials, Active: &active,
		}).ID
	}
	create("relay", "Office relay", "nodemailer", notifytest.SMTP(nil), true)
	create("spare", "Spare RELAY", "nodemailer", notifytest.SMTP(nil), false)
	create("hook", "Hook", "chat-webhook", nil, true)
	gone := create("gone", "Gone", "chat-webhook", nil, true)
	_, err := a.Integrations.Delete(a.Ctx, gone)
	require.NoError(t, err)
	hour := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter integrations.IntegrationFilter
		want   []string
	}{
		"identifiers":       {integrations.IntegrationFilter{IdentifierIn: []string{"hook", "gone", "none"}}, []string{"hook"}},
		"no identifiers":    {integrations.IntegrationFilter{IdentifierIn: []string{}}, nil},
		"name":              {integrations.IntegrationFilter{NameContains: new("relay")}, []string{"spare", "relay"}},
		"provider":          {integrations.IntegrationFilter{ProviderIDIn: []string{"nodemailer"}}, []string{"spare", "relay"}},
		"own provider":      {integrations.IntegrationFilter{ProviderIDIn: []string{"acme-email"}}, []string{"acme-email"}},
		"switched off":      {integrations.IntegrationFilter{Active: notifytest.No()}, []string{"spare"}},
		"primary mail":      {integrations.IntegrationFilter{Primary: notifytest.Yes(), ChannelIn: []workflow.Channel{workflow.ChannelEmail}}, []string{"relay"}},
		"deleted only":      {integrations.IntegrationFilter{Deleted: notifytest.Yes()}, []string{"gone"}},
		"deleted as well":   {integrations.IntegrationFilter{IncludeDeleted: notifytest.Yes(), ProviderIDIn: []string{"chat-webhook"}}, []string{"gone", "hook"}},
		"deleted continues": {integrations.IntegrationFilter{Deleted: notifytest.No(), IncludeDeleted: notifytest.Yes(), ProviderIDIn: []string{"chat-webhook"}}, []string{"hook"}},
		"created after":     {integrations.IntegrationFilter{CreatedAfter: &hour}, nil},
		"channel and name":  {integrations.IntegrationFilter{ChannelIn: []workflow.Channel{workflow.ChannelChat}, NameContains: new("HOOK")}, []string{"hook"}},
	} {
		page, err := a.Integrations.List(a.Ctx, usecase.Page{}, nil, &c.filter)
		require.NoError(t, err, name)
		var got []string
		for _, node := range page.Nodes() {
			got = append(got, node.Identifier)
		}
		require.Equal(t, c.want, got, name)
	}
}

// TestChannelConnections: a workspace's token is sealed, never cleared by its own mask, and its endpoints outlive it.
func TestChannelConnections(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	subscriber(t, a, "ann")
	made, err := a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{
		Identifier: new("team"), Integration: "acme-slack", SubscriberID: new("ann"), WorkspaceID: new("T1"), AccessToken: new("xoxb-secret"),
		ContextKeys: []string{"region:eu"},
	})
	require.NoError(t, err)
	require.NotContains(t, string(made.AccessToken), "xoxb-secret")
	token := func() string {
		found, err := a.ConnectedWorkspaces.ByIdentifier(a.Ctx, "team")
		require.NoError(t, err)
		open, err := a.ConnectedWorkspaces.OpenToken(found)
		require.NoError(t, err)
		return open
	}
	update := func(in integrations.UpdateConnectedWorkspaceInput) {
		in.ID = made.GlobalID()
		require.NoError(t, notifytest.Err(a.ConnectedWorkspaces.Update(a.Ctx, in)))
	}
	update(integrations.UpdateConnectedWorkspaceInput{WorkspaceName: new("Team")})
	require.Equal(t, "xoxb-secret", token(), "what is left out stays")
	update(integrations.UpdateConnectedWorkspaceInput{AccessToken: graphql.OmittableOf(new(usecase.Mask))})
	require.Equal(t, "xoxb-secret", token(), "what was shown masked is no token")
	update(integrations.UpdateConnectedWorkspaceInput{AccessToken: graphql.OmittableOf(new("xoxb-new"))})
	require.Equal(t, "xoxb-new", token())
	update(integrations.UpdateConnectedWorkspaceInput{AccessToken: graphql.OmittableOf[*string](nil)})
	require.Empty(t, token())

	other, err := a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{Integration: "acme-slack"})
	require.NoError(t, err)
	require.Regexp(t, "^conn_", other.Identifier)
	for name, c := range map[string]struct {
		filter integrations.ConnectedWorkspaceFilter
		want   []string
	}{
		"identifier":       {integrations.ConnectedWorkspaceFilter{IdentifierIn: []string{"team"}}, []string{"team"}},
		"integration":      {integrations.ConnectedWorkspaceFilter{IntegrationIdentifier: new("acme-slack")}, []string{other.Identifier, "team"}},
		"none":             {integrations.ConnectedWorkspaceFilter{IntegrationIdentifier: new("hook")}, nil},
		"subscriber":       {integrations.ConnectedWorkspaceFilter{SubscriberID: new("ann")}, []string{"team"}},
		"contexts":         {integrations.ConnectedWorkspaceFilter{ContextKeys: []string{"region:eu"}}, []string{"team"}},
		"without contexts": {integrations.ConnectedWorkspaceFilter{ContextKeys: []string{}}, []string{other.Identifier}},
		"bad context":      {integrations.ConnectedWorkspaceFilter{ContextKeys: []string{"eu"}}, nil},
	} {
		page, err := a.ConnectedWorkspaces.List(a.Ctx, usecase.Page{}, nil, &c.filter)
		require.NoError(t, err, name)
		var got []string
		for _, node := range page.Nodes() {
			got = append(got, node.Identifier)
		}
		require.Equal(t, c.want, got, name)
	}

	endpoint, err := a.ChannelEndpoints.Create(a.Ctx, integrations.CreateChannelEndpointInput{
		SubscriberID: "ann", Integration: "acme-slack", Connection: new("team"), Endpoint: workflow.ChannelEndpointTargetInput{SlackUser: &workflow.SlackUserTarget{UserID: "U1"}},
	})
	require.NoError(t, err)
	require.Equal(t, new("team"), endpoint.ConnectionIdentifier)
	_, err = a.ConnectedWorkspaces.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	kept, err := a.ChannelEndpoints.Get(a.Ctx, endpoint.ID)
	require.NoError(t, err)
	require.Nil(t, kept.ConnectionIdentifier)
	_, err = a.ConnectedWorkspaces.ByIdentifier(a.Ctx, "team")
	notifytest.RequireKind(t, fault.NotFound, err)
}

// TestChannelConnectionFaults names every wrong field together.
func TestChannelConnectionFaults(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, err := a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{
		Identifier: new(""), Integration: "acme-email", SubscriberID: new("nobody"), ContextKeys: []string{"eu"},
	})
	require.ElementsMatch(t, []string{"identifier", "contextKeys", "integration", "subscriberId"}, notifytest.Paths(t, err))
	_, err = a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{Integration: "none"})
	require.Equal(t, []string{"integration"}, notifytest.Paths(t, err))

	in := integrations.CreateConnectedWorkspaceInput{Identifier: new("team"), Integration: "acme-slack"}
	require.NoError(t, notifytest.Err(a.ConnectedWorkspaces.Create(a.Ctx, in)))
	notifytest.RequireKind(t, fault.Conflict, notifytest.Err(a.ConnectedWorkspaces.Create(a.Ctx, in)))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.ConnectedWorkspaces.Update(a.Ctx, integrations.UpdateConnectedWorkspaceInput{ID: "000000000000000000000000"})))
}

// TestEndpointUpdates: an endpoint keeps its type, and takes only connections of its integration.
func TestEndpointUpdates(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	subscriber(t, a, "ann")
	a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "slack", Identifier: new("second"), Credentials: map[string]any{"clientId": "c", "secretKey": "s"}})
	connect := func(identifier, integration string) {
		require.NoError(t, notifytest.Err(a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{Identifier: &identifier, Integration: integration})))
	}
	connect("team", "acme-slack")
	connect("elsewhere", "second")
	made, err := a.ChannelEndpoints.Create(a.Ctx, integrations.CreateChannelEndpointInput{
		SubscriberID: "ann", Integration: "acme-slack", Endpoint: workflow.ChannelEndpointTargetInput{SlackUser: &workflow.SlackUserTarget{UserID: "U1"}},
	})
	require.NoError(t, err)
	update := func(endpoint *workflow.ChannelEndpointTargetInput, connection graphql.Omittable[*string]) error {
		return notifytest.Err(a.ChannelEndpoints.Update(a.Ctx, integrations.UpdateChannelEndpointInput{ID: made.ID, Endpoint: endpoint, Connection: connection}))
	}
	require.Equal(t, []string{"endpoint"}, notifytest.Paths(t, update(&workflow.ChannelEndpointTargetInput{SlackChannel: &workflow.SlackChannelTarget{ChannelID: "C1"}}, graphql.Omittable[*string]{})))
	require.Equal(t, []string{"connection"}, notifytest.Paths(t, update(nil, graphql.OmittableOf(new("elsewhere")))))
	require.Equal(t, []string{"connection"}, notifytest.Paths(t, update(nil, graphql.OmittableOf(new("none")))))

	require.NoError(t, update(&workflow.ChannelEndpointTargetInput{SlackUser: &workflow.SlackUserTarget{UserID: "U2"}}, graphql.OmittableOf(new("team"))))
	require.NoError(t, update(nil, graphql.Omittable[*string]{}))
	found, err := a.ChannelEndpoints.Get(a.Ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"U2", "team"}, []string{found.Endpoint.UserID, *found.ConnectionIdentifier})
	require.NoError(t, update(nil, graphql.OmittableOf[*string](nil)))
	found, err = a.ChannelEndpoints.Get(a.Ctx, made.ID)
	require.NoError(t, err)
	require.Nil(t, found.ConnectionID)
	_, err = a.ChannelEndpoints.Delete(a.Ctx, made.GlobalID())
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.NotFound, update(nil, graphql.Omittable[*string]{}))
}
