package access_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
)

// TestMovedLogIns last as long as they would have lasted, and end with all others of the person, also while they move.
func TestMovedLogIns(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	owner, ada := o.Hire(t, o.Scope, member.RoleOwner), o.Hire(t, o.Scope, member.RoleEditor)
	elsewhere := o.DB.Ent.Environment.Create().SetOrganizationID(o.Scope.OrganizationID).SetIdentifier("other").SetName("Other").SaveX(viewer.SystemContext(t.Context()))
	authenticator := auth.New(auth.Config{DB: o.DB, Now: o.Clock, Logger: slog.New(slog.DiscardHandler)})
	logIn := func() (*access.LogInPayload, context.Context) {
		in, err := o.Sessions.LogInVerified(t.Context(), ada.Email)
		require.NoError(t, err)
		v, err := authenticator.Authenticate(t.Context(), "Bearer "+in.Token)
		require.NoError(t, err)
		return in, viewer.NewContext(t.Context(), v)
	}

	in, as := logIn()
	o.Pass(time.Hour)
	moved, err := o.Sessions.Move(as, elsewhere.ID)
	require.NoError(t, err)
	require.WithinDuration(t, in.ExpiresAt, moved.ExpiresAt, 0)
	_, err = o.Sessions.Move(as, elsewhere.ID)
	require.Equal(t, fault.Unauthenticated, fault.KindOf(err), "it moved already")

	for name, end := range map[string]func(own context.Context) error{
		"LogOut": func(own context.Context) error { return notifytest.Err(o.Sessions.LogOut(own, true)) },
		"End":    func(context.Context) error { return notifytest.Err(o.Sessions.End(owner.Ctx, ada.UserID)) },
		"SetPassword": func(own context.Context) error {
			return notifytest.Err(o.Sessions.SetPassword(own, access.SetPasswordInput{Password: "another long one", CurrentPassword: notifytest.RightPassword}))
		},
	} {
		_, moving := logIn()
		_, own := logIn()
		tx, err := o.DB.Pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), `SELECT FROM users WHERE id = $1 FOR UPDATE`, ada.UserID)
		require.NoError(t, err)
		waiting := func() (n int) {
			require.NoError(t, o.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n))
			return n
		}
		move, ended := make(chan error, 1), make(chan error, 1)
		go func() { move <- notifytest.Err(o.Sessions.Move(moving, elsewhere.ID)) }()
		require.Eventually(t, func() bool { return waiting() == 1 }, stall.Limit(time.Minute), 5*time.Millisecond)
		go func() { ended <- end(own) }()
		require.Eventually(t, func() bool { return waiting() == 2 || len(ended) == 1 }, stall.Limit(time.Minute), 5*time.Millisecond)
		require.NoError(t, tx.Rollback(t.Context()))
		require.NoError(t, <-ended, name)
		<-move
		require.Zero(t, o.OpenSessions(t, ada.UserID), name)
	}
}

// TestSecondFactorDuringALogIn: a log-in whose password was checked before the second factor was there needs its code all the same.
func TestSecondFactorDuringALogIn(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	ada := o.Hire(t, o.Scope, member.RoleEditor)
	before := o.OpenSessions(t, ada.UserID)
	tx, err := o.DB.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `UPDATE users SET second_factor = 'sealed', second_factor_at = now() WHERE id = $1`, ada.UserID)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		done <- notifytest.Err(o.Sessions.LogIn(context.Background(), access.LogInInput{Email: ada.Email, Password: notifytest.RightPassword}))
	}()
	require.Eventually(t, func() bool {
		var waiting bool
		require.NoError(t, o.DB.Pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting))
		return waiting
	}, stall.Limit(time.Minute), 5*time.Millisecond)
	require.NoError(t, tx.Commit(t.Context()))
	require.Equal(t, "SECOND_FACTOR_REQUIRED", notifytest.Code(<-done))
	require.Equal(t, before, o.OpenSessions(t, ada.UserID))
}
