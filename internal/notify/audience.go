package notify

// Audience are the use cases of those who are reached: who they are, what they wish, and what they received.
type Audience struct {
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
	Messages                *Messages
	Inbox                   *Inbox
	InboxStates             *InboxStates
	Feeds                   *Feeds
	SubscriberTokens        *SubscriberTokens
	Presence                *Presence
}

func newAudience(b base, cfg Config) Audience {
	presence := newPresence(cfg)
	return Audience{
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
		Messages:                &Messages{b},
		Inbox:                   newInbox(b, presence),
		Presence:                presence,
		InboxStates:             &InboxStates{b},
		Feeds:                   &Feeds{b},
		SubscriberTokens:        &SubscriberTokens{b, cfg.Secrets, cfg.RefuseUnknown},
	}
}
