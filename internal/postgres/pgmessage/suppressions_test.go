package pgmessage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestSuppressedAddressesAreTheEnvironmentsOwn(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`INSERT INTO suppressions (id, created_at, updated_at, environment_id, channel, address, reason) VALUES ('x', now(), now(), $1, 'email', 'a@example.org', 'bounce')`,
		s.Here.Scope.EnvironmentID)
	mail := pgmessage.Address{EnvironmentID: s.Here.Scope.EnvironmentID, Channel: workflow.ChannelEmail, Address: "a@example.org"}
	foreign, sms := mail, mail
	foreign.EnvironmentID, sms.Channel = s.There.Scope.EnvironmentID, workflow.ChannelSMS
	found, err := pgmessage.LoadSuppressed(s.Ctx, s.Pool, []pgmessage.Address{foreign, sms, mail})
	require.NoError(t, err)
	require.Equal(t, map[pgmessage.Address]workflow.SuppressionReason{mail: workflow.SuppressionBounce}, found)
}
