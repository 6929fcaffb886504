// Package inbox owns the use cases of inboxes: their messages, feeds and states, live updates, and who is online.
package inbox

import "github.com/carillon/carillon/internal/notify/usecase"

// Services are the use cases of this package.
type Services struct {
	Messages    *Messages
	Inbox       *Inbox
	InboxStates *InboxStates
	Feeds       *Feeds
	Presence    *Presence
}

// New builds the use cases.
func New(b usecase.Deps, cfg usecase.Config) Services {
	presence := newPresence(cfg)
	return Services{
		Messages:    &Messages{b},
		Inbox:       newInbox(b, presence),
		InboxStates: &InboxStates{b},
		Feeds:       &Feeds{b},
		Presence:    presence,
	}
}
