package pgmessage

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
)

// Entity is the message as it is read after it has been inserted, unless its first attempt began with it.
func (m *MessageRow) Entity() (*ent.Message, error) {
	at := m.CreatedAt.Truncate(time.Microsecond) // which is what Postgres keeps
	entity := &ent.Message{
		ID: m.ID, CreatedAt: at, UpdatedAt: at, ArrivedAt: at, EnvironmentID: m.EnvironmentID, ContextKeys: m.ContextKeys,
		Scope: m.Scope, NotificationID: m.NotificationID, EventID: m.EventID, TransactionID: m.TransactionID,
		WorkflowID: m.WorkflowID, WorkflowIdentifier: m.WorkflowIdentifier, StepID: m.StepID, SubscriberID: m.SubscriberID,
		Channel: m.Channel, Target: m.Target, IntegrationID: unlessEmpty(m.IntegrationID), ProviderID: unlessEmpty(m.ProviderID),
		Status: m.Status, Subject: m.Subject, Title: m.Title, Avatar: m.Avatar, Email: m.Email, Phone: m.Phone,
		DirectWebhookURL: m.DirectWebhookURL, DeviceTokens: m.DeviceTokens, FeedID: unlessEmpty(m.FeedID), Severity: m.Severity,
		Tags: m.Tags, DueAt: m.DueAt, DeadlineAt: m.DeadlineAt, Lane: message.Lane(m.Lane), Sequence: m.Sequence, Attempts: m.Attempts,
	}
	for _, field := range []struct {
		text json.RawMessage
		into any
	}{
		{m.DeliveredAt, &entity.DeliveredAt}, {m.Content, &entity.Content}, {m.CTA, &entity.Cta}, {m.Data, &entity.Data}, {m.Envelope, &entity.Envelope},
	} {
		if len(field.text) == 0 {
			continue
		}
		if err := json.Unmarshal(field.text, field.into); err != nil {
			return nil, fmt.Errorf("read a message: %w", err)
		}
	}
	return entity, nil
}

func unlessEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
