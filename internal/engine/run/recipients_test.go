package run

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// called is the input of a subscriber with a first name.
func called(subscriberID, firstName string) workflow.SubscriberInput {
	in := workflow.SubscriberInput{SubscriberID: subscriberID}
	in.FirstName = workflow.Given(firstName)
	return in
}

func TestNamedInputs(t *testing.T) {
	t.Parallel()
	inputs := namedInputs{}
	own := workflow.SubscriberInput{SubscriberID: "ann", Channels: []workflow.ChannelInput{{ProviderID: "slack"}}}
	inputs.add("env", "2", &own)
	inputs.add("env", "1", new(called("ann", "Ann")))
	inputs.add("env", "3", &workflow.SubscriberInput{SubscriberID: "ann", Channels: []workflow.ChannelInput{{ProviderID: "discord"}}})
	inputs.add("other", "4", new(called("ann", "Anna")))
	inputs.add("env", "5", &workflow.SubscriberInput{SubscriberID: "Bob"})

	ann := inputs[pgsubscriber.SubscriberKey{EnvironmentID: "env", SubscriberID: "ann"}]
	require.Equal(t, "Ann", ann.FirstName.Value, "what a later mention leaves open stays")
	require.Equal(t, "1", ann.by, "the oldest of the events")
	require.Len(t, own.Channels, 1, "the event's own input stays as it is")
	require.Equal(t, []pgsubscriber.SubscriberKey{
		{EnvironmentID: "env", SubscriberID: "Bob"}, {EnvironmentID: "env", SubscriberID: "ann"}, {EnvironmentID: "other", SubscriberID: "ann"},
	}, inputs.sorted(), "in one order for all, so that locks do not cross")
}

func TestNamedInputsOfAnEvent(t *testing.T) {
	t.Parallel()
	s := &EventContext{EventRow: pgfanout.EventRow{
		ID: "1", EnvironmentID: "env", Actor: &workflow.SubscriberInput{SubscriberID: "eve"},
		Recipients: &workflow.Recipients{Direct: []workflow.SubscriberInput{{SubscriberID: "ann"}}},
	}}
	inputs := namedInputs{}
	inputs.addEvent(&s.EventRow)
	inputs.addNamed("env", &pgfanout.NamedRow{ID: "0", Recipients: []byte(`{"direct": [{"subscriberId": "ann"}, {"subscriberId": "bob"}]}`), Actor: []byte(`{"subscriberId": "dan"}`)})
	inputs.addNamed("env", &pgfanout.NamedRow{ID: "9", Recipients: []byte(`[`), Actor: []byte(`{}`)})
	var names []string
	for _, key := range inputs.sorted() {
		names = append(names, key.SubscriberID+" "+inputs[key].by)
	}
	require.Equal(t, []string{"ann 0", "bob 0", "dan 0", "eve 1"}, names, "what cannot be read names no subscriber")
}

func TestChangesOfNamedSubscribers(t *testing.T) {
	t.Parallel()
	known := func(namedBy string) *Recipient {
		r := person("ann")
		r.FirstName = new("Ann")
		if namedBy != "" {
			r.NamedBy = &namedBy
		}
		return r
	}
	bare := workflow.SubscriberInput{SubscriberID: "ann"}
	for _, c := range []struct {
		name  string
		input workflow.SubscriberInput
		who   *Recipient
		want  bool
	}{
		{"New", bare, nil, true},
		{"Known", bare, known("1"), false},
		{"NamedByTheSame", bare, known("5"), false},
		{"NamedByALaterEvent", bare, known("6"), true},
		{"NeverNamed", bare, known(""), true},
		{"Changed", called("ann", "Bea"), known("1"), true},
		{"Repeated", called("ann", "Ann"), known("1"), false},
	} {
		in := namedInput{SubscriberInput: c.input, by: "5"}
		require.Equal(t, c.want, in.changes(c.who), c.name)
	}
}

func TestOverlaySettings(t *testing.T) {
	t.Parallel()
	r := &run{}
	r.overlaySettings([]workflow.ChannelInput{{ProviderID: "fcm", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"a"}}}})
	r.overlaySettings([]workflow.ChannelInput{
		{ProviderID: "fcm", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"b"}}},
		{ProviderID: "fcm", IntegrationIdentifier: "second", Credentials: workflow.ChannelCredentials{DeviceTokens: []string{"c"}}},
	})
	require.Len(t, r.settings, 2)
	require.Equal(t, []string{"a", "b"}, r.settings[0].Credentials.DeviceTokens)
	require.Equal(t, "second", r.settings[1].IntegrationIdentifier)
}

func TestOverlaidRecipient(t *testing.T) {
	t.Parallel()
	r := person("ann")
	in := called("ann", "Ann")
	in.Email = workflow.Optional[string]{Set: true, Null: true}
	in.Data = workflow.Given(map[string]any{"plan": "gold"})
	r.overlay(&in)
	require.Equal(t, map[string]any{
		"_id": "id-ann", "subscriberId": "ann", "firstName": "Ann", "phone": "+4930123456", "data": map[string]any{"plan": "gold"},
	}, r.View(), "a field that is null is cleared")
}

func TestLeftOut(t *testing.T) {
	t.Parallel()
	s := &EventContext{EventRow: pgfanout.EventRow{
		Kind: "trigger", Actor: &workflow.SubscriberInput{SubscriberID: "eve"},
		Recipients: &workflow.Recipients{
			Direct: []workflow.SubscriberInput{{SubscriberID: "ann"}}, Topics: []workflow.TopicRecipient{{TopicKey: "news", Exclude: []string{"bob"}}},
		},
	}}
	require.Equal(t, map[string]bool{"ann": true, "bob": true, "eve": true}, s.leftOut())
	s.Kind, s.Recipients = "broadcast", nil
	require.Empty(t, s.leftOut(), "a broadcast reaches its actor, too")
}

// subscription is a row of a topic's page.
func subscription(subscriberID, identifier string, changes ...func(*pgfanout.PageRow)) pgfanout.PageRow {
	row := pgfanout.PageRow{SubscriberRow: person(subscriberID).SubscriberRow, Subscription: identifier}
	for _, change := range changes {
		change(&row)
	}
	return row
}

func enabled(yes bool) func(*pgfanout.PageRow) { return func(r *pgfanout.PageRow) { r.Enabled = &yes } }

// onText lets events pass whose payload has a text.
func onText(text string) func(*pgfanout.PageRow) {
	return func(r *pgfanout.PageRow) {
		r.Enabled, r.Condition = new(true), map[string]any{"==": []any{map[string]any{"var": "payload.text"}, text}}
	}
}

func TestPassing(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	s := eventOf(e, workflow.Definition{})
	for _, c := range []struct {
		name string
		rows []pgfanout.PageRow
		want []string
	}{
		{"NothingStored", []pgfanout.PageRow{subscription("ann", "a")}, []string{"a"}},
		{"Enabled", []pgfanout.PageRow{subscription("ann", "a", enabled(true))}, []string{"a"}},
		{"Disabled", []pgfanout.PageRow{subscription("ann", "a", enabled(false))}, nil},
		{"ConditionHolds", []pgfanout.PageRow{subscription("ann", "a", onText("hello"))}, []string{"a"}},
		{"ConditionFails", []pgfanout.PageRow{subscription("ann", "a", onText("other"))}, nil},
		{"ConditionDecidesAlsoWhenDisabled", []pgfanout.PageRow{subscription("ann", "a", onText("hello"), enabled(false))}, []string{"a"}},
		{"EmptyConditionBlocks", []pgfanout.PageRow{subscription("ann", "a", enabled(true), func(r *pgfanout.PageRow) { r.Condition = map[string]any{} })}, nil},
		{"OneOfThem", []pgfanout.PageRow{subscription("ann", "a", enabled(false)), subscription("ann", "b")}, []string{"b"}},
	} {
		identifiers, passes := s.passing(person("ann"), c.rows, nil)
		require.Equal(t, c.want, identifiers, c.name)
		require.Equal(t, c.want != nil, passes, c.name)
	}
	s.Kind = "broadcast"
	identifiers, passes := s.passing(person("ann"), []pgfanout.PageRow{subscription("ann", "a", enabled(false))}, nil)
	require.True(t, passes)
	require.Empty(t, identifiers)
}

func TestRunsOfAPage(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	s := eventOf(e, workflow.Definition{})
	level := &workflow.PreferenceLevel{}
	runs := e.newBatch().runsOf(s, []pgfanout.PageRow{
		subscription("ann", "a"), subscription("ann", "b", func(r *pgfanout.PageRow) { r.Workflow = level }), subscription("bob", "a"),
		subscription("dan", "a", enabled(false)),
		subscription("eve", "a", func(r *pgfanout.PageRow) { r.Reached = true }),
		subscription("fay", "a", func(r *pgfanout.PageRow) { r.Gone = true }),
		subscription("gus", "a", func(r *pgfanout.PageRow) { r.Workflow, r.Global = level, level }),
	}, map[string]bool{"bob": true})
	var names []string
	for _, r := range runs {
		names = append(names, fmt.Sprint(r.subscriber.SubscriberID, r.row.Topics, r.own == level, r.global == level))
	}
	require.Equal(t, []string{"ann[a b] false false", "gus[a] true true"}, names)
	require.Equal(t, []any{"event", "version", "normal", workflow.RunPending, noon}, []any{runs[0].row.EventID, runs[0].row.VersionID, runs[0].row.Lane, runs[0].row.Status, runs[0].row.CreatedAt})
	require.NotEqual(t, runs[0].row.ID, runs[1].row.ID)
}

// TestConditionsOfAPage: the subscriptions of one recipient share one budget of steps, and what they take keeps no other recipient out.
func TestConditionsOfAPage(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	s := eventOf(e, workflow.Definition{})
	s.Payload["list"] = make([]any, 100_000)
	list := map[string]any{"var": "list"}
	endless := func(r *pgfanout.PageRow) {
		r.Enabled, r.Condition = new(true), map[string]any{"all": []any{list, map[string]any{"==": []any{1, 1}}}}
	}
	runs := e.newBatch().runsOf(s, []pgfanout.PageRow{
		subscription("ann", "a", endless), subscription("ann", "b", onText("hello")), subscription("ann", "c"), subscription("bob", "a", onText("hello")),
	}, nil)
	require.Len(t, runs, 2)
	require.Equal(t, []string{"c"}, runs[0].row.Topics, "what has no condition needs no steps")
	require.Equal(t, []string{"a"}, runs[1].row.Topics)
}

func TestWholeSubscribers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ page, want string }{
		{"ab", "a"}, {"aabb", "aa"}, {"aab", "aa"}, {"aaa", "aaa"}, {"a", "a"},
	} {
		var rows []pgfanout.PageRow
		for _, id := range c.page {
			rows = append(rows, subscription(string(id), "x"))
		}
		require.Equal(t, rows[:len(c.want)], WholeSubscribers(rows), c.page)
	}
}

func TestAudiences(t *testing.T) {
	t.Parallel()
	topics := func(keys ...string) *workflow.Recipients {
		r := &workflow.Recipients{Direct: []workflow.SubscriberInput{{SubscriberID: "ann"}, {SubscriberID: "bob"}}}
		for _, key := range keys {
			r.Topics = append(r.Topics, workflow.TopicRecipient{TopicKey: key})
		}
		return r
	}
	sized := map[pgfanout.Audience]int{}
	for key, n := range map[string]int{"a": 1, "b": 150, "c": 49, "d": 51} {
		sized[pgfanout.Audience{EnvironmentID: "env", Topic: key, WorkflowID: "workflow"}] = n
	}
	f := &FanOut{newExecutor(t)}
	require.Equal(t, 200, f.smallAudience())
	for _, c := range []struct {
		name string
		ev   pgfanout.EventRow
		runs int
		fits bool
	}{
		{"Direct", pgfanout.EventRow{Recipients: topics()}, 2, true},
		{"NoRecipients", pgfanout.EventRow{}, 0, true},
		{"Small", pgfanout.EventRow{Recipients: topics("a", "b", "c")}, 202, true},
		{"OneTooMany", pgfanout.EventRow{Recipients: topics("b", "d")}, 203, false},
		{"ManyTopics", pgfanout.EventRow{Recipients: topics("a", "a", "a", "a", "a", "a")}, 2, false},
		{"BegunAsAStream", pgfanout.EventRow{Recipients: topics("a"), Checkpoint: &pgfanout.Checkpoint{}}, 2, false},
		{"Broadcast", pgfanout.EventRow{Kind: "broadcast"}, 0, false},
	} {
		c.ev.EnvironmentID, c.ev.WorkflowID = "env", "workflow"
		runs, fits := f.size(&c.ev, sized)
		require.Equal(t, []any{c.runs, c.fits}, []any{runs, fits}, c.name)
	}
	list := distinctAudiences([]pgfanout.EventRow{
		{EnvironmentID: "env", Recipients: topics("a", "b")},
		{EnvironmentID: "env", Recipients: topics("b")},
		{EnvironmentID: "other", Recipients: topics("b")},
		{EnvironmentID: "env", WorkflowID: "workflow", Recipients: topics("b")},
	})
	require.Len(t, list, 4, "each once, by environment, topic and workflow")
}

func TestDivide(t *testing.T) {
	t.Parallel()
	f := &FanOut{newExecutor(t)}
	named := func(id string, n int) pgfanout.EventRow {
		return pgfanout.EventRow{ID: id, Recipients: &workflow.Recipients{Direct: make([]workflow.SubscriberInput, n)}}
	}
	small, streams, left := f.split([]pgfanout.EventRow{
		named("a", runsPerCommit-1), {ID: "news", Kind: "broadcast"}, named("b", 10), named("c", 1), {ID: "more", Kind: "broadcast"},
	}, nil)
	require.Equal(t, []string{"a", "b"}, []string{small[0].ID, small[1].ID})
	require.Len(t, small, 2)
	require.Equal(t, []string{"news", "more"}, streams)
	require.Equal(t, []string{"c"}, left, "the transaction has no room for it")
}

// TestRunsOfAudiences: one run per subscriber, for the first topic that reaches it.
func TestRunsOfAudiences(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	s := eventOf(e, workflow.Definition{})
	s.Recipients = &workflow.Recipients{
		Direct: []workflow.SubscriberInput{{SubscriberID: "ann"}}, Topics: []workflow.TopicRecipient{{TopicKey: "a"}, {TopicKey: "b", Exclude: []string{"dan"}}},
	}
	audience := func(key string) pgfanout.Audience {
		return pgfanout.Audience{EnvironmentID: "env", Topic: key, WorkflowID: "workflow"}
	}
	runs := e.newBatch().runsOfAudiences(s, map[pgfanout.Audience][]pgfanout.PageRow{
		audience("a"): {subscription("ann", "1"), subscription("bob", "1"), subscription("dan", "1")},
		audience("b"): {subscription("bob", "2"), subscription("eve", "2")},
	})
	var names []string
	for _, r := range runs {
		names = append(names, fmt.Sprint(r.subscriber.SubscriberID, r.row.Topics))
	}
	require.Equal(t, []string{"bob[1]", "eve[2]"}, names)
}

func TestBefore(t *testing.T) {
	t.Parallel()
	ids := []string{"65f1a0b1c2d3e4f5a6b7c8d9", "65f1a0b1c2d3e4f5a6b7c8d8"}
	require.Less(t, before(ids[0]), ids[0])
	ids = append(ids, before(ids[1]))
	slices.Sort(ids)
	require.Equal(t, before(ids[1]), ids[0])
	require.Empty(t, before(""))
	require.True(t, named(&pgfanout.Checkpoint{}), "accepted before events were recorded")
	require.False(t, named(&pgfanout.Checkpoint{Named: "a", MaxEventID: "b"}))
	require.True(t, named(&pgfanout.Checkpoint{Named: "b", MaxEventID: "b"}))
}
