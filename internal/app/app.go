// Package app owns the wiring: it builds every part, starts them, and stops them in reverse order. It alone knows
// everything; it holds no rules.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/inboxclient"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/telemetry"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// App is every part of one process.
type App struct {
	cfg     *config.Config
	log     *slog.Logger
	version string
	metrics *telemetry.Metrics

	db       *database
	egress   *egress.Client
	services *notify.Services
	auth     *auth.Authenticator
	acceptor *accept.Acceptor
	engine   *engine.Engine
	working  bool
	tracing  func(context.Context) error
	intake   *intake.Meter
	figures  *figures
	clock    *postgres.ClockGuard
	draining atomic.Bool                         // it was asked to end
	writable postgres.Gather[struct{}, struct{}] // asks the database whether it takes writes
	live     live
	seats    *admission.Seats  // of live connections
	outside  *admission.Gate   // of vendors and readers of mails
	allowed  map[string]string // the only GraphQL operations for programs, by their hash; nil: all

	refusedReceipts fault.Repeats
}

// open builds every part on an open database. Nothing runs yet. makes lets an empty database become an installation; without it
// open fails with ErrNotInstalled there.
func open(ctx context.Context, cfg *config.Config, log *slog.Logger, version string, share, makes bool) (app *App, err error) {
	a := &App{cfg: cfg, log: log, version: version, metrics: telemetry.NewMetrics(version)}
	a.intake = intake.New(intake.Config{Memory: int64(cfg.BodyMemory) << 20, Wait: cfg.RequestTime, Rate: int64(cfg.RequestRate) << 10})
	a.seats, a.outside = admission.NewSeats(cfg.LiveConnections), newInboundGate()
	a.writable.Ask = a.askWritable
	if a.db, err = openDatabase(ctx, cfg, share, log); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.db.close())
		}
	}()
	if err := a.db.prepareSchema(ctx, cfg, log); err != nil {
		return nil, err
	}
	if !share { // a process that takes up due rows
		if err := requireClock(ctx, a.db.DB, time.Now, log); err != nil {
			return nil, err
		}
	}
	a.clock = postgres.NewClockGuard(a.db.DB, log, postgres.SystemClock())
	return a, a.build(ctx, makes)
}

func (a *App) build(ctx context.Context, makes bool) error {
	keeper, err := openSecrets(ctx, a.cfg, a.db.DB, makes)
	if err != nil {
		return err
	}
	registry, err := vendors.Registry()
	if err != nil {
		return err
	}
	if a.egress, err = newEgress(a.cfg, a.log); err != nil {
		return err
	}
	if a.cfg.PersistedQueries != "" {
		own, err := inboxclient.Operations()
		if err != nil {
			return err
		}
		if a.allowed, err = document.ReadAllowed(a.cfg.PersistedQueries, own); err != nil {
			return err
		}
	}
	if a.tracing, err = telemetry.StartTracing(ctx, a.cfg.OTLPEndpoint, a.version, a.log); err != nil {
		return err
	}
	handOver := queue.New()
	a.acceptor = accept.NewAcceptor(accept.Config{
		DB: a.db.DB, Queue: handOver, Now: time.Now, Logger: a.log, Retention: a.cfg.TransactionRetention, Observe: a.metrics.Commit,
	})
	a.figures = newFigures(a.db.DB, a.seats, handOver, a.acceptor.Stalled, a.condition)
	if err := a.metrics.Register(a.figures); err != nil {
		return err
	}
	explainer := explain.New(explain.Config{
		DB: a.db.DB, Now: time.Now, Logger: a.log, Secrets: keeper, Providers: registry, Retention: a.cfg.TransactionRetention, MaxDelay: a.cfg.MaxDelay,
	})
	if err := a.openLive(); err != nil {
		return err
	}
	a.auth = auth.New(auth.Config{DB: a.db.DB, Now: time.Now, Logger: a.log, Secrets: keeper, Cell: auth.Cell(a.cfg.Cell), RefuseUnknown: a.cfg.UnknownSubscribers == "refuse"})
	templates := render.New(render.DefaultLimits())
	quota := access.NewDemoQuota(a.db.DB, time.Now, map[string]int{"svc-email": a.cfg.DemoEmailQuota, "svc-sms": a.cfg.DemoSMSQuota})
	deps := providerDeps(a.cfg, a.egress, integrations.NewCatcher(a.db.DB, time.Now), quota, a.version, a.log)
	mail, err := letterSender(a.cfg, registry, deps)
	if err != nil {
		return err
	}
	a.services = notify.New(usecase.Config{
		DB: a.db.DB, Now: time.Now, Logger: a.log, Accept: a.acceptor, Explain: explainer, TestSend: a.testSend, Count: a.metrics.Triggers, CountRuns: a.metrics.Notifications, CountReceipt: a.metrics.Receipt, Live: a.live.hub,
		Mail: mail, Passwords: auth.NewPasswords(a.metrics.Password),
		Secrets: keeper, Cell: auth.Cell(a.cfg.Cell), RefuseUnknown: a.cfg.UnknownSubscribers == "refuse", Providers: registry, ProviderDeps: &deps, Prefix: a.cfg.ValuePrefix, PublicURL: a.cfg.PublicURL, InboundDomain: a.cfg.InboundDomain,
		Workflows: workflowSettings(a.cfg, templates),
	})
	var optOut func(workflow.OptOut) string
	if a.cfg.PublicURL != "" {
		optOut = a.services.Unsubscribes.Link
	}
	var replies *state.Replies
	if a.cfg.InboundDomain != "" {
		replies = &state.Replies{Address: a.services.Replies.Address}
	}
	a.engine, err = engine.New(engine.Config{
		DB: a.db.DB, ClockGuard: a.clock, Queue: handOver, Render: templates, Providers: registry, Deps: deps, Logger: a.log, Secrets: keeper, Meter: a.metrics,
		Credentials: func(ctx context.Context, row pgrun.IntegrationRow) (provider.Credentials, error) {
			return a.services.Integrations.UsableCredentials(ctx, &ent.Integration{ID: row.ID, EnvironmentID: row.EnvironmentID, Credentials: row.Credentials})
		},
		Token: func(row pgmessage.ConnectionRow) (string, error) {
			return a.services.ConnectedWorkspaces.OpenToken(&ent.ChannelConnection{ID: row.ID, EnvironmentID: row.EnvironmentID, AccessToken: row.AccessToken})
		},
		Receipts:     a.receiptsAddress,
		CallbackKey:  a.services.Replies.CallbackKey,
		OptOut:       optOut,
		RunSchedule:  a.services.Schedules.Run,
		Replies:      replies,
		Backpressure: a.acceptor.Backpressure,
		Live:         a.announce,
		Traced:       a.trace,
		Retention:    pgupkeep.Retention{Claims: a.cfg.TransactionRetention, Records: a.cfg.RecordRetention},
		MaxDelay:     a.cfg.MaxDelay,
		SmallEvent:   a.cfg.SmallEvent,
	})
	if err != nil {
		return err
	}
	if a.cfg.SmallEvent > 0 {
		a.acceptor.PlanWith(a.engine.Planner())
	}
	return nil
}

// receiptsAddress is where a provider may send its reports on an integration's messages; "" when it cannot reach us.
func (a *App) receiptsAddress(row pgrun.IntegrationRow) (string, error) {
	if a.cfg.PublicURL == "" {
		return "", nil
	}
	path, err := a.services.Integrations.ReceiptsPath(&ent.Integration{ID: row.ID, ProviderID: row.ProviderID, Configurations: row.Configurations})
	if err != nil || path == "" {
		return "", err
	}
	return strings.TrimSuffix(a.cfg.PublicURL, "/") + path, nil
}

// close ends what build made, also when ctx has ended already.
func (a *App) close(ctx context.Context) error {
	a.egress.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	a.services.Close(ctx)
	if a.live.nats != nil {
		a.live.nats.Close()
	}
	return errors.Join(a.tracing(ctx), a.db.close())
}

// startWork sets the engine to work.
func (a *App) startWork(ctx context.Context) error {
	a.working = true
	a.startLive(ctx)
	return a.engine.Start(ctx)
}

// interruptedTime is the part of the drain time that is left for recording deliveries that were cut off.
const interruptedTime = 4 * time.Second

// stopWork lets deliveries under way finish until shortly before ctx ends, and then cuts them off: another process, or the
// next start, takes them up.
func (a *App) stopWork(ctx context.Context) error {
	if !a.working {
		return nil
	}
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		sooner, cancel := context.WithTimeout(ctx, left-min(interruptedTime, left/2))
		defer cancel()
		ctx = sooner
	}
	err := a.engine.Stop(ctx)
	if ctx.Err() != nil {
		a.log.WarnContext(ctx, "deliveries under way were cut off")
	}
	a.stopLive() // last: what was delivered meanwhile is published
	return err
}

// Administer runs fn with the use cases as the owner of the organization, beside a running service or without one. It fails
// with ErrNotInstalled when there is no organization.
func Administer(ctx context.Context, cfg *config.Config, log *slog.Logger, fn func(context.Context, *notify.Services) error) (err error) {
	a, err := open(ctx, cfg, log, "", true, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close(ctx)) }()
	organization, err := a.db.Ent.Organization.Query().First(viewer.SystemContext(ctx))
	if ent.IsNotFound(err) {
		return ErrNotInstalled
	}
	if err != nil {
		return fmt.Errorf("find the organization: %w", err)
	}
	return fn(viewer.InScope(ctx, viewer.Scope{OrganizationID: organization.ID}), a.services)
}
