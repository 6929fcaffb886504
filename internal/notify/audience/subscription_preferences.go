package audience

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/subscriptionpreference"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// SubscriptionPreferences are the use cases of what subscriptions say about single workflows.
type SubscriptionPreferences struct{ usecase.Deps }

// SubscriptionPreferenceConnection is a page of subscription preferences.
type SubscriptionPreferenceConnection = usecase.Connection[ent.SubscriptionPreference]

// SubscriptionPreferenceEdge is one subscription preference of a page.
type SubscriptionPreferenceEdge = usecase.Edge[ent.SubscriptionPreference]

// SubscriptionPreferenceFilter narrows a list of subscription preferences; the fields that are set combine with AND.
type SubscriptionPreferenceFilter struct {
	SubscriptionID *string // global or internal id
	Workflow       *string // id, slug or identifier
	Enabled        *bool
}

func (f *SubscriptionPreferenceFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.SubscriptionPreference, err error) {
	if f == nil {
		return nil, nil
	}
	if f.SubscriptionID != nil {
		subscriptionID, err := usecase.RecordID("Subscription", *f.SubscriptionID)
		if err != nil {
			return nil, err
		}
		ps = append(ps, subscriptionpreference.SubscriptionID(subscriptionID))
	}
	if f.Workflow != nil {
		found, err := usecase.WorkflowRefs(ctx, db, []string{*f.Workflow})
		if err != nil {
			return nil, err
		}
		ps = append(ps, subscriptionpreference.WorkflowID(usecase.WorkflowIDOf(found[*f.Workflow])))
	}
	return usecase.WithFilter(ps, f.Enabled, subscriptionpreference.Enabled), nil
}

// List is a page of subscription preferences.
func (s *SubscriptionPreferences) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *SubscriptionPreferenceFilter) (*SubscriptionPreferenceConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*SubscriptionPreferenceConnection, error) {
		ps, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.SubscriptionPreference.Query(), ps, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one subscription preference by its global or internal id.
func (s *SubscriptionPreferences) Get(ctx context.Context, globalID string) (*ent.SubscriptionPreference, error) {
	recordID, err := usecase.RecordID("SubscriptionPreference", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.SubscriptionPreference, error) {
		found, err := db.SubscriptionPreference.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Subscription preference %s was not found.", globalID)
	})
}

// ByKey is what a subscription says about a workflow.
func (s *SubscriptionPreferences) ByKey(ctx context.Context, subscription, ref string) (*ent.SubscriptionPreference, error) {
	subscriptionID, err := usecase.RecordID("Subscription", subscription)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.SubscriptionPreference, error) {
		w, err := usecase.WorkflowRef(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		found, err := db.SubscriptionPreference.Query().
			Where(subscriptionpreference.SubscriptionID(subscriptionID), subscriptionpreference.WorkflowID(w.ID)).Only(ctx)
		return found, usecase.NotFound(err, "Subscription %s says nothing about workflow %s.", subscription, ref)
	})
}

// OfSubscriptions finds the preferences of subscriptions by their internal ids, for nested fields, each in order of first
// mention. Cost: one query.
func (s *SubscriptionPreferences) OfSubscriptions(ctx context.Context, ids []string) (map[string][]*ent.SubscriptionPreference, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (map[string][]*ent.SubscriptionPreference, error) {
		rows, err := db.SubscriptionPreference.Query().Where(subscriptionpreference.SubscriptionIDIn(ids...)).
			Order(byPosition()).All(ctx)
		return usecase.GroupBy(rows, func(p *ent.SubscriptionPreference) string { return p.SubscriptionID }), err
	})
}

func byPosition() subscriptionpreference.OrderOption { return subscriptionpreference.ByPosition() }

// Delete removes what a subscription says about a workflow, which then passes, and answers what was removed.
func (s *SubscriptionPreferences) Delete(ctx context.Context, globalID string) (*ent.SubscriptionPreference, error) {
	return usecase.Write(ctx, s.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.SubscriptionPreference, error) {
		found, err := s.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.SubscriptionPreference.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, nil)
	})
}

// SubscriptionPreferenceInput says something about one workflow, or about all that a group filter selects
// (decisions.md §7). Exactly one of the two is set.
type SubscriptionPreferenceInput struct {
	WorkflowID *string // id, identifier or slug
	Filter     *WorkflowGroupFilter
	Condition  map[string]any // JSON Logic; it decides alone
	Enabled    *bool          // nil: true
}

// WorkflowGroupFilter selects the workflows named and every active workflow that carries one of the tags, at this moment.
type WorkflowGroupFilter struct {
	WorkflowIDs []string
	Tags        []string
}

// The bounds of preference items in one call; ours.
const (
	MaxSubscriptionPreferences = 100
	MaxGroupFilterValues       = 100
)

func checkPreferenceItems(p *fault.Problems, path string, items []SubscriptionPreferenceInput) {
	if len(items) > MaxSubscriptionPreferences {
		p.Add(path, nil, "must not hold more than %d items", MaxSubscriptionPreferences)
		return
	}
	for i, item := range items {
		at := path + "." + strconv.Itoa(i)
		if (item.WorkflowID == nil) == (item.Filter == nil) && !p.At(at) && !p.At(at+".workflowId") && !p.At(at+".filter") {
			p.Add(at, nil, "must hold either workflowId or filter")
		}
		if item.Filter != nil && max(len(item.Filter.WorkflowIDs), len(item.Filter.Tags)) > MaxGroupFilterValues {
			p.Add(at+".filter", nil, "must not hold more than %d values of a kind", MaxGroupFilterValues)
		}
		if item.Condition != nil {
			condition.ValidateRule(p, at+".condition", item.Condition)
			usecase.CheckData(p, at+".condition", item.Condition)
		}
	}
}

// preferenceItems are items that are about to be resolved.
type preferenceItems []SubscriptionPreferenceInput

// refs are the references to workflows in items, and the tags.
func (items preferenceItems) refs() (refs, tags []string) {
	for _, item := range items {
		if item.WorkflowID != nil {
			refs = append(refs, *item.WorkflowID)
		} else {
			refs, tags = append(refs, item.Filter.WorkflowIDs...), append(tags, item.Filter.Tags...)
		}
	}
	return usecase.Distinct(refs), usecase.Distinct(tags)
}

// choice asks for the workflows that items may select; nil when there is nothing to ask.
func (items preferenceItems) choice() *pgaudience.WorkflowChoice {
	refs, tags := items.refs()
	if len(refs)+len(tags) == 0 {
		return nil
	}
	return &pgaudience.WorkflowChoice{IDs: usecase.RecordIDs(refs), Identifiers: refs, Tags: tags}
}

// resolve turns items into one preference per workflow: later items override earlier ones, the order is that of first
// mention, unknown workflows and tags are skipped. chosen are the workflows of choice.
func (items preferenceItems) resolve(chosen []*ent.Workflow) (resolved []pgaudience.NewSubscriptionPreference) {
	refs, _ := items.refs()
	named := usecase.NamedWorkflows(refs, chosen, func(w *ent.Workflow) (id.ID, string) { return w.ID, w.Identifier })
	carriers := map[string][]id.ID{}
	for _, w := range chosen {
		if !w.Active {
			continue
		}
		for _, tag := range w.Tags {
			carriers[tag] = append(carriers[tag], w.ID)
		}
	}
	at := map[id.ID]int{}
	for _, item := range items {
		for _, workflowID := range item.selects(named, carriers) {
			i, seen := at[workflowID]
			if !seen {
				i = len(resolved)
				at[workflowID] = i
				resolved = append(resolved, pgaudience.NewSubscriptionPreference{WorkflowID: workflowID, Position: i})
			}
			resolved[i].Condition = item.Condition
			resolved[i].Enabled = item.Condition != nil || item.Enabled == nil || *item.Enabled
		}
	}
	return resolved
}

func (in SubscriptionPreferenceInput) selects(named map[string]*ent.Workflow, carriers map[string][]id.ID) (ids []id.ID) {
	refs, tags := []string(nil), []string(nil)
	if in.Filter != nil {
		refs, tags = in.Filter.WorkflowIDs, in.Filter.Tags
	} else {
		refs = []string{*in.WorkflowID}
	}
	for _, ref := range refs {
		if w := named[ref]; w != nil {
			ids = append(ids, w.ID)
		}
	}
	chosen := map[id.ID]bool{}
	for _, tag := range tags {
		for _, workflowID := range carriers[tag] {
			chosen[workflowID] = true
		}
	}
	return usecase.Distinct(append(ids, slices.Sorted(maps.Keys(chosen))...))
}
