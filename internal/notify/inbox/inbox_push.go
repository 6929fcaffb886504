package inbox

import (
	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/realtime"
)

// Announce tells watchers of committed changes: those of this process what changed, when the commit did nothing but add
// messages to an inbox.
func Announce(live *realtime.Hub, changes []state.InboxChange) {
	updates := map[*ent.InboxState]*InboxUpdate{} // messages of one inbox have its one state
	var told []realtime.Topic                     // of each update
	var list []*InboxUpdate
	var topics []realtime.Topic
	for i := range changes {
		c := &changes[i]
		topic := realtime.Inbox(c.Scope.EnvironmentID, c.SubscriberID)
		if c.Inbox == nil || !live.Watched(topic) {
			topics = append(topics, topic)
			continue
		}
		m, err := c.New.Entity()
		if err != nil { // watchers read it, and report what is wrong
			topics = append(topics, topic)
			continue
		}
		u := updates[c.Inbox]
		if u == nil {
			u = &InboxUpdate{Sequence: c.Sequence, State: c.Inbox}
			updates[c.Inbox], list, told = u, append(list, u), append(told, topic)
		}
		u.Messages = append(u.Messages, m)
	}
	live.Publish(topics...)
	for i, u := range list {
		live.Tell(told[i], u)
	}
}
