package pgaudience

import (
	"context"
	"fmt"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// DetachEndpointsFromConnection clears the copies that channel endpoints keep of a deleted channel connection, so that
// lists show and find them no more (decisions.md §5). The endpoints themselves have not changed, so updated_at stays.
func DetachEndpointsFromConnection(ctx context.Context, tx *postgres.Tx, scope viewer.Scope, connectionID id.ID) error {
	_, err := tx.Pgx.Exec(ctx, `
		UPDATE channel_endpoints SET connection_id = NULL, connection_identifier = NULL
		WHERE environment_id = $1 AND connection_id = $2`, scope.EnvironmentID, connectionID)
	if err != nil {
		return fmt.Errorf("detach channel endpoints from connection %s: %w", connectionID, err)
	}
	return nil
}
