package pgaudience_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestEnsure makes records of natural keys: once, and in each environment its own.
func TestEnsure(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	flow := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "w"})
	for _, c := range []struct {
		table, key string
		ensure     func(ctx context.Context, tx *postgres.Tx, rows pgtest.Rows) error
		perScope   bool
	}{
		{"tenants", "identifier = 'acme'", func(ctx context.Context, tx *postgres.Tx, rows pgtest.Rows) error {
			return pgaudience.EnsureTenant(ctx, tx, rows.Scope, "acme")
		}, true},
		{"tenant_workflows", "workflow_id = '" + flow + "'", func(ctx context.Context, tx *postgres.Tx, rows pgtest.Rows) error {
			return pgaudience.EnsureTenantWorkflow(ctx, tx, rows.Scope, rows.IDs["tenants"], flow)
		}, true},
		{"subscriber_channels", "provider_id = 'slack'", func(ctx context.Context, tx *postgres.Tx, rows pgtest.Rows) error {
			return pgaudience.EnsureSubscriberChannel(ctx, tx, rows.Scope, rows.IDs["subscribers"], "slack", "")
		}, true},
	} {
		t.Run(c.table, func(t *testing.T) {
			for range 2 {
				require.NoError(t, s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error { return c.ensure(ctx, tx, s.Here) }))
			}
			count := func() int { return pgtest.Ask[int](s, `SELECT count(*) FROM `+c.table+` WHERE `+c.key) }
			require.Equal(t, 1, count(), "a second call makes nothing")
			require.NoError(t, s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error { return c.ensure(ctx, tx, s.There) }))
			require.Equal(t, 2, count())
		})
	}
	require.NoError(t, s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
		return pgaudience.EnsureSubscriberChannel(ctx, tx, s.Here.Scope, s.Here.IDs["subscribers"], "slack", "work")
	}))
	require.Equal(t, 3, pgtest.Ask[int](s, `SELECT count(*) FROM subscriber_channels WHERE provider_id = 'slack'`), "a named integration has settings of its own")
	err := s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
		return pgaudience.EnsureTenant(ctx, tx, s.Here.Scope, "a\x00")
	})
	require.ErrorContains(t, err, "ensure tenant")
}

func TestEnsureContexts(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM contexts`)
	ensure := func(rows pgtest.Rows, refs ...workflow.ContextRef) {
		s.InTx(func(tx pgx.Tx) { require.NoError(t, pgaudience.EnsureContexts(s.Ctx, tx, rows.Scope, refs)) })
	}
	ensure(s.Here)
	ensure(s.Here, workflow.ContextRef{Type: "b", ID: "1"}, workflow.ContextRef{Type: "a", ID: "1", Data: map[string]any{"k": "first"}})
	ensure(s.Here, workflow.ContextRef{Type: "a", ID: "1", Data: map[string]any{"k": "second"}}, workflow.ContextRef{Type: "a", ID: "2"})
	ensure(s.There, workflow.ContextRef{Type: "a", ID: "1", Data: map[string]any{"k": "theirs"}})
	line := `concat_ws(' ', type, identifier, data ->> 'k')`
	require.ElementsMatch(t, []string{"a 1 first", "b 1", "a 2"}, pgtest.Column[string](s, s.Here, "contexts", line), "known ones keep their data")
	require.Equal(t, []string{"a 1 theirs"}, pgtest.Column[string](s, s.There, "contexts", line))
}

func TestEndpoints(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM channel_endpoints`)
	connection := s.Here.IDs["channel_connections"]
	for _, rows := range []pgtest.Rows{s.Here, s.There} {
		s.Add(rows, "channel_endpoints", pgtest.Values{"identifier": "mine", "connection_id": connection, "connection_identifier": "c", "updated_at": pgtest.Noon})
	}
	s.Add(s.Here, "channel_endpoints", pgtest.Values{"identifier": "other", "connection_id": nil, "connection_identifier": "x"})
	found, err := pgaudience.EndpointByIdentifier(s.Ctx, s.Pool, s.Here.Scope, "mine")
	require.NoError(t, err)
	require.Equal(t, []string{"mine", s.Here.Scope.EnvironmentID}, []string{found.Identifier, found.EnvironmentID})
	found, err = pgaudience.EndpointByIdentifier(s.Ctx, s.Pool, s.There.Scope, "other")
	require.NoError(t, err)
	require.Nil(t, found, "another environment's is unknown")

	require.NoError(t, s.Tx(s.Ctx, func(ctx context.Context, tx *postgres.Tx) error {
		return pgaudience.DetachEndpointsFromConnection(ctx, tx, s.Here.Scope, connection)
	}))
	line := `concat_ws(' ', identifier, connection_id IS NULL, connection_identifier, updated_at = '2026-05-04T12:00:00Z')`
	require.Equal(t, []string{"mine t t", "other t x f"}, pgtest.Column[string](s, s.Here, "channel_endpoints", line), "updated_at stays")
	require.Equal(t, []string{"mine f c t"}, pgtest.Column[string](s, s.There, "channel_endpoints", line))
}
