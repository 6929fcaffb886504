package pgwebhook

import (
	"context"
	"fmt"

	"github.com/carillon/carillon/internal/postgres"
)

// DisableTriggers disables the triggers that report rows of the hot path, if no endpoint is active. The database enables them in the
// transaction that makes an endpoint active (webhook_enable_triggers, in the migrations).
func DisableTriggers(ctx context.Context, db *postgres.DB) error {
	_, err := db.Pool.Exec(ctx, `SELECT webhook_switch_triggers(false) WHERE EXISTS (SELECT FROM webhook_hot_triggers() WHERE enabled)
	AND NOT EXISTS (SELECT FROM webhook_endpoints WHERE active)`)
	if err != nil {
		return fmt.Errorf("disable the triggers of webhooks: %w", err)
	}
	return nil
}
