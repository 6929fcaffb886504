package accept_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// acceptBundle is a database with an environment and, in the same organization, one that is older and one that is younger:
// a look-up that forgets the environment finds theirs. What the environment has they have too, by the same names, and for
// each of their workflows another outcome.
type acceptBundle struct {
	db          *postgres.DB
	environment string
	older       string
	younger     string
	now         time.Time
	queue       *queue.Queue // of the acceptor made last
}

func newAcceptBundle(tb testing.TB) *acceptBundle {
	tb.Helper()
	return acceptBundleOn(tb, pgtest.New(tb))
}

func acceptBundleOn(tb testing.TB, db *postgres.DB) *acceptBundle {
	tb.Helper()
	ctx := viewer.SystemContext(tb.Context())
	org := db.Ent.Organization.Create().SetName("Acme").SaveX(ctx)
	made := func(identifier string) string {
		return db.Ent.Environment.Create().SetOrganizationID(org.ID).SetName("Test").SetIdentifier(identifier).SaveX(ctx).ID
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	return &acceptBundle{db: db, older: made("older"), environment: made("test"), younger: made("younger"), now: now}
}

// acceptor is a working acceptor of its own, as another process would have.
func (b *acceptBundle) acceptor(tb testing.TB, change ...func(*accept.Config)) *accept.Acceptor {
	tb.Helper()
	b.queue = queue.New()
	b.queue.Events.Open()
	cfg := accept.Config{DB: b.db, Queue: b.queue, Now: func() time.Time { return b.now }, Logger: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&cfg)
	}
	a := accept.NewAcceptor(cfg)
	require.NoError(tb, a.Start(tb.Context()))
	tb.Cleanup(func() { require.NoError(tb, a.Stop(context.WithoutCancel(tb.Context()))) })
	return a
}

// workflow publishes a workflow with the given definition and returns its id. The other environments get one of the same
// name, without steps, where the bundle has others.
func (b *acceptBundle) workflow(tb testing.TB, identifier string, d workflow.Definition) string {
	tb.Helper()
	if b.older == "" {
		return b.publish(tb, b.environment, identifier, d)
	}
	without := workflow.Definition{Severity: workflow.SeverityNone}
	b.publish(tb, b.older, identifier, without)
	own := b.publish(tb, b.environment, identifier, d)
	b.publish(tb, b.younger, identifier, without)
	return own
}

// publish makes a workflow of an environment.
func (b *acceptBundle) publish(tb testing.TB, environment, identifier string, d workflow.Definition) string {
	tb.Helper()
	ctx := viewer.SystemContext(tb.Context())
	w, err := b.db.Ent.Workflow.Create().SetEnvironmentID(environment).SetIdentifier(identifier).SetName(identifier).
		SetDraft(&d).Save(ctx)
	require.NoError(tb, err)
	v, err := b.db.Ent.WorkflowVersion.Create().SetEnvironmentID(environment).SetWorkflowID(w.ID).SetNumber(1).
		SetDefinition(&d).SetSeverity(workflow.SeverityNone).Save(ctx)
	require.NoError(tb, err)
	require.NoError(tb, w.Update().SetPublishedVersionID(v.ID).SetPublishedNumber(1).Exec(ctx))
	return w.ID
}

var oneStep = workflow.Definition{Steps: []workflow.Step{{StepID: "inbox", Type: workflow.StepInApp, Active: true}}, Severity: workflow.SeverityNone}

func (b *acceptBundle) item(name, transactionID string) accept.Acceptance {
	return accept.Acceptance{
		EnvironmentID: b.environment, Kind: event.KindTrigger, Workflow: name, TransactionID: transactionID,
		Payload: []byte(`{"order":1}`), Recipients: []byte(`{"direct":[{"subscriberId":"u1"}]}`), Reachable: true,
	}
}

func (b *acceptBundle) count(tb testing.TB, table string) (n int) {
	tb.Helper()
	require.NoError(tb, b.db.Pool.QueryRow(tb.Context(), `SELECT count(*) FROM `+table).Scan(&n)) //nolint:gosec // a fixed name
	return n
}

// queued takes what was handed over by the acceptor made last, by lane.
func (b *acceptBundle) queued() map[event.Lane][]string {
	b.queue.Events.Close()
	out := map[event.Lane][]string{}
	for _, lane := range queue.Lanes {
		if items := b.queue.Events.Take(context.Background(), lane, 1_000); len(items) > 0 {
			out[lane] = queue.IDs(items)
		}
	}
	return out
}

func acceptAll(tb testing.TB, a *accept.Acceptor, items ...accept.Acceptance) []accept.Outcome {
	tb.Helper()
	outcomes, err := a.Accept(tb.Context(), accept.Request{Items: items})
	require.NoError(tb, err)
	return outcomes
}

func TestAcceptOutcomeRows(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	ctx := viewer.SystemContext(t.Context())
	a := b.acceptor(t)

	b.workflow(t, "good", oneStep)
	off := b.workflow(t, "off", oneStep)
	require.NoError(t, b.db.Ent.Workflow.UpdateOneID(off).SetActive(false).Exec(ctx))
	b.workflow(t, "empty", workflow.Definition{Severity: workflow.SeverityNone})
	asleep := oneStep
	asleep.Steps = []workflow.Step{{StepID: "inbox", Type: workflow.StepInApp}}
	b.workflow(t, "asleep", asleep)
	strict := oneStep
	strict.Validate = true
	strict.PayloadSchema = map[string]any{"type": "object", "required": []any{"total"}, "properties": map[string]any{
		"total": map[string]any{"type": "number"}, "currency": map[string]any{"type": "string", "default": "EUR"},
	}}
	b.workflow(t, "strict", strict)
	switched := b.workflow(t, "switched", oneStep)
	tenant, err := b.db.Ent.Tenant.Create().SetEnvironmentID(b.environment).SetIdentifier("acme").Save(ctx)
	require.NoError(t, err)
	require.NoError(t, b.db.Ent.TenantWorkflow.Create().SetEnvironmentID(b.environment).SetTenantID(tenant.ID).
		SetWorkflowID(switched).SetActive(false).SetPreferences(workflow.ChannelPreferences{}).Exec(ctx))
	_, err = b.db.Ent.Workflow.Create().SetEnvironmentID(b.environment).SetIdentifier("draft").SetName("draft").SetDraft(&oneStep).Save(ctx)
	require.NoError(t, err)
	b.elsewhere(t, a)
	require.Equal(t, workflow.TriggerProcessed, acceptAll(t, a, b.item("good", "used"))[0].Status)

	with := func(name, tx string, change func(*accept.Acceptance)) accept.Acceptance {
		in := b.item(name, tx)
		change(&in)
		return in
	}
	nobody := func(in *accept.Acceptance) { in.Reachable = false }
	unknownTenant := func(in *accept.Acceptance) { in.Tenant = &workflow.TenantInput{Identifier: "nobody"} }
	rows := []struct {
		name string
		in   accept.Acceptance
		want workflow.TriggerStatus
	}{
		{"unknown workflow", b.item("missing", "a"), workflow.TriggerError},
		{"unknown workflow before a used id", b.item("missing", "used"), workflow.TriggerError},
		{"used id before everything after it", with("off", "used", nobody), workflow.TriggerProcessed},
		{"unknown tenant", with("off", "b", unknownTenant), workflow.TriggerNoTenant},
		{"inactive", with("off", "c", nobody), workflow.TriggerNotActive},
		{"never published", b.item("draft", "d"), workflow.TriggerNotActive},
		{"off for the tenant", with("switched", "e", func(in *accept.Acceptance) { in.Tenant = &workflow.TenantInput{Identifier: "acme"} }), workflow.TriggerNotActive},
		{"on without the tenant", b.item("switched", "f"), workflow.TriggerProcessed},
		{"no steps", with("empty", "g", nobody), workflow.TriggerNoSteps},
		{"no active step", with("asleep", "h", nobody), workflow.TriggerNoActiveSteps},
		{"nobody", with("good", "i", nobody), workflow.TriggerInvalidRecipients},
		{"refused ids are not used", b.item("good", "i"), workflow.TriggerProcessed},
	}
	for _, row := range rows { // in order: later rows depend on what earlier ones did not do
		got := acceptAll(t, a, row.in)[0]
		require.NoError(t, got.Err, row.name)
		require.Equal(t, row.want, got.Status, row.name)
	}

	refused := acceptAll(t, a, b.item("strict", "used"))[0]
	var f *fault.Error
	require.ErrorAs(t, refused.Err, &f)
	require.Equal(t, payload.CodePayload, f.Code)
	filled := acceptAll(t, a, with("strict", "j", func(in *accept.Acceptance) { in.Payload = []byte(`{"total":12345678901234567890}`) }))[0]
	require.Equal(t, workflow.TriggerProcessed, filled.Status)
	var payload string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT payload::text FROM events WHERE id = $1`, filled.EventID).Scan(&payload))
	require.JSONEq(t, `{"currency": "EUR", "total": 12345678901234567890}`, payload)
	require.Contains(t, payload, "12345678901234567890")
}

// elsewhere gives the other environments what would turn the outcome of each row: the workflow and the tenant that are
// unknown here, the tenant with the workflow that is off for it here, and every transactionId, used.
func (b *acceptBundle) elsewhere(t *testing.T, a *accept.Acceptor) {
	t.Helper()
	ctx := viewer.SystemContext(t.Context())
	for _, environment := range []string{b.older, b.younger} {
		used := b.publish(t, environment, "theirs", oneStep)
		for _, name := range []string{"missing", "draft"} {
			b.publish(t, environment, name, oneStep)
		}
		for _, name := range []string{"acme", "nobody"} {
			tenant, err := b.db.Ent.Tenant.Create().SetEnvironmentID(environment).SetIdentifier(name).Save(ctx)
			require.NoError(t, err)
			require.NoError(t, b.db.Ent.TenantWorkflow.Create().SetEnvironmentID(environment).SetTenantID(tenant.ID).
				SetWorkflowID(used).SetActive(false).SetPreferences(workflow.ChannelPreferences{}).Exec(ctx))
		}
		for _, id := range []string{"used", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
			theirs := b.item("theirs", id)
			theirs.EnvironmentID = environment
			require.NotEmpty(t, acceptAll(t, a, theirs)[0].EventID, "%s is not used in this environment", id)
		}
	}
}

// TestAcceptStaysInItsEnvironment accepts the same events for three environments in one request: each is decided by its own
// workflow, and the same transactionId is new in each.
func TestAcceptStaysInItsEnvironment(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	b.workflow(t, "order", oneStep)
	in := func(environment, name, id string) accept.Acceptance {
		item := b.item(name, id)
		item.EnvironmentID = environment
		return item
	}
	b.publish(t, b.older, "only", oneStep)
	b.publish(t, b.younger, "only", oneStep)
	outcomes := acceptAll(t, a, in(b.older, "order", "t"), in(b.environment, "order", "t"), in(b.younger, "order", "t"),
		in(b.older, "only", "t"), in(b.environment, "only", "t2"), in(b.younger, "only", "t"))
	var statuses []workflow.TriggerStatus
	for _, o := range outcomes {
		statuses = append(statuses, o.Status)
	}
	require.Equal(t, []workflow.TriggerStatus{
		workflow.TriggerNoSteps, workflow.TriggerProcessed, workflow.TriggerNoSteps,
		workflow.TriggerProcessed, workflow.TriggerError, workflow.TriggerProcessed,
	}, statuses)
	for _, i := range []int{1, 3, 5} {
		require.NotEmpty(t, outcomes[i].EventID, "the id is new in its environment")
	}
	require.Empty(t, acceptAll(t, a, in(b.environment, "order", "t"))[0].EventID, "and used from then on")
	rows, err := b.db.Pool.Query(t.Context(), `SELECT e.environment_id, w.environment_id FROM events e JOIN workflows w ON w.id = e.workflow_id`)
	require.NoError(t, err)
	var own, of string
	_, err = pgx.ForEachRow(rows, []any{&own, &of}, func() error { require.Equal(t, own, of); return nil })
	require.NoError(t, err)
}

func TestAcceptWritesEverythingTogether(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	workflowID := b.workflow(t, "good", oneStep)
	critical := oneStep
	critical.Critical = true
	b.workflow(t, "critical", critical)

	in := b.item("good", "t1")
	in.Tenant = &workflow.TenantInput{Identifier: "acme", Inline: true, Name: new("Acme"), Data: map[string]any{"plan": "pro"}}
	in.Contexts = []workflow.ContextRef{{Type: "app", ID: "web"}, {Type: "region", ID: "eu", Data: map[string]any{"a": 1}}}
	in.Overrides, in.Actor, in.RequestID = []byte(`{"severity":"low"}`), []byte(`{"subscriberId":"boss"}`), "r1"
	renamed := b.item("good", "t2")
	renamed.Tenant = &workflow.TenantInput{Identifier: "acme", Inline: true, Name: new("Acme Inc")}
	topic := b.item("critical", "t3")
	topic.Topics = true
	outcomes := acceptAll(t, a, in, renamed, topic, b.item("critical", "t4"))

	ctx := viewer.SystemContext(t.Context())
	e, err := b.db.Ent.Event.Get(ctx, outcomes[0].EventID)
	require.NoError(t, err)
	require.Equal(t, workflowID, e.WorkflowID)
	require.Equal(t, "t1", e.TransactionID)
	require.Equal(t, []string{"app:web", "region:eu"}, e.ContextKeys)
	require.Equal(t, "app:web,region:eu", e.Scope)
	require.Equal(t, event.StatusAccepted, e.Status)
	require.Equal(t, map[string]any{"order": 1.0}, e.Payload)
	require.Equal(t, "boss", e.Actor["subscriberId"])
	require.Equal(t, "r1", *e.RequestID)
	require.True(t, e.DueAt.After(b.now))

	tenant, err := b.db.Ent.Tenant.Query().Only(ctx)
	require.NoError(t, err)
	require.Equal(t, tenant.ID, *e.TenantID)
	require.Equal(t, new("Acme Inc"), tenant.Name, "the later event changed it")
	require.Equal(t, map[string]any{"plan": "pro"}, tenant.Data)
	require.Equal(t, 2, b.count(t, "contexts"))
	require.Equal(t, map[event.Lane][]string{
		event.LaneNormal: {outcomes[0].EventID, outcomes[1].EventID},
		event.LaneBulk:   {outcomes[2].EventID},
		event.LaneUrgent: {outcomes[3].EventID},
	}, b.queued())
}

func TestAcceptUsedIDsHaveNoEffect(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	b.workflow(t, "good", oneStep)
	acceptAll(t, a, b.item("good", "t1"))

	again := b.item("good", "t1")
	again.Tenant = &workflow.TenantInput{Identifier: "acme", Inline: true}
	again.Contexts = []workflow.ContextRef{{Type: "app", ID: "web"}}
	require.Equal(t, accept.Outcome{Status: workflow.TriggerProcessed}, acceptAll(t, a, again)[0])
	require.Zero(t, b.count(t, "tenants"))
	require.Zero(t, b.count(t, "contexts"))

	t.Run("the first of several in one request counts", func(t *testing.T) {
		first, second := b.item("good", "t2"), b.item("good", "t2")
		second.Payload = []byte(`{"order":2}`)
		outcomes := acceptAll(t, a, first, second)
		require.NotEmpty(t, outcomes[0].EventID)
		require.Equal(t, accept.Outcome{Status: workflow.TriggerProcessed}, outcomes[1])
	})
	t.Run("ids expire", func(t *testing.T) {
		late := b.acceptor(t, func(cfg *accept.Config) { cfg.Now = func() time.Time { return b.now.Add(31 * 24 * time.Hour) } })
		require.NotEmpty(t, acceptAll(t, late, b.item("good", "t1"))[0].EventID)
		require.Empty(t, acceptAll(t, late, b.item("good", "t1"))[0].EventID)
	})
}

func TestAcceptRaceOnOneID(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	b.workflow(t, "good", oneStep)
	acceptors := []*accept.Acceptor{b.acceptor(t), b.acceptor(t)}
	var wg sync.WaitGroup
	written := make(chan string, 50)
	for i := range 50 {
		wg.Go(func() {
			// Other ids beside the common one, in either order, so that lock order matters.
			items := []accept.Acceptance{b.item("good", "same"), b.item("good", fmt.Sprintf("a%d", i%7)), b.item("good", fmt.Sprintf("z%d", i%5))}
			if i%2 == 0 {
				items[0], items[2] = items[2], items[0]
			}
			outcomes, err := acceptors[i%2].Accept(t.Context(), accept.Request{Items: items})
			if err != nil {
				t.Error(err)
				return
			}
			for k, o := range outcomes {
				if o.Status != workflow.TriggerProcessed {
					t.Errorf("status %s", o.Status)
				}
				if items[k].TransactionID == "same" && o.EventID != "" {
					written <- o.EventID
				}
			}
		})
	}
	wg.Wait()
	require.Len(t, written, 1)
	require.Equal(t, 1+7+5, b.count(t, "events"))
}

func TestAcceptABadRowFailsAlone(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	b.workflow(t, "good", oneStep)
	bad := b.item("good", "t2")
	bad.Payload = []byte(`{"x":"\u0000"}`)
	outcomes := acceptAll(t, a, b.item("good", "t1"), bad, b.item("good", "t3"))
	require.NotEmpty(t, outcomes[0].EventID)
	require.Error(t, outcomes[1].Err)
	require.NotEmpty(t, outcomes[2].EventID)
	require.Equal(t, 2, b.count(t, "events"))
	require.Equal(t, 2, b.count(t, "transaction_claims"))

	_, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{bad}})
	require.Error(t, err)
}

func (b *acceptBundle) text(tb testing.TB, query string) (s string) {
	tb.Helper()
	require.NoError(tb, b.db.Pool.QueryRow(tb.Context(), query).Scan(&s))
	return s
}

func TestAcceptSeesChangesAtOnce(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	id := b.workflow(t, "good", oneStep)
	acceptAll(t, a, b.item("good", "t1"))
	ctx := viewer.SystemContext(t.Context())
	v, err := b.db.Ent.WorkflowVersion.Create().SetEnvironmentID(b.environment).SetWorkflowID(id).SetNumber(2).
		SetDefinition(&workflow.Definition{Severity: workflow.SeverityNone}).SetSeverity(workflow.SeverityNone).Save(ctx)
	require.NoError(t, err)
	require.NoError(t, b.db.Ent.Workflow.UpdateOneID(id).SetPublishedVersionID(v.ID).Exec(ctx))
	require.Equal(t, workflow.TriggerNoSteps, acceptAll(t, a, b.item("good", "t2"))[0].Status)
}

func TestAcceptStop(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	id := b.workflow(t, "good", oneStep)
	a := b.acceptor(t)
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := a.Accept(gone, accept.Request{Items: []accept.Acceptance{b.item("good", "left")}})
	if err != nil {
		require.Equal(t, fault.Unavailable, fault.KindOf(err))
	}
	acceptAll(t, a, b.item("good", "t1"))
	require.NoError(t, a.Stop(t.Context()))
	_, err = a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "t2")}})
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	w, err := b.db.Ent.Workflow.Get(viewer.SystemContext(t.Context()), id)
	require.NoError(t, err)
	require.NotNil(t, w.LastTriggeredAt, "stopping moves what was noted")
}
