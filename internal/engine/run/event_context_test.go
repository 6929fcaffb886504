package run

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// TestEventOf: an accepted event is read as fan-out would read it, numbers with all their digits.
func TestEventOf(t *testing.T) {
	t.Parallel()
	ev, err := EventOf(&pgaccept.AcceptedEvent{
		ID: "event", EnvironmentID: "env", TransactionID: "txn", WorkflowID: "workflow", VersionID: "version", Kind: "trigger", Lane: "bulk",
		Payload: `{"n":12345678901234567890}`, Recipients: `{"direct":[{"subscriberId":"ann"}]}`, Actor: `{"subscriberId":"bob"}`,
		Contexts: []workflow.ContextRef{{Type: "team", ID: "b"}, {Type: "app", ID: "a"}},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"event", "env", "txn", "workflow", "version", "trigger", "bulk"},
		[]string{ev.ID, ev.EnvironmentID, ev.TransactionID, ev.WorkflowID, ev.VersionID, ev.Kind, ev.Lane})
	require.Equal(t, map[string]any{"n": json.Number("12345678901234567890")}, ev.Payload)
	require.Equal(t, "ann", ev.Recipients.Direct[0].SubscriberID)
	require.Equal(t, "bob", ev.Actor.SubscriberID)
	require.ElementsMatch(t, []string{"team:b", "app:a"}, ev.ContextKeys)
	require.True(t, ev.WorkflowActive)
	require.Empty(t, ev.Overrides)

	for name, broken := range map[string]pgaccept.AcceptedEvent{
		"payload": {Payload: `{`}, "overrides": {Overrides: `[]`}, "recipients": {Recipients: `"x"`}, "actor": {Actor: `5`},
	} {
		_, err := EventOf(&broken)
		require.ErrorContains(t, err, "read an accepted event", name)
	}
}

// TestRecipientView: texts that are not set are absent, and data that is no object does not fail the view.
func TestRecipientView(t *testing.T) {
	t.Parallel()
	ann := person("ann")
	ann.Data = json.RawMessage(`{"size":1.50}`)
	view := ann.View()
	require.Equal(t, map[string]any{
		"_id": "id-ann", "subscriberId": "ann", "email": "ann@example.com", "phone": "+4930123456", "data": map[string]any{"size": 1.5},
	}, view)
	view["seen"] = true
	require.Contains(t, ann.View(), "seen", "it is decoded once")

	for _, data := range []string{``, `null`, `[1]`, `{`} {
		bob := person("bob")
		bob.Data = json.RawMessage(data)
		require.NotContains(t, bob.View(), "data", data)
	}
}

// TestOverlayOfATenant: a tenant given as an object shows what the event gives, and what is stored where it gives nothing.
func TestOverlayOfATenant(t *testing.T) {
	t.Parallel()
	stored := map[string]any{"identifier": "acme", "name": "Acme", "data": map[string]any{"plan": "free"}}
	for name, c := range map[string]struct {
		given *workflow.TenantInput
		want  map[string]any
	}{
		"None":       {nil, stored},
		"Identifier": {&workflow.TenantInput{Identifier: "acme", Name: new("Other")}, stored},
		"Object":     {&workflow.TenantInput{Identifier: "acme", Inline: true}, stored},
		"Name": {
			&workflow.TenantInput{Identifier: "acme", Inline: true, Name: new("Acme Inc")},
			map[string]any{"identifier": "acme", "name": "Acme Inc", "data": map[string]any{"plan": "free"}},
		},
		"Data": {
			&workflow.TenantInput{Identifier: "acme", Inline: true, Data: map[string]any{"plan": "paid"}},
			map[string]any{"identifier": "acme", "name": "Acme", "data": map[string]any{"plan": "paid"}},
		},
	} {
		s := &EventContext{tenant: stored}
		s.overlayTenant(c.given)
		require.Equal(t, c.want, s.tenant, name)
	}
	s := &EventContext{}
	s.overlayTenant(&workflow.TenantInput{Identifier: "new", Inline: true})
	require.Equal(t, map[string]any{"identifier": "new", "name": nil, "data": nil}, s.tenant, "a tenant that the event creates")
}

// TestOverlayOfContexts: only a context that is not stored takes the data that the event brings.
func TestOverlayOfContexts(t *testing.T) {
	t.Parallel()
	data := func(owner string) map[string]any { return map[string]any{"owner": owner} }
	for name, c := range map[string]struct {
		stored  bool
		present map[string]any
		given   []workflow.ContextRef
		want    map[string]any
	}{
		"New":           {false, nil, []workflow.ContextRef{{Type: "team", ID: "a", Data: data("ann")}}, data("ann")},
		"NewWithout":    {false, nil, []workflow.ContextRef{{Type: "team", ID: "a"}}, nil},
		"Stored":        {true, data("bob"), []workflow.ContextRef{{Type: "team", ID: "a", Data: data("ann")}}, data("bob")},
		"StoredWithout": {true, nil, []workflow.ContextRef{{Type: "team", ID: "a", Data: data("ann")}}, nil},
		"OtherType":     {false, nil, []workflow.ContextRef{{Type: "app", ID: "a", Data: data("ann")}}, nil},
	} {
		s := &EventContext{
			contexts:       workflow.ContextView([]workflow.ContextRef{{Type: "team", ID: "a", Data: c.present}}, true),
			storedContexts: map[string]bool{"team:a": c.stored},
		}
		s.overlayContexts(c.given)
		team, _ := s.contexts["team"].(map[string]any)
		got, _ := team["data"].(map[string]any)
		require.Equal(t, c.want, got, name)
	}
}

// TestSafeLink: of stored URLs none is sent that a device must not load.
func TestSafeLink(t *testing.T) {
	t.Parallel()
	require.Equal(t, "https://example.com/a.png", safeLink("https://example.com/a.png"))
	require.Empty(t, safeLink("javascript:alert(1)"))
	require.Empty(t, safeLink(""))
}

// TestStateOfASuspendedRun: what a run keeps while it waits is there when it continues, and its trace begins anew.
func TestStateOfASuspendedRun(t *testing.T) {
	t.Parallel()
	until := minute(5)
	before := &run{
		httpStep: &httpStepState{StepID: "ask", Attempt: 2, Since: noon, Until: &until},
		digest:   &digestState{StepID: "second", ID: "w2", Early: []string{"a"}, Shown: 3}, earlier: []digestState{{StepID: "first", ID: "w1", Closed: true}},
	}
	saved := before.state(map[string]plan.StepResult{"a": {Sent: true}})
	saved.Awaiting, saved.Waited = "a", &plan.Waited{StepID: "wait", Type: workflow.StepDelay, Extended: 1}
	raw, err := json.Marshal(saved)
	require.NoError(t, err)

	r := &run{row: pgrun.NotificationRow{State: raw, Status: workflow.RunWaiting, Trace: []workflow.TraceEntry{{Detail: "stored"}}}}
	r.restoreState()
	require.Equal(t, before.httpStep, r.httpStep)
	require.Equal(t, before.digests(), r.digests())
	require.Equal(t, []digestState{{StepID: "first", ID: "w1", Closed: true}, *before.digest}, r.digests(), "in the order in which it came to them")
	require.Equal(t, map[string]plan.StepResult{"a": {Sent: true}}, r.results)
	require.Equal(t, []any{"a", saved.Waited}, []any{r.awaiting, r.waited})
	require.Empty(t, r.row.Trace)
	require.True(t, r.stored)
	require.Equal(t, workflow.RunWaiting, r.before)

	for _, broken := range []string{"", "{", "[]"} {
		r = &run{row: pgrun.NotificationRow{State: json.RawMessage(broken), Status: workflow.RunPending}}
		r.restoreState()
		require.Nil(t, r.results, broken)
		require.True(t, r.stored, broken)
	}
}

// TestInstantsOfARun: a run that begins came to its first step when its event was accepted, one that continues when its wait
// ended, and neither lies ahead of the clock.
func TestInstantsOfARun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stored       bool
		created, due int // minutes
		entered, at  int
	}{
		"New":          {false, -5, -3, -5, 0},
		"NewFromAhead": {false, 5, -3, 0, 0},
		"Continues":    {true, -5, -3, 0, -3},
		"DueAhead":     {true, -5, 3, 0, 0},
	} {
		s := &EventContext{now: noon}
		s.CreatedAt = minute(c.created)
		r := &run{event: s, stored: c.stored, row: pgrun.NotificationRow{DueAt: new(minute(c.due))}}
		require.Equal(t, minute(c.entered), r.enteredAt(), name)
		require.Equal(t, minute(c.at), r.due(), name)
	}
	require.Equal(t, noon, (&run{event: &EventContext{now: noon}, stored: true}).due(), "a run without a due time")
	require.Equal(t, noon, (&run{event: &EventContext{now: noon}}).enteredAt(), "an event without an instant")
}

// TestChannelViews: channel settings are shown as the API shows them, names that they lack left out.
func TestChannelViews(t *testing.T) {
	t.Parallel()
	credentials := workflow.ChannelCredentials{DeviceTokens: []string{"t"}}
	require.Equal(t, []any{
		map[string]any{"providerId": "fcm", "credentials": credentials},
		map[string]any{"providerId": "slack", "credentials": workflow.ChannelCredentials{}, "integrationIdentifier": "own", "_integrationId": "i1"},
	}, channelViews([]plan.ChannelSetting{
		{ProviderID: "fcm", Credentials: credentials}, {ProviderID: "slack", IntegrationIdentifier: "own", IntegrationID: "i1"},
	}))
	require.Empty(t, channelViews(nil))
}

// TestStepsThatAreLeftOut: a run that ends before its last step says why of each step that it does not come to.
func TestStepsThatAreLeftOut(t *testing.T) {
	t.Parallel()
	for status, want := range map[workflow.RunStatus][]string{
		workflow.RunMerged:    {"b merged", "c merged"},
		workflow.RunSkipped:   {"b merged", "c merged"},
		workflow.RunCancelled: nil,
	} {
		e := newExecutor(t)
		b := e.newBatch()
		r := b.newRun(eventOf(e, workflow.Definition{Steps: []workflow.Step{inApp("a", "x"), inApp("b", "x"), mail("c")}}), person("ann"))
		r.plan = plan.NewRun(b.input(r))
		steps := r.event.definition.Definition.Steps
		r.traceLeftOut(&plan.Decision{Kind: plan.DecideStop, Status: status, Step: &steps[0], Position: 1, Reason: workflow.ReasonMerged})
		require.Equal(t, want, reasons(r), status)
	}
}
