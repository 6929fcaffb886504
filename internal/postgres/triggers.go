package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrTriggers says that triggers of the schema do not fire, by which processes notice changes of the configuration, of workflows and of
// API keys (architecture.md §3).
var ErrTriggers = errors.New("the database does not run the triggers by which changes are noticed, such as a revoked API key")

// disabledTriggers are those by which environments get a new version. Those of webhooks are disabled while there is no endpoint.
const disabledTriggers = `SELECT current_setting('session_replication_role'), array(
	SELECT t.tgrelid::regclass::text || '.' || t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
	WHERE pg_table_is_visible(c.oid) AND NOT t.tgisinternal AND t.tgenabled NOT IN ('O', 'A')
		AND t.tgname IN ('configuration_changed', 'configuration_edited', 'environment_changed', 'organization_changed') ORDER BY 1)`

// RequireTriggers returns an ErrTriggers that names the cure when the triggers of the schema do not fire in the sessions of this process.
func (db *DB) RequireTriggers(ctx context.Context) error {
	var role string
	var disabled []string
	if err := db.Pool.QueryRow(ctx, disabledTriggers).Scan(&role, &disabled); err != nil {
		return Translate(fmt.Errorf("look at the triggers: %w", err))
	}
	switch {
	case role == "replica":
		return fmt.Errorf("%w: session_replication_role is replica; set it to origin for the database or the role", ErrTriggers)
	case len(disabled) > 0:
		return fmt.Errorf("%w: %s; enable them with ALTER TABLE … ENABLE TRIGGER …", ErrTriggers, strings.Join(disabled, ", "))
	}
	return nil
}
