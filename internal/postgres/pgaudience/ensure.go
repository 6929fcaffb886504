package pgaudience

import (
	"context"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// The functions below make an empty record of a natural key unless there is one, so that callers can lock and change it
// without a race. They run in the transaction of ctx; what they make belongs to the given environment.

const (
	ensureTenant = `INSERT INTO tenants (id, created_at, updated_at, environment_id, identifier)
VALUES ($1, now(), now(), $2, $3) ON CONFLICT (environment_id, identifier) DO NOTHING`

	ensureTenantWorkflow = `INSERT INTO tenant_workflows (id, created_at, updated_at, environment_id, tenant_id, workflow_id, preferences)
VALUES ($1, now(), now(), $2, $3, $4, '{}') ON CONFLICT (tenant_id, workflow_id) DO NOTHING`

	ensureSubscriberChannel = `INSERT INTO subscriber_channels
	(id, created_at, updated_at, environment_id, subscriber_id, provider_id, integration_identifier, credentials)
VALUES ($1, now(), now(), $2, $3, $4, $5, '{}')
ON CONFLICT (environment_id, subscriber_id, provider_id, integration_identifier) DO NOTHING`
)

// EnsureTenant makes the tenant of an identifier.
func EnsureTenant(ctx context.Context, tx *postgres.Tx, s viewer.Scope, identifier string) error {
	return ensure(ctx, tx, s, "tenant", ensureTenant, identifier)
}

// EnsureTenantWorkflow makes the override of a workflow for a tenant, both by record id.
func EnsureTenantWorkflow(ctx context.Context, tx *postgres.Tx, s viewer.Scope, tenantID, workflowID string) error {
	return ensure(ctx, tx, s, "tenant workflow", ensureTenantWorkflow, tenantID, workflowID)
}

// EnsureSubscriberChannel makes the settings of a subscriber, by record id, for a provider and an integration; an empty
// integration identifier means any.
func EnsureSubscriberChannel(ctx context.Context, tx *postgres.Tx, s viewer.Scope, subscriberID, providerID, integration string) error {
	return ensure(ctx, tx, s, "subscriber channel", ensureSubscriberChannel, subscriberID, providerID, integration)
}

func ensure(ctx context.Context, tx *postgres.Tx, s viewer.Scope, noun, insert string, key ...any) error {
	args := append([]any{id.New(time.Now()), s.EnvironmentID}, key...)
	if _, err := tx.Pgx.Exec(ctx, insert, args...); err != nil {
		return fmt.Errorf("ensure %s: %w", noun, err)
	}
	return nil
}
