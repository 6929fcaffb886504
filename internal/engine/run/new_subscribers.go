package run

import (
	"bytes"
	"reflect"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// newSubscriber is a subscriber who does not exist yet and is stored together with an event that was planned. It is shared, and never
// changed.
type newSubscriber struct {
	recipient *Recipient
	write     pgsubscriber.SubscriberWrite
	made      time.Time
}

// newSubscribers are those that plans create. Several events may name one subscriber before any of these events is stored: all of them
// create it under the same id, so that each may be stored first, or alone.
type newSubscribers struct {
	mu     sync.Mutex // over looking for one and adding it
	lately *expirable.LRU[pgsubscriber.SubscriberKey, *newSubscriber]
}

const (
	// newSubscribersFor is how long a new subscriber is shared: longer than from the plan of an event to its commit, as a rule. After
	// that another is made, and the commit fails if the first was stored all the same.
	newSubscribersFor = 2 * time.Second
	maxNewSubscribers = 4_096
)

func makeNewSubscribers() *newSubscribers {
	// It looks for old ones a hundred times in the time that it keeps them, also when there are none.
	return &newSubscribers{lately: expirable.NewLRU[pgsubscriber.SubscriberKey, *newSubscriber](maxNewSubscribers, nil, knownFor)}
}

// of is the new subscriber that an event names. It is nil when the fan-out of the event has to create it (namedInput.applied), or when
// another event that is not stored yet gives it another profile.
func (n *newSubscribers) of(key pgsubscriber.SubscriberKey, in *namedInput) *newSubscriber {
	made := makeNewSubscriber(key, in)
	if made == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	earlier, ok := n.lately.Get(key)
	switch {
	case !ok || made.made.Sub(earlier.made) > newSubscribersFor:
		n.lately.Add(key, made)
		return made
	case reflect.DeepEqual(earlier.recipient.Profile, made.recipient.Profile) && bytes.Equal(earlier.recipient.Data, made.recipient.Data):
		return earlier
	}
	return nil
}

// forget drops the shared new subscribers of an environment: one of them exists under another id.
func (n *newSubscribers) forget(environmentID string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, key := range n.lately.Keys() {
		if key.EnvironmentID == environmentID {
			n.lately.Remove(key)
		}
	}
}

func makeNewSubscriber(key pgsubscriber.SubscriberKey, in *namedInput) *newSubscriber {
	now := time.Now()
	row := pgsubscriber.SubscriberRow{ID: id.New(now), EnvironmentID: key.EnvironmentID, SubscriberID: key.SubscriberID}
	made := &newSubscriber{recipient: in.applied(row), write: in.write(key), made: now}
	if made.recipient == nil {
		return nil
	}
	made.write.ID = row.ID
	made.recipient.View() // decoded here, because events side by side share it
	return made
}
