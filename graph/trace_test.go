package graph_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/email"
	"github.com/carillon/carillon/internal/provider/inapp"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// engine is one that works on the bundle's database when it is woken.
func (b *bundle) engine(t *testing.T) *engine.Engine {
	t.Helper()
	providers, err := provider.NewRegistry(slices.Concat(inapp.Providers(), email.Providers())...)
	require.NoError(t, err)
	e, err := engine.New(engine.Config{
		DB: b.db, Queue: queue.New(), Render: render.New(render.DefaultLimits()), Providers: providers, Logger: slog.New(slog.DiscardHandler), Secrets: b.keeper,
		Credentials: func(context.Context, pgrun.IntegrationRow) (provider.Credentials, error) {
			return provider.Credentials{"webhookUrl": "https://mail.example/send", "secretKey": "secret"}, nil
		},
		Token: func(pgmessage.ConnectionRow) (string, error) { return "", nil },
	})
	require.NoError(t, err)
	return e
}

// work does everything that is due.
func work(ctx context.Context, t *testing.T, e *engine.Engine) {
	t.Helper()
	for found := 1; found > 0; {
		found = 0
		for _, table := range []pgdue.DueTable{pgdue.DueEvents, pgdue.DueNotifications, pgdue.DueMessages} {
			n, err := e.Wake(ctx, table)
			require.NoError(t, err)
			found += n
		}
	}
}

// TestTraceFoldsRepetitions looks five times at a message whose integration's breaker is open: the trace holds one entry of
// that, as the schema shows it.
func TestTraceFoldsRepetitions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.db.VirtualClocks = true
	ctx := viewer.InScope(viewer.SystemContext(t.Context()), b.scope(t))
	b.must(t, `mutation { setClock(to: "2025-01-31T09:00:00Z", settle: false) { clock { now } } }`, nil)
	began := time.Date(2025, 1, 31, 9, 0, 0, 0, time.UTC)
	b.db.Ent.Integration.Update().Where(integration.ChannelEQ(workflow.ChannelEmail)).SetPrimary(false).SetActive(false).ExecX(ctx)
	mail := b.db.Ent.Integration.Create().SetIdentifier("mail").SetName("m").SetProviderID("email-webhook").SetChannel(workflow.ChannelEmail).
		SetPrimary(true).SetBreaker(workflow.BreakerOpen).SetBreakerOpenedAt(began).SetBreakerProbeAt(began.Add(time.Minute)).SaveX(ctx)
	b.must(t, `mutation { createWorkflow(input: {name: "w", definition: {steps: [{stepId: "mail", type: EMAIL, email: {subject: "Hi", html: "<p>x</p>"}}]}}) { workflow { id } } }`, nil)
	b.must(t, `mutation { createSubscriber(input: {subscriberId: "u", email: "u@example.com"}) { subscriber { id } } }`, nil)
	b.must(t, `mutation { triggerEvent(input: {name: "w", to: [{subscriberId: "u"}]}) { result { status } } }`, nil)

	e := b.engine(t)
	work(ctx, t, e)
	for n := range 4 { // each time the breaker is open for another minute
		mail.Update().SetBreakerProbeAt(began.Add(time.Duration(n+2) * time.Minute)).ExecX(ctx)
		b.must(t, `mutation { advanceClock(by: "PT1M", settle: false) { clock { now } } }`, nil)
		work(ctx, t, e)
	}
	found := b.must(t, `{ notifications(first: 5) { nodes { trace { reason stepId at count firstAt lastAt until } } } }`, nil)
	nodes := found["notifications"].(map[string]any)["nodes"].([]any)
	require.Len(t, nodes, 1)
	trace := nodes[0].(map[string]any)["trace"].([]any)
	require.Len(t, trace, 2, "%+v", trace)
	require.Equal(t, "QUEUED", trace[0].(map[string]any)["reason"])
	require.Equal(t, map[string]any{
		"reason": "BREAKER_OPEN", "stepId": "mail", "count": 5.0, "at": "2025-01-31T09:00:00Z", "firstAt": "2025-01-31T09:00:00Z",
		"lastAt": "2025-01-31T09:04:00Z", "until": "2025-01-31T09:05:00Z",
	}, trace[1])
}
