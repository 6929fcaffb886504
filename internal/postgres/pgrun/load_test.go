package pgrun_test

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestLoadSnapshot(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	here, there := s.Here.Scope.EnvironmentID, s.There.Scope.EnvironmentID
	for _, table := range []string{"layouts", "snippets", "translations", "contexts", "tenant_workflows"} {
		s.Exec(`DELETE FROM ` + table)
	}
	s.Exec(`UPDATE integrations SET active = false`)
	s.Exec(`UPDATE environments SET default_locale = 'de' WHERE id = $1`, here)
	active := s.Add(s.Here, "integrations", pgtest.Values{"identifier": "a", "provider_id": "p", "channel": "email", "active": true, "credentials": []byte("sealed"), "rate_limit": 5.0})
	later := s.Add(s.Here, "integrations", pgtest.Values{"identifier": "b", "active": true, "breaker": "open", "breaker_failures": 3})
	s.Add(s.Here, "integrations", pgtest.Values{"identifier": "gone", "active": true, "deleted": true})
	s.Add(s.There, "integrations", pgtest.Values{"identifier": "a", "active": true})
	s.Add(s.Here, "layouts", pgtest.Values{"identifier": "plain", "content": "<b/>", "is_default": true})
	s.Add(s.There, "layouts", pgtest.Values{"identifier": "plain", "content": "theirs"})
	s.Add(s.Here, "snippets", pgtest.Values{"identifier": "part", "content": "ours"})
	s.Add(s.There, "snippets", pgtest.Values{"identifier": "part", "content": "theirs"})
	s.Add(s.Here, "translations", pgtest.Values{"locale": "de", "content": `{"hello": "Hallo"}`})
	s.Add(s.Here, "translations", pgtest.Values{"locale": "fr", "content": `{"hello": "Salut"}`})
	feed := s.Add(s.Here, "feeds", pgtest.Values{"identifier": "news"})
	version := s.Add(s.Here, "workflow_versions", pgtest.Values{"number": 7, "severity": "high", "definition": `{"steps": [{"type": "in_app", "stepId": "x", "inApp": {"feedId": "news"}}]}`})
	tenant := s.Add(s.Here, "tenants", pgtest.Values{"identifier": "acme", "name": "Acme", "data": `{"k": 1}`})
	flow := s.Here.IDs["workflows"]
	s.Add(s.Here, "tenant_workflows", pgtest.Values{"tenant_id": tenant, "workflow_id": flow, "active": false, "preferences": `{"email": false}`})
	for _, rows := range []pgtest.Rows{s.Here, s.There} {
		s.Add(rows, "contexts", pgtest.Values{"type": "region", "identifier": "eu:west", "data": `{"of": "` + rows.Scope.EnvironmentID + `"}`})
	}
	w, err := pgrun.LoadSnapshot(s.Ctx, s.Pool, pgrun.SnapshotQuery{
		Environments: []string{here, there, "none"}, Configurations: []string{here, there, "none"}, Versions: []string{version, "none"}, Tenants: []string{tenant},
		ContextEnvironments: []string{here, here, here}, ContextKeys: []string{"region:eu:west", "region:eu:west", "region:none"},
	})
	require.NoError(t, err)
	require.Len(t, w.Environments, 2)
	e := w.Environments[here]
	kept := e.Configuration
	w.ApplyHealth()
	require.Equal(t, []any{workflow.BreakerClosed, 0}, []any{kept.Integrations[1].Breaker, kept.Integrations[1].BreakerFailures}, "no part of the configuration")
	require.Equal(t, []string{s.Here.Scope.OrganizationID, "de"}, []string{e.OrganizationID, e.DefaultLocale})
	require.Equal(t, []string{active, later}, pgtest.Names(e.Integrations, func(i *pgrun.IntegrationRow) string { return i.ID }), "active ones in the order of their ids")
	require.Equal(t, []any{"p", workflow.ChannelEmail, []byte("sealed"), new(5.0)}, []any{e.Integrations[0].ProviderID, e.Integrations[0].Channel, e.Integrations[0].Credentials, e.Integrations[0].RateLimit})
	require.Equal(t, []any{workflow.BreakerState("open"), 3}, []any{e.Integrations[1].Breaker, e.Integrations[1].BreakerFailures})
	require.Equal(t, []pgrun.LayoutRow{{Identifier: "plain", Content: "<b/>", Default: true}}, e.Layouts)
	require.Equal(t, "theirs", w.Environments[there].Layouts[0].Content)
	require.Equal(t, []map[string]string{{"part": "ours"}, {"part": "theirs"}}, []map[string]string{e.Snippets, w.Environments[there].Snippets})
	require.Equal(t, map[string]map[string]string{"de": {"hello": "Hallo"}, "fr": {"hello": "Salut"}}, e.Translations)
	require.Empty(t, w.Environments[there].Translations)
	require.Len(t, w.Versions, 1)
	require.Equal(t, []any{7, workflow.Severity("high"), map[string]string{"news": feed}}, []any{w.Versions[0].Number, w.Versions[0].Severity, w.Versions[0].Feeds}, "feeds by identifier are resolved")
	require.Equal(t, "Acme", *w.Tenants[tenant].Name)
	require.Equal(t, []pgrun.TenantPreferenceRow{{TenantID: tenant, WorkflowID: flow, Preferences: workflow.ChannelPreferences{Email: new(false)}}}, w.TenantPreferences)
	require.Len(t, w.Contexts, 1, "of the environment that asks, once, and its identifier may hold colons")
	require.Equal(t, []any{"eu:west", here}, []any{w.Contexts[0].Identifier, w.Contexts[0].Data["of"]})
	require.Nil(t, e.FrozenAt)

	s.Exec(`UPDATE environments SET type = 'development', clock_at = $2 WHERE id = $1`, here, *pgtest.At(60))
	s.Exec(`UPDATE events SET due_at = NULL`)
	s.Exec(`UPDATE messages SET due_at = NULL, snoozed_until = NULL`)
	s.Exec(`UPDATE notifications SET due_at = $2 WHERE environment_id = $1`, here, *pgtest.At(30))
	for virtual, want := range map[bool]string{false: "", true: pgtest.At(30).String()} {
		w, err := pgrun.LoadSnapshot(s.Ctx, s.Pool, pgrun.SnapshotQuery{Environments: []string{here, there}, Virtual: virtual})
		require.NoError(t, err)
		got := ""
		if at := w.Environments[here].FrozenAt; at != nil {
			got = at.UTC().String()
		}
		require.Equal(t, want, got, "a frozen clock has come as far as its work")
		require.Nil(t, w.Environments[there].FrozenAt)
		require.Empty(t, w.Versions)
		require.Equal(t, pgrun.Configuration{Version: w.Environments[here].Version}, w.Environments[here].Configuration, "it was not asked for")
	}
}

func TestLoadPersonal(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for _, table := range []string{"preferences", "subscriber_channels", "channel_endpoints"} {
		s.Exec(`DELETE FROM ` + table)
	}
	ada := s.Here.IDs["subscribers"]
	bob := s.Add(s.Here, "subscribers", pgtest.Values{"subscriber_id": "bob"})
	for _, p := range []struct{ subscriber, scope, workflow string }{{ada, "", ""}, {ada, "", "w"}, {ada, "", "other"}, {ada, "x", "w"}, {bob, "", "w"}} {
		s.Add(s.Here, "preferences", pgtest.Values{"subscriber_id": p.subscriber, "scope": p.scope, "workflow_id": p.workflow, "enabled": true, "channels": `{"email": false}`})
	}
	s.Add(s.There, "preferences", pgtest.Values{"subscriber_id": ada, "scope": "", "workflow_id": "w"})
	s.Add(s.Here, "subscriber_channels", pgtest.Values{"subscriber_id": ada, "provider_id": "fcm", "integration_identifier": "", "integration_id": nil, "credentials": `{"deviceTokens": ["d"]}`})
	for _, scope := range []string{"", "x"} {
		s.Add(s.Here, "channel_endpoints", pgtest.Values{"subscriber_id": ada, "scope": scope, "identifier": "e" + scope, "connection_id": nil})
	}
	load := func(q pgrun.PersonalQuery) *pgrun.Personal {
		q.Environments, q.Subscribers, q.Scopes, q.Workflows = []string{s.Here.Scope.EnvironmentID}, []string{ada}, []string{""}, []string{"w"}
		p, err := pgrun.LoadPersonal(s.Ctx, s.Pool, q)
		require.NoError(t, err)
		return p
	}
	require.Equal(t, &pgrun.Personal{}, load(pgrun.PersonalQuery{}))
	p := load(pgrun.PersonalQuery{Preferences: true})
	require.Equal(t, []string{"", "w"}, slices.Sorted(slices.Values(pgtest.Names(p.Preferences, func(r *pgrun.PreferenceRow) string { return r.WorkflowID }))), "the global one and the workflow's, of the scope")
	require.Equal(t, []any{ada, new(true), new(false)}, []any{p.Preferences[0].SubscriberID, p.Preferences[0].Enabled, p.Preferences[0].Channels.Email})
	require.Empty(t, p.Settings)
	p = load(pgrun.PersonalQuery{Settings: true})
	require.Len(t, p.Settings, 1)
	require.Equal(t, []any{"fcm", "", []string{"d"}}, []any{p.Settings[0].ProviderID, p.Settings[0].IntegrationID, p.Settings[0].Credentials.DeviceTokens})
	require.Empty(t, p.Endpoints)
	p = load(pgrun.PersonalQuery{Endpoints: true})
	require.Equal(t, []string{"e"}, pgtest.Names(p.Endpoints, func(r *pgrun.EndpointRow) string { return r.Identifier }), "of exactly the scope")
}

func TestClaimNotifications(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	s.Exec(`DELETE FROM digests`)
	s.Add(s.Here, "digests", pgtest.Values{"id": "open", "status": "open", "digest_key": "a"})
	s.Add(s.Here, "digests", pgtest.Values{"id": "closed", "status": "closed", "digest_key": "b"})
	for name, change := range map[string]pgtest.Values{
		"b-due": nil, "a-due": {"due_at": *pgtest.At(-1)}, "later": {"due_at": *pgtest.At(1)}, "final": {"due_at": nil, "status": "completed"},
		"calls": {"state": `{"call": {"attempt": 1}}`}, "open": {"digest_id": "open"}, "closed": {"digest_id": "closed"}, "unnamed": nil,
	} {
		addRun(s, s.Here, name, change)
	}
	claim := func(tx pgx.Tx, held ...string) []string {
		runs, err := pgrun.ClaimNotifications(s.Ctx, tx, []string{"b-due", "a-due", "later", "final", "calls", "open", "closed", "none"}, pgdue.Moment{Now: pgtest.Noon}, held)
		require.NoError(t, err)
		return pgtest.Names(runs, func(r *pgrun.NotificationRow) string { return r.ID })
	}
	s.InTx(func(tx pgx.Tx) { require.Equal(t, []string{"a-due", "b-due", "closed"}, claim(tx)) })
	s.InTx(func(tx pgx.Tx) {
		require.Equal(t, []string{"a-due", "b-due", "closed", "open"}, claim(tx, "open"), "whoever holds the window may take its run")
	})
	s.Meanwhile(func(tx pgx.Tx) { claim(tx) }, func(tx pgx.Tx) { require.Empty(t, claim(tx), "the lock is the claim") })
	s.InTx(func(tx pgx.Tx) {
		held, err := pgrun.HoldWindows(s.Ctx, tx, []string{"open", "closed", "a-due"})
		require.NoError(t, err)
		require.Equal(t, []string{"open"}, pgtest.Names(held, func(w *pgrun.WindowRow) string { return w.ID }))
	})
}

func TestClaimHTTPSteps(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for name, change := range map[string]pgtest.Values{
		"plain": nil, "late": {"state": `{"call": {"attempt": 1}}`}, "early": {"state": `{"call": {"attempt": 2}}`, "due_at": *pgtest.At(-9)},
		"held":  {"state": `{"call": {"attempt": 1, "until": "2999-01-01T00:00:00Z"}}`},
		"free":  {"state": `{"call": {"attempt": 1, "until": "2001-01-01T00:00:00Z"}}`, "due_at": *pgtest.At(-5)},
		"later": {"state": `{"call": {"attempt": 1}}`, "due_at": *pgtest.At(1)},
	} {
		addRun(s, s.Here, name, change)
	}
	id := func(r *pgrun.NotificationRow) string { return r.ID }
	claim := func(limit int, passed ...string) (runs []string) {
		s.InTx(func(tx pgx.Tx) {
			found, err := pgrun.ClaimHTTPSteps(s.Ctx, tx, pgdue.Moment{Now: pgtest.Noon}, passed, limit)
			require.NoError(t, err)
			runs = pgtest.Names(found, id)
		})
		return runs
	}
	require.Equal(t, []string{"early", "free", "late"}, claim(9), "the oldest first; a lease that holds is another's")
	require.Equal(t, []string{"early"}, claim(1))
	addRun(s, s.There, "other", pgtest.Values{"state": `{"call": {"attempt": 1}}`})
	require.Equal(t, []string{"other"}, claim(9, s.Here.Scope.EnvironmentID), "whatever another environment has due before")
	s.Exec(`UPDATE notifications SET lane = 'urgent' WHERE id = 'late'`)
	require.Equal(t, []string{"late"}, claim(9), "the urgent lane first")
	answered := func(run string, attempt int) (runs []string) {
		s.InTx(func(tx pgx.Tx) {
			found, err := pgrun.ClaimAnswered(s.Ctx, tx, run, attempt)
			require.NoError(t, err)
			runs = pgtest.Names(found, id)
		})
		return runs
	}
	require.Equal(t, []string{"held"}, answered("held", 1))
	require.Empty(t, answered("early", 1), "the call is another's by now")
	s.Exec(`UPDATE notifications SET due_at = NULL, status = 'cancelled' WHERE id = 'held'`)
	require.Empty(t, answered("held", 1), "it was cancelled meanwhile")
}

func TestLoadVersions(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	addRun(s, s.Here, "r", pgtest.Values{"workflow_version_id": "v9"})
	versions, err := pgrun.LoadRunVersions(s.Ctx, s.Pool, []string{"r", "none"})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"r": "v9"}, versions)
	draft := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "draft", "active": true, "published_version_id": nil})
	gone := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "gone", "deleted": true, "published_version_id": s.Here.IDs["workflow_versions"]})
	env := s.Here.Scope.EnvironmentID
	latest, err := pgrun.LoadLatestVersions(s.Ctx, s.Pool, []string{env, env, s.There.Scope.EnvironmentID}, []string{draft, gone, draft})
	require.NoError(t, err)
	require.ElementsMatch(t, []pgrun.LatestVersion{
		{WorkflowID: draft, Active: true, Identifier: "draft"}, {WorkflowID: gone, VersionID: s.Here.IDs["workflow_versions"], Deleted: true, Identifier: "gone", Active: latest[1].Active},
	}, latest, "of the environment that asks")
}

// TestLoadCollected reads what a window holds, with the window that was merged into it.
func TestLoadCollected(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	window := func(name, run, status string, closes int) {
		s.Add(s.Here, "digests", pgtest.Values{"id": name, "digest_key": name, "status": status, "notification_id": run, "total": 2, "closes_at": *pgtest.At(closes)})
	}
	member := func(run, window, status string, minutes int) {
		s.Add(s.Here, "events", pgtest.Values{"id": "e-" + run, "transaction_id": run, "payload": `{"of": "` + run + `"}`, "created_at": *pgtest.At(minutes)})
		addRun(s, s.Here, run, pgtest.Values{"digest_id": window, "status": status})
	}
	window("outer", "first", "open", 60)
	member("second", "outer", "merged", 2)
	member("first", "outer", "waiting", 1)
	member("stopped", "outer", "cancelled", 3)
	window("inner", "second", "closed", 30)
	member("inside", "inner", "merged", 4)
	window("empty", "none", "open", 60)
	found, err := pgrun.LoadCollected(s.Ctx, s.Pool, []string{"outer", "empty", "unknown"})
	require.NoError(t, err)
	require.Len(t, found, 2)
	for _, c := range found {
		var payloads []string
		for _, p := range c.Events {
			payloads = append(payloads, p.(map[string]any)["of"].(string))
		}
		if c.DigestID == "outer" {
			require.Equal(t, []string{"first", "second", "inside"}, payloads, "oldest first, without what was cancelled")
			require.Equal(t, 2, c.Total)
			continue
		}
		require.Empty(t, payloads)
	}
}

// TestLoadCollectedOfOneInstant: windows that end one after the other at one instant, as those that are released by a frozen clock.
func TestLoadCollectedOfOneInstant(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	for _, w := range [][3]string{{"1-inner", "first", "i1"}, {"2-outer", "first", "o"}, {"3-inner", "second", "i2"}} {
		s.Add(s.Here, "digests", pgtest.Values{"id": w[0], "digest_key": w[2], "status": "closed", "notification_id": w[1], "total": 3, "closes_at": *pgtest.At(30)})
	}
	for i, member := range [][2]string{{"first", "2-outer"}, {"merged", "1-inner"}, {"second", "2-outer"}, {"late", "3-inner"}} {
		run, window := member[0], member[1]
		s.Add(s.Here, "events", pgtest.Values{"id": "e-" + run, "transaction_id": run, "payload": `"` + run + `"`, "created_at": *pgtest.At(i)})
		addRun(s, s.Here, run, pgtest.Values{"digest_id": window, "status": "merged"})
	}
	found, err := pgrun.LoadCollected(s.Ctx, s.Pool, []string{"1-inner", "2-outer"})
	require.NoError(t, err)
	held := map[string][]any{}
	for _, c := range found {
		held[c.DigestID] = c.Events
	}
	require.Equal(t, map[string][]any{"1-inner": {"first", "merged"}, "2-outer": {"first", "merged", "second", "late"}}, held)
}

func TestNudgeAndCancelWindows(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	addRun(s, s.Here, "late", pgtest.Values{"due_at": *pgtest.At(60)})
	addRun(s, s.Here, "early", pgtest.Values{"due_at": *pgtest.At(-60)})
	addRun(s, s.Here, "done", pgtest.Values{"due_at": nil, "status": "completed"})
	s.Send(func(b *pgx.Batch) {
		pgrun.NudgeRuns(b, nil, nil)
		pgrun.NudgeRuns(b, []string{"late", "early", "done"}, []time.Time{pgtest.Noon, pgtest.Noon, pgtest.Noon})
		pgrun.CancelWindows(b, nil)
	})
	for name, want := range map[string]any{"late": pgtest.JSONTime(0), "early": "2026-05-04T11:00:00+00:00", "done": nil} {
		require.Equal(t, want, s.Record("notifications", name)["due_at"], name)
	}
	s.Add(s.Here, "digests", pgtest.Values{"id": "a", "status": "open", "digest_key": "a"})
	s.Add(s.Here, "digests", pgtest.Values{"id": "b", "status": "closed", "digest_key": "b"})
	s.Add(s.Here, "digests", pgtest.Values{"id": "c", "status": "open", "digest_key": "c"})
	s.Send(func(b *pgx.Batch) { pgrun.CancelWindows(b, []string{"a", "b"}) })
	for name, want := range map[string]string{"a": "cancelled", "b": "closed", "c": "open"} {
		require.Equal(t, want, s.Record("digests", name)["status"], name)
	}
}

// TestLoadCollectedFollowsIndexes: what windows hold is read along its indexes, also when many windows have been closed since the last
// ANALYZE, which found none.
func TestLoadCollectedFollowsIndexes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, statement := range []string{
		`INSERT INTO digests (id, created_at, updated_at, environment_id, context_keys, scope, workflow_id, step_id, subscriber_id, digest_key, notification_id,
			status, opened_at, closes_at, last_event_at) SELECT 'd' || n, now(), now(), 'env', '[]', '', 'w', 's', 'u' || n, '', 'n' || n, 'open', now(), now(), now()
		FROM generate_series(1, 5000) n`,
		`VACUUM ANALYZE digests`, `UPDATE digests SET status = 'closed'`,
	} {
		_, err := db.Pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	plan := pgtest.Explain(t, db, pgrun.LoadCollectedQuery, []string{"d1", "d2", "d3"}, 1000, 1<<20)
	require.Contains(t, plan, "digest_notification_id")
	require.NotContains(t, plan, "digest_environment_id_status_id")
}
