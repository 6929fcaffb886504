package notify

// audienceServices are the use cases of this package.
type audienceServices struct {
	Subscribers             *Subscribers
	SubscriberChannels      *SubscriberChannels
	Topics                  *Topics
	Subscriptions           *Subscriptions
	SubscriptionPreferences *SubscriptionPreferences
	Preferences             *Preferences
	PreferenceChanges       *PreferenceChanges
	Contexts                *Contexts
	Tenants                 *Tenants
	TenantWorkflows         *TenantWorkflows
	WebhookURLs             *WebhookURLs
}

// newAudienceServices builds the use cases.
func newAudienceServices(b base, cfg Config) audienceServices {
	return audienceServices{
		Subscribers:             &Subscribers{b},
		SubscriberChannels:      &SubscriberChannels{b, cfg.Secrets, cfg.Providers},
		Topics:                  &Topics{b},
		Subscriptions:           &Subscriptions{b},
		SubscriptionPreferences: &SubscriptionPreferences{b},
		Preferences:             &Preferences{b},
		PreferenceChanges:       &PreferenceChanges{b},
		Contexts:                &Contexts{b},
		Tenants:                 &Tenants{b},
		TenantWorkflows:         &TenantWorkflows{b},
		WebhookURLs:             NewWebhookURLs(cfg.Secrets),
	}
}
