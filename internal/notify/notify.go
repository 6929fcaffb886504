// Package notify gathers the use cases of all nouns; each of its packages owns those of one area. Every door (GraphQL, REST,
// the command line) calls them, so permissions, validation and transactions are there and nowhere above.
package notify

import "github.com/carillon/carillon/internal/provider"

// Services are the use cases of all nouns.
type Services struct {
	*Nodes
	inboxServices
	audienceServices
	integrationsServices
	authoringServices
	triggersServices
	accessServices
	activityServices
}

// New builds the use cases.
func New(cfg Config) *Services {
	if cfg.Providers == nil {
		cfg.Providers, _ = provider.NewRegistry() // without a provider nothing can be wrong with it
	}
	b := base{db: cfg.DB, now: cfg.Now, live: cfg.Live}
	s := &Services{
		Nodes:             &Nodes{b},
		inboxServices:     newInboxServices(b, cfg),
		audienceServices:  newAudienceServices(b, cfg),
		authoringServices: newAuthoringServices(b, cfg),
		triggersServices:  newTriggersServices(b, cfg),
		activityServices:  newActivityServices(b),
	}
	s.integrationsServices = newIntegrationsServices(b, cfg, s.Preferences)
	s.accessServices = newAccessServices(b, cfg, s.Integrations.EnvironmentDefaults)
	return s
}
