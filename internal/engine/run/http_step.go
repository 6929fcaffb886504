package run

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/httpstep"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// A custom step sends an HTTP request to an address of the operator's, outside any transaction: the run is suspended at the
// step with the state of the request. The worker that sends it stores a lease there first, and records the answer if the lease
// is still its own. When a process dies in between, the request is sent once more and the trace says so.

// httpStepState is the state of a run at an HTTP step.
type httpStepState struct {
	StepID  string     `json:"stepId"`
	Attempt int        `json:"attempt"`         // requests begun
	Since   time.Time  `json:"since"`           // when the step was reached, by the environment's clock
	Until   *time.Time `json:"until,omitempty"` // real time until which a worker has it leased
}

// HTTPStep is one request of a custom step under way.
type HTTPStep struct {
	runID         string
	environmentID string
	attempt       int
	server        string
	call          httpstep.Call
}

// requestLease is how long a worker has a step to itself beyond the time limit of the request.
const requestLease = 20 * time.Second

// awaitHTTPStep suspends the run at its custom step until a worker has sent the request.
func (r *run) awaitHTTPStep(d *plan.Decision) {
	if r.watch != nil {
		r.watch(d, nil)
	}
	r.row.Position, r.row.Status = d.Position-1, workflow.RunPending
	r.row.DueAt, r.row.FinishedAt = &r.event.now, nil
	r.httpStep = &httpStepState{StepID: d.Step.StepID, Since: r.event.now}
	r.row.State = state.AsJSON(r.state(r.plan.Results()))
}

// HTTPSteps sends the requests of custom steps.
type HTTPSteps struct {
	*Executor
	places  state.Places
	servers servers
	room    func() // is called when a request has ended: there is a place for another
	passed  passed
}

// passed is which environments were passed over by a look that found nothing of others, and until when none is made of the same kind: it
// reads all that those have due.
type passed struct {
	environments []string
	until        time.Time
}

// NewHTTPSteps returns HTTPSteps that call room when another request may begin.
func NewHTTPSteps(e *Executor, room func()) *HTTPSteps {
	return &HTTPSteps{
		Executor: e, room: room, places: make(state.Places, e.HTTPSteps()),
		servers: servers{most: e.AttemptsPerIntegration, of: map[string]*server{}, under: map[string]int{}},
	}
}

// Claim takes the custom steps that are due, as many as there are places for requests, and leases each. Those of an environment that has as
// many requests under way as are left to others are passed over. One whose request cannot be rendered ends here; one whose server is slow
// and has as many requests under way as it may is deferred. Claims follow one another.
func (h *HTTPSteps) Claim(ctx context.Context) (steps []HTTPStep, found int, err error) {
	places := h.places.Take(min(queue.MessagesPerSend, (cap(h.places)-len(h.places)+1)/2)) // all may be of one environment
	defer func() { h.places.Give(places - len(steps)) }()
	full := h.servers.full(cap(h.places))
	if places == 0 || len(full) > 0 && slices.Equal(full, h.passed.environments) && time.Now().Before(h.passed.until) {
		return nil, 0, nil
	}
	var b *batch
	err = h.InTx(ctx, func(ctx context.Context, tx pgx.Tx) (err error) {
		h.leave(steps) // of a try that failed
		b, steps = h.newBatch(), nil
		rows, err := pgrun.ClaimHTTPSteps(ctx, tx, h.Clocks.Moment(), full, places)
		if found = len(rows); err != nil || len(rows) == 0 {
			return err
		}
		steps, err = h.begin(ctx, tx, b, rows)
		return err
	})
	if err != nil {
		h.leave(steps)
		return nil, 0, err
	}
	if found == 0 {
		h.passed = passed{full, time.Now().Add(h.WakeInterval)}
	}
	b.publish(ctx)
	return steps, found, nil
}

func (h *HTTPSteps) leave(steps []HTTPStep) {
	for i := range steps {
		h.servers.leave(steps[i].environmentID, steps[i].server, time.Now())
	}
}

// begin begins the steps of runs that the transaction holds, and stores what becomes of the others.
func (h *HTTPSteps) begin(ctx context.Context, tx pgx.Tx, b *batch, rows []pgrun.NotificationRow) (steps []HTTPStep, err error) {
	runs, err := h.reopen(ctx, tx, rows)
	if err != nil {
		return nil, err
	}
	if runs, err = holdRuns(ctx, tx, runs); err != nil {
		return nil, err
	}
	if err := b.starts.load(ctx, tx, runs); err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.event == nil || r.subscriber == nil {
			b.endOrphan(r)
			continue
		}
		if c := b.beginHTTPStep(ctx, r, h.admits); c != nil {
			steps = append(steps, *c)
		}
	}
	return steps, b.write(ctx, tx, func(*pgx.Batch) {})
}

// admits reports whether a request of a run to a server may begin, and counts it then. By a frozen clock nothing is deferred, since that
// would keep the environment from passing its instant.
func (h *HTTPSteps) admits(r *run, server string) bool {
	_, frozen := h.Clocks.FrozenAt(r.row.EnvironmentID)
	return h.servers.enter(r.row.EnvironmentID, server, time.Now(), frozen)
}

// beginHTTPStep leases the step and renders its request. A request that was begun before and has no outcome was cut off by the
// end of its process.
func (b *batch) beginHTTPStep(ctx context.Context, r *run, admits func(r *run, server string) bool) *HTTPStep {
	step := r.currentHTTPStep()
	if step == nil { // the version with which the run continues has another step there
		r.httpStep = nil
		b.advance(ctx, r)
		return nil
	}
	secrets, err := r.event.secretVariables()
	hide := provider.Redactor(slices.Collect(maps.Values(secrets)))
	var request *provider.Request
	if err == nil {
		of := httpstep.Source{TransactionID: r.event.TransactionID, Workflow: r.event.Workflow, Step: step}
		request, err = httpstep.Render(ctx, b.executor.Render, of, r.view(r.results), r.event.withSecrets(secrets))
	}
	if err != nil {
		b.endHTTPStep(ctx, r, step, plan.StepResult{Failed: true}, workflow.ReasonRenderFailed, hide(err.Error()))
		return nil
	}
	server := serverOf(request.URL)
	if !admits(r, server) {
		r.row.DueAt = new(r.event.now.Add(state.Deferral(r.event.now.Sub(r.httpStep.Since), deferPause)))
		r.row.State = state.AsJSON(r.state(r.results))
		b.runs = append(b.runs, r)
		return nil
	}
	if r.httpStep.Until != nil {
		r.traceHTTPStep(step, workflow.ReasonRecovered, "the process ended during the request; its outcome is unknown", nil)
		r.traceHTTPStep(step, workflow.ReasonDuplicatePossible, "", nil)
	}
	timeout := httpstep.Timeout
	if step.Custom.TimeoutSeconds > 0 {
		timeout = time.Duration(step.Custom.TimeoutSeconds) * time.Second
	}
	r.httpStep.Attempt++
	request.Sign = b.executor.Callbacks.Sign(r.row.EnvironmentID, r.row.ID+":"+step.StepID, r.httpStep.Attempt)
	r.httpStep.Until = new(time.Now().Add(timeout + requestLease).UTC())
	r.row.State = state.AsJSON(r.state(r.results))
	b.runs = append(b.runs, r)
	return &HTTPStep{runID: r.row.ID, environmentID: r.row.EnvironmentID, attempt: r.httpStep.Attempt, server: server, call: httpstep.Call{Timeout: timeout, Request: request, Hide: hide}}
}

// currentHTTPStep is the custom step that the run is at; nil when there is none.
func (r *run) currentHTTPStep() *workflow.Step {
	steps := r.event.definition.Definition.Steps
	if r.httpStep == nil || r.row.Position >= len(steps) {
		return nil
	}
	step := &steps[r.row.Position]
	if step.Type != workflow.StepCustom || step.Custom == nil || step.StepID != r.httpStep.StepID {
		return nil
	}
	return step
}

// Run sends requests side by side and records each answer.
func (h *HTTPSteps) Run(ctx context.Context, steps []HTTPStep) error {
	ctx = context.WithoutCancel(ctx) // a request that has begun is finished and recorded
	errs := make([]error, len(steps))
	var under sync.WaitGroup
	for i := range steps {
		under.Go(func() {
			defer h.room()
			response, failure := h.send(ctx, &steps[i])
			errs[i] = h.recordHTTPStep(ctx, &steps[i], response, failure)
		})
	}
	under.Wait()
	return errors.Join(errs...)
}

// send sends a request in the place that it has, and leaves that.
func (h *HTTPSteps) send(ctx context.Context, step *HTTPStep) (response any, failure *provider.Error) {
	long := time.AfterFunc(longRequest, func() { h.servers.slow(step.server, time.Now()) })
	response, failure = step.call.Send(ctx, h.Shared)
	long.Stop()
	h.servers.leave(step.environmentID, step.server, time.Now())
	h.places.Give(1)
	return response, failure
}

// serverOf is the server of an address: its scheme, host and port.
func serverOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "" // it cannot be called
	}
	return u.Scheme + "://" + u.Host
}

// recordHTTPStep records the answer to a request and takes the run on, unless the run was cancelled or another worker has the lease.
func (h *HTTPSteps) recordHTTPStep(ctx context.Context, c *HTTPStep, response any, failure *provider.Error) error {
	var b *batch
	err := h.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		b = h.newBatch()
		rows, err := pgrun.ClaimAnswered(ctx, tx, c.runID, c.attempt)
		if err != nil || len(rows) == 0 {
			return err
		}
		runs, err := h.reopen(ctx, tx, rows)
		if err != nil {
			return err
		}
		if err := b.starts.load(ctx, tx, runs); err != nil {
			return err
		}
		r := runs[0]
		if r.event == nil || r.subscriber == nil {
			b.endOrphan(r)
		} else {
			b.applyHTTPResponse(ctx, r, response, failure)
		}
		return b.write(ctx, tx, func(*pgx.Batch) {})
	})
	if err == nil {
		b.publish(ctx)
	}
	return err
}

// applyHTTPResponse decides what follows from an answer: the next step, another request, or the end.
func (b *batch) applyHTTPResponse(ctx context.Context, r *run, response any, failure *provider.Error) {
	step := r.currentHTTPStep()
	if step == nil {
		b.applyLateHTTPResponse(ctx, r, response, failure)
		return
	}
	if failure == nil {
		b.endHTTPStep(ctx, r, step, plan.StepResult{Sent: true, Response: response}, workflow.ReasonCalled, "")
		return
	}
	t := retry.Trial{
		Attempt: r.httpStep.Attempt, Now: r.event.now, Due: r.httpStep.Since, Jitter: b.executor.Jitter(), Unknown: step.UnknownOutcome,
	}
	if step.DeadlineSeconds > 0 {
		t.Deadline = after(r.httpStep.Since, step.DeadlineSeconds)
	}
	v := b.executor.Backoff.Decide(t, failure)
	if v.RetryAt == nil {
		b.endHTTPStep(ctx, r, step, plan.StepResult{Failed: true}, v.Reason, failure.Error())
		return
	}
	r.traceHTTPStep(step, v.Reason, failure.Error(), v.RetryAt)
	if v.Duplicate {
		r.traceHTTPStep(step, workflow.ReasonDuplicatePossible, "", v.RetryAt)
	}
	r.httpStep.Until, r.row.DueAt = nil, v.RetryAt
	r.row.State = state.AsJSON(r.state(r.results))
	b.runs = append(b.runs, r)
}

// applyLateHTTPResponse keeps the answer to a step that the workflow has no more; a failed request is not sent again.
func (b *batch) applyLateHTTPResponse(ctx context.Context, r *run, response any, failure *provider.Error) {
	gone := &workflow.Step{StepID: r.httpStep.StepID, Type: workflow.StepCustom}
	result, reason, detail := plan.StepResult{Sent: true, Response: response}, workflow.ReasonCalled, ""
	if failure != nil {
		result, reason, detail = plan.StepResult{Failed: true}, workflow.ReasonExhausted, failure.Error()
	}
	r.traceHTTPStep(gone, reason, detail, nil)
	r.setResult(gone.StepID, result)
	r.leaveHTTPStep()
	b.advanceUnlessPaused(ctx, r) // a pause may have begun during the request
}

// setResult keeps what became of a step.
func (r *run) setResult(stepID string, result plan.StepResult) {
	if r.results == nil {
		r.results = map[string]plan.StepResult{}
	}
	r.results[stepID] = result
}

// passHTTPStep takes the run behind the custom step that it is at.
func (r *run) passHTTPStep(step *workflow.Step) {
	r.leaveHTTPStep()
	r.row.Position++
	if r.passed != nil {
		r.passed = append(r.passed, step.Ref())
	}
}

// leaveHTTPStep ends the wait for an answer: what follows is due now, not when the request was.
func (r *run) leaveHTTPStep() { r.httpStep, r.row.DueAt = nil, nil }

// endHTTPStep keeps what became of the custom step and takes the run on.
func (b *batch) endHTTPStep(ctx context.Context, r *run, step *workflow.Step, result plan.StepResult, reason workflow.Reason, detail string) {
	r.traceHTTPStep(step, reason, detail, nil)
	r.setResult(step.StepID, result)
	r.passHTTPStep(step)
	b.advanceUnlessPaused(ctx, r) // a pause may have begun during the request
}

func (r *run) traceHTTPStep(step *workflow.Step, reason workflow.Reason, detail string, until *time.Time) {
	r.trace(&plan.Decision{Step: step, Reason: reason, Detail: detail, Until: until}, nil)
	r.row.Trace[len(r.row.Trace)-1].Attempt = r.httpStep.Attempt
}
