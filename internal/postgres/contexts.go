package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

const ensureContexts = `
INSERT INTO contexts (id, created_at, updated_at, environment_id, type, identifier, data)
SELECT id, now(), now(), $1, type, identifier, data::jsonb
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS c (id, type, identifier, data)
ON CONFLICT (environment_id, type, identifier) DO NOTHING`

// EnsureContexts makes the contexts that are not known yet. Known ones keep the data of their first use.
func EnsureContexts(ctx context.Context, tx pgx.Tx, scope viewer.Scope, refs []workflow.ContextRef) error {
	batch := &pgx.Batch{}
	if err := queueKnownContexts(batch, scope, refs); err != nil || batch.Len() == 0 {
		return err
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("store contexts: %w", err)
	}
	return nil
}

// queueKnownContexts is EnsureContexts with whatever else batch holds.
func queueKnownContexts(batch *pgx.Batch, scope viewer.Scope, refs []workflow.ContextRef) error {
	if len(refs) == 0 {
		return nil
	}
	refs = slices.Clone(refs)
	slices.SortFunc(refs, func(a, b workflow.ContextRef) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID))
	})
	types, identifiers, data := make([]string, len(refs)), make([]string, len(refs)), make([]*string, len(refs))
	for i, ref := range refs {
		types[i], identifiers[i] = ref.Type, ref.ID
		if ref.Data == nil {
			continue
		}
		raw, err := json.Marshal(ref.Data)
		if err != nil {
			return fmt.Errorf("store contexts: %w", err)
		}
		text := string(raw)
		data[i] = &text
	}
	batch.Queue(ensureContexts, scope.EnvironmentID, id.Batch(time.Now(), len(refs)), types, identifiers, data)
	return nil
}
