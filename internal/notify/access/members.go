package access

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Members are the use cases of memberships: who may do what in an organization. People become members by invitation.
type Members struct{ usecase.Deps }

// MemberConnection is a page of members.
type MemberConnection = usecase.Connection[ent.Member]

// MemberEdge is one member of a page.
type MemberEdge = usecase.Edge[ent.Member]

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
			if ids[i], err = usecase.RecordID("User", global); err != nil {
				return nil, err
			}
		}
		ps = append(ps, member.UserIDIn(ids...))
	}
	if f.RoleIn != nil {
		ps = append(ps, member.RoleIn(f.RoleIn...))
	}
	ps = usecase.WithFilter(ps, f.CreatedAfter, member.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, member.CreatedAtLT), nil
}

// List is a page of the organization's members.
func (m *Members) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *MemberFilter) (*MemberConnection, error) {
	filters, err := filter.predicates()
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, m.Deps, usecase.ReadPeople, func(ctx context.Context, db *ent.Client) (*MemberConnection, error) {
		return usecase.Paginate(ctx, db.Member.Query().WithUser(), filters, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one member by its global or internal id.
func (m *Members) Get(ctx context.Context, globalID string) (*ent.Member, error) {
	recordID, err := usecase.RecordID("Member", globalID)
	if err != nil {
		return nil, err
	}
	return m.one(ctx, member.ID(recordID), "Member "+globalID)
}

// ByUser is the membership of one user.
func (m *Members) ByUser(ctx context.Context, globalID string) (*ent.Member, error) {
	userID, err := usecase.RecordID("User", globalID)
	if err != nil {
		return nil, err
	}
	return m.one(ctx, member.UserID(userID), "A member who is user "+globalID)
}

func (m *Members) one(ctx context.Context, p predicate.Member, what string) (*ent.Member, error) {
	return usecase.Read(ctx, m.Deps, usecase.ReadPeople, func(ctx context.Context, db *ent.Client) (*ent.Member, error) {
		found, err := db.Member.Query().Where(p).WithUser().Only(ctx)
		return found, usecase.NotFound(err, "%s was not found.", what)
	})
}

// UpdateMemberInput changes a member.
type UpdateMemberInput struct {
	ID   string
	Role member.Role
}

// Update gives a member another role.
func (m *Members) Update(ctx context.Context, in UpdateMemberInput) (*ent.Member, error) {
	return usecase.Write(ctx, m.Deps, usecase.ChangeMembership, func(ctx context.Context, db *ent.Client) (*ent.Member, error) {
		ctx, found, err := m.govern(ctx, db, in.ID, &in.Role)
		if err != nil {
			return nil, err
		}
		updated, err := found.Update().SetRole(in.Role).Save(ctx)
		if err != nil {
			return nil, err
		}
		updated.Edges.User = found.Edges.User
		if err := m.AccessOfChanged(ctx, db, found.UserID); err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, map[string]any{"email": found.Edges.User.Email, "role": in.Role})
	})
}

// Delete ends a membership and answers what was removed; everybody may leave. The person's account ends with the last one.
func (m *Members) Delete(ctx context.Context, globalID string) (*ent.Member, error) {
	return usecase.Write(ctx, m.Deps, usecase.ChangeMembership, func(ctx context.Context, db *ent.Client) (*ent.Member, error) {
		ctx, found, err := m.govern(ctx, db, globalID, nil)
		if err != nil {
			return nil, err
		}
		return found, m.end(ctx, db, found)
	})
}

// govern finds a member whom the viewer may give another role (nil: whose membership it may end), one change per
// organization at a time.
func (m *Members) govern(ctx context.Context, db *ent.Client, globalID string, role *member.Role) (context.Context, *ent.Member, error) {
	ctx, err := lockMembers(ctx, db)
	if err != nil {
		return ctx, nil, err
	}
	found, err := m.Get(ctx, globalID)
	if err != nil {
		return ctx, nil, err
	}
	return ctx, found, mayGovern(ctx, db, found, role)
}

// end removes a member, with the log-ins in this organization and, if it was the last membership, with the account. To the
// viewer it looks the same whether the person is a member of another organization.
func (m *Members) end(ctx context.Context, db *ent.Client, found *ent.Member) error {
	system := viewer.SystemContext(ctx)
	tx, _ := postgres.TxFromContext(ctx)
	if _, err := lockPerson(system, tx, user.ID(found.UserID)); err != nil { // so that they cannot become a member elsewhere meanwhile
		return err
	}
	if err := m.endLogIns(ctx, db, found.UserID); err != nil {
		return err
	}
	if err := db.Member.DeleteOne(found).Exec(ctx); err != nil {
		return err
	}
	others, err := db.Member.Query().Where(member.UserID(found.UserID)).Exist(system)
	if err != nil {
		return err
	}
	if !others {
		if err := db.User.DeleteOneID(found.UserID).Exec(system); err != nil {
			return err
		}
	}
	return usecase.Audit(ctx, db, "delete", found, map[string]any{"userId": found.UserID, "email": found.Edges.User.Email, "role": found.Role})
}

// endLogIns ends a person's log-ins in the environments of the viewer's organization.
func (m *Members) endLogIns(ctx context.Context, db *ent.Client, userID string) error {
	if err := lockLogIns(ctx, db, userID); err != nil {
		return err
	}
	if err := m.AccessOfChanged(ctx, db, userID); err != nil {
		return err
	}
	v, _ := viewer.FromContext(ctx)
	return db.Session.Update().Where(session.UserID(userID), session.RevokedAtIsNil(),
		session.HasEnvironmentWith(environment.OrganizationID(v.OrganizationID))).
		SetRevokedAt(m.Stamp()).Exec(viewer.SystemContext(ctx))
}
