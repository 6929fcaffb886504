package run

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

func TestRunThroughItsSteps(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	b := e.newBatch()
	broken := inApp("broken", "{{ payload.text | nofilter }}")
	s := eventOf(e, workflow.Definition{Steps: []workflow.Step{inApp("bell", "{{payload.text}}"), broken, mail("mail"), {
		ID: "s-wait", StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 5, Unit: workflow.UnitMinutes},
	}}})
	r := b.newRun(s, person("ann"))
	b.advance(t.Context(), r)
	require.Equal(t, []string{"bell sent", "broken render_failed", "mail queued", "wait waiting"}, reasons(r))
	require.Equal(t, []int{1, 1, 1}, []int{r.sent, r.failed, r.queued})
	require.Equal(t, []any{workflow.RunWaiting, minute(5)}, []any{r.row.Status, *r.row.DueAt})
	require.Len(t, b.messages, 2)
	require.Equal(t, []batchMessage{{0, r}}, b.inbox)
	require.Equal(t, 1, b.sends[0].message)

	again := &run{event: s, subscriber: r.subscriber, row: r.row}
	again.restoreState()
	require.Equal(t, map[string]plan.StepResult{"bell": {Sent: true}, "broken": {Failed: true}, "mail": {Pending: true}}, again.results)
	require.Equal(t, &plan.Waited{StepID: "wait", Type: workflow.StepDelay}, again.waited)
	require.True(t, again.stored)
	require.Equal(t, workflow.RunWaiting, again.before)
	require.Empty(t, again.row.Trace, "only what is new is written")

	again.applyOutcome(pgmessage.StepOutcome{StepID: "mail", Pending: true, Sent: true})
	require.Equal(t, plan.StepResult{Sent: true}, again.results["mail"], "one of its messages has gone out")
	again.applyOutcome(pgmessage.StepOutcome{StepID: "mail", Pending: true})
	require.Equal(t, plan.StepResult{Pending: true}, again.results["mail"])
	again.applyOutcome(pgmessage.StepOutcome{StepID: "bell", Sent: true, Seen: true, Read: true})
	require.Equal(t, plan.StepResult{Sent: true, Seen: true, Read: true}, again.results["bell"])
}

func TestRunEndsWithItsLastMessage(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	b := e.newBatch()
	mailed := b.newRun(eventOf(e, workflow.Definition{Steps: []workflow.Step{mail("mail")}}), person("ann"))
	b.advance(t.Context(), mailed)
	require.Equal(t, workflow.RunPending, mailed.row.Status, "its mail is still under way")
	require.Nil(t, mailed.row.FinishedAt)
	rung := b.newRun(eventOf(e, workflow.Definition{Steps: []workflow.Step{inApp("bell", "x")}}), person("ann"))
	b.advance(t.Context(), rung)
	require.Equal(t, workflow.RunCompleted, rung.row.Status)
	require.Equal(t, noon, *rung.row.FinishedAt)
	require.Equal(t, workflow.ReasonCompleted, rung.row.Trace[1].Reason)
	require.Nil(t, rung.row.Trace[1].Data, "no counts, since they would be those of what it did since its last wait")
}

func TestContentIsRenderedOncePerEvent(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	b := e.newBatch()
	s := eventOf(e, workflow.Definition{Steps: []workflow.Step{inApp("same", "{{payload.text}}"), inApp("own", "{{subscriber.subscriberId}}")}})
	for _, name := range []string{"ann", "bob"} {
		b.advance(t.Context(), b.newRun(s, person(name)))
	}
	require.Contains(t, s.rendered, "same")
	require.NotContains(t, s.rendered, "own")
	require.JSONEq(t, `{"text": "bob"}`, string(b.messages[3].Content))
	require.Equal(t, "id-bob", b.messages[3].SubscriberID)
}

func TestLayout(t *testing.T) {
	t.Parallel()
	s := &EventContext{env: &pgrun.EnvironmentRow{Configuration: pgrun.Configuration{Layouts: []pgrun.LayoutRow{{Identifier: "plain", Content: "P"}, {Identifier: "main", Content: "M", Default: true}}}}}
	for _, c := range []struct {
		name string
		step workflow.EmailControls
		over workflow.Optional[string]
		want string
		err  string
	}{
		{"Default", workflow.EmailControls{}, workflow.Optional[string]{}, "M", ""},
		{"Steps", workflow.EmailControls{LayoutID: "plain"}, workflow.Optional[string]{}, "P", ""},
		{"None", workflow.EmailControls{NoLayout: true}, workflow.Optional[string]{}, "", ""},
		{"Overridden", workflow.EmailControls{LayoutID: "plain"}, workflow.Given("main"), "M", ""},
		{"OverriddenNone", workflow.EmailControls{NoLayout: true}, workflow.Given("main"), "M", ""},
		{"SwitchedOff", workflow.EmailControls{LayoutID: "plain"}, workflow.Optional[string]{Set: true, Null: true}, "", ""},
		{"Unknown", workflow.EmailControls{LayoutID: "gone"}, workflow.Optional[string]{}, "", `there is no layout "gone"`},
	} {
		got, err := s.layout(&c.step, c.over)
		require.Equal(t, c.want, got, c.name)
		if c.err == "" {
			require.NoError(t, err, c.name)
		} else {
			require.EqualError(t, err, c.err, c.name)
		}
	}
	s.env.Layouts = nil
	got, err := s.layout(&workflow.EmailControls{}, workflow.Optional[string]{})
	require.NoError(t, err)
	require.Empty(t, got, "an environment need not have a default")
}

func TestMessage(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	s := eventOf(e, workflow.Definition{})
	s.severity, s.tags = workflow.SeverityHigh, []string{"news"}
	r := e.newBatch().newRun(s, person("ann"))
	step := workflow.Step{StepID: "text", Type: workflow.StepSMS, DeadlineSeconds: 60, UnknownOutcome: workflow.UnknownStop}
	target := plan.Target{Key: "phone", IntegrationID: "sms", ProviderID: "vendor-sms", Alternatives: []string{"b"}, Phone: "+4930123456"}
	m := r.message("id", &plan.Decision{Step: &step, Channel: workflow.ChannelSMS}, &target, &content{body: []byte(`{}`)})
	require.Equal(t, []any{workflow.MessagePending, noon, minute(1), "+4930123456", "normal"}, []any{m.Status, *m.DueAt, *m.DeadlineAt, *m.Phone, m.Lane})
	require.Equal(t, []any{workflow.SeverityHigh, []string{"news"}}, []any{m.Severity, m.Tags})
	var env state.Envelope
	require.NoError(t, json.Unmarshal(m.Envelope, &env))
	require.Equal(t, state.Envelope{Phone: "+4930123456", Alternatives: []string{"b"}, Unknown: workflow.UnknownStop}, env)

	registry, err := provider.NewRegistry()
	require.NoError(t, err)
	for deadline, want := range map[string]time.Time{"2025-03-01T12:00:30Z": noon.Add(30 * time.Second), "2025-03-01T13:00:00Z": minute(1)} {
		var problems fault.Problems
		s.overrides = workflow.ParseOverrides(&problems, "overrides", map[string]any{"deadline": deadline}, registry)
		require.NoError(t, problems.Err())
		m = r.message("id", &plan.Decision{Step: &step, Channel: workflow.ChannelSMS}, &target, &content{body: []byte(`{}`)})
		require.Equal(t, want, m.DeadlineAt.UTC(), "the earlier one of the trigger's and the step's")
	}
	s.overrides = nil

	bell := inApp("bell", "x")
	m = r.message("id", &plan.Decision{Step: &bell, Channel: workflow.ChannelInApp}, &plan.Target{}, &content{feedID: "feed"})
	require.Equal(t, []any{workflow.MessageSent, "feed"}, []any{m.Status, m.FeedID})
	require.Nil(t, m.DueAt)
	require.Nil(t, m.Envelope)

	r.stored, r.row.DueAt = true, new(minute(-3))
	require.Equal(t, minute(-3), r.due(), "however late it was taken up")
	r.row.DueAt = new(minute(3))
	require.Equal(t, noon, r.due())

	r.settings = []plan.ChannelSetting{{ProviderID: "slack", IntegrationIdentifier: "own", IntegrationID: "i"}, {ProviderID: "fcm"}}
	r.collected = &plan.Collected{Total: 2}
	push := workflow.Step{StepID: "push", Type: workflow.StepPush}
	m = r.message("id", &plan.Decision{Step: &push, Channel: workflow.ChannelPush}, &plan.Target{ProviderID: pushWebhook, DeviceToken: "t"}, &content{})
	env = state.Envelope{}
	require.NoError(t, json.Unmarshal(m.Envelope, &env))
	require.Equal(t, []string{"t"}, m.DeviceTokens)
	require.Equal(t, true, env.Step["digest"])
	require.Equal(t, "own", env.Channels[0].(map[string]any)["integrationIdentifier"])
	require.NotContains(t, env.Channels[1], "integrationIdentifier")
}

func TestTriggeredEvent(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	step := workflow.Step{ID: "s-go", StepID: "go", Type: workflow.StepTrigger, Trigger: &workflow.TriggerControls{
		Workflow: "other", Payload: map[string]any{"said": "{{payload.text}}"},
	}}
	s := eventOf(e, workflow.Definition{Steps: []workflow.Step{step}})
	s.Actor, s.tenant, s.ContextKeys = &workflow.SubscriberInput{SubscriberID: "eve"}, map[string]any{"identifier": "acme"}, []string{"project:7"}
	s.TenantID = "t"
	b := e.newBatch()
	r := b.newRun(s, person("ann"))
	r.row.ID, r.plan = "run", plan.NewRun(b.input(r))
	item, err := e.triggered(t.Context(), r, &step)
	require.NoError(t, err)
	require.Equal(t, accept.Acceptance{
		EnvironmentID: "env", Kind: "trigger", Workflow: "other", Generated: true, Reachable: true, TransactionID: "txn_run_s-go",
		Payload: []byte(`{"said":"hello"}`), Recipients: []byte(`{"direct":[{"subscriberId":"ann"}],"depth":1}`), Actor: []byte(`{"subscriberId":"eve"}`),
		Tenant: &workflow.TenantInput{Identifier: "acme"}, Contexts: []workflow.ContextRef{{Type: "project", ID: "7"}},
	}, item)
	s.Recipients = &workflow.Recipients{Depth: maxDepth - 1}
	_, err = e.triggered(t.Context(), r, &step)
	require.NoError(t, err)
	s.Recipients.Depth = maxDepth
	_, err = e.triggered(t.Context(), r, &step)
	require.ErrorContains(t, err, "more than 5 workflows")
	_, err = e.triggered(t.Context(), r, &workflow.Step{})
	require.ErrorContains(t, err, "names no workflow")
}

func TestChangeOfAnEvent(t *testing.T) {
	t.Parallel()
	s := eventOf(newExecutor(t), workflow.Definition{})
	s.Recipients = &workflow.Recipients{Invalid: []workflow.InvalidRecipient{{Path: "to[1]", Reason: "is no subscriber"}}}
	c := s.change(7, nil, time.Hour)
	require.Equal(t, []any{"fanned_out", 7, "to[1]: is no subscriber"}, []any{c.Status, c.Notified, c.Trace[0].Detail})
	require.Nil(t, c.DueAt)
	more := &pgfanout.Checkpoint{Started: true}
	c = s.change(7, more, time.Hour)
	require.Equal(t, "accepted", c.Status, "a stream follows")
	require.Same(t, more, c.Checkpoint)
	require.InDelta(t, time.Hour.Seconds(), time.Until(*c.DueAt).Seconds(), 60, "the lease of whoever streams it")
}

func TestIncludedBatches(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	whole := e.newBatch()
	for _, name := range []string{"ann", "bob"} {
		b := e.newBatch()
		b.advance(t.Context(), b.newRun(eventOf(e, workflow.Definition{Steps: []workflow.Step{mail("mail"), inApp("bell", "x")}}), person(name)))
		whole.include(b)
	}
	require.Len(t, whole.runs, 2)
	require.Equal(t, []batchMessage{{1, whole.runs[0]}, {3, whole.runs[1]}}, whole.inbox)
	require.Equal(t, []int{0, 2}, []int{whole.sends[0].message, whole.sends[1].message})
	deltas := whole.inboxDeltas()
	require.Equal(t, []any{"id-ann", 1, 1, 1}, []any{deltas[0].SubscriberID, deltas[0].Total, deltas[0].Unread, deltas[0].Unseen})
	require.Equal(t, "id-bob", deltas[1].SubscriberID)
}

// TestReplyToOfAMail: overrides come before the step's own address for replies, as a header too.
func TestReplyToOfAMail(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	registry, err := provider.NewRegistry()
	require.NoError(t, err)
	for _, c := range []struct {
		over map[string]any
		want string
	}{
		{nil, "step@example.com"},
		{map[string]any{"headers": map[string]any{"reply-to": "header@example.com"}}, "header@example.com"},
		{map[string]any{"replyTo": "field@example.com", "headers": map[string]any{"Reply-To": "header@example.com"}}, "field@example.com"},
	} {
		s := eventOf(e, workflow.Definition{Steps: []workflow.Step{{
			StepID: "mail", Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: "s", HTML: "x", ReplyTo: "step@example.com"},
		}}})
		var problems fault.Problems
		if c.over != nil {
			s.overrides = workflow.ParseOverrides(&problems, "overrides", map[string]any{"email": c.over}, registry)
			require.NoError(t, problems.Err())
		}
		b := e.newBatch()
		b.advance(t.Context(), b.newRun(s, person("ann")))
		var env state.Envelope
		require.NoError(t, json.Unmarshal(b.messages[0].Envelope, &env))
		require.Equal(t, c.want, env.Mail.ReplyTo)
	}
}
