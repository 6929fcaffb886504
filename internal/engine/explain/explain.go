// Package explain says what an event would do, without doing it. It takes the event through accepting, fan-out and planning
// with the code of the real ones, in a transaction that cannot write. Waits count as over at once, calls of providers as
// successful.
package explain

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
)

// Page asks for the next recipients. Those named directly are all on the first page.
type Page struct {
	Limit int
	After string // cursor; "": from the start
}

// Config is what an Explainer works with.
type Config struct {
	DB        *postgres.DB
	Now       func() time.Time // real time
	Logger    *slog.Logger
	Secrets   *secret.Keeper     // opens webhook URLs of overrides
	Providers *provider.Registry // those that overrides can name; nil: none
	Retention time.Duration      // how long a transactionId counts as used; 0: 30 days
	MaxDelay  time.Duration      // how far ahead a delay may reach; 0: DefaultMaxDelay
}

// Explainer explains what events would do.
type Explainer struct {
	executor  *run.Executor
	now       func() time.Time
	retention time.Duration
}

// New returns an Explainer.
func New(cfg Config) *Explainer {
	if cfg.Providers == nil {
		cfg.Providers, _ = provider.NewRegistry() // without a provider nothing can be wrong with it
	}
	s := state.New(state.Config{
		DB: cfg.DB, Render: render.New(render.DefaultLimits()), Logger: cfg.Logger, Secrets: cfg.Secrets, Providers: cfg.Providers,
		Clock: fixedClock(cfg.Now), MaxDelay: cfg.MaxDelay,
	})
	executor := run.NewExecutor(s)
	executor.Versions().InTurns()
	return &Explainer{executor: executor, now: cfg.Now, retention: cmp.Or(cfg.Retention, accept.DefaultRetention)}
}

// fixedClock is a clock that returns the same time for every environment.
type fixedClock func() time.Time

// Now returns that time.
func (c fixedClock) Now(string) time.Time { return c() }

// Explain returns what an event would do, and writes nothing.
func (e *Explainer) Explain(ctx context.Context, item accept.Acceptance, page Page) (*Explanation, error) {
	x := &explaining{Explainer: e, page: page, out: &Explanation{TransactionID: state.NotEmpty(item.TransactionID)}}
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, e.executor.DB.Pool, options, func(tx pgx.Tx) error {
		x.tx = tx
		return state.RecoverPanic(func() error { return x.explain(ctx, item) })
	})
	return x.out, err
}

// explaining is one explanation in the making.
type explaining struct {
	*Explainer
	tx     pgx.Tx
	page   Page
	out    *Explanation
	event  *pgfanout.EventRow
	trial  *run.Trial
	cursor pgfanout.Checkpoint
}

func (x *explaining) explain(ctx context.Context, item accept.Acceptance) error {
	accepted, err := x.accept(ctx, item)
	if err != nil || accepted == nil {
		return err
	}
	ev, err := run.EventOf(accepted)
	if err != nil {
		return err
	}
	if err := x.readCursor(ev); err != nil {
		return err
	}
	if err := x.open(ctx, ev, accepted); err != nil {
		return err
	}
	if ev.Recipients != nil {
		x.out.Invalid = ev.Recipients.Invalid
	}
	if !x.cursor.Started {
		recipients, err := x.trial.Named(ctx)
		if err != nil {
			return err //nolint:wrapcheck // says what it did
		}
		x.add(recipients)
		x.cursor.Started = true
	}
	if streamed(ev) {
		return x.stream(ctx)
	}
	return nil
}

// streamed reports whether an event has other recipients than those that it names.
func streamed(ev *pgfanout.EventRow) bool {
	return ev.Kind == "broadcast" || ev.Recipients != nil && len(ev.Recipients.Topics) > 0
}

// accept decides the outcome as accepting does, and returns the event that would be written; nil: none would.
func (x *explaining) accept(ctx context.Context, item accept.Acceptance) (*pgaccept.AcceptedEvent, error) {
	now := x.now()
	preview, err := x.executor.Versions().Preview(ctx, x.tx, []accept.Acceptance{item}, now.Add(-x.retention))
	if err != nil {
		return nil, err
	}
	outcome, payload := preview.Decide(ctx, &item)
	x.out.Now = now.UTC()
	if outcome == (accept.Outcome{}) {
		item.Payload = payload
		ev := preview.Event(&item)
		ev.ID = id.New(now)
		x.out.Status, x.out.WorkflowID, x.out.VersionID = workflow.TriggerProcessed, &ev.WorkflowID, &ev.VersionID
		return &ev, x.asStored(ctx, &ev)
	}
	x.out.Status, x.out.Repeated = outcome.Status, outcome.Status == workflow.TriggerProcessed
	if outcome.Error != "" {
		x.out.Error = []string{outcome.Error}
	}
	return nil, outcome.Err
}

// asStored gives an event the spelling in which the database keeps numbers: templates show it, -0 as 0 above all.
func (x *explaining) asStored(ctx context.Context, ev *pgaccept.AcceptedEvent) error {
	texts := []*string{&ev.Payload, &ev.Overrides, &ev.Recipients, &ev.Actor}
	var objects []*map[string]any
	if ev.Tenant != nil && ev.Tenant.Data != nil {
		tenant := *ev.Tenant
		ev.Tenant, objects = &tenant, append(objects, &tenant.Data)
	}
	ev.Contexts = slices.Clone(ev.Contexts)
	for i := range ev.Contexts {
		objects = append(objects, &ev.Contexts[i].Data)
	}
	written := make([]string, len(objects))
	for i, object := range objects {
		written[i] = string(state.AsJSON(*object))
		texts = append(texts, &written[i])
	}
	texts = slices.DeleteFunc(texts, func(text *string) bool { return jsonnum.IsPlain([]byte(*text)) })
	if err := pgaccept.AsStored(ctx, x.tx, texts); err != nil {
		return err //nolint:wrapcheck // says what it did
	}
	for i, object := range objects {
		*object = nil // the map is the caller's
		if err := jsonnum.Unmarshal([]byte(written[i]), object); err != nil {
			return fmt.Errorf("read the data of a tenant or context: %w", err)
		}
	}
	return nil
}

// open reads the event's surroundings, with what the event itself would change of them.
func (x *explaining) open(ctx context.Context, ev *pgfanout.EventRow, a *pgaccept.AcceptedEvent) error {
	if a.Tenant != nil {
		tenantID, err := pgfanout.FindTenant(ctx, x.tx, ev.EnvironmentID, a.Tenant.Identifier)
		if err != nil {
			return err
		}
		ev.TenantID = tenantID
	}
	identifier, err := pgfanout.WorkflowIdentifier(ctx, x.tx, ev.EnvironmentID, ev.WorkflowID)
	if err != nil {
		return err
	}
	ev.Workflow = identifier
	x.trial, err = x.executor.NewTrial(ctx, x.tx, ev, a)
	if err != nil {
		return err //nolint:wrapcheck // says what it did
	}
	x.event, x.out.Now = x.trial.Event(), x.trial.Now()
	return nil
}
