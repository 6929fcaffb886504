package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/engine/definition"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// EventContext is an event with everything that its runs share.
type EventContext struct {
	pgfanout.EventRow
	secrets           *secret.Keeper
	definition        *definition.Published
	env               *pgrun.EnvironmentRow
	choices           []plan.Integration
	conditions        bool // some integration has conditions
	overrides         *workflow.Overrides
	severity          workflow.Severity
	now               time.Time // the environment's clock
	actor             map[string]any
	actorAvatar       string
	tenant            map[string]any
	tenantPreferences *workflow.PreferenceLevel
	contexts          map[string]any
	contextIDs        map[string]any
	storedContexts    map[string]bool // keys of those that exist
	tags              []string
	deliveredAt       json.RawMessage
	rendered          map[string]*content // by stepId, of steps that are the same for all; nil: not so because of the layout
	translators       map[string]*render.Translator
}

// NewEventContext returns the context of an event that is not stored. published is the definition that its runs follow; nil
// for a message that is sent by hand.
func NewEventContext(env *pgrun.EnvironmentRow, published *workflow.Definition) *EventContext {
	s := &EventContext{env: env}
	s.EnvironmentID = env.ID
	if published != nil {
		s.definition = definition.New(pgrun.VersionRow{EnvironmentID: env.ID, Definition: published})
	}
	return s
}

// Published returns the definition that the event's runs follow; nil for a message that is sent by hand.
func (s *EventContext) Published() *workflow.Definition {
	if s.definition == nil {
		return nil
	}
	return s.definition.Definition
}

// StepOverrides returns what the trigger overrides of a step's messages.
func (s *EventContext) StepOverrides(stepID string, c workflow.Channel, providerID string) workflow.StepOverrides {
	return s.overrides.ForStep(stepID, c, providerID)
}

// Integration returns an active integration of the event's environment; nil when there is none with this id.
func (s *EventContext) Integration(integrationID string) *pgrun.IntegrationRow {
	for i := range s.env.Integrations {
		if s.env.Integrations[i].ID == integrationID {
			return &s.env.Integrations[i]
		}
	}
	return nil
}

// EventOf returns an accepted event as fan-out would read it.
func EventOf(a *pgaccept.AcceptedEvent) (*pgfanout.EventRow, error) {
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
			return nil, fmt.Errorf("read an accepted event: %w", err)
		}
	}
	return ev, nil
}

// Recipient is a subscriber with the decoded view that templates and conditions share.
type Recipient struct {
	pgsubscriber.SubscriberRow
	seen map[string]any
}

var profileTexts = workflow.ProfileTexts()

// View is the subscriber as templates and conditions see it.
func (r *Recipient) View() map[string]any {
	if r.seen != nil {
		return r.seen
	}
	v := map[string]any{"_id": r.ID, "subscriberId": r.SubscriberID}
	for i, value := range r.Values() {
		if *value != nil {
			v[profileTexts[i].Name] = **value
		}
	}
	if len(r.Data) > 0 {
		var data map[string]any
		if jsonnum.Unmarshal(r.Data, &data) == nil && data != nil {
			v["data"] = data
		}
	}
	r.seen = v
	return v
}

// LoadEventContexts joins events with what their runs share, read in one round trip. Definitions that are not kept yet come along.
// An event whose version or environment is gone, or whose overrides this process cannot read, is an error of that event alone: it is left out
// and named in broken.
func (e *Executor) LoadEventContexts(ctx context.Context, q postgres.Querier, events []pgfanout.EventRow) (list []*EventContext, broken map[string]error, err error) {
	snapshot, err := e.loadSnapshot(ctx, q, events, pgrun.SnapshotQuery{})
	if err != nil {
		return nil, nil, err
	}
	list, broken = e.eventContexts(snapshot, events)
	return list, broken, nil
}

// loadSnapshot reads what events share, and what else want names in the same round trip.
func (e *Executor) loadSnapshot(ctx context.Context, q postgres.Querier, events []pgfanout.EventRow, want pgrun.SnapshotQuery) (*pgrun.Snapshot, error) {
	want.Virtual = e.DB.VirtualClocks
	var versions []string
	for i := range events {
		ev := &events[i]
		want.Environments = state.AddNew(want.Environments, ev.EnvironmentID)
		versions = state.AddNew(versions, ev.VersionID)
		if ev.TenantID != "" {
			want.Tenants = state.AddNew(want.Tenants, ev.TenantID)
		}
		for _, key := range ev.ContextKeys {
			want.ContextEnvironments = append(want.ContextEnvironments, ev.EnvironmentID)
			want.ContextKeys = append(want.ContextKeys, key)
		}
	}
	want.Versions = e.definitions.Missing(versions)
	want.Configurations = e.configurations.Missing(want.Environments)
	snapshot, err := pgrun.LoadSnapshot(ctx, q, want)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what it did
	}
	if err := e.configurations.Complete(ctx, q, snapshot, &want); err != nil {
		return nil, err //nolint:wrapcheck // says what it did
	}
	e.definitions.Put(snapshot.Versions)
	e.Clocks.Set(snapshot.Environments)
	return snapshot, nil
}

func (e *Executor) eventContexts(snapshot *pgrun.Snapshot, events []pgfanout.EventRow) (list []*EventContext, broken map[string]error) {
	broken = map[string]error{}
	for i := range events {
		s, err := e.newEventContext(snapshot, &events[i])
		if err != nil {
			broken[events[i].ID] = err
			continue
		}
		list = append(list, s)
	}
	return list, broken
}

// errGone says that what an event needs was deleted, for all processes.
var errGone = errors.New("it is gone")

func (e *Executor) newEventContext(snapshot *pgrun.Snapshot, ev *pgfanout.EventRow) (*EventContext, error) {
	s := &EventContext{EventRow: *ev, secrets: e.Secrets, rendered: map[string]*content{}, translators: map[string]*render.Translator{}}
	if s.definition = e.definitions.Get(ev.VersionID); s.definition == nil {
		return nil, fmt.Errorf("event %s: workflow version %s: %w", ev.ID, ev.VersionID, errGone)
	}
	if s.env = snapshot.Environments[ev.EnvironmentID]; s.env == nil {
		return nil, fmt.Errorf("event %s: environment %s: %w", ev.ID, ev.EnvironmentID, errGone)
	}
	var problems fault.Problems
	if len(ev.Overrides) > 0 {
		opened, err := e.Secrets.OpenURLs(ev.EnvironmentID, ev.Overrides, secret.OverrideURLs)
		if err != nil {
			return nil, fmt.Errorf("event %s: overrides: %w", ev.ID, err)
		}
		s.overrides = workflow.ParseOverrides(&problems, "overrides", opened, e.Providers)
	}
	if err := problems.Err(); err != nil {
		return nil, fmt.Errorf("event %s: %w", ev.ID, err)
	}
	s.choices = make([]plan.Integration, len(s.env.Integrations))
	for k := range s.env.Integrations {
		s.choices[k] = s.env.Integrations[k].Integration
		s.conditions = s.conditions || len(s.env.Integrations[k].Conditions) > 0
	}
	s.now = e.Clocks.Now(ev.EnvironmentID).UTC().Truncate(time.Microsecond)
	s.severity = s.overrides.Severity()
	if s.severity == "" {
		s.severity = s.definition.Severity
	}
	s.tags = s.definition.Definition.Tags
	s.setTenant(snapshot)
	s.setContexts(snapshot)
	return s, nil
}

func (s *EventContext) setTenant(snapshot *pgrun.Snapshot) {
	t, ok := snapshot.Tenants[s.TenantID]
	if !ok {
		return
	}
	s.tenant = tenantView(t.Identifier, t.Name, t.Data)
	for _, p := range snapshot.TenantPreferences {
		if p.TenantID == t.ID && p.WorkflowID == s.WorkflowID {
			s.tenantPreferences = &workflow.PreferenceLevel{Channels: p.Preferences}
		}
	}
}

// tenantView is a tenant as templates and conditions see it. What it does not have is nil, not empty: templates take empty texts and
// objects for something.
func tenantView(identifier string, name *string, data map[string]any) map[string]any {
	v := map[string]any{"identifier": identifier, "name": nil, "data": nil}
	if name != nil {
		v["name"] = *name
	}
	if data != nil {
		v["data"] = data
	}
	return v
}

func (s *EventContext) setContexts(snapshot *pgrun.Snapshot) {
	if len(s.ContextKeys) == 0 {
		return
	}
	var refs []workflow.ContextRef
	s.storedContexts = map[string]bool{}
	for _, key := range s.ContextKeys {
		kind, id, _ := strings.Cut(key, ":")
		ref := workflow.ContextRef{Type: kind, ID: id}
		for _, c := range snapshot.Contexts {
			if c.EnvironmentID == s.EnvironmentID && c.Type == kind && c.Identifier == id {
				ref.Data = c.Data
				s.storedContexts[key] = true
			}
		}
		refs = append(refs, ref)
	}
	s.contexts, s.contextIDs = workflow.ContextView(refs, true), workflow.ContextView(refs, false)
}

func (s *EventContext) setActor(r *Recipient) {
	if r != nil {
		s.actor, s.actorAvatar = r.View(), state.Deref(r.Avatar)
	}
}

// vars is what templates see of a run.
func (r *run) vars(results map[string]plan.StepResult) render.Bindings {
	return r.view(results).Bind()
}

func (r *run) view(results map[string]plan.StepResult) render.Vars {
	s := r.event
	v := render.Vars{Subscriber: r.subscriber.View(), Payload: s.Payload, Actor: s.actor, Tenant: s.tenant, Context: s.contexts, Snippets: s.env.Snippets, Env: s.env.Variables, Now: s.now}
	if r.collected != nil {
		v.Step = r.collected.View()
	}
	if len(results) > 0 {
		v.Steps = make(map[string]any, len(results))
		for id, r := range results {
			v.Steps[id] = r.View()
		}
	}
	v.Texts = s.translator(state.Deref(r.subscriber.Locale))
	return v
}

// secretVariables returns the values of the environment's secret variables, by name.
func (s *EventContext) secretVariables() (map[string]string, error) {
	values := make(map[string]string, len(s.env.Secrets))
	for _, v := range s.env.Secrets {
		value, err := provider.OpenVariable(s.secrets, v.ID, v.Sealed)
		if err != nil {
			return nil, err //nolint:wrapcheck // names the variable
		}
		values[v.Name] = value
	}
	return values, nil
}

// withSecrets returns the variables of the environment with the secret ones, for what only the server of a custom step sees.
func (s *EventContext) withSecrets(secrets map[string]string) map[string]any {
	all := make(map[string]any, len(s.env.Variables)+len(secrets))
	maps.Copy(all, s.env.Variables)
	for name, value := range secrets {
		all[name] = value
	}
	return all
}

func (s *EventContext) translator(locale string) *render.Translator {
	t, ok := s.translators[locale]
	if !ok {
		t = render.Translations(s.env.Translations).For(locale, s.env.DefaultLocale)
		s.translators[locale] = t
	}
	return t
}
