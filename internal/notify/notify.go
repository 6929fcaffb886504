// Package notify owns the use cases, one file per noun. Every door (GraphQL, REST, the command line) calls them, so
// permissions, validation and transactions live here and nowhere above.
package notify

import (
	"context"

	"github.com/carillon/carillon/internal/provider"
)

// Services are the use cases of all nouns.
type Services struct {
	base
	Audience
	Deliveries

	Organizations *Organizations
	Environments  *Environments
	APIKeys       *APIKeys
	// OrganizationKeys do the organization's own work.
	OrganizationKeys *OrganizationKeys
	Users            *Users
	Members          *Members
	Sessions         *Sessions
	SecondFactors    *SecondFactors
	Invitations      *Invitations
	Operator         *Operator
	Audit            *AuditEntries
	Idempotency      *IdempotencyRecords

	Workflows          *Workflows
	Layouts            *Layouts
	NotificationGroups *NotificationGroups
	Translations       *Translations
	Providers          *Providers
	Integrations       *Integrations
	ChannelConnections *ChannelConnections
	ChannelEndpoints   *ChannelEndpoints
	CaughtMessages     *CaughtMessages
	WebhookURLs        *WebhookURLs
	Suppressions       *Suppressions
	Receipts           *Receipts
	Replies            *Replies
	Unsubscribes       *Unsubscribes

	Triggers *Triggers
}

// New builds the use cases.
func New(cfg Config) *Services {
	if cfg.Providers == nil {
		cfg.Providers, _ = provider.NewRegistry() // without a provider nothing can be wrong with it
	}
	b := base{db: cfg.DB, now: cfg.Now, live: cfg.Live}
	providers := &Providers{cfg.Providers, cfg.Prefix}
	members := &Members{b}
	sessions := newSessions(b, cfg, members)
	s := &Services{
		base:             b,
		Audience:         newAudience(b, cfg),
		Deliveries:       newDeliveries(b, cfg.CountRuns),
		Organizations:    &Organizations{b},
		Environments:     &Environments{base: b},
		OrganizationKeys: &OrganizationKeys{b},
		Users:            &Users{b, members},
		Members:          members,
		Sessions:         sessions,
		SecondFactors:    &SecondFactors{sessions},
		Invitations:      &Invitations{b, sessions, sessions.letters},
		Operator:         &Operator{b, sessions, members},
		Audit:            &AuditEntries{b},
		Idempotency:      newIdempotencyRecords(b),

		Workflows:          &Workflows{b, cfg.Workflows},
		Layouts:            &Layouts{b, cfg.Workflows.Templates},
		NotificationGroups: &NotificationGroups{b},
		Translations:       &Translations{b},
		Providers:          providers,
		Integrations:       &Integrations{b, cfg.Providers, cfg.Secrets, cfg.Prefix, cfg.ProviderDeps, cfg.TestSend},
		ChannelConnections: &ChannelConnections{b, cfg.Secrets},
		ChannelEndpoints:   &ChannelEndpoints{b, providers, cfg.Secrets},
		CaughtMessages:     &CaughtMessages{b, cfg.Prefix},
		WebhookURLs:        &WebhookURLs{cfg.Secrets},
		Suppressions:       &Suppressions{b},
		Receipts:           &Receipts{base: b, secrets: cfg.Secrets, providers: cfg.Providers},
		Replies:            &Replies{b, cfg.Secrets, cfg.InboundDomain},

		Triggers: newTriggers(cfg),
	}
	if cfg.ProviderDeps != nil {
		s.Receipts.vendor, s.Receipts.roots = cfg.ProviderDeps.Vendor, cfg.ProviderDeps.Roots
	}
	s.Unsubscribes = &Unsubscribes{b, cfg.Secrets, s.Preferences, cfg.PublicURL}
	s.APIKeys = &APIKeys{b, s.Environments}
	// What a new environment starts with. Each noun that has such records adds its step.
	s.Environments.defaults = []environmentDefault{s.Integrations.EnvironmentDefaults}
	return s
}

// Close waits for what no request waited for, at the longest until ctx ends.
func (s *Services) Close(ctx context.Context) { s.Sessions.letters.wait(ctx) }
