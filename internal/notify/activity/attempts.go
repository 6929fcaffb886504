package activity

import (
	"context"
	"slices"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/attempt"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Attempts are the use cases of attempts: single calls to providers.
type Attempts struct{ usecase.Deps }

// AttemptConnection is a page of attempts.
type AttemptConnection = usecase.Connection[ent.Attempt]

// AttemptEdge is one attempt of a page.
type AttemptEdge = usecase.Edge[ent.Attempt]

// AttemptFilter narrows a list of attempts; the fields that are set combine with AND.
type AttemptFilter struct {
	MessageID     *string // global or internal id
	OutcomeIn     []workflow.AttemptOutcome
	IntegrationID *string // global or internal id
	ProviderID    *string
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *AttemptFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.Attempt, values usecase.Values, err error) {
	if f == nil {
		return nil, values, nil
	}
	if f.MessageID != nil {
		messageID, err := usecase.RecordID("Message", *f.MessageID)
		if err != nil {
			return nil, values, err
		}
		ps = append(ps, attempt.MessageID(messageID))
	}
	if f.IntegrationID != nil {
		integrationID, err := usecase.RecordID("Integration", *f.IntegrationID)
		if err != nil {
			return nil, values, err
		}
		values.Add(attempt.FieldIntegrationID, integrationID)
	}
	if f.OutcomeIn != nil {
		ps = append(ps, attempt.OutcomeIn(f.OutcomeIn...))
		if !slices.Contains(f.OutcomeIn, workflow.AttemptIntent) && !slices.Contains(f.OutcomeIn, workflow.AttemptAccepted) {
			ps = append(ps, attempt.ClassNotNil()) // every failure has one, and an index holds them
		}
	}
	if f.ProviderID != nil {
		ids, err := db.Integration.Query().Where(integration.ProviderID(*f.ProviderID)).IDs(ctx)
		if err != nil {
			return nil, values, err
		}
		ps = append(ps, attempt.ProviderID(*f.ProviderID))
		usecase.AnyOf(&values, attempt.FieldIntegrationID, ids)
	}
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values, nil
}

// List is a page of attempts.
func (a *Attempts) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *AttemptFilter) (*AttemptConnection, error) {
	return usecase.Read(ctx, a.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*AttemptConnection, error) {
		ps, values, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.Attempt.Query(), ps, page, a.Newest(order, values))
	})
}

// Get is one attempt by its global or internal id.
func (a *Attempts) Get(ctx context.Context, globalID string) (*ent.Attempt, error) {
	recordID, err := usecase.RecordID("Attempt", globalID)
	if err != nil {
		return nil, err
	}
	return a.one(ctx, attempt.ID(recordID))
}

// ByNumber is one attempt by its message (global or internal id) and its number, counted from 1.
func (a *Attempts) ByNumber(ctx context.Context, messageID string, number int) (*ent.Attempt, error) {
	recordID, err := usecase.RecordID("Message", messageID)
	if err != nil {
		return nil, err
	}
	return a.one(ctx, attempt.MessageID(recordID), attempt.Number(number))
}

func (a *Attempts) one(ctx context.Context, ps ...predicate.Attempt) (*ent.Attempt, error) {
	return usecase.Read(ctx, a.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Attempt, error) {
		found, err := db.Attempt.Query().Where(ps...).Only(ctx)
		return found, usecase.NotFound(err, "The attempt was not found.")
	})
}
