package pgaccept_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestReadAcceptFacts(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	version := s.Here.IDs["workflow_versions"]
	published := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "published", "active": true, "published_version_id": version})
	draft := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "draft", "active": false, "published_version_id": nil})
	s.Add(s.Here, "workflows", pgtest.Values{"identifier": "gone", "deleted": true})
	theirs := s.Add(s.There, "workflows", pgtest.Values{"identifier": "published", "published_version_id": nil})
	acme := s.Add(s.Here, "tenants", pgtest.Values{"identifier": "acme"})
	s.Add(s.There, "tenants", pgtest.Values{"identifier": "acme"})
	s.Add(s.Here, "tenant_workflows", pgtest.Values{"tenant_id": acme, "workflow_id": published, "active": false, "preferences": `{}`})
	for name, minutes := range map[string]int{"old": -61, "edge": -60, "new": -1} {
		s.Add(s.Here, "transaction_claims", pgtest.Values{"transaction_id": name, "created_at": *pgtest.At(minutes)})
		s.Add(s.Here, "events", pgtest.Values{"transaction_id": "txn_" + name, "id": id.Floor(*pgtest.At(minutes)), "checkpoint": nil})
		s.Add(s.Here, "events", pgtest.Values{"transaction_id": "chosen_" + name, "id": id.New(*pgtest.At(minutes)), "checkpoint": nil})
	}
	s.Add(s.Here, "transaction_claims", pgtest.Values{"transaction_id": "txn_taken_over", "created_at": *pgtest.At(-61)})
	s.Add(s.Here, "events", pgtest.Values{"transaction_id": "txn_new", "id": id.Floor(*pgtest.At(-70)), "checkpoint": nil})
	key := func(environment, name string) pgaccept.EnvKey {
		return pgaccept.EnvKey{EnvironmentID: environment, Key: name}
	}
	use := func(environment, tenant, workflow string) pgaccept.TenantUse {
		return pgaccept.TenantUse{EnvironmentID: environment, Tenant: tenant, Workflow: workflow}
	}
	facts, err := pgaccept.ReadAcceptFacts(s.Ctx, s.Pool, pgaccept.AcceptQuery{
		Workflows: []pgaccept.EnvKey{key(here, "published"), key(here, "draft"), key(here, "gone"), key(here, "none"), key(there, "published"), key(there, "draft")},
		Tenants:   []pgaccept.TenantUse{use(here, "acme", "published"), use(here, "acme", "draft"), use(here, "none", "draft"), use(there, "acme", "published")},
		Transactions: []pgaccept.EnvKey{
			key(here, "old"), key(here, "edge"), key(here, "new"), key(here, "none"), key(there, "new"), key(here, "txn_old"), key(here, "txn_edge"),
			key(here, "txn_new"), key(here, "txn_none"), key(there, "txn_new"), key(here, "chosen_new"), key(here, "txn_taken_over"),
		},
		UsedSince: *pgtest.At(-60),
	})
	require.NoError(t, err)
	configuration := func(environment string) string {
		return pgtest.Ask[string](s, `SELECT configuration_version FROM environments WHERE id = $1`, environment)
	}
	require.NotEqual(t, configuration(here), configuration(there))
	require.Equal(t, map[pgaccept.EnvKey]pgaccept.WorkflowHead{
		key(here, "published"): {ID: published, VersionID: version, Active: true, Configuration: configuration(here)},
		key(here, "draft"):     {ID: draft, Configuration: configuration(here)},
		key(there, "published"): {
			ID: theirs, Active: facts.Workflows[key(there, "published")].Active, Configuration: configuration(there),
		},
	}, facts.Workflows)
	require.Equal(t, map[pgaccept.TenantUse]bool{use(here, "acme", "published"): false, use(here, "acme", "draft"): true, use(there, "acme", "published"): true}, facts.Tenants,
		"on unless it is switched off")
	require.Equal(t, map[pgaccept.EnvKey]bool{
		key(here, "edge"): true, key(here, "new"): true, key(here, "txn_edge"): true, key(here, "txn_new"): true,
	}, facts.Used, "by their claims, or, where they were generated, by their events")
	facts, err = pgaccept.ReadAcceptFacts(s.Ctx, s.Pool, pgaccept.AcceptQuery{})
	require.NoError(t, err)
	require.Empty(t, facts.Workflows)
}

// TestKeysAreHeldForTheTransaction shows who gets a key that is taken in the transaction that stores its reply.
func TestKeysAreHeldForTheTransaction(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM idempotency_records`)
	s.Exec(`UPDATE organizations SET idempotency = true`)
	claim := func(name string, minutes int) pgaccept.KeyClaim {
		return pgaccept.KeyClaim{
			ID: name, OrganizationID: s.Here.Scope.OrganizationID, EnvironmentID: s.Here.Scope.EnvironmentID, Key: "key", RequestHash: []byte(name),
			Now: *pgtest.At(minutes), ExpiresAt: *pgtest.At(minutes + 10),
		}
	}
	read := func(tx pgx.Tx, claims ...pgaccept.KeyClaim) []pgaccept.KeyState {
		facts, err := pgaccept.ReadAcceptFacts(s.Ctx, tx, pgaccept.AcceptQuery{Keys: claims})
		require.NoError(t, err)
		return facts.Keys
	}
	reply := func(tx pgx.Tx, c pgaccept.KeyClaim) error {
		b := &pgx.Batch{}
		pgaccept.QueueKeyedReplies(b, nil)
		pgaccept.QueueKeyedReplies(b, []pgaccept.KeyedReply{{KeyClaim: c, KeyReply: pgaccept.KeyReply{StatusCode: 201, Body: []byte(c.ID), Now: c.Now, ExpiresAt: c.ExpiresAt}}})
		return tx.SendBatch(s.Ctx, b).Close()
	}
	other := claim("other", 0)
	other.OrganizationID, other.EnvironmentID = s.There.Scope.OrganizationID, s.There.Scope.EnvironmentID
	s.Meanwhile(func(tx pgx.Tx) { require.True(t, read(tx, claim("first", 0))[0].Taken) }, func(tx pgx.Tx) {
		states := read(tx, claim("second", 0), other)
		require.False(t, states[0].Taken, "another transaction holds it")
		require.True(t, states[1].Taken, "each organization has its own keys")
	})
	s.InTx(func(tx pgx.Tx) {
		require.True(t, read(tx, claim("third", 0))[0].Taken, "what was rolled back holds nothing")
		require.NoError(t, reply(tx, claim("third", 0)))
	})
	s.InTx(func(tx pgx.Tx) {
		state := read(tx, claim("fourth", 5))[0]
		require.Equal(t, []any{false, 201, "third", "third"}, []any{state.Taken, *state.StatusCode, string(state.Body), string(state.RequestHash)})
		sub, err := tx.Begin(s.Ctx)
		require.NoError(t, err)
		require.True(t, pgaccept.Overtaken(reply(sub, claim("fourth", 5))), "the key is not free")
		require.NoError(t, sub.Rollback(s.Ctx))
		require.True(t, read(tx, claim("fifth", 10))[0].Taken, "until its reply expires")
		require.NoError(t, reply(tx, claim("fifth", 10)))
	})
	require.Equal(t, []string{"fifth"}, pgtest.Column[string](s, s.Here, "idempotency_records", "id"))
	s.Exec(`UPDATE organizations SET idempotency = false`)
	s.InTx(func(tx pgx.Tx) {
		state := read(tx, claim("off", 30))[0]
		require.Equal(t, []bool{true, false}, []bool{state.Off, state.Taken})
	})
	require.False(t, pgaccept.Overtaken(nil))
	require.False(t, pgaccept.Overtaken(pgx.ErrNoRows))
}

func TestReadDefinitions(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	version := s.Add(s.Here, "workflow_versions", pgtest.Values{"number": 9, "definition": `{"steps": [{"type": "email", "stepId": "mail"}]}`})
	found, err := pgaccept.ReadDefinitions(s.Ctx, s.Pool, []string{version, "none", s.There.IDs["workflow_versions"]})
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, "mail", found[version].Steps[0].StepID)
	require.NotSame(t, found[version], found[s.There.IDs["workflow_versions"]])
}

func TestMoveLastTriggered(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	flow := s.Here.IDs["workflows"]
	s.Exec(`UPDATE workflows SET last_triggered_at = '2001-01-01' WHERE environment_id = $1`, s.Here.Scope.EnvironmentID)
	move := func(environment string, minutes int) {
		require.NoError(t, pgaccept.MoveLastTriggered(s.Ctx, s.DB, map[pgaccept.EnvKey]time.Time{{EnvironmentID: environment, Key: flow}: *pgtest.At(minutes)}))
	}
	for _, c := range []struct{ minutes, want int }{{5, 5}, {3, 5}, {7, 7}} {
		move(s.Here.Scope.EnvironmentID, c.minutes)
		require.Equal(t, pgtest.JSONTime(c.want), s.Record("workflows", flow)["last_triggered_at"], "it never goes back")
	}
	move(s.There.Scope.EnvironmentID, 9)
	require.Equal(t, pgtest.JSONTime(7), s.Record("workflows", flow)["last_triggered_at"], "a workflow belongs to its environment")
}

// TestEventsWithTenants says what a trigger makes of the tenant that it gives as an object.
func TestEventsWithTenants(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM tenant_workflows`)
	s.Exec(`DELETE FROM tenants`)
	event := func(name string, tenant workflow.TenantInput, data *string) pgaccept.AcceptedEvent {
		e := s.Event(name)
		tenant.Identifier, tenant.Inline = "acme", true
		e.Tenant, e.TenantData = &tenant, data
		return e
	}
	named := func(name string) workflow.TenantInput { return workflow.TenantInput{Name: &name} }
	require.Len(t, s.Accept(0, event("a", named("Acme"), nil), event("b", workflow.TenantInput{}, nil)), 2)
	line := `concat_ws(' ', identifier, name, data ->> 'k')`
	require.Equal(t, []string{"acme Acme"}, pgtest.Column[string](s, s.Here, "tenants", line), "made once; what is not given stays")
	require.Empty(t, pgtest.Column[string](s, s.There, "tenants", line))
	tenant := pgtest.Ask[string](s, `SELECT id FROM tenants`)
	require.Equal(t, tenant, s.Record("events", "e-a")["tenant_id"])
	again := event("a", named("Other"), nil)
	again.ID = "e-again"
	require.Empty(t, s.Accept(1, again))
	require.Equal(t, []string{"acme Acme"}, pgtest.Column[string](s, s.Here, "tenants", line), "an event that is not accepted changes no tenant")
	byName := s.Event("c")
	byName.Tenant = &workflow.TenantInput{Identifier: "acme"}
	unknown := s.Event("d")
	unknown.Tenant = &workflow.TenantInput{Identifier: "none"}
	require.Len(t, s.Accept(2, byName, unknown), 2)
	require.Equal(t, []any{tenant, nil}, []any{s.Record("events", "e-c")["tenant_id"], s.Record("events", "e-d")["tenant_id"]})
	require.Equal(t, 1, pgtest.Ask[int](s, `SELECT count(*) FROM tenants`), "a tenant that is only named is not made")
}

// TestWhenEventsHappened says which clock an event's time is by.
func TestWhenEventsHappened(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`UPDATE environments SET type = 'development', clock_at = $2 WHERE id = $1`, s.Here.Scope.EnvironmentID, *pgtest.At(60))
	for name, c := range map[string]struct {
		change func(at *pgaccept.AcceptTimes)
		want   int
	}{
		"real":     {func(*pgaccept.AcceptTimes) {}, 0},
		"virtual":  {func(at *pgaccept.AcceptTimes) { at.Virtual = true }, 60},
		"happened": {func(at *pgaccept.AcceptTimes) { at.Virtual, at.Happened = true, pgtest.At(30) }, 30},
	} {
		at := pgaccept.AcceptTimes{Now: pgtest.Noon, DueAt: *pgtest.At(1), UsedSince: *pgtest.At(-60)}
		c.change(&at)
		s.InTx(func(tx pgx.Tx) {
			_, err := pgaccept.WriteEvents(s.Ctx, tx, []pgaccept.AcceptedEvent{s.Event(name)}, at)
			require.NoError(t, err)
		})
		event := s.Record("events", "e-"+name)
		require.Equal(t, []any{pgtest.JSONTime(c.want), pgtest.JSONTime(1)}, []any{event["created_at"], event["due_at"]}, "%s: the time to look after it is always real", name)
	}
}

func TestEnvKeysAreOrdered(t *testing.T) {
	t.Parallel()
	a, b, c := pgaccept.EnvKey{EnvironmentID: "a", Key: "z"}, pgaccept.EnvKey{EnvironmentID: "b", Key: "a"}, pgaccept.EnvKey{EnvironmentID: "b", Key: "b"}
	for i, x := range []pgaccept.EnvKey{a, b, c} {
		for j, y := range []pgaccept.EnvKey{a, b, c} {
			require.Equal(t, min(max(i-j, -1), 1), x.Compare(y))
		}
	}
}
