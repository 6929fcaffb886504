package audience

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/tenant"
	"github.com/carillon/carillon/ent/tenantworkflow"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TenantWorkflows are the use cases of a workflow's overrides for single tenants.
type TenantWorkflows struct{ usecase.Deps }

// TenantWorkflowConnection is a page of overrides.
type TenantWorkflowConnection = usecase.Connection[ent.TenantWorkflow]

// TenantWorkflowEdge is one override of a page.
type TenantWorkflowEdge = usecase.Edge[ent.TenantWorkflow]

// TenantWorkflowFilter narrows a list of overrides; the fields that are set combine with AND.
type TenantWorkflowFilter struct {
	TenantIdentifier *string
	Workflow         *string // id, slug or identifier
	Active           *bool
}

func (f *TenantWorkflowFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.TenantWorkflow, err error) {
	if f == nil {
		return nil, nil
	}
	if f.TenantIdentifier != nil {
		ps = append(ps, tenantworkflow.HasTenantWith(tenant.Identifier(*f.TenantIdentifier)))
	}
	if f.Workflow != nil {
		found, err := usecase.WorkflowRefs(ctx, db, []string{*f.Workflow})
		if err != nil {
			return nil, err
		}
		ps = append(ps, tenantworkflow.WorkflowID(usecase.WorkflowIDOf(found[*f.Workflow])))
	}
	return usecase.WithFilter(ps, f.Active, tenantworkflow.Active), nil
}

// List is a page of overrides.
func (t *TenantWorkflows) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *TenantWorkflowFilter) (*TenantWorkflowConnection, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*TenantWorkflowConnection, error) {
		ps, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.TenantWorkflow.Query(), ps, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one override by its global or internal id.
func (t *TenantWorkflows) Get(ctx context.Context, globalID string) (*ent.TenantWorkflow, error) {
	recordID, err := usecase.RecordID("TenantWorkflow", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.TenantWorkflow, error) {
		found, err := db.TenantWorkflow.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Tenant override %s was not found.", globalID)
	})
}

// ByKey is the override of a workflow for a tenant.
func (t *TenantWorkflows) ByKey(ctx context.Context, tenantIdentifier, ref string) (*ent.TenantWorkflow, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.TenantWorkflow, error) {
		w, err := usecase.WorkflowRef(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		found, err := db.TenantWorkflow.Query().
			Where(tenantworkflow.WorkflowID(w.ID), tenantworkflow.HasTenantWith(tenant.Identifier(tenantIdentifier))).Only(ctx)
		return found, usecase.NotFound(err, "Tenant %s has no override of workflow %s.", tenantIdentifier, ref)
	})
}

// SetTenantWorkflowInput says what a workflow is for one tenant; absent fields stay as they are.
type SetTenantWorkflowInput struct {
	TenantIdentifier string
	Workflow         string // id, slug or identifier
	Active           *bool  // false switches the workflow off for the tenant
	Preferences      *workflow.ChannelPreferences
}

// Set makes or changes the override of a workflow for a tenant. The channels that are given replace those stored.
func (t *TenantWorkflows) Set(ctx context.Context, in SetTenantWorkflowInput) (*ent.TenantWorkflow, error) {
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.TenantWorkflow, error) {
		owner, err := db.Tenant.Query().Where(tenant.Identifier(in.TenantIdentifier)).Only(ctx)
		if err != nil {
			return nil, usecase.NotFound(err, "Tenant %s was not found.", in.TenantIdentifier)
		}
		w, err := usecase.WorkflowRef(ctx, db, in.Workflow)
		if err != nil {
			return nil, err
		}
		tx, _ := postgres.TxFromContext(ctx)
		v, _ := viewer.FromContext(ctx)
		if err := pgaudience.EnsureTenantWorkflow(ctx, tx, v.Scope, owner.ID, w.ID); err != nil {
			return nil, err
		}
		found, err := db.TenantWorkflow.Query().
			Where(tenantworkflow.TenantID(owner.ID), tenantworkflow.WorkflowID(w.ID)).ForUpdate().Only(ctx)
		if err != nil {
			return nil, err
		}
		change := db.TenantWorkflow.UpdateOne(found).SetNillableActive(in.Active)
		if in.Preferences != nil {
			change.SetPreferences(*in.Preferences)
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, nil)
	})
}

// Delete removes an override and answers what was removed: the workflow is for this tenant what it is for all.
func (t *TenantWorkflows) Delete(ctx context.Context, globalID string) (*ent.TenantWorkflow, error) {
	return usecase.Write(ctx, t.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*ent.TenantWorkflow, error) {
		found, err := t.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.TenantWorkflow.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, nil)
	})
}
