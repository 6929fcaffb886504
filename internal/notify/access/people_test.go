package access_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/user"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/viewer"
)

var roles = []member.Role{member.RoleViewer, member.RoleEditor, member.RoleAdmin, member.RoleOwner}

func rank(role member.Role) int {
	for i, r := range roles {
		if r == role {
			return i
		}
	}
	return -1
}

// TestNobodyReachesAboveTheOwnRank tries every role on every other one by every way in which one person reaches another.
func TestNobodyReachesAboveTheOwnRank(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	o.Hire(t, o.Scope, member.RoleOwner) // so that no other one is the last
	program := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: o.Scope.OrganizationID}, Role: viewer.RoleOrganizationKey, OrganizationKeyID: "k", Grants: viewer.GrantsOf(viewer.GrantMembers),
	})
	type actor struct {
		name string
		ctx  context.Context //nolint:containedctx // a table of viewers
		rank int
	}
	actors := []actor{{"organization key", program, rank(member.RoleAdmin)}}
	for _, role := range roles {
		actors = append(actors, actor{string(role), o.Hire(t, o.Scope, role).Ctx, rank(role)})
	}
	for _, a := range actors {
		for _, target := range roles {
			may := a.rank >= rank(member.RoleAdmin) && a.rank >= rank(target)
			check := func(what string, err error) {
				t.Helper()
				if may {
					require.NoError(t, err, "%s: %s %s", a.name, what, target)
					return
				}
				require.Equal(t, fault.Forbidden, fault.KindOf(err), "%s: %s %s: %v", a.name, what, target, err)
			}
			m := o.Hire(t, o.Scope, target)
			before := o.DB.Ent.User.GetX(viewer.SystemContext(t.Context()), m.UserID)
			_, err := o.Sessions.CreateReset(a.ctx, m.UserID)
			check("resets the password of", err)
			_, err = o.Sessions.End(a.ctx, m.UserID)
			check("ends the log-ins of", err)
			_, err = o.Members.Update(a.ctx, access.UpdateMemberInput{ID: m.ID, Role: member.RoleViewer})
			check("demotes", err)
			v := o.Hire(t, o.Scope, member.RoleViewer)
			_, err = o.Members.Update(a.ctx, access.UpdateMemberInput{ID: v.ID, Role: target})
			check("promotes to", err)
			_, err = o.Invitations.Create(a.ctx, access.CreateInvitationInput{Email: id.New(time.Now()) + "@example.org", Role: target})
			check("invites", err)
			invited, err := o.Invitations.Create(viewer.InScope(t.Context(), o.Scope), access.CreateInvitationInput{Email: id.New(time.Now()) + "@example.org", Role: target})
			require.NoError(t, err)
			_, err = o.Invitations.Delete(a.ctx, invited.Invitation.ID)
			check("withdraws the invitation of", err)
			if !may {
				require.Equal(t, 1, o.OpenSessions(t, m.UserID))
				after := o.DB.Ent.User.GetX(viewer.SystemContext(t.Context()), m.UserID)
				require.Equal(t, before.PasswordHash, after.PasswordHash)
				require.Equal(t, before.PasswordReset, after.PasswordReset)
			}
			m = o.Hire(t, o.Scope, target)
			_, err = o.Members.Delete(a.ctx, m.ID)
			check("removes", err)
			m = o.Hire(t, o.Scope, target)
			_, err = o.Users.Delete(a.ctx, m.UserID)
			check("deletes", err)
			_, err = o.Users.Update(a.ctx, access.UpdateUserInput{ID: v.UserID})
			require.Equal(t, fault.Forbidden, fault.KindOf(err), "%s: renames another person", a.name)
		}
	}
}

func TestEverybodyMayLeaveAndStepDown(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	for _, role := range roles {
		m := o.Hire(t, o.Scope, role)
		if role == member.RoleOwner {
			o.Hire(t, o.Scope, role)
			_, err := o.Members.Update(m.Ctx, access.UpdateMemberInput{ID: m.ID, Role: member.RoleAdmin})
			require.NoError(t, err)
			_, err = o.Members.Update(m.Ctx, access.UpdateMemberInput{ID: m.ID, Role: member.RoleOwner})
			require.Equal(t, fault.Forbidden, fault.KindOf(err), "the log-in is from before; the rank is that of now")
		}
		_, err := o.Members.Delete(m.Ctx, m.ID)
		require.NoError(t, err, role)
		require.False(t, o.DB.Ent.User.Query().Where(user.ID(m.UserID)).ExistX(viewer.SystemContext(t.Context())), "the account ends with the last membership")
		_, err = o.Members.Delete(m.Ctx, m.ID)
		require.Error(t, err)
	}
}

func TestLastOwnerStays(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	last := o.Hire(t, o.Scope, member.RoleOwner)
	operator := viewer.InScope(t.Context(), o.Scope)
	for _, ctx := range []context.Context{last.Ctx, operator} {
		for what, do := range map[string]func() error{
			"steps down": func() error {
				_, err := o.Members.Update(ctx, access.UpdateMemberInput{ID: last.ID, Role: member.RoleAdmin})
				return err
			},
			"leaves":     func() error { _, err := o.Members.Delete(ctx, last.ID); return err },
			"is deleted": func() error { _, err := o.Users.Delete(ctx, last.UserID); return err },
		} {
			err := do()
			require.Equal(t, fault.Conflict, fault.KindOf(err), "%s: %v", what, err)
		}
	}
}

// TestLastOwnerStaysUnderARace has two owners remove each other at once, and themselves: one of them stays.
func TestLastOwnerStaysUnderARace(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	for _, self := range []bool{true, false} {
		scope := o.MakeOrganization(t)
		pair := []notifytest.Colleague{o.Hire(t, scope, member.RoleOwner), o.Hire(t, scope, member.RoleOwner)}
		var both sync.WaitGroup
		begin := make(chan struct{})
		for i, who := range pair {
			whom := pair[1-i]
			if self {
				whom = who
			}
			both.Go(func() {
				<-begin
				if _, err := o.Members.Delete(who.Ctx, whom.ID); err != nil {
					_, _ = o.Members.Update(who.Ctx, access.UpdateMemberInput{ID: whom.ID, Role: member.RoleViewer})
				}
			})
		}
		close(begin)
		both.Wait()
		left := o.DB.Ent.Member.Query().Where(member.OrganizationID(scope.OrganizationID)).AllX(viewer.SystemContext(t.Context()))
		require.Len(t, left, 1)
		require.Equal(t, member.RoleOwner, left[0].Role)
	}
}

func TestPeopleOfSeveralOrganizations(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	there := o.MakeOrganization(t)
	system := viewer.SystemContext(t.Context())
	admin := o.Hire(t, o.Scope, member.RoleAdmin)
	shared := o.Hire(t, there, member.RoleOwner)
	person := o.DB.Ent.User.GetX(system, shared.UserID)
	here := o.Join(t, o.Scope, person, member.RoleViewer)

	// The link that an admin here makes is worth nothing: it would let its holder in there.
	link, err := o.Sessions.CreateReset(admin.Ctx, shared.UserID)
	require.NoError(t, err)
	_, err = o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: link.Token, Password: "another long one"})
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
	require.Equal(t, person.PasswordHash, o.DB.Ent.User.GetX(system, person.ID).PasswordHash)

	_, err = o.Sessions.End(admin.Ctx, shared.UserID)
	require.NoError(t, err)
	require.Equal(t, 1, o.OpenSessions(t, shared.UserID), "log-ins there continue")
	_, err = o.Members.Get(admin.Ctx, shared.ID)
	require.Equal(t, fault.NotFound, fault.KindOf(err))

	deleted, err := o.Users.Delete(admin.Ctx, shared.UserID)
	require.NoError(t, err)
	require.Equal(t, person.Email, deleted.Email)
	require.True(t, o.DB.Ent.User.Query().Where(user.ID(person.ID)).ExistX(system), "the person stays there")
	require.False(t, o.DB.Ent.Member.Query().Where(member.ID(here.ID)).ExistX(system))
	require.True(t, o.DB.Ent.Member.Query().Where(member.ID(shared.ID)).ExistX(system))
	for _, email := range []string{person.Email, "nobody@example.org"} { // there, and nowhere
		_, err = o.Users.ByEmail(admin.Ctx, email)
		require.EqualError(t, err, "User "+email+" was not found.")
	}
}
