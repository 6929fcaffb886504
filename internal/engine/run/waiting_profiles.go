package run

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// waitingProfiles are the subscribers whose profiles are set by events that wait for their fan-out, each with the newest of these events.
// Later events that name them are not planned before they are stored, so that they are not sent by the profile before. It knows of the
// events of this process only.
type waitingProfiles struct {
	mu     sync.Mutex // over looking for one and removing it
	newest *expirable.LRU[pgsubscriber.SubscriberKey, string]
}

const (
	// profilesWaitFor is longer than events wait, as a rule. After that one counts as done that another process has fanned out.
	profilesWaitFor    = time.Minute
	maxWaitingProfiles = 16_384
)

func newWaitingProfiles() *waitingProfiles {
	return &waitingProfiles{newest: expirable.NewLRU[pgsubscriber.SubscriberKey, string](maxWaitingProfiles, nil, profilesWaitFor)}
}

// Unplanned remembers the subscribers whose profiles an event sets at its fan-out.
func (p *Planner) Unplanned(e *pgaccept.AcceptedEvent) {
	inputs := namedInputs{}
	inputs.addNamed(e.EnvironmentID, &pgfanout.NamedRow{ID: e.ID, Recipients: []byte(e.Recipients), Actor: []byte(e.Actor)})
	p.waiting.mu.Lock()
	defer p.waiting.mu.Unlock()
	for key, in := range inputs {
		if earlier, _ := p.waiting.newest.Get(key); !in.Bare() && earlier < e.ID {
			p.waiting.newest.Add(key, e.ID)
		}
	}
}

func (w *waitingProfiles) includes(key pgsubscriber.SubscriberKey) bool {
	_, ok := w.newest.Get(key)
	return ok
}

// done forgets what the fan-outs of events have stored.
func (w *waitingProfiles) done(inputs namedInputs) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.newest.Len() == 0 {
		return
	}
	for key, in := range inputs {
		if newest, ok := w.newest.Get(key); ok && newest <= in.newest {
			w.newest.Remove(key)
		}
	}
}
