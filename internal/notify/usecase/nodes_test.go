package usecase_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/viewer"
)

// TestNodes reads records of any type by their global ids, each for those who may read its type.
func TestNodes(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	topic, err := a.Topics.Create(a.Ctx, audience.CreateTopicInput{Key: "news"})
	require.NoError(t, err)
	found, err := a.Node(a.Ctx, topic.GlobalID())
	require.NoError(t, err)
	require.Equal(t, topic.GlobalID(), found.GlobalID())
	for name, global := range map[string]string{
		"no such record": id.Global("Topic", id.New(a.Now)), "no such type": id.Global("Nonsense", topic.ID), "of another type": id.Global("Tenant", topic.ID),
	} {
		found, err := a.Node(a.Ctx, global)
		require.NoError(t, err, name)
		require.Nil(t, found, name)
	}
	for _, wrong := range []string{"", "news", topic.ID} {
		_, err := a.Node(a.Ctx, wrong)
		require.Equal(t, []string{"id"}, notifytest.Paths(t, err), wrong)
	}

	// Every type is closed to a key that lacks its scope, whether there is such a record or not.
	for typ, grant := range map[string]viewer.Grant{
		"AlertIncident": viewer.GrantIntegrationsRead, "AlertRule": viewer.GrantIntegrationsRead,
		"APIKey": viewer.GrantKeys, "Attempt": viewer.GrantActivityRead, "AuditEntry": viewer.GrantActivity, "CaughtMessage": viewer.GrantActivityRead,
		"ChannelConnection": viewer.GrantAudienceRead, "ChannelEndpoint": viewer.GrantAudienceRead, "Context": viewer.GrantAudienceRead,
		"Digest": viewer.GrantActivityRead, "Event": viewer.GrantActivityRead, "Feed": viewer.GrantContentRead, "IdempotencyRecord": viewer.GrantActivity,
		"InboxState": viewer.GrantAudienceRead, "Integration": viewer.GrantIntegrationsRead, "Layout": viewer.GrantContentRead, "Snippet": viewer.GrantContentRead, "Image": viewer.GrantContentRead,
		"Message": viewer.GrantActivityRead, "Notification": viewer.GrantActivityRead, "NotificationGroup": viewer.GrantContentRead,
		"Preference": viewer.GrantAudienceRead, "PreferenceChange": viewer.GrantAudienceRead, "Receipt": viewer.GrantActivityRead,
		"Reply": viewer.GrantActivityRead, "Subscriber": viewer.GrantAudienceRead, "SubscriberChannel": viewer.GrantAudienceRead,
		"Subscription": viewer.GrantAudienceRead, "SubscriptionPreference": viewer.GrantAudienceRead, "Suppression": viewer.GrantAudienceRead,
		"Tenant": viewer.GrantAudienceRead, "TenantWorkflow": viewer.GrantAudienceRead, "Topic": viewer.GrantAudienceRead,
		"Translation": viewer.GrantContentRead, "TriggerSchedule": viewer.GrantActivityRead, "Variable": viewer.GrantContentRead, "WebhookDelivery": viewer.GrantActivityRead, "WebhookEndpoint": viewer.GrantIntegrationsRead,
		"Workflow": viewer.GrantContentRead, "WorkflowVersion": viewer.GrantContentRead,
	} {
		for _, own := range viewer.EnvironmentGrants() {
			ctx := viewer.NewContext(t.Context(), viewer.Viewer{Scope: a.Scope, Role: viewer.RoleKey, APIKeyID: "key", Grants: viewer.GrantsOf(own)})
			_, err := a.Node(ctx, id.Global(typ, id.New(a.Now)))
			notifytest.RequireRefused(t, !viewer.GrantsOf(own).Has(grant), err, typ+" with "+string(own))
		}
	}
	_, err = a.Node(t.Context(), topic.GlobalID())
	notifytest.RequireKind(t, fault.Unauthenticated, err)
	elsewhere := a.Scope
	elsewhere.EnvironmentID = id.New(a.Now)
	found, err = a.Node(viewer.NewContext(t.Context(), viewer.Viewer{Scope: elsewhere, Role: viewer.RoleOwner, UserID: "ada"}), topic.GlobalID())
	require.NoError(t, err)
	require.Nil(t, found, "of another environment")
}
