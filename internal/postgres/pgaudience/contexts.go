package pgaudience

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// knownContext is a context that may have to be made.
type knownContext struct {
	id string // of the record
	workflow.ContextRef
}

var ensureContexts = bulk.Insert("contexts", bulk.Columns[knownContext]{
	bulk.Field("id", func(c *knownContext) *string { return &c.id }),
	bulk.Field("type", func(c *knownContext) *string { return &c.Type }),
	bulk.Field("identifier", func(c *knownContext) *string { return &c.ID }),
	bulk.JSON("data", func(c *knownContext) *map[string]any { return &c.Data }),
}).Set("environment_id", "@1").Set("created_at", "now()").Set("updated_at", "now()").
	OnConflict("(environment_id, type, identifier) DO NOTHING")

// EnsureContexts makes the contexts that are not known yet. Known ones keep the data of their first use.
func EnsureContexts(ctx context.Context, tx pgx.Tx, scope viewer.Scope, refs []workflow.ContextRef) error {
	batch := &pgx.Batch{}
	if queueKnownContexts(batch, scope, refs); batch.Len() == 0 {
		return nil
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("store contexts: %w", err)
	}
	return nil
}

// queueKnownContexts is EnsureContexts with whatever else batch holds.
func queueKnownContexts(batch *pgx.Batch, scope viewer.Scope, refs []workflow.ContextRef) {
	if len(refs) == 0 {
		return
	}
	contexts := make([]knownContext, len(refs))
	for i, made := range id.Batch(time.Now(), len(refs)) {
		contexts[i] = knownContext{made, refs[i]}
	}
	slices.SortFunc(contexts, func(a, b knownContext) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID))
	})
	ensureContexts.Queue(batch, contexts, scope.EnvironmentID)
}
