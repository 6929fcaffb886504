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
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// newcomer is a subscriber who does not exist yet, as an event makes them that is planned before it is stored: they are stored with it.
// It is shared, and never changed.
type newcomer struct {
	recipient *Recipient
	write     pgsubscriber.SubscriberWrite
}

// newcomers are those whom plans make. Several events may name one of them before any of the events is stored: all make the same, under
// the same id, so that each of them may be stored first, or alone.
type newcomers struct {
	mu     sync.Mutex // over looking for one and adding it
	lately *expirable.LRU[pgsubscriber.SubscriberKey, *newcomer]
	// introduced are those of whom events say something that may still wait for their fan-out. Who is new is made by that.
	introduced *expirable.LRU[pgsubscriber.SubscriberKey, struct{}]
}

const (
	// newcomersFor is how long a newcomer is shared: the time from the plan of an event to its commit, as a rule. Another is made
	// afterwards, and the commit finds out when the first was stored after all.
	newcomersFor = 2 * time.Second
	maxNewcomers = 4_096
	// introducedFor is longer than events wait, as a rule.
	introducedFor = time.Minute
	maxIntroduced = 16_384
)

func newNewcomers() *newcomers {
	return &newcomers{
		lately:     expirable.NewLRU[pgsubscriber.SubscriberKey, *newcomer](maxNewcomers, nil, newcomersFor),
		introduced: expirable.NewLRU[pgsubscriber.SubscriberKey, struct{}](maxIntroduced, nil, introducedFor),
	}
}

// Introduce remembers whom an event names with a profile that is stored at its fan-out, so that later events that name them do not come
// before it. Processes that share a database do not know of each other's.
func (p *Planner) Introduce(environmentID string, recipients, actor []byte) {
	inputs := namedInputs{}
	inputs.addNamed(environmentID, &pgfanout.NamedRow{Recipients: recipients, Actor: actor})
	for key, in := range inputs {
		if !in.Bare() {
			p.new.introduced.Add(key, struct{}{})
		}
	}
}

// of is the newcomer that an event makes of a subscriber who does not exist; nil when that is left to its fan-out: channel settings are
// stored beside it, much data would be kept, or another event that waits or is not stored yet says something else of the same subscriber.
func (n *newcomers) of(key pgsubscriber.SubscriberKey, in *namedInput) *newcomer {
	if n.introduced.Contains(key) {
		return nil
	}
	made := newNewcomer(key, in)
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

// forget makes newcomers anew from now on: one of them is there already, under another id.
func (n *newcomers) forget() { n.lately.Purge() }

func newNewcomer(key pgsubscriber.SubscriberKey, in *namedInput) *newcomer {
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
	made := &newcomer{recipient: &Recipient{SubscriberRow: row}, write: in.write(key)}
	made.write.ID = row.ID
	made.recipient.View() // decoded here, because events side by side share it
	return made
}

// queueNewcomers queues the newcomers of plans. The transaction fails where another made one of them first (bulk.Check).
func queueNewcomers(q *pgx.Batch, plans []accept.Plan) {
	first := map[string]pgsubscriber.SubscriberWrite{} // by id
	for _, plan := range plans {
		own, ok := plan.(*planned)
		if !ok {
			continue
		}
		for _, n := range own.newcomers {
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
