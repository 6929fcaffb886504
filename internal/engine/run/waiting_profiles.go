package run

import (
	"bytes"
	"maps"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// waitingProfiles are the subscribers whose profiles or channel settings are set by events that wait for their fan-out. Later events that
// name them are not planned from what was stored before: they are fanned out, too. Fan-outs side by side have no order. It knows of the
// events of this process only.
type waitingProfiles struct {
	mu     sync.Mutex // over looking for one and replacing it
	newest *expirable.LRU[pgsubscriber.SubscriberKey, profileSource]
}

// profileSource is the newest event that sets a profile.
type profileSource struct {
	event  string
	stored bool // its fan-out has set it, perhaps before the event was reported (Unplanned)
}

const (
	// profilesWaitFor is longer than events wait, as a rule. After that one counts as done that another process has fanned out.
	profilesWaitFor    = time.Minute
	maxWaitingProfiles = 16_384
)

func newWaitingProfiles() *waitingProfiles {
	return &waitingProfiles{newest: expirable.NewLRU[pgsubscriber.SubscriberKey, profileSource](maxWaitingProfiles, nil, profilesWaitFor)}
}

var channelsKey = []byte(`"channels"`)

// Unplanned remembers the subscribers whose profiles, or whose channel settings alone, an event sets at its fan-out.
func (p *Planner) Unplanned(environmentID, eventID string, recipients, actor []byte, profilesStored bool) {
	if profilesStored && !bytes.Contains(recipients, channelsKey) && !bytes.Contains(actor, channelsKey) {
		return // without reading them: all others wait meanwhile
	}
	inputs := namedInputs{}
	inputs.addNamed(environmentID, &pgfanout.NamedRow{ID: eventID, Recipients: recipients, Actor: actor})
	if profilesStored {
		maps.DeleteFunc(inputs, func(_ pgsubscriber.SubscriberKey, in *namedInput) bool { return len(in.Channels) == 0 })
	}
	p.waiting.set(inputs, false)
}

// stored remembers what fan-outs have stored.
func (w *waitingProfiles) stored(inputs namedInputs) { w.set(inputs, true) }

func (w *waitingProfiles) set(inputs namedInputs, stored bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key, in := range inputs {
		if in.Bare() {
			continue
		}
		if earlier, _ := w.newest.Get(key); earlier.event < in.newest || stored && earlier.event == in.newest {
			w.newest.Add(key, profileSource{in.newest, stored})
		}
	}
}

func (w *waitingProfiles) includes(key pgsubscriber.SubscriberKey) bool {
	source, ok := w.newest.Get(key)
	return ok && !source.stored
}
