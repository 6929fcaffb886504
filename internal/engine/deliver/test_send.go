package deliver

import (
	"context"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/engine/run"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgrun"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// TestMessage is a message that is sent by hand to see whether an integration works.
type TestMessage struct {
	Integration       pgrun.IntegrationRow
	To, Subject, Body string // To may be the URL of a chat system with the channel behind it, https://chat.example/hook#channel
}

// testTime is how long a request waits for the outcome of a test message; a mail server may take longer for a real one.
const testTime = time.Minute

// SendTest makes the one attempt of a test message as that of any message is made, and reports it to the integration's breaker.
// It belongs to no message, so nothing is stored.
func (w *Worker) SendTest(ctx context.Context, t TestMessage) (pgmessage.AttemptRow, error) {
	row := t.Integration
	address, channel, _ := strings.Cut(t.To, "#") // a server never sees what follows the mark
	env := state.Envelope{EndpointType: workflow.EndpointWebhook, Endpoint: workflow.EndpointData{URL: address, Channel: channel}}
	if workflow.ValidPhone(t.To) {
		env = state.Envelope{EndpointType: workflow.EndpointPhone, Endpoint: workflow.EndpointData{PhoneNumber: t.To}}
	}
	switch row.Channel {
	case workflow.ChannelEmail:
		env = state.Envelope{To: []string{t.To}}
	case workflow.ChannelSMS:
		env = state.Envelope{Phone: t.To}
	case workflow.ChannelPush:
		env = state.Envelope{DeviceToken: t.To}
	}
	ids := id.Batch(time.Now(), 2)
	now := w.Clocks.Now(row.EnvironmentID).UTC()
	d := &Delivery{
		ClaimedMessage: pgmessage.ClaimedMessage{
			ID: ids[0], EnvironmentID: row.EnvironmentID, CreatedAt: now, StepID: "test", WorkflowIdentifier: "test",
			Channel: row.Channel, IntegrationID: row.ID, ProviderID: row.ProviderID, Subject: &t.Subject,
			Content: &workflow.MessageContent{Text: t.Body}, Status: workflow.MessagePending,
		},
		envelope: env, integration: &row, now: now, probe: true,
		event:      run.NewEventContext(&pgrun.EnvironmentRow{ID: row.EnvironmentID, Configuration: pgrun.Configuration{Integrations: []pgrun.IntegrationRow{row}}}, nil),
		subscriber: &run.Recipient{SubscriberRow: pgsubscriber.SubscriberRow{SubscriberID: "test"}},
		attempt: &pgmessage.AttemptRow{
			ID: ids[1], EnvironmentID: row.EnvironmentID, MessageID: ids[0], Number: 1, IntegrationID: row.ID, ProviderID: row.ProviderID, CreatedAt: now,
		},
	}
	var outcome pgmessage.MessageOutcome
	var err error
	if d.adapter, err = w.adapters.get(ctx, &row); err != nil {
		outcome = w.outcomeOfAttempt(d, nil, state.AsProviderError(err))
	} else {
		attempting, cancel := context.WithTimeout(context.WithoutCancel(ctx), testTime)
		defer cancel()
		outcome = w.makeAttempt(attempting, d)
	}
	w.outcomes.recordHealth(ctx, []pgmessage.MessageOutcome{outcome})
	return *outcome.Attempt, nil
}
