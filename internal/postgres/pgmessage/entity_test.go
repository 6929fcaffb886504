package pgmessage_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestEntity: a message that is pushed from memory is the one that is read afterwards, full or empty.
func TestEntity(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	now := time.Now()
	empty := pgmessage.MessageRow{
		ID: "0000000000000000000000a1", EnvironmentID: s.Here.Scope.EnvironmentID, CreatedAt: now, ContextKeys: []string{}, NotificationID: "n1",
		EventID: "e", TransactionID: "t", WorkflowID: "w", WorkflowIdentifier: "wi", StepID: "s", SubscriberID: "u", Channel: workflow.ChannelInApp,
		Target: "in_app", Status: workflow.MessageSent, Severity: workflow.SeverityNone, Lane: "normal", Sequence: 7,
	}
	full := empty
	full.ID, full.NotificationID, full.ContextKeys, full.Scope = "0000000000000000000000a2", "n2", []string{"a:b"}, "a:b"
	full.IntegrationID, full.ProviderID, full.FeedID, full.Severity, full.Lane = "i", "p", "f", workflow.SeverityHigh, "urgent"
	full.DeliveredAt, full.Content = json.RawMessage(`["2026-01-01T00:00:00.000Z"]`), json.RawMessage(`{"text":"é \" 1"}`)
	full.CTA, full.Data = json.RawMessage(`{"type":"redirect","data":{"url":"https://a.example"}}`), json.RawMessage(`{"b":1.50,"a":[1e2,null,"x"]}`)
	full.Subject, full.Title, full.Avatar, full.Email = new("s"), new("t"), new("a"), new("e@a.example")
	full.Phone, full.DirectWebhookURL, full.DeviceTokens, full.Tags = new("+49"), new("https://h.example"), []string{"d"}, []string{"x", "y"}
	full.Envelope, full.DueAt, full.DeadlineAt = json.RawMessage(`{"to":["e@a.example"]}`), new(now.Truncate(time.Microsecond)), new(now.Truncate(time.Microsecond))
	rows := []pgmessage.MessageRow{empty, full}
	s.InTx(func(tx pgx.Tx) {
		q := &pgx.Batch{}
		pgmessage.InsertMessages(q, rows, time.Minute)
		require.NoError(t, tx.SendBatch(s.Ctx, q).Close())
	})
	var stored []*ent.Message
	found, err := s.DB.Pool.Query(s.Ctx, `SELECT `+postgres.Selected("m", message.Columns)+` FROM messages m WHERE subscriber_id = 'u' ORDER BY id`)
	require.NoError(t, err)
	require.NoError(t, postgres.Into(&stored)(found))
	require.Len(t, stored, len(rows))
	for i := range rows {
		made, err := rows[i].Entity()
		require.NoError(t, err)
		want, err := json.Marshal(stored[i])
		require.NoError(t, err)
		have, err := json.Marshal(made)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(have))
		require.Equal(t, stored[i].Envelope, made.Envelope)
		require.Equal(t, stored[i].DirectWebhookURL, made.DirectWebhookURL)
	}
	rows[0].Data = json.RawMessage(`{`)
	_, err = rows[0].Entity()
	require.ErrorContains(t, err, "read a message")
}
