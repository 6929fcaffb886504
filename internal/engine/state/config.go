package state

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/queue"
	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgschedule"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Clock returns an environment's time, which everything that waits obeys. Leases, ids and retention use real time.
type Clock interface {
	Now(environmentID string) time.Time
}

// RealClock is the clock of environments whose time is not set by hand.
type RealClock struct{}

// Now is the real time.
func (RealClock) Now(string) time.Time { return time.Now() }

// Meter counts what the engine did. *telemetry.Metrics is one.
type Meter interface {
	Notifications(status string, n int)
	Messages(channel, status string, n int)
	// FailedSteps are steps of runs that failed before there was a message.
	FailedSteps(reason string, n int)
	// Attempt is one call to a provider; class is the class of its failure, "" for none.
	Attempt(provider, outcome, class string, took time.Duration)
	Breaker(provider, state string)
	// TakenUp is what a look at due rows, or a worker of this process's own, took up.
	TakenUp(kind string, n int)
	// Delivered is a message that its provider or inbox took, with the time since its event was accepted or its last chosen
	// wait ended.
	Delivered(lane, channel string, took time.Duration)
	// Commit is one that several pieces of work shared.
	Commit(writer string, size int, took time.Duration)
	// Webhook is an attempt of an outgoing webhook's delivery.
	Webhook(outcome string, took time.Duration)
}

// NoMeter counts nothing.
type NoMeter struct{}

// Notifications does nothing.
func (NoMeter) Notifications(string, int) {}

// Messages does nothing.
func (NoMeter) Messages(string, string, int) {}

// FailedSteps does nothing.
func (NoMeter) FailedSteps(string, int) {}

// Attempt does nothing.
func (NoMeter) Attempt(string, string, string, time.Duration) {}

// Breaker does nothing.
func (NoMeter) Breaker(string, string) {}

// TakenUp does nothing.
func (NoMeter) TakenUp(string, int) {}

// Delivered does nothing.
func (NoMeter) Delivered(string, string, time.Duration) {}

// Commit does nothing.
func (NoMeter) Commit(string, int, time.Duration) {}

// Webhook does nothing.
func (NoMeter) Webhook(string, time.Duration) {}

// InboxChange is a new in-app message, published after its commit.
type InboxChange struct {
	Scope        viewer.Scope
	SubscriberID string // internal id
	ContextKeys  []string
	MessageID    string
	Sequence     int64
	New          *pgmessage.MessageRow // the message, if it is new
	Inbox        *ent.InboxState       // after the commit, in which nothing else of the inbox changed; nil: unknown
}

// TraceChange is a notification whose trace grew, published after its commit.
type TraceChange struct{ EnvironmentID, NotificationID string }

// Replies is how mails that answer ours find their way back (semantics.md §2.12).
type Replies struct {
	Address func(messageID string) string // of the mail's Reply-To
}

// ScheduleRun is a run of a schedule whose time has come.
type ScheduleRun struct {
	viewer.Scope
	ScheduleID string
	At         time.Time
	// Zones are the time zones of the recipients whom it is for, "" for those who have none; nil: it is for all.
	Zones []string
}

// Config is what an Engine works with.
type Config struct {
	DB        *postgres.DB
	Queue     *queue.Queue // what this process has committed and is to work on
	Render    *render.Engine
	Providers *provider.Registry
	Deps      provider.Deps // handed to adapters
	Logger    *slog.Logger
	Secrets   *secret.Keeper // seals and opens webhook URLs of subscribers
	// Credentials decrypts an integration's credentials, with the variables that they name.
	Credentials func(context.Context, pgrun.IntegrationRow) (provider.Credentials, error)
	// Receipts is the public address at which an integration receives reports; "" when it has none. nil: none has.
	Receipts func(pgrun.IntegrationRow) (string, error)
	// Token decrypts the access token of a channel connection.
	Token func(pgmessage.ConnectionRow) (string, error)
	// CallbackKey signs the requests of an environment's custom steps and replies; nil: they carry no signature.
	CallbackKey func(environmentID string) string
	// OptOut is the address by which the reader of a mail leaves its workflow; nil: mails carry none.
	OptOut func(workflow.OptOut) string
	// Replies lets mails be answered; nil: they are not received.
	Replies *Replies
	// RunSchedule triggers what a schedule triggers. A repeated call for the same run has no effect; an error leaves the run due.
	// nil: schedules do not run.
	RunSchedule func(context.Context, ScheduleRun) (pgschedule.Result, error)

	Clock                  Clock                                // default: real time
	ClockGuard             *postgres.ClockGuard                 // while it says that the clocks differ, nothing that is due is taken up or deleted; default: of this machine's
	Meter                  Meter                                // default: none
	Live                   func(context.Context, []InboxChange) // is given new in-app messages after their commit; default: none
	Traced                 func([]TraceChange)                  // is given traces that grew, after their commit; default: none
	Backpressure           func() bool                          // whether requests wait to be accepted, which go first; default: never
	Tracer                 trace.Tracer                         // default: the global provider's
	Jitter                 func() float64                       // in [0, 1); default: random
	Breaker                pgmessage.BreakerPolicy              // zero fields: the defaults
	Backoff                retry.Backoff                        // zero fields: the defaults of DefaultBackoff
	Retention              pgupkeep.Retention                   // zero: nothing is deleted
	PageSize               int                                  // subscribers that a streamed fan-out writes at once; default 1,000
	SmallEvent             int                                  // recipients of an event that may be planned before it is stored; default 20
	PlanTime               time.Duration                        // what of a set of events is not planned by then is fanned out later; default 100 ms
	ConcurrentAttempts     int                                  // attempts at once; default 256
	AttemptsPerIntegration int                                  // of them through one integration; default 64
	Recheck                time.Duration                        // an attempt that has waited for its turn for so long is not made of a cancelled message; default 1 s
	MaxDelay               time.Duration                        // how far ahead a delay may reach; default 366 days
	WakeInterval           time.Duration                        // default 250 ms
	Lease                  time.Duration                        // how long a dead worker's messages stay with it; default 10 s
}

// DefaultMaxDelay is how far ahead a delay may reach unless the operator says otherwise.
const DefaultMaxDelay = 366 * 24 * time.Hour

// HTTPSteps is how many requests of custom steps are under way at once; an environment alone has half of that.
func (c *Config) HTTPSteps() int { return 2 * c.ConcurrentAttempts }

// Check returns an error when a required field is missing.
func (c *Config) Check() error {
	switch {
	case c.DB == nil, c.Queue == nil, c.Render == nil, c.Providers == nil, c.Logger == nil, c.Secrets == nil, c.Credentials == nil, c.Token == nil:
		return fmt.Errorf("engine: database, queue, renderer, providers, logger, secrets, credentials and token are required")
	}
	return nil
}

func (c *Config) setDefaults() {
	c.Clock = cmp.Or[Clock](c.Clock, RealClock{})
	if c.ClockGuard == nil {
		c.ClockGuard = postgres.NewClockGuard(c.DB, c.Logger, postgres.SystemClock())
	}
	if c.DB.VirtualClocks {
		c.WakeInterval = cmp.Or(c.WakeInterval, virtualWakeInterval)
	}
	c.Meter = cmp.Or[Meter](c.Meter, NoMeter{})
	if c.Live == nil {
		c.Live = func(context.Context, []InboxChange) {}
	}
	if c.Traced == nil {
		c.Traced = func([]TraceChange) {}
	}
	if c.Backpressure == nil {
		c.Backpressure = func() bool { return false }
	}
	if c.Tracer == nil {
		c.Tracer = otel.Tracer("github.com/carillon/carillon/internal/engine")
	}
	if c.Jitter == nil {
		c.Jitter = retry.RandomJitter
	}
	c.Backoff.SetDefaults()
	c.Breaker.Failures = cmp.Or(c.Breaker.Failures, 10)
	c.Breaker.Pause = cmp.Or(c.Breaker.Pause, 30*time.Second)
	c.Breaker.Longest = cmp.Or(c.Breaker.Longest, 10*time.Minute)
	c.PageSize = cmp.Or(c.PageSize, 1000)
	c.SmallEvent = cmp.Or(c.SmallEvent, 20)
	c.PlanTime = cmp.Or(c.PlanTime, 100*time.Millisecond)
	c.ConcurrentAttempts = cmp.Or(c.ConcurrentAttempts, 256)
	c.AttemptsPerIntegration = cmp.Or(c.AttemptsPerIntegration, 64)
	c.Recheck = cmp.Or(c.Recheck, time.Second)
	c.MaxDelay = cmp.Or(c.MaxDelay, DefaultMaxDelay)
	c.WakeInterval = cmp.Or(c.WakeInterval, 250*time.Millisecond)
	c.Lease = cmp.Or(c.Lease, 10*time.Second)
}
