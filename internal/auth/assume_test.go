package auth_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/viewer"
)

// TestAssumption: whatever has become of a key since it was last seen is found, by the assumption itself as by what reads the key with
// other facts.
func TestAssumption(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		kind   fault.Kind
		err    error
	}{
		"Good":      {change: `SELECT 1`},
		"Revoked":   {change: `UPDATE api_keys SET revoked_at = now() - interval '1 second'`, kind: fault.Unauthenticated},
		"Expired":   {change: `UPDATE api_keys SET expires_at = now() - interval '1 day'`, kind: fault.Unauthenticated},
		"Gone":      {change: `DELETE FROM api_keys`, kind: fault.Unauthenticated},
		"Suspended": {change: `UPDATE environments SET suspended = true`, kind: fault.Forbidden},
		"Moving":    {change: `UPDATE organizations SET move = 'leaving'`, kind: fault.Unavailable},
		"Scopes":    {change: `UPDATE api_keys SET scopes = '["trigger"]'`, err: auth.ErrOtherRights},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			header := "ApiKey " + b.key
			before, err := b.auth.Authenticate(t.Context(), header)
			require.NoError(t, err)
			_, err = b.db.Pool.Exec(t.Context(), c.change)
			require.NoError(t, err)

			alone, shared := b.auth.Assume(header, before), b.auth.Assume(header, before)
			batch := &pgx.Batch{}
			pgaccess.QueueKeys(batch, []*pgaccess.KeyCheck{shared.Check(), b.auth.Assume(header, before).Check()})
			require.Equal(t, 1, batch.Len())
			require.NoError(t, b.db.Pool.SendBatch(t.Context(), batch).Close())
			require.NotNil(t, shared.Check().Found())
			later := b.auth.Assume(header, before)
			confirmed := alone.Confirm(t.Context())
			_, err = b.db.Pool.Exec(t.Context(), `DELETE FROM api_keys`) // of which those that know ask nothing more
			require.NoError(t, err)
			require.Equal(t, fault.Unauthenticated, fault.KindOf(later.Confirm(t.Context())), "it is read when that is asked for")
			for _, err := range []error{confirmed, alone.Confirm(t.Context()), shared.Confirm(t.Context()), shared.Confirm(t.Context())} {
				switch {
				case c.err != nil:
					require.ErrorIs(t, err, c.err)
				case c.kind != 0:
					require.Equal(t, c.kind, fault.KindOf(err), err)
				default:
					require.NoError(t, err)
				}
			}
		})
	}
}

// TestAssumptionOfOtherCredentials: only an environment's key is taken for what it was.
func TestAssumptionOfOtherCredentials(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v, err := b.auth.Authenticate(t.Context(), "ApiKey "+b.key)
	require.NoError(t, err)
	require.NotNil(t, b.auth.Assume(" apikey  "+b.key+" ", v))
	require.Nil(t, b.auth.Assume("Bearer "+b.key, v))
	require.Nil(t, b.auth.Assume("", v))
	require.Nil(t, b.auth.Assume("ApiKey "+b.key, viewer.Viewer{Scope: b.scope, Role: viewer.RoleOrganizationKey, OrganizationKeyID: b.keyID}))
}
