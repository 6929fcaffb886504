package run

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/reshow"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// run is one notification on its way through the workflow's steps.
type run struct {
	event      *EventContext
	subscriber *Recipient
	row        pgrun.NotificationRow
	stored     bool               // its row is there already: it continues after a wait
	before     workflow.RunStatus // as it was stored; "" when it is new
	own        *workflow.PreferenceLevel
	global     *workflow.PreferenceLevel
	settings   []plan.ChannelSetting
	endpoints  []plan.Endpoint
	results    map[string]plan.StepResult
	httpStep   *httpStepState // of the custom step that it is at
	waited     *plan.Waited
	awaiting   string             // step whose outcome it waits for
	passed     []workflow.StepRef // steps that it has passed; nil: those before its position
	digest     *digestState       // that it came to last
	earlier    []digestState      // that it came to before, in that order
	former     []formerRun        // whose places it has taken
	collected  *plan.Collected    // by the digest that it came to last
	window     *pgrun.WindowRow   // that it waits with; nil: it is closed
	plan       *plan.Run
	sent       int // in-app messages stored
	queued     int // messages that wait for their send
	skipped    int
	failed     int                                         // channel steps whose content could not be made
	watch      func(*plan.Decision, *pgmessage.MessageRow) // is given each decision; nil: none
}

// runState is what is stored of a run that is suspended, beside the columns of its row.
type runState struct {
	Awaiting string                     `json:"awaiting,omitempty"` // step whose outcome it waits for
	Results  map[string]plan.StepResult `json:"results,omitempty"`
	HTTPStep *httpStepState             `json:"call,omitempty"`
	Waited   *plan.Waited               `json:"waited,omitempty"` // the wait that it is in
	Digest   *digestState               `json:"digest,omitempty"`
	Earlier  []digestState              `json:"earlier,omitempty"` // digests that it came to before
	Reached  []workflow.StepRef         `json:"reached,omitempty"` // steps that it has passed, when another version may take it on
	Former   []formerRun                `json:"former,omitempty"`  // runs whose places it has taken
}

// formerRun is a cancelled run whose place another one has taken, and the steps that only the cancelled one has come to.
type formerRun struct {
	RunID string   `json:"run"`
	Steps []string `json:"steps,omitempty"`
}

// state is what is stored of the run wherever it is suspended.
func (r *run) state(results map[string]plan.StepResult) runState {
	passed := r.passed
	if r.plan != nil {
		passed = r.plan.Reached()
	}
	return runState{Results: results, HTTPStep: r.httpStep, Digest: r.digest, Earlier: r.earlier, Reached: passed, Former: r.former}
}

// newRun makes the run of an event for one subscriber.
func (b *batch) newRun(s *EventContext, recipient *Recipient) *run {
	return &run{event: s, subscriber: recipient, row: pgrun.NotificationRow{
		ID: b.id(), EnvironmentID: s.EnvironmentID, CreatedAt: s.now, ContextKeys: s.ContextKeys, Scope: s.Scope,
		EventID: s.ID, TransactionID: s.TransactionID, WorkflowID: s.WorkflowID, VersionID: s.VersionID,
		SubscriberID: recipient.ID, TenantID: s.TenantID, Status: workflow.RunPending, Lane: s.Lane,
	}}
}

func (b *batch) input(r *run) *plan.PlanInput {
	s := r.event
	in := &plan.PlanInput{
		Now: s.now, Definition: s.definition.Definition, Active: s.WorkflowActive && !s.WorkflowDeleted, Deleted: s.WorkflowDeleted,
		Position: r.row.Position, Reached: r.passed, Results: r.results, Begun: r.stored, Waited: r.waited, MaxDelay: b.executor.MaxDelay,
		Data: condition.FilterData{Payload: s.Payload, Actor: s.actor, Tenant: s.tenant},
		Profile: plan.Profile{
			Email: state.Deref(r.subscriber.Email), Phone: state.Deref(r.subscriber.Phone), Timezone: state.Deref(r.subscriber.Timezone), Schedule: r.subscriber.Schedule,
		},
		Preferences: workflow.Preferences{
			Critical: s.definition.Definition.Critical, Author: s.definition.Definition.Preferences,
			Workflow: r.own, Global: r.global, Tenant: s.tenantPreferences,
		},
		Settings: r.settings, Endpoints: r.endpoints, Integrations: s.choices, Overrides: s.overrides,
	}
	if s.definition.Personal || s.conditions {
		in.Data.Subscriber = r.subscriber.View()
	}
	for _, d := range r.digests() {
		in.Early = append(in.Early, d.Early...)
	}
	return in
}

// batch is what one transaction writes.
type batch struct {
	executor *Executor
	ids      *idPool
	runs     []*run
	messages []pgmessage.MessageRow
	inbox    []batchMessage    // those that count in an inbox
	inboxes  []*ent.InboxState // their inboxes as this transaction leaves them
	sends    []sending
	starts   starts
	named    namedInputs // whom it stores as its events say

	shared    []*sharedStep
	windows   []pgrun.WindowRow   // digest windows to store
	vanished  []string            // digest windows whose runs are gone
	throttles []pgrun.ThrottleRow // to store
	nudged    []string            // runs that wait with a window which has collected more now
	nudgedAt  []time.Time
	reshown   reshow.Messages
}

// batchMessage is a message of a batch, with its run.
type batchMessage struct {
	message int // its position in the batch's messages
	run     *run
}

func (e *Executor) newBatch() *batch {
	return &batch{executor: e, ids: &idPool{}, starts: starts{executor: e}}
}

// idPool holds identifiers made in advance, the more the more were needed: making some at once costs less than making each by itself,
// but each that is not used costs as well, and moves the time of later ones.
type idPool struct {
	ids  []string
	made int
}

const (
	fewIDs  = 4 // of a run, its messages and its window
	manyIDs = 256
)

func (p *idPool) next() string {
	if len(p.ids) == 0 {
		n := min(max(p.made, fewIDs), manyIDs)
		p.ids, p.made = id.Batch(time.Now(), n), p.made+n
	}
	next := p.ids[0]
	p.ids = p.ids[1:]
	return next
}

func (b *batch) id() string { return b.ids.next() }

// advance takes a run through its steps as far as it goes now, and keeps what is to be written.
func (b *batch) advance(ctx context.Context, r *run) {
	b.runs = append(b.runs, r)
	r.plan = plan.NewRun(b.input(r))
	b.step(ctx, r)
}

// advanceAll is advanceUnlessPaused for runs that begin together.
func (b *batch) advanceAll(ctx context.Context, runs []*run) {
	b.runs = slices.Grow(b.runs, len(runs))
	for _, r := range runs {
		b.advanceUnlessPaused(ctx, r)
	}
}

// advanceUnlessPaused advances a run that was not claimed as due. If a pause holds it, it is due instead, and whoever claims it holds it.
func (b *batch) advanceUnlessPaused(ctx context.Context, r *run) {
	if r.pause() == nil {
		b.advance(ctx, r)
		return
	}
	r.row.Status, r.row.DueAt = workflow.RunWaiting, &r.event.now
	r.row.State = state.AsJSON(r.state(r.results))
	b.runs = append(b.runs, r)
}

// step takes a run on from the current step of its plan.
func (b *batch) step(ctx context.Context, r *run) {
	for {
		d, ok := r.plan.Next()
		if !ok || !b.follow(ctx, r, &d) {
			return
		}
	}
}

// follow does what the plan decided; false when the run goes no further now.
func (b *batch) follow(ctx context.Context, r *run, d *plan.Decision) bool {
	switch d.Kind {
	case plan.DecideSend:
		b.send(ctx, r, d)
	case plan.DecideTrigger:
		b.trigger(ctx, r, d)
	case plan.DecideCall:
		r.awaitHTTPStep(d)
		return false
	case plan.DecideDigest, plan.DecideThrottle:
		b.addSharedStep(r, d)
		return false
	case plan.DecidePass:
		r.trace(d, nil)
	case plan.DecideSkip:
		r.skipped++
		r.plan.Record(d.Step.StepID, plan.StepResult{Skipped: true})
		r.trace(d, nil)
	default:
		r.suspend(d)
		return false
	}
	return true
}

// send stores the messages of a step: in-app ones are delivered by that, the others are due at once.
func (b *batch) send(ctx context.Context, r *run, d *plan.Decision) {
	c, err := b.executor.content(ctx, r, d)
	if err == nil {
		err = r.sealURLs(d)
	}
	if err != nil {
		r.failed++
		r.plan.Record(d.Step.StepID, plan.StepResult{Failed: true})
		d.Reason, d.Detail = workflow.ReasonRenderFailed, err.Error()
		r.trace(d, nil)
		return
	}
	inApp := d.Channel == workflow.ChannelInApp
	if b.messages == nil {
		b.messages = make([]pgmessage.MessageRow, 0, cap(b.runs)) // as a rule each sends one
	}
	for k := range d.Targets {
		if inApp {
			b.inbox = append(b.inbox, batchMessage{len(b.messages), r})
		} else {
			b.sends = append(b.sends, sending{batchMessage: batchMessage{len(b.messages), r}})
		}
		b.messages = append(b.messages, r.message(b.id(), d, &d.Targets[k], c))
		r.trace(d, &b.messages[len(b.messages)-1])
	}
	if inApp {
		r.sent++
		r.plan.Record(d.Step.StepID, plan.StepResult{Sent: true})
	} else {
		r.queued += len(d.Targets)
		r.plan.Record(d.Step.StepID, plan.StepResult{Pending: true})
	}
}

// suspend ends the planning for now: the run waits, stops, or has reached all its steps.
func (r *run) suspend(d *plan.Decision) {
	r.row.Position, r.row.Status, r.row.State = d.Position, d.Status, nil
	r.row.DueAt, r.row.FinishedAt = nil, nil
	if d.Kind == plan.DecideWait {
		r.row.DueAt = d.Until
	}
	results := r.plan.Results()
	switch d.Kind {
	case plan.DecideWait:
		saved := r.state(results)
		_, isChannel := d.Step.Type.Channel()
		switch {
		case d.Until == nil:
			saved.Awaiting = d.Step.StepID
		case isChannel: // outside its hours: the step is decided anew when they begin
		case d.Reason == workflow.ReasonHeld:
			saved.Waited = &plan.Waited{StepID: d.Step.StepID, Type: d.Step.Type, Extended: r.waited.Extended + 1}
		default:
			saved.Waited = &plan.Waited{StepID: d.Step.StepID, Type: d.Step.Type}
		}
		r.row.State = state.AsJSON(saved)
		r.trace(d, nil)
		return
	case plan.DecideComplete:
		for _, result := range results {
			if result.Pending { // ends with its last message
				r.row.Status = workflow.RunPending
				return
			}
		}
	case plan.DecideStop:
		if d.Status == workflow.RunMerged { // it may have to take the window over
			saved := r.state(results)
			saved.Waited = &plan.Waited{StepID: d.Step.StepID, Type: d.Step.Type}
			r.row.State = state.AsJSON(saved)
		}
	}
	r.row.FinishedAt = &r.event.now
	r.trace(d, nil)
	r.traceLeftOut(d)
}

// traceLeftOut marks the steps that a run does not come to because its event was merged, throttled or too late
// (semantics.md §3.3, §5.3).
func (r *run) traceLeftOut(d *plan.Decision) {
	if d.Kind != plan.DecideStop || d.Status != workflow.RunMerged && d.Status != workflow.RunSkipped || d.Step == nil {
		return
	}
	steps := r.event.definition.Definition.Steps
	for i := d.Position; i < len(steps); i++ {
		if r.plan.Done(&steps[i]) {
			continue
		}
		channel, _ := steps[i].Type.Channel()
		r.trace(&plan.Decision{Kind: plan.DecideSkip, Step: &steps[i], Channel: channel, Reason: d.Reason}, nil)
	}
}

// trace puts a decision on the trace.
func (r *run) trace(d *plan.Decision, m *pgmessage.MessageRow) {
	if r.watch != nil {
		r.watch(d, m)
	}
	t := workflow.TraceEntry{
		At: r.event.now, Channel: d.Channel, Reason: d.Reason, Reasons: d.Reasons, Detail: d.Detail, Until: d.Until,
	}
	if d.Step != nil {
		t.StepID = d.Step.StepID
	}
	if m != nil {
		t.MessageID, t.IntegrationID = m.ID, m.IntegrationID
		if m.Channel == workflow.ChannelInApp {
			t.Reason = workflow.ReasonSent
		}
	}
	if d.Why != nil {
		t.Data = map[string]any{"condition": d.Why.String()}
	}
	if d.Reason == workflow.ReasonContinued && r.collected != nil && d.Step != nil && d.Step.Type == workflow.StepDigest {
		t.Data = map[string]any{"events": r.collected.Total}
	}
	if r.row.Trace == nil {
		r.row.Trace = make([]workflow.TraceEntry, 0, min(len(r.event.definition.Definition.Steps)+1, 4)) // of each step, and of the end
	}
	r.row.Trace = append(r.row.Trace, t)
}

// restoreState reads what was stored of a suspended run.
func (r *run) restoreState() {
	var saved runState
	if len(r.row.State) > 0 && json.Unmarshal(r.row.State, &saved) == nil {
		r.results, r.httpStep, r.waited, r.awaiting = saved.Results, saved.HTTPStep, saved.Waited, saved.Awaiting
		r.digest, r.earlier, r.passed, r.former = saved.Digest, saved.Earlier, saved.Reached, saved.Former
	}
	r.row.Trace = nil
	r.stored, r.before = true, r.row.Status
}

func after(t time.Time, seconds int) *time.Time {
	at := t.Add(time.Duration(seconds) * time.Second)
	return &at
}

// delivered is the list of delivery instants of a message stored now, made once per event.
func (s *EventContext) delivered() json.RawMessage {
	if s.deliveredAt == nil {
		s.deliveredAt = state.AsJSON([]string{state.Stamp(s.now)})
	}
	return s.deliveredAt
}
