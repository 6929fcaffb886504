package audience

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/preferencechange"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// PreferenceChanges are the use cases of the history of preferences: what was stored after each write.
type PreferenceChanges struct{ usecase.Deps }

// PreferenceChangeConnection is a page of the history.
type PreferenceChangeConnection = usecase.Connection[ent.PreferenceChange]

// PreferenceChangeEdge is one change of a page.
type PreferenceChangeEdge = usecase.Edge[ent.PreferenceChange]

// PreferenceChangeFilter narrows the history; the fields that are set combine with AND.
type PreferenceChangeFilter struct {
	SubscriberID  *string  // external
	Workflow      *string  // id, slug or identifier
	ContextKeys   []string // as a set; nil: any
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *PreferenceChangeFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.PreferenceChange, err error) {
	if f == nil {
		return nil, nil
	}
	if f.SubscriberID != nil {
		ids, err := db.Subscriber.Query().Where(subscriber.SubscriberID(*f.SubscriberID)).IDs(ctx)
		if err != nil {
			return nil, err
		}
		ps = append(ps, preferencechange.SubscriberIDIn(ids...))
	}
	if f.Workflow != nil {
		w, err := usecase.WorkflowRefs(ctx, db, []string{*f.Workflow})
		if err != nil {
			return nil, err
		}
		ps = append(ps, preferencechange.WorkflowID(usecase.WorkflowIDOf(w[*f.Workflow])), preferencechange.WorkflowIDNEQ(""))
	}
	ps = usecase.ScopeMatch(ps, f.ContextKeys, preferencechange.Scope, func() predicate.PreferenceChange { return preferencechange.IDIn() })
	ps = usecase.WithFilter(ps, f.CreatedAfter, preferencechange.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, preferencechange.CreatedAtLT), nil
}

// List is a page of the history.
func (s *PreferenceChanges) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *PreferenceChangeFilter) (*PreferenceChangeConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*PreferenceChangeConnection, error) {
		ps, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.PreferenceChange.Query(), ps, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one change by its global or internal id.
func (s *PreferenceChanges) Get(ctx context.Context, globalID string) (*ent.PreferenceChange, error) {
	recordID, err := usecase.RecordID("PreferenceChange", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.PreferenceChange, error) {
		found, err := db.PreferenceChange.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Change %s was not found.", globalID)
	})
}
