// Package audience owns the use cases of those who are reached and what they wish: subscribers and their channels, topics,
// subscriptions, preferences, contexts and tenants.
package audience

import "github.com/carillon/carillon/internal/notify/usecase"

// Services are the use cases of this package.
type Services struct {
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
	Erasures                *Erasures
	Audiences               *Audiences
}

// New builds the use cases.
func New(b usecase.Deps, cfg usecase.Config) Services {
	return Services{
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
		Erasures:                &Erasures{b, cfg.Secrets},
		Audiences:               &Audiences{b, newPreviewGate()},
	}
}
