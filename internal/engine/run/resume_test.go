package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/plan"
)

func TestWindowOf(t *testing.T) {
	t.Parallel()
	windows := []pgrun.WindowRow{{ID: "a"}, {ID: "b"}}
	require.Equal(t, []string{"a", "b"}, windowIDs(windows))
	require.Same(t, &windows[1], windowOf(windows, "b"))
	require.Nil(t, windowOf(windows, ""))
}

// TestRunMovesToTheLatestVersion: behind the last of its steps that there still is, or at the step that it is held at.
func TestRunMovesToTheLatestVersion(t *testing.T) {
	t.Parallel()
	e := newExecutor(t)
	latest := func(ids ...string) workflow.Definition {
		d := workflow.Definition{Versioning: workflow.VersionLatest}
		for _, id := range ids {
			d.Steps = append(d.Steps, inApp(id, "x"))
		}
		return d
	}
	for _, c := range []struct {
		name     string
		position int
		waited   *plan.Waited
		newest   []string
		want     int
		over     []string
	}{
		{"Unchanged", 2, &plan.Waited{}, []string{"a", "b", "c"}, 2, nil},
		{"OneBefore", 2, &plan.Waited{}, []string{"a", "new", "b", "c"}, 3, []string{"new passed_over"}},
		{"OneBehind", 2, &plan.Waited{}, []string{"a", "b", "new", "c"}, 2, nil},
		{"LastIsGone", 2, &plan.Waited{}, []string{"a", "c"}, 1, nil},
		{"AllAreGone", 2, &plan.Waited{}, []string{"x", "y"}, 0, nil},
		{"HeldAtAStep", 2, nil, []string{"c", "a", "b"}, 0, nil},
	} {
		left := eventOf(e, latest("a", "b", "c")).definition
		r := &run{event: eventOf(e, latest(c.newest...)), row: pgrun.NotificationRow{Position: c.position, VersionID: "left"}, waited: c.waited}
		r.event.VersionID = "newest"
		r.continueWith(reopened{event: r.event, previous: left})
		require.Equal(t, c.want, r.row.Position, c.name)
		require.Equal(t, c.over, reasons(r), c.name)
		require.Equal(t, "newest", r.row.VersionID, c.name)
		require.Len(t, r.passed, 2, c.name)
	}
	r := &run{event: eventOf(e, latest("a", "b")), row: pgrun.NotificationRow{Position: 1, VersionID: "left"}}
	r.continueWith(reopened{event: r.event})
	require.Equal(t, []any{1, "left", 1}, []any{r.row.Position, r.row.VersionID, len(r.passed)}, "it rests with the latest already")
	r = &run{event: eventOf(e, workflow.Definition{Steps: latest("a").Steps}), row: pgrun.NotificationRow{Position: 1}}
	r.continueWith(reopened{event: r.event})
	require.Nil(t, r.passed, "a workflow that does not follow its versions keeps no list")
}

func TestOrphanEnds(t *testing.T) {
	t.Parallel()
	b := newExecutor(t).newBatch()
	r := &run{row: pgrun.NotificationRow{EnvironmentID: "env", Status: workflow.RunWaiting, DueAt: new(noon), DigestID: "window"}}
	b.endOrphan(r)
	require.Equal(t, []any{workflow.RunCancelled, noon}, []any{r.row.Status, *r.row.FinishedAt})
	require.Nil(t, r.row.DueAt)
	require.Equal(t, []string{"run cancelled"}, reasons(r))
	require.Equal(t, []string{"window"}, b.vanished)
	require.Len(t, b.runs, 1)
}

// TestDigestEnds: a run closes its window when the end has come, and covers what the window holds.
func TestDigestEnds(t *testing.T) {
	t.Parallel()
	waiting := func(t *testing.T, updates bool) *run {
		t.Helper()
		controls := tenMinutes()
		controls.UpdateMode = updates
		b := newExecutor(t).newBatch()
		r := came(t, b, digested(controls), "1", 0, nil)
		require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))
		r.window = &b.windows[0]
		r.restoreState()
		r.setDigest("digest", &plan.Collected{Events: []any{map[string]any{}, map[string]any{}}, Total: 2})
		return r
	}

	r, b := waiting(t, false), newExecutor(t).newBatch()
	b.resume(t.Context(), r)
	require.Empty(t, reasons(r), "the end has not come")
	require.Equal(t, minute(10), *r.row.DueAt)
	require.Empty(t, b.windows)
	require.Equal(t, workflow.RunWaiting, r.row.Status)

	r, b = waiting(t, false), newExecutor(t).newBatch()
	r.event.now = minute(10)
	b.resume(t.Context(), r)
	require.Equal(t, []string{"digest continued", "bell sent", "run completed"}, reasons(r))
	require.Equal(t, "closed", b.windows[0].Status)
	require.JSONEq(t, `{"text": "2"}`, string(b.messages[0].Content))

	r, b = waiting(t, true), newExecutor(t).newBatch()
	b.resume(t.Context(), r)
	require.Len(t, b.reshown, 1, "the message shows what the window holds now")
	require.JSONEq(t, `{"text": "2"}`, string(b.reshown[0].Content.Content))
	require.Equal(t, 2, r.digest.Shown)
	b.resume(t.Context(), r)
	require.Len(t, b.reshown, 1, "it shows it already")

	r, b = waiting(t, false), newExecutor(t).newBatch()
	r.window = nil // it was closed by an event that came after its end
	b.resume(t.Context(), r)
	require.Empty(t, b.windows)
	require.Equal(t, workflow.RunCompleted, r.row.Status)
}

// TestDigestStaysOpen: outside the subscriber's hours a run moves the end of its window instead of closing it, and counts that; one
// whose window an event has kept open before puts it on its trace all the same.
func TestDigestStaysOpen(t *testing.T) {
	t.Parallel()
	opens := minute(60) // at one o'clock
	controls := tenMinutes()
	controls.ExtendToSchedule = true
	waiting := func(t *testing.T, now int) (*run, *batch) {
		t.Helper()
		b := newExecutor(t).newBatch()
		r := came(t, b, digested(controls), "1", 0, nil)
		require.NoError(t, b.applySharedSteps(t.Context(), &memory{}))
		r.window = &b.windows[0]
		r.restoreState()
		r.subscriber.Schedule = &calendar.Schedule{IsEnabled: true, WeeklySchedule: map[string]calendar.DaySchedule{
			"saturday": {IsEnabled: true, Hours: []calendar.TimeRange{{Start: "01:00 PM", End: "02:00 PM"}}},
		}}
		r.setDigest("digest", &plan.Collected{Events: []any{map[string]any{}}, Total: 1})
		r.event.now = minute(now)
		return r, newExecutor(t).newBatch()
	}

	for _, end := range []int{10, 60} { // as the window says it: its own, or moved by an event
		r, b := waiting(t, 10)
		r.window.ClosesAt = minute(end)
		b.resume(t.Context(), r)
		require.Equal(t, []string{"digest held"}, reasons(r))
		require.Equal(t, []any{workflow.RunWaiting, opens}, []any{r.row.Status, *r.row.DueAt})
		require.Len(t, b.windows, 1)
		require.Equal(t, []any{"open", opens}, []any{b.windows[0].Status, b.windows[0].ClosesAt})
		r.restoreState()
		require.Equal(t, []any{1, false}, []any{r.waited.Extended, r.digest.Closed})

		b = newExecutor(t).newBatch() // it is asked to show what came, or found by two workers
		r.event.now = minute(59)
		b.resume(t.Context(), r)
		require.Empty(t, reasons(r))
		require.Empty(t, b.windows)
		require.Equal(t, opens, *r.row.DueAt)
		r.restoreState()
		require.Equal(t, 1, r.waited.Extended)

		b = newExecutor(t).newBatch()
		r.event.now = opens
		b.resume(t.Context(), r)
		require.Equal(t, []string{"digest continued", "bell sent", "run completed"}, reasons(r))
		require.Equal(t, []any{"closed", opens}, []any{b.windows[0].Status, b.windows[0].ClosesAt})
	}

	r, b := waiting(t, 10)
	r.waited.Extended = 10
	r.window.ClosesAt = opens
	b.resume(t.Context(), r)
	require.Equal(t, workflow.RunCompleted, r.row.Status, "not again and again")
	require.Equal(t, []any{"closed", minute(10)}, []any{b.windows[0].Status, b.windows[0].ClosesAt})

	r, b = waiting(t, 10)
	r.event.WorkflowActive = false
	b.resume(t.Context(), r)
	require.Equal(t, workflow.RunCancelled, r.row.Status)
	require.Equal(t, "closed", b.windows[0].Status)

	r, b = waiting(t, 10)
	r.window = nil // closed by hand
	b.resume(t.Context(), r)
	require.Equal(t, []string{"digest held"}, reasons(r), "its run waits for the hours")
	require.Equal(t, opens, *r.row.DueAt)
	r.restoreState()
	require.True(t, r.digest.Closed)
}

func TestAwaitBackpressure(t *testing.T) {
	t.Parallel()
	asked := 0
	f := &FanOut{newExecutor(t, func(cfg *state.Config) { cfg.Backpressure = func() bool { asked++; return asked < 4 } })}
	f.AwaitBackpressure(t.Context())
	require.Equal(t, 4, asked, "until no caller queues")
	busy := 0
	f = &FanOut{newExecutor(t, func(cfg *state.Config) { cfg.Backpressure = func() bool { busy++; return true } })}
	f.AwaitBackpressure(t.Context())
	require.Equal(t, pauses, busy, "but not for ever")
}
