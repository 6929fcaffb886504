package run

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// TestTakeOver says how a run continues from each place (semantics.md §3.12).
func TestTakeOver(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	later := now.Add(time.Hour)
	own := runState{Digest: &digestState{StepID: "first", ID: "d1"}, Results: map[string]plan.StepResult{"before": {Seen: true}}}
	merged := pgrun.NotificationRow{
		ID: "next", Status: workflow.RunMerged, Position: 2, VersionID: "old", DigestID: "d1", FinishedAt: &now, State: state.AsJSON(own),
	}
	closed := &digestState{StepID: "first", ID: "d1", Closed: true}
	place := func(status workflow.RunStatus, dueAt *time.Time, saved runState) *pgrun.Place {
		return &pgrun.Place{At: now, Next: merged, Since: now, Single: true, Run: pgrun.NotificationRow{
			ID: "former", Status: status, Position: 4, VersionID: "new", DueAt: dueAt, State: state.AsJSON(saved),
		}}
	}
	taken := func(steps ...string) []formerRun { return []formerRun{{RunID: "former", Steps: steps}} }
	read := func(c *pgrun.Continuation) (saved runState) {
		require.NoError(t, json.Unmarshal(c.Next.State, &saved))
		return saved
	}
	ownResult := map[string]plan.StepResult{"before": {Seen: true}}

	t.Run("Waits", func(t *testing.T) {
		t.Parallel()
		waited := &plan.Waited{}
		c := TakeOver(place(workflow.RunWaiting, &later, runState{Digest: closed, Waited: waited, Results: map[string]plan.StepResult{
			"before": {Read: true}, "mail": {Sent: true}, "sms": {Pending: true}, "own": {Response: json.Number("12345678901234567890")},
		}}))
		require.Equal(t, []any{workflow.RunWaiting, 4, "new", &later, (*time.Time)(nil)},
			[]any{c.Next.Status, c.Next.Position, c.Next.VersionID, c.Next.DueAt, c.Next.FinishedAt})
		require.Equal(t, runState{Digest: closed, Waited: waited, Former: taken("mail", "own", "sms"), Results: map[string]plan.StepResult{
			"before": {Seen: true}, "mail": {Sent: true}, "sms": {Failed: true}, "own": {Response: json.Number("12345678901234567890")},
		}}, read(c), "its own results come first, and what was withdrawn has failed")
		require.Empty(t, c.Shown)
		require.Equal(t, workflow.ReasonContinued, c.Next.Trace[0].Reason)
	})

	t.Run("WaitsInAnOpenWindow", func(t *testing.T) {
		t.Parallel()
		open := &digestState{StepID: "second", ID: "d2", Early: []string{"shown"}}
		c := TakeOver(place(workflow.RunWaiting, &later, runState{Digest: open, Earlier: []digestState{*closed}}))
		require.Equal(t, runState{Digest: open, Earlier: []digestState{*closed}, Results: ownResult, Former: taken()}, read(c))
		require.Equal(t, []string{"shown"}, c.Shown)
	})

	t.Run("WasMergedIntoAnOpenWindow", func(t *testing.T) {
		t.Parallel()
		p := place(workflow.RunMerged, nil, runState{})
		p.Run.DigestID, p.Run.FinishedAt = "d2", &later
		c := TakeOver(p)
		require.Equal(t, []any{workflow.RunMerged, (*time.Time)(nil), &later, "d2"}, []any{c.Next.Status, c.Next.DueAt, c.Next.FinishedAt, c.Next.DigestID})
	})

	reached := []workflow.StepRef{{StepID: "first"}, {StepID: "mail"}}
	for name, c := range map[string]struct {
		step     string
		messages []pgrun.PlaceMessage
		position int
		reached  []workflow.StepRef
	}{
		"AwaitsWhatWasWithdrawn":     {"mail", []pgrun.PlaceMessage{{StepID: "mail", Failed: true}, {StepID: "push", Open: true}}, 3, reached[:1]},
		"AwaitsWhatIsUnderWay":       {"mail", []pgrun.PlaceMessage{{StepID: "mail", Open: true}}, 4, reached},
		"AwaitsWhatIsNotItsLastStep": {"other", nil, 4, reached},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := place(workflow.RunPending, nil, runState{Awaiting: "mail", Reached: reached, Results: map[string]plan.StepResult{"mail": {Pending: true}}})
			p.Step, p.Messages = c.step, c.messages
			next := TakeOver(p).Next
			require.Equal(t, []any{workflow.RunPending, c.position, &now}, []any{next.Status, next.Position, next.DueAt})
			require.Equal(t, runState{Results: ownResult, Reached: c.reached, Former: taken()}, read(&pgrun.Continuation{Next: next}))
		})
	}

	t.Run("HadReachedAllItsSteps", func(t *testing.T) {
		t.Parallel()
		p := place(workflow.RunPending, nil, runState{})
		p.Messages = []pgrun.PlaceMessage{
			{StepID: "before", CreatedAt: now.Add(-time.Minute)}, {StepID: "sent", CreatedAt: now}, {StepID: "sent", CreatedAt: now}, {StepID: "failed", CreatedAt: later, Failed: true},
		}
		c := TakeOver(p)
		require.Equal(t, []any{workflow.RunWaiting, 2, "old", &now, (*time.Time)(nil), "d1"},
			[]any{c.Next.Status, c.Next.Position, c.Next.VersionID, c.Next.DueAt, c.Next.FinishedAt, c.Next.DigestID})
		require.Equal(t, runState{Results: ownResult, Digest: &digestState{StepID: "first", ID: "d1", Closed: true, Early: []string{"sent"}}}, read(c))
		p.Single = false
		require.Nil(t, TakeOver(p), "behind several windows")
	})
}
