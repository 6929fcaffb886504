package engine_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrepair"
	"github.com/carillon/carillon/internal/workflow"
)

// TestExtendedDigest plays windows that stay open outside the subscriber's hours, which begin at minute 120 and last for an hour.
func TestExtendedDigest(t *testing.T) {
	t.Parallel()
	extended := func(c workflow.DigestControls) workflow.Step {
		c.ExtendToSchedule = true
		return digestStep(c)
	}
	within := func(t *testing.T, steps ...workflow.Step) (*bundle, published) {
		t.Helper()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1").Update().SetSchedule(opensAt(11)).ExecX(b.ctx)
		return b, b.workflow(workflow.Definition{Steps: steps})
	}

	t.Run("CollectsUntilTheHoursOpen", func(t *testing.T) {
		t.Parallel()
		mail := workflow.Step{StepID: "mail", Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: digested, HTML: "<p>x</p>"}}
		b, wf := within(t, extended(tenMinutes()), inAppStep(digested), mail)
		one := b.numbered(wf, 0, 1)
		b.numbered(wf, 10, 2) // the end of the window, which has been moved
		two := b.numbered(wf, 21, 3)
		window := b.db.Ent.Digest.Query().OnlyX(b.ctx)
		require.Equal(t, digest.StatusOpen, window.Status)
		require.Equal(t, year25.Add(2*time.Hour), window.ClosesAt.UTC())
		require.Equal(t, year25.Add(2*time.Hour), b.runs(one)[0].DueAt.UTC())
		require.Equal(t, workflow.RunMerged, b.runs(two)[0].Status)
		b.numbered(wf, 119, 4)
		b.numbered(wf, 120, 5) // when they open: it belongs to the next window
		b.until(1000)
		require.Equal(t, []string{"120 4: 1 2 3 4 of 1", "130 1: 5 of 5"}, b.inbox())
		require.Len(t, b.vendor.messages(), 2)
		require.Equal(t, "4: 1 2 3 4 of 1", b.vendor.messages()[0].Content.Title)
		run := b.runs(one)[0]
		require.Equal(t, []workflow.Reason{
			workflow.ReasonWaiting, workflow.ReasonHeld, workflow.ReasonContinued, workflow.ReasonSent, workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted,
		}, reasons(run))
		require.Equal(t, year25.Add(10*time.Minute), run.Trace[1].At.UTC())
		require.Equal(t, year25.Add(2*time.Hour), run.Trace[1].Until.UTC())
		require.EqualValues(t, 4, run.Trace[2].Data["events"])
	})

	t.Run("TakesAnEventBeforeItsRunHasLooked", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, extended(tenMinutes()), inAppStep(digested))
		one := b.numbered(wf, 0, 1)
		at := year25.Add(10 * time.Minute)
		b.stand(at)
		b.fanOut(b.triggered(wf, to("u1"), happened(at), func(c *ent.EventCreate) { c.SetPayload(map[string]any{"n": 2}) }))
		b.until(1000)
		require.Equal(t, []string{"120 2: 1 2 of 1"}, b.inbox())
		require.Len(t, entries(b.runs(one)[0], workflow.ReasonHeld), 1)
	})

	// A pause has kept the events, and the clock was set ahead meanwhile. Each is in the window of its day, and in one of the next digest.
	t.Run("TakesNoEventOfALaterDayBeforeItsRunHasLooked", func(t *testing.T) {
		t.Parallel()
		then := digestStep(tenMinutes())
		then.StepID = "then"
		b, wf := within(t, extended(tenMinutes()), then, inAppStep(digested))
		pause := b.pause(workflow.PauseWorkflow, wf.workflow)
		for i, minute := range []float64{0, 200, 1570} {
			b.numbered(wf, minute, i+1)
		}
		b.until(1600)
		b.resume(pause, 1000)
		b.until(5000)
		require.Equal(t, []string{"130 1: 1 of 1", "1570 1: 2 of 2", "1590 1: 3 of 3"}, b.inbox())
	})

	t.Run("ClosesWhenItEndsWithinTheHours", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, extended(tenMinutes()), inAppStep(digested))
		b.numbered(wf, 125, 1)
		b.numbered(wf, 136, 2)
		b.numbered(wf, 175, 3) // ends at 185, after they have closed: until the next day
		b.numbered(wf, 190, 4)
		b.until(3000)
		require.Equal(t, []string{"135 1: 1 of 1", "146 1: 2 of 2", "1560 2: 3 4 of 3"}, b.inbox())
	})

	t.Run("Timed", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, extended(workflow.DigestControls{
			Type: workflow.DigestTimed, Amount: 1, Unit: workflow.UnitDays, Timed: &workflow.DigestTimedAt{AtTime: "10:00"},
		}), inAppStep(digested))
		for i, minute := range []float64{0, 90, 150, 1600} { // the last is of the following day
			b.numbered(wf, minute, i+1)
		}
		b.until(3010)
		require.Equal(t, []string{"120 2: 1 2 of 1", "1560 1: 3 of 3", "3000 1: 4 of 4"}, b.inbox())
	})

	t.Run("LooksBack", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, extended(workflow.DigestControls{
			Type: workflow.DigestBackoff, Amount: 10, Unit: workflow.UnitMinutes, BackoffAmount: 5, BackoffUnit: workflow.UnitMinutes,
		}), inAppStep(digested))
		for i, minute := range []float64{0, 4, 60, 130, 133} { // the third is outside the look-back, but the window is open
			b.numbered(wf, minute, i+1)
		}
		b.until(1000)
		require.Equal(t, []string{"0 1: 1 of 1", "120 2: 2 3 of 2", "130 1: 4 of 4", "143 1: 5 of 5"}, b.inbox())
	})

	t.Run("ShowsWhatItHolds", func(t *testing.T) {
		t.Parallel()
		updating := tenMinutes()
		updating.UpdateMode = true
		b, wf := within(t, extended(updating), inAppStep(digested))
		one := b.numbered(wf, 0, 1)
		b.numbered(wf, 5, 2)
		b.numbered(wf, 40, 3)
		require.Equal(t, []string{"40 3: 1 2 3 of 1"}, b.inbox())
		b.until(1000)
		require.Len(t, b.inbox(), 1)
		require.Len(t, entries(b.runs(one)[0], workflow.ReasonHeld), 1)
	})

	t.Run("SurvivesTheCancellationOfItsEvents", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, extended(tenMinutes()), inAppStep(digested))
		var events []string
		for i, minute := range []float64{0, 20, 40, 60} {
			events = append(events, b.numbered(wf, minute, i+1))
		}
		for _, i := range []int{0, 2, 3} { // the first, one in the middle, the last
			require.Len(t, b.cancel(events[i]), 1)
		}
		require.Equal(t, []workflow.RunStatus{workflow.RunCancelled, workflow.RunWaiting, workflow.RunCancelled, workflow.RunCancelled}, b.statuses(events...))
		require.Equal(t, year25.Add(2*time.Hour), b.runs(events[1])[0].DueAt.UTC())
		b.numbered(wf, 80, 5)
		b.until(1000)
		require.Equal(t, []string{"120 2: 2 5 of 2"}, b.inbox())
		one, two := b.numbered(wf, 1001, 6), b.numbered(wf, 1030, 7)
		require.Len(t, b.cancel(one), 1)
		require.Len(t, b.cancel(two), 1)
		b.until(3000)
		require.Len(t, b.inbox(), 1, "no other message comes")
	})

	t.Run("IsReleasedByHand", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, extended(tenMinutes()), inAppStep(digested))
		b.numbered(wf, 0, 1)
		b.numbered(wf, 20, 2)
		at := year25.Add(30 * time.Minute)
		b.stand(at)
		err := b.db.Tx(b.ctx, func(ctx context.Context, tx *postgres.Tx) error {
			return pgrepair.ReleaseWindow(ctx, tx.Pgx, b.scope, b.db.Ent.Digest.Query().OnlyX(b.ctx).ID, at)
		})
		require.NoError(t, err)
		b.numbered(wf, 30, 3)
		b.until(1000)
		require.Equal(t, []string{"120 2: 1 2 of 1", "120 1: 3 of 3"}, b.inbox(), "later events are in another window; its run still waits for the hours")
	})

	t.Run("IsExplained", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, extended(tenMinutes()), inAppStep(digested))
		b.exec(`UPDATE workflows SET identifier = 'wf' WHERE id = $1`, wf.workflow)
		lines := func() (lines []string) {
			for _, s := range b.explain(b.item("wf", to("u1"))).Recipients[0].Steps {
				line := string(s.Reason)
				if s.Until != nil {
					line += fmt.Sprintf(" until %g", s.Until.Sub(year25).Minutes())
				}
				lines = append(lines, line)
			}
			return lines
		}
		require.Equal(t, []string{"waiting until 10", "held until 120", "continued", "sent", "completed"}, lines())
		b.numbered(wf, 0, 1)
		b.until(50)
		require.Equal(t, []string{"merged", "merged"}, lines())
	})

	t.Run("KeepsItsEnd", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, extended(tenMinutes()), inAppStep(digested))
		one := b.numbered(wf, 0, 1)
		b.until(20)
		b.exec(`UPDATE subscribers SET schedule = NULL`)
		b.until(30)
		require.Equal(t, workflow.RunWaiting, b.runs(one)[0].Status, "an open window keeps its end")
		b.until(1000)
		require.Equal(t, []string{"120 1: 1 of 1"}, b.inbox())
	})

	// The events come over 40 minutes outside the hours, to processes that fan out and close windows all the time.
	t.Run("IsOneForManyProcesses", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		start := b.clock.Now("")
		opens := start.Truncate(time.Hour).Add(2 * time.Hour)
		b.subscriber("u1").Update().SetSchedule(opensAt(opens.Hour())).ExecX(b.ctx)
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{extended(tenMinutes()), inAppStep("{{step.total_count}}")}})
		const events, processes = 160, 2
		ids := make([]string, events)
		for i := range ids {
			ids[i] = b.triggered(wf, to("u1"), happened(start.Add(time.Duration(i)*15*time.Second)))
		}
		b.clock.add(45 * time.Minute)
		var working sync.WaitGroup
		for range processes {
			e := b.newEngine(b.config)
			for worker := range 4 {
				working.Go(func() {
					for i := worker; i < events; i += 4 {
						assert.NoError(t, e.FanOut(b.ctx, ids[i:i+1]))
						_, err := e.Wake(b.ctx, pgdue.DueNotifications)
						assert.NoError(t, err)
					}
				})
			}
		}
		working.Wait()
		require.Empty(t, b.db.Ent.Message.Query().AllX(b.ctx))
		b.clock.add(opens.Sub(b.clock.Now("")))
		b.settle()
		messages := b.db.Ent.Message.Query().AllX(b.ctx)
		require.Len(t, messages, 1)
		require.Equal(t, fmt.Sprint(events), messages[0].Content.Text)
		run := b.db.Ent.Notification.GetX(b.ctx, messages[0].NotificationID)
		require.Len(t, entries(run, workflow.ReasonHeld), 1)
		require.Equal(t, 1, run.Trace[1].Times())
	})
}
