package pgmessage

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/workflow"
)

// Address is one address of an environment's channel, in the form of workflow.SuppressedAddress.
type Address struct {
	EnvironmentID string
	Channel       workflow.Channel
	Address       string
}

var loadSuppressed = bulk.New(`SELECT s.environment_id, s.channel, s.address, s.reason FROM {rows}
JOIN suppressions s ON s.environment_id = u.environment_id AND s.channel = u.channel AND s.address = u.address`, bulk.Columns[Address]{
	bulk.Field("environment_id", func(a *Address) *string { return &a.EnvironmentID }),
	bulk.Text("channel", func(a *Address) *workflow.Channel { return &a.Channel }),
	bulk.Field("address", func(a *Address) *string { return &a.Address }),
})

// LoadSuppressed returns to which of the addresses nothing is to be sent, and why.
func LoadSuppressed(ctx context.Context, q postgres.Querier, addresses []Address) (suppressed map[Address]workflow.SuppressionReason, err error) {
	b := &pgx.Batch{}
	loadSuppressed.Queue(b, addresses).Query(func(rows pgx.Rows) error {
		suppressed = map[Address]workflow.SuppressionReason{}
		var a Address
		var reason workflow.SuppressionReason
		_, err := pgx.ForEachRow(rows, []any{&a.EnvironmentID, &a.Channel, &a.Address, &reason}, func() error {
			suppressed[a] = reason
			return nil
		})
		return err
	})
	if err := q.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("load suppressed addresses: %w", err)
	}
	return suppressed, nil
}

// MessageAddress is an address to which a message goes.
type MessageAddress struct {
	MessageID string
	Address
}

var leaveSuppressed = bulk.New(`WITH suppressed AS (SELECT DISTINCT u.environment_id, u.message_id FROM {rows} CROSS JOIN LATERAL (SELECT FROM suppressions s
	WHERE s.environment_id = u.environment_id AND s.channel = u.channel AND s.address = u.address OFFSET 0) s),
undone AS (DELETE FROM attempts a USING suppressed x WHERE a.environment_id = x.environment_id AND a.message_id = x.message_id)
UPDATE messages m SET attempts = 0, leased_until = NULL FROM suppressed x WHERE m.environment_id = x.environment_id AND m.id = x.message_id
RETURNING m.id`, bulk.Columns[MessageAddress]{
	bulk.Field("environment_id", func(a *MessageAddress) *string { return &a.EnvironmentID }),
	bulk.Text("channel", func(a *MessageAddress) *workflow.Channel { return &a.Channel }),
	bulk.Field("address", func(a *MessageAddress) *string { return &a.Address.Address }),
	bulk.Field("message_id", func(a *MessageAddress) *string { return &a.MessageID }),
})

// LeaveSuppressed queues that those of new messages that have a suppressed address are left to a claim, which deals with it: the intents
// of their first attempts, which the transaction has inserted, are deleted. left is given the ids of these messages.
func LeaveSuppressed(b *pgx.Batch, addresses []MessageAddress, left func(messageIDs []string)) {
	if len(addresses) == 0 {
		return
	}
	leaveSuppressed.Queue(b, addresses).Query(func(rows pgx.Rows) error {
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		left(ids)
		return err
	})
}
