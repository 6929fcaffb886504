package notify

// integrationsServices are the use cases of this package.
type integrationsServices struct {
	Providers          *Providers
	Integrations       *Integrations
	ChannelConnections *ChannelConnections
	ChannelEndpoints   *ChannelEndpoints
	CaughtMessages     *CaughtMessages
	Suppressions       *Suppressions
	Receipts           *Receipts
	Replies            *Replies
	Unsubscribes       *Unsubscribes
}

// newIntegrationsServices builds the use cases. Links of mails change preferences.
func newIntegrationsServices(b base, cfg Config, preferences *Preferences) integrationsServices {
	providers := &Providers{cfg.Providers, cfg.Prefix}
	return integrationsServices{
		Providers:          providers,
		Integrations:       &Integrations{b, cfg.Providers, cfg.Secrets, cfg.Prefix, cfg.ProviderDeps, cfg.TestSend},
		ChannelConnections: &ChannelConnections{b, cfg.Secrets},
		ChannelEndpoints:   &ChannelEndpoints{b, providers, cfg.Secrets},
		CaughtMessages:     &CaughtMessages{b, cfg.Prefix},
		Suppressions:       &Suppressions{b},
		Receipts:           newReceipts(b, cfg),
		Replies:            &Replies{b, cfg.Secrets, cfg.InboundDomain},
		Unsubscribes:       &Unsubscribes{b, cfg.Secrets, preferences, cfg.PublicURL},
	}
}

func newReceipts(b base, cfg Config) *Receipts {
	r := &Receipts{base: b, secrets: cfg.Secrets, providers: cfg.Providers}
	if cfg.ProviderDeps != nil {
		r.vendor, r.roots = cfg.ProviderDeps.Vendor, cfg.ProviderDeps.Roots
	}
	return r
}
