package integrations_test

import (
	"context"
	"testing"
	"time"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestPermissions holds who may read and change integrations and what comes with them.
func TestPermissions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	v, _ := viewer.FromContext(a.Ctx)
	page, none := usecase.Page{}, id.New(time.Now())
	permissions := notifytest.Permissions{}
	permissions.Add(viewer.GrantIntegrationsRead, viewer.RoleViewer, map[string]notifytest.Call{
		"integrations":            func(c context.Context) error { return notifytest.Err(a.Integrations.List(c, page, nil, nil)) },
		"integration":             func(c context.Context) error { return notifytest.Err(a.Integrations.Get(c, none)) },
		"integrationByIdentifier": func(c context.Context) error { return notifytest.Err(a.Integrations.ByIdentifier(c, "none")) },
	})
	permissions.Add(viewer.GrantIntegrations, viewer.RoleAdmin, map[string]notifytest.Call{
		"createIntegration": func(c context.Context) error {
			in := integrations.CreateIntegrationInput{ProviderID: "nodemailer", Credentials: notifytest.SMTP(nil)}
			return notifytest.Err(a.Integrations.Create(c, in))
		},
		"updateIntegration": func(c context.Context) error {
			return notifytest.Err(a.Integrations.Update(c, integrations.UpdateIntegrationInput{ID: none}))
		},
		"setPrimaryIntegration":   func(c context.Context) error { return notifytest.Err(a.Integrations.SetPrimary(c, none)) },
		"resetIntegrationBreaker": func(c context.Context) error { return notifytest.Err(a.Integrations.ResetBreaker(c, none)) },
		"deleteIntegration":       func(c context.Context) error { return notifytest.Err(a.Integrations.Delete(c, none)) },
	})
	permissions.Add(viewer.GrantActivityRead, viewer.RoleViewer, map[string]notifytest.Call{
		"caughtMessages":     func(c context.Context) error { return notifytest.Err(a.CaughtMessages.List(c, page, nil, nil)) },
		"caughtMessage":      func(c context.Context) error { return notifytest.Err(a.CaughtMessages.Get(c, none)) },
		"receiptsOfMessages": func(c context.Context) error { return notifytest.Err(a.Receipts.OfMessages(c, nil, page)) },
		"receipts":           func(c context.Context) error { return notifytest.Err(a.Receipts.List(c, page, nil, nil)) },
		"receipt":            func(c context.Context) error { return notifytest.Err(a.Receipts.Get(c, none)) },
		"replies":            func(c context.Context) error { return notifytest.Err(a.Replies.List(c, page, nil, nil)) },
		"reply":              func(c context.Context) error { return notifytest.Err(a.Replies.Get(c, none)) },
		"replyByMailId":      func(c context.Context) error { return notifytest.Err(a.Replies.ByMailID(c, none, "<x@y>")) },
	})
	permissions.Add(viewer.GrantActivity, viewer.RoleEditor, map[string]notifytest.Call{
		"clearCaughtMessages": func(c context.Context) error { return notifytest.Err(a.CaughtMessages.Clear(c)) },
	})
	permissions.Add(viewer.GrantAudienceRead, viewer.RoleViewer, map[string]notifytest.Call{
		"connectedWorkspaces":           func(c context.Context) error { return notifytest.Err(a.ConnectedWorkspaces.List(c, page, nil, nil)) },
		"connectedWorkspace":            func(c context.Context) error { return notifytest.Err(a.ConnectedWorkspaces.Get(c, none)) },
		"channelEndpointsOfSubscribers": func(c context.Context) error { return notifytest.Err(a.ChannelEndpoints.OfSubscribers(c, nil, page)) },
		"channelEndpoints":              func(c context.Context) error { return notifytest.Err(a.ChannelEndpoints.List(c, page, nil, nil)) },
		"channelEndpoint":               func(c context.Context) error { return notifytest.Err(a.ChannelEndpoints.Get(c, none)) },
		"suppressions":                  func(c context.Context) error { return notifytest.Err(a.Suppressions.List(c, page, nil, nil)) },
		"suppression":                   func(c context.Context) error { return notifytest.Err(a.Suppressions.Get(c, none)) },
		"suppressionByAddress": func(c context.Context) error {
			return notifytest.Err(a.Suppressions.ByAddress(c, workflow.ChannelEmail, "ada@example.org"))
		},
	})
	permissions.Add(viewer.GrantAudience, viewer.RoleEditor, map[string]notifytest.Call{
		"createConnectedWorkspace": func(c context.Context) error {
			return notifytest.Err(a.ConnectedWorkspaces.Create(c, integrations.CreateConnectedWorkspaceInput{Integration: "acme-slack"}))
		},
		"updateConnectedWorkspace": func(c context.Context) error {
			return notifytest.Err(a.ConnectedWorkspaces.Update(c, integrations.UpdateConnectedWorkspaceInput{ID: none}))
		},
		"deleteConnectedWorkspace": func(c context.Context) error { return notifytest.Err(a.ConnectedWorkspaces.Delete(c, none)) },
		"createChannelEndpoint": func(c context.Context) error {
			return notifytest.Err(a.ChannelEndpoints.Create(c, integrations.CreateChannelEndpointInput{
				SubscriberID: "nobody", Integration: "acme-slack", Endpoint: workflow.ChannelEndpointTargetInput{SlackUser: &workflow.SlackUserTarget{UserID: "U1"}},
			}))
		},
		"deleteChannelEndpoint": func(c context.Context) error { return notifytest.Err(a.ChannelEndpoints.Delete(c, none)) },
		"createSuppression": func(c context.Context) error {
			return notifytest.Err(a.Suppressions.Create(c, integrations.CreateSuppressionInput{Channel: workflow.ChannelEmail, Address: "bob@example.org"}))
		},
		"deleteSuppression": func(c context.Context) error { return notifytest.Err(a.Suppressions.Delete(c, none)) },
	})
	notifytest.RequirePermissions(t, v.Scope, permissions)
}
