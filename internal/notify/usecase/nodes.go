package usecase

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
)

// Nodes are the records of all types.
type Nodes struct{ Deps }

// Node is the record of any type with the given global id, or nil when the viewer has none such.
func (s *Nodes) Node(ctx context.Context, global string) (ent.Node, error) {
	typ, recordID, ok := id.ParseGlobal(global)
	if !ok {
		return nil, fault.Invalidf("id", "is not a global id")
	}
	found, err := s.OfType(ctx, typ, []id.ID{recordID})
	return found[recordID], err
}

// OfType finds the records of one type by internal id; those that the viewer has not are not in the map. Cost: one query.
func (s *Nodes) OfType(ctx context.Context, name string, ids []id.ID) (map[id.ID]ent.Node, error) {
	typ, known := nodeTypes[name]
	if !known {
		return nil, nil
	}
	return Read(ctx, s.Deps, typ.need, func(ctx context.Context, db *ent.Client) (map[id.ID]ent.Node, error) {
		return typ.find(ctx, db, ids)
	})
}

// nodeType is how records of one type are read by their ids, and what that takes.
type nodeType struct {
	need Need
	find func(context.Context, *ent.Client, []id.ID) (map[id.ID]ent.Node, error)
}

// nodeOf returns the nodeType of the records that a query of ent reads.
func nodeOf[Q interface {
	Where(...P) Q
	All(context.Context) ([]R, error)
}, P ~func(*sql.Selector), R record[T], T any](need Need, query func(*ent.Client) Q) nodeType {
	return nodeType{need, func(ctx context.Context, db *ent.Client, ids []id.ID) (map[id.ID]ent.Node, error) {
		rows, err := query(db).Where(P(sql.FieldIn("id", ids...))).All(ctx)
		index := make(map[id.ID]ent.Node, len(rows))
		for recordID, row := range ByID(rows) {
			index[recordID] = row
		}
		return index, err
	}}
}

// nodeTypes are the types that GraphQL shows, by their names.
var nodeTypes = map[string]nodeType{
	"APIKey":                 nodeOf(ManageKeys, func(db *ent.Client) *ent.APIKeyQuery { return db.APIKey.Query() }),
	"AlertIncident":          nodeOf(ReadIntegrations, func(db *ent.Client) *ent.AlertIncidentQuery { return db.AlertIncident.Query() }),
	"AlertRule":              nodeOf(ReadIntegrations, func(db *ent.Client) *ent.AlertRuleQuery { return db.AlertRule.Query() }),
	"Attempt":                nodeOf(ReadActivity, func(db *ent.Client) *ent.AttemptQuery { return db.Attempt.Query() }),
	"Audience":               nodeOf(ReadAudience, func(db *ent.Client) *ent.AudienceQuery { return db.Audience.Query() }),
	"AuditEntry":             nodeOf(ManageEnvironment, func(db *ent.Client) *ent.AuditEntryQuery { return db.AuditEntry.Query() }),
	"CaughtMessage":          nodeOf(ReadActivity, func(db *ent.Client) *ent.CaughtMessageQuery { return db.CaughtMessage.Query() }),
	"ChannelConnection":      nodeOf(ReadAudience, func(db *ent.Client) *ent.ChannelConnectionQuery { return db.ChannelConnection.Query() }),
	"ChannelEndpoint":        nodeOf(ReadAudience, func(db *ent.Client) *ent.ChannelEndpointQuery { return db.ChannelEndpoint.Query() }),
	"Context":                nodeOf(ReadAudience, func(db *ent.Client) *ent.ContextQuery { return db.Context.Query() }),
	"Digest":                 nodeOf(ReadActivity, func(db *ent.Client) *ent.DigestQuery { return db.Digest.Query() }),
	"Environment":            nodeOf(AnyCredential, func(db *ent.Client) *ent.EnvironmentQuery { return db.Environment.Query() }),
	"Event":                  nodeOf(ReadActivity, func(db *ent.Client) *ent.EventQuery { return db.Event.Query() }),
	"Feed":                   nodeOf(ReadContent, func(db *ent.Client) *ent.FeedQuery { return db.Feed.Query() }),
	"IdempotencyRecord":      nodeOf(ManageEnvironment, func(db *ent.Client) *ent.IdempotencyRecordQuery { return db.IdempotencyRecord.Query() }),
	"Image":                  nodeOf(ReadContent, ShownImages),
	"InboxState":             nodeOf(ReadAudience, func(db *ent.Client) *ent.InboxStateQuery { return db.InboxState.Query() }),
	"Integration":            nodeOf(ReadIntegrations, func(db *ent.Client) *ent.IntegrationQuery { return db.Integration.Query() }),
	"Invitation":             nodeOf(ReadInvitations, func(db *ent.Client) *ent.InvitationQuery { return db.Invitation.Query() }),
	"Layout":                 nodeOf(ReadContent, func(db *ent.Client) *ent.LayoutQuery { return db.Layout.Query() }),
	"Member":                 nodeOf(ReadPeople, func(db *ent.Client) *ent.MemberQuery { return db.Member.Query() }),
	"Message":                nodeOf(ReadActivity, func(db *ent.Client) *ent.MessageQuery { return db.Message.Query() }),
	"MessageRetry":           nodeOf(ReadActivity, func(db *ent.Client) *ent.MessageRetryQuery { return db.MessageRetry.Query() }),
	"Notification":           nodeOf(ReadActivity, func(db *ent.Client) *ent.NotificationQuery { return db.Notification.Query() }),
	"NotificationGroup":      nodeOf(ReadContent, func(db *ent.Client) *ent.NotificationGroupQuery { return db.NotificationGroup.Query() }),
	"Organization":           nodeOf(ReadOrganization, func(db *ent.Client) *ent.OrganizationQuery { return db.Organization.Query() }),
	"OrganizationKey":        nodeOf(ReadOrganizationKeys, func(db *ent.Client) *ent.OrganizationKeyQuery { return db.OrganizationKey.Query() }),
	"Pause":                  nodeOf(ReadActivity, func(db *ent.Client) *ent.PauseQuery { return db.Pause.Query() }),
	"Preference":             nodeOf(ReadAudience, func(db *ent.Client) *ent.PreferenceQuery { return db.Preference.Query() }),
	"PreferenceChange":       nodeOf(ReadAudience, func(db *ent.Client) *ent.PreferenceChangeQuery { return db.PreferenceChange.Query() }),
	"Promotion":              nodeOf(ReadContent, func(db *ent.Client) *ent.PromotionQuery { return db.Promotion.Query() }),
	"Receipt":                nodeOf(ReadActivity, func(db *ent.Client) *ent.ReceiptQuery { return db.Receipt.Query() }),
	"Reply":                  nodeOf(ReadActivity, func(db *ent.Client) *ent.ReplyQuery { return db.Reply.Query() }),
	"Snippet":                nodeOf(ReadContent, func(db *ent.Client) *ent.SnippetQuery { return db.Snippet.Query() }),
	"Subscriber":             nodeOf(ReadAudience, func(db *ent.Client) *ent.SubscriberQuery { return db.Subscriber.Query() }),
	"SubscriberChannel":      nodeOf(ReadAudience, func(db *ent.Client) *ent.SubscriberChannelQuery { return db.SubscriberChannel.Query() }),
	"Subscription":           nodeOf(ReadAudience, func(db *ent.Client) *ent.SubscriptionQuery { return db.Subscription.Query() }),
	"SubscriptionPreference": nodeOf(ReadAudience, func(db *ent.Client) *ent.SubscriptionPreferenceQuery { return db.SubscriptionPreference.Query() }),
	"Suppression":            nodeOf(ReadAudience, func(db *ent.Client) *ent.SuppressionQuery { return db.Suppression.Query() }),
	"Tenant":                 nodeOf(ReadAudience, func(db *ent.Client) *ent.TenantQuery { return db.Tenant.Query() }),
	"TenantWorkflow":         nodeOf(ReadAudience, func(db *ent.Client) *ent.TenantWorkflowQuery { return db.TenantWorkflow.Query() }),
	"Topic":                  nodeOf(ReadAudience, func(db *ent.Client) *ent.TopicQuery { return db.Topic.Query() }),
	"Translation":            nodeOf(ReadContent, func(db *ent.Client) *ent.TranslationQuery { return db.Translation.Query() }),
	"TriggerSchedule":        nodeOf(ReadActivity, func(db *ent.Client) *ent.TriggerScheduleQuery { return db.TriggerSchedule.Query() }),
	"User":                   nodeOf(ReadPeople, func(db *ent.Client) *ent.UserQuery { return db.User.Query() }),
	"Variable":               nodeOf(ReadContent, func(db *ent.Client) *ent.VariableQuery { return db.Variable.Query() }),
	"WebhookDelivery":        nodeOf(ReadActivity, func(db *ent.Client) *ent.WebhookDeliveryQuery { return db.WebhookDelivery.Query() }),
	"WebhookEndpoint":        nodeOf(ReadIntegrations, func(db *ent.Client) *ent.WebhookEndpointQuery { return db.WebhookEndpoint.Query() }),
	"Workflow":               nodeOf(ReadContent, shownWorkflows),
	"WorkflowVersion":        nodeOf(ReadContent, func(db *ent.Client) *ent.WorkflowVersionQuery { return db.WorkflowVersion.Query() }),
}

func shownWorkflows(db *ent.Client) *ent.WorkflowQuery {
	all := db.Workflow.Query()
	all.Select(ShownWorkflowColumns...)
	return all
}
