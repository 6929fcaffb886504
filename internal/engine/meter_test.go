package engine_test

import (
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// runMeter counts runs by the status that they come to.
type runMeter struct {
	state.NoMeter
	mu   sync.Mutex
	runs map[string]int
	took map[string]time.Duration // of the latest message of each channel that was taken

	failedSteps map[string]int // by reason
}

func (m *runMeter) FailedSteps(reason string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failedSteps[reason] += n
}

func (m *runMeter) Delivered(lane, channel string, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.took[lane+" "+channel] = took
}

func (m *runMeter) Notifications(status string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs[status] += n
}

// take is what was counted since the last take.
func (m *runMeter) take() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken := maps.Clone(m.runs)
	clear(m.runs)
	return taken
}

func (b *bundle) metered() *runMeter {
	b.tb.Helper()
	m := &runMeter{runs: map[string]int{}, took: map[string]time.Duration{}, failedSteps: map[string]int{}}
	var _ state.Meter = m
	b.config.Meter = m
	b.engine = b.newEngine(b.config)
	return m
}

func TestRunsAreCountedOnceForEachStatusThatTheyReach(t *testing.T) {
	t.Parallel()

	t.Run("SentAndRetried", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		m := b.metered()
		b.vendor.answer = fails(&provider.Error{Class: provider.Transient, Text: "busy"}, 1)
		b.subscriber("u1")
		inbox := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
		mails := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x"), emailStep()}})
		b.fanOut(b.triggered(inbox, to("u1", "u2")), b.triggered(mails, to("u1")))
		require.Equal(t, map[string]int{"completed": 2, "pending": 1}, m.take())
		b.wake(pgdue.DueMessages)
		require.Empty(t, m.take(), "it is tried again")
		b.clock.add(time.Hour)
		b.wake(pgdue.DueMessages)
		require.Equal(t, map[string]int{"completed": 1}, m.take())
	})
	t.Run("WaitedAndMerged", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		m := b.metered()
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{digestStep(tenMinutes()), inAppStep("x")}})
		for range 3 {
			b.fanOut(b.triggered(wf, to("u1")))
		}
		require.Equal(t, map[string]int{"waiting": 1, "merged": 2}, m.take())
		require.Empty(t, m.took)
		b.clock.add(time.Hour)
		for b.wake(pgdue.DueNotifications) > 0 {
			continue
		}
		require.Equal(t, map[string]int{"completed": 1}, m.take())
		require.Equal(t, map[string]time.Duration{"normal in_app": 50 * time.Minute}, m.took, "the ten minutes that it was asked to wait do not count")
	})
	t.Run("FailedSteps", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		m := b.metered()
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{
			inAppStep("{{ 1 | divided_by: 0 }}"), {StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitMinutes}}, inAppStep("x"),
		}})
		b.fanOut(b.triggered(wf, to("u1", "u2")))
		require.Equal(t, map[string]int{"render_failed": 2}, m.failedSteps)
		b.clock.add(time.Hour)
		for b.wake(pgdue.DueNotifications) > 0 {
			continue
		}
		require.Equal(t, map[string]int{"render_failed": 2}, m.failedSteps, "a run that continues does not count it again")
	})
	t.Run("Parked", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		m := b.metered()
		b.subscriber("u1")
		wf := b.workflow(workflow.Definition{Steps: []workflow.Step{
			{StepID: "wait", Type: workflow.StepDelay, Delay: &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitMinutes}}, inAppStep("x"),
		}})
		ev := b.triggered(wf, to("u1"))
		b.fanOut(ev)
		require.Equal(t, map[string]int{"waiting": 1}, m.take())
		b.exec(`UPDATE notifications SET state = '{"results": "broken"}', workflow_version_id = 'gone'`)
		b.exec(`UPDATE events SET payload = '[]'`)
		b.clock.add(24 * time.Hour)
		for range 8 {
			require.NoError(t, b.engine.Advance(b.ctx, []string{b.runs(ev)[0].ID}))
		}
		require.Equal(t, workflow.RunParked, b.runs(ev)[0].Status)
		require.Equal(t, map[string]int{"parked": 1}, m.take())
	})
}
