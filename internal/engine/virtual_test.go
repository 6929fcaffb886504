package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// entries are those of a reason on a run's trace.
func entries(n *ent.Notification, reason workflow.Reason) (list []workflow.TraceEntry) {
	for _, e := range n.Trace {
		if e.Reason == reason {
			list = append(list, e)
		}
	}
	return list
}

// TestIntegrationsObeyTheClock plays breakers and paces where the clock is set by hand (semantics.md §11.32).
func TestIntegrationsObeyTheClock(t *testing.T) {
	t.Parallel()

	t.Run("Breaker", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			return nil, &provider.Error{Class: provider.Fault, Status: 401, Text: "bad key"}
		}
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		b.triggered(wf, to("u1"), happened(year25))
		b.settle()
		i := b.stored(b.email)
		require.Equal(t, year25, i.BreakerOpenedAt.UTC())
		require.Equal(t, year25.Add(30*time.Second), i.BreakerProbeAt.UTC())

		held := b.triggered(wf, to("u1"), happened(year25))
		b.settle()
		require.Len(t, b.vendor.messages(), 1, "the breaker is open")
		require.Equal(t, year25.Add(30*time.Second), b.messages(held)[0].DueAt.UTC())
		b.until(29.0 / 60)
		require.Len(t, b.vendor.messages(), 1)
		b.vendor.answer = nil
		b.until(0.5)
		require.Len(t, b.vendor.messages(), 2, "half a minute of its own clock is over")
		require.Equal(t, workflow.MessageSent, b.messages(held)[0].Status)
		require.Equal(t, workflow.BreakerClosed, b.stored(b.email).Breaker)
	})

	t.Run("TheTraceFoldsRepetitions", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
			return nil, &provider.Error{Class: provider.Transient, Status: 503}
		}
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		var events []string
		for range 12 {
			events = append(events, b.triggered(wf, to("u1"), happened(year25)))
		}
		b.until(6 * 60)
		var counted int
		for _, ev := range events {
			run := b.runs(ev)[0]
			require.LessOrEqual(t, len(run.Trace), 4, "%+v", run.Trace)
			for _, reason := range []workflow.Reason{workflow.ReasonBreakerOpen, workflow.ReasonRetry} {
				require.LessOrEqual(t, len(entries(run, reason)), 1)
			}
			for _, e := range entries(run, workflow.ReasonBreakerOpen) {
				counted += e.Times()
				require.False(t, e.FirstAt().Before(year25))
				require.False(t, e.Latest().Before(e.FirstAt()))
				require.False(t, e.Until.Before(e.Latest()), "the details are the latest")
			}
		}
		require.Greater(t, counted, 50, "six hours of pauses of at most ten minutes")
		require.Less(t, counted, 12*400, "but no look each second")

		b.vendor.answer = nil
		b.until(48 * 60)
		for _, ev := range events {
			run := b.runs(ev)[0]
			require.Equal(t, workflow.RunCompleted, run.Status)
			require.Len(t, entries(run, workflow.ReasonSent), 1)
			require.Equal(t, workflow.ReasonQueued, run.Trace[0].Reason, "entries stay in their places")
			require.Equal(t, workflow.ReasonCompleted, run.Trace[len(run.Trace)-1].Reason)
		}
	})

	t.Run("Pace", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.exec(`UPDATE integrations SET rate_limit = 0.125 WHERE id = $1`, b.email) // ordinary ones: one in ten seconds
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		for range 4 {
			b.triggered(wf, to("u1"), happened(year25))
		}
		b.settle()
		require.Len(t, b.vendor.messages(), 1)
		b.until(9.0 / 60)
		require.Len(t, b.vendor.messages(), 1)
		b.until(10.0 / 60)
		require.Len(t, b.vendor.messages(), 2)
		b.until(60)
		require.Len(t, b.vendor.messages(), 4)
		var at []float64
		for _, a := range b.db.Ent.Attempt.Query().AllX(b.ctx) {
			at = append(at, a.CreatedAt.Sub(year25).Seconds())
		}
		slices.Sort(at)
		require.Equal(t, []float64{0, 10, 20, 30}, at, "also under a jump")
	})

	t.Run("LearnedRate", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 429, RetryAfter: time.Minute}, 1)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		for range 4 {
			b.triggered(wf, to("u1"), happened(year25))
		}
		b.settle()
		learned := b.stored(b.email).LearnedRate
		require.NotNil(t, learned, "four calls in one second of its clock were too many")
		require.Less(t, *learned, 4.0)
		b.until(2)
		require.Greater(t, *b.stored(b.email).LearnedRate, *learned, "it rises again as its clock continues")
		require.Len(t, b.vendor.messages(), 8)
	})

	t.Run("SimulatedRate", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.db.Ent.Integration.UpdateOneID(b.email).SetSimulation(&workflow.Simulation{RatePerSecond: 1, RetryAfterSeconds: 30}).ExecX(b.ctx)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		for range 3 {
			b.triggered(wf, to("u1"), happened(year25))
		}
		sent := func() int {
			return b.db.Ent.Message.Query().Where(message.StatusEQ(workflow.MessageSent)).CountX(b.ctx)
		}
		b.settle()
		require.Equal(t, 2, sent(), "what a second of its clock allows, and the first of the next")
		b.until(10)
		require.Equal(t, 3, sent(), "and the others when it has gone on, however fast that was")
	})

	t.Run("AProbeThatDiesIsMadeAgainByTheClock", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.exec(`UPDATE integrations SET breaker = 'half_open', breaker_opened_at = $2, breaker_probe_at = $3 WHERE id = $1`,
			b.email, year25.Add(-time.Minute), year25.Add(time.Minute))
		b.subscriber("u1")
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), to("u1"), happened(year25))
		b.settle()
		require.Empty(t, b.vendor.messages())
		b.until(1)
		require.Equal(t, workflow.MessageSent, b.messages(ev)[0].Status)
	})
}

// TestFailuresObeyTheClock: what cannot be handled at all is put off and parked by the environment's clock, and does not
// hold the clock up.
func TestFailuresObeyTheClock(t *testing.T) {
	t.Parallel()

	t.Run("Run", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}}
		ev := b.numbered(b.workflow(workflow.Definition{Steps: []workflow.Step{wait, inAppStep("x")}}), 0, 1)
		b.exec(`UPDATE events SET overrides = '{"email": 1}' WHERE id = $1`, ev)
		b.exec(`UPDATE subscribers SET schedule = '[]'`)
		b.until(120)
		run := b.db.Ent.Notification.Query().OnlyX(b.ctx)
		require.Equal(t, workflow.RunParked, run.Status)
		parked := entries(run, workflow.ReasonParked)
		require.Len(t, parked, 1)
		require.False(t, parked[0].At.Before(year25.Add(time.Hour)))
		require.True(t, parked[0].At.Before(year25.Add(2*time.Hour)), "%s", parked[0].At)
	})

	t.Run("Event", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}), to("u1"), happened(year25))
		b.exec(`UPDATE events SET workflow_version_id = 'gone', failures = 7 WHERE id = $1`, ev)
		b.fanOut(ev)
		parked := b.db.Ent.Event.GetX(b.ctx, ev)
		require.Equal(t, workflow.ReasonParked, parked.Trace[0].Reason)
		require.Equal(t, year25, parked.Trace[0].At.UTC())
	})

	t.Run("EventIsTriedAgainByTheClock", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		bad := b.triggered(wf, to("u1"), happened(year25))
		b.exec(`UPDATE events SET workflow_version_id = 'gone' WHERE id = $1`, bad)
		b.settle()
		stored := b.db.Ent.Event.GetX(b.ctx, bad)
		require.Equal(t, 1, stored.Failures)
		require.Equal(t, year25.Add(2*time.Second), stored.RetryAt.UTC())
		state, err := pgdue.ReadClock(b.ctx, b.db, b.scope)
		require.NoError(t, err)
		require.False(t, state.Busy, "nothing is due while it waits for its next try")
		require.Equal(t, year25, state.Reached.UTC())

		good := b.triggered(wf, to("u1"), happened(year25.Add(time.Second)))
		b.until(1.0 / 60)
		require.Len(t, b.runs(good), 1, "the others continue")
		require.Equal(t, 1, b.db.Ent.Event.GetX(b.ctx, bad).Failures)
		b.until(2.0 / 60)
		require.Equal(t, 2, b.db.Ent.Event.GetX(b.ctx, bad).Failures)
		require.Equal(t, year25.Add(6*time.Second), b.db.Ent.Event.GetX(b.ctx, bad).RetryAt.UTC())

		b.exec(`UPDATE events SET workflow_version_id = $2 WHERE id = $1`, bad, wf.version)
		b.until(60)
		require.Equal(t, year25.Add(6*time.Second), b.runs(bad)[0].CreatedAt.UTC(), "its next try made it, at its instant")
	})

	t.Run("EventIsParkedWithinOneJump", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		bad := b.triggered(wf, to("u1"), happened(year25))
		later := b.triggered(wf, to("u1"), happened(year25.Add(time.Hour)))
		b.exec(`UPDATE events SET workflow_version_id = 'gone' WHERE id = $1`, bad)
		b.until(120)
		for range 8 {
			b.settle() // what fails counts as nothing found
		}
		parked := b.db.Ent.Event.GetX(b.ctx, bad)
		require.Equal(t, event.StatusParked, parked.Status)
		require.Equal(t, year25.Add(254*time.Second), parked.Trace[0].At.UTC(), "after pauses of 2 s to 128 s")
		require.Equal(t, year25.Add(time.Hour), b.runs(later)[0].CreatedAt.UTC())
		state, err := pgdue.ReadClock(b.ctx, b.db, b.scope)
		require.NoError(t, err)
		require.False(t, state.Busy)
		require.Equal(t, year25.Add(2*time.Hour), state.Reached.UTC())
	})

	t.Run("Message", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		bad := b.triggered(wf, to("u1"), happened(year25))
		b.fanOut(bad)
		broken := b.messages(bad)[0].ID
		b.exec(`UPDATE messages SET content = '[1]' WHERE id = $1`, broken)
		b.settle()
		state, err := pgdue.ReadClock(b.ctx, b.db, b.scope)
		require.NoError(t, err)
		require.False(t, state.Busy, "nothing is due while it is put off")
		b.stand(year25.Add(30 * time.Minute))
		for range 25 {
			b.settle() // what fails counts as nothing found
		}
		b.exec(`UPDATE messages SET content = NULL WHERE id = $1`, broken)
		require.Equal(t, "parked", *b.messages(bad)[0].ErrorID)
		parked := entries(b.runs(bad)[0], workflow.ReasonParked)
		require.Equal(t, year25.Add(10*time.Minute), parked[0].At.UTC())
	})
}
