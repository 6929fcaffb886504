package deliver

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// noon is the time of every environment in these tests.
var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

type clock time.Time

func (c clock) Now(string) time.Time { return time.Time(c) }

// vendor is an adapter that answers as it is told.
type vendor func(*provider.Message) (*provider.Receipt, error)

func (v vendor) Send(_ context.Context, m *provider.Message) (*provider.Receipt, error) { return v(m) }

// newWorker returns a worker whose retries wait half of their bound.
func newWorker(t *testing.T, changes ...func(*state.Config)) *Worker {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	cfg := state.Config{
		DB: &postgres.DB{}, Logger: slog.New(slog.DiscardHandler), Clock: clock(noon), Jitter: func() float64 { return 0.5 }, Secrets: keeper,
		Backoff: retry.Backoff{Base: 4 * time.Second, Attempts: 3},
		Token:   func(pgmessage.ConnectionRow) (string, error) { return "token", nil },
	}
	for _, change := range changes {
		change(&cfg)
	}
	s := state.New(cfg)
	return NewWorker(s, run.NewExecutor(s))
}

// integration is one with a closed breaker.
func integration(id string, changes ...func(*pgrun.IntegrationRow)) pgrun.IntegrationRow {
	row := pgrun.IntegrationRow{
		Integration:   plan.Integration{ID: id, Identifier: "named-" + id, ProviderID: "vendor-" + id, Channel: workflow.ChannelSMS},
		EnvironmentID: "env", Breaker: workflow.BreakerClosed,
	}
	for _, change := range changes {
		change(&row)
	}
	return row
}

// open makes an integration one with an open breaker.
func open(row *pgrun.IntegrationRow) { row.Breaker = workflow.BreakerOpen }

// onDelivery makes the delivery of a text message through the first of the integrations, its first attempt, with the others
// to fail over to.
func onDelivery(published *workflow.Definition, integrations ...pgrun.IntegrationRow) *Delivery {
	env := &pgrun.EnvironmentRow{ID: "env", Configuration: pgrun.Configuration{Integrations: integrations}}
	d := &Delivery{
		ClaimedMessage: pgmessage.ClaimedMessage{
			ID: "message", EnvironmentID: "env", NotificationID: "run", StepID: "step", SubscriberID: "subscriber", Channel: workflow.ChannelSMS,
			Lane: "normal", CreatedAt: noon.Add(-time.Minute), Status: workflow.MessagePending,
			IntegrationID: integrations[0].ID, ProviderID: integrations[0].ProviderID,
		},
		event: run.NewEventContext(env, published), now: noon, adapter: &openAdapter{}, integration: &env.Integrations[0],
		subscriber: &run.Recipient{SubscriberRow: pgsubscriber.SubscriberRow{ID: "subscriber", SubscriberID: "ann"}},
		attempt:    &pgmessage.AttemptRow{ID: "attempt", EnvironmentID: "env", MessageID: "message", Number: 1, IntegrationID: integrations[0].ID},
	}
	d.envelope.Phone = "+4930123456"
	for _, other := range integrations[1:] {
		d.envelope.Alternatives = append(d.envelope.Alternatives, other.ID)
	}
	return d
}

// traced are the reasons on an outcome's trace.
func traced(o *pgmessage.MessageOutcome) (reasons []workflow.Reason) {
	for _, t := range o.Trace {
		reasons = append(reasons, t.Reason)
	}
	return reasons
}
