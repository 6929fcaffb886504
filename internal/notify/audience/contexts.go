package audience

import (
	"context"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	entcontext "github.com/carillon/carillon/ent/context"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Contexts are the use cases of contexts: keys that scope subscriptions, preferences and messages. Calls that name an
// unknown one make it.
type Contexts struct{ usecase.Deps }

// ContextConnection is a page of contexts.
type ContextConnection = usecase.Connection[ent.Context]

// ContextEdge is one context of a page.
type ContextEdge = usecase.Edge[ent.Context]

// ContextFilter narrows a list of contexts; the fields that are set combine with AND.
type ContextFilter struct {
	TypeIn        []string
	Identifier    *string
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *ContextFilter) predicates() (ps []predicate.Context) {
	if f == nil {
		return nil
	}
	if f.TypeIn != nil {
		ps = append(ps, entcontext.TypeIn(f.TypeIn...))
	}
	ps = usecase.WithFilter(ps, f.Identifier, entcontext.Identifier)
	ps = usecase.WithFilter(ps, f.CreatedAfter, entcontext.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, entcontext.CreatedAtLT)
}

// List is a page of contexts.
func (c *Contexts) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *ContextFilter) (*ContextConnection, error) {
	return usecase.Read(ctx, c.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ContextConnection, error) {
		return usecase.Paginate(ctx, db.Context.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one context by its global or internal id.
func (c *Contexts) Get(ctx context.Context, globalID string) (*ent.Context, error) {
	recordID, err := usecase.RecordID("Context", globalID)
	if err != nil {
		return nil, err
	}
	return c.one(ctx, globalID, entcontext.ID(recordID))
}

// ByKey is one context by its key, type:id.
func (c *Contexts) ByKey(ctx context.Context, key string) (*ent.Context, error) {
	kind, identifier, _ := strings.Cut(key, ":")
	return c.one(ctx, key, entcontext.Type(kind), entcontext.Identifier(identifier))
}

func (c *Contexts) one(ctx context.Context, name string, ps ...predicate.Context) (*ent.Context, error) {
	return usecase.Read(ctx, c.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Context, error) {
		found, err := db.Context.Query().Where(ps...).Only(ctx)
		return found, usecase.NotFound(err, "Context %s was not found.", name)
	})
}

// CreateContextInput describes a new context.
type CreateContextInput struct {
	Type       string // decisions.md §1, context type
	Identifier string // decisions.md §1, context id
	Data       map[string]any
}

// Create makes a context. A key that is taken is a conflict.
func (c *Contexts) Create(ctx context.Context, in CreateContextInput) (*ent.Context, error) {
	var p fault.Problems
	for path, part := range map[string]string{"type": in.Type, "identifier": in.Identifier} {
		if !workflow.ValidContextPart(part) {
			p.Add(path, part, "must be 1 to 100 letters, digits, '-' or '_'")
		}
	}
	usecase.CheckData(&p, "data", in.Data)
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Context, error) {
		create := db.Context.Create().SetType(in.Type).SetIdentifier(in.Identifier)
		if in.Data != nil {
			create.SetData(in.Data)
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Context %s:%s exists already.", in.Type, in.Identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"key": in.Type + ":" + in.Identifier})
	})
}

// UpdateContextInput changes a context; absent data stays, null clears it, else it is replaced as a whole.
type UpdateContextInput struct {
	ID   string
	Data graphql.Omittable[map[string]any]
}

// Update changes a context's data. Its key is what records are scoped by, so it never changes.
func (c *Contexts) Update(ctx context.Context, in UpdateContextInput) (*ent.Context, error) {
	var p fault.Problems
	usecase.CheckData(&p, "data", in.Data.Value())
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Context, error) {
		found, err := c.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		change := db.Context.UpdateOne(found)
		usecase.SetOrClearMap(in.Data, change.SetData, change.ClearData)
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// Delete removes a context's data and answers what was removed. Records scoped by its key keep the key.
func (c *Contexts) Delete(ctx context.Context, globalID string) (*ent.Context, error) {
	return usecase.Write(ctx, c.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Context, error) {
		found, err := c.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Context.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, nil)
	})
}
