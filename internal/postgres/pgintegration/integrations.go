// Package pgintegration deletes integrations with what depends on them, and stores the messages that the catcher
// received.
package pgintegration

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
)

// DeletedIntegration is an integration to delete.
type DeletedIntegration struct {
	// Audit records who deletes it; its RecordID is the integration's.
	Audit postgres.AuditEntry
	By    *string // user; nil: none
	At    time.Time
	// Promote are the channels whose primary is followed by another integration.
	Promote []string
}

var (
	// lockIntegrations lets changes of one channel's integrations follow each other. It is a statement of its own, so that what comes
	// after it sees what it waited for.
	lockIntegrations = `SELECT FROM integrations WHERE environment_id = $1 AND NOT deleted AND channel =
		(SELECT channel FROM integrations WHERE id = $2 AND environment_id = $1 AND NOT deleted) ORDER BY id FOR UPDATE`
	// deleteIntegration promotes the youngest that is left, and clears the copies that channel endpoints keep, so that lists
	// show and find them no more (decisions.md §5, §6).
	deleteIntegration = `WITH found AS MATERIALIZED (SELECT id, channel, "primary" FROM integrations WHERE id = $2 AND environment_id = $1 AND NOT deleted),
	gone AS (UPDATE integrations i SET deleted = true, deleted_at = $3, deleted_by = $4, active = false, "primary" = false, updated_at = $5
		FROM found WHERE i.id = found.id RETURNING i.id, i.channel, i.identifier, found."primary"),
	promoted AS (UPDATE integrations i SET "primary" = true, updated_at = $5 FROM gone WHERE gone."primary" AND gone.channel = ANY ($6::text[]) AND i.id =
		(SELECT n.id FROM integrations n WHERE n.environment_id = $1 AND n.channel = gone.channel AND n.active AND NOT n.deleted AND n.id <> gone.id
			ORDER BY n.id DESC LIMIT 1)),
	detached AS (UPDATE channel_endpoints e SET channel = NULL, provider_id = NULL, integration_identifier = NULL
		FROM gone WHERE e.environment_id = $1 AND e.integration_id = gone.id)
	INSERT INTO audit_entries (id, created_at, updated_at, environment_id, actor_type, actor_id, action, record_type, record_id, changes, organization_id, actor_name, address)
	SELECT $7, $5, $5, $1, $8, $9, $10, $11, gone.id, jsonb_build_object('identifier', gone.identifier), $12, $13, $14 FROM gone`
	livingIntegrations = `SELECT ` + postgres.Selected("i", integration.Columns) + ` FROM integrations i WHERE environment_id = $1 AND NOT deleted ORDER BY id`
)

// DeleteIntegration removes an integration for good and answers all that remain, oldest first; found is false when there
// is none to remove.
func DeleteIntegration(ctx context.Context, db *postgres.DB, d DeletedIntegration) (rest []*ent.Integration, found bool, err error) {
	a := d.Audit
	err = db.Batch(ctx, func(b *postgres.Batch) error {
		batch := &pgx.Batch{}
		batch.Queue(lockIntegrations, a.EnvironmentID, a.RecordID)
		batch.Queue(deleteIntegration, a.EnvironmentID, a.RecordID, d.At, d.By, a.At, d.Promote, id.New(a.At),
			a.ActorType, a.ActorID, a.Action, a.RecordType, a.OrganizationID, a.ActorName, a.Address).Exec(func(tag pgconn.CommandTag) error {
			found = tag.RowsAffected() == 1
			return nil
		})
		batch.Queue(livingIntegrations, a.EnvironmentID).Query(postgres.Into(&rest))
		return b.End(ctx, batch)
	})
	return rest, found, postgres.Translate(err)
}

// GoneIntegrations returns those of the ids whose integration was deleted. Cost: one query by primary key.
func GoneIntegrations(ctx context.Context, db *postgres.DB, ids []string) ([]string, error) {
	rows, err := db.Pool.Query(ctx, `SELECT given.id FROM unnest($1::text[]) AS given (id)
		WHERE NOT EXISTS (SELECT FROM integrations i WHERE i.id = given.id AND NOT i.deleted)`, ids)
	return postgres.Collect(rows, err, "look for deleted integrations", pgx.RowTo[string])
}
