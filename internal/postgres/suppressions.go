package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/workflow"
)

// Address is one address of an environment's channel, in the form of workflow.SuppressedAddress.
type Address struct {
	EnvironmentID string
	Channel       workflow.Channel
	Address       string
}

// LoadSuppressed tells to which of the addresses nothing is to be sent, and why.
func LoadSuppressed(ctx context.Context, q Querier, addresses []Address) (map[Address]workflow.SuppressionReason, error) {
	var c columns
	column(&c, addresses, func(a *Address) string { return a.EnvironmentID })
	column(&c, addresses, func(a *Address) string { return string(a.Channel) })
	column(&c, addresses, func(a *Address) string { return a.Address })
	rows, err := q.Query(ctx, `SELECT s.environment_id, s.channel, s.address, s.reason
FROM unnest($1::text[], $2::text[], $3::text[]) AS u (env, channel, address)
JOIN suppressions s ON s.environment_id = u.env AND s.channel = u.channel AND s.address = u.address`, c.args...)
	if err != nil {
		return nil, fmt.Errorf("load suppressed addresses: %w", err)
	}
	suppressed := map[Address]workflow.SuppressionReason{}
	var a Address
	var reason workflow.SuppressionReason
	_, err = pgx.ForEachRow(rows, []any{&a.EnvironmentID, &a.Channel, &a.Address, &reason}, func() error {
		suppressed[a] = reason
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load suppressed addresses: %w", err)
	}
	return suppressed, nil
}
