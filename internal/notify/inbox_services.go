package notify

// inboxServices are the use cases of this package.
type inboxServices struct {
	Messages    *Messages
	Inbox       *Inbox
	InboxStates *InboxStates
	Feeds       *Feeds
	Presence    *Presence
}

// newInboxServices builds the use cases.
func newInboxServices(b base, cfg Config) inboxServices {
	presence := newPresence(cfg)
	return inboxServices{
		Messages:    &Messages{b},
		Inbox:       newInbox(b, presence),
		InboxStates: &InboxStates{b},
		Feeds:       &Feeds{b},
		Presence:    presence,
	}
}
