package access_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/viewer"
)

func TestResetLinks(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	system := viewer.SystemContext(t.Context())
	admin, person := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.Scope, member.RoleEditor)
	link := func() string {
		t.Helper()
		made, err := o.Sessions.CreateReset(admin.Ctx, person.UserID)
		require.NoError(t, err)
		require.Equal(t, "/dashboard/new-password#"+made.Token, made.URL)
		return made.Token
	}
	reset := func(token string) error {
		for {
			_, err := o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: token, Password: "another long one"})
			if fault.KindOf(err) != fault.Unavailable { // too many passwords to hash on a busy machine: asked for again
				return err
			}
		}
	}
	gone := func(token string) {
		t.Helper()
		require.Equal(t, fault.NotFound, fault.KindOf(reset(token)))
	}
	_, err := o.Sessions.CreateReset(admin.Ctx, admin.UserID)
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "a log-in that was taken over sets no password without the present one")

	first := link()
	second := link()
	gone(first)
	gone("")
	gone("crp_" + person.UserID)
	gone("crp_" + admin.UserID + strings.TrimPrefix(second, "crp_"+person.UserID))
	o.Pass(24*time.Hour + time.Second)
	gone(second)

	third := link()
	o.DB.Ent.Member.UpdateOneID(person.ID).SetRole(member.RoleOwner).ExecX(system)
	gone(third) // the person has risen above who made it
	o.DB.Ent.Member.UpdateOneID(person.ID).SetRole(member.RoleEditor).ExecX(system)
	o.DB.Ent.Member.UpdateOneID(admin.ID).SetRole(member.RoleViewer).ExecX(system)
	gone(third) // or who made it has fallen
	o.DB.Ent.Member.UpdateOneID(admin.ID).SetRole(member.RoleAdmin).ExecX(system)
	_, err = o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: third, Password: "short"})
	require.Equal(t, fault.Invalid, fault.KindOf(err))

	require.Equal(t, 1, o.OpenSessions(t, person.UserID))
	errs := make(chan error, 3)
	for range cap(errs) {
		go func() { errs <- reset(third) }()
	}
	used := 0
	for range cap(errs) {
		if err := <-errs; err == nil {
			used++
		} else {
			require.Equal(t, fault.NotFound, fault.KindOf(err))
		}
	}
	require.Equal(t, 1, used, "a link counts once")
	require.Zero(t, o.OpenSessions(t, person.UserID), "all log-ins end")
	_, err = o.Sessions.LogIn(t.Context(), access.LogInInput{Email: person.Email, Password: "another long one"})
	require.NoError(t, err)
}

func TestResetLinksByMail(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, true)
	admin, person := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.Scope, member.RoleEditor)
	o.Join(t, o.MakeOrganization(t), o.DB.Ent.User.GetX(viewer.SystemContext(t.Context()), person.UserID), member.RoleOwner)
	ask := func(email string) {
		t.Helper()
		ok, err := o.Sessions.RequestReset(t.Context(), email)
		require.NoError(t, err)
		require.True(t, ok, "whether there is such a person or not")
	}
	ask("nobody@example.org")
	ask(person.Email)
	o.Close(t.Context())
	ask(strings.ToUpper(person.Email)) // one mail is under way
	o.Close(t.Context())
	require.Len(t, o.Mails, 1)
	require.Equal(t, person.Email, o.Mails[0].To)
	token := o.Mails[0].Text[strings.Index(o.Mails[0].Text, "#")+1:]
	token, _, _ = strings.Cut(token, "\n")

	shown, err := o.Sessions.CreateReset(admin.Ctx, person.UserID)
	require.NoError(t, err)
	require.True(t, shown.Mailed)
	o.Close(t.Context())
	_, err = o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: token, Password: "another long one"})
	require.Equal(t, fault.NotFound, fault.KindOf(err), "a new link ends the earlier one")
	require.Len(t, o.Mails, 2)
	require.NotContains(t, o.Mails[1].Text, shown.Token, "the mailed link is not the one that somebody else saw")
	token = o.Mails[1].Text[strings.Index(o.Mails[1].Text, "#")+1:]
	token, _, _ = strings.Cut(token, "\n")
	email, err := o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: token, Password: "another long one"})
	require.NoError(t, err, "it counts for members of several organizations: it went to their own address")
	require.Equal(t, person.Email, email)

	ask(person.Email) // the third and last free one: the reset did not give any back
	_, err = o.Sessions.RequestReset(t.Context(), person.Email)
	require.Equal(t, fault.RateLimited, fault.KindOf(err))
	require.Positive(t, fault.RetrySeconds(err))
	o.Close(t.Context())
}

func TestOperatorMakesAPersonOrNothing(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	system, operator := viewer.SystemContext(t.Context()), viewer.InScope(t.Context(), o.Scope)
	create := func(ctx context.Context, email, password string) error {
		_, err := o.Operator.CreatePerson(ctx, access.CreatePersonInput{Email: email, Role: member.RoleOwner, Password: password})
		return err
	}
	require.Equal(t, fault.Invalid, fault.KindOf(create(operator, "ada@example.org", "short")))
	require.Equal(t, fault.Invalid, fault.KindOf(create(operator, "ada", notifytest.RightPassword)))
	require.Zero(t, o.DB.Ent.User.Query().CountX(system))
	owner := o.Hire(t, o.Scope, member.RoleOwner)
	require.Equal(t, fault.Forbidden, fault.KindOf(create(owner.Ctx, "ada@example.org", notifytest.RightPassword)), "no door leads here")
	require.NoError(t, create(operator, "Ada@example.org", notifytest.RightPassword))
	require.Equal(t, fault.Conflict, fault.KindOf(create(operator, "ada@example.org", "another long one")))
	out, err := o.Sessions.LogIn(t.Context(), access.LogInInput{Email: "ada@example.org", Password: notifytest.RightPassword})
	require.NoError(t, err, "the password of an account that is there stays")
	require.Equal(t, o.Scope.EnvironmentID, out.Environment.ID)
	_, err = o.Operator.SetPassword(owner.Ctx, "ada@example.org", "another long one")
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
	_, err = o.Operator.ResetSecondFactor(owner.Ctx, "ada@example.org")
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
}
