package access

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/viewer"
)

// The rule of ranks: no member gives, changes, takes or resets what lies above the own rank, and an organization that has an
// owner keeps one. It holds for members, and through them for people, their log-ins and the links that let people in.

// reaches refuses what lies above the viewer's own rank. An organization's key ranks as an admin: owners are made and removed
// by people.
func reaches(v viewer.Viewer, role member.Role) error {
	if v.At(viewer.Role(role)) {
		return nil
	}
	return &fault.Error{
		Kind: fault.Forbidden, Code: "ABOVE_OWN_RANK",
		Message: "This takes the role " + string(role) + " or a higher one. Ask a member with that role.",
	}
}

// lockMembers lets one change of an organization's members happen at a time, and looks up the viewer's own rank anew: it may
// have been taken while the request waited.
func lockMembers(ctx context.Context, db *ent.Client) (context.Context, error) {
	tx, _ := postgres.TxFromContext(ctx)
	v, _ := viewer.FromContext(ctx)
	if err := pgaccess.LockOrganization(ctx, tx, v.Scope); err != nil || v.SessionID == "" {
		return ctx, err
	}
	own, err := db.Member.Query().Where(member.UserID(v.UserID)).Only(ctx)
	if err != nil {
		return ctx, usecase.NotFound(err, "You are no member of this organization any more.")
	}
	v.Role = viewer.Role(own.Role)
	return viewer.NewContext(ctx, v), nil
}

// isOwn reports whether a member is the person who is logged in.
func isOwn(v viewer.Viewer, m *ent.Member) bool { return v.SessionID != "" && m.UserID == v.UserID }

// mayGovern checks a change of members, under lockMembers. now is the member as it is (nil: a new one), next its new role
// (nil: it goes). Everybody may leave and step down.
func mayGovern(ctx context.Context, db *ent.Client, now *ent.Member, next *member.Role) error {
	v, _ := viewer.FromContext(ctx)
	if now == nil || !isOwn(v, now) {
		if _, err := usecase.Require(ctx, usecase.ChangePeople); err != nil {
			return err
		}
	}
	if now != nil {
		if err := reaches(v, now.Role); err != nil {
			return err
		}
	}
	if next != nil {
		if err := reaches(v, *next); err != nil {
			return err
		}
	}
	if now == nil || now.Role != member.RoleOwner || next != nil && *next == member.RoleOwner {
		return nil
	}
	owners, err := db.Member.Query().Where(member.RoleEQ(member.RoleOwner)).Count(ctx)
	if err != nil {
		return err
	}
	if owners == 1 {
		return fault.Conflictf("LAST_OWNER", "An organization that has an owner must keep one. Make another member owner first.")
	}
	return nil
}

// stillReaches reports whether whoever made a link could still make it: a link rests on its maker's rank for as long as it
// counts. makerID is empty for keys and the operator, whose reach was checked when it was made.
func stillReaches(ctx context.Context, db *ent.Client, organizationID, makerID string, role member.Role) (bool, error) {
	if makerID == "" {
		return true, nil
	}
	maker, err := db.Member.Query().Where(member.OrganizationID(organizationID), member.UserID(makerID)).Only(viewer.SystemContext(ctx))
	if ent.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	rank := viewer.Viewer{Role: viewer.Role(maker.Role)}
	return rank.At(viewer.RoleAdmin) && rank.At(viewer.Role(role)), nil
}
