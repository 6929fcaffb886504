package engine_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var year25 = time.Date(2025, 3, 1, 9, 0, 0, 0, time.UTC)

// virtual gives the bundle an engine that honours standing clocks, and lets the environment's stand.
func (b *bundle) virtual(at time.Time) {
	b.tb.Helper()
	b.db.VirtualClocks, b.config.Clock = true, state.RealClock{}
	b.engine = b.newEngine(b.config)
	b.stand(at)
}

func (b *bundle) stand(at time.Time) {
	b.tb.Helper()
	require.NoError(b.tb, b.db.Ent.Environment.UpdateOneID(b.scope.EnvironmentID).SetClockAt(at).Exec(b.ctx))
}

// settle does everything that is due, and returns how many looks found something.
func (b *bundle) settle() (looks int) {
	b.tb.Helper()
	for idle := false; !idle; {
		idle = true
		for _, table := range []pgdue.DueTable{pgdue.DueEvents, pgdue.DueNotifications, pgdue.DueMessages, pgdue.DueSnoozes} {
			if b.wake(table) > 0 {
				idle = false
				looks++
			}
		}
	}
	return looks
}

func happened(at time.Time) func(*ent.EventCreate) {
	return func(c *ent.EventCreate) { c.SetCreatedAt(at) }
}

func TestStandingClock(t *testing.T) {
	t.Parallel()

	t.Run("RulesWhatIsDue", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Status: 429, RetryAfter: time.Hour}, 2)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
		b.subscriber("u1")
		ev := b.triggered(wf, to("u1"), happened(year25))
		b.settle()
		m := b.messages(ev)[0]
		require.Equal(t, year25, m.CreatedAt.UTC())
		require.Equal(t, year25.Add(time.Hour), m.DueAt.UTC(), "retries are counted by the environment's clock")
		b.stand(year25.Add(59 * time.Minute))
		require.Zero(t, b.settle())
		b.stand(year25.Add(48 * time.Hour))
		b.settle()
		m = b.messages(ev)[0]
		require.Equal(t, workflow.MessageSent, m.Status)
		a := b.attempts(m.ID)
		require.Len(t, a, 3)
		require.Equal(t, year25.Add(time.Hour), a[1].CreatedAt.UTC(), "a long jump happens in the order of due times")
		require.Equal(t, year25.Add(2*time.Hour), a[2].FinishedAt.UTC())
		b.stand(year25)
		require.Zero(t, b.settle(), "set back, nothing fires again")
	})

	t.Run("NothingOvertakesWhatIsDueBefore", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		first := b.triggered(wf, to("u1"), happened(year25))
		b.stand(year25.Add(time.Hour))
		second := b.triggered(wf, to("u1"), happened(year25.Add(time.Hour)))
		b.fanOut(second)
		require.Empty(t, b.runs(second), "the hour before is not done yet")
		require.Equal(t, 1, b.wake(pgdue.DueEvents))
		require.Len(t, b.runs(first), 1)
		require.Equal(t, 1, b.wake(pgdue.DueEvents))
		require.Equal(t, year25, b.messages(first)[0].CreatedAt.UTC())
		require.Equal(t, year25.Add(time.Hour), b.messages(second)[0].CreatedAt.UTC())
	})

	t.Run("ProductionRunsOnRealTime", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.virtual(year25)
		require.NoError(t, b.db.Ent.Environment.UpdateOneID(b.scope.EnvironmentID).SetType("production").Exec(b.ctx))
		ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}), to("u1"))
		b.settle()
		require.WithinDuration(t, time.Now(), b.messages(ev)[0].CreatedAt, time.Hour)
	})

	t.Run("OthersRunOnRealTime", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.db.VirtualClocks, b.config.Clock = true, state.RealClock{}
		b.engine = b.newEngine(b.config)
		ev := b.mailed()
		b.settle()
		require.Equal(t, workflow.MessageSent, b.messages(ev)[0].Status)
	})
}

// settleWith does everything that is due with several processes at once.
func (b *bundle) settleWith(processes int) {
	b.tb.Helper()
	var working sync.WaitGroup
	for range processes {
		e := b.newEngine(b.config)
		working.Go(func() {
			for b.tb.Context().Err() == nil {
				for _, table := range []pgdue.DueTable{pgdue.DueEvents, pgdue.DueNotifications, pgdue.DueMessages, pgdue.DueSnoozes} {
					_, err := e.Wake(b.ctx, table)
					assert.NoError(b.tb, err)
				}
				if state, err := pgdue.ReadClock(b.ctx, b.db, b.scope); err != nil || !state.Busy {
					assert.NoError(b.tb, err)
					return
				}
			}
		})
	}
	working.Wait()
}

// TestOneJumpEqualsManySteps lets the same events happen under one jump of the clock, under a thousand small ones, and
// under one jump that several processes work on.
func TestOneJumpEqualsManySteps(t *testing.T) {
	t.Parallel()
	happens := func(steps, processes int) []string {
		b := setup(t)
		// Failures and refusals of what happens in one instant are learned from in the order of real time.
		b.config.Breaker = pgmessage.BreakerPolicy{Failures: 1000}
		b.virtual(year25)
		b.vendor.answer = func(m *provider.Message) (*provider.Receipt, error) {
			n, _ := m.Payload["fails"].(float64)
			if m.Attempt <= int(n) {
				return nil, &provider.Error{Class: provider.Transient, Status: 503, RetryAfter: time.Duration(n) * 7 * time.Minute}
			}
			return &provider.Receipt{ID: "ok"}, nil
		}
		mail := emailStep()
		mail.ShouldStopOnFail = true
		b.named("second", workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.from}}"), emailStep()}})
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{mail, triggerStep("go", "second", map[string]any{"from": "{{payload.fails}}"}), inAppStep("done")}})
		b.subscriber("u1")
		for n := range 8 {
			b.triggered(wf, to("u1"), happened(year25), func(c *ent.EventCreate) { c.SetPayload(map[string]any{"fails": n}) })
		}
		for k := range steps {
			b.stand(year25.Add(time.Duration(k+1) * 48 * time.Hour / time.Duration(steps)))
			if processes > 1 {
				b.settleWith(processes)
			}
			b.settle()
		}
		var lines []string
		for _, m := range b.db.Ent.Message.Query().AllX(b.ctx) {
			lines = append(lines, fmt.Sprint(m.Channel, m.Status, m.CreatedAt.UTC(), m.Content.Text, m.Attempts, m.DeliveredAt))
		}
		for _, a := range b.db.Ent.Attempt.Query().AllX(b.ctx) {
			lines = append(lines, fmt.Sprint(a.Number, a.Outcome, a.CreatedAt.UTC(), a.FinishedAt.UTC()))
		}
		for _, n := range b.db.Ent.Notification.Query().AllX(b.ctx) {
			lines = append(lines, fmt.Sprint(n.Status, n.CreatedAt.UTC(), n.FinishedAt.UTC(), reasons(n)))
		}
		slices.Sort(lines)
		return lines
	}
	once := happens(1, 1)
	require.Len(t, once, 32+44+16, "messages, attempts, runs")
	require.Equal(t, once, happens(1000, 1))
	require.Equal(t, once, happens(1, 3))
}

func TestReadClock(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := year25
	state := func() pgdue.ClockState {
		s, err := pgdue.ReadClock(b.ctx, b.db, b.scope)
		require.NoError(t, err)
		return s
	}
	require.Equal(t, pgdue.ClockState{}, state())
	b.virtual(at)
	require.False(t, state().Busy)
	b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}}), to("u1"), happened(at))
	b.stand(at.Add(time.Minute))
	s := state()
	require.True(t, s.Busy)
	require.Equal(t, at, s.Reached.UTC())
	require.Equal(t, at.Add(time.Minute), s.At.UTC())
	b.settle()
	require.False(t, state().Busy)
}
