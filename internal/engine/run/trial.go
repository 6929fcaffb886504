package run

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// Trial takes the runs of one event to their end with the code of the real ones and stores nothing: waits count as over at
// once, calls of providers as successful.
type Trial struct {
	executor *Executor
	tx       pgx.Tx // reads only
	event    *EventContext
	batch    *batch
	created  map[string]bool  // subscriberIds that the event would create
	given    namedInputs      // what the event says of its recipients and its actor
	budget   condition.Budget // of the subscribers whom Passes is asked about

	runs         []*run // those that are taken to their end at present
	suppressions trialSuppressions
}

// TrialRun is what became of a run.
type TrialRun struct {
	SubscriberID string
	Created      bool               // the event would create the subscriber
	Topics       []string           // identifiers of the subscriptions that let the event pass
	Status       workflow.RunStatus // pending: only sends are left
	EndedAt      time.Time          // by the environment's clock
	Decisions    []TrialDecision

	attempted, refused []string // steps for a message of which a provider is called, or is not
}

// TrialDecision is one decision of a run.
type TrialDecision struct {
	plan.Decision
	At      time.Time             // by the environment's clock
	Message *pgmessage.MessageRow // that it sends; nil: none, or it is refused for the decision's reason
}

// NewTrial loads what an event's runs share, with what storing the event would change of it.
func (e *Executor) NewTrial(ctx context.Context, tx pgx.Tx, ev *pgfanout.EventRow, accepted *pgaccept.AcceptedEvent) (*Trial, error) {
	events, broken, err := e.LoadEventContexts(ctx, tx, []pgfanout.EventRow{*ev})
	if err != nil {
		return nil, err
	}
	for _, cause := range broken {
		return nil, cause
	}
	events[0].overlayTenant(accepted.Tenant)
	events[0].overlayContexts(accepted.Contexts)
	return &Trial{
		executor: e, tx: tx, event: events[0], batch: e.newBatch(),
		suppressions: trialSuppressions{map[pgmessage.Address]bool{}, map[pgmessage.Address]workflow.SuppressionReason{}},
	}, nil
}

// Event returns the event.
func (t *Trial) Event() *pgfanout.EventRow { return &t.event.EventRow }

// Now returns the time of the event's environment.
func (t *Trial) Now() time.Time { return t.event.now }

// LeftOut returns the subscriberIds that the event's topics do not reach.
func (t *Trial) LeftOut() map[string]bool { return t.event.leftOut() }

// Integration returns an active integration of the event's environment; nil when there is none with this id.
func (t *Trial) Integration(integrationID string) *pgrun.IntegrationRow {
	return t.event.Integration(integrationID)
}

func (s *EventContext) overlayTenant(given *workflow.TenantInput) {
	if given == nil || !given.Inline {
		return
	}
	tenant := map[string]any{"identifier": given.Identifier, "name": s.tenant["name"], "data": s.tenant["data"]}
	if given.Name != nil {
		tenant["name"] = *given.Name
	}
	if given.Data != nil {
		tenant["data"] = given.Data
	}
	s.tenant = tenant
}

// overlayContexts shows contexts that are new with the data they would be created with.
func (s *EventContext) overlayContexts(given []workflow.ContextRef) {
	for _, ref := range given {
		known, _ := s.contexts[ref.Type].(map[string]any)
		if data, _ := known["data"].(map[string]any); known != nil && data == nil && ref.Data != nil && !s.storedContexts[ref.Key()] {
			known["data"] = ref.Data
		}
	}
}

// Named takes the runs of the recipients that the event names to their end.
func (t *Trial) Named(ctx context.Context) ([]TrialRun, error) {
	s := t.event
	known, created, err := t.overlaid(ctx)
	if err != nil {
		return nil, err
	}
	t.created = created
	if s.Actor != nil {
		s.setActor(known[s.Actor.SubscriberID])
	}
	if s.Recipients == nil {
		return nil, nil
	}
	var runs []*run
	for i := range s.Recipients.Direct {
		runs = append(runs, t.batch.newRun(s, known[s.Recipients.Direct[i].SubscriberID]))
	}
	if err := t.executor.loadPersonal(ctx, t.tx, runs); err != nil {
		return nil, err
	}
	t.overlaySettings(runs)
	return t.run(ctx, runs)
}

// FindActor shows the event's actor, as it would be, to the recipients of topics and broadcasts.
func (t *Trial) FindActor(ctx context.Context) error {
	s := t.event
	if s.Actor == nil || s.actor != nil { // found with the named recipients
		return nil
	}
	known, _, err := t.overlaid(ctx)
	if err == nil {
		s.setActor(known[s.Actor.SubscriberID])
	}
	return err
}

// Page takes the runs of a page of subscribers to their end, those whom skip names left out.
func (t *Trial) Page(ctx context.Context, rows []pgfanout.PageRow, skip map[string]bool) ([]TrialRun, error) {
	runs := t.batch.runsOf(t.event, rows, skip)
	if len(runs) > 0 && t.event.definition.Settings {
		own, global := make([]*workflow.PreferenceLevel, len(runs)), make([]*workflow.PreferenceLevel, len(runs))
		for i, r := range runs {
			own[i], global[i] = r.own, r.global
		}
		if err := t.executor.loadPersonal(ctx, t.tx, runs); err != nil {
			return nil, err
		}
		for i, r := range runs {
			r.own, r.global = own[i], global[i]
		}
	}
	for _, r := range runs { // the actor of a broadcast is among them
		if in := t.given[r.key()]; in != nil {
			r.subscriber.overlay(&in.SubscriberInput)
		}
	}
	t.overlaySettings(runs)
	return t.run(ctx, runs)
}

// overlaySettings gives runs the channel settings that the event brings for their subscribers.
func (t *Trial) overlaySettings(runs []*run) {
	for _, r := range runs {
		if in := t.given[r.key()]; in != nil {
			r.overlaySettings(in.Channels)
		}
	}
}

func (r *run) key() pgsubscriber.SubscriberKey {
	return pgsubscriber.SubscriberKey{EnvironmentID: r.row.EnvironmentID, SubscriberID: r.subscriber.SubscriberID}
}

// Passes reports whether one of a subscriber's subscriptions lets the event pass.
func (t *Trial) Passes(subscriptions []pgfanout.PageRow) bool {
	if len(subscriptions) == 0 {
		return t.event.Kind == "broadcast"
	}
	_, passes := t.event.passing(&Recipient{SubscriberRow: subscriptions[0].SubscriberRow}, subscriptions, &t.budget)
	return passes
}

// Condition evaluates the condition of a subscription for its subscriber and returns how it came out.
func (t *Trial) Condition(row *pgfanout.PageRow) *condition.ReasonNode {
	_, why := condition.EvaluateRule(row.Condition, condition.RuleData{
		Payload: t.event.Payload, Subscriber: (&Recipient{SubscriberRow: row.SubscriberRow}).View(), Actor: t.event.actor, Context: t.event.contextIDs,
	})
	return why
}

// overlaid are the directly named recipients and the actor as they would be, by subscriberId.
func (t *Trial) overlaid(ctx context.Context) (known map[string]*Recipient, created map[string]bool, err error) {
	s, inputs := t.event, namedInputs{}
	inputs.addEvent(&s.EventRow)
	t.given = inputs
	found, err := pgsubscriber.FindSubscribers(ctx, t.tx, inputs.sorted())
	if err != nil {
		return nil, nil, err
	}
	known, created = map[string]*Recipient{}, map[string]bool{}
	for _, row := range found {
		known[row.SubscriberID] = &Recipient{SubscriberRow: row}
	}
	for key, in := range inputs {
		if known[key.SubscriberID] == nil {
			created[key.SubscriberID] = true
			known[key.SubscriberID] = &Recipient{SubscriberRow: pgsubscriber.SubscriberRow{
				ID: id.New(time.Now()), EnvironmentID: key.EnvironmentID, SubscriberID: key.SubscriberID,
			}}
		}
		known[key.SubscriberID].overlay(&in.SubscriberInput)
	}
	return known, created, nil
}

func (r *Recipient) overlay(in *workflow.SubscriberInput) {
	r.seen = nil
	given := in.Texts()
	for i, text := range r.Texts() {
		if given[i].Value.Set {
			*text.Value = given[i].Value.Ptr()
		}
	}
	if in.Data.Set {
		r.Data = state.AsJSON(in.Data.Ptr())
	}
}

// overlaySettings merges channel settings as storing them would: fields given overwrite, device tokens unite.
func (r *run) overlaySettings(given []workflow.ChannelInput) {
	for _, g := range workflow.MergeChannels(given) {
		at := -1
		for i := range r.settings {
			if r.settings[i].ProviderID == g.ProviderID && r.settings[i].IntegrationIdentifier == g.IntegrationIdentifier {
				at = i
			}
		}
		if at < 0 {
			r.settings = append(r.settings, plan.ChannelSetting{
				ID: id.New(time.Now()), ProviderID: g.ProviderID, IntegrationIdentifier: g.IntegrationIdentifier, Credentials: g.Credentials,
			})
			continue
		}
		r.settings[at].Credentials = workflow.MergeChannels([]workflow.ChannelInput{{Credentials: r.settings[at].Credentials}, {Credentials: g.Credentials}})[0].Credentials
	}
}

// run takes runs to their end and returns what becomes of them.
func (t *Trial) run(ctx context.Context, runs []*run) ([]TrialRun, error) {
	if err := t.batch.starts.load(ctx, t.tx, runs); err != nil {
		return nil, err
	}
	t.runs = runs
	list := make([]TrialRun, 0, len(runs))
	for _, r := range runs {
		out := TrialRun{SubscriberID: r.subscriber.SubscriberID, Created: t.created[r.subscriber.SubscriberID], Topics: r.row.Topics}
		r.watch = func(d *plan.Decision, m *pgmessage.MessageRow) {
			out.Decisions = append(out.Decisions, TrialDecision{Decision: *d, At: r.event.now, Message: m})
		}
		if err := t.toEnd(ctx, r, &out); err != nil {
			return nil, err
		}
		out.Status, out.EndedAt = r.row.Status, r.event.now
		list = append(list, out)
	}
	return list, nil
}

// toEnd plans a run again and again, each time as if its wait were over and its providers had taken what they were called for.
func (t *Trial) toEnd(ctx context.Context, r *run, out *TrialRun) error {
	if err := t.advance(ctx, r, out); err != nil {
		return err
	}
	for round := 0; round < 3*len(r.event.definition.Definition.Steps); round++ {
		if r.row.Status.Final() || r.row.DueAt == nil && len(r.row.State) == 0 {
			return nil
		}
		if due := r.row.DueAt; due != nil && due.After(r.event.now) {
			later := *r.event
			later.now, later.deliveredAt = *due, nil
			r.event = &later
		}
		r.restoreState()
		r.track(r.event.definition.Definition)
		if r.results == nil {
			r.results = map[string]plan.StepResult{}
		}
		for stepID, result := range r.results {
			if result.Pending {
				result.Pending, result.Failed = false, slices.Contains(out.refused, stepID) && !slices.Contains(out.attempted, stepID)
				result.Sent = !result.Failed
				r.results[stepID] = result
			}
		}
		if r.digest != nil {
			r.digest.Closed = true
		}
		for _, d := range r.digests() {
			r.setDigest(d.StepID, r.digestContent())
		}
		if step := r.currentHTTPStep(); step != nil {
			r.setResult(step.StepID, plan.StepResult{Sent: true})
			r.passHTTPStep(step)
		}
		if err := t.advance(ctx, r, out); err != nil {
			return err
		}
	}
	return nil
}

// advance takes the run on, past digests and throttles in their present state, and decides about what it sends.
func (t *Trial) advance(ctx context.Context, r *run, out *TrialRun) error {
	from := len(out.Decisions)
	t.batch.advance(ctx, r)
	if err := t.batch.applySharedSteps(ctx, pgrun.ReadRows{Querier: t.tx}); err != nil {
		return err
	}
	return t.attempts(ctx, r, out, from)
}
