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
	"github.com/carillon/carillon/internal/workflow"
)

// eventColumns turns events into the arrays that writeEvents takes, in the order of its parameters.
func eventColumns(events []AcceptedEvent) [16][]string {
	var columns [16][]string
	for i := range columns {
		columns[i] = make([]string, len(events))
	}
	for i, e := range events {
		tenant := ""
		if e.Tenant != nil {
			tenant = e.Tenant.Identifier
		}
		contexts := workflow.ContextSetOf(e.Contexts)
		for c, value := range [16]string{
			e.ID, e.EnvironmentID, e.TransactionID, e.WorkflowID, e.VersionID, e.Kind, e.Lane, e.Payload, e.Overrides,
			e.Recipients, e.Actor, tenant, keysJSON(contexts), contexts.Scope(), e.RequestID, e.TraceParent,
		} {
			columns[c][i] = value
		}
	}
	return columns
}

func keysJSON(contexts workflow.ContextSet) string {
	if len(contexts) == 0 {
		return "[]"
	}
	raw, _ := json.Marshal(contexts) // strings always marshal
	return string(raw)
}

// queueTenants writes the tenants given as objects, one statement each and in the order of the events of a tenant, so
// that later ones overlay earlier ones. They are rare; the statements share the batch's round trip.
func queueTenants(batch *pgx.Batch, events []AcceptedEvent, now time.Time) {
	var given []AcceptedEvent
	for _, e := range events {
		if e.Tenant != nil && e.Tenant.Inline {
			given = append(given, e)
		}
	}
	slices.SortFunc(given, func(a, b AcceptedEvent) int {
		return cmp.Or(EnvKey{a.EnvironmentID, a.Tenant.Identifier}.Compare(EnvKey{b.EnvironmentID, b.Tenant.Identifier}),
			cmp.Compare(a.ID, b.ID))
	})
	for _, e := range given {
		batch.Queue(writeTenant, id.New(now), now, e.EnvironmentID, e.Tenant.Identifier, e.Tenant.Name.Ptr(), e.TenantData,
			e.TransactionID, e.ID, e.Tenant.Name.Set, e.Tenant.Data.Set)
	}
}

// queueContexts writes the contexts that are not known yet, sorted by their key.
func queueContexts(batch *pgx.Batch, events []AcceptedEvent, now time.Time) {
	type row struct {
		key   EnvKey
		ref   workflow.ContextRef
		data  *string
		event *AcceptedEvent
	}
	var rows []row
	for i, e := range events {
		for k, ref := range e.Contexts {
			next := row{key: EnvKey{e.EnvironmentID, ref.Key()}, ref: ref, event: &events[i]}
			if len(e.ContextData) > 0 {
				next.data = e.ContextData[k]
			}
			rows = append(rows, next)
		}
	}
	if len(rows) == 0 {
		return
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(a.key.Compare(b.key), cmp.Compare(a.event.ID, b.event.ID)) })
	var columns [5][]string
	data := make([]*string, len(rows))
	for i, r := range rows {
		for c, value := range [5]string{r.key.EnvironmentID, r.ref.Type, r.ref.ID, r.event.TransactionID, r.event.ID} {
			columns[c] = append(columns[c], value)
		}
		data[i] = r.data
	}
	batch.Queue(writeContexts, id.Batch(now, len(rows)), columns[0], columns[1], columns[2], data, columns[3], columns[4], now)
}

// moveLastTriggered takes its locks in sorted order, because several processes move the same workflows.
const moveLastTriggered = `WITH latest AS (
		SELECT w.id, q.at FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS q(environment_id, id, at)
		JOIN workflows w ON w.environment_id = q.environment_id AND w.id = q.id
			AND (w.last_triggered_at IS NULL OR w.last_triggered_at < q.at)
		ORDER BY w.id FOR NO KEY UPDATE OF w)
	UPDATE workflows w SET last_triggered_at = latest.at FROM latest WHERE w.id = latest.id`

// MoveLastTriggered sets when workflows, by environment and id, were last triggered; it never goes back.
func (db *DB) MoveLastTriggered(ctx context.Context, latest map[EnvKey]time.Time) error {
	envs, ids, at := make([]string, 0, len(latest)), make([]string, 0, len(latest)), make([]time.Time, 0, len(latest))
	for key, t := range latest {
		envs, ids, at = append(envs, key.EnvironmentID), append(ids, key.Key), append(at, t)
	}
	if _, err := db.Pool.Exec(ctx, moveLastTriggered, envs, ids, at); err != nil {
		return Translate(fmt.Errorf("move lastTriggeredAt: %w", err))
	}
	return nil
}
