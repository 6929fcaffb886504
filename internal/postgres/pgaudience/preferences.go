package pgaudience

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// PreferenceOwner is whose preferences in which context set are changed, by whom and when.
type PreferenceOwner struct {
	viewer.Scope
	SubscriberID id.ID
	ContextKeys  []string
	ScopeKey     string // workflow.ContextSet.Scope of ContextKeys
	ChangedBy    string // for the history
	Now          time.Time
}

// PreferenceWrite is a wish to store: what Level sets replaces what is stored, the rest stays.
type PreferenceWrite struct {
	WorkflowID id.ID // "" for the global preference
	Level      workflow.PreferenceLevel
}

// LockPreferences makes everybody else who changes the preferences of this owner wait until the transaction ends: a
// global wish removes wishes for single workflows, so locks on rows would not keep both apart.
func (o PreferenceOwner) LockPreferences(ctx context.Context, tx pgx.Tx) error {
	key := lockKey("preferences", o.EnvironmentID, o.SubscriberID, o.ScopeKey)
	if _, err := tx.Exec(ctx, lockPreferences, key); err != nil {
		return fmt.Errorf("lock preferences: %w", err)
	}
	return nil
}

const (
	lockPreferences = `SELECT pg_advisory_xact_lock($1)`
	stripChannels   = `
UPDATE preferences SET channels = channels - $5::text[], updated_at = $1
WHERE environment_id = $2 AND subscriber_id = $3 AND scope = $4 AND workflow_id <> '' AND channels ?| $5::text[]
RETURNING workflow_id`
	deleteEmptyPreferences = `
DELETE FROM preferences
WHERE environment_id = $1 AND subscriber_id = $2 AND scope = $3 AND workflow_id = ANY ($4::text[])
	AND workflow_id <> '' AND channels = '{}' AND enabled IS NULL`
	deletePreferences = `
DELETE FROM preferences
WHERE environment_id = $1 AND subscriber_id = $2 AND scope = $3 AND workflow_id = ANY ($4::text[])`
)

// preferenceChange is a wish, or the history of one, with the id of its record: of both, when a wish makes a new row.
type preferenceChange struct {
	id string
	PreferenceWrite
}

var preferenceColumns = bulk.Columns[preferenceChange]{
	bulk.Field("id", func(c *preferenceChange) *string { return &c.id }),
	bulk.Field("workflow_id", func(c *preferenceChange) *string { return &c.WorkflowID }),
	bulk.Field("enabled", func(c *preferenceChange) **bool { return &c.Level.Enabled }),
	bulk.JSON("channels", func(c *preferenceChange) *workflow.ChannelPreferences { return &c.Level.Channels }),
}

// Of both @1 is the time, @2 the environment, @3 the subscriber, @4 the scope, @5 its keys and @6 who writes.
var (
	recordInto = `INSERT INTO preference_changes (id, created_at, updated_at, environment_id, subscriber_id, scope, context_keys,
	workflow_id, enabled, channels, changed_by)
SELECT u.id, @1, @1, @2, @3, @4, @5::jsonb, u.workflow_id, p.enabled, COALESCE(p.channels, '{}'), @6 FROM {rows}
`
	// A wish that is stored already leaves the row and the history as they are: applications write the same again and again.
	upsertPreferences = bulk.Insert("preferences", preferenceColumns).Set("created_at", "@1").Set("updated_at", "@1").
				Set("environment_id", "@2").Set("subscriber_id", "@3").Set("scope", "@4").Set("context_keys", "@5::jsonb").
				OnConflict(`(environment_id, subscriber_id, scope, workflow_id) DO UPDATE SET
	enabled = COALESCE(excluded.enabled, t.enabled),
	channels = t.channels || excluded.channels,
	updated_at = excluded.updated_at
WHERE (t.enabled, t.channels) IS DISTINCT FROM (COALESCE(excluded.enabled, t.enabled), t.channels || excluded.channels)
RETURNING workflow_id, enabled, channels`).
		Within("WITH p AS ({insert})\n" + recordInto + "JOIN p ON p.workflow_id = u.workflow_id")
	recordPreferences = bulk.New(recordInto+`LEFT JOIN preferences p ON p.environment_id = @2 AND p.subscriber_id = @3 AND p.scope = @4
	AND p.workflow_id = u.workflow_id`, preferenceColumns.Pick("id", "workflow_id"))
)

// PreferenceWrites are wishes of distinct workflows, and the contexts that they are for.
type PreferenceWrites struct {
	Contexts []workflow.ContextRef
	Wishes   []PreferenceWrite
}

// WritePreferences stores wishes of distinct workflows, and as history the state after each that changes something.
func (o PreferenceOwner) WritePreferences(ctx context.Context, tx pgx.Tx, writes []PreferenceWrite) error {
	batch := &pgx.Batch{}
	if o.queueWrites(batch, writes); batch.Len() == 0 {
		return nil
	}
	return o.send(ctx, tx, batch)
}

func (o PreferenceOwner) queueWrites(batch *pgx.Batch, writes []PreferenceWrite) {
	if len(writes) == 0 {
		return
	}
	changes := make([]preferenceChange, len(writes))
	for i, made := range id.Batch(o.Now, len(writes)) {
		changes[i] = preferenceChange{made, writes[i]}
	}
	upsertPreferences.Queue(batch, changes, o.historyArgs()...)
}

// ForgetChannels removes the wishes of single workflows for some channels: a global wish for a channel is newer than all
// of them (semantics.md §6.2).
func (o PreferenceOwner) ForgetChannels(ctx context.Context, tx pgx.Tx, channels []workflow.Channel) error {
	rows, err := tx.Query(ctx, stripChannels, o.Now, o.EnvironmentID, o.SubscriberID, o.ScopeKey, channels)
	if err != nil {
		return fmt.Errorf("forget preferences: %w", err)
	}
	stripped, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(stripped) == 0 {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(deleteEmptyPreferences, o.EnvironmentID, o.SubscriberID, o.ScopeKey, stripped)
	o.record(batch, stripped)
	return o.send(ctx, tx, batch)
}

// DeletePreferences removes wishes; "" is the global one.
func (o PreferenceOwner) DeletePreferences(ctx context.Context, tx pgx.Tx, workflowIDs []id.ID) error {
	batch := &pgx.Batch{}
	batch.Queue(deletePreferences, o.EnvironmentID, o.SubscriberID, o.ScopeKey, workflowIDs)
	o.record(batch, workflowIDs)
	return o.send(ctx, tx, batch)
}

// record keeps the state after a change as history.
func (o PreferenceOwner) record(batch *pgx.Batch, workflowIDs []id.ID) {
	changes := make([]preferenceChange, len(workflowIDs))
	for i, made := range id.Batch(o.Now, len(workflowIDs)) {
		changes[i] = preferenceChange{id: made, PreferenceWrite: PreferenceWrite{WorkflowID: workflowIDs[i]}}
	}
	recordPreferences.Queue(batch, changes, o.historyArgs()...)
}

func (o PreferenceOwner) historyArgs() []any {
	return []any{o.Now, o.EnvironmentID, o.SubscriberID, o.ScopeKey, postgres.JSONList(o.ContextKeys), o.ChangedBy}
}

func (o PreferenceOwner) send(ctx context.Context, tx pgx.Tx, batch *pgx.Batch) error {
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("write preferences: %w", err)
	}
	return nil
}

// WorkflowDefaults is what preferences need to know of an active workflow.
type WorkflowDefaults struct {
	ID                   id.ID
	Identifier, Name     string
	Critical             bool
	CreatedAt, UpdatedAt time.Time
	Severity             workflow.Severity
	Tags                 []string
	Data                 map[string]any
	Author               workflow.ChannelPreferences // of the published version, else of the draft
	StepTypes            []workflow.StepType         // of the published version's steps; none while nothing is published
}

const readDefaults = `
SELECT w.id, w.identifier, w.name, w.critical, w.created_at, w.updated_at, w.severity, w.tags, w.data,
	COALESCE(v.definition -> 'preferences', w.draft -> 'preferences', '{}'),
	COALESCE(jsonb_path_query_array(v.definition, '$.steps[*].type'), '[]')
FROM workflows w LEFT JOIN workflow_versions v ON v.id = w.published_version_id
WHERE w.environment_id = $1 AND NOT w.deleted`

// ActiveWorkflowDefaults reads the active workflows, oldest first: all, or those that are critical or are not.
func ActiveWorkflowDefaults(ctx context.Context, q postgres.Reader, scope viewer.Scope, critical *bool) ([]*WorkflowDefaults, error) {
	rows, err := q.Query(ctx, readDefaults+` AND w.active AND ($2::bool IS NULL OR w.critical = $2) ORDER BY w.id`,
		scope.EnvironmentID, critical)
	return collectDefaults(rows, err)
}

func collectDefaults(rows pgx.Rows, err error) ([]*WorkflowDefaults, error) {
	if err != nil {
		return nil, fmt.Errorf("read workflow defaults: %w", err)
	}
	all, err := pgx.CollectRows(rows, scanDefaults)
	if err != nil {
		return nil, fmt.Errorf("read workflow defaults: %w", err)
	}
	return all, nil
}
