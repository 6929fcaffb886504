package activity

import (
	"context"
	"slices"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// Events are the use cases of events: accepted triggers.
type Events struct{ usecase.Deps }

// EventConnection is a page of events.
type EventConnection = usecase.Connection[ent.Event]

// EventEdge is one event of a page.
type EventEdge = usecase.Edge[ent.Event]

// EventFilter narrows a list of events; the fields that are set combine with AND.
type EventFilter struct {
	StatusIn      []event.Status
	KindIn        []event.Kind
	Workflow      *string // id, slug or identifier
	TransactionID *string
	ContextKeys   []string // as a set; nil: any
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *EventFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.Event, values usecase.Values, err error) {
	if f == nil {
		return nil, values, nil
	}
	switch {
	case f.StatusIn == nil:
	case slices.Contains(f.StatusIn, event.StatusFannedOut): // which nearly all have; the index of statuses leaves them out
		ps = append(ps, event.StatusIn(f.StatusIn...))
	default:
		usecase.AnyOf(&values, event.FieldStatus, f.StatusIn)
	}
	if f.KindIn != nil {
		ps = append(ps, event.KindIn(f.KindIn...))
	}
	if f.Workflow != nil {
		workflowID, err := usecase.NamedWorkflow(ctx, db, *f.Workflow)
		if err != nil {
			return nil, values, err
		}
		values.Add(event.FieldWorkflowID, workflowID)
	}
	ps = usecase.WithFilter(ps, f.TransactionID, event.TransactionID)
	ps = usecase.ScopeMatch(ps, f.ContextKeys, event.Scope, func() predicate.Event { return event.IDIn() })
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values, nil
}

// List is a page of events.
func (e *Events) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *EventFilter) (*EventConnection, error) {
	return usecase.Read(ctx, e.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*EventConnection, error) {
		ps, values, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.Event.Query(), ps, page, e.Newest(order, values))
	})
}

// Get is one event by its global or internal id.
func (e *Events) Get(ctx context.Context, globalID string) (*ent.Event, error) {
	recordID, err := usecase.RecordID("Event", globalID)
	if err != nil {
		return nil, err
	}
	return e.newest(ctx, globalID, event.ID(recordID))
}

// ByTransactionID is the newest event of a transactionId; an id may be used again when its retention has passed.
func (e *Events) ByTransactionID(ctx context.Context, transactionID string) (*ent.Event, error) {
	return e.newest(ctx, transactionID, event.TransactionID(transactionID))
}

func (e *Events) newest(ctx context.Context, name string, p predicate.Event) (*ent.Event, error) {
	return usecase.Read(ctx, e.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Event, error) {
		found, err := db.Event.Query().Where(p).Order(event.ByID(usecase.Descending())).First(ctx)
		if ent.IsNotFound(err) {
			return nil, fault.NotFoundf("Event %s was not found.", name)
		}
		return found, err
	})
}
