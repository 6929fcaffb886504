package usecase

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
)

// Nodes are the records of all types.
type Nodes struct{ Deps }

// Node is the record of any type with the given global id, or nil when the viewer has none such.
func (s *Nodes) Node(ctx context.Context, global string) (ent.Node, error) {
	name, recordID, ok := id.ParseGlobal(global)
	if !ok {
		return nil, fault.Invalidf("id", "is not a global id")
	}
	typ, known := nodeTypes[name]
	if !known {
		return nil, nil
	}
	if _, err := Require(ctx, typ.need); err != nil {
		return nil, err
	}
	node, err := typ.load(ctx, s.DB.Client(ctx), recordID)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return node, postgres.Translate(err)
}

// nodeType is how a record of one type is read by its global id, and what that takes.
type nodeType struct {
	need Need
	load func(context.Context, *ent.Client, id.ID) (ent.Node, error)
}

// nodeOf returns the nodeType of the records that a client of ent reads.
func nodeOf[T ent.Node, C interface {
	Get(context.Context, id.ID) (T, error)
}](need Need, clientOf func(*ent.Client) C) nodeType {
	return nodeType{need, func(ctx context.Context, db *ent.Client, recordID id.ID) (ent.Node, error) {
		return clientOf(db).Get(ctx, recordID)
	}}
}

// nodeTypes are the types that GraphQL shows, by their names.
var nodeTypes = map[string]nodeType{
	"APIKey":                 nodeOf(ManageKeys, func(db *ent.Client) *ent.APIKeyClient { return db.APIKey }),
	"Attempt":                nodeOf(ReadActivity, func(db *ent.Client) *ent.AttemptClient { return db.Attempt }),
	"AuditEntry":             nodeOf(ManageEnvironment, func(db *ent.Client) *ent.AuditEntryClient { return db.AuditEntry }),
	"CaughtMessage":          nodeOf(ReadActivity, func(db *ent.Client) *ent.CaughtMessageClient { return db.CaughtMessage }),
	"ChannelConnection":      nodeOf(ReadAudience, func(db *ent.Client) *ent.ChannelConnectionClient { return db.ChannelConnection }),
	"ChannelEndpoint":        nodeOf(ReadAudience, func(db *ent.Client) *ent.ChannelEndpointClient { return db.ChannelEndpoint }),
	"Context":                nodeOf(ReadAudience, func(db *ent.Client) *ent.ContextClient { return db.Context }),
	"Digest":                 nodeOf(ReadActivity, func(db *ent.Client) *ent.DigestClient { return db.Digest }),
	"Environment":            nodeOf(AnyCredential, func(db *ent.Client) *ent.EnvironmentClient { return db.Environment }),
	"Event":                  nodeOf(ReadActivity, func(db *ent.Client) *ent.EventClient { return db.Event }),
	"Feed":                   nodeOf(ReadContent, func(db *ent.Client) *ent.FeedClient { return db.Feed }),
	"IdempotencyRecord":      nodeOf(ManageEnvironment, func(db *ent.Client) *ent.IdempotencyRecordClient { return db.IdempotencyRecord }),
	"InboxState":             nodeOf(ReadAudience, func(db *ent.Client) *ent.InboxStateClient { return db.InboxState }),
	"Integration":            nodeOf(ReadIntegrations, func(db *ent.Client) *ent.IntegrationClient { return db.Integration }),
	"Invitation":             nodeOf(ReadInvitations, func(db *ent.Client) *ent.InvitationClient { return db.Invitation }),
	"Layout":                 nodeOf(ReadContent, func(db *ent.Client) *ent.LayoutClient { return db.Layout }),
	"Member":                 nodeOf(ReadPeople, func(db *ent.Client) *ent.MemberClient { return db.Member }),
	"Message":                nodeOf(ReadActivity, func(db *ent.Client) *ent.MessageClient { return db.Message }),
	"Notification":           nodeOf(ReadActivity, func(db *ent.Client) *ent.NotificationClient { return db.Notification }),
	"NotificationGroup":      nodeOf(ReadContent, func(db *ent.Client) *ent.NotificationGroupClient { return db.NotificationGroup }),
	"Organization":           nodeOf(ReadOrganization, func(db *ent.Client) *ent.OrganizationClient { return db.Organization }),
	"OrganizationKey":        nodeOf(ReadOrganizationKeys, func(db *ent.Client) *ent.OrganizationKeyClient { return db.OrganizationKey }),
	"Preference":             nodeOf(ReadAudience, func(db *ent.Client) *ent.PreferenceClient { return db.Preference }),
	"PreferenceChange":       nodeOf(ReadAudience, func(db *ent.Client) *ent.PreferenceChangeClient { return db.PreferenceChange }),
	"Receipt":                nodeOf(ReadActivity, func(db *ent.Client) *ent.ReceiptClient { return db.Receipt }),
	"Reply":                  nodeOf(ReadActivity, func(db *ent.Client) *ent.ReplyClient { return db.Reply }),
	"Subscriber":             nodeOf(ReadAudience, func(db *ent.Client) *ent.SubscriberClient { return db.Subscriber }),
	"SubscriberChannel":      nodeOf(ReadAudience, func(db *ent.Client) *ent.SubscriberChannelClient { return db.SubscriberChannel }),
	"Subscription":           nodeOf(ReadAudience, func(db *ent.Client) *ent.SubscriptionClient { return db.Subscription }),
	"SubscriptionPreference": nodeOf(ReadAudience, func(db *ent.Client) *ent.SubscriptionPreferenceClient { return db.SubscriptionPreference }),
	"Suppression":            nodeOf(ReadAudience, func(db *ent.Client) *ent.SuppressionClient { return db.Suppression }),
	"Tenant":                 nodeOf(ReadAudience, func(db *ent.Client) *ent.TenantClient { return db.Tenant }),
	"TenantWorkflow":         nodeOf(ReadAudience, func(db *ent.Client) *ent.TenantWorkflowClient { return db.TenantWorkflow }),
	"Topic":                  nodeOf(ReadAudience, func(db *ent.Client) *ent.TopicClient { return db.Topic }),
	"Translation":            nodeOf(ReadContent, func(db *ent.Client) *ent.TranslationClient { return db.Translation }),
	"User":                   nodeOf(ReadPeople, func(db *ent.Client) *ent.UserClient { return db.User }),
	"Workflow":               nodeOf(ReadContent, func(db *ent.Client) *ent.WorkflowClient { return db.Workflow }),
	"WorkflowVersion":        nodeOf(ReadContent, func(db *ent.Client) *ent.WorkflowVersionClient { return db.WorkflowVersion }),
}
