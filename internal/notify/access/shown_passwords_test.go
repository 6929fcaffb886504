package access_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/viewer"
)

// TestShownPasswordsEndAtOtherOrganizations: who set a colleague's password by the link that they were shown does not follow the colleague
// into another organization.
func TestShownPasswordsEndAtOtherOrganizations(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	admin, ada := o.Hire(t, o.Scope, member.RoleAdmin), o.Hire(t, o.Scope, member.RoleEditor)
	theirs := o.Hire(t, o.MakeOrganization(t), member.RoleAdmin)
	authenticator := auth.New(auth.Config{DB: o.DB, Now: o.Clock, Logger: slog.New(slog.DiscardHandler)})
	as := func(in *access.LogInPayload, err error) context.Context {
		require.NoError(t, err)
		v, err := authenticator.Authenticate(t.Context(), "Bearer "+in.Token)
		require.NoError(t, err)
		return viewer.NewContext(t.Context(), v)
	}
	patiently := func(hash func() error) {
		for {
			if err := hash(); fault.KindOf(err) != fault.Unavailable { // too many passwords to hash on a busy machine: asked for again
				require.NoError(t, err)
				return
			}
		}
	}
	byPassword := func(password string) (out *access.LogInPayload, err error) {
		patiently(func() error {
			out, err = o.Sessions.LogIn(t.Context(), access.LogInInput{Email: ada.Email, Password: password})
			if fault.KindOf(err) == fault.Unavailable {
				return err
			}
			return nil
		})
		return out, err
	}
	accept := func(ctx context.Context) {
		made, err := o.Invitations.Create(theirs.Ctx, access.CreateInvitationInput{Email: ada.Email, Role: member.RoleEditor})
		require.NoError(t, err)
		_, err = o.Invitations.Accept(ctx, access.AcceptInvitationInput{Token: made.Token})
		require.NoError(t, err)
		joined, err := o.Members.ByUser(theirs.Ctx, ada.UserID)
		require.NoError(t, err)
		_, err = o.Members.Delete(theirs.Ctx, joined.ID)
		require.NoError(t, err)
	}

	// A password that no other member has seen stays.
	accept(as(o.Sessions.LogInVerified(t.Context(), ada.Email)))
	_, err := byPassword(notifytest.RightPassword)
	require.NoError(t, err)

	made, err := o.Sessions.CreateReset(admin.Ctx, ada.UserID)
	require.NoError(t, err)
	patiently(func() error {
		return notifytest.Err(o.Sessions.Reset(t.Context(), access.ResetPasswordInput{Token: made.Token, Password: "a known password"}))
	})
	taken := as(byPassword("a known password"))
	patiently(func() error {
		return notifytest.Err(o.Sessions.SetPassword(taken, access.SetPasswordInput{CurrentPassword: "a known password", Password: "a better password"}))
	})
	// Who logged in by the password has it from the link.
	accept(as(byPassword("a better password")))
	_, err = byPassword("a better password")
	require.NoError(t, err)

	own := as(o.Sessions.LogInVerified(t.Context(), ada.Email))
	before := o.OpenSessions(t, ada.UserID)
	accept(own)
	_, err = byPassword("a better password")
	require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
	_, err = o.Sessions.Current(own)
	require.NoError(t, err)
	require.Less(t, o.OpenSessions(t, ada.UserID), before, "the log-ins by the password have ended")
	as(o.Sessions.LogInVerified(t.Context(), ada.Email))
}
