package audience

import (
	"context"
	"fmt"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// MaxPreferenceItems bounds a bulk update (api.md, Limits).
const MaxPreferenceItems = 100

// The codes of refused bulk updates (decisions.md §8).
const (
	CodeEmptyPreferences = "EMPTY_PREFERENCES"
	CodeCriticalWorkflow = "CRITICAL_WORKFLOW"
)

// WorkflowPreferenceInput is a wish for one workflow; what is absent keeps what is stored.
type WorkflowPreferenceInput struct {
	WorkflowID string // id, slug or identifier
	Channels   workflow.ChannelPreferences
	Enabled    *bool // false switches all five channels off
}

// UpdatePreferencesInput holds wishes for several workflows in one context set.
type UpdatePreferencesInput struct {
	SubscriberID string // external
	Preferences  []WorkflowPreferenceInput
	Context      map[string]any // type → id, or type → {id, data}; nil: without context
}

// PreferenceResult is the effective preference of a workflow, or the global one, after a write.
type PreferenceResult struct {
	Level    PreferenceLevelName
	Workflow *WorkflowSummary // nil on the global level
	Enabled  bool
	Channels workflow.ChannelPreferences // all five
}

// Check reports every problem of the call.
func (in *UpdatePreferencesInput) Check(p *fault.Problems) { in.check(p) }

func (in *UpdatePreferencesInput) check(p *fault.Problems) []workflow.ContextRef {
	if len(in.Preferences) > MaxPreferenceItems {
		p.Add("preferences", nil, "must not hold more than %d items", MaxPreferenceItems)
	}
	return parseContext(p, in.Context)
}

// Update stores wishes for up to a hundred workflows, all or none, and answers one result per distinct workflow in order
// of first mention. Of several wishes for one workflow the last counts. Cost: two round trips.
func (s *Preferences) Update(ctx context.Context, in UpdatePreferencesInput) ([]*PreferenceResult, error) {
	var p fault.Problems
	refs := in.check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	v, err := usecase.Require(ctx, usecase.WriteAudience.OrSelf(workflow.ContextSetOf(refs), in.SubscriberID))
	if err != nil {
		return nil, err
	}
	contexts, err := newContexts(ctx, refs)
	if err != nil {
		return nil, err
	}
	named := make([]string, len(in.Preferences))
	for i, item := range in.Preferences {
		named[i] = item.WorkflowID
	}
	named = usecase.Distinct(named)
	trimmed, _ := workflow.ParseSubscriberID(in.SubscriberID)
	owner, defaults, err := pgaudience.FindForPreferences(ctx, s.DB, v.Scope, trimmed, pgaudience.WorkflowChoice{IDs: usecase.RecordIDs(named), Identifiers: named})
	switch {
	case err != nil:
		return nil, postgres.Translate(err)
	case owner == nil:
		return nil, fault.NotFoundf("Subscriber %s was not found.", in.SubscriberID)
	case len(in.Preferences) == 0:
		return nil, fault.BadRequestf(CodeEmptyPreferences, "Give at least one preference.")
	}
	found, err := changeable(named, defaults)
	if err != nil {
		return nil, err
	}
	stored, err := s.OwnerIn(ctx, owner.ID, workflow.ContextSetOf(refs)).Store(ctx, s.DB, pgaudience.PreferenceWrites{Contexts: contexts, Wishes: wishes(in.Preferences, found)})
	if err != nil {
		return nil, postgres.Translate(err)
	}
	return results(in.Preferences, found, levelsOf(stored)), nil
}

// owner is whose preferences a call changes, in its context set.
func (s *Preferences) owner(ctx context.Context, db *ent.Client, subscriberID string, refs []workflow.ContextRef) (pgaudience.PreferenceOwner, error) {
	found, err := usecase.LivingSubscriber(ctx, db, subscriberID)
	if err != nil {
		return pgaudience.PreferenceOwner{}, err
	}
	return s.OwnerIn(ctx, found.ID, workflow.ContextSetOf(refs)), nil
}

// OwnerIn names the preferences of a subscriber in a context set, as SQL wants it.
func (s *Preferences) OwnerIn(ctx context.Context, subscriberID id.ID, set workflow.ContextSet) pgaudience.PreferenceOwner {
	v, _ := viewer.FromContext(ctx)
	return pgaudience.PreferenceOwner{
		Scope: v.Scope, SubscriberID: subscriberID, ContextKeys: set, ScopeKey: set.Scope(), ChangedBy: actor(v), Now: s.Stamp(),
	}
}

// actor names who makes a change, for histories.
func actor(v viewer.Viewer) string {
	switch {
	case v.SubscriberID != "":
		return "subscriber:" + v.SubscriberID
	case v.UserID != "":
		return "user:" + v.UserID
	case v.APIKeyID != "":
		return "api_key:" + v.APIKeyID
	}
	return "system"
}

// changeable are the workflows that references name; an unknown or a critical one refuses the whole call.
func changeable(refs []string, defaults []*pgaudience.WorkflowDefaults) (map[string]*pgaudience.WorkflowDefaults, error) {
	found := usecase.NamedWorkflows(refs, defaults, func(d *pgaudience.WorkflowDefaults) (id.ID, string) { return d.ID, d.Identifier })
	var unknown, critical []string
	for _, ref := range refs {
		switch w := found[ref]; {
		case w == nil:
			unknown = append(unknown, ref)
		case w.Critical:
			critical = append(critical, ref)
		}
	}
	switch {
	case len(unknown) > 0:
		return nil, fault.NotFoundf("Workflows were not found: %s.", strings.Join(unknown, ", "))
	case len(critical) > 0:
		return nil, fault.BadRequestf(CodeCriticalWorkflow, "Preferences of critical workflows cannot be changed: %s.", strings.Join(critical, ", "))
	}
	return found, nil
}

// wishes are the last wish for each workflow.
func wishes(items []WorkflowPreferenceInput, found map[string]*pgaudience.WorkflowDefaults) []pgaudience.PreferenceWrite {
	last := map[id.ID]workflow.PreferenceLevel{}
	for _, item := range items {
		last[found[item.WorkflowID].ID] = workflow.PreferenceLevel{Enabled: item.Enabled, Channels: item.Channels}
	}
	writes := make([]pgaudience.PreferenceWrite, 0, len(last))
	for workflowID, level := range last {
		if level != (workflow.PreferenceLevel{}) {
			writes = append(writes, pgaudience.PreferenceWrite{WorkflowID: workflowID, Level: level})
		}
	}
	return writes
}

// results are one per distinct workflow, in order of first mention.
func results(items []WorkflowPreferenceInput, found map[string]*pgaudience.WorkflowDefaults, stored Levels) []*PreferenceResult {
	all := make([]*pgaudience.WorkflowDefaults, len(items))
	for i, item := range items {
		all[i] = found[item.WorkflowID]
	}
	all = usecase.Distinct(all)
	answers := make([]*PreferenceResult, len(all))
	for i, d := range all {
		effective := stored.ForWorkflow(d)
		answers[i] = &PreferenceResult{Level: LevelTemplate, Workflow: effective.Workflow, Enabled: effective.Enabled, Channels: effective.Channels}
	}
	return answers
}

// SetGlobalPreferencesInput is a wish for everything, in one context set; what is absent keeps what is stored.
type SetGlobalPreferencesInput struct {
	SubscriberID string // external
	Channels     *workflow.ChannelPreferences
	Enabled      *bool          // false switches all five channels off
	Context      map[string]any // type → id, or type → {id, data}; nil: without context
}

// SetGlobal stores a global wish. It is newer than all wishes for single workflows, so those for the same channels go:
// the most recent explicit wish wins (semantics.md §6.2).
func (s *Preferences) SetGlobal(ctx context.Context, in SetGlobalPreferencesInput) (*PreferenceResult, error) {
	var p fault.Problems
	refs := parseContext(&p, in.Context)
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience.OrSelf(workflow.ContextSetOf(refs), in.SubscriberID), func(ctx context.Context, db *ent.Client) (*PreferenceResult, error) {
		contexts, err := newContexts(ctx, refs)
		if err != nil {
			return nil, err
		}
		owner, err := s.owner(ctx, db, in.SubscriberID, refs)
		if err != nil {
			return nil, err
		}
		level := workflow.PreferenceLevel{Enabled: in.Enabled}
		if in.Channels != nil {
			level.Channels = *in.Channels
		}
		tx, scope := usecase.TxScope(ctx)
		if err := pgaudience.EnsureContexts(ctx, tx, scope, contexts); err != nil {
			return nil, err
		}
		if err := s.storeGlobal(ctx, owner, level); err != nil {
			return nil, err
		}
		stored, err := StoredLevels(ctx, db, owner.SubscriberID, workflow.ContextSet(owner.ContextKeys))
		if err != nil {
			return nil, err
		}
		global := stored.globally()
		return &PreferenceResult{Level: LevelGlobal, Enabled: global.Enabled, Channels: global.Channels}, nil
	})
}

func (s *Preferences) storeGlobal(ctx context.Context, owner pgaudience.PreferenceOwner, level workflow.PreferenceLevel) error {
	if level == (workflow.PreferenceLevel{}) {
		return nil
	}
	tx, _ := usecase.TxScope(ctx)
	if err := owner.LockPreferences(ctx, tx); err != nil {
		return err
	}
	if err := owner.WritePreferences(ctx, tx, []pgaudience.PreferenceWrite{{Level: level}}); err != nil {
		return err
	}
	var named []workflow.Channel
	for _, c := range workflow.Channels() {
		if level.Get(c) != nil {
			named = append(named, c)
		}
	}
	if len(named) == 0 {
		return nil
	}
	return owner.ForgetChannels(ctx, tx, named)
}

// Delete removes a stored preference, so that the next level decides, and answers what was removed.
func (s *Preferences) Delete(ctx context.Context, globalID string) (*ent.Preference, error) {
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, _ *ent.Client) (*ent.Preference, error) {
		found, err := s.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		owner := s.OwnerIn(ctx, found.SubscriberID, workflow.NewContextSet(found.ContextKeys...))
		tx, _ := usecase.TxScope(ctx)
		if err := owner.LockPreferences(ctx, tx); err != nil {
			return nil, err
		}
		return found, owner.DeletePreferences(ctx, tx, []id.ID{found.WorkflowID})
	})
}

// SetScheduleInput replaces a subscriber's hours; nil removes them.
type SetScheduleInput struct {
	SubscriberID string // external
	Schedule     *ScheduleInput
}

// SetSchedule replaces a subscriber's hours.
func (s *Preferences) SetSchedule(ctx context.Context, in SetScheduleInput) (*ent.Subscriber, error) {
	var p fault.Problems
	if in.Schedule != nil {
		in.Schedule.Schedule().Validate(&p, "schedule")
	}
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience.OrSelf(nil, in.SubscriberID), func(ctx context.Context, db *ent.Client) (*ent.Subscriber, error) {
		found, err := usecase.LivingSubscriber(ctx, db, in.SubscriberID)
		if err != nil {
			return nil, err
		}
		change := db.Subscriber.UpdateOne(found).ClearSchedule()
		if in.Schedule != nil {
			change = db.Subscriber.UpdateOne(found).SetSchedule(in.Schedule.Schedule())
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("set schedule: %w", err)
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}
