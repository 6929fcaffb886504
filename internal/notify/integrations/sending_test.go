package integrations_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestSendingIsChecked: rates and simulations out of their bounds are refused by name, at making and at changing.
func TestSendingIsChecked(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Identifier: new("relay"), Credentials: notifytest.SMTP(nil)})
	for name, c := range map[string]struct {
		rate       *float64
		simulation *workflow.Simulation
		want       []string
	}{
		"NoRate":         {new(0.0), nil, []string{"rateLimit"}},
		"SlowestRate":    {new(0.001), nil, nil},
		"FastestRate":    {new(100_000.0), nil, nil},
		"TooFast":        {new(100_000.5), nil, []string{"rateLimit"}},
		"AllShares":      {nil, &workflow.Simulation{RejectRate: 0.5, TransientRate: 0.25, HangRate: 0.25}, nil},
		"TooManyShares":  {nil, &workflow.Simulation{RejectRate: 0.5, TransientRate: 0.5, HangRate: 0.1}, []string{"simulation"}},
		"NegativeShare":  {nil, &workflow.Simulation{RejectRate: -0.1, TransientRate: 0.2}, []string{"simulation.rejectRate"}},
		"LargeShare":     {nil, &workflow.Simulation{HangRate: 2}, []string{"simulation", "simulation.hangRate"}},
		"NegativeTime":   {nil, &workflow.Simulation{LatencyMs: -1, JitterMs: 600_001}, []string{"simulation.jitterMs", "simulation.latencyMs"}},
		"LongestTime":    {nil, &workflow.Simulation{LatencyMs: 600_000, ReceiptDelayMs: 600_000, RetryAfterSeconds: 600_000}, nil},
		"RetryAfter":     {nil, &workflow.Simulation{RetryAfterSeconds: 600_001, ReceiptDelayMs: -1}, []string{"simulation.receiptDelayMs", "simulation.retryAfterSeconds"}},
		"NegativeRate":   {nil, &workflow.Simulation{RatePerSecond: -1}, []string{"simulation.ratePerSecond"}},
		"MostReceipts":   {nil, &workflow.Simulation{Receipts: make([]workflow.ReceiptKind, 20)}, nil},
		"TooManyReceipt": {nil, &workflow.Simulation{Receipts: make([]workflow.ReceiptKind, 21)}, []string{"simulation.receipts"}},
	} {
		_, err := a.Integrations.Create(a.Ctx, integrations.CreateIntegrationInput{
			ProviderID: "nodemailer", Credentials: notifytest.SMTP(nil), RateLimit: c.rate, Simulation: c.simulation,
		})
		if c.want == nil {
			require.NoError(t, err, name)
			continue
		}
		paths := notifytest.Paths(t, err)
		slices.Sort(paths)
		require.Equal(t, c.want, paths, name)
	}
	require.Nil(t, made.RateLimit)
	require.Nil(t, made.Simulation)
}

// A simulation in production would say of messages that they were sent.
func TestNoSimulationInProduction(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	a.DB.Ent.Environment.UpdateOneID(a.Env).SetType(environment.TypeProduction).ExecX(viewer.SystemContext(t.Context()))
	in := integrations.CreateIntegrationInput{ProviderID: "nodemailer", Credentials: notifytest.SMTP(nil), Simulation: &workflow.Simulation{}}
	require.Equal(t, []string{"simulation"}, notifytest.Paths(t, notifytest.Err(a.Integrations.Create(a.Ctx, in))))
	in.Simulation, in.RateLimit = nil, new(5.0)
	require.NoError(t, notifytest.Err(a.Integrations.Create(a.Ctx, in)))
}

// TestTestMessages: an address is checked before anything is sent, what is left out has a text, and the audit says what came.
func TestTestMessages(t *testing.T) {
	t.Parallel()
	var sent []usecase.IntegrationTest
	var fails error
	a := notifytest.NewAudience(t, func(cfg *usecase.Config) {
		cfg.TestSend = func(_ context.Context, test usecase.IntegrationTest) (*ent.Attempt, error) {
			sent = append(sent, test)
			return &ent.Attempt{Outcome: workflow.AttemptAccepted}, fails
		}
	})
	create := func(providerID string, credentials map[string]any) string {
		made, err := a.Integrations.Create(a.Ctx, integrations.CreateIntegrationInput{ProviderID: providerID, Credentials: credentials})
		require.NoError(t, err)
		return made.ID
	}
	mail := create("nodemailer", notifytest.SMTP(nil))
	chat := create("chat-webhook", nil)
	text := func() string {
		found, err := a.Integrations.ByIdentifier(a.Ctx, "svc-sms")
		require.NoError(t, err)
		return found.ID
	}()
	inbox, err := a.Integrations.ByIdentifier(a.Ctx, "svc")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		in   integrations.TestIntegrationInput
		want string
	}{
		"NoMail":   {integrations.TestIntegrationInput{ID: mail, To: "ann"}, "to"},
		"NoPhone":  {integrations.TestIntegrationInput{ID: text, To: "0151"}, "to"},
		"NoTarget": {integrations.TestIntegrationInput{ID: chat}, "to"},
		"Inbox":    {integrations.TestIntegrationInput{ID: inbox.ID, To: "ann"}, "id"},
	} {
		_, err := a.Integrations.Test(a.Ctx, c.in)
		require.Equal(t, []string{c.want}, notifytest.Paths(t, err), name)
	}
	require.Empty(t, sent)

	made, err := a.Integrations.Test(a.Ctx, integrations.TestIntegrationInput{ID: mail, To: "ann@example.com"})
	require.NoError(t, err)
	require.Equal(t, workflow.AttemptAccepted, made.Outcome)
	_, err = a.Integrations.Test(a.Ctx, integrations.TestIntegrationInput{ID: chat, To: "https://chat.example/x", Subject: new(""), Body: new("Hi")})
	require.NoError(t, err)
	require.Len(t, sent, 2)
	require.Equal(t, []string{mail, "ann@example.com", "Test message"}, []string{sent[0].Integration.ID, sent[0].To, sent[0].Subject})
	require.NotEmpty(t, sent[0].Body)
	require.Equal(t, []string{"", "Hi"}, []string{sent[1].Subject, sent[1].Body}, "an empty subject is one")
	entries, err := a.Audit.List(a.Ctx, usecase.Page{}, nil, nil, false)
	require.NoError(t, err)
	tests := 0
	for _, entry := range entries.Nodes() {
		if entry.Action == "test" {
			tests++
		}
	}
	require.Equal(t, 2, tests)

	fails = errors.New("the engine stops")
	_, err = a.Integrations.Test(a.Ctx, integrations.TestIntegrationInput{ID: mail, To: "ann@example.com"})
	require.ErrorIs(t, err, fails)
	_, err = a.Integrations.Delete(a.Ctx, mail)
	require.NoError(t, err)
	_, err = a.Integrations.Test(a.Ctx, integrations.TestIntegrationInput{ID: mail, To: "ann@example.com"})
	notifytest.RequireKind(t, fault.NotFound, err)
}

// TestResetBreaker: whoever mended a provider need not wait for the probe.
func TestResetBreaker(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Identifier: new("relay"), Credentials: notifytest.SMTP(nil)})
	a.DB.Ent.Integration.UpdateOneID(made.ID).SetBreaker(workflow.BreakerOpen).SetBreakerFailures(5).SetBreakerCause("refused").SetBreakerOpenedAt(made.CreatedAt).
		SetBreakerProbeAt(made.CreatedAt).ExecX(a.Ctx)
	reset, err := a.Integrations.ResetBreaker(a.Ctx, made.GlobalID())
	require.NoError(t, err)
	for _, got := range []*ent.Integration{reset, a.Integration(t, "relay")} {
		require.Equal(t, workflow.BreakerClosed, got.Breaker)
		require.Zero(t, got.BreakerFailures)
		require.Empty(t, got.BreakerCause)
		require.Nil(t, got.BreakerOpenedAt)
		require.Nil(t, got.BreakerProbeAt)
	}
	_, err = a.Integrations.ResetBreaker(a.Ctx, "000000000000000000000000")
	notifytest.RequireKind(t, fault.NotFound, err)
}
