package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// opensAt is a schedule that opens every day at some hour of UTC for an hour.
func opensAt(hour int) *calendar.Schedule {
	s := &calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{}}
	for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		s.WeeklySchedule[day] = calendar.DaySchedule{IsEnabled: true, Hours: []calendar.TimeRange{{Start: calendar.FormatClock(60 * hour), End: calendar.FormatClock(60*hour + 60)}}}
	}
	return s
}

// TestHours plays what a subscriber's hours do to sends and to waits. The clock starts at nine.
func TestHours(t *testing.T) {
	t.Parallel()
	mailAfter := func(steps ...workflow.Step) []workflow.Step {
		return append(steps, workflow.Step{StepID: "bell", Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: "{{payload.n}}"}},
			workflow.Step{StepID: "mail", Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: "{{payload.n}}", HTML: "<p>x</p>"}})
	}
	wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 10, Unit: workflow.UnitMinutes, ExtendToSchedule: true}}
	for _, c := range []struct {
		name       string
		definition workflow.Definition
		mailed     float64 // minute; -1: never
		rang       float64
		reasons    []workflow.Reason
	}{
		{
			"Skip",
			workflow.Definition{Steps: mailAfter()},
			-1, 0,
			[]workflow.Reason{workflow.ReasonSent, workflow.ReasonSchedule, workflow.ReasonCompleted},
		},
		{
			"CriticalPasses",
			workflow.Definition{Critical: true, Steps: mailAfter()},
			0, 0,
			[]workflow.Reason{workflow.ReasonSent, workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted},
		},
		{
			"HoldTheRun",
			workflow.Definition{HoldSchedule: true, Steps: mailAfter()},
			120, 0,
			[]workflow.Reason{workflow.ReasonSent, workflow.ReasonHeld, workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted},
		},
		{
			"ExtendADelay",
			workflow.Definition{Steps: mailAfter(wait)},
			120, 120,
			[]workflow.Reason{workflow.ReasonWaiting, workflow.ReasonHeld, workflow.ReasonContinued, workflow.ReasonSent, workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted},
		},
		{
			"CriticalIsNotExtended",
			workflow.Definition{Critical: true, Steps: mailAfter(wait, digestStep(workflow.DigestControls{
				Type: workflow.DigestRegular, Amount: 30, Unit: workflow.UnitMinutes, ExtendToSchedule: true,
			}))},
			40, 40,
			[]workflow.Reason{
				workflow.ReasonWaiting, workflow.ReasonContinued, workflow.ReasonWaiting, workflow.ReasonContinued,
				workflow.ReasonSent, workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted,
			},
		},
		{
			"ExtendADigest",
			workflow.Definition{Steps: mailAfter(digestStep(workflow.DigestControls{
				Type: workflow.DigestRegular, Amount: 30, Unit: workflow.UnitMinutes, ExtendToSchedule: true,
			}))},
			120, 120,
			[]workflow.Reason{workflow.ReasonWaiting, workflow.ReasonHeld, workflow.ReasonContinued, workflow.ReasonSent, workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.virtual(year25)
			b.subscriber("u1").Update().SetSchedule(opensAt(11)).ExecX(b.ctx)
			ev := b.numbered(b.workflow(c.definition), 0, 1)
			b.until(1000)
			mailed, rang := -1.0, -1.0
			for _, m := range b.messages(ev) {
				minute := m.CreatedAt.Sub(year25).Minutes()
				if m.Channel == workflow.ChannelInApp {
					rang = minute
				} else {
					mailed = minute
				}
			}
			require.Equal(t, []float64{c.mailed, c.rang}, []float64{mailed, rang})
			require.Equal(t, c.reasons, reasons(b.runs(ev)[0]))
		})
	}
}

// TestScheduledDelay plays what stands at the path of a delay.
func TestScheduledDelay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		value  any
		past   string
		rang   float64 // minute; -1: never
		status workflow.RunStatus
		reason workflow.Reason
	}{
		{"Instant", "2025-03-01T10:00:00Z", "", 60, workflow.RunCompleted, workflow.ReasonWaiting},
		{"OwnZone", "2025-03-01T11:30", "", 90, workflow.RunCompleted, workflow.ReasonWaiting},
		{"Past", "2025-03-01T08:00:00Z", "", 0, workflow.RunCompleted, workflow.ReasonDelayPast},
		{"PastFails", "2025-03-01T08:00:00Z", "fail", -1, workflow.RunFailed, workflow.ReasonDelayPast},
		{"PastSkips", "2025-03-01T08:00:00Z", "skip", -1, workflow.RunSkipped, workflow.ReasonDelayPast},
		{"Nothing", nil, "skip", -1, workflow.RunFailed, workflow.ReasonDelayFailed},
		{"NoDate", "tomorrow", "", -1, workflow.RunFailed, workflow.ReasonDelayFailed},
		{"TooFar", "2027-03-01T08:00:00Z", "", -1, workflow.RunFailed, workflow.ReasonDelayFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.virtual(year25)
			b.subscriber("u1").Update().SetTimezone("Europe/Berlin").ExecX(b.ctx)
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{
				{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayScheduled, DelayPath: "order.due", Past: c.past}},
				inAppStep("x"),
			}})
			ev := b.numbered(wf, 0, 1, func(p map[string]any) { p["order"] = map[string]any{"due": c.value} })
			b.until(2 * 366 * 24 * 60)
			rang := -1.0
			for _, m := range b.messages(ev) {
				rang = m.CreatedAt.Sub(year25).Minutes()
			}
			run := b.runs(ev)[0]
			require.Equal(t, c.rang, rang, "%+v", run.Trace)
			require.Equal(t, c.status, run.Status)
			require.Equal(t, c.reason, run.Trace[0].Reason)
			if c.reason == workflow.ReasonDelayFailed {
				require.NotEmpty(t, run.Trace[0].Detail)
			}
		})
	}
}

// TestDynamicThrottle reads its windows from payloads.
func TestDynamicThrottle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.virtual(year25)
	until := func(v any) func(map[string]any) { return func(p map[string]any) { p["until"] = v } }
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{
		{StepID: "calm", Type: workflow.StepThrottle, Throttle: &workflow.ThrottleControls{WindowPath: "payload.until", ThrottleKey: "room"}},
		inAppStep("{{payload.n}}"),
	}})
	b.numbered(wf, 0, 1, until("PT30M"))
	b.numbered(wf, 10, 2, until("PT1M")) // the window stands as the first run made it
	b.numbered(wf, 11, 3, until("nonsense"))
	b.numbered(wf, 12, 4, until("2025-03-01T09:11:00Z")) // past
	b.numbered(wf, 30, 5, until("2025-03-01T10:00:00Z"))
	b.numbered(wf, 31, 6, until(map[string]any{"amount": 2, "unit": "hours"}))
	b.numbered(wf, 60, 7, until(map[string]any{"amount": 2, "unit": "hours"}))
	b.numbered(wf, 61, 8, until("PT1H"), func(p map[string]any) { p["room"] = "another" })
	require.Equal(t, []string{"0 1", "11 3", "12 4", "30 5", "60 7", "61 8"}, b.inbox())
}

// TestDeactivatedWhileWaiting looks at the switch when the next step is reached.
func TestDeactivatedWhileWaiting(t *testing.T) {
	t.Parallel()
	play := func(t *testing.T, drain bool, change func(*bundle, published)) *ent.Notification {
		t.Helper()
		b := setup(t)
		b.virtual(year25)
		wf := b.workflow(workflow.Definition{Drain: drain, Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep("x")}})
		ev := b.numbered(wf, 0, 1)
		change(b, wf)
		b.until(60)
		return b.runs(ev)[0]
	}
	off := func(b *bundle, wf published) {
		b.db.Ent.Workflow.UpdateOneID(wf.workflow).SetActive(false).ExecX(b.ctx)
	}
	t.Run("Ends", func(t *testing.T) {
		t.Parallel()
		run := play(t, false, off)
		require.Equal(t, workflow.RunCancelled, run.Status)
		require.Equal(t, workflow.ReasonWorkflowInactive, run.Trace[len(run.Trace)-1].Reason)
	})
	t.Run("Drains", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, workflow.RunCompleted, play(t, true, off).Status)
	})
	t.Run("OnAgain", func(t *testing.T) {
		t.Parallel()
		run := play(t, false, func(b *bundle, wf published) {
			off(b, wf)
			b.until(5)
			b.db.Ent.Workflow.UpdateOneID(wf.workflow).SetActive(true).ExecX(b.ctx)
		})
		require.Equal(t, workflow.RunCompleted, run.Status)
	})
	t.Run("Deleted", func(t *testing.T) {
		t.Parallel()
		run := play(t, true, func(b *bundle, wf published) {
			b.db.Ent.Workflow.UpdateOneID(wf.workflow).SetActive(false).SetDeleted(true).SetDeletedAt(time.Now()).ExecX(b.ctx)
		})
		require.Equal(t, workflow.RunCancelled, run.Status, "drain does not apply")
	})
}
