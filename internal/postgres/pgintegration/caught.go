package pgintegration

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// CaughtMessage is what a demo sender would have sent.
type CaughtMessage struct {
	ID         id.ID
	MessageID  id.ID // of the stored message
	ProviderID string
	Channel    workflow.Channel
	Recipient  string
	Subject    string
	Body, HTML string
	Details    map[string]any
}

// Catch keeps a message for the environment of the message it was rendered from. A second call for the same message and
// recipient keeps nothing more, so that a repeated attempt shows once. In a scope it touches no other environment; there a
// test message, which is stored nowhere, is kept too.
func Catch(ctx context.Context, db *postgres.DB, scope viewer.Scope, m CaughtMessage) error {
	details, err := json.Marshal(m.Details)
	if err != nil {
		return fmt.Errorf("catch message %s: %w", m.MessageID, err)
	}
	tag, err := db.Pool.Exec(ctx, `
		INSERT INTO caught_messages (id, created_at, updated_at, environment_id, provider_id, channel, message_id, recipient,
			subject, body, html, details)
		SELECT $1, now(), now(), m.environment_id, $2, $3, m.id, $4, $5, $6, $7, $8
		FROM (
			SELECT id, environment_id FROM messages WHERE id = $9 AND ($10 = '' OR environment_id = $10)
			UNION ALL
			SELECT $9::text, $10::text WHERE $10 <> '' AND NOT EXISTS (SELECT FROM messages WHERE id = $9)
		) AS m
		ON CONFLICT (environment_id, message_id, recipient) DO NOTHING`,
		m.ID, m.ProviderID, m.Channel, m.Recipient, m.Subject, m.Body, m.HTML, details, m.MessageID, scope.EnvironmentID)
	if err != nil {
		return postgres.Translate(fmt.Errorf("catch message %s: %w", m.MessageID, err))
	}
	if tag.RowsAffected() > 0 {
		return nil
	}
	return caughtBefore(ctx, db, scope, m)
}

// caughtBefore distinguishes a repeated attempt from a message that does not exist.
func caughtBefore(ctx context.Context, db *postgres.DB, scope viewer.Scope, m CaughtMessage) error {
	var known bool
	err := db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM caught_messages WHERE message_id = $1 AND recipient = $2
	AND ($3 = '' OR environment_id = $3))`, m.MessageID, m.Recipient, scope.EnvironmentID).Scan(&known)
	if err == nil && !known {
		err = errors.New("there is no such message")
	}
	if err != nil {
		return postgres.Translate(fmt.Errorf("catch message %s: %w", m.MessageID, err))
	}
	return nil
}
