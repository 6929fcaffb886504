package pgaudience

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/preference"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/viewer"
)

var (
	storedWishes   = `SELECT ` + postgres.Selected("p", preference.Columns) + ` FROM preferences p WHERE p.environment_id = $1 AND p.subscriber_id = $2 AND p.scope = $3`
	chosenDefaults = readDefaults + ` AND w.id = ANY (` + workflowNames + `)`
)

// FindForPreferences reads, in one round trip, the living subscriber of an external id, which is nil when there is none,
// and living workflows by their record ids and identifiers.
func FindForPreferences(ctx context.Context, db *postgres.DB, scope viewer.Scope, subscriberID string, workflows WorkflowChoice) (owner *ent.Subscriber, defaults []*WorkflowDefaults, err error) {
	batch := &pgx.Batch{}
	batch.Queue(pgsubscriber.LivingSubscriber, scope.EnvironmentID, subscriberID).Query(postgres.One(&owner))
	batch.Queue(chosenDefaults, scope.EnvironmentID, workflows.IDs, workflows.Identifiers).Query(func(rows pgx.Rows) (err error) {
		defaults, err = pgx.CollectRows(rows, scanDefaults)
		return err
	})
	if err := db.Sender(ctx).SendBatch(ctx, batch).Close(); err != nil {
		return nil, nil, fmt.Errorf("read what preferences are about: %w", err)
	}
	return owner, defaults, nil
}

// Store stores wishes of distinct workflows and the contexts that are not known yet, and answers all that the owner wishes
// then, in one round trip.
func (o PreferenceOwner) Store(ctx context.Context, db *postgres.DB, in PreferenceWrites) (stored []*ent.Preference, err error) {
	err = db.Batch(ctx, func(b *postgres.Batch) error {
		batch := &pgx.Batch{}
		queueKnownContexts(batch, o.Scope, in.Contexts)
		batch.Queue(lockPreferences, lockKey("preferences", o.EnvironmentID, o.SubscriberID, o.ScopeKey))
		o.queueWrites(batch, in.Wishes)
		batch.Queue(storedWishes, o.EnvironmentID, o.SubscriberID, o.ScopeKey).Query(postgres.Into(&stored))
		return b.End(ctx, batch)
	})
	if err != nil {
		return nil, fmt.Errorf("write preferences: %w", err)
	}
	return stored, nil
}

func scanDefaults(row pgx.CollectableRow) (*WorkflowDefaults, error) {
	d := &WorkflowDefaults{}
	return d, row.Scan(&d.ID, &d.Identifier, &d.Name, &d.Critical, &d.CreatedAt, &d.UpdatedAt, &d.Severity, &d.Tags, &d.Data, &d.Author,
		&d.StepTypes)
}
