package notify

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
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/viewer"
)

// Organizations are the use cases of organizations, the outer bound of tenancy. A viewer has exactly one; making and
// suspending organizations is for the operator.
type Organizations struct{ base }

// OrganizationConnection is a page of organizations.
type OrganizationConnection = Connection[ent.Organization]

// OrganizationEdge is one organization of a page.
type OrganizationEdge = Edge[ent.Organization]

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
	ps = with(ps, f.NameContains, organization.NameContainsFold)
	ps = with(ps, f.Suspended, organization.SuspendedEQ)
	ps = with(ps, f.CreatedAfter, organization.CreatedAtGT)
	return with(ps, f.CreatedBefore, organization.CreatedAtLT)
}

// List is a page of the organizations that the viewer belongs to.
func (o *Organizations) List(ctx context.Context, page Page, order *Order, filter *OrganizationFilter) (*OrganizationConnection, error) {
	return read(ctx, o.base, readOrganization, func(ctx context.Context, db *ent.Client) (*OrganizationConnection, error) {
		return paginate(ctx, db.Organization.Query(), filter.predicates(), page, order.orElse(ColumnID, OrderDesc))
	})
}

// Get is one organization by its global or internal id.
func (o *Organizations) Get(ctx context.Context, globalID string) (*ent.Organization, error) {
	recordID, err := recordID("Organization", globalID)
	if err != nil {
		return nil, err
	}
	return read(ctx, o.base, readOrganization, func(ctx context.Context, db *ent.Client) (*ent.Organization, error) {
		found, err := db.Organization.Get(ctx, recordID)
		return found, notFound(err, "Organization %s was not found.", globalID)
	})
}

// Current is the viewer's own organization.
func (o *Organizations) Current(ctx context.Context) (*ent.Organization, error) {
	v, err := authorize(ctx, readOrganization)
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
	checkGivenName(&problems, "name", in.Name)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return write(ctx, o.base, writeOrganization, func(ctx context.Context, db *ent.Client) (*ent.Organization, error) {
		found, err := o.Get(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		change := found.Update()
		changes := map[string]any{}
		setIf(changes, "name", in.Name, change.SetName)
		setIf(changes, "idempotency", in.Idempotency, change.SetIdempotency)
		setIf(changes, "requireSecondFactor", in.RequireSecondFactor, change.SetRequireSecondFactor)
		if in.RequireSecondFactor != nil {
			if err := o.mayRequireFactors(ctx, db, found, *in.RequireSecondFactor); err != nil {
				return nil, err
			}
		}
		updated, err := change.Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, audit(ctx, db, "update", updated, changes)
	})
}

// mayRequireFactors refuses the setting to all but owners, and to switch it on to a person whom it would keep out at once.
func (o *Organizations) mayRequireFactors(ctx context.Context, db *ent.Client, found *ent.Organization, required bool) error {
	v, err := authorize(ctx, requireFactors)
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
		o.tell(ctx, realtime.Access(environmentID)) // connections of people without one end
	}
	return nil
}
