package audience

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/preferencechange"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/fault"
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
	// HeldAt keeps the last change up to an instant of each workflow and context set: what SubscriberID had chosen then.
	HeldAt *time.Time
}

func (f *PreferenceChangeFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.PreferenceChange, values usecase.Values, err error) {
	if f == nil {
		return nil, values, nil
	}
	if f.SubscriberID != nil {
		ids, err := db.Subscriber.Query().Where(subscriber.SubscriberID(*f.SubscriberID)).IDs(ctx)
		if err != nil {
			return nil, values, err
		}
		usecase.AnyOf(&values, preferencechange.FieldSubscriberID, ids)
	}
	if f.Workflow != nil {
		w, err := usecase.WorkflowRefs(ctx, db, []string{*f.Workflow})
		if err != nil {
			return nil, values, err
		}
		values.Add(preferencechange.FieldWorkflowID, usecase.WorkflowIDOf(w[*f.Workflow]))
		ps = append(ps, preferencechange.WorkflowIDNEQ(""))
	}
	ps = usecase.ScopeMatch(ps, f.ContextKeys, preferencechange.Scope, func() predicate.PreferenceChange { return preferencechange.IDIn() })
	ps = usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0)
	if f.HeldAt == nil {
		return ps, values, nil
	}
	if f.SubscriberID == nil {
		return nil, values, fault.Invalidf("filter.heldAt", "goes with subscriberId: it is what one subscriber had chosen")
	}
	return append(ps, heldAt(*f.HeldAt)), values, nil
}

// heldAt keeps the changes that no later one had replaced at an instant.
func heldAt(at time.Time) predicate.PreferenceChange {
	return func(s *sql.Selector) {
		later := sql.Table(preferencechange.Table).As("later")
		same := func(column string) *sql.Predicate { return sql.ColumnsEQ(later.C(column), s.C(column)) }
		s.Where(sql.And(sql.LTE(s.C(preferencechange.FieldCreatedAt), at), sql.NotExists(sql.Select(later.C(preferencechange.FieldID)).From(later).Where(sql.And(
			same(preferencechange.FieldEnvironmentID), same(preferencechange.FieldSubscriberID), same(preferencechange.FieldWorkflowID),
			same(preferencechange.FieldScope), sql.ColumnsGT(later.C(preferencechange.FieldID), s.C(preferencechange.FieldID)),
			sql.LTE(later.C(preferencechange.FieldCreatedAt), at),
		)))))
	}
}

// List is a page of the history.
func (s *PreferenceChanges) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *PreferenceChangeFilter) (*PreferenceChangeConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*PreferenceChangeConnection, error) {
		ps, values, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.PreferenceChange.Query(), ps, page, s.Newest(order, values))
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
