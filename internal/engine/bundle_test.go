package engine_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// handClock is a clock that tests move.
type handClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *handClock) Now(string) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *handClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// recorder is a provider that keeps what it is given and answers as it is told.
type recorder struct {
	mu     sync.Mutex
	sent   []*provider.Message
	answer func(*provider.Message) (*provider.Receipt, error)
}

func (r *recorder) Send(_ context.Context, m *provider.Message) (*provider.Receipt, error) {
	r.mu.Lock()
	r.sent = append(r.sent, m)
	answer := r.answer
	r.mu.Unlock()
	if answer == nil {
		return &provider.Receipt{ID: r.ReceiptID(m.ID), Date: time.Now()}, nil
	}
	return answer(m)
}

// ReceiptID is the id of its own answer; other answers have other ids.
func (r *recorder) ReceiptID(messageID string) string { return "vendor-" + messageID }

func (r *recorder) messages() []*provider.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*provider.Message(nil), r.sent...)
}

// bundle is an engine on a database of its own, with one environment.
type bundle struct {
	tb     testing.TB
	ctx    context.Context //nolint:containedctx // of the test
	db     *postgres.DB
	engine *engine.Engine
	config engine.Config
	clock  *handClock
	vendor *recorder
	scope  viewer.Scope
	inApp  string // integration ids
	email  string
}

func registry(tb testing.TB, vendor *recorder) *provider.Registry {
	tb.Helper()
	open := func(provider.Deps, provider.Credentials) (provider.Adapter, error) { return vendor, nil }
	r, err := provider.NewRegistry(
		provider.Definition{ID: "svc", Channel: workflow.ChannelInApp, New: open},
		provider.Definition{ID: "email-webhook", Channel: workflow.ChannelEmail, Receipts: &provider.ReceiptReader{}, New: open},
		provider.Definition{ID: "nodemailer", Channel: workflow.ChannelEmail, New: open},
		provider.Definition{ID: "generic-sms", Channel: workflow.ChannelSMS, New: open},
		provider.Definition{ID: "chat-webhook", Channel: workflow.ChannelChat, New: open},
		provider.Definition{ID: "push-webhook", Channel: workflow.ChannelPush, New: open},
	)
	require.NoError(tb, err)
	return r
}

func newKeeper(tb testing.TB) *secret.Keeper {
	tb.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(tb, err)
	return keeper
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return setupOn(tb, pgtest.New(tb))
}

func setupOn(tb testing.TB, db *postgres.DB) *bundle {
	tb.Helper()
	b := &bundle{
		tb: tb, db: db, vendor: &recorder{}, ctx: viewer.SystemContext(tb.Context()),
		clock: &handClock{at: time.Now().UTC().Truncate(time.Microsecond)},
	}
	b.config = engine.Config{
		DB: b.db, Queue: queue.New(), Render: render.New(render.DefaultLimits()), Providers: registry(tb, b.vendor),
		Deps: provider.Deps{}, Logger: slog.New(slog.DiscardHandler), Secrets: newKeeper(tb), Clock: b.clock, Jitter: func() float64 { return 0.5 },
		Credentials: func(context.Context, pgrun.IntegrationRow) (provider.Credentials, error) {
			return provider.Credentials{}, nil
		},
		Token:    func(pgmessage.ConnectionRow) (string, error) { return "token", nil },
		PlanTime: stall.Limit(100 * time.Millisecond), // what tests plan is planned on a loaded machine, too
	}
	b.engine = b.newEngine(b.config)
	org := b.db.Ent.Organization.Create().SetName("acme").SaveX(b.ctx)
	env := b.db.Ent.Environment.Create().SetName("test").SetIdentifier("test").SetOrganizationID(org.ID).SaveX(b.ctx)
	b.scope = viewer.Scope{OrganizationID: org.ID, EnvironmentID: env.ID}
	b.ctx = viewer.InScope(b.ctx, b.scope)
	b.inApp = b.integration("svc", workflow.ChannelInApp, false)
	b.email = b.integration("email-webhook", workflow.ChannelEmail, true)
	return b
}

func (b *bundle) newEngine(cfg engine.Config) *engine.Engine {
	b.tb.Helper()
	e, err := engine.New(cfg)
	require.NoError(b.tb, err)
	return e
}

// onRealTime has the engine, with the configuration as it is now, go by the real clock instead of the one that the test moves.
func (b *bundle) onRealTime() {
	b.tb.Helper()
	b.config.Clock = nil
	b.engine = b.newEngine(b.config)
}

func (b *bundle) integration(providerID string, c workflow.Channel, primary bool) string {
	b.tb.Helper()
	i, err := b.db.Ent.Integration.Create().SetIdentifier(providerID + "-" + id.New(time.Now())).SetName(providerID).
		SetProviderID(providerID).SetChannel(c).SetPrimary(primary).Save(b.ctx)
	require.NoError(b.tb, err)
	return i.ID
}

// published is a workflow with its published version.
type published struct{ workflow, version string }

func (b *bundle) workflow(d workflow.Definition) published {
	b.tb.Helper()
	for i := range d.Steps {
		d.Steps[i].ID, d.Steps[i].Active = id.New(time.Now()), true
	}
	identifier := "wf-" + id.New(time.Now())
	w, err := b.db.Ent.Workflow.Create().SetIdentifier(identifier).SetName("w").SetDraft(&d).Save(b.ctx)
	require.NoError(b.tb, err)
	v, err := b.db.Ent.WorkflowVersion.Create().SetWorkflowID(w.ID).SetNumber(1).SetDefinition(&d).SetSeverity(workflow.SeverityNone).Save(b.ctx)
	require.NoError(b.tb, err)
	require.NoError(b.tb, w.Update().SetPublishedVersionID(v.ID).Exec(b.ctx))
	return published{w.ID, v.ID}
}

func inAppStep(body string) workflow.Step {
	return workflow.Step{StepID: "inbox", Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: body}}
}

func emailStep() workflow.Step {
	return workflow.Step{StepID: "mail", Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: "Hi", HTML: "<p>{{payload.text}}</p>"}}
}

// triggered writes an accepted event as accepting does, and returns its id.
func (b *bundle) triggered(p published, r *workflow.Recipients, change ...func(*ent.EventCreate)) string {
	b.tb.Helper()
	eventID := id.New(time.Now())
	create := b.db.Ent.Event.Create().SetID(eventID).SetTransactionID("txn_" + eventID).SetWorkflowID(p.workflow).
		SetWorkflowVersionID(p.version).SetKind(event.KindTrigger).SetPayload(map[string]any{"text": "hello"}).
		SetContextKeys([]string{}).SetDueAt(time.Now())
	if r != nil {
		create.SetRecipients(b.object(r))
	}
	for _, c := range change {
		c(create)
	}
	require.NoError(b.tb, create.Exec(b.ctx))
	return eventID
}

func (b *bundle) object(v any) map[string]any {
	b.tb.Helper()
	raw, err := json.Marshal(v)
	require.NoError(b.tb, err)
	var out map[string]any
	require.NoError(b.tb, json.Unmarshal(raw, &out))
	return out
}

func (b *bundle) fanOut(events ...string) {
	b.tb.Helper()
	require.NoError(b.tb, b.engine.FanOut(b.ctx, events))
}

func (b *bundle) wake(table pgdue.DueTable) int {
	b.tb.Helper()
	n, err := b.engine.Wake(b.ctx, table)
	require.NoError(b.tb, err)
	return n
}

func to(ids ...string) *workflow.Recipients {
	r := &workflow.Recipients{}
	for _, s := range ids {
		r.Direct = append(r.Direct, workflow.SubscriberInput{SubscriberID: s})
	}
	return r
}

func (b *bundle) subscriber(subscriberID string) *ent.Subscriber {
	b.tb.Helper()
	s, err := b.db.Ent.Subscriber.Create().SetSubscriberID(subscriberID).SetEmail(subscriberID + "@example.com").
		SetPhone("+15550101234").Save(b.ctx)
	require.NoError(b.tb, err)
	return s
}

func (b *bundle) runs(eventID string) []*ent.Notification {
	b.tb.Helper()
	list, err := b.db.Ent.Notification.Query().Where(notification.EventID(eventID)).Order(ent.Asc("id")).All(b.ctx)
	require.NoError(b.tb, err)
	return list
}

func (b *bundle) messages(eventID string) []*ent.Message {
	b.tb.Helper()
	list, err := b.db.Ent.Message.Query().Where(message.EventID(eventID)).Order(ent.Asc("id")).All(b.ctx)
	require.NoError(b.tb, err)
	return list
}

func reasons(n *ent.Notification) []workflow.Reason {
	var out []workflow.Reason
	for _, t := range n.Trace {
		out = append(out, t.Reason)
	}
	return out
}
