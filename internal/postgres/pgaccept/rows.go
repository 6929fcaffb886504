package pgaccept

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/workflow"
)

// when says for which events what they bring along is stored.
type when bool

const (
	ifClaimed when = false // for those that hold the claim of their transactionId
	always    when = true
)

// queueTenants writes the tenants given as objects, one statement each and in the order of the events of a tenant, so
// that later ones overlay earlier ones. They are rare; the statements share the batch's round trip.
func queueTenants(batch *pgx.Batch, events []AcceptedEvent, now time.Time, stores when) {
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
		claimed := e.TransactionID
		if stores == always {
			claimed = ""
		}
		batch.Queue(writeTenant, id.New(now), now, e.EnvironmentID, e.Tenant.Identifier, e.Tenant.Name, e.TenantData, claimed, e.ID)
	}
}

// contextUse is a context that an event names.
type contextUse struct {
	id    string // of the record, when it is made
	key   EnvKey
	ref   workflow.ContextRef
	data  *string
	event *AcceptedEvent
}

// writeContexts acts only for the events that hold their claim, unless all are written for sure (@2).
var writeContexts = bulk.New(`INSERT INTO contexts (id, created_at, updated_at, environment_id, type, identifier, data)
SELECT u.id, @1::timestamptz, @1, u.environment_id, u.type, u.identifier, u.data::jsonb FROM {rows}
WHERE @2::bool OR (SELECT c.event_id FROM transaction_claims c
	WHERE c.environment_id = u.environment_id AND c.transaction_id = u.transaction_id) = u.event_id
ON CONFLICT (environment_id, type, identifier) DO NOTHING`, bulk.Columns[contextUse]{
	bulk.Field("id", func(c *contextUse) *string { return &c.id }),
	bulk.Field("environment_id", func(c *contextUse) *string { return &c.key.EnvironmentID }),
	bulk.Field("type", func(c *contextUse) *string { return &c.ref.Type }),
	bulk.Field("identifier", func(c *contextUse) *string { return &c.ref.ID }),
	bulk.Field("data", func(c *contextUse) **string { return &c.data }),
	bulk.Field("transaction_id", func(c *contextUse) *string { return &c.event.TransactionID }),
	bulk.Field("event_id", func(c *contextUse) *string { return &c.event.ID }),
})

// queueContexts writes the contexts that are not known yet, sorted by their key.
func queueContexts(batch *pgx.Batch, events []AcceptedEvent, now time.Time, stores when) {
	var uses []contextUse
	for i, e := range events {
		for k, ref := range e.Contexts {
			next := contextUse{key: EnvKey{e.EnvironmentID, ref.Key()}, ref: ref, event: &events[i]}
			if len(e.ContextData) > 0 {
				next.data = e.ContextData[k]
			}
			uses = append(uses, next)
		}
	}
	if len(uses) == 0 {
		return
	}
	slices.SortFunc(uses, func(a, b contextUse) int { return cmp.Or(a.key.Compare(b.key), cmp.Compare(a.event.ID, b.event.ID)) })
	for i, made := range id.Batch(now, len(uses)) {
		uses[i].id = made
	}
	writeContexts.Queue(batch, uses, now, bool(stores))
}

// moveLastTriggered takes its locks in sorted order, because several processes move the same workflows.
var moveLastTriggered = bulk.New(`WITH latest AS (
	SELECT w.id, u.at FROM {rows} JOIN workflows w ON w.environment_id = u.environment_id AND w.id = u.id
		AND (w.last_triggered_at IS NULL OR w.last_triggered_at < u.at)
	ORDER BY w.id FOR NO KEY UPDATE OF w)
UPDATE workflows w SET last_triggered_at = latest.at FROM latest WHERE w.id = latest.id`, bulk.Columns[triggered]{
	bulk.Field("environment_id", func(t *triggered) *string { return &t.workflow.EnvironmentID }),
	bulk.Field("id", func(t *triggered) *string { return &t.workflow.Key }),
	bulk.Field("at", func(t *triggered) *time.Time { return &t.at }),
})

type triggered struct {
	workflow EnvKey
	at       time.Time
}

// MoveLastTriggered sets when workflows, by environment and id, were last triggered; it never goes back.
func MoveLastTriggered(ctx context.Context, db *postgres.DB, latest map[EnvKey]time.Time) error {
	list := make([]triggered, 0, len(latest))
	for key, at := range latest {
		list = append(list, triggered{key, at})
	}
	if _, err := db.Pool.Exec(ctx, moveLastTriggered.Text, moveLastTriggered.Args(list)...); err != nil {
		return postgres.Translate(fmt.Errorf("move lastTriggeredAt: %w", err))
	}
	return nil
}

// AsStored replaces texts of JSON by what jsonb gives back of them: a zero without its sign, numbers without exponents.
func AsStored(ctx context.Context, q postgres.Querier, texts []*string) error {
	if len(texts) == 0 {
		return nil
	}
	given := make([]string, len(texts))
	for i, text := range texts {
		given[i] = *text
	}
	rows, err := q.Query(ctx, `SELECT t::jsonb::text FROM unnest($1::text[]) WITH ORDINALITY u(t, n) ORDER BY n`, given)
	stored, err := postgres.Collect(rows, err, "read JSON as it would be stored", pgx.RowTo[string])
	for i, text := range stored {
		*texts[i] = text
	}
	return err
}
