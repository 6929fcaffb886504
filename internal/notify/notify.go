// Package notify gathers the use cases of all nouns; each of its packages owns those of one area. Every door (GraphQL, REST,
// the command line) calls them, so permissions, validation and transactions are there and nowhere above.
package notify

import (
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/alerts"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/configuration"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/repairs"
	"github.com/carillon/carillon/internal/notify/schedules"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/notify/webhooks"
	"github.com/carillon/carillon/internal/provider"
)

// Services are the use cases of all nouns.
type Services struct {
	*usecase.Nodes
	inboxServices
	audienceServices
	integrationsServices
	authoringServices
	triggersServices
	accessServices
	activityServices
	repairsServices
	configurationServices
	webhooksServices
	schedulesServices
	alertsServices
}

type (
	inboxServices        = inbox.Services
	audienceServices     = audience.Services
	integrationsServices = integrations.Services
	authoringServices    = authoring.Services
	triggersServices     = triggers.Services
	accessServices       = access.Services
	activityServices     = activity.Services
	repairsServices      = repairs.Services

	configurationServices = configuration.Services
	webhooksServices      = webhooks.Services
	schedulesServices     = schedules.Services
	alertsServices        = alerts.Services
)

// New builds the use cases.
func New(cfg usecase.Config) *Services {
	if cfg.Providers == nil {
		cfg.Providers, _ = provider.NewRegistry() // without a provider nothing can be wrong with it
	}
	deps := usecase.Deps{DB: cfg.DB, Now: cfg.Now, Live: cfg.Live, Cell: cfg.Cell}
	s := &Services{
		Nodes:             &usecase.Nodes{Deps: deps},
		inboxServices:     inbox.New(deps, cfg),
		audienceServices:  audience.New(deps, cfg),
		authoringServices: authoring.New(deps, cfg),
		triggersServices:  triggers.New(deps, cfg),
		activityServices:  activity.New(deps),
		webhooksServices:  webhooks.New(deps, cfg),
		alertsServices:    alerts.New(deps, cfg),
		repairsServices:   repairs.New(deps, cfg),
	}
	s.schedulesServices = schedules.New(deps, s.Triggers, s.WebhookURLs)
	s.integrationsServices = integrations.New(deps, cfg, s.Preferences)
	s.configurationServices = configuration.New(deps, configuration.Areas{
		Authoring: s.authoringServices, Feeds: s.Feeds, Topics: s.Topics, Integrations: s.Integrations, Providers: s.Providers,
	})
	s.accessServices = access.New(deps, cfg, s.Integrations.EnvironmentDefaults)
	return s
}
