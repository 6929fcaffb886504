package engine_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

func digestStep(c workflow.DigestControls) workflow.Step {
	return workflow.Step{StepID: "digest", Type: workflow.StepDigest, Digest: &c}
}

func tenMinutes() workflow.DigestControls {
	return workflow.DigestControls{Type: workflow.DigestRegular, Amount: 10, Unit: workflow.UnitMinutes}
}

const digested = `{{step.total_count}}:{% for e in step.events %} {{e.n}}{% endfor %} of {{payload.n}}`

// numbered triggers a workflow some minutes after the start, with the number n in the payload, and takes the event as far
// as it goes now.
func (b *bundle) numbered(p published, minute float64, n int, extra ...func(map[string]any)) string {
	b.tb.Helper()
	at := year25.Add(time.Duration(minute * float64(time.Minute)))
	b.stand(at)
	b.settle()
	payload := map[string]any{"n": n}
	for _, more := range extra {
		more(payload)
	}
	ev := b.triggered(p, to("u1"), happened(at), func(c *ent.EventCreate) { c.SetPayload(payload) })
	b.settle()
	return ev
}

// inbox are the texts of all in-app messages with the minute at which they arrived, in that order.
func (b *bundle) inbox() (lines []string) {
	b.tb.Helper()
	for _, m := range b.db.Ent.Message.Query().Where(message.ChannelEQ(workflow.ChannelInApp)).Order(message.ByArrivedAt(), message.ByID()).AllX(b.ctx) {
		lines = append(lines, fmt.Sprintf("%g %s", m.ArrivedAt.Sub(year25).Minutes(), m.Content.Text))
	}
	return lines
}

func (b *bundle) until(minute float64) {
	b.tb.Helper()
	b.stand(year25.Add(time.Duration(minute * float64(time.Minute))))
	b.settle()
}

func (b *bundle) statuses(events ...string) (list []workflow.RunStatus) {
	b.tb.Helper()
	for _, ev := range events {
		list = append(list, b.runs(ev)[0].Status)
	}
	return list
}

func TestDigest(t *testing.T) {
	t.Parallel()
	within := func(t *testing.T, steps ...workflow.Step) (*bundle, published) {
		t.Helper()
		b := setup(t)
		b.virtual(year25)
		b.subscriber("u1")
		return b, b.workflow(workflow.Definition{Steps: steps})
	}

	t.Run("CollectsUntilItsEnd", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, workflow.Step{StepID: "each", Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: "{{payload.n}}"}},
			digestStep(tenMinutes()), inAppStep(digested))
		one, two := b.numbered(wf, 0, 1), b.numbered(wf, 3, 2)
		three := b.numbered(wf, 10, 3) // at the end: it belongs to the next window
		b.until(100)
		require.Equal(t, []string{"0 1", "3 2", "10 2: 1 2 of 1", "10 3", "20 1: 3 of 3"}, b.inbox())
		require.Equal(t, []workflow.RunStatus{workflow.RunCompleted, workflow.RunMerged, workflow.RunCompleted}, b.statuses(one, two, three))
		require.Equal(t, []workflow.Reason{workflow.ReasonSent, workflow.ReasonMerged, workflow.ReasonMerged}, reasons(b.runs(two)[0]))
		run := b.runs(one)[0]
		require.Equal(t, []workflow.Reason{
			workflow.ReasonSent, workflow.ReasonWaiting, workflow.ReasonContinued, workflow.ReasonSent, workflow.ReasonCompleted,
		}, reasons(run))
		require.EqualValues(t, 2, run.Trace[2].Data["events"])
		require.Equal(t, year25.Add(10*time.Minute), run.Trace[1].Until.UTC())
		windows := b.db.Ent.Digest.Query().Order(digest.ByID()).AllX(b.ctx)
		require.Len(t, windows, 2)
		require.Equal(t, digest.StatusClosed, windows[0].Status)
		require.Equal(t, 2, windows[0].Total)
	})

	t.Run("KeepsIdentitiesApart", func(t *testing.T) {
		t.Parallel()
		keyed := tenMinutes()
		keyed.DigestKey = "payload.room"
		b, wf := within(t, digestStep(keyed), inAppStep(digested))
		room := func(name any) func(map[string]any) { return func(p map[string]any) { p["room"] = name } }
		b.numbered(wf, 0, 1, room("a"))
		b.numbered(wf, 1, 2, room("b"))
		b.numbered(wf, 2, 3, room("a"))
		b.numbered(wf, 3, 4)
		b.numbered(wf, 4, 5, room(1))
		b.numbered(wf, 5, 6, room("1"))
		b.until(60)
		require.Equal(t, []string{"10 2: 1 3 of 1", "11 1: 2 of 2", "13 1: 4 of 4", "14 1: 5 of 5", "15 1: 6 of 6"}, b.inbox())
	})

	t.Run("LooksBack", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(workflow.DigestControls{
			Type: workflow.DigestBackoff, Amount: 10, Unit: workflow.UnitMinutes, BackoffAmount: 5, BackoffUnit: workflow.UnitMinutes,
		}), inAppStep(digested))
		b.numbered(wf, 0, 1)  // at once
		b.numbered(wf, 4, 2)  // opens
		b.numbered(wf, 13, 3) // outside the look-back, but the window is open
		b.numbered(wf, 18, 4) // exactly one look-back after the last: at once
		b.numbered(wf, 18, 5) // of the same instant: opens
		b.until(60)
		require.Equal(t, []string{"0 1: 1 of 1", "14 2: 2 3 of 2", "18 1: 4 of 4", "28 1: 5 of 5"}, b.inbox())
	})

	t.Run("PassesWhatItsConditionLeavesOut", func(t *testing.T) {
		t.Parallel()
		step := digestStep(tenMinutes())
		step.Filters = []condition.StepFilter{{Type: "NUMBER", Value: "AND", Children: []condition.FieldFilterPart{
			{On: "payload", Field: "n", Operator: "SMALLER", Value: "3"},
		}}}
		b, wf := within(t, step, inAppStep("{{payload.n}} {{step.total_count}}"))
		b.numbered(wf, 0, 1)
		b.numbered(wf, 1, 3)
		b.numbered(wf, 2, 2)
		b.until(60)
		require.Equal(t, []string{"1 3 ", "10 1 2"}, b.inbox())
	})

	t.Run("ShowsAnOpenWindow", func(t *testing.T) {
		t.Parallel()
		updating := tenMinutes()
		updating.UpdateMode = true
		mail := workflow.Step{StepID: "mail", Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: digested, HTML: "<p>x</p>"}}
		b, wf := within(t, digestStep(updating), mail, inAppStep(digested))
		first := b.numbered(wf, 0, 1)
		require.Equal(t, []string{"0 1: 1 of 1"}, b.inbox())
		require.Empty(t, b.vendor.messages(), "other channels wait for the end")
		b.exec(`UPDATE messages SET read = true, seen = true`)
		b.exec(`UPDATE inbox_states SET unread = 0, unseen = 0`)
		second := b.numbered(wf, 3, 2)
		require.Equal(t, []string{"3 2: 1 2 of 1"}, b.inbox())
		m := b.messages(first)[0]
		require.False(t, m.Read || m.Seen)
		require.Len(t, m.DeliveredAt, 2)
		require.Equal(t, year25, m.CreatedAt.UTC())
		state := b.db.Ent.InboxState.Query().OnlyX(b.ctx)
		require.Equal(t, []int{1, 1, 1}, []int{state.Total, state.Unread, state.Unseen})
		third := b.numbered(wf, 5, 3)
		b.cancel(third)
		b.until(6)
		require.Equal(t, []string{"5 2: 1 2 of 1"}, b.inbox()[:1])
		b.cancel(first)
		b.until(7)
		require.Equal(t, []string{"6 1: 2 of 2"}, b.inbox(), "the next event has taken the window over")
		require.Equal(t, "txn_"+second, b.messages(second)[0].TransactionID)
		b.until(60)
		require.Len(t, b.inbox(), 1)
		require.Len(t, b.vendor.messages(), 1)
		require.Equal(t, "1: 2 of 2", b.vendor.messages()[0].Content.Title)
	})

	// The message shows as many events as are there, but not the same.
	t.Run("ShowsWhoJoinedBeforeACancellation", func(t *testing.T) {
		t.Parallel()
		for n, want := range []string{"2: 2 3 of 2", "2: 1 3 of 1"} {
			updating := tenMinutes()
			updating.UpdateMode = true
			b, wf := within(t, digestStep(updating), inAppStep(digested))
			events := []string{b.numbered(wf, 0, 1), b.numbered(wf, 1, 2)}
			b.fanOut(b.triggered(wf, to("u1"), happened(year25.Add(time.Minute)), func(c *ent.EventCreate) { c.SetPayload(map[string]any{"n": 3}) }))
			require.Len(t, b.cancel(events[n]), 1) // before the run has looked
			b.until(2)
			require.Equal(t, []string{"1 " + want}, b.inbox())
		}
	})

	t.Run("ShowsEachWindowOfOneBatch", func(t *testing.T) {
		t.Parallel()
		updating := tenMinutes()
		updating.UpdateMode = true
		b, wf := within(t, digestStep(updating), inAppStep(digested))
		var events []string
		for i, minute := range []int{0, 1, 11, 12} {
			events = append(events, b.triggered(wf, to("u1"), happened(year25.Add(time.Duration(minute)*time.Minute)),
				func(c *ent.EventCreate) { c.SetPayload(map[string]any{"n": i}) }))
		}
		b.stand(year25.Add(15 * time.Minute))
		b.fanOut(events...)
		b.settle()
		require.Equal(t, []string{"1 2: 0 1 of 0", "12 2: 2 3 of 2"}, b.inbox())
	})

	t.Run("SurvivesTheCancellationOfItsEvents", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(tenMinutes()), inAppStep(digested))
		one, two, three := b.numbered(wf, 0, 1), b.numbered(wf, 1, 2), b.numbered(wf, 2, 3)
		require.Len(t, b.cancel(one), 1)
		require.Len(t, b.cancel(three), 1)
		require.Equal(t, []workflow.RunStatus{workflow.RunCancelled, workflow.RunWaiting, workflow.RunCancelled}, b.statuses(one, two, three))
		four := b.numbered(wf, 3, 4)
		b.until(60)
		require.Equal(t, []string{"10 2: 2 4 of 2"}, b.inbox())
		require.Empty(t, b.cancel(four), "too late")
		five := b.numbered(wf, 61, 5)
		require.Len(t, b.cancel(five), 1)
		b.until(120)
		require.Len(t, b.inbox(), 1, "nobody was left")
		require.Equal(t, 1, b.db.Ent.Digest.Query().Where(digest.StatusEQ(digest.StatusCancelled)).CountX(b.ctx))
	})

	t.Run("CountsEventsBehindADigest", func(t *testing.T) {
		t.Parallel()
		second := workflow.Step{StepID: "second", Type: workflow.StepDigest, Digest: &workflow.DigestControls{
			Type: workflow.DigestRegular, Amount: 30, Unit: workflow.UnitMinutes,
		}}
		b, wf := within(t, digestStep(tenMinutes()), second, inAppStep(digested))
		for i, minute := range []float64{0, 1, 12, 13, 14} {
			b.numbered(wf, minute, i+1)
		}
		b.until(120)
		require.Equal(t, []string{"40 5: 1 2 3 4 5 of 1"}, b.inbox())
	})

	t.Run("EachOfTwoKeepsItsOwn", func(t *testing.T) {
		t.Parallel()
		both := inAppStep(`{{steps.digest.total_count}}:{% for e in steps.digest.events %} {{e.n}}{% endfor %} / ` +
			`{{steps.second.total_count}}:{% for e in steps.second.events %} {{e.n}}{% endfor %} / {{step.total_count}}`)
		second := workflow.Step{StepID: "second", Type: workflow.StepDigest, Digest: &workflow.DigestControls{
			Type: workflow.DigestRegular, Amount: 30, Unit: workflow.UnitMinutes,
		}}
		wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}}
		b, wf := within(t, digestStep(tenMinutes()), second, wait, both)
		for i, minute := range []float64{0, 1, 12, 13, 14, 23} { // windows of two, three and one
			b.numbered(wf, minute, i+1)
		}
		b.until(300)
		require.Equal(t, []string{"100 2: 1 2 / 6: 1 2 3 4 5 6 / 6"}, b.inbox())
	})

	t.Run("APassedOneStandsForThoseBefore", func(t *testing.T) {
		t.Parallel()
		both := inAppStep(`{{steps.digest.total_count}}:{% for e in steps.digest.events %} {{e.n}}{% endfor %} / ` +
			`{{steps.second.total_count}}:{% for e in steps.second.events %} {{e.n}}{% endfor %} / {{step.events.size}} of {{step.total_count}}`)
		second := workflow.Step{StepID: "second", Type: workflow.StepDigest, Digest: &workflow.DigestControls{
			Type: workflow.DigestBackoff, Amount: 30, Unit: workflow.UnitMinutes, BackoffAmount: 60, BackoffUnit: workflow.UnitMinutes,
		}}
		wait := workflow.Step{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 5, Unit: workflow.UnitMinutes}}
		b, wf := within(t, digestStep(tenMinutes()), second, both, wait, workflow.Step{StepID: "again", Type: workflow.StepInApp, InApp: both.InApp})
		for i, minute := range []float64{0, 1, 12, 13} {
			b.numbered(wf, minute, i+1)
		}
		b.until(300)
		require.Equal(t, []string{
			"10 2: 1 2 / 2: 1 2 / 2 of 2", "15 2: 1 2 / 2: 1 2 / 2 of 2", // passed, and read again after a wait
			"52 2: 3 4 / 2: 3 4 / 2 of 2", "57 2: 3 4 / 2: 3 4 / 2 of 2", // looked back
		}, b.inbox())
	})

	t.Run("AnOpenWindowBehindADigestShowsAll", func(t *testing.T) {
		t.Parallel()
		updating := workflow.Step{StepID: "second", Type: workflow.StepDigest, Digest: &workflow.DigestControls{
			Type: workflow.DigestRegular, Amount: 30, Unit: workflow.UnitMinutes, UpdateMode: true,
		}}
		b, wf := within(t, digestStep(tenMinutes()), updating, inAppStep(digested))
		for i, minute := range []float64{0, 1, 12, 13} {
			b.numbered(wf, minute, i+1)
		}
		b.until(11)
		require.Equal(t, []string{"10 2: 1 2 of 1"}, b.inbox())
		b.until(100)
		require.Equal(t, []string{"22 4: 1 2 3 4 of 1"}, b.inbox())
	})

	t.Run("AnHeirBringsItsOwn", func(t *testing.T) {
		t.Parallel()
		keyed := tenMinutes()
		keyed.DigestKey = "room"
		second := workflow.Step{StepID: "second", Type: workflow.StepDigest, Digest: &workflow.DigestControls{
			Type: workflow.DigestRegular, Amount: 30, Unit: workflow.UnitMinutes,
		}}
		b, wf := within(t, digestStep(keyed), second, inAppStep(`{{steps.digest.total_count}}:{% for e in steps.digest.events %} {{e.n}}{% endfor %} / `+digested))
		room := func(name string) func(map[string]any) { return func(p map[string]any) { p["room"] = name } }
		one := b.numbered(wf, 0, 1, room("a"))
		b.numbered(wf, 1, 2, room("a"))
		b.numbered(wf, 5, 3, room("b"))
		b.numbered(wf, 6, 4, room("b"))
		b.until(20) // both rooms stand in the second window
		require.Len(t, b.cancel(one), 1)
		b.until(100)
		require.Equal(t, []string{"40 1: 2 / 3: 2 3 4 of 2"}, b.inbox())
	})

	t.Run("ClosesOnceAfterADowntime", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(tenMinutes()), inAppStep(digested))
		b.clock.at = year25
		b.db.VirtualClocks, b.config.Clock = false, b.clock
		b.engine = b.newEngine(b.config)
		var events []string
		for _, minute := range []int{0, 2, 9, 10, 25} {
			events = append(events, b.triggered(wf, to("u1"), happened(year25.Add(time.Duration(minute)*time.Minute)), func(c *ent.EventCreate) {
				c.SetPayload(map[string]any{"n": minute})
			}))
		}
		b.clock.add(26 * time.Minute)
		b.fanOut(events...)
		b.settle()
		require.ElementsMatch(t, []string{"10 3: 0 2 9 of 0", "20 1: 10 of 10"}, b.inbox(), "windows hold what was accepted in their time")
		b.clock.add(time.Hour)
		b.settle()
		require.Len(t, b.inbox(), 3)
	})

	t.Run("VanishesWithItsSubscriber", func(t *testing.T) {
		t.Parallel()
		b, wf := within(t, digestStep(tenMinutes()), inAppStep(digested))
		one := b.numbered(wf, 0, 1)
		b.exec(`UPDATE subscribers SET deleted = true`)
		b.until(60)
		require.Equal(t, workflow.RunCancelled, b.runs(one)[0].Status)
		require.Equal(t, digest.StatusCancelled, b.db.Ent.Digest.Query().OnlyX(b.ctx).Status)
		require.Empty(t, b.inbox())
	})

	t.Run("NoEventInNoneOrTwo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep("{{step.total_count}}")}})
		const events, processes = 240, 2
		start := b.clock.Now("")
		ids := make([]string, events)
		for i := range ids { // over 40 minutes: about four windows
			ids[i] = b.triggered(wf, to("u1"), happened(start.Add(time.Duration(i)*10*time.Second)))
		}
		b.clock.add(45 * time.Minute)
		var working sync.WaitGroup
		for range processes {
			e := b.newEngine(b.config)
			for worker := range 8 {
				working.Go(func() {
					for i := worker; i < events; i += 8 {
						assert.NoError(t, e.FanOut(b.ctx, ids[i:i+1]))
						if i%5 == 0 {
							_, err := e.Wake(b.ctx, pgdue.DueNotifications)
							assert.NoError(t, err)
						}
					}
				})
			}
		}
		working.Wait()
		b.clock.add(time.Hour)
		b.settle()
		counted := 0
		for _, m := range b.db.Ent.Message.Query().AllX(b.ctx) {
			var n int
			_, err := fmt.Sscan(m.Content.Text, &n)
			require.NoError(t, err)
			counted += n
		}
		require.Equal(t, events, counted, "each event is in exactly one digest that was sent")
		require.Zero(t, b.db.Ent.Digest.Query().Where(digest.StatusEQ(digest.StatusOpen)).CountX(b.ctx))
		require.Zero(t, b.db.Ent.Notification.Query().Where(notification.StatusIn(workflow.RunPending, workflow.RunWaiting)).CountX(b.ctx))
		require.Equal(t, b.db.Ent.Message.Query().CountX(b.ctx), b.db.Ent.Digest.Query().CountX(b.ctx), "and each was sent once")
	})
}
