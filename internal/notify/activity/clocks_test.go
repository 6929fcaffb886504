package activity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// TestClocks holds which clocks move, and where to.
func TestClocks(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	system := viewer.SystemContext(t.Context())
	_, err := a.Clocks.Set(a.Ctx, a.Now, false)
	require.Equal(t, "CLOCK_IS_REAL", notifytest.Code(err), "the server runs on real time")
	running, err := a.Clocks.Current(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, &usecase.EnvironmentClock{Now: a.Now, Settled: true}, running)

	a.DB.VirtualClocks = true
	current := func(want time.Time, frozen bool) {
		t.Helper()
		clock, err := a.Clocks.Current(a.Ctx)
		require.NoError(t, err)
		require.True(t, clock.Virtual)
		require.Equal(t, want, clock.Now)
		require.Equal(t, frozen, clock.Frozen)
		instant, err := a.Clocks.Instant(a.Ctx)
		require.NoError(t, err)
		require.Equal(t, want, instant)
	}
	current(a.Now, false)
	for name, c := range map[string]struct {
		by   *string
		to   *time.Time
		want string
	}{
		"neither":    {nil, nil, "by"},
		"both":       {new("PT1H"), &a.Now, "by"},
		"no period":  {new("an hour"), nil, "by"},
		"a past one": {nil, new(a.Now.Add(-time.Second)), "to"},
	} {
		_, err := a.Clocks.Advance(a.Ctx, c.by, c.to, false)
		require.Equal(t, []string{c.want}, notifytest.Paths(t, err), name)
	}
	current(a.Now, false)
	_, err = a.Clocks.Advance(a.Ctx, new("PT1H"), nil, false)
	require.NoError(t, err)
	current(a.Now.Add(time.Hour), true)
	_, err = a.Clocks.Advance(a.Ctx, new("P1D"), nil, true)
	require.NoError(t, err)
	current(a.Now.Add(25*time.Hour), true)
	to := a.Now.Add(48*time.Hour + 1500*time.Nanosecond)
	_, err = a.Clocks.Advance(a.Ctx, nil, &to, false)
	require.NoError(t, err)
	current(to.Truncate(time.Microsecond), true)

	// Set back, a clock takes with it what was put off until a time that lies ahead now.
	paced := a.DB.Ent.Integration.Query().FirstX(a.Ctx)
	late := a.Now.Add(40 * time.Hour)
	paced.Update().SetPacedUntil(late).SetBreakerProbeAt(late).SetBreakerOpenedAt(late).ExecX(a.Ctx)
	_, err = a.Clocks.Set(a.Ctx, a.Now.Add(41*time.Hour), false)
	require.NoError(t, err)
	require.Equal(t, late, a.DB.Ent.Integration.GetX(a.Ctx, paced.ID).PacedUntil.UTC(), "a time that is over stays")
	back := a.Now.Add(-time.Hour)
	_, err = a.Clocks.Set(a.Ctx, back, false)
	require.NoError(t, err)
	current(back, true)
	after := a.DB.Ent.Integration.GetX(a.Ctx, paced.ID)
	require.Nil(t, after.PacedUntil)
	require.Equal(t, back, after.BreakerProbeAt.UTC())
	require.Equal(t, back, after.BreakerOpenedAt.UTC())

	_, err = a.Clocks.Reset(a.Ctx)
	require.NoError(t, err)
	current(a.Now, false)
	a.DB.Ent.Environment.UpdateOneID(a.Scope.EnvironmentID).SetType(environment.TypeProduction).ExecX(system)
	_, err = a.Clocks.Set(a.Ctx, a.Now, false)
	require.Equal(t, "CLOCK_IS_REAL", notifytest.Code(err), "never in production")
	elsewhere := viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: a.Scope.OrganizationID, EnvironmentID: id.New(a.Now)}, Role: viewer.RoleOwner, UserID: "ada",
	})
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Clocks.Set(elsewhere, a.Now, false)))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Clocks.Current(elsewhere)))
}
