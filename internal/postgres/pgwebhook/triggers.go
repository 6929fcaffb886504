package pgwebhook

import (
	"context"
	"fmt"

	"github.com/carillon/carillon/internal/fault"
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

// EnableTriggers enables the triggers that report rows of the hot path, before a long transaction, such as that of a move, makes an
// endpoint active: that would hold up all who write such rows until it ends. It returns an error of kind unavailable when others write without a pause.
func EnableTriggers(ctx context.Context, db *postgres.DB) error {
	var enabled bool
	err := db.Pool.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM webhook_hot_triggers() WHERE NOT enabled) OR webhook_switch_triggers(true)`).Scan(&enabled)
	if err != nil {
		return postgres.Translate(fmt.Errorf("enable the triggers of webhooks: %w", err))
	}
	if !enabled {
		return fault.Unavailablef(nil, "The triggers of webhooks could not be enabled, because other transactions hold their tables. Retry later.")
	}
	return nil
}
