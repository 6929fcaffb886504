package run

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
)

// TestEventsPlannedBeforehand: what is decided without a lock may be stored with its event, whatever the outcome is; what needs
// rows that runs share, starts something, fails or comes too late is left to the fan-out (architecture.md §3).
func TestEventsPlannedBeforehand(t *testing.T) {
	t.Parallel()
	wait := workflow.Step{ID: "s-wait", StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 2, Unit: workflow.UnitHours}}
	limit := workflow.Step{ID: "s-limit", StepID: "limit", Type: workflow.StepThrottle, Throttle: &workflow.ThrottleControls{Amount: 1, Unit: workflow.UnitHours}}
	start := workflow.Step{ID: "s-start", StepID: "start", Type: workflow.StepTrigger, Trigger: &workflow.TriggerControls{Workflow: "other"}}
	chat := workflow.Step{ID: "s-chat", StepID: "chat", Type: workflow.StepChat, Chat: &workflow.TextControls{Body: "x"}}
	for name, c := range map[string]struct {
		steps []workflow.Step
		want  bool
	}{
		"nothing":                {nil, true},
		"messages":               {[]workflow.Step{inApp("bell", "x"), mail("mail")}, true},
		"a skipped step":         {[]workflow.Step{chat, inApp("bell", "x")}, true},
		"a wait":                 {[]workflow.Step{wait, inApp("bell", "x")}, true},
		"a digest":               {[]workflow.Step{digest(tenMinutes())}, false},
		"a throttle":             {[]workflow.Step{limit, inApp("bell", "x")}, false},
		"behind a wait":          {[]workflow.Step{wait, limit}, true}, // not reached now
		"a trigger step":         {[]workflow.Step{start}, false},
		"a template that breaks": {[]workflow.Step{inApp("bell", "{{ 1 | nofilter }}"), mail("mail")}, false},
	} {
		e := newExecutor(t)
		p := &planned{event: eventOf(e, workflow.Definition{Steps: c.steps}), batch: e.newBatch()}
		runs := []*run{p.batch.newRun(p.event, person("ann")), p.batch.newRun(p.event, person("bob"))}
		require.Equal(t, c.want, p.advance(t.Context(), runs), name)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	e := newExecutor(t)
	p := &planned{event: eventOf(e, workflow.Definition{Steps: []workflow.Step{inApp("bell", "x")}}), batch: e.newBatch()}
	require.False(t, p.advance(late, []*run{p.batch.newRun(p.event, person("ann"))}), "the time to plan is over")
	require.False(t, p.advance(t.Context(), []*run{{}}), "a panic costs the plan alone")
}

// TestProposalsThatAreNotPlanned: events without named recipients, with many, and those that cannot be read are left to the
// fan-out without a question to the database.
func TestProposalsThatAreNotPlanned(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	e.SmallEvent = 2
	p := NewPlanner(e)
	of := func(recipients string) accept.Proposal {
		return accept.Proposal{AcceptedEvent: pgaccept.AcceptedEvent{EnvironmentID: "env", Kind: "trigger", Payload: `{}`, Recipients: recipients}, Small: true}
	}
	events := []accept.Proposal{
		of(``), of(`{"topics":[{"topicKey":"news"}]}`), of(`{"direct":[{"subscriberId":"1"},{"subscriberId":"2"},{"subscriberId":"3"}]}`), of(`{`),
	}
	require.Equal(t, make([]accept.Plan, len(events)), p.Plan(t.Context(), events))
	for i := range events {
		require.NotEmpty(t, events[i].ID)
	}

	p.definitions.Put([]pgrun.VersionRow{{ID: "digests", Definition: &workflow.Definition{Steps: []workflow.Step{digest(tenMinutes())}}}})
	p.slow.add("slow")
	for _, version := range []string{"digests", "slow"} {
		proposal := of(`{"direct":[{"subscriberId":"1"}]}`)
		proposal.VersionID = version
		plans, known := p.Recall(t.Context(), []accept.Proposal{proposal})
		require.True(t, known, "%s: nothing has to be read for it", version)
		require.Equal(t, []accept.Plan{nil}, plans, version)
	}
	p.slow.until.Add("slow", time.Now())
	require.False(t, p.slow.has("slow"), "after a while")

	proposal := of(`{"direct":[{"subscriberId":"1"}]}`)
	p.Held("another")
	_, known := p.Recall(t.Context(), []accept.Proposal{proposal})
	require.False(t, known)
	p.Held("env")
	plans, known := p.Recall(t.Context(), []accept.Proposal{proposal})
	require.True(t, known, "nothing has to be read for an environment of which rows are held")
	require.Equal(t, []accept.Plan{nil}, plans)
	p.held.until.Add("env", time.Now())
	require.False(t, p.held.has("env"), "after a while")
}

// TestSlowVersion: the events of a version whose planning takes much of a processor are left to the fan-out for a while.
func TestSlowVersion(t *testing.T) {
	t.Parallel()
	p := NewPlanner(newExecutor(t))
	s := eventOf(p.Executor, workflow.Definition{Steps: []workflow.Step{inApp("bell", "{% for i in (1..2000) %}{{ i | plus: 1 }}{% endfor %}")}})
	s.VersionID = "version"
	for planTime, slow := range map[time.Duration]bool{time.Hour: false, time.Microsecond: true} {
		p.PlanTime = planTime
		plan := &planned{event: s, batch: p.newBatch()}
		p.advance(t.Context(), []*planned{plan}, []*run{plan.batch.newRun(s, person("ann"))}, time.Hour)
		require.Equal(t, slow, p.slow.has("version"), planTime)
		p.slow.until.Purge()
	}
}

// TestSlowTogether: of events of one version that take much of a processor together the rest is left to the fan-out, and the version is not
// slow by that. Those of another version are planned all the same.
func TestSlowTogether(t *testing.T) {
	t.Parallel()
	p := NewPlanner(newExecutor(t))
	p.PlanTime = time.Hour
	var runs []*run
	of := func(version, body string) *planned {
		s := eventOf(p.Executor, workflow.Definition{Steps: []workflow.Step{inApp("bell", body)}})
		s.VersionID = version
		plan := &planned{event: s, batch: p.newBatch()}
		runs = append(runs, plan.batch.newRun(s, person("ann")))
		return plan
	}
	const body = "{% for i in (1..500) %}{{ i | plus: 1 }}{% endfor %}"
	alone := time.Hour
	runtime.LockOSThread()
	for range 3 { // the first takes longer
		began := processorTime()
		p.advance(t.Context(), []*planned{of("alone", body)}, runs, time.Hour)
		alone = min(alone, processorTime()-began)
	}
	runtime.UnlockOSThread()
	list := []*planned{of("other", "x")}
	for range 40 {
		list = append(list, of("heavy", body))
	}
	list = append(list, of("other", "x"))
	p.advance(t.Context(), list, runs, 4*alone)
	require.False(t, p.slow.has("heavy"))
	last := len(list) - 1
	require.Nil(t, list[last-1])
	require.NotNil(t, list[last])
}

// TestProcessorTime: what a thread computes counts, and what it waits does not.
func TestProcessorTime(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const much = 20 * time.Millisecond
	compute := func() (spent time.Duration) {
		began := processorTime()
		for spent < much {
			spent = processorTime() - began
		}
		return spent
	}
	began := processorTime()
	require.GreaterOrEqual(t, compute(), much)
	other := make(chan time.Duration)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		other <- compute()
	}()
	waiting := processorTime()
	require.GreaterOrEqual(t, waiting-began, much)
	require.GreaterOrEqual(t, <-other, much)
	require.Less(t, processorTime()-waiting, much)
}

// TestPlannedEvent: an event that was planned is stored as the fan-out would leave it.
func TestPlannedEvent(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	p := &planned{event: eventOf(e, workflow.Definition{Steps: []workflow.Step{inApp("bell", "x")}}), batch: e.newBatch()}
	p.event.Recipients = &workflow.Recipients{Invalid: []workflow.InvalidRecipient{{Path: "to.1", Reason: "is empty"}}}
	runs := []*run{p.batch.newRun(p.event, person("ann")), p.batch.newRun(p.event, person("bob"))}
	require.True(t, p.advance(t.Context(), runs))
	p.batch.runs = runs
	var stored pgaccept.AcceptedEvent
	p.Apply(&stored)
	require.Equal(t, "event", stored.ID)
	require.Equal(t, []any{noon, 2}, []any{stored.Planned.At, stored.Planned.Notified})
	require.Len(t, stored.Planned.Trace, 1, "what was dropped is on the trace of the event")
}

// TestDoubt: what was known wrong of one environment is read for a while, and what is known of others is not.
func TestDoubt(t *testing.T) {
	t.Parallel()
	p := NewPlanner(newExecutor(t))
	of := func(environmentID string) accept.Proposal {
		return accept.Proposal{AcceptedEvent: pgaccept.AcceptedEvent{EnvironmentID: environmentID}}
	}
	p.Doubt("one")
	require.True(t, p.doubts(of("one")))
	require.False(t, p.doubts(of("another")))
	_, known := p.Recall(t.Context(), []accept.Proposal{of("another"), of("one")})
	require.False(t, known)
	p.doubted.until.Add("one", time.Now())
	require.False(t, p.doubts(of("one")), "after a while")
}
