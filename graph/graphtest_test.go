package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
)

// bundle is the GraphQL door over a database of its own with one environment and its key.
type bundle struct {
	db       *postgres.DB
	services *notify.Services
	handler  http.Handler
	key      string
	keeper   *secret.Keeper
	auth     *auth.Authenticator
	log      *buffer
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return setupOn(tb, pgtest.New(tb))
}

func setupOn(tb testing.TB, db *postgres.DB) *bundle {
	tb.Helper()
	b := &bundle{db: db, log: &buffer{}}
	logger := slog.New(slog.NewJSONHandler(b.log, nil))
	var err error
	b.keeper, err = secret.NewKeeper(secret.Generate())
	require.NoError(tb, err)
	b.services = services(tb, b.db, b.keeper, logger, nil)
	authenticator := auth.New(auth.Config{DB: b.db, Now: time.Now, Logger: logger, Secrets: b.keeper})
	tb.Cleanup(func() { require.NoError(tb, authenticator.Close(context.WithoutCancel(tb.Context()))) })
	b.auth = authenticator
	b.handler = b.patientDoor(logger)
	made, err := b.services.Bootstrap(tb.Context(), access.BootstrapInput{})
	require.NoError(tb, err)
	b.key = made.Key
	return b
}

// patientDoor is the way to the bundle's services. It waits for operations longer than a server does, because the race detector on
// a busy machine makes a password's hash take a minute.
func (b *bundle) patientDoor(logger *slog.Logger) http.Handler {
	return graph.NewHandler(graph.Config{Services: b.services, Authenticator: b.auth, Logger: logger, Limits: document.Limits{Timeout: 10 * time.Minute}})
}

// services are the use cases as the server wires them.
func services(tb testing.TB, db *postgres.DB, keeper *secret.Keeper, logger *slog.Logger, hub *realtime.Hub) *notify.Services {
	tb.Helper()
	return servicesAt(tb, db, keeper, logger, hub, time.Now)
}

func servicesAt(tb testing.TB, db *postgres.DB, keeper *secret.Keeper, logger *slog.Logger, hub *realtime.Hub, now func() time.Time) *notify.Services {
	tb.Helper()
	acceptor := accept.NewAcceptor(accept.Config{DB: db, Queue: queue.New(), Now: time.Now, Logger: logger})
	require.NoError(tb, acceptor.Start(tb.Context()))
	tb.Cleanup(func() { require.NoError(tb, acceptor.Stop(context.WithoutCancel(tb.Context()))) })
	providers, err := vendors.Registry()
	require.NoError(tb, err)
	return notify.New(usecase.Config{
		DB: db, Now: now, Logger: logger, Accept: acceptor, Secrets: keeper, Providers: providers, Live: hub,
		Explain:   explain.New(explain.Config{DB: db, Now: time.Now, Logger: logger, Secrets: keeper}),
		Workflows: usecase.WorkflowSettings{SupportedSteps: workflow.StepTypes(), Templates: render.New(render.DefaultLimits())},
	})
}

// reply is what GraphQL answers.
type reply struct {
	Data   map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Extensions map[string]any
	}
}

// code is the first error's extensions.code, "" without errors.
func (r reply) code() string {
	if len(r.Errors) == 0 {
		return ""
	}
	code, _ := r.Errors[0].Extensions["code"].(string)
	return code
}

// ask runs an operation with a key.
func (b *bundle) ask(t *testing.T, key, query string, variables map[string]any) reply {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	_, r := b.post(t, "ApiKey "+key, string(body))
	return r
}

// must is ask with the bundle's own key, for what has to succeed.
func (b *bundle) must(t *testing.T, query string, variables map[string]any) map[string]any {
	t.Helper()
	r := b.ask(t, b.key, query, variables)
	require.Empty(t, r.Errors, query)
	return r.Data
}

func (b *bundle) post(t *testing.T, authorization, body string) (*httptest.ResponseRecorder, reply) {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewBufferString(body))
	req.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	return b.serve(t, req)
}

func (b *bundle) serve(t *testing.T, req *http.Request) (*httptest.ResponseRecorder, reply) {
	t.Helper()
	rec := httptest.NewRecorder()
	b.handler.ServeHTTP(rec, req)
	var r reply
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &r), rec.Body.String())
	return rec, r
}

// buffer collects log lines of several goroutines.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// at walks into nested objects.
func at(t *testing.T, value any, path ...string) any {
	t.Helper()
	for _, name := range path {
		object, ok := value.(map[string]any)
		require.True(t, ok, "%v is not an object at %s", value, name)
		value = object[name]
	}
	return value
}
