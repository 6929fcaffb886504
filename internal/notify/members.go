package notify

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Members are the use cases of memberships: who may do what in an organization.
type Members struct {
	base
	users *Users
}

// MemberConnection is a page of members.
type MemberConnection = Connection[ent.Member]

// MemberEdge is one member of a page.
type MemberEdge = Edge[ent.Member]

// MemberFilter narrows a list of members; the fields that are set combine with AND.
type MemberFilter struct {
	UserIDIn      []string // global or internal ids
	RoleIn        []member.Role
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *MemberFilter) predicates() (ps []predicate.Member, err error) {
	if f == nil {
		return nil, nil
	}
	if f.UserIDIn != nil {
		ids := make([]string, len(f.UserIDIn))
		for i, global := range f.UserIDIn {
			if ids[i], err = recordID("User", global); err != nil {
				return nil, err
			}
		}
		ps = append(ps, member.UserIDIn(ids...))
	}
	if f.RoleIn != nil {
		ps = append(ps, member.RoleIn(f.RoleIn...))
	}
	ps = with(ps, f.CreatedAfter, member.CreatedAtGT)
	return with(ps, f.CreatedBefore, member.CreatedAtLT), nil
}

// List is a page of the organization's members.
func (m *Members) List(ctx context.Context, page Page, order *Order, filter *MemberFilter) (*MemberConnection, error) {
	filters, err := filter.predicates()
	if err != nil {
		return nil, err
	}
	return read(ctx, m.base, func(ctx context.Context, db *ent.Client) (*MemberConnection, error) {
		return paginate(ctx, db.Member.Query().WithUser(), filters, page, order.orElse(ColumnID, OrderDesc))
	})
}

// Get is one member by its global or internal id.
func (m *Members) Get(ctx context.Context, globalID string) (*ent.Member, error) {
	recordID, err := recordID("Member", globalID)
	if err != nil {
		return nil, err
	}
	return m.one(ctx, member.ID(recordID), "Member "+globalID)
}

// ByUser is the membership of one user.
func (m *Members) ByUser(ctx context.Context, globalID string) (*ent.Member, error) {
	userID, err := recordID("User", globalID)
	if err != nil {
		return nil, err
	}
	return m.one(ctx, member.UserID(userID), "A member who is user "+globalID)
}

func (m *Members) one(ctx context.Context, p predicate.Member, what string) (*ent.Member, error) {
	return read(ctx, m.base, func(ctx context.Context, db *ent.Client) (*ent.Member, error) {
		found, err := db.Member.Query().Where(p).WithUser().Only(ctx)
		return found, notFound(err, "%s was not found.", what)
	})
}

// CreateMemberInput describes a new member. The names are used only when nobody with that address exists yet.
type CreateMemberInput struct {
	Email     string
	FirstName *string
	LastName  *string
	Role      member.Role
}

// Create makes a person a member of the viewer's organization.
func (m *Members) Create(ctx context.Context, in CreateMemberInput) (*ent.Member, error) {
	in.Email = normalEmail(in.Email)
	var problems fault.Problems
	checkEmail(&problems, "email", in.Email)
	checkGivenName(&problems, "firstName", in.FirstName)
	checkGivenName(&problems, "lastName", in.LastName)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return write(ctx, m.base, viewer.RoleAdmin, func(ctx context.Context, db *ent.Client) (*ent.Member, error) {
		if err := lockMembers(ctx); err != nil {
			return nil, err
		}
		if err := mayGovern(ctx, db, nil, &in.Role); err != nil {
			return nil, err
		}
		person, err := m.users.findOrCreate(ctx, db, in.Email, in.FirstName, in.LastName)
		if err != nil {
			return nil, err
		}
		created, err := db.Member.Create().SetUserID(person.ID).SetRole(in.Role).Save(ctx)
		if err != nil {
			return nil, taken(err, "%s is a member already.", in.Email)
		}
		created.Edges.User = person
		return created, audit(ctx, db, "create", created, map[string]any{"email": in.Email, "role": in.Role})
	})
}

// UpdateMemberInput changes a member.
type UpdateMemberInput struct {
	ID   string
	Role member.Role
}

// Update gives a member another role.
func (m *Members) Update(ctx context.Context, in UpdateMemberInput) (*ent.Member, error) {
	return m.change(ctx, in.ID, &in.Role, func(ctx context.Context, db *ent.Client, found *ent.Member) (*ent.Member, error) {
		updated, err := found.Update().SetRole(in.Role).Save(ctx)
		if err != nil {
			return nil, err
		}
		updated.Edges.User = found.Edges.User
		return updated, audit(ctx, db, "update", updated, map[string]any{"role": in.Role})
	})
}

// Delete ends a membership and answers what was removed. The person remains, and can be made a member again.
func (m *Members) Delete(ctx context.Context, globalID string) (*ent.Member, error) {
	return m.change(ctx, globalID, nil, func(ctx context.Context, db *ent.Client, found *ent.Member) (*ent.Member, error) {
		if err := db.Member.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		if err := m.accessOfChanged(ctx, db, found.UserID); err != nil {
			return nil, err
		}
		return found, audit(ctx, db, "delete", found, map[string]any{"userId": found.UserID})
	})
}

// change runs a change of one member, one change per organization at a time.
func (m *Members) change(ctx context.Context, globalID string, role *member.Role,
	fn func(ctx context.Context, db *ent.Client, found *ent.Member) (*ent.Member, error),
) (*ent.Member, error) {
	return write(ctx, m.base, viewer.RoleAdmin, func(ctx context.Context, db *ent.Client) (*ent.Member, error) {
		if err := lockMembers(ctx); err != nil {
			return nil, err
		}
		found, err := m.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := mayGovern(ctx, db, found, role); err != nil {
			return nil, err
		}
		return fn(ctx, db, found)
	})
}

func lockMembers(ctx context.Context) error {
	tx, _ := postgres.TxFromContext(ctx)
	v, _ := viewer.FromContext(ctx)
	return postgres.LockOrganization(ctx, tx, v.Scope)
}

// mayGovern guards ownership. Only an owner gives it or takes it, except that the first owner may be named by an admin;
// and the last owner stays one. now is the member as it is (nil: a new one), next its new role (nil: it goes).
func mayGovern(ctx context.Context, db *ent.Client, now *ent.Member, next *member.Role) error {
	wasOwner := now != nil && now.Role == member.RoleOwner
	staysOwner := next != nil && *next == member.RoleOwner
	if wasOwner == staysOwner {
		return nil
	}
	owners, err := db.Member.Query().Where(member.RoleEQ(member.RoleOwner)).Limit(2).All(ctx)
	if err != nil {
		return err
	}
	if _, err := allowed(ctx, viewer.RoleOwner); err != nil && len(owners) > 0 {
		return err
	}
	if wasOwner && len(owners) == 1 {
		return fault.Conflictf("LAST_OWNER", "An organization that has an owner must keep one; make somebody else owner first.")
	}
	return nil
}
