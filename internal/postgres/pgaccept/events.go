// Package pgaccept writes accepted events, and keeps the idempotency keys and transaction IDs that make a repeated
// trigger harmless.
package pgaccept

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/workflow"
)

// EnvKey is a natural key inside an environment: a workflow's or tenant's identifier, a transactionId.
type EnvKey struct{ EnvironmentID, Key string }

var envKeys = bulk.Columns[EnvKey]{
	bulk.Field("environment_id", func(k *EnvKey) *string { return &k.EnvironmentID }),
	bulk.Field("key", func(k *EnvKey) *string { return &k.Key }),
}

// Compare orders keys as the database does, which is the order in which locks are taken.
func (k EnvKey) Compare(o EnvKey) int {
	switch {
	case k == o:
		return 0
	case k.EnvironmentID < o.EnvironmentID, k.EnvironmentID == o.EnvironmentID && k.Key < o.Key:
		return -1
	}
	return 1
}

// TenantUse is a trigger of a workflow on behalf of a tenant, by their identifiers.
type TenantUse struct{ EnvironmentID, Tenant, Workflow string }

// AcceptQuery asks for everything that the outcome of a set of triggers depends on.
type AcceptQuery struct {
	Workflows    []EnvKey
	Tenants      []TenantUse
	Transactions []EnvKey
	Keys         []KeyClaim // none twice; only within a transaction, which then holds those that are taken
	// UsedSince is the oldest instant at which a transactionId's use still counts.
	UsedSince time.Time
}

// WorkflowHead is the present state of a workflow; VersionID is "" when it was never published.
type WorkflowHead struct {
	ID, VersionID string
	Active        bool
	Configuration string // version of the environment's configuration when the workflow was read; it changes with the workflow
}

// AcceptFacts answer an AcceptQuery; what does not exist is not in them.
type AcceptFacts struct {
	Workflows map[EnvKey]WorkflowHead
	Tenants   map[TenantUse]bool // whether the workflow is switched on for the tenant
	Used      map[EnvKey]bool
	Keys      []KeyState // in the order of the query's
}

// Each row of these arrays is looked up by its unique key: LATERAL with OFFSET 0, and scalar subqueries, keep the planner
// from joining with a scan of the whole table, which it prefers while it believes the table small and keeps doing when it
// is not.
var (
	readHeads = bulk.New(`SELECT u.environment_id, u.key, w.id, COALESCE(w.published_version_id, ''), w.active,
	(SELECT e.configuration_version FROM environments e WHERE e.id = u.environment_id)
FROM {rows} CROSS JOIN LATERAL (SELECT * FROM workflows w
	WHERE w.environment_id = u.environment_id AND w.identifier = u.key AND NOT w.deleted OFFSET 0) w`, envKeys)
	readTenantUses = bulk.New(`SELECT u.environment_id, u.tenant, u.workflow, COALESCE(
	(SELECT tw.active FROM tenant_workflows tw WHERE tw.tenant_id = t.id AND tw.workflow_id =
		(SELECT w.id FROM workflows w WHERE w.environment_id = u.environment_id AND w.identifier = u.workflow AND NOT w.deleted)),
	true)
FROM {rows} CROSS JOIN LATERAL (SELECT t.id FROM tenants t
	WHERE t.environment_id = u.environment_id AND t.identifier = u.tenant OFFSET 0) t`, bulk.Columns[TenantUse]{
		bulk.Field("environment_id", func(t *TenantUse) *string { return &t.EnvironmentID }),
		bulk.Field("tenant", func(t *TenantUse) *string { return &t.Tenant }),
		bulk.Field("workflow", func(t *TenantUse) *string { return &t.Workflow }),
	})
	// readUsed looks for generated ids among the events as well, by the time in the ids of these (@2): they need no claim. bool_or reads
	// along the index of transactionIds; max would be read along that of ids.
	readUsed = bulk.New(`SELECT u.environment_id, u.key FROM {rows} WHERE coalesce((SELECT c.created_at >= @1 FROM transaction_claims c
	WHERE c.environment_id = u.environment_id AND c.transaction_id = u.key), starts_with(u.key, '`+workflow.GeneratedPrefix+`') AND
	(SELECT bool_or(e.id >= @2) FROM events e WHERE e.environment_id = u.environment_id AND e.transaction_id = u.key))`, envKeys)
)

// EnvironmentVersion is an environment with the version of its configuration (architecture.md §3).
type EnvironmentVersion struct{ EnvironmentID, Version string }

// Compare orders versions.
func (v EnvironmentVersion) Compare(o EnvironmentVersion) int {
	return cmp.Or(cmp.Compare(v.EnvironmentID, o.EnvironmentID), cmp.Compare(v.Version, o.Version))
}

var expectVersions = bulk.That(`EXISTS (SELECT FROM environments e WHERE e.id = u.id AND e.configuration_version = u.version)`,
	bulk.Columns[EnvironmentVersion]{
		bulk.Field("id", func(e *EnvironmentVersion) *string { return &e.EnvironmentID }),
		bulk.Field("version", func(e *EnvironmentVersion) *string { return &e.Version }),
	})

// ExpectVersions adds to a check that environments have these versions, each named once. An environment of which two are named fails.
func ExpectVersions(check *bulk.Check, versions []EnvironmentVersion) {
	expectVersions.Add(check, versions)
}

// ReadAcceptFacts reads the present state, in one round trip.
func ReadAcceptFacts(ctx context.Context, q postgres.Querier, query AcceptQuery) (AcceptFacts, error) {
	facts := AcceptFacts{Workflows: map[EnvKey]WorkflowHead{}, Tenants: map[TenantUse]bool{}, Used: map[EnvKey]bool{}}
	batch := &pgx.Batch{}
	if len(query.Keys) > 0 {
		facts.Keys = make([]KeyState, len(query.Keys))
		queueKeys(batch, query.Keys, facts.Keys)
	}
	readHeads.Queue(batch, query.Workflows).Query(func(rows pgx.Rows) error {
		var key EnvKey
		var head WorkflowHead
		_, err := pgx.ForEachRow(rows, []any{&key.EnvironmentID, &key.Key, &head.ID, &head.VersionID, &head.Active, &head.Configuration}, func() error {
			facts.Workflows[key] = head
			return nil
		})
		return err
	})
	if len(query.Transactions) > 0 {
		readUsed.Queue(batch, query.Transactions, query.UsedSince, id.Floor(query.UsedSince)).Query(func(rows pgx.Rows) error {
			var key EnvKey
			_, err := pgx.ForEachRow(rows, []any{&key.EnvironmentID, &key.Key}, func() error { facts.Used[key] = true; return nil })
			return err
		})
	}
	if len(query.Tenants) > 0 {
		queueTenantUses(batch, query.Tenants, facts.Tenants)
	}
	if err := q.SendBatch(ctx, batch).Close(); err != nil {
		return facts, postgres.Translate(fmt.Errorf("read what triggers depend on: %w", err))
	}
	return facts, nil
}

func queueTenantUses(batch *pgx.Batch, uses []TenantUse, found map[TenantUse]bool) {
	readTenantUses.Queue(batch, uses).Query(func(rows pgx.Rows) error {
		var use TenantUse
		var on bool
		_, err := pgx.ForEachRow(rows, []any{&use.EnvironmentID, &use.Tenant, &use.Workflow, &on}, func() error {
			found[use] = on
			return nil
		})
		return err
	})
}

// ReadDefinitions reads published versions by their ids; ids without a version are missing from the result.
func ReadDefinitions(ctx context.Context, q postgres.Querier, versionIDs []string) (map[string]*workflow.Definition, error) {
	rows, err := q.Query(ctx, `SELECT id, definition FROM workflow_versions WHERE id = ANY($1)`, versionIDs)
	if err != nil {
		return nil, postgres.Translate(fmt.Errorf("read workflow versions: %w", err))
	}
	found := make(map[string]*workflow.Definition, len(versionIDs))
	var id string
	var definition *workflow.Definition
	_, err = pgx.ForEachRow(rows, []any{&id, &definition}, func() error {
		found[id], definition = definition, nil
		return nil
	})
	if err != nil {
		return nil, postgres.Translate(fmt.Errorf("read workflow versions: %w", err))
	}
	return found, nil
}

// AcceptedEvent is one event to write. JSON columns hold JSON text; "" is null.
type AcceptedEvent struct {
	ID, EnvironmentID, TransactionID string
	WorkflowID, VersionID            string
	Kind, Lane                       string
	Payload                          string
	Overrides, Recipients, Actor     string
	Tenant                           *workflow.TenantInput
	TenantData                       *string // JSON
	Contexts                         []workflow.ContextRef
	ContextData                      []*string // JSON of each; none has any when it is empty
	RequestID, TraceParent           string
	PerSecond                        *int // pace of a streamed fan-out
	// Generated says that the transactionId was made for this event.
	Generated bool
	// ProfilesStored says that its transaction stores the profiles of whom it names.
	ProfilesStored bool
	// Planned is how the event was planned before it is stored; nil: it waits for its fan-out.
	Planned *PlannedEvent
}

// PlannedEvent is the state of an event that is stored with its notifications: it is fanned out already.
type PlannedEvent struct {
	At       time.Time // when it happened
	Notified int
	Trace    []workflow.TraceEntry
}

// AcceptTimes are the instants and bounds of one write of events.
type AcceptTimes struct {
	Now time.Time
	// LockWait bounds how long WriteEvents, and what follows it in the transaction, waits for a row; "": for ever.
	LockWait string
	// DueAt is when events whose job was lost are recovered.
	DueAt time.Time
	// UsedSince is the oldest instant at which a transactionId's use still counts; older claims are taken over.
	UsedSince time.Time
	// Virtual says that environments may have virtual clocks, which say when their events happened.
	Virtual bool
	// Happened is when the events happened, if not Now.
	Happened *time.Time
}

const (
	// writeTenant acts only for an event that holds its claim; $7 is "" for one that is written for sure.
	writeTenant = `INSERT INTO tenants (id, created_at, updated_at, environment_id, identifier, name, data)
		SELECT $1::text, $2::timestamptz, $2, $3::text, $4::text, $5::text, $6::jsonb
		WHERE $7 = '' OR (SELECT event_id FROM transaction_claims WHERE environment_id = $3 AND transaction_id = $7) = $8
		ON CONFLICT (environment_id, identifier) DO UPDATE SET
			name = coalesce(excluded.name, tenants.name),
			data = coalesce(excluded.data, tenants.data),
			updated_at = excluded.updated_at`
)

var (
	insertClaims = bulk.Insert("transaction_claims", eventColumns.Pick("environment_id", "transaction_id", "id")).
			Set("event_id", "u.id").Set("created_at", "@1::timestamptz").Set("updated_at", "@1")
	// writeClaims takes over a claim that is older than the retention time. A claim that another transaction is about to
	// commit is waited for.
	writeClaims = insertClaims.OnConflict(`(environment_id, transaction_id) DO UPDATE
	SET event_id = excluded.event_id, created_at = excluded.created_at, updated_at = excluded.updated_at
	WHERE t.created_at < @2`)
	// writeNewClaims writes claims of transactionIds that were never used.
	writeNewClaims = insertClaims.With("")
)

// eventColumns are the columns of an event as it is accepted, and what they are derived from.
var eventColumns = bulk.Columns[AcceptedEvent]{
	bulk.Field("id", func(e *AcceptedEvent) *string { return &e.ID }),
	bulk.Field("environment_id", func(e *AcceptedEvent) *string { return &e.EnvironmentID }),
	bulk.Field("transaction_id", func(e *AcceptedEvent) *string { return &e.TransactionID }),
	bulk.Field("workflow_id", func(e *AcceptedEvent) *string { return &e.WorkflowID }),
	bulk.Field("workflow_version_id", func(e *AcceptedEvent) *string { return &e.VersionID }),
	bulk.Field("kind", func(e *AcceptedEvent) *string { return &e.Kind }),
	bulk.Field("lane", func(e *AcceptedEvent) *string { return &e.Lane }),
	bulk.JSONValue("payload", func(e *AcceptedEvent) json.RawMessage { return json.RawMessage(e.Payload) }),
	bulk.JSONValue("overrides", func(e *AcceptedEvent) json.RawMessage { return json.RawMessage(e.Overrides) }),
	bulk.JSONValue("recipients", func(e *AcceptedEvent) json.RawMessage { return json.RawMessage(e.Recipients) }),
	bulk.JSONValue("actor", func(e *AcceptedEvent) json.RawMessage { return json.RawMessage(e.Actor) }),
	bulk.Value("created_at", func(e *AcceptedEvent) *time.Time {
		if e.Planned == nil {
			return nil
		}
		return &e.Planned.At
	}),
	bulk.Value("notified", func(e *AcceptedEvent) int {
		if e.Planned == nil {
			return 0
		}
		return e.Planned.Notified
	}),
	bulk.JSONValue("trace", func(e *AcceptedEvent) []workflow.TraceEntry {
		if e.Planned == nil {
			return nil
		}
		return e.Planned.Trace
	}),
	bulk.Value("tenant_id", func(e *AcceptedEvent) string {
		if e.Tenant == nil {
			return ""
		}
		return e.Tenant.Identifier
	}),
	bulk.Value("context_keys", func(e *AcceptedEvent) string { return postgres.JSONList(workflow.ContextSetOf(e.Contexts)) }),
	bulk.Value("scope", func(e *AcceptedEvent) string { return workflow.ContextSetOf(e.Contexts).Scope() }),
	bulk.Optional("request_id", func(e *AcceptedEvent) *string { return &e.RequestID }),
	bulk.Optional("trace_parent", func(e *AcceptedEvent) *string { return &e.TraceParent }),
	bulk.Value("per_second", func(e *AcceptedEvent) *int { return e.PerSecond }),
	bulk.Field("profiles_stored", func(e *AcceptedEvent) *bool { return &e.ProfilesStored }),
}

var (
	insertEvents = bulk.Insert("events", eventColumns).Set("created_at", "coalesce(u.created_at, @1::timestamptz)").Set("updated_at", "@1").
			Set("due_at", "CASE WHEN u.created_at IS NULL THEN @2::timestamptz END").
			Set("status", "CASE WHEN u.created_at IS NULL THEN 'accepted' ELSE 'fanned_out' END").Set("context_keys", "u.context_keys::jsonb").
			Set("tenant_id", `CASE WHEN u.tenant_id <> '' THEN
	(SELECT t.id FROM tenants t WHERE t.environment_id = u.environment_id AND t.identifier = u.tenant_id) END`).
		Set("checkpoint", `CASE WHEN u.kind = 'broadcast' THEN jsonb_build_object('max_subscriber_id', -- see Checkpoint
	COALESCE((SELECT max(s.id) FROM subscribers s WHERE s.environment_id = u.environment_id), ''),
	'max_event_id', GREATEST(u.id, (SELECT max(e.id) FROM events e WHERE e.environment_id = u.environment_id))) END`)
	insertEventsVirtual = insertEvents.Set("created_at", `coalesce((SELECT clock_at FROM environments WHERE id = u.environment_id AND type = 'development'),
	@1::timestamptz)`)
	writeEvents           = insertEvents.With(whereClaimed)
	writeEventsVirtual    = insertEventsVirtual.With(whereClaimed)
	writeNewEvents        = insertEvents.With("")
	writeNewEventsVirtual = insertEventsVirtual.With("")
)

const whereClaimed = `WHERE (SELECT c.event_id FROM transaction_claims c
	WHERE c.environment_id = u.environment_id AND c.transaction_id = u.transaction_id) = u.id
RETURNING id`

// WriteEvents claims the transactionIds of events and writes those events whose claim is new, with their tenants and
// contexts, in one round trip. It returns the ids of the written ones. Events must be sorted by environment and
// transactionId, no pair of which may occur twice.
func WriteEvents(ctx context.Context, tx pgx.Tx, events []AcceptedEvent, at AcceptTimes) (map[string]bool, error) {
	batch := &pgx.Batch{}
	if at.LockWait != "" {
		batch.Queue(`SELECT set_config('lock_timeout', $1, true)`, at.LockWait)
	}
	writeClaims.Queue(batch, events, at.Now, at.UsedSince)
	queueTenants(batch, events, at.Now, ifClaimed)
	queueContexts(batch, events, at.Now, ifClaimed)
	written := make(map[string]bool, len(events))
	queueEvents(batch, events, at, writeEvents, writeEventsVirtual).Query(func(rows pgx.Rows) error {
		var id string
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error { written[id] = true; return nil })
		return err
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("write events: %w", err)
	}
	return written, nil
}

// IsStored reports whether an event is there.
func IsStored(ctx context.Context, db *postgres.DB, eventID string) (stored bool, err error) {
	if err = db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM events WHERE id = $1)`, eventID).Scan(&stored); err != nil {
		return false, fmt.Errorf("look for an event: %w", err)
	}
	return stored, nil
}

// QueueNewEvents is WriteEvents for events whose transactionIds were never used, so that all of them are written: it adds to
// a batch, which fails if one was used all the same. Only the transactionIds that callers chose are claimed: no other event can have one
// that was generated, except by a caller who names it afterwards, which ReadAcceptFacts finds.
func QueueNewEvents(batch *pgx.Batch, events []AcceptedEvent, at AcceptTimes) {
	var chosen []AcceptedEvent
	for i := range events {
		if !events[i].Generated {
			chosen = append(chosen, events[i])
		}
	}
	if len(chosen) > 0 {
		writeNewClaims.Queue(batch, chosen, at.Now)
	}
	queueTenants(batch, events, at.Now, always)
	queueContexts(batch, events, at.Now, always)
	queueEvents(batch, events, at, writeNewEvents, writeNewEventsVirtual)
}

func queueEvents(batch *pgx.Batch, events []AcceptedEvent, at AcceptTimes, write, virtual bulk.Statement[AcceptedEvent]) *pgx.QueuedQuery {
	happened := at.Now
	switch {
	case at.Happened != nil:
		happened = *at.Happened
	case at.Virtual:
		write = virtual
	}
	return write.Queue(batch, events, happened, at.DueAt)
}
