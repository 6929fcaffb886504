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
	typ, recordID, ok := id.ParseGlobal(global)
	if !ok {
		return nil, fault.Invalidf("id", "is not a global id")
	}
	need, known := nodeNeeds[typ]
	if !known {
		return nil, nil
	}
	if _, err := Require(ctx, need); err != nil {
		return nil, err
	}
	load, ok := loaders[typ]
	if !ok {
		return nil, nil
	}
	node, err := load(ctx, s.DB.Client(ctx), recordID)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return node, postgres.Translate(err)
}

// nodeNeeds is what reading one record by its global id takes, by type.
var nodeNeeds = map[string]Need{
	"APIKey":                 ManageKeys,
	"Attempt":                ReadActivity,
	"AuditEntry":             ManageEnvironment,
	"CaughtMessage":          ReadActivity,
	"ChannelConnection":      ReadAudience,
	"ChannelEndpoint":        ReadAudience,
	"Context":                ReadAudience,
	"Digest":                 ReadActivity,
	"Environment":            AnyCredential,
	"Event":                  ReadActivity,
	"Feed":                   ReadContent,
	"IdempotencyRecord":      ManageEnvironment,
	"InboxState":             ReadAudience,
	"Invitation":             ReadInvitations,
	"Integration":            ReadIntegrations,
	"Layout":                 ReadContent,
	"Member":                 ReadPeople,
	"Message":                ReadActivity,
	"Notification":           ReadActivity,
	"NotificationGroup":      ReadContent,
	"Organization":           ReadOrganization,
	"OrganizationKey":        ReadOrganizationKeys,
	"Preference":             ReadAudience,
	"PreferenceChange":       ReadAudience,
	"Receipt":                ReadActivity,
	"Reply":                  ReadActivity,
	"Subscriber":             ReadAudience,
	"SubscriberChannel":      ReadAudience,
	"Subscription":           ReadAudience,
	"SubscriptionPreference": ReadAudience,
	"Suppression":            ReadAudience,
	"Tenant":                 ReadAudience,
	"TenantWorkflow":         ReadAudience,
	"Topic":                  ReadAudience,
	"Translation":            ReadContent,
	"User":                   ReadPeople,
	"Workflow":               ReadContent,
	"WorkflowVersion":        ReadContent,
}

// loader reads one record by its id.
type loader func(context.Context, *ent.Client, id.ID) (ent.Node, error)

// loaders reads one record of each type that GraphQL shows.
var loaders = map[string]loader{
	"Organization": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Organization.Get(ctx, id)
	},
	"Environment": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Environment.Get(ctx, id)
	},
	"APIKey": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) { return db.APIKey.Get(ctx, id) },
	"OrganizationKey": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.OrganizationKey.Get(ctx, id)
	},
	"User": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) { return db.User.Get(ctx, id) },
	"Invitation": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Invitation.Get(ctx, id)
	},
	"Member": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) { return db.Member.Get(ctx, id) },
	"AuditEntry": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.AuditEntry.Get(ctx, id)
	},
	"IdempotencyRecord": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.IdempotencyRecord.Get(ctx, id)
	},
	"Topic": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) { return db.Topic.Get(ctx, id) },
	"Context": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Context.Get(ctx, id)
	},
	"Feed": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Feed.Get(ctx, id)
	},
	"InboxState": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.InboxState.Get(ctx, id)
	},
	"Message": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Message.Get(ctx, id)
	},
	"Preference": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Preference.Get(ctx, id)
	},
	"PreferenceChange": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.PreferenceChange.Get(ctx, id)
	},
	"Subscriber": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Subscriber.Get(ctx, id)
	},
	"SubscriberChannel": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.SubscriberChannel.Get(ctx, id)
	},
	"Subscription": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Subscription.Get(ctx, id)
	},
	"SubscriptionPreference": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.SubscriptionPreference.Get(ctx, id)
	},
	"Tenant": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Tenant.Get(ctx, id)
	},
	"TenantWorkflow": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.TenantWorkflow.Get(ctx, id)
	},
	"Suppression": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Suppression.Get(ctx, id)
	},
	"Receipt": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Receipt.Get(ctx, id)
	},
	"Reply": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Reply.Get(ctx, id)
	},
	"CaughtMessage": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.CaughtMessage.Get(ctx, id)
	},
	"ChannelConnection": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.ChannelConnection.Get(ctx, id)
	},
	"ChannelEndpoint": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.ChannelEndpoint.Get(ctx, id)
	},
	"Integration": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Integration.Get(ctx, id)
	},
	"Layout": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Layout.Get(ctx, id)
	},
	"NotificationGroup": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.NotificationGroup.Get(ctx, id)
	},
	"Translation": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Translation.Get(ctx, id)
	},
	"WorkflowVersion": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.WorkflowVersion.Get(ctx, id)
	},
	"Workflow": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Workflow.Get(ctx, id)
	},
	"Event": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) { return db.Event.Get(ctx, id) },
	"Notification": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) {
		return db.Notification.Get(ctx, id)
	},
	"Attempt": func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) { return db.Attempt.Get(ctx, id) },
	"Digest":  func(ctx context.Context, db *ent.Client, id id.ID) (ent.Node, error) { return db.Digest.Get(ctx, id) },
}
