package run

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// newSubscriber is a subscriber who does not exist yet and is stored together with an event that was planned. It is shared, and never
// changed.
type newSubscriber struct {
	recipient *Recipient
	write     pgsubscriber.SubscriberWrite
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
	return &newSubscribers{
		lately: expirable.NewLRU[pgsubscriber.SubscriberKey, *newSubscriber](maxNewSubscribers, nil, newSubscribersFor),
	}
}

// of is the new subscriber that an event names. It is nil when the fan-out of the event has to create it: with channel settings, with much
// data, or when another event that is not stored yet gives it another profile.
func (n *newSubscribers) of(key pgsubscriber.SubscriberKey, in *namedInput) *newSubscriber {
	made := makeNewSubscriber(key, in)
	if made == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	earlier, ok := n.lately.Get(key)
	switch {
	case !ok:
		n.lately.Add(key, made)
		return made
	case reflect.DeepEqual(earlier.recipient.Profile, made.recipient.Profile) && bytes.Equal(earlier.recipient.Data, made.recipient.Data):
		return earlier
	}
	return nil
}

// forget drops the shared new subscribers: one of them exists under another id.
func (n *newSubscribers) forget() { n.lately.Purge() }

func makeNewSubscriber(key pgsubscriber.SubscriberKey, in *namedInput) *newSubscriber {
	row := pgsubscriber.SubscriberRow{ID: id.New(time.Now()), EnvironmentID: key.EnvironmentID, SubscriberID: key.SubscriberID}
	if data := in.Data.Ptr(); data != nil {
		text, err := json.Marshal(*data)
		if err != nil || len(text) > maxKnownBytes || !jsonnum.IsPlain(text) {
			return nil
		}
		row.Data = text
	}
	if len(in.Channels) > 0 {
		return nil
	}
	values := row.Values()
	for i, text := range in.Texts() {
		*values[i] = text.Value.Ptr()
	}
	made := &newSubscriber{recipient: &Recipient{SubscriberRow: row}, write: in.write(key)}
	made.write.ID = row.ID
	made.recipient.View() // decoded here, because events side by side share it
	return made
}

// queueNewSubscribers queues the subscribers that plans create. The transaction fails where another has created one of them (bulk.Check).
func queueNewSubscribers(q *pgx.Batch, plans []accept.Plan) {
	first := map[string]pgsubscriber.SubscriberWrite{} // by id
	for _, plan := range plans {
		own, ok := plan.(*planned)
		if !ok {
			continue
		}
		for _, n := range own.created {
			w := n.write
			w.NamedBy = own.event.ID
			if earlier, ok := first[w.ID]; ok {
				w.NamedBy = min(w.NamedBy, earlier.NamedBy)
			}
			first[w.ID] = w
		}
	}
	writes := slices.SortedFunc(maps.Values(first), func(a, b pgsubscriber.SubscriberWrite) int { return a.Key().Compare(b.Key()) })
	pgsubscriber.QueueNew(q, writes)
}
