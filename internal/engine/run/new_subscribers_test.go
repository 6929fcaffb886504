package run

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// TestCreateMissing: an event is planned before it is stored when it changes no subscriber, its actor included, and what it creates is in the
// subscriber's own row.
func TestCreateMissing(t *testing.T) {
	t.Parallel()
	bare := func(names ...string) *workflow.Recipients {
		r := &workflow.Recipients{}
		for _, n := range names {
			r.Direct = append(r.Direct, workflow.SubscriberInput{SubscriberID: n})
		}
		return r
	}
	with := func(data string) *workflow.Recipients {
		r := bare("cat")
		require.NoError(t, json.Unmarshal([]byte(data), &r.Direct[0].Data))
		return r
	}
	direct := func(in ...workflow.SubscriberInput) *workflow.Recipients { return &workflow.Recipients{Direct: in} }
	reached := bare("cat")
	reached.Direct[0].Channels = []workflow.ChannelInput{{ProviderID: "fcm"}}
	for name, c := range map[string]struct {
		recipients *workflow.Recipients
		actor      *workflow.SubscriberInput
		want       bool
		made       int
	}{
		"known":            {bare("ann", "bob"), nil, true, 0},
		"a known actor":    {bare("ann"), &workflow.SubscriberInput{SubscriberID: "bob"}, true, 0},
		"new":              {bare("ann", "cat"), nil, true, 1},
		"a new actor":      {bare("cat"), &workflow.SubscriberInput{SubscriberID: "dan"}, true, 2},
		"new with a name":  {direct(called("cat", "Cat")), nil, true, 1},
		"new with data":    {with(`{"plan": "pro", "seats": 3}`), nil, true, 1},
		"number in powers": {with(`{"seats": 3e30}`), nil, false, 0},
		"new with channel": {reached, nil, false, 0},
		"changed":          {direct(called("ann", "Ann")), nil, true, 0},
		"a changed actor":  {bare("ann"), new(called("bob", "Bob")), true, 0},
		"none":             {nil, nil, true, 0},
	} {
		known := map[pgsubscriber.SubscriberKey]*Recipient{}
		for _, name := range []string{"ann", "bob"} {
			known[pgsubscriber.SubscriberKey{EnvironmentID: "env", SubscriberID: name}] = person(name)
		}
		p := NewPlanner(newExecutor(t))
		planOf := func() *planned {
			own := &planned{event: eventOf(p.Executor, workflow.Definition{})}
			own.event.Recipients, own.event.Actor = c.recipients, c.actor
			named, ok := p.prepareNamed(own, known, map[pgsubscriber.SubscriberKey]bool{})
			require.Equal(t, c.want, ok, name)
			for _, n := range own.created {
				require.True(t, !ok || named[n.write.Key()] == n.recipient, name)
			}
			require.Equal(t, c.made > 0, own.Assumed(), name)
			require.Len(t, own.created, c.made, name)
			return own
		}
		first, second := planOf(), planOf()
		require.ElementsMatch(t, first.created, second.created, "%s: both make the same", name)
		for _, n := range first.created {
			require.Equal(t, n.recipient.ID, n.write.ID, name)
		}
	}
}

// TestNewSubscriberOfSeveralEvents: events side by side make one subscriber as long as they say the same; another is made once one was found.
func TestNewSubscriberOfSeveralEvents(t *testing.T) {
	t.Parallel()
	n := makeNewSubscribers()
	key := pgsubscriber.SubscriberKey{EnvironmentID: "env", SubscriberID: "cat"}
	made := n.of(key, &namedInput{SubscriberInput: called("cat", "Cat"), by: "event"})
	require.Equal(t, "Cat", made.recipient.View()["firstName"])
	require.Same(t, made, n.of(key, &namedInput{SubscriberInput: called("cat", "Cat"), by: "another"}))
	require.Nil(t, n.of(key, &namedInput{SubscriberInput: called("cat", "Tom"), by: "another"}))
	require.Nil(t, n.of(key, &namedInput{SubscriberInput: workflow.SubscriberInput{SubscriberID: "cat"}, by: "another"}))
	n.forget("another")
	require.Same(t, made, n.of(key, &namedInput{SubscriberInput: called("cat", "Cat"), by: "another"}), "of another environment")
	n.forget("env")
	tom := n.of(key, &namedInput{SubscriberInput: called("cat", "Tom"), by: "another"})
	require.NotEqual(t, made.write.ID, tom.write.ID)
	tom.made = tom.made.Add(-newSubscribersFor - time.Nanosecond)
	require.NotEqual(t, tom.write.ID, n.of(key, &namedInput{SubscriberInput: called("cat", "Cat"), by: "another"}).write.ID, "after a while")
}

// TestChangedSubscribers: an event that changes a subscriber is planned with the profile as it leaves it, and leaves what is known of the
// subscriber as it is. Another event of the same batch that names them is not planned.
func TestChangedSubscribers(t *testing.T) {
	t.Parallel()
	p := NewPlanner(newExecutor(t))
	key := pgsubscriber.SubscriberKey{EnvironmentID: "env", SubscriberID: "ann"}
	row := pgsubscriber.SubscriberRow{ID: "id", EnvironmentID: "env", SubscriberID: "ann", Data: []byte(`{"a": 1}`)}
	row.FirstName, row.LastName = new("Ann"), new("Lee")
	found := map[pgsubscriber.SubscriberKey]*Recipient{key: {SubscriberRow: row}}
	changed := map[pgsubscriber.SubscriberKey]bool{}
	planOf := func(input workflow.SubscriberInput) (*planned, map[pgsubscriber.SubscriberKey]*Recipient, bool) {
		own := &planned{event: eventOf(p.Executor, workflow.Definition{})}
		own.event.Recipients = &workflow.Recipients{Direct: []workflow.SubscriberInput{input}}
		named, ok := p.prepareNamed(own, found, changed)
		return own, named, ok
	}
	bare := workflow.SubscriberInput{SubscriberID: "ann"}
	_, named, ok := planOf(bare)
	require.True(t, ok)
	require.Same(t, found[key], named[key])
	input := bare
	input.FirstName, input.Data = workflow.Given("Bea"), workflow.Given(map[string]any{"b": 2})
	own, named, ok := planOf(input)
	require.True(t, ok)
	require.Equal(t, []*workflow.SubscriberInput{&input}, own.changed)
	require.Equal(t, []any{"id", "Bea", "Lee", `{"b":2}`}, []any{named[key].ID, *named[key].FirstName, *named[key].LastName, string(named[key].Data)})
	require.Equal(t, "Ann", *found[key].FirstName)
	_, _, ok = planOf(bare)
	require.False(t, ok, "its order to the change is that of the fan-out")
}
