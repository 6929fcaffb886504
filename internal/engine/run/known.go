package run

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/carillon/carillon/internal/engine/definition"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// known is what planning has lately read of environments, recipients and API keys, so that the next event to a recipient is planned
// without a look at the database. The commit of what was planned verifies the prints, and the versions of the environments; one that is not
// as it was known undoes it.
type known struct {
	// environments are those whose integrations are all well. Of their configurations only the versions are kept here.
	environments *expirable.LRU[string, *pgrun.EnvironmentRow]
	people       *expirable.LRU[pgrun.PersonKey, *knownPerson]
	keys         *expirable.LRU[string, *pgaccess.FoundKey]
	// changed is when plans last changed subscribers: what was read of one before is not used, under none of the keys of its workflows.
	changed *expirable.LRU[pgsubscriber.SubscriberKey, time.Time]
	mu      sync.Mutex   // over adding people
	bytes   atomic.Int64 // of the people, about
}

// knownPerson is a recipient with what belongs to it. It is shared, and never changed.
type knownPerson struct {
	recipient *Recipient
	personal  pgrun.Personal
	print     string
	read      time.Time // before it was
}

const (
	// knownFor is how long something is known; a process without work keeps nothing for longer.
	knownFor          = 5 * time.Minute
	knownEnvironments = 256
	knownPeople       = 16_384
	knownKeys         = 1_024
	// maxPeopleBytes bounds the memory of the people.
	maxPeopleBytes = 16 << 20
	// maxKnownBytes bounds the data of a subscriber that is kept.
	maxKnownBytes = 1 << 10
	// maxKnownRows bounds the channel settings and endpoints of a subscriber that are kept.
	maxKnownRows = 5
)

func newKnown() *known {
	k := &known{
		environments: expirable.NewLRU[string, *pgrun.EnvironmentRow](knownEnvironments, nil, knownFor),
		keys:         expirable.NewLRU[string, *pgaccess.FoundKey](knownKeys, nil, knownFor),
		changed:      expirable.NewLRU[pgsubscriber.SubscriberKey, time.Time](knownPeople, nil, knownFor),
	}
	k.people = expirable.NewLRU(knownPeople, func(_ pgrun.PersonKey, p *knownPerson) { k.bytes.Add(-p.bytes()) }, knownFor)
	return k
}

// bytes are about those that the person takes, as measured: most of them are the decoded view, which has some 11 for each of the data.
func (p *knownPerson) bytes() int64 {
	return int64(1_400 + 11*len(p.recipient.Data) + 2_000*(len(p.personal.Settings)+len(p.personal.Endpoints)) + 300*len(p.personal.Preferences))
}

// keep replaces what is known of a person; nil forgets it. Where all would take too much memory, those that were not used for longest go.
func (k *known) keep(key pgrun.PersonKey, p *knownPerson) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.people.Remove(key) // Add would replace them uncounted
	if p == nil {
		return
	}
	k.bytes.Add(p.bytes())
	for more := true; more && k.bytes.Load() > maxPeopleBytes; {
		_, _, more = k.people.RemoveOldest()
	}
	k.people.Add(key, p)
}

// forget forgets a subscriber who is changed now.
func (k *known) forget(key pgsubscriber.SubscriberKey) { k.changed.Add(key, time.Now()) }

// get is what is known of a person and was read since a plan last changed it; nil when nothing is.
func (k *known) get(key pgrun.PersonKey) *knownPerson {
	found, ok := k.people.Get(key)
	if !ok {
		return nil
	}
	if at, ok := k.changed.Peek(pgsubscriber.SubscriberKey{EnvironmentID: key.EnvironmentID, SubscriberID: key.SubscriberID}); ok && !found.read.After(at) {
		return nil
	}
	return found
}

// add keeps what was read with its prints, instead of what was known of the same. The reading began at read.
func (k *known) add(snapshot *pgrun.Snapshot, prints *pgrun.Prints, keys []*pgaccess.KeyCheck, read time.Time) {
	for _, environmentID := range prints.Environments {
		k.environments.Remove(environmentID)
		if row := snapshot.Environments[environmentID]; row != nil && !snapshot.Unwell(environmentID) {
			bare := *row
			bare.Configuration = pgrun.Configuration{Version: row.Version}
			k.environments.Add(environmentID, &bare)
		}
	}
	rows := map[pgsubscriber.SubscriberKey]*pgsubscriber.SubscriberRow{}
	for i := range snapshot.Subscribers {
		s := &snapshot.Subscribers[i]
		rows[pgsubscriber.SubscriberKey{EnvironmentID: s.EnvironmentID, SubscriberID: s.SubscriberID}] = s
	}
	for i := range prints.People {
		p := &prints.People[i]
		person := newKnownPerson(rows[pgsubscriber.SubscriberKey{EnvironmentID: p.EnvironmentID, SubscriberID: p.SubscriberID}], p, &snapshot.Personal)
		if person != nil {
			person.read = read
		}
		k.keep(p.PersonKey, person)
	}
	for _, c := range keys {
		k.keys.Remove(string(c.Hash))
		if found := c.Found(); found != nil && found.EnvironmentID != "" { // what others are has no version that a commit could verify
			k.keys.Add(string(c.Hash), found)
		}
	}
}

// newKnownPerson returns nil for a recipient who does not exist, or with whom too much would be kept.
func newKnownPerson(row *pgsubscriber.SubscriberRow, p *pgrun.PersonPrint, all *pgrun.Personal) *knownPerson {
	if row == nil || p.Print == "" || len(row.Data) > maxKnownBytes {
		return nil
	}
	person := &knownPerson{recipient: &Recipient{SubscriberRow: *row}, personal: all.Of(row.ID, &p.PersonKey), print: p.Print}
	if len(person.personal.Settings)+len(person.personal.Endpoints) > maxKnownRows {
		return nil
	}
	person.recipient.View() // decoded here, because events side by side share it
	return person
}

// recall returns what is known of everything that events and their requests depend on, and sets the prints that the commit has to
// verify; nil when something is not known, or is from a time at which the environment had another version. The keys are then assumed to
// be what they were.
func (k *known) recall(prints *pgrun.Prints, keys []*pgaccess.KeyCheck) *surroundings {
	s := &surroundings{
		snapshot:   &pgrun.Snapshot{Environments: map[string]*pgrun.EnvironmentRow{}},
		recipients: map[pgsubscriber.SubscriberKey]*Recipient{}, people: map[pgrun.PersonKey]*knownPerson{}, prints: prints,
	}
	for _, environmentID := range prints.Environments {
		found, ok := k.environments.Get(environmentID)
		if !ok {
			return nil
		}
		row := *found // its configuration is added for each plan
		s.snapshot.Environments[environmentID] = &row
	}
	for i := range prints.People {
		p := &prints.People[i]
		found := k.get(p.PersonKey)
		if found == nil {
			return nil
		}
		s.recipients[pgsubscriber.SubscriberKey{EnvironmentID: p.EnvironmentID, SubscriberID: p.SubscriberID}] = found.recipient
		s.people[p.PersonKey], p.Print = found, found.print
	}
	found := make([]*pgaccess.FoundKey, len(keys))
	for i, c := range keys {
		var ok bool
		if found[i], ok = k.keys.Get(string(c.Hash)); !ok {
			return nil
		}
		if e := s.snapshot.Environments[found[i].EnvironmentID]; e != nil && e.Version != found[i].Configuration {
			return nil
		}
	}
	for i, c := range keys {
		c.Assume(found[i])
	}
	return s
}

// printsOf names the prints that the plans of events rest on, which follow the definitions.
func printsOf(events []pgfanout.EventRow, definitions []*definition.Published) *pgrun.Prints {
	prints := &pgrun.Prints{}
	for i := range events {
		ev := &events[i]
		prints.Environments = append(prints.Environments, ev.EnvironmentID)
		for k := range ev.Recipients.Direct {
			prints.People = append(prints.People, pgrun.PersonPrint{PersonKey: definitions[i].PersonKey(ev, ev.Recipients.Direct[k].SubscriberID)})
		}
		if ev.Actor != nil { // of whom only the profile is wanted
			prints.People = append(prints.People, pgrun.PersonPrint{PersonKey: pgrun.PersonKey{EnvironmentID: ev.EnvironmentID, SubscriberID: ev.Actor.SubscriberID}})
		}
	}
	prints.Compact()
	return prints
}
