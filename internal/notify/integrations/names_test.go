package integrations_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/stall"
)

// TestIntegrationsOfOneNameAtOnce: an identifier that is made from a name is another one where a request that was not committed yet took
// the first; one that was asked for is refused.
func TestIntegrationsOfOneNameAtOnce(t *testing.T) {
	t.Parallel()
	for what, given := range map[string]*string{"made from the name": nil, "asked for": new("our-mail")} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			a := notifytest.NewAuthoring(t)
			in := integrations.CreateIntegrationInput{ProviderID: "nodemailer", Name: new("Our mail"), Credentials: notifytest.SMTP(nil), Active: new(false)}
			var second *ent.Integration
			done := make(chan error, 1)
			require.NoError(t, a.DB.Tx(a.Ctx, func(ctx context.Context, _ *postgres.Tx) error {
				_, err := a.Integrations.Create(ctx, in)
				require.NoError(t, err)
				go func() {
					again := in
					again.Identifier = given
					var err error
					second, err = a.Integrations.Create(a.Ctx, again)
					done <- err
				}()
				require.Eventually(t, func() bool {
					var waiting bool
					require.NoError(t, a.DB.Pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting))
					return waiting
				}, stall.Limit(time.Minute), 5*time.Millisecond)
				return nil
			}))
			err := <-done
			if given != nil {
				require.Equal(t, "ALREADY_EXISTS", notifytest.Code(err))
				return
			}
			require.NoError(t, err)
			require.Regexp(t, `^our-mail-[0-9a-f]{6}$`, second.Identifier)
		})
	}
}
