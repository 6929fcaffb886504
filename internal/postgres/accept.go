package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/workflow"
)

// EnvKey is a natural key inside an environment: a workflow's or tenant's identifier, a transactionId.
type EnvKey struct{ EnvironmentID, Key string }

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
const (
	readHeads = `SELECT q.environment_id, q.identifier, w.id, COALESCE(w.published_version_id, ''), w.active
		FROM unnest($1::text[], $2::text[]) AS q(environment_id, identifier)
		CROSS JOIN LATERAL (SELECT * FROM workflows w
			WHERE w.environment_id = q.environment_id AND w.identifier = q.identifier AND NOT w.deleted OFFSET 0) w`
	readTenantUses = `SELECT q.environment_id, q.tenant, q.workflow, COALESCE(
			(SELECT tw.active FROM tenant_workflows tw WHERE tw.tenant_id = t.id AND tw.workflow_id =
				(SELECT w.id FROM workflows w WHERE w.environment_id = q.environment_id AND w.identifier = q.workflow AND NOT w.deleted)),
			true)
		FROM unnest($1::text[], $2::text[], $3::text[]) AS q(environment_id, tenant, workflow)
		CROSS JOIN LATERAL (SELECT t.id FROM tenants t
			WHERE t.environment_id = q.environment_id AND t.identifier = q.tenant OFFSET 0) t`
	readUsed = `SELECT q.environment_id, q.transaction_id
		FROM unnest($1::text[], $2::text[]) AS q(environment_id, transaction_id)
		WHERE (SELECT c.created_at FROM transaction_claims c
			WHERE c.environment_id = q.environment_id AND c.transaction_id = q.transaction_id) >= $3`
)

// ReadAcceptFacts reads the present state, in one round trip.
func ReadAcceptFacts(ctx context.Context, q Querier, query AcceptQuery) (AcceptFacts, error) {
	facts := AcceptFacts{Workflows: map[EnvKey]WorkflowHead{}, Tenants: map[TenantUse]bool{}, Used: map[EnvKey]bool{}}
	batch := &pgx.Batch{}
	if len(query.Keys) > 0 {
		facts.Keys = make([]KeyState, len(query.Keys))
		queueKeys(batch, query.Keys, facts.Keys)
	}
	envs, names := columnsOf(query.Workflows)
	batch.Queue(readHeads, envs, names).Query(func(rows pgx.Rows) error {
		var key EnvKey
		var head WorkflowHead
		_, err := pgx.ForEachRow(rows, []any{&key.EnvironmentID, &key.Key, &head.ID, &head.VersionID, &head.Active}, func() error {
			facts.Workflows[key] = head
			return nil
		})
		return err
	})
	if len(query.Transactions) > 0 {
		envs, ids := columnsOf(query.Transactions)
		batch.Queue(readUsed, envs, ids, query.UsedSince).Query(func(rows pgx.Rows) error {
			var key EnvKey
			_, err := pgx.ForEachRow(rows, []any{&key.EnvironmentID, &key.Key}, func() error { facts.Used[key] = true; return nil })
			return err
		})
	}
	if len(query.Tenants) > 0 {
		queueTenantUses(batch, query.Tenants, facts.Tenants)
	}
	if err := q.SendBatch(ctx, batch).Close(); err != nil {
		return facts, Translate(fmt.Errorf("read what triggers depend on: %w", err))
	}
	return facts, nil
}

func queueTenantUses(batch *pgx.Batch, uses []TenantUse, found map[TenantUse]bool) {
	envs, tenants, workflows := make([]string, len(uses)), make([]string, len(uses)), make([]string, len(uses))
	for i, u := range uses {
		envs[i], tenants[i], workflows[i] = u.EnvironmentID, u.Tenant, u.Workflow
	}
	batch.Queue(readTenantUses, envs, tenants, workflows).Query(func(rows pgx.Rows) error {
		var use TenantUse
		var on bool
		_, err := pgx.ForEachRow(rows, []any{&use.EnvironmentID, &use.Tenant, &use.Workflow, &on}, func() error {
			found[use] = on
			return nil
		})
		return err
	})
}

func columnsOf(keys []EnvKey) (envs, values []string) {
	envs, values = make([]string, len(keys)), make([]string, len(keys))
	for i, k := range keys {
		envs[i], values[i] = k.EnvironmentID, k.Key
	}
	return envs, values
}

// ReadDefinitions reads published versions by their ids; ids without a version are missing from the result.
func ReadDefinitions(ctx context.Context, q Querier, versionIDs []string) (map[string]*workflow.Definition, error) {
	rows, err := q.Query(ctx, `SELECT id, definition FROM workflow_versions WHERE id = ANY($1)`, versionIDs)
	if err != nil {
		return nil, Translate(fmt.Errorf("read workflow versions: %w", err))
	}
	found := make(map[string]*workflow.Definition, len(versionIDs))
	var id string
	var definition *workflow.Definition
	_, err = pgx.ForEachRow(rows, []any{&id, &definition}, func() error {
		found[id], definition = definition, nil
		return nil
	})
	if err != nil {
		return nil, Translate(fmt.Errorf("read workflow versions: %w", err))
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
}

// AcceptTimes are the instants of one write of events.
type AcceptTimes struct {
	Now time.Time
	// DueAt is when somebody looks after events whose job was lost.
	DueAt time.Time
	// UsedSince is the oldest instant at which a transactionId's use still counts; older claims are taken over.
	UsedSince time.Time
	// Virtual says that environments may have clocks that stand, which tell when their events happened.
	Virtual bool
	// Happened is when the events happened, if not Now.
	Happened *time.Time
}

const (
	// writeClaims takes over a claim that is older than the retention time. A claim that another transaction is about to
	// commit is waited for.
	writeClaims = `INSERT INTO transaction_claims (id, created_at, updated_at, environment_id, transaction_id, event_id)
		SELECT event_id, $4::timestamptz, $4, environment_id, transaction_id, event_id
		FROM unnest($1::text[], $2::text[], $3::text[]) AS q(environment_id, transaction_id, event_id)
		ON CONFLICT (environment_id, transaction_id) DO UPDATE
			SET event_id = excluded.event_id, created_at = excluded.created_at, updated_at = excluded.updated_at
			WHERE transaction_claims.created_at < $5`
	// The statements after it act only for the events that hold their claim.
	writeTenant = `INSERT INTO tenants (id, created_at, updated_at, environment_id, identifier, name, data)
		SELECT $1::text, $2::timestamptz, $2, $3::text, $4::text, $5::text, $6::jsonb
		WHERE (SELECT event_id FROM transaction_claims WHERE environment_id = $3 AND transaction_id = $7) = $8
		ON CONFLICT (environment_id, identifier) DO UPDATE SET
			name = CASE WHEN $9::bool THEN excluded.name ELSE tenants.name END,
			data = CASE WHEN $10::bool THEN excluded.data ELSE tenants.data END,
			updated_at = excluded.updated_at`
	writeContexts = `INSERT INTO contexts (id, created_at, updated_at, environment_id, type, identifier, data)
		SELECT q.id, $8::timestamptz, $8, q.environment_id, q.type, q.identifier, q.data::jsonb
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
			AS q(id, environment_id, type, identifier, data, transaction_id, event_id)
		WHERE (SELECT c.event_id FROM transaction_claims c
			WHERE c.environment_id = q.environment_id AND c.transaction_id = q.transaction_id) = q.event_id
		ON CONFLICT (environment_id, type, identifier) DO NOTHING`
	writeEvents        = insertEvents + `$17::timestamptz` + selectEvents
	writeEventsVirtual = insertEvents + `coalesce((SELECT clock_at FROM environments WHERE id = q.environment_id AND type = 'development'),
			$17::timestamptz)` + selectEvents
	insertEvents = `INSERT INTO events (id, created_at, updated_at, environment_id, transaction_id, workflow_id, workflow_version_id,
			kind, lane, status, payload, overrides, recipients, actor, tenant_id, context_keys, scope, due_at, request_id, trace_parent,
			checkpoint)
		SELECT q.id, `
	selectEvents = `, $17, q.environment_id, q.transaction_id, q.workflow_id, q.version_id,
			q.kind, q.lane, 'accepted', q.payload::jsonb, NULLIF(q.overrides, '')::jsonb, NULLIF(q.recipients, '')::jsonb,
			NULLIF(q.actor, '')::jsonb,
			CASE WHEN q.tenant <> '' THEN
				(SELECT t.id FROM tenants t WHERE t.environment_id = q.environment_id AND t.identifier = q.tenant) END,
			q.context_keys::jsonb, q.scope, $18::timestamptz, NULLIF(q.request_id, ''), NULLIF(q.trace_parent, ''),
			CASE WHEN q.kind = 'broadcast' THEN jsonb_build_object('max_subscriber_id', -- see Checkpoint
				COALESCE((SELECT max(s.id) FROM subscribers s WHERE s.environment_id = q.environment_id), ''),
				'max_event_id', GREATEST(q.id, (SELECT max(e.id) FROM events e WHERE e.environment_id = q.environment_id))) END
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
				$10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[])
			AS q(id, environment_id, transaction_id, workflow_id, version_id, kind, lane, payload, overrides,
				recipients, actor, tenant, context_keys, scope, request_id, trace_parent)
		WHERE (SELECT c.event_id FROM transaction_claims c
			WHERE c.environment_id = q.environment_id AND c.transaction_id = q.transaction_id) = q.id
		RETURNING id`
)

// WriteEvents claims the transactionIds of events and writes those events whose claim is new, with their tenants and
// contexts, in one round trip. It returns the ids of the written ones. Events must be sorted by environment and
// transactionId, no pair of which may stand twice.
func WriteEvents(ctx context.Context, tx pgx.Tx, events []AcceptedEvent, at AcceptTimes) (map[string]bool, error) {
	batch := &pgx.Batch{}
	columns := eventColumns(events)
	batch.Queue(writeClaims, columns[1], columns[2], columns[0], at.Now, at.UsedSince)
	queueTenants(batch, events, at.Now)
	queueContexts(batch, events, at.Now)
	args := make([]any, 0, len(columns)+2)
	for _, c := range columns {
		args = append(args, c)
	}
	written := make(map[string]bool, len(events))
	query, happened := writeEvents, at.Now
	switch {
	case at.Happened != nil:
		happened = *at.Happened
	case at.Virtual:
		query = writeEventsVirtual
	}
	batch.Queue(query, append(args, happened, at.DueAt)...).Query(func(rows pgx.Rows) error {
		var id string
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error { written[id] = true; return nil })
		return err
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("write events: %w", err)
	}
	return written, nil
}
