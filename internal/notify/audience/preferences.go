package audience

import (
	"context"
	"slices"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/preference"
	"github.com/carillon/carillon/ent/subscriber"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// Preferences are the use cases of what subscribers wish: globally and for single workflows, in one context set
// (decisions.md §8, §10).
type Preferences struct{ usecase.Deps }

// PreferenceConnection is a page of stored preferences.
type PreferenceConnection = usecase.Connection[ent.Preference]

// PreferenceEdge is one stored preference of a page.
type PreferenceEdge = usecase.Edge[ent.Preference]

// PreferenceLevelName names what a preference applies to (api.md, Preference).
type PreferenceLevelName string

// The levels.
const (
	LevelGlobal   PreferenceLevelName = "global"
	LevelTemplate PreferenceLevelName = "template"
)

// PreferenceFilter narrows a list of stored preferences; the fields that are set combine with AND.
type PreferenceFilter struct {
	SubscriberID *string // external
	Workflow     *string // id, slug or identifier
	Level        *PreferenceLevelName
	ContextKeys  []string // as a set; nil: any
}

func (f *PreferenceFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.Preference, err error) {
	if f == nil {
		return nil, nil
	}
	if f.SubscriberID != nil {
		ids, err := db.Subscriber.Query().Where(subscriber.SubscriberID(*f.SubscriberID)).IDs(ctx)
		if err != nil {
			return nil, err
		}
		ps = append(ps, preference.SubscriberIDIn(ids...))
	}
	if f.Workflow != nil {
		w, err := usecase.WorkflowRefs(ctx, db, []string{*f.Workflow})
		if err != nil {
			return nil, err
		}
		ps = append(ps, preference.WorkflowID(usecase.WorkflowIDOf(w[*f.Workflow])), preference.WorkflowIDNEQ(""))
	}
	switch {
	case f.Level == nil:
	case *f.Level == LevelGlobal:
		ps = append(ps, preference.WorkflowID(""))
	default:
		ps = append(ps, preference.WorkflowIDNEQ(""))
	}
	return usecase.ScopeMatch(ps, f.ContextKeys, preference.Scope, func() predicate.Preference { return preference.IDIn() }), nil
}

// List is a page of stored preferences.
func (s *Preferences) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *PreferenceFilter) (*PreferenceConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*PreferenceConnection, error) {
		ps, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.Preference.Query(), ps, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one stored preference by its global or internal id.
func (s *Preferences) Get(ctx context.Context, globalID string) (*ent.Preference, error) {
	recordID, err := usecase.RecordID("Preference", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Preference, error) {
		found, err := db.Preference.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Preference %s was not found.", globalID)
	})
}

// PreferenceKey names a stored preference.
type PreferenceKey struct {
	SubscriberID string   // external
	Workflow     *string  // id, slug or identifier; nil: the global preference
	ContextKeys  []string // as a set; nil and empty: without context
}

// ByKey is one stored preference by its key.
func (s *Preferences) ByKey(ctx context.Context, key PreferenceKey) (*ent.Preference, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Preference, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, key.SubscriberID)
		if err != nil {
			return nil, err
		}
		workflowID := ""
		if key.Workflow != nil {
			w, err := usecase.WorkflowRef(ctx, db, *key.Workflow)
			if err != nil {
				return nil, err
			}
			workflowID = w.ID
		}
		found, err := db.Preference.Query().Where(preference.SubscriberID(owner.ID), preference.WorkflowID(workflowID),
			preference.Scope(workflow.NewContextSet(key.ContextKeys...).Scope())).Only(ctx)
		return found, usecase.NotFound(err, "Subscriber %s stored no such preference.", key.SubscriberID)
	})
}

// Criticality chooses workflows by whether subscribers may switch them off.
type Criticality string

// The choices.
const (
	CriticalityCritical    Criticality = "critical"
	CriticalityNonCritical Criticality = "nonCritical"
	CriticalityAll         Criticality = "all"
)

// critical is what the choice asks of a workflow; nil for all.
func (c Criticality) critical() (*bool, error) {
	yes, no := true, false
	switch c {
	case CriticalityCritical:
		return &yes, nil
	case CriticalityNonCritical, "":
		return &no, nil
	case CriticalityAll:
		return nil, nil
	}
	return nil, fault.Invalidf("criticality", "must be critical, nonCritical or all")
}

// SubscriberPreferences are the effective preferences of a subscriber in one context set, without any tenant.
type SubscriberPreferences struct {
	Global    GlobalPreference
	Workflows []*WorkflowPreference // active workflows, oldest first
}

// GlobalPreference is what holds where no workflow's preference does.
type GlobalPreference struct {
	Enabled  bool
	Channels workflow.ChannelPreferences // all five
	Schedule *calendar.Schedule          // nil: none
}

// WorkflowPreference is what holds for one workflow.
type WorkflowPreference struct {
	Enabled   bool
	Channels  workflow.ChannelPreferences // all five
	Overrides []workflow.EffectivePreference
	// StepChannels are those that the published version has steps for, each once, in the order of workflow.Channels(); none
	// while nothing is published.
	StepChannels []workflow.Channel
	Workflow     *WorkflowSummary
	UpdatedAt    *time.Time // when the subscriber last said something about the workflow; nil: never
}

// WorkflowSummary is what preferences show of a workflow (api.md, WorkflowSummary).
type WorkflowSummary struct {
	ID                   id.ID
	Slug                 string
	Identifier           string
	Name                 string
	Critical             bool
	Tags                 []string
	Data                 map[string]any
	Severity             workflow.Severity
	CreatedAt, UpdatedAt time.Time
}

// SummaryOf is what preferences show of a workflow.
func SummaryOf(w *ent.Workflow) *WorkflowSummary {
	return &WorkflowSummary{
		ID: w.ID, Slug: id.Slug(w.Name, "wf", w.ID), Identifier: w.Identifier, Name: w.Name, Critical: w.Critical,
		Tags: w.Tags, Data: w.Data, Severity: w.Severity, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
}

func summaryOf(d *pgaudience.WorkflowDefaults) *WorkflowSummary {
	return &WorkflowSummary{
		ID: d.ID, Slug: id.Slug(d.Name, "wf", d.ID), Identifier: d.Identifier, Name: d.Name, Critical: d.Critical,
		Tags: d.Tags, Data: d.Data, Severity: d.Severity, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
}

// ReadPreferencesInput asks for effective preferences.
type ReadPreferencesInput struct {
	SubscriberID string       // external
	Criticality  *Criticality // nil: CriticalityNonCritical
	ContextKeys  []string     // as a set; nil and empty: without context
}

// Read gives the effective preferences of a subscriber. Cost: three queries.
func (s *Preferences) Read(ctx context.Context, in ReadPreferencesInput) (*SubscriberPreferences, error) {
	choice := CriticalityNonCritical
	if in.Criticality != nil {
		choice = *in.Criticality
	}
	critical, err := choice.critical()
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience.OrSelf(in.ContextKeys, in.SubscriberID), func(ctx context.Context, db *ent.Client) (*SubscriberPreferences, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, in.SubscriberID)
		if err != nil {
			return nil, err
		}
		stored, err := StoredLevels(ctx, db, owner.ID, workflow.NewContextSet(in.ContextKeys...))
		if err != nil {
			return nil, err
		}
		v, _ := viewer.FromContext(ctx)
		all, err := pgaudience.ActiveWorkflowDefaults(ctx, s.Reader(ctx), v.Scope, critical)
		if err != nil {
			return nil, err
		}
		out := &SubscriberPreferences{Global: stored.globally(), Workflows: make([]*WorkflowPreference, len(all))}
		out.Global.Schedule = owner.Schedule
		for i := range all {
			out.Workflows[i] = stored.ForWorkflow(all[i])
		}
		return out, nil
	})
}

// Levels are what one subscriber stored in one context set, by workflow; "" is the global level.
type Levels map[id.ID]*ent.Preference

// StoredLevels reads what a subscriber stored. A malformed key matches nothing.
func StoredLevels(ctx context.Context, db *ent.Client, subscriberID id.ID, set workflow.ContextSet) (Levels, error) {
	if !set.Valid() {
		return Levels{}, nil
	}
	rows, err := db.Preference.Query().Where(preference.SubscriberID(subscriberID), preference.Scope(set.Scope())).All(ctx)
	return levelsOf(rows), err
}

func levelsOf(rows []*ent.Preference) Levels {
	stored := make(Levels, len(rows))
	for _, row := range rows {
		stored[row.WorkflowID] = row
	}
	return stored
}

// Level is what was stored for a workflow; nil: nothing was.
func (l Levels) Level(workflowID id.ID) *workflow.PreferenceLevel {
	row := l[workflowID]
	if row == nil {
		return nil
	}
	return &workflow.PreferenceLevel{Enabled: row.Enabled, Channels: row.Channels}
}

func (l Levels) globally() GlobalPreference {
	effective := workflow.Preferences{Global: l.Level("")}
	return GlobalPreference{Enabled: effective.Global.On(), Channels: channelsOf(effective.All())}
}

// ForWorkflow is the effective preference of a workflow.
func (l Levels) ForWorkflow(d *pgaudience.WorkflowDefaults) *WorkflowPreference {
	effective := workflow.Preferences{Critical: d.Critical, Author: d.Author, Workflow: l.Level(d.ID), Global: l.Level("")}
	all := effective.All()
	out := &WorkflowPreference{
		Enabled: d.Critical || effective.Workflow.On(), Channels: channelsOf(all), Overrides: all, StepChannels: stepChannels(d.StepTypes),
		Workflow: summaryOf(d),
	}
	if row := l[d.ID]; row != nil {
		out.UpdatedAt = &row.UpdatedAt
	}
	return out
}

func stepChannels(types []workflow.StepType) []workflow.Channel {
	channels := []workflow.Channel{}
	for _, c := range workflow.Channels() {
		if slices.Contains(types, workflow.StepType(c)) {
			channels = append(channels, c)
		}
	}
	return channels
}

func channelsOf(all []workflow.EffectivePreference) (channels workflow.ChannelPreferences) {
	for _, e := range all {
		channels.Set(e.Channel, &e.Enabled)
	}
	return channels
}

// Summaries finds workflows by internal id, deleted or not, for nested fields. Cost: one query.
func (s *Preferences) Summaries(ctx context.Context, ids []string) (map[string]*WorkflowSummary, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadReferences, func(ctx context.Context, db *ent.Client) (map[string]*WorkflowSummary, error) {
		rows, err := db.Workflow.Query().Where(entworkflow.IDIn(ids...)).
			Select(entworkflow.FieldID, entworkflow.FieldIdentifier, entworkflow.FieldName, entworkflow.FieldCritical,
				entworkflow.FieldTags, entworkflow.FieldData, entworkflow.FieldSeverity, entworkflow.FieldCreatedAt,
				entworkflow.FieldUpdatedAt).All(ctx)
		summaries := make(map[string]*WorkflowSummary, len(rows))
		for _, row := range rows {
			summaries[row.ID] = SummaryOf(row)
		}
		return summaries, err
	})
}
