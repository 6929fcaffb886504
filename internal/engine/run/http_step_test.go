package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/httpstep"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

func custom(changes ...func(*workflow.Step)) workflow.Step {
	step := workflow.Step{ID: "s-ask", StepID: "ask", Type: workflow.StepCustom, Custom: &workflow.CustomControls{URL: " https://app.example/{{payload.text}} "}}
	for _, change := range changes {
		change(&step)
	}
	return step
}

// asking is a run at its custom step, taken up again as a worker does, and its batch.
func asking(t *testing.T, step workflow.Step) (*batch, *run) {
	t.Helper()
	e := newExecutor(t)
	b := e.newBatch()
	s := eventOf(e, workflow.Definition{Steps: []workflow.Step{step, inApp("bell", "{{steps.ask.response.plan}}")}})
	r := b.newRun(s, person("ann"))
	r.row.ID = "run"
	b.advance(t.Context(), r)
	require.Equal(t, []any{workflow.RunPending, noon}, []any{r.row.Status, *r.row.DueAt}, "it is due until a worker sends the request")
	r.restoreState()
	return e.newBatch(), r
}

func admitted(*run, string) bool { return true }

func TestRequestOfAnHTTPStep(t *testing.T) {
	t.Parallel()
	b, r := asking(t, custom(func(s *workflow.Step) { s.Custom.Headers = map[string]string{"X-Who": "{{subscriber.subscriberId}}"} }))
	step := b.beginHTTPStep(t.Context(), r, admitted)
	require.NotNil(t, step)
	request := step.call.Request
	require.Equal(t, []string{"POST", "https://app.example/hello", "ann"}, []string{request.Method, request.URL, request.Header.Get("X-Who")})
	body := request.Body.(*provider.JSON).Root.(map[string]any)
	require.Equal(t, []any{"txn", "welcome", "ask", map[string]any{"text": "hello"}}, []any{body["transactionId"], body["workflow"], body["stepId"], body["payload"]})

	b, r = asking(t, custom(func(s *workflow.Step) { s.Custom.URL = "{{ 1 | nofilter }}" }))
	require.Nil(t, b.beginHTTPStep(t.Context(), r, admitted), "it cannot be made")
	require.Equal(t, "ask render_failed", reasons(r)[0])
	require.Contains(t, r.row.Trace[0].Detail, "url: ")
}

func TestBeginOfAnHTTPStep(t *testing.T) {
	t.Parallel()
	b, r := asking(t, custom())
	step := b.beginHTTPStep(t.Context(), r, admitted)
	require.Equal(t, []any{"run", 1, httpstep.Timeout}, []any{step.runID, step.attempt, step.call.Timeout})
	require.Empty(t, reasons(r))
	require.Greater(t, time.Until(*r.httpStep.Until), httpstep.Timeout, "the lease outlasts the request")

	r.restoreState()
	require.Equal(t, 1, r.httpStep.Attempt, "the lease is stored")
	require.Equal(t, 2, b.beginHTTPStep(t.Context(), r, admitted).attempt)
	require.Equal(t, []string{"ask recovered", "ask duplicate_possible"}, reasons(r), "the process ended during the first request")

	b, r = asking(t, custom(func(s *workflow.Step) { s.Custom.TimeoutSeconds = 3 }))
	require.Equal(t, 3*time.Second, b.beginHTTPStep(t.Context(), r, admitted).call.Timeout)

	b, r = asking(t, custom())
	r.httpStep.StepID = "another"
	require.Nil(t, b.beginHTTPStep(t.Context(), r, admitted), "the version has another step there")
	require.Equal(t, []string{}, append([]string{}, reasons(r)...), "which is called as a step of its own")
	require.Equal(t, "ask", r.httpStep.StepID)
}

// TestHTTPStepOfACrowdedServer is deferred as it is: its tries do not count it.
func TestHTTPStepOfACrowdedServer(t *testing.T) {
	t.Parallel()
	b, r := asking(t, custom())
	r.httpStep.Since = noon.Add(-4 * time.Minute)
	require.Nil(t, b.beginHTTPStep(t.Context(), r, func(_ *run, server string) bool {
		require.Equal(t, "https://app.example", server)
		return false
	}))
	require.WithinRange(t, *r.row.DueAt, noon.Add(time.Minute), noon.Add(90*time.Second), "by how long it has waited")
	require.Equal(t, []*run{r}, b.runs)
	r.restoreState()
	require.Equal(t, []any{0, (*time.Time)(nil)}, []any{r.httpStep.Attempt, r.httpStep.Until})
	require.Empty(t, reasons(r))
}

// TestServers: only a server that is slow has a bounded number of requests under way, and only for a while.
func TestServers(t *testing.T) {
	t.Parallel()
	s := &servers{most: 2, of: map[string]*server{}, under: map[string]int{}}
	for range 3 {
		require.True(t, s.enter("env", "a", noon, false), "it answers in time")
	}
	s.slow("a", noon)
	require.False(t, s.enter("env", "a", noon, false))
	require.True(t, s.enter("env", "b", noon, false))
	require.True(t, s.enter("env", "a", noon, true))
	require.True(t, s.enter("env", "a", noon.Add(slowServerFor), false))
	for range 5 {
		s.leave("env", "a", noon)
	}
	s.leave("env", "b", noon)
	require.Len(t, s.of, 1, "it is known for as long as it is slow")
	require.True(t, s.enter("env", "b", noon, false))
	s.leave("env", "b", noon.Add(slowServerFor))
	require.Empty(t, s.of)
}

// TestFullEnvironments: an environment has as many requests under way as are left beside them.
func TestFullEnvironments(t *testing.T) {
	t.Parallel()
	s := &servers{most: 2, of: map[string]*server{}, under: map[string]int{}}
	const places = 6
	enter := func(environments ...string) {
		for _, e := range environments {
			require.True(t, s.enter(e, "server", noon, false))
		}
	}
	enter("a", "a")
	require.Empty(t, s.full(places))
	enter("a")
	require.Equal(t, []string{"a"}, s.full(places))
	enter("b")
	require.Equal(t, []string{"a"}, s.full(places))
	enter("b")
	require.Equal(t, []string{"a", "b"}, s.full(places), "one place is left for a third")
	for _, e := range []string{"a", "a", "a", "b", "b"} {
		s.leave(e, "server", noon)
	}
	require.Empty(t, s.full(places))
	require.Empty(t, s.under)
}

func TestAnswerOfAnHTTPStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		failure *provider.Error
		change  func(*workflow.Step)
		attempt int
		status  workflow.RunStatus
		wait    time.Duration // until the next request; 0: there is none
		result  plan.StepResult
		reasons []string
	}{
		{
			"Answered", nil, nil, 1, workflow.RunCompleted, 0,
			plan.StepResult{Sent: true, Response: map[string]any{"plan": "gold"}},
			[]string{"ask called", "bell sent", "run completed"},
		},
		{
			"Retried", &provider.Error{Class: provider.Transient}, nil, 1, workflow.RunPending, 2 * time.Second,
			plan.StepResult{},
			[]string{"ask retry"},
		},
		{
			"RetriedAsItAsks", &provider.Error{Class: provider.Transient, RetryAfter: time.Minute}, nil, 1, workflow.RunPending, time.Minute,
			plan.StepResult{},
			[]string{"ask retry"},
		},
		{
			"Exhausted", &provider.Error{Class: provider.Transient}, nil, 3, workflow.RunFailed, 0,
			plan.StepResult{Failed: true},
			[]string{"ask attempts_exhausted", "ask stop_on_fail"},
		},
		{
			"Refused", &provider.Error{Class: provider.Permanent}, nil, 1, workflow.RunFailed, 0,
			plan.StepResult{Failed: true},
			[]string{"ask rejected", "ask stop_on_fail"},
		},
		{
			"Unknown", &provider.Error{Class: provider.Unknown}, nil, 1, workflow.RunPending, 2 * time.Second,
			plan.StepResult{},
			[]string{"ask outcome_unknown", "ask duplicate_possible"},
		},
		{
			"UnknownStops", &provider.Error{Class: provider.Unknown}, func(s *workflow.Step) { s.UnknownOutcome = workflow.UnknownStop }, 1,
			workflow.RunFailed, 0,
			plan.StepResult{Failed: true},
			[]string{"ask outcome_unknown", "ask stop_on_fail"},
		},
		{
			"Deadline", &provider.Error{Class: provider.Transient}, func(s *workflow.Step) { s.DeadlineSeconds = 1 }, 1,
			workflow.RunFailed, 0,
			plan.StepResult{Failed: true},
			[]string{"ask attempts_exhausted", "ask stop_on_fail"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			step := custom()
			if c.change != nil {
				c.change(&step)
			}
			b, r := asking(t, step)
			r.httpStep.Attempt, r.httpStep.Until = c.attempt, new(time.Now())
			b.applyHTTPResponse(t.Context(), r, map[string]any{"plan": "gold"}, c.failure)
			require.Equal(t, c.status, r.row.Status)
			require.Equal(t, c.result, r.results["ask"])
			require.Equal(t, c.reasons, reasons(r))
			require.Equal(t, c.attempt, r.row.Trace[0].Attempt)
			if c.wait == 0 {
				require.Nil(t, r.row.DueAt)
				return
			}
			require.Equal(t, noon.Add(c.wait), *r.row.DueAt)
			require.Nil(t, r.httpStep.Until, "the lease is given up")
		})
	}
}

// TestAnswerToAStepThatIsGone: the answer is kept, and a failed request is not sent again.
func TestAnswerToAStepThatIsGone(t *testing.T) {
	t.Parallel()
	for _, failure := range []*provider.Error{nil, {Class: provider.Transient}} {
		b, r := asking(t, custom())
		r.event = eventOf(b.executor, workflow.Definition{Steps: []workflow.Step{inApp("bell", "{{steps.ask.response}}")}})
		b.applyHTTPResponse(t.Context(), r, "gold", failure)
		require.Equal(t, failure == nil, r.results["ask"].Sent)
		require.Equal(t, failure != nil, r.results["ask"].Failed)
		require.Nil(t, r.httpStep)
		require.Equal(t, workflow.RunCompleted, r.row.Status)
	}
}
