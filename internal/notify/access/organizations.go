package access

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// Organizations are the use cases of organizations, the outer bound of tenancy. A viewer has exactly one; making and
// suspending organizations is for the operator.
type Organizations struct{ usecase.Deps }

// OrganizationConnection is a page of organizations.
type OrganizationConnection = usecase.Connection[ent.Organization]

// OrganizationEdge is one organization of a page.
type OrganizationEdge = usecase.Edge[ent.Organization]

// OrganizationFilter narrows a list of organizations; the fields that are set combine with AND.
type OrganizationFilter struct {
	NameContains  *string // case-insensitive
	Suspended     *bool
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *OrganizationFilter) predicates() (ps []predicate.Organization) {
	if f == nil {
		return nil
	}
	ps = usecase.WithFilter(ps, f.NameContains, organization.NameContainsFold)
	ps = usecase.WithFilter(ps, f.Suspended, organization.SuspendedEQ)
	ps = usecase.WithFilter(ps, f.CreatedAfter, organization.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, organization.CreatedAtLT)
}

// List is a page of the organizations that the viewer belongs to.
func (o *Organizations) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *OrganizationFilter) (*OrganizationConnection, error) {
	return usecase.Read(ctx, o.Deps, usecase.ReadOrganization, func(ctx context.Context, db *ent.Client) (*OrganizationConnection, error) {
		return usecase.Paginate(ctx, db.Organization.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one organization by its global or internal id.
func (o *Organizations) Get(ctx context.Context, globalID string) (*ent.Organization, error) {
	recordID, err := usecase.RecordID("Organization", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, o.Deps, usecase.ReadOrganization, func(ctx context.Context, db *ent.Client) (*ent.Organization, error) {
		found, err := db.Organization.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Organization %s was not found.", globalID)
	})
}

// Current is the viewer's own organization.
func (o *Organizations) Current(ctx context.Context) (*ent.Organization, error) {
	v, err := usecase.Require(ctx, usecase.ReadOrganization)
	if err != nil {
		return nil, err
	}
	return o.Get(ctx, v.OrganizationID)
}

// UpdateOrganizationInput changes an organization; absent fields stay as they are.
type UpdateOrganizationInput struct {
	ID          string
	Name        *string
	Idempotency *bool // whether idempotency keys count (decisions.md §13)

	RequireSecondFactor *bool // whether members who log in with a password need a second factor
}

// Update changes the viewer's organization.
func (o *Organizations) Update(ctx context.Context, in UpdateOrganizationInput) (*ent.Organization, error) {
	var problems fault.Problems
	usecase.CheckGivenName(&problems, "name", in.Name)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, o.Deps, usecase.WriteOrganization, func(ctx context.Context, db *ent.Client) (*ent.Organization, error) {
		found, err := o.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		change := found.Update()
		changes := map[string]any{}
		usecase.SetIf(changes, "name", in.Name, change.SetName)
		usecase.SetIf(changes, "idempotency", in.Idempotency, change.SetIdempotency)
		usecase.SetIf(changes, "requireSecondFactor", in.RequireSecondFactor, change.SetRequireSecondFactor)
		if in.RequireSecondFactor != nil {
			if err := o.mayRequireFactors(ctx, db, found, *in.RequireSecondFactor); err != nil {
				return nil, err
			}
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, changes)
	})
}

// mayRequireFactors refuses the setting to all but owners, and to switch it on to a person whom it would keep out at once.
func (o *Organizations) mayRequireFactors(ctx context.Context, db *ent.Client, found *ent.Organization, required bool) error {
	v, err := usecase.Require(ctx, usecase.RequireFactors)
	if err != nil || required == found.RequireSecondFactor {
		return err
	}
	system := viewer.SystemContext(ctx)
	if required && v.SessionID != "" {
		secure, err := db.Session.Query().Where(session.ID(v.SessionID),
			session.Or(session.VerifiedElsewhere(true), session.HasUserWith(user.SecondFactorAtNotNil()))).Exist(system)
		if err != nil {
			return err
		}
		if !secure {
			return fault.Conflictf("NO_SECOND_FACTOR", "Set up your own second factor first: without one you could do nothing else.")
		}
	}
	environments, err := db.Environment.Query().Where(environment.OrganizationID(found.ID)).IDs(system)
	if err != nil {
		return err
	}
	for _, environmentID := range environments {
		o.Publish(ctx, realtime.Access(environmentID)) // connections of people without one end
	}
	return nil
}
