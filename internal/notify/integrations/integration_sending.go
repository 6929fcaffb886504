package integrations

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// checkSending checks how an integration is to be called.
func checkSending(ctx context.Context, db *ent.Client, rate *float64, s *workflow.Simulation) error {
	problems := fault.Problems{}
	if rate != nil && (*rate < 0.001 || *rate > 100_000) {
		problems.Add("rateLimit", *rate, "must be 0.001 to 100000 calls per second")
	}
	if s != nil {
		for name, share := range map[string]float64{
			"simulation.rejectRate": s.RejectRate, "simulation.transientRate": s.TransientRate, "simulation.hangRate": s.HangRate,
			"simulation": s.RejectRate + s.TransientRate + s.HangRate,
		} {
			if share < 0 || share > 1 {
				problems.Add(name, share, "must be 0 to 1, all shares together")
			}
		}
		for name, ms := range map[string]int{
			"simulation.latencyMs": s.LatencyMs, "simulation.jitterMs": s.JitterMs, "simulation.receiptDelayMs": s.ReceiptDelayMs,
			"simulation.retryAfterSeconds": s.RetryAfterSeconds,
		} {
			if ms < 0 || ms > 600_000 {
				problems.Add(name, ms, "must be 0 to 600000")
			}
		}
		if s.RatePerSecond < 0 {
			problems.Add("simulation.ratePerSecond", s.RatePerSecond, "must not be negative")
		}
		if len(s.Receipts) > 20 {
			problems.Add("simulation.receipts", nil, "must not be more than 20")
		}
		v, _ := viewer.FromContext(ctx)
		production, err := db.Environment.Query().Where(environment.ID(v.EnvironmentID), environment.TypeEQ(environment.TypeProduction)).Exist(ctx)
		if err != nil {
			return err
		}
		if production {
			problems.Add("simulation", nil, "is not for production environments")
		}
	}
	return problems.Err()
}

// ResetBreaker has an integration called again.
func (i *Integrations) ResetBreaker(ctx context.Context, globalID string) (*ent.Integration, error) {
	return usecase.Write(ctx, i.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (*ent.Integration, error) {
		found, err := i.lock(ctx, db, globalID)
		if err != nil {
			return nil, err
		}
		reset, err := closed(found.Update()).Save(ctx)
		if err != nil {
			return nil, err
		}
		return reset, usecase.Audit(ctx, db, "reset_breaker", reset, nil)
	})
}

func closed(change *ent.IntegrationUpdateOne) *ent.IntegrationUpdateOne {
	return change.SetBreaker(workflow.BreakerClosed).SetBreakerFailures(0).ClearBreakerCause().ClearBreakerOpenedAt().ClearBreakerProbeAt()
}

// TestIntegrationInput describes a test message.
type TestIntegrationInput struct {
	ID      string
	To      string // address, number, token or URL, by the channel
	Subject *string
	Body    *string
}

// testBody is long enough for the provider that wants the longest messages.
const testBody = "This is a test message. When you can read it, the integration works and messages sent through it arrive."

// Test sends a message through an integration, as any message is sent, once. The attempt belongs to no message, so it
// is not kept.
func (i *Integrations) Test(ctx context.Context, in TestIntegrationInput) (*ent.Attempt, error) {
	if _, err := usecase.Require(ctx, usecase.WriteIntegrations); err != nil {
		return nil, err
	}
	found, err := i.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if found.Deleted || i.test == nil {
		return nil, fault.NotFoundf("Integration %s was not found.", in.ID)
	}
	problems := fault.Problems{}
	switch {
	case found.Channel == workflow.ChannelInApp:
		problems.Add("id", in.ID, "the inbox needs no test")
	case found.Channel == workflow.ChannelEmail && !workflow.ValidEmail(in.To):
		problems.Add("to", in.To, "is not an e-mail address")
	case found.Channel == workflow.ChannelSMS && !workflow.ValidPhone(in.To):
		problems.Add("to", in.To, "is not a phone number such as +15550101234")
	case in.To == "":
		problems.Add("to", "", "is required")
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	t := usecase.IntegrationTest{Integration: found, To: in.To, Subject: "Test message", Body: testBody}
	if in.Subject != nil {
		t.Subject = *in.Subject
	}
	if in.Body != nil {
		t.Body = *in.Body
	}
	attempt, err := i.test(ctx, t)
	if err != nil {
		return nil, err
	}
	_, err = usecase.Write(ctx, i.Deps, usecase.WriteIntegrations, func(ctx context.Context, db *ent.Client) (bool, error) {
		return true, usecase.Audit(ctx, db, "test", found, map[string]any{"outcome": attempt.Outcome})
	})
	return attempt, err
}
