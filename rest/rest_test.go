package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/rest"
)

func timeNow() time.Time { return frozen }

// frozen is the time of every test, until it moves it: error bodies show it.
var frozen = time.Date(2025, 3, 1, 9, 30, 0, 0, time.UTC)

// bundle is a server on a database of its own, with one environment and its key.
type bundle struct {
	db       *postgres.DB
	scope    viewer.Scope
	key      string
	acceptor *accept.Acceptor
	services *notify.Services
	handler  http.Handler
	log      *bytes.Buffer
	passed   atomic.Int64 // nanoseconds since frozen

	tb        testing.TB
	promised  *contract
	contrived bool // it answers what the document does not know
}

func (b *bundle) now() time.Time { return frozen.Add(time.Duration(b.passed.Load())) }

func setup(tb testing.TB, change ...func(*rest.Config)) *bundle {
	tb.Helper()
	return setupOn(tb, pgtest.New(tb), change...)
}

func setupOn(tb testing.TB, db *postgres.DB, change ...func(*rest.Config)) *bundle {
	tb.Helper()
	b := &bundle{tb: tb, db: db, key: auth.NewKey(""), log: &bytes.Buffer{}}
	b.environment(tb)
	silent := slog.New(slog.DiscardHandler)
	b.acceptor = accept.NewAcceptor(accept.Config{DB: db, Queue: queue.New(), Now: b.now, Logger: silent})
	require.NoError(tb, b.acceptor.Start(tb.Context()))
	tb.Cleanup(func() { require.NoError(tb, b.acceptor.Stop(context.WithoutCancel(tb.Context()))) })
	b.services = notify.New(usecase.Config{DB: db, Now: b.now, Accept: b.acceptor, Logger: silent, Secrets: keeper, Providers: registry(tb)})
	cfg := rest.Config{
		Resolvers: &graph.Resolver{Services: b.services},
		Auth:      auth.New(auth.Config{DB: db, Now: b.now, Logger: silent}),
		Logger:    slog.New(slog.NewJSONHandler(b.log, nil)),
		Now:       b.now,
	}
	for _, c := range change {
		c(&cfg)
	}
	b.handler = rest.New(cfg)
	var err error
	b.promised, err = contractOf(b.handler)
	require.NoError(tb, err)
	b.log.Reset()
	return b
}

func (b *bundle) environment(tb testing.TB) {
	tb.Helper()
	ctx := viewer.SystemContext(tb.Context())
	org, err := b.db.Ent.Organization.Create().SetName("Acme").Save(ctx)
	require.NoError(tb, err)
	env, err := b.db.Ent.Environment.Create().SetOrganizationID(org.ID).SetName("Test").SetIdentifier("test").Save(ctx)
	require.NoError(tb, err)
	b.scope = viewer.Scope{OrganizationID: org.ID, EnvironmentID: env.ID}
	require.NoError(tb, b.db.Ent.APIKey.Create().SetEnvironmentID(env.ID).SetName("key").SetHash(auth.HashKey(b.key)).
		SetHint(auth.Hint(b.key)).SetScopes(viewer.FullGrants.List()).Exec(ctx))
}

// workflow publishes a workflow.
func (b *bundle) workflow(tb testing.TB, identifier string, d workflow.Definition, active bool) {
	tb.Helper()
	ctx := viewer.SystemContext(tb.Context())
	w, err := b.db.Ent.Workflow.Create().SetEnvironmentID(b.scope.EnvironmentID).SetIdentifier(identifier).SetName(identifier).
		SetDraft(&d).SetActive(active).Save(ctx)
	require.NoError(tb, err)
	v, err := b.db.Ent.WorkflowVersion.Create().SetEnvironmentID(b.scope.EnvironmentID).SetWorkflowID(w.ID).SetNumber(1).
		SetDefinition(&d).SetSeverity(workflow.SeverityNone).Save(ctx)
	require.NoError(tb, err)
	require.NoError(tb, w.Update().SetPublishedVersionID(v.ID).SetPublishedNumber(1).Exec(ctx))
}

func steps(active ...bool) workflow.Definition {
	d := workflow.Definition{Severity: workflow.SeverityNone}
	for _, a := range active {
		d.Steps = append(d.Steps, workflow.Step{StepID: "inbox", Type: workflow.StepInApp, Active: a})
	}
	return d
}

// order is a workflow that refuses payloads without a numeric total.
func order() workflow.Definition {
	d := steps(true)
	d.Validate = true
	d.PayloadSchema = map[string]any{"type": "object", "properties": map[string]any{
		"order": map[string]any{"type": "object", "properties": map[string]any{"total": map[string]any{"type": "number"}}},
	}}
	return d
}

// workflows publishes one workflow per outcome row.
func (b *bundle) workflows(tb testing.TB) {
	tb.Helper()
	b.workflow(tb, "order-shipped", steps(true), true)
	b.workflow(tb, "off", steps(true), false)
	b.workflow(tb, "empty", steps(), true)
	b.workflow(tb, "asleep", steps(false), true)
	b.workflow(tb, "strict", order(), true)
}

// ask sends a request as the environment's key.
func (b *bundle) ask(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), method, target, bytes.NewReader([]byte(body)))
	r.Header.Set("Authorization", "ApiKey "+b.key)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	if method == http.MethodHead || method == http.MethodOptions || b.contrived {
		return w
	}
	if err := b.promised.check(method, target, w); err != nil {
		if _, fuzzing := b.tb.(*testing.F); fuzzing {
			panic(err)
		}
		b.tb.Error(err)
	}
	return w
}

// rows counts everything that a trigger may write.
func (b *bundle) rows(tb testing.TB) (n int) {
	tb.Helper()
	require.NoError(tb, b.db.Pool.QueryRow(tb.Context(), `SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM transaction_claims)
		+ (SELECT count(*) FROM tenants) + (SELECT count(*) FROM contexts)
		+ (SELECT count(*) FROM subscribers)`).Scan(&n))
	return n
}

func decoded(tb testing.TB, w *httptest.ResponseRecorder) (v any) {
	tb.Helper()
	raw, err := io.ReadAll(w.Result().Body)
	require.NoError(tb, err)
	require.NoError(tb, json.Unmarshal(raw, &v), "%s", raw)
	return v
}

// column reads one column of all events, in order.
func (b *bundle) column(tb testing.TB, expression string) []string {
	tb.Helper()
	rows, err := b.db.Pool.Query(tb.Context(), `SELECT `+expression+` FROM events ORDER BY id`) //nolint:gosec // a fixed expression
	require.NoError(tb, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(tb, err)
	return values
}

// registry lists all providers.
func registry(tb testing.TB) *provider.Registry {
	tb.Helper()
	r, err := vendors.Registry()
	require.NoError(tb, err)
	return r
}
