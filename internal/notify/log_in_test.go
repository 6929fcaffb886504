package notify_test

import (
	"context"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/audience"
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
	o := newOffice(t, false)
	ada := o.hire(t, o.scope, member.RoleOwner)
	logIn := func(address, email, password, device string) (*access.LogInPayload, error) {
		return o.Sessions.LogIn(from(t, address), access.LogInInput{Email: email, Password: password, Device: &device})
	}
	known, err := logIn("203.0.113.7", ada.email, rightPassword, "")
	require.NoError(t, err)
	require.NotEmpty(t, known.Device)

	for _, email := range []string{ada.email, "nobody@example.org"} {
		for range 5 {
			_, err = logIn("203.0.113.9", email, "wrong", "")
			require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
			require.EqualError(t, err, "The address or the password is not right.")
		}
		_, err = logIn("203.0.113.200", email, rightPassword, "") // of the same network
		require.Equal(t, fault.RateLimited, fault.KindOf(err), "whether there is such a person or not")
		require.Equal(t, 2, fault.RetrySeconds(err))
	}
	_, err = logIn("203.0.113.7", ada.email, rightPassword, known.Device)
	require.NoError(t, err, "a known device")
	for range 5 { // which forgot the guesses before it
		_, err = logIn("203.0.113.9", ada.email, "wrong", "")
		require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
	}
	_, err = logIn("203.0.113.9", ada.email, rightPassword, known.Device[:len(known.Device)-1]+"x")
	require.Equal(t, fault.RateLimited, fault.KindOf(err), "a device that nobody signed")
	_, err = logIn("198.51.100.1", ada.email, rightPassword, "")
	require.NoError(t, err, "another network")
	o.pass(2 * time.Second)
	_, err = logIn("203.0.113.9", ada.email, "wrong", "")
	require.Equal(t, fault.Unauthenticated, fault.KindOf(err), "a delay ends")
	_, err = logIn("203.0.113.9", ada.email, rightPassword, "")
	require.Equal(t, 4, fault.RetrySeconds(err), "and the next one is longer")

	other := notify.New(usecase.Config{DB: o.db, Now: func() time.Time { return o.now }})
	_, err = other.Sessions.LogIn(from(t, "203.0.113.9"), access.LogInInput{Email: ada.email, Password: rightPassword})
	require.Equal(t, fault.RateLimited, fault.KindOf(err), "processes count together")
}

func TestOwnPassword(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	ada := o.hire(t, o.scope, member.RoleViewer)
	change := func(ctx context.Context, current string) error {
		_, err := o.Sessions.SetPassword(ctx, access.SetPasswordInput{Password: "another long one", CurrentPassword: current})
		return err
	}
	key := viewer.NewContext(t.Context(), viewer.Viewer{Scope: o.scope, Role: viewer.RoleKey, APIKeyID: "k", UserID: ada.UserID, Grants: viewer.FullGrants})
	require.Equal(t, fault.Forbidden, fault.KindOf(change(key, rightPassword)))
	for range 5 {
		require.Equal(t, fault.Invalid, fault.KindOf(change(ada.ctx, "wrong")))
	}
	require.Equal(t, fault.RateLimited, fault.KindOf(change(ada.ctx, rightPassword)), "a log-in that was taken over guesses no further")
	o.pass(2 * time.Second)
	require.NoError(t, change(ada.ctx, rightPassword))
	require.Zero(t, o.openSessions(t, ada.UserID))
}

func TestSecondFactor(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	ada := o.hire(t, o.scope, member.RoleOwner)
	owner := o.hire(t, o.scope, member.RoleOwner)
	code := func(secret string) string {
		text, err := totp.GenerateCode(secret, o.now)
		require.NoError(t, err)
		return text
	}
	logIn := func(password, code string) error {
		_, err := o.Sessions.LogIn(t.Context(), access.LogInInput{Email: ada.email, Password: password, Code: &code})
		return err
	}
	wanted := func(err error) {
		t.Helper()
		var known *fault.Error
		require.ErrorAs(t, err, &known)
		require.Equal(t, "SECOND_FACTOR_REQUIRED", known.Code)
	}

	_, err := o.SecondFactors.Begin(ada.ctx, "wrong")
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	_, err = o.SecondFactors.Confirm(ada.ctx, "000000")
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	shown, err := o.SecondFactors.Begin(ada.ctx, rightPassword)
	require.NoError(t, err)
	require.NoError(t, logIn(rightPassword, ""), "until it is confirmed, nothing changes")
	_, err = o.SecondFactors.Confirm(ada.ctx, "000000")
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	first := code(shown.Secret)
	recovery, err := o.SecondFactors.Confirm(ada.ctx, first)
	require.NoError(t, err)
	require.Len(t, recovery, 10)
	require.Equal(t, 1, o.openSessions(t, ada.UserID), "the person's other log-ins end")
	var stored []byte
	require.NoError(t, o.db.Pool.QueryRow(t.Context(), "SELECT second_factor FROM users WHERE id = $1", ada.UserID).Scan(&stored))
	require.NotContains(t, string(stored), shown.Secret)

	wanted(logIn(rightPassword, ""))
	err = logIn("wrong", "")
	require.EqualError(t, err, "The address or the password is not right.", "the second factor is nothing that strangers learn of")
	wanted(logIn(rightPassword, first)) // it was used to confirm
	o.pass(time.Minute)
	require.NoError(t, logIn(rightPassword, code(shown.Secret)))
	wanted(logIn(rightPassword, code(shown.Secret))) // once
	require.NoError(t, logIn(rightPassword, recovery[0]))
	wanted(logIn(rightPassword, recovery[0]))
	require.NoError(t, logIn(rightPassword, recovery[1]))
	_, err = o.Sessions.LogInVerified(t.Context(), ada.email)
	require.NoError(t, err, "a second factor is the business of who verified the address")

	for range 5 {
		wanted(logIn(rightPassword, "000000"))
	}
	require.Equal(t, fault.RateLimited, fault.KindOf(logIn(rightPassword, code(shown.Secret))), "codes are not guessed")
	require.NoError(t, logIn(rightPassword, recovery[2]), "which keeps nobody out who has a recovery code")

	_, err = o.SecondFactors.Remove(owner.ctx, access.RemoveSecondFactorInput{Password: new(rightPassword)})
	require.NoError(t, err, "only one's own, which there is none of")
	_, err = o.SecondFactors.Remove(ada.ctx, access.RemoveSecondFactorInput{})
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	_, err = o.SecondFactors.Remove(ada.ctx, access.RemoveSecondFactorInput{Code: new("aaaa-aaaa-aaaa-aaaa")})
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	wanted(logIn(rightPassword, ""))
	_, err = o.Operator.ResetSecondFactor(viewer.InScope(t.Context(), o.scope), ada.email)
	require.NoError(t, err)
	require.Zero(t, o.openSessions(t, ada.UserID))
	require.NoError(t, logIn(rightPassword, ""))
}

func TestEnvironmentsGoByTheirName(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	admin, owner := o.hire(t, o.scope, member.RoleAdmin), o.hire(t, o.scope, member.RoleOwner)
	made, err := o.Environments.Create(admin.ctx, access.CreateEnvironmentInput{Identifier: "live", Name: new("Live"), Type: new(environment.TypeProduction)})
	require.NoError(t, err)
	remove := func(c colleague, name string) error {
		_, err := o.Environments.Delete(c.ctx, made.ID, name)
		return err
	}
	for _, wrong := range []string{"", "live", "Live ", "LIVE"} {
		require.Equal(t, fault.Invalid, fault.KindOf(remove(owner, wrong)), wrong)
	}
	require.Equal(t, fault.Forbidden, fault.KindOf(remove(admin, "Live")), "production is the owners'")
	_, err = o.Environments.Update(admin.ctx, access.UpdateEnvironmentInput{ID: made.ID, Type: new(environment.TypeDevelopment)})
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "also by a detour")
	program := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: o.scope.OrganizationID}, Role: viewer.RoleOrganizationKey, OrganizationKeyID: "k", Grants: viewer.GrantsOf(viewer.GrantEnvironments),
	})
	_, err = o.Environments.Delete(program, made.ID, "Live")
	require.Equal(t, fault.Forbidden, fault.KindOf(err))

	inside := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: o.scope.OrganizationID, EnvironmentID: made.ID}, Role: viewer.RoleKey, APIKeyID: "gone", Name: "Deploy", Grants: viewer.FullGrants,
	})
	topic, err := o.Topics.Create(inside, audience.CreateTopicInput{Key: "news"})
	require.NoError(t, err)
	require.NoError(t, remove(owner, "Live"))

	about := &access.AuditEntryFilter{RecordID: &topic.ID}
	page, err := o.Audit.List(admin.ctx, usecase.Page{}, nil, about, true)
	require.NoError(t, err)
	require.Len(t, page.Nodes(), 1, "the audit outlives the environment")
	entry := page.Nodes()[0]
	require.Equal(t, []string{"Deploy", "gone", made.ID}, []string{entry.ActorName, entry.ActorID, entry.EnvironmentID})
	total, err := page.TotalCount(admin.ctx)
	require.NoError(t, err)
	require.Equal(t, 1, total)
	page, err = o.Audit.List(admin.ctx, usecase.Page{}, nil, about, false)
	require.NoError(t, err)
	require.Empty(t, page.Nodes(), "it was not this environment's")
	gone, err := o.Audit.List(admin.ctx, usecase.Page{}, nil, &access.AuditEntryFilter{RecordID: &made.ID, ActionIn: []string{"delete"}}, false)
	require.NoError(t, err)
	require.Equal(t, owner.email, gone.Nodes()[0].ActorName)
	for what, ctx := range map[string]context.Context{
		"editor": o.hire(t, o.scope, member.RoleEditor).ctx, "key": viewer.NewContext(t.Context(), viewer.Viewer{
			Scope: o.scope, Role: viewer.RoleKey, APIKeyID: "k", Grants: viewer.FullGrants,
		}),
	} {
		_, err = o.Audit.List(ctx, usecase.Page{}, nil, about, true)
		require.Equal(t, fault.Forbidden, fault.KindOf(err), what)
	}
	elsewhere := o.hire(t, o.organization(t), member.RoleOwner)
	page, err = o.Audit.List(elsewhere.ctx, usecase.Page{}, nil, about, true)
	require.NoError(t, err)
	require.Empty(t, page.Nodes())
}
