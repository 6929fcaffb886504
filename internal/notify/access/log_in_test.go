package access_test

import (
	"context"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/ent/session"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// from is the context of a request from a network address.
func from(t *testing.T, address string) context.Context {
	t.Helper()
	return viewer.WithAddress(t.Context(), address)
}

// TestNobodysGuessesKeepAPersonOut: guesses from one network delay log-ins from there, not from other networks and not in a
// device that is known.
func TestNobodysGuessesKeepAPersonOut(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	ada := o.Hire(t, o.Scope, member.RoleOwner)
	logIn := func(address, email, password, device string) (*access.LogInPayload, error) {
		return o.Sessions.LogIn(from(t, address), access.LogInInput{Email: email, Password: password, Device: &device})
	}
	known, err := logIn("203.0.113.7", ada.Email, notifytest.RightPassword, "")
	require.NoError(t, err)
	require.NotEmpty(t, known.Device)

	for _, email := range []string{ada.Email, "nobody@example.org"} {
		for range 5 {
			_, err = logIn("203.0.113.9", email, "wrong", "")
			require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
			require.EqualError(t, err, "The address or the password is not right.")
		}
		_, err = logIn("203.0.113.200", email, notifytest.RightPassword, "") // of the same network
		require.Equal(t, fault.RateLimited, fault.KindOf(err), "whether there is such a person or not")
		require.Equal(t, 2, fault.RetrySeconds(err))
	}
	_, err = logIn("203.0.113.7", ada.Email, notifytest.RightPassword, known.Device)
	require.NoError(t, err, "a known device")
	for range 5 { // which forgot the guesses before it
		_, err = logIn("203.0.113.9", ada.Email, "wrong", "")
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
	}
	_, err = logIn("203.0.113.9", ada.Email, notifytest.RightPassword, known.Device[:len(known.Device)-1]+"x")
	require.Equal(t, fault.RateLimited, fault.KindOf(err), "a device that nobody signed")
	_, err = logIn("198.51.100.1", ada.Email, notifytest.RightPassword, "")
	require.NoError(t, err, "another network")
	o.Pass(2 * time.Second)
	_, err = logIn("203.0.113.9", ada.Email, "wrong", "")
	require.Equal(t, fault.Unauthenticated, fault.KindOf(err), "a delay ends")
	_, err = logIn("203.0.113.9", ada.Email, notifytest.RightPassword, "")
	require.Equal(t, 4, fault.RetrySeconds(err), "and the next one is longer")

	other := notify.New(usecase.Config{DB: o.DB, Now: o.Clock})
	_, err = other.Sessions.LogIn(from(t, "203.0.113.9"), access.LogInInput{Email: ada.Email, Password: notifytest.RightPassword})
	require.Equal(t, fault.RateLimited, fault.KindOf(err), "processes count together")
}

// TestLookAlikeAddresses: an address is that of an account in either case, and not where a letter of another alphabet becomes one
// of the account's.
func TestLookAlikeAddresses(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	person := o.DB.Ent.User.Create().SetEmail("mike.ö@example.org").SaveX(viewer.SystemContext(t.Context()))
	o.Join(t, o.Scope, person, member.RoleOwner)
	for email, same := range map[string]bool{
		"mike.ö@example.org": true, " Mike.Ö@Example.ORG": true, "mi\u212ae.ö@example.org": false, "m\u0130ke.ö@example.org": false,
	} {
		_, err := o.Sessions.LogInVerified(t.Context(), email)
		if same {
			require.NoError(t, err, email)
			continue
		}
		require.Equal(t, fault.Forbidden, fault.KindOf(err), email)
	}
}

func TestOwnPassword(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	ada := o.Hire(t, o.Scope, member.RoleViewer)
	change := func(ctx context.Context, current string) error {
		_, err := o.Sessions.SetPassword(ctx, access.SetPasswordInput{Password: "another long one", CurrentPassword: current})
		return err
	}
	key := viewer.NewContext(t.Context(), viewer.Viewer{Scope: o.Scope, Role: viewer.RoleKey, APIKeyID: "k", UserID: ada.UserID, Grants: viewer.FullGrants})
	require.Equal(t, fault.Forbidden, fault.KindOf(change(key, notifytest.RightPassword)))
	for range 5 {
		require.Equal(t, fault.Invalid, fault.KindOf(change(ada.Ctx, "wrong")))
	}
	require.Equal(t, fault.RateLimited, fault.KindOf(change(ada.Ctx, notifytest.RightPassword)), "a log-in that was taken over guesses no further")
	o.Pass(2 * time.Second)
	require.NoError(t, change(ada.Ctx, notifytest.RightPassword))
	require.Zero(t, o.OpenSessions(t, ada.UserID))
}

// TestTriesMoveAlong: a log-in that was taken over gets no further guesses by moving to another environment.
func TestTriesMoveAlong(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	ada := o.Hire(t, o.Scope, member.RoleViewer)
	guess := func(ctx context.Context) fault.Kind {
		return fault.KindOf(notifytest.Err(o.Sessions.SetPassword(ctx, access.SetPasswordInput{Password: "another long one", CurrentPassword: "wrong"})))
	}
	for range 5 {
		require.Equal(t, fault.Invalid, guess(ada.Ctx))
	}
	moved, err := o.Sessions.Move(ada.Ctx, o.Scope.EnvironmentID)
	require.NoError(t, err)
	now := o.DB.Ent.Session.Query().Where(session.Hash(auth.HashKey(moved.Token))).OnlyX(viewer.SystemContext(t.Context()))
	v, _ := viewer.FromContext(ada.Ctx)
	v.SessionID = now.ID
	require.Equal(t, fault.RateLimited, guess(viewer.NewContext(t.Context(), v)))
}

// TestLogInWhereRequestsAreTaken: without a named environment a log-in is to one that takes requests, if the person has any.
func TestLogInWhereRequestsAreTaken(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	ada := o.Hire(t, o.Scope, member.RoleOwner)
	system := viewer.SystemContext(t.Context())
	live := o.DB.Ent.Environment.Create().SetOrganizationID(o.Scope.OrganizationID).SetIdentifier("live").SetName("Live").SaveX(system)
	other := o.MakeOrganization(t)
	o.Join(t, other, o.DB.Ent.User.GetX(system, ada.UserID), member.RoleViewer)
	in := func() string {
		out, err := o.Sessions.LogIn(t.Context(), access.LogInInput{Email: ada.Email, Password: notifytest.RightPassword})
		require.NoError(t, err)
		return out.Environment.ID
	}
	require.Equal(t, o.Scope.EnvironmentID, in(), "the oldest")
	o.DB.Ent.Environment.UpdateOneID(o.Scope.EnvironmentID).SetSuspended(true).ExecX(system)
	require.Equal(t, live.ID, in(), "the oldest is suspended")
	o.DB.Ent.Organization.UpdateOneID(o.Scope.OrganizationID).SetMove(organization.MoveMoved).ExecX(system)
	require.Equal(t, other.EnvironmentID, in(), "its organization has moved")
	o.DB.Ent.Organization.UpdateOneID(other.OrganizationID).SetSuspended(true).ExecX(system)
	require.Equal(t, o.Scope.EnvironmentID, in(), "none takes requests")
}

func TestSecondFactor(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	ada := o.Hire(t, o.Scope, member.RoleOwner)
	owner := o.Hire(t, o.Scope, member.RoleOwner)
	code := func(secret string) string {
		text, err := totp.GenerateCode(secret, o.Clock())
		require.NoError(t, err)
		return text
	}
	logIn := func(password, code string) error {
		_, err := o.Sessions.LogIn(t.Context(), access.LogInInput{Email: ada.Email, Password: password, Code: &code})
		return err
	}
	wanted := func(err error) {
		t.Helper()
		var known *fault.Error
		require.ErrorAs(t, err, &known)
		require.Equal(t, "SECOND_FACTOR_REQUIRED", known.Code)
	}

	_, err := o.SecondFactors.Begin(ada.Ctx, "wrong")
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	_, err = o.SecondFactors.Confirm(ada.Ctx, "000000")
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	shown, err := o.SecondFactors.Begin(ada.Ctx, notifytest.RightPassword)
	require.NoError(t, err)
	require.NoError(t, logIn(notifytest.RightPassword, ""), "until it is confirmed, nothing changes")
	_, err = o.SecondFactors.Confirm(ada.Ctx, "000000")
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	first := code(shown.Secret)
	recovery, err := o.SecondFactors.Confirm(ada.Ctx, first)
	require.NoError(t, err)
	require.Len(t, recovery, 10)
	require.Equal(t, 1, o.OpenSessions(t, ada.UserID), "the person's other log-ins end")
	var stored []byte
	require.NoError(t, o.DB.Pool.QueryRow(t.Context(), "SELECT second_factor FROM users WHERE id = $1", ada.UserID).Scan(&stored))
	require.NotContains(t, string(stored), shown.Secret)

	wanted(logIn(notifytest.RightPassword, ""))
	err = logIn("wrong", "")
	require.EqualError(t, err, "The address or the password is not right.", "the second factor is nothing that strangers learn of")
	wanted(logIn(notifytest.RightPassword, first)) // it was used to confirm
	o.Pass(time.Minute)
	require.NoError(t, logIn(notifytest.RightPassword, code(shown.Secret)))
	wanted(logIn(notifytest.RightPassword, code(shown.Secret))) // once
	require.NoError(t, logIn(notifytest.RightPassword, recovery[0]))
	wanted(logIn(notifytest.RightPassword, recovery[0]))
	require.NoError(t, logIn(notifytest.RightPassword, recovery[1]))
	_, err = o.Sessions.LogInVerified(t.Context(), ada.Email)
	require.NoError(t, err, "a second factor is the business of who verified the address")

	for range 5 {
		wanted(logIn(notifytest.RightPassword, "000000"))
	}
	require.Equal(t, fault.RateLimited, fault.KindOf(logIn(notifytest.RightPassword, code(shown.Secret))), "codes are not guessed")
	require.NoError(t, logIn(notifytest.RightPassword, recovery[2]), "which keeps nobody out who has a recovery code")

	_, err = o.SecondFactors.Remove(owner.Ctx, access.RemoveSecondFactorInput{Password: new(notifytest.RightPassword)})
	require.NoError(t, err, "only one's own, which there is none of")
	_, err = o.SecondFactors.Remove(ada.Ctx, access.RemoveSecondFactorInput{})
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	_, err = o.SecondFactors.Remove(ada.Ctx, access.RemoveSecondFactorInput{Code: new("aaaa-aaaa-aaaa-aaaa")})
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	wanted(logIn(notifytest.RightPassword, ""))
	_, err = o.Operator.ResetSecondFactor(viewer.InScope(t.Context(), o.Scope), ada.Email)
	require.NoError(t, err)
	require.Zero(t, o.OpenSessions(t, ada.UserID))
	require.NoError(t, logIn(notifytest.RightPassword, ""))
}

func TestEnvironmentsGoByTheirName(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	admin, owner := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.Scope, member.RoleOwner)
	made, err := o.Environments.Create(admin.Ctx, access.CreateEnvironmentInput{Identifier: "live", Name: new("Live"), Type: new(environment.TypeProduction)})
	require.NoError(t, err)
	remove := func(c notifytest.Colleague, name string) error {
		_, err := o.Environments.Delete(c.Ctx, made.ID, name)
		return err
	}
	for _, wrong := range []string{"", "live", "Live ", "LIVE"} {
		require.Equal(t, fault.Invalid, fault.KindOf(remove(owner, wrong)), wrong)
	}
	require.Equal(t, fault.Forbidden, fault.KindOf(remove(admin, "Live")), "production is the owners'")
	_, err = o.Environments.Update(admin.Ctx, access.UpdateEnvironmentInput{ID: made.ID, Type: new(environment.TypeDevelopment)})
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "also by a detour")
	program := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: o.Scope.OrganizationID}, Role: viewer.RoleOrganizationKey, OrganizationKeyID: "k", Grants: viewer.GrantsOf(viewer.GrantEnvironments),
	})
	_, err = o.Environments.Delete(program, made.ID, "Live")
	require.Equal(t, fault.Forbidden, fault.KindOf(err))

	inside := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: o.Scope.OrganizationID, EnvironmentID: made.ID}, Role: viewer.RoleKey, APIKeyID: "gone", Name: "Deploy", Grants: viewer.FullGrants,
	})
	topic, err := o.Topics.Create(inside, audience.CreateTopicInput{Key: "news"})
	require.NoError(t, err)
	require.NoError(t, remove(owner, "Live"))

	about := &access.AuditEntryFilter{RecordID: &topic.ID}
	page, err := o.Audit.List(admin.Ctx, usecase.Page{}, nil, about, true)
	require.NoError(t, err)
	require.Len(t, page.Nodes(), 1, "the audit outlives the environment")
	entry := page.Nodes()[0]
	require.Equal(t, []string{"Deploy", "gone", made.ID}, []string{entry.ActorName, entry.ActorID, entry.EnvironmentID})
	total, err := page.TotalCount(admin.Ctx)
	require.NoError(t, err)
	require.Equal(t, 1, total)
	page, err = o.Audit.List(admin.Ctx, usecase.Page{}, nil, about, false)
	require.NoError(t, err)
	require.Empty(t, page.Nodes(), "it was not this environment's")
	gone, err := o.Audit.List(admin.Ctx, usecase.Page{}, nil, &access.AuditEntryFilter{RecordID: &made.ID, ActionIn: []string{"delete"}}, false)
	require.NoError(t, err)
	require.Equal(t, owner.Email, gone.Nodes()[0].ActorName)
	for what, ctx := range map[string]context.Context{
		"editor": o.Hire(t, o.Scope, member.RoleEditor).Ctx, "key": viewer.NewContext(t.Context(), viewer.Viewer{
			Scope: o.Scope, Role: viewer.RoleKey, APIKeyID: "k", Grants: viewer.FullGrants,
		}),
	} {
		_, err = o.Audit.List(ctx, usecase.Page{}, nil, about, true)
		require.Equal(t, fault.Forbidden, fault.KindOf(err), what)
	}
	elsewhere := o.Hire(t, o.MakeOrganization(t), member.RoleOwner)
	page, err = o.Audit.List(elsewhere.Ctx, usecase.Page{}, nil, about, true)
	require.NoError(t, err)
	require.Empty(t, page.Nodes())
}
