// Package plan decides what a run does next, and why: a pure function of the state that it is given.
package plan

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// DecisionKind is what the planner wants done.
type DecisionKind string

// The kinds. Send, trigger, skip and pass concern one step and the run continues; a call must be made before it can; a
// digest or a throttle is decided by what runs share, and the run continues when it is let through; wait, stop and complete
// end the planning for now.
const (
	DecideSend     DecisionKind = "send"
	DecideTrigger  DecisionKind = "trigger"
	DecideCall     DecisionKind = "call"
	DecideDigest   DecisionKind = "digest"
	DecideThrottle DecisionKind = "throttle"
	DecidePass     DecisionKind = "pass"
	DecideSkip     DecisionKind = "skip"
	DecideWait     DecisionKind = "wait"
	DecideStop     DecisionKind = "stop"
	DecideComplete DecisionKind = "complete"
)

// Decision is one decision on a run, with its reason.
type Decision struct {
	Kind     DecisionKind
	Step     *workflow.Step // nil when the whole run is meant
	Channel  workflow.Channel
	Variant  *workflow.Variant // whose content replaces the step's own; nil: the step's own
	Targets  []Target          // of a send, never empty
	Reason   workflow.Reason
	Reasons  []workflow.Reason     // all reasons to skip, when there are several
	Detail   string                // for a person
	Why      *condition.ReasonNode // of the condition that decided
	Status   workflow.RunStatus    // the run's status after a wait, a stop or the completion
	Position int                   // index of the step at which the run continues
	Until    *time.Time            // end of a wait; nil: an outcome ends it
}

// Controls is the step with the content of the variant that was chosen.
func (d *Decision) Controls() workflow.Step {
	step := *d.Step
	if v := d.Variant; v != nil {
		step.InApp = cmp.Or(v.InApp, step.InApp)
		step.Email = cmp.Or(v.Email, step.Email)
		step.SMS = cmp.Or(v.SMS, step.SMS)
		step.Chat = cmp.Or(v.Chat, step.Chat)
		step.Push = cmp.Or(v.Push, step.Push)
	}
	// A definition saved without the controls of a step's type is refused by validation; should one be stored all the
	// same, it renders as empty instead of ending the batch.
	step.InApp = cmp.Or(step.InApp, &noInApp)
	step.Email = cmp.Or(step.Email, &noEmail)
	step.SMS = cmp.Or(step.SMS, &noText)
	step.Chat = cmp.Or(step.Chat, &noText)
	step.Push = cmp.Or(step.Push, &noPush)
	return step
}

// These are shared, as the controls of definitions are.
var (
	noInApp workflow.InAppControls
	noEmail workflow.EmailControls
	noText  workflow.TextControls
	noPush  workflow.PushControls
)

// StepResult is what became of a step, for the conditions of later ones. Pending means that a send is under way.
type StepResult struct {
	Sent    bool `json:"sent,omitempty"`
	Failed  bool `json:"failed,omitempty"`
	Skipped bool `json:"skipped,omitempty"`
	Seen    bool `json:"seen,omitempty"`
	Read    bool `json:"read,omitempty"`
	Pending bool `json:"pending,omitempty"`
	// Response is the JSON answer to a custom step.
	Response any `json:"response,omitempty"`
	// Digest is what a digest step collected. It is read anew each time, never kept.
	Digest *Collected `json:"-"`
}

// UnmarshalJSON reads a result with all digits of the numbers in its response.
func (r *StepResult) UnmarshalJSON(raw []byte) error {
	type plain StepResult
	if err := json.Unmarshal(raw, (*plain)(r)); err != nil || r.Response == nil {
		return err //nolint:wrapcheck // names the field
	}
	var kept struct {
		Response json.RawMessage `json:"response"`
	}
	if err := json.Unmarshal(raw, &kept); err != nil {
		return err //nolint:wrapcheck // as above
	}
	return jsonnum.Unmarshal(kept.Response, &r.Response)
}

// View is the result as conditions and templates see it.
func (r StepResult) View() map[string]any {
	v := map[string]any{"sent": r.Sent, "failed": r.Failed, "skipped": r.Skipped, "seen": r.Seen, "read": r.Read}
	if r.Response != nil {
		v["response"] = r.Response
	}
	if r.Digest != nil {
		maps.Copy(v, r.Digest.View())
	}
	return v
}

// Profile is what the planner needs of a subscriber, as it is when the step is reached (semantics.md §11.7).
type Profile struct {
	Email    string
	Phone    string
	Timezone string
	Schedule *calendar.Schedule
}

// PlanInput is the state that a plan rests on. Planning changes nothing in it.
type PlanInput struct {
	Now          time.Time // the environment's clock
	Definition   *workflow.Definition
	Begun        bool // the run has been planned before
	Waited       *Waited
	Early        []string // steps sent while their digest's window was open
	MaxDelay     time.Duration
	Active       bool               // whether the workflow is switched on now
	Deleted      bool               // whether the workflow is deleted; drain does not apply then
	Position     int                // index of the next step
	Reached      []workflow.StepRef // steps that the run has passed; nil: those before Position
	Results      map[string]StepResult
	Data         condition.FilterData // Step is filled in by the planner
	Profile      Profile
	Preferences  workflow.Preferences
	Settings     []ChannelSetting
	Endpoints    []Endpoint
	Integrations []Integration // the active ones of the environment
	Overrides    *workflow.Overrides
}

// Run plans one run, decision by decision: what becomes of a step may decide about the next.
type Run struct {
	in       *PlanInput
	position int
	reached  []workflow.StepRef
	results  map[string]StepResult
	ended    bool
	started  bool
	resumed  bool
}

// NewRun begins at in.Position.
func NewRun(in *PlanInput) *Run { return &Run{in: in, position: in.Position} }

// Results are those of the steps reached so far, by stepId.
func (r *Run) Results() map[string]StepResult {
	if r.results == nil {
		return r.in.Results
	}
	return r.results
}

// Record keeps what became of a step. In-app messages are sent once stored; other sends are pending.
func (r *Run) Record(stepID string, result StepResult) {
	if r.results == nil {
		r.results = make(map[string]StepResult, len(r.in.Definition.Steps))
		maps.Copy(r.results, r.in.Results)
	}
	r.results[stepID] = result
}

// Next is the next decision; ok is false after a wait, a stop or the completion. The caller records the result of each
// step that it was to send or skip before it asks again.
func (r *Run) Next() (d Decision, ok bool) {
	if r.ended {
		return Decision{}, false
	}
	if d, final := r.admit(); final {
		r.ended = true
		return d, true
	}
	if prev := r.last(); prev != nil {
		if d, held := r.after(prev); held {
			r.ended = true
			return d, true
		}
	}
	if d, ok := r.resume(); ok {
		return d, true
	}
	steps := r.in.Definition.Steps
	for r.position < len(steps) && r.Done(&steps[r.position]) {
		r.position++
	}
	if r.position >= len(steps) {
		r.ended = true
		return Decision{Kind: DecideComplete, Reason: workflow.ReasonCompleted, Status: workflow.RunCompleted, Position: len(steps)}, true
	}
	step := &steps[r.position]
	if earlier := r.unsettled(step); earlier != nil {
		r.ended = true
		return r.awaits(earlier), true
	}
	return r.take(step), true
}

// take decides about the step at the position, and passes it unless the run has to come back to it.
func (r *Run) take(step *workflow.Step) Decision {
	r.position++
	d := r.step(step)
	d.Step, d.Position = step, r.position
	switch {
	case d.Kind == DecideWait && d.Reason == workflow.ReasonHeld: // what holds is the step itself: it is looked at anew
		r.ended = true
		d.Position--
		return d
	case d.Kind == DecideCall: // passed when it is answered
		return d
	case d.Kind == DecideStop, d.Kind == DecideWait:
		r.ended = true
	}
	r.reach(step)
	return d
}

// admit checks the workflow itself before any step of this planning: is it on, and on a fresh run, do its own conditions
// hold (false ends the run, semantics.md §2.2).
func (r *Run) admit() (d Decision, final bool) {
	if r.started {
		return Decision{}, false
	}
	r.started = true
	in := r.in
	if !in.Active && (in.Deleted || !in.Definition.Drain) {
		return Decision{Kind: DecideStop, Reason: workflow.ReasonWorkflowInactive, Status: workflow.RunCancelled, Position: r.position}, true
	}
	if in.Position == 0 && !in.Begun && len(in.Definition.Conditions) > 0 {
		if pass, why := condition.EvaluateFilters(in.Definition.Conditions, in.Data); !pass {
			return Decision{Kind: DecideStop, Reason: workflow.ReasonCondition, Why: why, Status: workflow.RunSkipped}, true
		}
	}
	return Decision{}, false
}

// after checks the step before the position: a failure may stop the run, and an outcome that something depends on is
// waited for (semantics.md §11.1).
func (r *Run) after(prev *workflow.Step) (d Decision, held bool) {
	result := r.Results()[prev.StepID]
	switch {
	case result.Failed && (prev.ShouldStopOnFail || !channelStep(prev)): // only failing channel steps let it continue (§11.11)
		return Decision{Kind: DecideStop, Step: prev, Reason: workflow.ReasonStopOnFail, Status: workflow.RunFailed, Position: r.position}, true
	case !result.Pending:
		return Decision{}, false
	case prev.ShouldStopOnFail && r.position < len(r.in.Definition.Steps), r.observed(prev.StepID):
		return r.awaits(prev), true
	}
	return Decision{}, false
}

// awaits lets the run wait for the outcome of a send.
func (r *Run) awaits(step *workflow.Step) Decision {
	return Decision{
		Kind: DecideWait, Step: step, Reason: workflow.ReasonWaiting, Detail: "for the outcome of the send",
		Status: workflow.RunPending, Position: r.position,
	}
}

// observed reports whether a later step's condition looks at the outcome of stepID.
func (r *Run) observed(stepID string) bool {
	for i := r.position; i < len(r.in.Definition.Steps); i++ {
		if s := &r.in.Definition.Steps[i]; s.LooksAt(stepID) && !r.Done(s) {
			return true
		}
	}
	return false
}

// step decides about one step. All grounds to skip are looked at, so that the trace can list them; the first in the
// order condition, preference, schedule, address, integration is the one shown (semantics.md §11.18).
func (r *Run) step(s *workflow.Step) Decision {
	if !s.Active {
		return Decision{Kind: DecideSkip, Reason: workflow.ReasonStepInactive}
	}
	switch s.Type {
	case workflow.StepTrigger:
		return r.act(s, DecideTrigger, workflow.ReasonTriggered)
	case workflow.StepCustom:
		return r.act(s, DecideCall, workflow.ReasonCalled)
	case workflow.StepDigest:
		return r.act(s, DecideDigest, "")
	case workflow.StepThrottle:
		return r.act(s, DecideThrottle, "")
	case workflow.StepDelay:
		if d := r.act(s, DecideWait, ""); d.Kind != DecideWait {
			return d
		}
		return r.delay(s)
	}
	channel, isChannel := s.Type.Channel()
	if !isChannel {
		return Decision{Kind: DecideSkip, Reason: workflow.ReasonStepUnsupported, Detail: string(s.Type)}
	}
	d := Decision{Kind: DecideSend, Channel: channel, Reason: workflow.ReasonQueued}
	data := r.in.Data
	var reasons []workflow.Reason
	if len(s.Filters)+len(s.Variants) > 0 {
		data.Step = r.views()
		pass, why := condition.EvaluateFilters(s.Filters, data)
		if !pass {
			reasons, d.Why = append(reasons, workflow.ReasonCondition), why
		}
		d.Variant = firstPassing(s.Variants, data)
	}
	if e := r.in.Preferences.Effective(channel); !e.Enabled {
		reasons = append(reasons, workflow.ReasonPreference)
		d.Detail = "decided by " + string(e.Source)
	}
	if r.closed(channel) {
		reasons = append(reasons, workflow.ReasonSchedule)
	}
	targets, missing, detail := r.in.targets(s, channel, data)
	if len(missing) > 0 {
		reasons = append(reasons, missing...)
		if d.Detail == "" {
			d.Detail = detail
		}
	}
	if len(reasons) == 0 {
		d.Targets, d.Detail = targets, joined(variantDetail(d.Variant), detail)
		return d
	}
	if until, holds := r.holds(reasons); holds {
		return Decision{Kind: DecideWait, Channel: channel, Reason: workflow.ReasonHeld, Status: workflow.RunWaiting, Until: &until}
	}
	d.Kind, d.Reason = DecideSkip, reasons[0]
	if len(reasons) > 1 {
		d.Reasons = reasons
	}
	return d
}

// act decides about a step that has no recipient of its own: its conditions alone count.
func (r *Run) act(s *workflow.Step, kind DecisionKind, reason workflow.Reason) Decision {
	if len(s.Filters) > 0 {
		data := r.in.Data
		data.Step = r.views()
		if pass, why := condition.EvaluateFilters(s.Filters, data); !pass {
			return Decision{Kind: DecideSkip, Reason: workflow.ReasonCondition, Why: why}
		}
	}
	return Decision{Kind: kind, Reason: reason}
}

func channelStep(s *workflow.Step) bool {
	_, ok := s.Type.Channel()
	return ok
}

func variantDetail(v *workflow.Variant) string {
	if v == nil {
		return ""
	}
	return "variant " + strings.TrimSpace(v.Name+" "+v.ID)
}

// joined are two details of one decision; either may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

func firstPassing(variants []workflow.Variant, data condition.FilterData) *workflow.Variant {
	for i := range variants {
		if pass, _ := condition.EvaluateFilters(variants[i].Filters, data); pass {
			return &variants[i]
		}
	}
	return nil
}

func (r *Run) views() map[string]any {
	results := r.Results()
	views := make(map[string]any, len(results))
	for id, result := range results {
		views[id] = result.View()
	}
	return views
}

// closed reports whether the subscriber's hours forbid the channel now; in-app and critical always pass
// (semantics.md §7.2).
func (r *Run) closed(c workflow.Channel) bool {
	return c != workflow.ChannelInApp && !r.openAt(r.in.Now)
}
