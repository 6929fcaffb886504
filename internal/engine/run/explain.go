package run

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// Explaining takes an event the same way as the real one, through accept, fan-out and planning, inside a transaction that
// cannot write. It goes on past waits, as if their time had come, and takes it that sends succeed.

// Explanation is what an event would do.
type Explanation struct {
	Status        workflow.TriggerStatus
	Error         []string
	TransactionID *string
	Repeated      bool // the transactionId was used before, so that nothing would happen
	WorkflowID    *string
	VersionID     *string
	Now           time.Time // the environment's clock
	Invalid       []workflow.InvalidRecipient
	Recipients    []*ExplainedRecipient
	Next          *string // cursor of the recipients behind these; nil: there are none
}

// ExplainedRecipient is what an event would do for one subscriber.
type ExplainedRecipient struct {
	SubscriberID string
	Created      bool     // the subscriber would be created
	Topics       []string // identifiers of the subscriptions that let the event pass
	Reached      bool
	Reason       *workflow.Reason      // why not
	Condition    *condition.ReasonNode // of a subscription that does not pass
	Status       workflow.RunStatus    // of the run in the end
	Steps        []*ExplainedStep
}

// ExplainedStep is one decision of a run.
type ExplainedStep struct {
	Step     *workflow.Step // nil: the whole run is meant
	Decision plan.DecisionKind
	At       time.Time
	Until    *time.Time
	Channel  workflow.Channel
	Reason   workflow.Reason
	Reasons  []workflow.Reason // all of them, when there are several
	Detail   string
	Why      *condition.ReasonNode // of the condition that decided
	Variant  *workflow.Variant     // whose content was chosen
	Message  *ExplainedMessage     // of a send
}

// ExplainedMessage is what a send would send, where to and through what.
type ExplainedMessage struct {
	IntegrationID         string
	IntegrationIdentifier string
	ProviderID            string
	Target                string   // key of the target
	To                    []string // addresses
	Subject               *string
	Title                 *string
	Avatar                *string
	Content               *workflow.MessageContent
	CTA                   *workflow.CTA
	Data                  map[string]any
}

// ExplainPage asks for the next recipients. Those named directly are all on the first page.
type ExplainPage struct {
	Limit int
	After string // cursor; "": from the start
}

// ExplainerConfig is what an Explainer works with.
type ExplainerConfig struct {
	DB        *postgres.DB
	Now       func() time.Time // real time
	Logger    *slog.Logger
	Secrets   *secret.Keeper     // opens webhook URLs of overrides
	Providers *provider.Registry // those that overrides can name; nil: none
	Retention time.Duration      // how long a transactionId counts as used; 0: 30 days
	MaxDelay  time.Duration      // how far ahead a delay may reach; 0: DefaultMaxDelay
}

// Explainer explains what events would do.
type Explainer struct {
	executor  *Executor
	now       func() time.Time
	retention time.Duration
}

// NewExplainer returns an Explainer.
func NewExplainer(cfg ExplainerConfig) *Explainer {
	if cfg.Providers == nil {
		cfg.Providers, _ = provider.NewRegistry() // without a provider nothing can be wrong with it
	}
	s := state.New(state.Config{
		DB: cfg.DB, Render: render.New(render.DefaultLimits()), Logger: cfg.Logger, Secrets: cfg.Secrets, Providers: cfg.Providers,
		Clock: fixedClock(cfg.Now), MaxDelay: cfg.MaxDelay,
	})
	executor := NewExecutor(s)
	executor.versions.InTurns()
	return &Explainer{executor: executor, now: cfg.Now, retention: cmp.Or(cfg.Retention, accept.DefaultRetention)}
}

// fixedClock is a clock that returns the same time for every environment.
type fixedClock func() time.Time

// Now returns that time.
func (c fixedClock) Now(string) time.Time { return c() }

// Explain returns what an event would do, and writes nothing.
func (e *Explainer) Explain(ctx context.Context, item accept.Acceptance, page ExplainPage) (*Explanation, error) {
	x := &explaining{Explainer: e, page: page, out: &Explanation{TransactionID: state.NotEmpty(item.TransactionID)}}
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, e.executor.DB.Pool, options, func(tx pgx.Tx) error {
		x.tx = tx
		return state.RecoverPanic(func() error { return x.explain(ctx, item) })
	})
	return x.out, err
}

// explaining is one explanation in the making.
type explaining struct {
	*Explainer
	tx      pgx.Tx
	page    ExplainPage
	out     *Explanation
	source  *EventContext
	batch   *batch
	cursor  pgfanout.Checkpoint
	created map[string]bool // subscriberIds that would be created
}

func (x *explaining) explain(ctx context.Context, item accept.Acceptance) error {
	accepted, err := x.accept(ctx, item)
	if err != nil || accepted == nil {
		return err
	}
	ev, err := eventOf(accepted)
	if err != nil {
		return err
	}
	if err := x.readCursor(); err != nil {
		return err
	}
	if err := x.open(ctx, ev, accepted); err != nil {
		return err
	}
	if ev.Recipients != nil {
		x.out.Invalid = ev.Recipients.Invalid
	}
	if !x.cursor.Started {
		if err := x.direct(ctx); err != nil {
			return err
		}
		x.cursor.Started = true
	}
	if streamed(ev) {
		return x.stream(ctx)
	}
	return nil
}

// streamed reports whether an event has other recipients than those that it names.
func streamed(ev *pgfanout.EventRow) bool {
	return ev.Kind == "broadcast" || ev.Recipients != nil && len(ev.Recipients.Topics) > 0
}

// accept decides the outcome as accepting does, and returns the event that would be written; nil: none would.
func (x *explaining) accept(ctx context.Context, item accept.Acceptance) (*pgaccept.AcceptedEvent, error) {
	now := x.now()
	preview, err := x.executor.versions.Preview(ctx, x.tx, []accept.Acceptance{item}, now.Add(-x.retention))
	if err != nil {
		return nil, err
	}
	outcome, payload := preview.Decide(ctx, &item)
	x.out.Now = now.UTC()
	if outcome == (accept.Outcome{}) {
		item.Payload = payload
		ev := preview.Event(&item)
		ev.ID = id.New(now)
		x.out.Status, x.out.WorkflowID, x.out.VersionID = workflow.TriggerProcessed, &ev.WorkflowID, &ev.VersionID
		return &ev, nil
	}
	x.out.Status, x.out.Repeated = outcome.Status, outcome.Status == workflow.TriggerProcessed
	if outcome.Error != "" {
		x.out.Error = []string{outcome.Error}
	}
	return nil, outcome.Err
}

// eventOf is an accepted event as fan-out would read it.
func eventOf(a *pgaccept.AcceptedEvent) (*pgfanout.EventRow, error) {
	contexts := workflow.ContextSetOf(a.Contexts)
	ev := &pgfanout.EventRow{
		ID: a.ID, EnvironmentID: a.EnvironmentID, ContextKeys: contexts, Scope: contexts.Scope(), TransactionID: a.TransactionID,
		WorkflowID: a.WorkflowID, VersionID: a.VersionID, Kind: a.Kind, Lane: a.Lane, WorkflowActive: true,
	}
	for _, part := range []struct {
		text string
		into any
	}{{a.Payload, &ev.Payload}, {a.Overrides, &ev.Overrides}, {a.Recipients, &ev.Recipients}, {a.Actor, &ev.Actor}} {
		if part.text == "" {
			continue
		}
		if err := jsonnum.Unmarshal([]byte(part.text), part.into); err != nil {
			return nil, fmt.Errorf("read an event to explain: %w", err)
		}
	}
	return ev, nil
}

// open reads the event's surroundings, with what the event itself would change of them.
func (x *explaining) open(ctx context.Context, ev *pgfanout.EventRow, a *pgaccept.AcceptedEvent) error {
	if a.Tenant != nil {
		tenantID, err := pgfanout.FindTenant(ctx, x.tx, ev.EnvironmentID, a.Tenant.Identifier)
		if err != nil {
			return err
		}
		ev.TenantID = tenantID
	}
	identifier, err := pgfanout.WorkflowIdentifier(ctx, x.tx, ev.EnvironmentID, ev.WorkflowID)
	if err != nil {
		return err
	}
	ev.Workflow = identifier
	sources, broken, err := x.executor.LoadEventContexts(ctx, x.tx, []pgfanout.EventRow{*ev})
	if err != nil {
		return err
	}
	for _, cause := range broken {
		return cause
	}
	s := sources[0]
	s.overlayTenant(a.Tenant)
	s.overlayContexts(a.Contexts)
	x.source, x.batch, x.out.Now = s, x.executor.newBatch(), s.now
	return nil
}

func (s *EventContext) overlayTenant(given *workflow.TenantInput) {
	if given == nil || !given.Inline {
		return
	}
	tenant := map[string]any{"identifier": given.Identifier, "name": s.tenant["name"], "data": s.tenant["data"]}
	if given.Name.Set {
		tenant["name"] = given.Name.Value
	}
	if given.Data.Set {
		tenant["data"] = given.Data.Value
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

// direct explains the recipients named directly.
func (x *explaining) direct(ctx context.Context) error {
	s := x.source
	known, created, err := overlaid(ctx, x.tx, s)
	if err != nil {
		return err
	}
	x.created = created
	if s.Actor != nil {
		s.setActor(known[s.Actor.SubscriberID])
	}
	if s.Recipients == nil {
		return nil
	}
	var runs []*run
	for i := range s.Recipients.Direct {
		runs = append(runs, x.batch.newRun(s, known[s.Recipients.Direct[i].SubscriberID]))
	}
	if err := x.executor.loadPersonal(ctx, x.tx, runs); err != nil {
		return err
	}
	for i, r := range runs {
		r.overlaySettings(s.Recipients.Direct[i].Channels)
	}
	return x.runs(ctx, runs)
}

// overlaid are the directly named recipients and the actor as they would be, by subscriberId.
func overlaid(ctx context.Context, q postgres.Querier, s *EventContext) (known map[string]*Recipient, created map[string]bool, err error) {
	inputs := namedInputs{}
	inputs.addSource(s)
	found, err := pgsubscriber.FindSubscribers(ctx, q, inputs.sorted())
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
	for _, g := range unitedChannels(given) {
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
		r.settings[at].Credentials = unitedChannels([]workflow.ChannelInput{{Credentials: r.settings[at].Credentials}, {Credentials: g.Credentials}})[0].Credentials
	}
}

// The fields of an ExplainedStep that may be without a value, as doors show them: nil then.

// StepID is the author's name of the step.
func (s *ExplainedStep) StepID() *string {
	if s.Step == nil {
		return nil
	}
	return &s.Step.StepID
}

// Type is the step's type.
func (s *ExplainedStep) Type() *workflow.StepType {
	if s.Step == nil {
		return nil
	}
	return &s.Step.Type
}

// VariantName is the chosen variant's name.
func (s *ExplainedStep) VariantName() *string {
	if s.Variant == nil {
		return nil
	}
	return &s.Variant.Name
}

// ChannelOrNil is the channel of a channel step.
func (s *ExplainedStep) ChannelOrNil() *workflow.Channel {
	if s.Channel == "" {
		return nil
	}
	return &s.Channel
}

// DetailOrNil is the text for a person.
func (s *ExplainedStep) DetailOrNil() *string { return state.NotEmpty(s.Detail) }

// AllReasons are the reasons in the order in which they count, the first included.
func (s *ExplainedStep) AllReasons() []workflow.Reason {
	if len(s.Reasons) > 0 {
		return s.Reasons
	}
	return []workflow.Reason{s.Reason}
}

// Chain is the condition that decided as a printed tree.
func (s *ExplainedStep) Chain() *string {
	if s.Why == nil {
		return nil
	}
	return state.NotEmpty(s.Why.String())
}
