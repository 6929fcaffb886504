package activity

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// Digests are the use cases of digest windows.
type Digests struct{ usecase.Deps }

// DigestConnection is a page of digests.
type DigestConnection = usecase.Connection[ent.Digest]

// DigestEdge is one digest of a page.
type DigestEdge = usecase.Edge[ent.Digest]

// DigestFilter narrows a list of digests; the fields that are set combine with AND.
type DigestFilter struct {
	StatusIn      []digest.Status
	Workflow      *string // id, slug or identifier
	StepID        *string
	SubscriberID  *string // external; deleted subscribers included
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *DigestFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.Digest, values usecase.Values, err error) {
	if f == nil {
		return nil, values, nil
	}
	if f.StatusIn != nil {
		usecase.AnyOf(&values, digest.FieldStatus, f.StatusIn)
	}
	if f.Workflow != nil {
		workflowID, err := usecase.NamedWorkflow(ctx, db, *f.Workflow)
		if err != nil {
			return nil, values, err
		}
		values.Add(digest.FieldWorkflowID, workflowID)
	}
	if f.SubscriberID != nil {
		ids, err := usecase.NamedSubscribers(ctx, db, *f.SubscriberID)
		if err != nil {
			return nil, values, err
		}
		usecase.AnyOf(&values, digest.FieldSubscriberID, ids)
	}
	if f.StepID != nil {
		values.Add(digest.FieldStepID, *f.StepID)
	}
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values, nil
}

// List is a page of digests.
func (d *Digests) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *DigestFilter) (*DigestConnection, error) {
	return usecase.Read(ctx, d.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*DigestConnection, error) {
		ps, values, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.Digest.Query(), ps, page, d.Newest(order, values))
	})
}

// Get is one digest by its global or internal id.
func (d *Digests) Get(ctx context.Context, globalID string) (*ent.Digest, error) {
	recordID, err := usecase.RecordID("Digest", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, d.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Digest, error) {
		found, err := db.Digest.Query().Where(digest.ID(recordID)).Only(ctx)
		return found, usecase.NotFound(err, "Digest %s was not found.", globalID)
	})
}

// DigestIdentity is what events have in common that share a window (semantics.md §3.1).
type DigestIdentity struct {
	Workflow     string // id, slug or identifier
	StepID       string
	SubscriberID string // external
	DigestKey    string
	ContextKeys  []string
}

// Open is the open window of an identity.
func (d *Digests) Open(ctx context.Context, of DigestIdentity) (*ent.Digest, error) {
	return usecase.Read(ctx, d.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Digest, error) {
		workflowID, err := usecase.NamedWorkflow(ctx, db, of.Workflow)
		if err != nil {
			return nil, err
		}
		who, err := usecase.LivingSubscriberID(ctx, db, of.SubscriberID)
		if err != nil {
			return nil, err
		}
		found, err := db.Digest.Query().Where(digest.StatusEQ(digest.StatusOpen), digest.WorkflowID(workflowID), digest.StepID(of.StepID),
			digest.SubscriberID(who), digest.DigestKey(of.DigestKey), digest.Scope(usecase.ScopeOf(of.ContextKeys))).Only(ctx)
		return found, usecase.NotFound(err, "No window of that identity is open.")
	})
}
