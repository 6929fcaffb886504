package run

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/carillon/carillon/internal/engine/retry"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// trialSuppressions are the suppressions that a trial has asked about.
type trialSuppressions struct {
	asked map[pgmessage.Address]bool
	found map[pgmessage.Address]workflow.SuppressionReason
}

// attempts decides of the messages that a run has made whether a provider is called for them. A message for which none is keeps its
// decision, with the reason, and is not sent.
func (t *Trial) attempts(ctx context.Context, r *run, out *TrialRun, from int) error {
	for i := from; i < len(out.Decisions); i++ {
		d := &out.Decisions[i]
		if d.Message == nil || d.Channel == workflow.ChannelInApp {
			continue
		}
		failure, err := t.refusal(ctx, r, d.Message)
		if err != nil {
			return err
		}
		if failure == nil {
			out.attempted = state.AddNew(out.attempted, d.Step.StepID)
			continue
		}
		out.refused = state.AddNew(out.refused, d.Step.StepID)
		d.Reason = t.executor.Backoff.Decide(retry.Trial{Channel: d.Channel}, failure).Reason
		d.Detail, d.Message = failure.Text, nil
	}
	return nil
}

// refusal is why no provider is called for a message; nil when one is, for the addresses with which the message is left.
func (t *Trial) refusal(ctx context.Context, r *run, m *pgmessage.MessageRow) (*provider.Error, error) {
	if (retry.Trial{Now: r.event.now, Deadline: m.DeadlineAt}).Late() {
		return retry.Expired(), nil
	}
	var env state.Envelope
	if err := json.Unmarshal(m.Envelope, &env); err != nil {
		return nil, fmt.Errorf("read the envelope of a message: %w", err) // of our own making
	}
	to := env.Suppressible(m.Channel)
	if err := t.loadSuppressions(ctx, m, to); err != nil {
		return nil, err
	}
	left, why := env.Unsuppressed(m.EnvironmentID, m.Channel, t.suppressions.found)
	switch {
	case why == "":
	case len(left) == 0:
		return retry.Suppressed(why), nil
	case m.Channel == workflow.ChannelEmail:
		env.To = left
		m.Envelope = state.AsJSON(env)
	}
	return nil, nil
}

// loadSuppressions asks about the addresses of a message, unless that was done, and with the first ones about those of all subscribers whose
// runs are taken to their end together.
func (t *Trial) loadSuppressions(ctx context.Context, m *pgmessage.MessageRow, to []string) error {
	var asked []pgmessage.Address
	ask := func(a pgmessage.Address) {
		if a.Address != "" && !t.suppressions.asked[a] {
			t.suppressions.asked[a] = true
			asked = append(asked, a)
		}
	}
	for _, address := range to {
		ask(state.AddressOf(m.EnvironmentID, m.Channel, address))
	}
	if len(asked) == 0 {
		return nil
	}
	for _, r := range t.runs {
		if p := r.subscriber.Email; p != nil {
			ask(state.AddressOf(m.EnvironmentID, workflow.ChannelEmail, *p))
		}
		if p := r.subscriber.Phone; p != nil {
			ask(state.AddressOf(m.EnvironmentID, workflow.ChannelSMS, workflow.PlainPhone(*p)))
		}
	}
	found, err := pgmessage.LoadSuppressed(ctx, t.tx, asked)
	maps.Copy(t.suppressions.found, found)
	return err
}
