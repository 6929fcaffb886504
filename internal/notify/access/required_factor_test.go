package access_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// enrols sets up a colleague's second factor and returns its secret and recovery codes.
func enrols(t *testing.T, o *notifytest.Office, who notifytest.Colleague) (secret string, recovery []string) {
	t.Helper()
	ctx := who.Ctx
	shown, err := o.SecondFactors.Begin(ctx, notifytest.RightPassword)
	require.NoError(t, err)
	recovery, err = o.SecondFactors.Confirm(ctx, codeOf(t, o, shown.Secret))
	require.NoError(t, err)
	return shown.Secret, recovery
}

// codeOf is what an authenticator application shows now.
func codeOf(t *testing.T, o *notifytest.Office, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, o.Clock())
	require.NoError(t, err)
	return code
}

func TestReplaceRecoveryCodes(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	ada := o.Hire(t, o.Scope, member.RoleViewer)
	replace := func(password, code string) ([]string, error) {
		in := access.ReplaceRecoveryCodesInput{}
		if password != "" {
			in.Password = &password
		}
		if code != "" {
			in.Code = &code
		}
		return o.SecondFactors.ReplaceRecoveryCodes(ada.Ctx, in)
	}
	logIn := func(code string) error {
		_, err := o.Sessions.LogIn(t.Context(), access.LogInInput{Email: ada.Email, Password: notifytest.RightPassword, Code: &code})
		return err
	}
	_, err := replace(notifytest.RightPassword, "")
	require.Equal(t, "NO_SECOND_FACTOR", notifytest.Code(err))
	secret, old := enrols(t, o, ada)
	for _, wrong := range [][2]string{{"", ""}, {"wrong", ""}, {"", "000000"}, {notifytest.RightPassword, "000000"}} {
		_, err = replace(wrong[0], wrong[1])
		require.Equal(t, fault.Invalid, fault.KindOf(err), "%q", wrong)
	}
	fresh, err := replace(notifytest.RightPassword, "")
	require.NoError(t, err)
	require.Len(t, fresh, 10)
	require.Equal(t, "SECOND_FACTOR_REQUIRED", notifytest.Code(logIn(old[0])), "the old ones end")
	require.NoError(t, logIn(fresh[0]))
	o.Pass(time.Minute)
	again, err := replace("", codeOf(t, o, secret))
	require.NoError(t, err, "a code of the application proves as much")
	require.Error(t, logIn(fresh[1]))
	_, err = replace("", again[0])
	require.NoError(t, err, "and so does a recovery code")
	o.Pass(time.Minute)
	require.NoError(t, logIn(codeOf(t, o, secret)), "the application continues as before")

	key := viewer.NewContext(t.Context(), viewer.Viewer{Scope: o.Scope, Role: viewer.RoleKey, APIKeyID: "k", UserID: ada.UserID, Grants: viewer.FullGrants})
	_, err = o.SecondFactors.ReplaceRecoveryCodes(key, access.ReplaceRecoveryCodesInput{Password: new(notifytest.RightPassword)})
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
	owner := o.Hire(t, o.Scope, member.RoleOwner)
	entries, err := o.Audit.List(owner.Ctx, usecase.Page{}, nil, &access.AuditEntryFilter{ActionIn: []string{"replace_recovery_codes"}}, false)
	require.NoError(t, err)
	require.Len(t, entries.Nodes(), 3)
	require.Equal(t, []any{ada.Email, ada.UserID}, []any{entries.Nodes()[0].ActorName, entries.Nodes()[0].RecordID})
	require.Empty(t, entries.Nodes()[0].Changes)
}

// TestRequiredSecondFactor: owners require second factors; a person without one may set it up and nothing else, and keys are
// not affected.
func TestRequiredSecondFactor(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	authenticator := auth.New(auth.Config{DB: o.DB, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { require.NoError(t, authenticator.Close(context.WithoutCancel(t.Context()))) })
	owner, admin := o.Hire(t, o.Scope, member.RoleOwner), o.Hire(t, o.Scope, member.RoleAdmin)
	setRequired := func(ctx context.Context, required bool) error {
		_, err := o.Organizations.Update(ctx, access.UpdateOrganizationInput{ID: o.Scope.OrganizationID, RequireSecondFactor: &required})
		return err
	}
	require.Equal(t, fault.Forbidden, fault.KindOf(setRequired(admin.Ctx, true)))
	program := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: o.Scope.OrganizationID}, Role: viewer.RoleOrganizationKey, OrganizationKeyID: "k", Grants: viewer.GrantsOf(viewer.GrantSettings),
	})
	require.Equal(t, fault.Forbidden, fault.KindOf(setRequired(program, true)))
	require.Equal(t, "NO_SECOND_FACTOR", notifytest.Code(setRequired(owner.Ctx, true)), "it would keep the owner out")
	enrols(t, o, owner)
	require.NoError(t, setRequired(owner.Ctx, true))
	require.Equal(t, fault.Forbidden, fault.KindOf(setRequired(admin.Ctx, false)), "and only owners take it back")

	// as is what a log-in may do from now on, judged as a door judges it.
	as := func(token string) context.Context {
		v, err := authenticator.Authenticate(t.Context(), "Bearer "+token)
		require.NoError(t, err)
		return viewer.NewContext(t.Context(), v)
	}
	in, err := o.Sessions.LogIn(t.Context(), access.LogInInput{Email: admin.Email, Password: notifytest.RightPassword})
	require.NoError(t, err)
	newcomer := as(in.Token)
	_, err = o.Topics.Create(newcomer, audience.CreateTopicInput{Key: "news"})
	require.Equal(t, "SECOND_FACTOR_MISSING", notifytest.Code(err))
	for operation, need := range usecase.Operations() {
		err := usecase.Authorize(newcomer, operation)
		switch operation {
		case "viewer", "logOut", "beginSecondFactor", "confirmSecondFactor":
			require.NoError(t, err, operation)
		default:
			if need.Public {
				require.NoError(t, err, operation)
			} else {
				require.Equal(t, fault.Forbidden, fault.KindOf(err), operation)
			}
		}
	}
	who, err := o.Sessions.Current(newcomer)
	require.NoError(t, err)
	require.True(t, who.SecondFactorMissing)
	elsewhere := o.DB.Ent.Environment.Create().SetOrganizationID(o.Scope.OrganizationID).SetIdentifier("other").SetName("Other").SaveX(viewer.SystemContext(t.Context()))
	_, err = o.Sessions.Move(newcomer, elsewhere.ID)
	require.Equal(t, "SECOND_FACTOR_MISSING", notifytest.Code(err))

	verified, err := o.Sessions.LogInVerified(t.Context(), admin.Email)
	require.NoError(t, err)
	_, err = o.Topics.Create(as(verified.Token), audience.CreateTopicInput{Key: "verified"})
	require.NoError(t, err, "where an issuer verified the person, the second factor is its business")
	moved, err := o.Sessions.Move(as(verified.Token), elsewhere.ID)
	require.NoError(t, err)
	_, err = o.Topics.Create(as(moved.Token), audience.CreateTopicInput{Key: "moved"})
	require.NoError(t, err, "in each environment")

	key := auth.NewKey("")
	o.DB.Ent.APIKey.Create().SetName("k").SetHash(auth.HashKey(key)).SetHint("x").SetScopes(viewer.FullGrants.List()).SetUserID(admin.UserID).
		ExecX(viewer.InScope(t.Context(), o.Scope))
	v, err := authenticator.Authenticate(t.Context(), "ApiKey "+key)
	require.NoError(t, err)
	_, err = o.Topics.Create(viewer.NewContext(t.Context(), v), audience.CreateTopicInput{Key: "key"})
	require.NoError(t, err, "keys are not affected")

	enrols(t, o, notifytest.Colleague{Ctx: newcomer})
	_, err = o.Topics.Create(as(in.Token), audience.CreateTopicInput{Key: "news"})
	require.NoError(t, err, "the same log-in continues")
	_, err = o.SecondFactors.Remove(as(in.Token), access.RemoveSecondFactorInput{Password: new(notifytest.RightPassword)})
	require.NoError(t, err)
	require.True(t, func() bool { v, _ := viewer.FromContext(as(in.Token)); return v.Enrolling }())
	require.NoError(t, setRequired(owner.Ctx, false))
	_, err = o.Topics.Create(as(in.Token), audience.CreateTopicInput{Key: "free"})
	require.NoError(t, err)
}

// TestSecondFactorsOfVerifiedPeople: who logs in through an issuer is told that second factors are its business, and may set one
// up for log-ins with the password, if there is one.
func TestSecondFactorsOfVerifiedPeople(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	authenticator := auth.New(auth.Config{DB: o.DB, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { require.NoError(t, authenticator.Close(context.WithoutCancel(t.Context()))) })
	verified := func(email string) context.Context {
		in, err := o.Sessions.LogInVerified(t.Context(), email)
		require.NoError(t, err)
		v, err := authenticator.Authenticate(t.Context(), "Bearer "+in.Token)
		require.NoError(t, err)
		return viewer.NewContext(t.Context(), v)
	}
	both, system := o.Hire(t, o.Scope, member.RoleEditor), viewer.SystemContext(t.Context())
	bare := o.Join(t, o.Scope, o.DB.Ent.User.Create().SetEmail("bare@example.org").SaveX(system), member.RoleEditor)

	_, err := o.SecondFactors.Begin(verified(bare.Email), "")
	require.Equal(t, "SECOND_FACTOR_ELSEWHERE", notifytest.Code(err))
	require.ErrorContains(t, err, "identity provider")
	_, err = o.SecondFactors.Begin(verified(both.Email), "wrong")
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	require.ErrorContains(t, err, "identity provider")
	_, err = o.SecondFactors.Begin(both.Ctx, "wrong")
	require.Equal(t, fault.Invalid, fault.KindOf(err))
	require.NotContains(t, err.Error(), "identity provider")

	enrols(t, o, notifytest.Colleague{Ctx: verified(both.Email)})
	_, err = o.Sessions.LogIn(t.Context(), access.LogInInput{Email: both.Email, Password: notifytest.RightPassword})
	require.Equal(t, "SECOND_FACTOR_REQUIRED", notifytest.Code(err))
	for ctx, want := range map[context.Context]bool{verified(both.Email): true, both.Ctx: false} {
		who, err := o.Sessions.Current(ctx)
		require.NoError(t, err)
		require.Equal(t, want, who.VerifiedElsewhere)
	}
}

func TestOrganizationKeyRotation(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	authenticator := auth.New(auth.Config{DB: o.DB, Now: o.Clock, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { require.NoError(t, authenticator.Close(context.WithoutCancel(t.Context()))) })
	valid := func(key string) bool {
		_, err := authenticator.Authenticate(t.Context(), "ApiKey "+key)
		return err == nil
	}
	owner, admin := o.Hire(t, o.Scope, member.RoleOwner), o.Hire(t, o.Scope, member.RoleAdmin)
	const life = 30 * 24 * time.Hour
	first, err := o.OrganizationKeys.Create(owner.Ctx, access.CreateOrganizationKeyInput{
		Name: "terraform", Scopes: []viewer.Grant{viewer.GrantEnvironments, viewer.GrantKeys}, ExpiresAt: o.Clock().Add(life),
	})
	require.NoError(t, err)
	rotate := func(ctx context.Context, id, overlap string) (*access.CreateOrganizationKeyPayload, error) {
		return o.OrganizationKeys.Rotate(ctx, id, overlap)
	}
	_, err = rotate(admin.Ctx, first.OrganizationKey.ID, "P1D")
	require.Equal(t, fault.Forbidden, fault.KindOf(err))
	_, err = rotate(o.Hire(t, o.MakeOrganization(t), member.RoleOwner).Ctx, first.OrganizationKey.ID, "P1D")
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	for _, overlap := range []string{"", "a day", "P31D", "-P1D"} {
		_, err = rotate(owner.Ctx, first.OrganizationKey.ID, overlap)
		require.Equal(t, fault.Invalid, fault.KindOf(err), overlap)
	}
	second, err := rotate(owner.Ctx, first.OrganizationKey.ID, "P1D")
	require.NoError(t, err)
	require.Equal(t, "terraform", second.OrganizationKey.Name)
	require.Equal(t, first.OrganizationKey.Scopes, second.OrganizationKey.Scopes)
	require.WithinDuration(t, o.Clock().Add(life), second.OrganizationKey.ExpiresAt, time.Minute)
	require.True(t, valid(first.Key) && valid(second.Key), "both, in the overlap")
	_, err = rotate(owner.Ctx, first.OrganizationKey.ID, "P1D")
	require.Equal(t, "API_KEY_REPLACED", notifytest.Code(err))
	o.Pass(24*time.Hour + time.Minute)
	require.False(t, valid(first.Key))
	require.True(t, valid(second.Key))
	_, err = rotate(owner.Ctx, first.OrganizationKey.ID, "P1D")
	require.Equal(t, "API_KEY_ENDED", notifytest.Code(err))
	third, err := rotate(owner.Ctx, second.OrganizationKey.ID, "PT0S")
	require.NoError(t, err)
	require.False(t, valid(second.Key), "at once")
	_, err = o.OrganizationKeys.Revoke(owner.Ctx, third.OrganizationKey.ID)
	require.NoError(t, err)
	require.False(t, valid(third.Key))

	entries, err := o.Audit.List(owner.Ctx, usecase.Page{}, nil, &access.AuditEntryFilter{ActionIn: []string{"rotate"}}, false)
	require.NoError(t, err)
	require.Len(t, entries.Nodes(), 2)
	require.Equal(t, third.OrganizationKey.ID, entries.Nodes()[0].Changes["successorId"])
}
