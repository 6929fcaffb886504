package run

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// memory is the shared rows of runs as a database would hold them.
type memory struct {
	open  map[pgrun.WindowKey]pgrun.WindowRow
	last  map[pgrun.WindowKey]time.Time
	units map[string]pgrun.ThrottleRow // by step
}

func (m *memory) Windows(_ context.Context, of []pgrun.WindowRow) (found []pgrun.WindowRow, err error) {
	for _, w := range of {
		if open, ok := m.open[w.WindowKey]; ok {
			found = append(found, open)
		}
	}
	return found, nil
}

func (m *memory) LastEvents(_ context.Context, of []pgrun.WindowRow) ([]time.Time, error) {
	out := make([]time.Time, len(of))
	for i, w := range of {
		out[i] = m.last[w.WindowKey]
	}
	return out, nil
}

func (m *memory) Throttles(_ context.Context, of []pgrun.ThrottleRow) (found []pgrun.ThrottleRow, err error) {
	for _, t := range of {
		if row, ok := m.units[t.StepID]; ok {
			found = append(found, row)
		}
	}
	return found, nil
}

// came makes the run of an event that came at a minute, and takes it to its first shared step.
func came(t *testing.T, b *batch, definition workflow.Definition, eventID string, at int, payload map[string]any) *run {
	t.Helper()
	s := eventOf(b.executor, definition)
	s.ID, s.now = eventID, minute(at)
	if payload != nil {
		s.Payload = payload
	}
	r := b.newRun(s, person("ann"))
	r.row.ID = "run-" + eventID
	b.advance(t.Context(), r)
	return r
}

func digest(c workflow.DigestControls) workflow.Step {
	return workflow.Step{ID: "s-digest", StepID: "digest", Type: workflow.StepDigest, Digest: &c}
}

func tenMinutes() workflow.DigestControls {
	return workflow.DigestControls{Type: workflow.DigestRegular, Amount: 10, Unit: workflow.UnitMinutes}
}

func digested(c workflow.DigestControls) workflow.Definition {
	return workflow.Definition{Steps: []workflow.Step{digest(c), inApp("bell", "{{step.total_count}}")}}
}

func TestRunsShareADigestWindow(t *testing.T) {
	t.Parallel()
	b := newExecutor(t).newBatch()
	third := came(t, b, digested(tenMinutes()), "3", 2, nil)
	first := came(t, b, digested(tenMinutes()), "1", 0, nil)
	second := came(t, b, digested(tenMinutes()), "2", 1, nil)
	require.Len(t, b.shared, 3, "they stop at the step")
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))

	require.Equal(t, workflow.RunWaiting, first.row.Status, "the one that came first opens the window")
	require.Equal(t, minute(10), *first.row.DueAt)
	for _, r := range []*run{second, third} {
		require.Equal(t, workflow.RunMerged, r.row.Status)
		require.Nil(t, r.row.DueAt)
		require.NotNil(t, r.row.FinishedAt)
		require.Equal(t, first.row.DigestID, r.row.DigestID)
		require.Equal(t, []string{"digest merged", "bell merged"}, reasons(r))
		require.Equal(t, "into the run run-1", r.row.Trace[0].Detail)
		require.NotEmpty(t, r.row.State, "it may have to take the window over")
	}
	require.Len(t, b.windows, 1)
	w := b.windows[0]
	require.Equal(t, []any{"open", "run-1", 3, minute(0), minute(10), minute(2)}, []any{w.Status, w.NotificationID, w.Total, w.OpenedAt, w.ClosesAt, w.LastEventAt})
	require.Empty(t, b.nudged)
}

func TestWindowsOfOtherKeysAreOthers(t *testing.T) {
	t.Parallel()
	b := newExecutor(t).newBatch()
	controls := tenMinutes()
	controls.DigestKey = "post"
	for i, post := range []string{"b", "a", "b"} {
		came(t, b, digested(controls), string(rune('1'+i)), i, map[string]any{"post": post})
	}
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))
	require.Len(t, b.windows, 2)
	require.Equal(t, []any{`"a"`, 1, `"b"`, 2}, []any{b.windows[0].DigestKey, b.windows[0].Total, b.windows[1].DigestKey, b.windows[1].Total}, "in the order of their locks")
}

func TestDigestWindowThatIsOpen(t *testing.T) {
	t.Parallel()
	key := func(r *run) pgrun.WindowKey {
		return pgrun.WindowKey{EnvironmentID: "env", WorkflowID: "workflow", StepID: "digest", SubscriberID: r.row.SubscriberID}
	}
	stored := func(r *run, closes int) *memory {
		w := pgrun.WindowRow{WindowKey: key(r), ID: "w", NotificationID: "opener", Status: "open", OpenedAt: minute(-5), ClosesAt: minute(closes), LastEventAt: minute(-5), Total: 4}
		return &memory{open: map[pgrun.WindowKey]pgrun.WindowRow{w.WindowKey: w}}
	}

	b := newExecutor(t).newBatch()
	controls := tenMinutes()
	controls.UpdateMode = true
	r := came(t, b, digested(controls), "1", 0, nil)
	came(t, b, digested(controls), "2", 1, nil)
	require.NoError(t, b.applySharedSteps(t.Context(), stored(r, 5)))
	require.Equal(t, workflow.RunMerged, r.row.Status)
	require.Equal(t, []any{"w", 6, minute(1)}, []any{b.windows[0].ID, b.windows[0].Total, b.windows[0].LastEventAt})
	require.Equal(t, []string{"opener"}, b.nudged, "the run that shows the window looks at it once")
	require.Equal(t, []time.Time{minute(0)}, b.nudgedAt)

	b = newExecutor(t).newBatch()
	late := eventOf(b.executor, digested(controls))
	late.CreatedAt, late.now = minute(1), minute(30)
	b.advance(t.Context(), b.newRun(late, person("ann")))
	require.NoError(t, b.applySharedSteps(t.Context(), stored(r, 5)))
	require.Equal(t, 5, b.windows[0].Total, "it was accepted in time")
	require.Equal(t, []time.Time{minute(30)}, b.nudgedAt, "the window's run is not taken back behind its end")

	b = newExecutor(t).newBatch()
	r = came(t, b, digested(tenMinutes()), "1", 0, nil)
	require.NoError(t, b.applySharedSteps(t.Context(), stored(r, -1)))
	require.Equal(t, workflow.RunWaiting, r.row.Status, "a window whose end has come takes no more")
	require.Equal(t, []string{"closed", "open"}, []string{b.windows[0].Status, b.windows[1].Status})
	require.NotEqual(t, "w", r.row.DigestID)
}

func TestLookBackDigest(t *testing.T) {
	t.Parallel()
	controls := tenMinutes()
	controls.Backoff, controls.BackoffAmount, controls.BackoffUnit = true, 5, workflow.UnitMinutes
	b := newExecutor(t).newBatch()
	passes, opens, joins := came(t, b, digested(controls), "1", 0, nil), came(t, b, digested(controls), "2", 3, nil), came(t, b, digested(controls), "3", 4, nil)
	later := came(t, b, digested(controls), "4", 60, nil)
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))
	require.Equal(t, []string{"digest digest_passed", "bell sent", "run completed"}, reasons(passes))
	require.Equal(t, []workflow.RunStatus{workflow.RunCompleted, workflow.RunWaiting, workflow.RunMerged}, []workflow.RunStatus{passes.row.Status, opens.row.Status, joins.row.Status})
	require.Equal(t, workflow.RunCompleted, later.row.Status, "nothing came within the look-back")
	require.Len(t, b.messages, 2)

	b = newExecutor(t).newBatch()
	r := came(t, b, digested(controls), "1", 0, nil)
	last := map[pgrun.WindowKey]time.Time{{EnvironmentID: "env", WorkflowID: "workflow", StepID: "digest", SubscriberID: "id-ann"}: minute(-3)}
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{last: last}))
	require.Equal(t, workflow.RunWaiting, r.row.Status, "an earlier event is looked back upon")
}

func TestDigestThatIsShownWhileItIsOpen(t *testing.T) {
	t.Parallel()
	controls := tenMinutes()
	controls.UpdateMode = true
	b := newExecutor(t).newBatch()
	r := came(t, b, digested(controls), "1", 0, nil)
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))
	require.Len(t, b.messages, 1)
	require.JSONEq(t, `{"text": "1"}`, string(b.messages[0].Content))
	require.Equal(t, []string{"bell"}, r.digest.Early)
	require.Equal(t, 1, r.digest.Shown)
	require.Equal(t, workflow.RunWaiting, r.row.Status)
}

// TestWindowsHoldWhatWasAcceptedInTheirTime: however late the fan-out takes place.
func TestWindowsHoldWhatWasAcceptedInTheirTime(t *testing.T) {
	t.Parallel()
	r := &run{event: &EventContext{now: minute(30)}}
	require.Equal(t, minute(30), r.enteredAt())
	r.event.CreatedAt = minute(2)
	require.Equal(t, minute(2), r.enteredAt())
	r.stored = true
	require.Equal(t, minute(30), r.enteredAt(), "a run that has waited comes to the step now")
	r.stored, r.event.CreatedAt = false, minute(31)
	require.Equal(t, minute(30), r.enteredAt())
}

func TestThrottle(t *testing.T) {
	t.Parallel()
	throttled := workflow.Definition{Steps: []workflow.Step{
		{ID: "s-limit", StepID: "limit", Type: workflow.StepThrottle, Throttle: &workflow.ThrottleControls{Threshold: new(2), Amount: 10, Unit: workflow.UnitMinutes}},
		inApp("bell", "x"),
	}}
	b := newExecutor(t).newBatch()
	var runs []*run
	for i, at := range []int{2, 1, 0, 11} { // the one that came last is the first of the list
		runs = append(runs, came(t, b, throttled, string(rune('a'+i)), at, nil))
	}
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))
	require.Equal(t, []string{"limit throttled", "bell throttled"}, reasons(runs[0]))
	require.Equal(t, workflow.RunSkipped, runs[0].row.Status)
	for _, r := range runs[1:] {
		require.Equal(t, []string{"limit throttle_passed", "bell sent", "run completed"}, reasons(r))
	}
	require.Len(t, b.throttles, 1)
	require.Equal(t, 1, b.throttles[0].Used, "of the next window")

	b = newExecutor(t).newBatch()
	r := came(t, b, throttled, "a", 5, nil)
	full := pgrun.ThrottleRow{
		ID: "kept", EnvironmentID: "env", WorkflowID: "workflow", StepID: "limit", SubscriberID: "id-ann",
		ThrottleState: workflow.ThrottleState{StartsAt: noon, EndsAt: minute(10), Used: 2},
	}
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{units: map[string]pgrun.ThrottleRow{"limit": full}}))
	require.Equal(t, workflow.RunSkipped, r.row.Status)
	require.Empty(t, b.throttles, "nothing has changed")
}

// TestSharedStepsFollowEachOther: a run that a throttle lets through may come to a digest, within the same transaction.
func TestSharedStepsFollowEachOther(t *testing.T) {
	t.Parallel()
	definition := digested(tenMinutes())
	definition.Steps = append([]workflow.Step{{
		ID: "s-limit", StepID: "limit", Type: workflow.StepThrottle, Throttle: &workflow.ThrottleControls{Amount: 1, Unit: workflow.UnitHours},
	}}, definition.Steps...)
	b := newExecutor(t).newBatch()
	r := came(t, b, definition, "1", 0, nil)
	require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))
	require.Equal(t, []string{"limit throttle_passed", "digest waiting"}, reasons(r))
	require.Empty(t, b.shared)
}

func TestDigestsOfARun(t *testing.T) {
	t.Parallel()
	r := &run{event: &EventContext{}}
	r.event.Payload = map[string]any{"n": 1}
	require.Empty(t, r.digests())
	require.Equal(t, 1, r.weight(), "its own event")
	require.Nil(t, r.digestView())
	r.addDigest(digestState{StepID: "one"})
	r.addDigest(digestState{StepID: "two"})
	require.Equal(t, []digestState{{StepID: "one"}, {StepID: "two"}}, r.digests())
	require.Equal(t, []digestState{{StepID: "one"}}, r.earlier)
	r.setDigest("one", &plan.Collected{Total: 3})
	r.setDigest("two", &plan.Collected{Total: 5})
	require.Equal(t, 5, r.weight(), "the last one counts")
	require.Equal(t, 3, r.results["one"].Digest.Total)
	require.Equal(t, true, r.digestView()["digest"])
}
