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
	QueueSuppressed(b, addresses, func(found map[Address]workflow.SuppressionReason) { suppressed = found })
	if err := q.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("load suppressed addresses: %w", err)
	}
	return suppressed, nil
}

// QueueSuppressed is LoadSuppressed in a batch of other reads; found is given the answer.
func QueueSuppressed(b *pgx.Batch, addresses []Address, found func(map[Address]workflow.SuppressionReason)) {
	loadSuppressed.Queue(b, addresses).Query(func(rows pgx.Rows) error {
		suppressed := map[Address]workflow.SuppressionReason{}
		var a Address
		var reason workflow.SuppressionReason
		_, err := pgx.ForEachRow(rows, []any{&a.EnvironmentID, &a.Channel, &a.Address, &reason}, func() error {
			suppressed[a] = reason
			return nil
		})
		if err == nil {
			found(suppressed)
		}
		return err
	})
}
