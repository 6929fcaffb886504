package notify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestDeletedRecordsAreListed deletes one of two records of each noun that keeps its history: lists show it when asked for
// the deleted ones, its id still finds it, and it says when and by whom it was deleted.
func TestDeletedRecordsAreListed(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	v, _ := viewer.FromContext(a.Ctx)
	v.UserID = "person"
	person := viewer.NewContext(t.Context(), v)
	a.Ctx = viewer.NewContext(t.Context(), viewer.Viewer{Scope: v.Scope, Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "key"})
	last := usecase.Page{}

	mail := func() *ent.Integration {
		return a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Credentials: notifytest.SMTP(nil)})
	}
	gone, kept := mail(), mail()
	_, err := a.Integrations.Delete(person, gone.ID)
	require.NoError(t, err)
	listed, err := a.Integrations.List(a.Ctx, last, nil, &integrations.IntegrationFilter{Deleted: new(true)})
	require.NoError(t, err)
	require.Equal(t, []string{gone.ID}, notifytest.NodeIDs(listed.Nodes()))
	listed, err = a.Integrations.List(a.Ctx, last, nil, &integrations.IntegrationFilter{Deleted: new(false), IncludeDeleted: new(true), IdentifierIn: []string{gone.Identifier, kept.Identifier}})
	require.NoError(t, err)
	require.Equal(t, []string{kept.ID}, notifytest.NodeIDs(listed.Nodes()))
	found, err := a.Integrations.Get(a.Ctx, gone.ID)
	require.NoError(t, err)
	require.Equal(t, new("person"), found.DeletedBy)
	require.NotNil(t, found.DeletedAt)

	flow, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Flow", Definition: workflow.Definition{Steps: []workflow.Step{notifytest.EmailStep("")}}})
	require.NoError(t, err)
	_, err = a.Workflows.Delete(a.Ctx, flow.ID)
	require.NoError(t, err)
	workflows, err := a.Workflows.List(a.Ctx, last, nil, &authoring.WorkflowFilter{Deleted: new(true)})
	require.NoError(t, err)
	require.Equal(t, []string{flow.ID}, notifytest.NodeIDs(workflows.Nodes()))
	living, err := a.Workflows.List(a.Ctx, last, nil, nil)
	require.NoError(t, err)
	require.NotContains(t, notifytest.NodeIDs(living.Nodes()), flow.ID)
	again, err := a.Workflows.Get(a.Ctx, flow.ID)
	require.NoError(t, err)
	require.Equal(t, new("key"), again.DeletedBy)
	require.NotNil(t, again.DeletedAt)
	node, err := a.Node(a.Ctx, again.GlobalID())
	require.NoError(t, err)
	require.NotNil(t, node)
	_, err = a.Workflows.ByIdentifier(a.Ctx, "flow")
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	_, err = a.Workflows.SetActive(a.Ctx, flow.ID, true)
	require.Equal(t, fault.NotFound, fault.KindOf(err), "deleted is final")

	someone, err := a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: "someone"})
	require.NoError(t, err)
	_, err = a.Subscribers.Delete(a.Ctx, someone.ID)
	require.NoError(t, err)
	subscribers, err := a.Subscribers.List(a.Ctx, last, nil, &audience.SubscriberFilter{Deleted: new(true)})
	require.NoError(t, err)
	require.Equal(t, []string{someone.ID}, notifytest.NodeIDs(subscribers.Nodes()))
	require.Equal(t, new("key"), subscribers.Nodes()[0].DeletedBy)
	require.NotNil(t, subscribers.Nodes()[0].DeletedAt)
}
