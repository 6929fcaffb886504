package audience

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/tenant"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Tenants are the use cases of tenants: the operator's customers, on whose behalf triggers happen.
type Tenants struct{ usecase.Deps }

// TenantConnection is a page of tenants.
type TenantConnection = usecase.Connection[ent.Tenant]

// TenantEdge is one tenant of a page.
type TenantEdge = usecase.Edge[ent.Tenant]

// TenantFilter narrows a list of tenants; the fields that are set combine with AND.
type TenantFilter struct {
	IdentifierIn  []string
	NameContains  *string // case-insensitive
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *TenantFilter) predicates() (ps []predicate.Tenant) {
	if f == nil {
		return nil
	}
	if f.IdentifierIn != nil {
		ps = append(ps, tenant.IdentifierIn(f.IdentifierIn...))
	}
	ps = usecase.WithFilter(ps, f.NameContains, tenant.NameContainsFold)
	ps = usecase.WithFilter(ps, f.CreatedAfter, tenant.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, tenant.CreatedAtLT)
}

// List is a page of tenants.
func (t *Tenants) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *TenantFilter) (*TenantConnection, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*TenantConnection, error) {
		return usecase.Paginate(ctx, db.Tenant.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one tenant by its global or internal id.
func (t *Tenants) Get(ctx context.Context, globalID string) (*ent.Tenant, error) {
	recordID, err := usecase.RecordID("Tenant", globalID)
	if err != nil {
		return nil, err
	}
	return t.one(ctx, tenant.ID(recordID), globalID)
}

// ByIdentifier is one tenant by its identifier.
func (t *Tenants) ByIdentifier(ctx context.Context, identifier string) (*ent.Tenant, error) {
	return t.one(ctx, tenant.Identifier(identifier), identifier)
}

func (t *Tenants) one(ctx context.Context, p predicate.Tenant, name string) (*ent.Tenant, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Tenant, error) {
		found, err := db.Tenant.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Tenant %s was not found.", name)
	})
}

// Batch finds tenants by internal id, for nested fields. Cost: one query.
func (t *Tenants) Batch(ctx context.Context, ids []string) (map[string]*ent.Tenant, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (map[string]*ent.Tenant, error) {
		rows, err := db.Tenant.Query().Where(tenant.IDIn(ids...)).All(ctx)
		return usecase.ByID(rows), err
	})
}

// CreateTenantInput describes a new tenant.
type CreateTenantInput struct {
	Identifier string // decisions.md §1, tenant identifier
	Name       *string
	Data       map[string]any
}

// Create makes a tenant. An identifier that is taken is a conflict; Upsert takes it over.
func (t *Tenants) Create(ctx context.Context, in CreateTenantInput) (*ent.Tenant, error) {
	var p fault.Problems
	identifier := checkTenantIdentifier(&p, in.Identifier)
	usecase.CheckText(&p, "name", in.Name, usecase.MaxNameLength)
	usecase.CheckData(&p, "data", in.Data)
	if p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Tenant, error) {
		create := db.Tenant.Create().SetIdentifier(identifier).SetNillableName(in.Name)
		if in.Data != nil {
			create.SetData(in.Data)
		}
		created, err := create.Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Tenant %s exists already.", identifier)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"identifier": identifier})
	})
}

func checkTenantIdentifier(p *fault.Problems, given string) string {
	identifier, ok := workflow.ParseTenantIdentifier(given)
	if !ok {
		p.Add("identifier", given, "must be 1 to 255 letters, digits or - _ . : @ | + = ~ /")
	}
	return identifier
}

// UpdateTenantInput changes a tenant; absent fields stay as they are, null clears, data is replaced as a whole.
type UpdateTenantInput struct {
	ID   string
	Name graphql.Omittable[*string]
	Data graphql.Omittable[map[string]any]
}

// Update changes a tenant.
func (t *Tenants) Update(ctx context.Context, in UpdateTenantInput) (*ent.Tenant, error) {
	if err := checkTenantProfile(in.Name, in.Data); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Tenant, error) {
		found, err := t.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return t.change(ctx, db, found, in.Name, in.Data)
	})
}

func checkTenantProfile(name graphql.Omittable[*string], data graphql.Omittable[map[string]any]) error {
	var p fault.Problems
	usecase.CheckText(&p, "name", name.Value(), usecase.MaxNameLength)
	usecase.CheckData(&p, "data", data.Value())
	return p.Err()
}

func (t *Tenants) change(ctx context.Context, db *ent.Client, found *ent.Tenant, name graphql.Omittable[*string], data graphql.Omittable[map[string]any]) (*ent.Tenant, error) {
	change := db.Tenant.UpdateOne(found)
	usecase.SetOrClear(name, change.SetName, change.ClearName)
	usecase.SetOrClearMap(data, change.SetData, change.ClearData)
	updated, err := change.Save(ctx)
	if err != nil {
		return nil, err
	}
	return updated, usecase.Audit(ctx, db, "update", updated, nil)
}

// UpsertTenantInput names a tenant and what it is from now on; absent fields stay as they are, null clears.
type UpsertTenantInput struct {
	Identifier string
	Name       graphql.Omittable[*string]
	Data       graphql.Omittable[map[string]any]
}

// Upsert changes the tenant of this identifier, and makes it when there is none.
func (t *Tenants) Upsert(ctx context.Context, in UpsertTenantInput) (*ent.Tenant, error) {
	var p fault.Problems
	identifier := checkTenantIdentifier(&p, in.Identifier)
	if err := p.Merge("", checkTenantProfile(in.Name, in.Data)); err != nil || p.Any() {
		return nil, p.Err()
	}
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Tenant, error) {
		tx, _ := postgres.TxFromContext(ctx)
		v, _ := viewer.FromContext(ctx)
		if err := pgaudience.EnsureTenant(ctx, tx, v.Scope, identifier); err != nil {
			return nil, err
		}
		found, err := db.Tenant.Query().Where(tenant.Identifier(identifier)).ForUpdate().Only(ctx)
		if err != nil {
			return nil, err
		}
		return t.change(ctx, db, found, in.Name, in.Data)
	})
}

// Delete removes a tenant with its workflow overrides and answers what was removed.
func (t *Tenants) Delete(ctx context.Context, globalID string) (*ent.Tenant, error) {
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.Tenant, error) {
		found, err := t.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Tenant.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, nil)
	})
}
