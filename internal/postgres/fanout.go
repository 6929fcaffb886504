package postgres

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/workflow"
)

// EventRow is an accepted event that waits for its fan-out.
type EventRow struct {
	ID            string
	EnvironmentID string
	CreatedAt     time.Time
	ContextKeys   []string
	Scope         string
	TransactionID string
	WorkflowID    string
	VersionID     string
	Kind          string // trigger or broadcast
	Payload       map[string]any
	Overrides     map[string]any
	Recipients    *workflow.Recipients
	Actor         *workflow.SubscriberInput
	TenantID      string
	Lane          string
	Checkpoint    *Checkpoint
	Notified      int
	Failures      int
	TraceParent   string

	Workflow        string // trigger identifier
	WorkflowActive  bool
	WorkflowDeleted bool
}

// Checkpoint is where a streamed fan-out goes on. Broadcasts carry MaxSubscriberID and MaxEventID from their acceptance on:
// who came later, and is not named by an event up to the latter, is not reached.
type Checkpoint struct {
	MaxSubscriberID string `json:"max_subscriber_id,omitempty"`
	MaxEventID      string `json:"max_event_id,omitempty"`
	Named           string `json:"named,omitempty"` // event up to which recipients of earlier events are reached
	Late            bool   `json:"late,omitempty"`  // all up to MaxSubscriberID are reached
	After           string `json:"after,omitempty"` // internal id of the subscriber reached last
	Topic           int    `json:"topic,omitempty"` // position of the topic under way
	Started         bool   `json:"started,omitempty"`
}

const claimColumns = `e.id, e.environment_id, e.created_at, e.context_keys, e.scope, e.transaction_id, e.workflow_id,
	e.workflow_version_id, e.kind, e.payload, e.overrides, e.recipients, e.actor, coalesce(e.tenant_id, ''), e.lane, e.checkpoint,
	e.notified, e.failures, coalesce(e.trace_parent, ''),
	coalesce(w.identifier, ''), coalesce(w.active, false), coalesce(w.deleted, true)`

func scanEvent(r pgx.CollectableRow) (e EventRow, err error) {
	return e, r.Scan(&e.ID, &e.EnvironmentID, &e.CreatedAt, &e.ContextKeys, &e.Scope, &e.TransactionID, &e.WorkflowID,
		&e.VersionID, &e.Kind, &e.Payload, &e.Overrides, &e.Recipients, &e.Actor, &e.TenantID, &e.Lane, &e.Checkpoint,
		&e.Notified, &e.Failures, &e.TraceParent, &e.Workflow, &e.WorkflowActive, &e.WorkflowDeleted)
}

// ClaimEvents locks those of the named events that still wait for their fan-out and that nobody else works on. The lock
// is the claim: it ends with the transaction, also when the process dies.
// With clocks that stand, an event waits until its environment has come to the time of its acceptance, or of its next try.
func ClaimEvents(ctx context.Context, tx pgx.Tx, ids []string, at Moment) ([]EventRow, error) {
	rows, err := tx.Query(ctx, claimEvents(at), ids)
	return collect(rows, err, "claim events", scanEvent)
}

func claimEvents(at Moment) string {
	join, reached := "", ""
	if at.Virtual {
		join, reached = ` LEFT JOIN `+standing+` c ON c.id = e.environment_id`, ` AND `+fansOutAt("e")+` <= coalesce(c.at, 'infinity')`
	}
	return `SELECT ` + claimColumns + ` FROM events e LEFT JOIN workflows w ON w.id = e.workflow_id` + join + `
WHERE e.id = ANY($1) AND e.status = 'accepted' AND ` + open("e.due_at") + reached + ` ORDER BY e.id FOR UPDATE OF e SKIP LOCKED`
}

const claimDueEvents = `SELECT ` + claimColumns + ` FROM events e LEFT JOIN workflows w ON w.id = e.workflow_id
WHERE e.lane = $1 AND e.due_at <= $2 AND e.status = 'accepted' ORDER BY e.due_at LIMIT $3 FOR UPDATE OF e SKIP LOCKED`

// ClaimDueEvents is ClaimEvents for the oldest events of a lane that are overdue by real time, at most limit: those whose
// job was lost. Any number of workers and processes share them.
func ClaimDueEvents(ctx context.Context, tx pgx.Tx, lane string, now time.Time, limit int) ([]EventRow, error) {
	rows, err := tx.Query(ctx, claimDueEvents, lane, now, limit)
	return collect(rows, err, "claim overdue events", scanEvent)
}

// DueEventIDs are the ids of what ClaimDueEvents would claim, for when one of them cannot even be read.
func (db *DB) DueEventIDs(ctx context.Context, lane string, now time.Time, limit int) ([]string, error) {
	rows, err := db.Pool.Query(ctx, `SELECT id FROM events WHERE lane = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3
FOR UPDATE SKIP LOCKED`, lane, now, limit)
	return collect(rows, err, "look for overdue events", pgx.RowTo[string])
}

// LeaseEvents keeps claimed events to their worker beyond its transaction: until the lease ends they are not overdue.
func LeaseEvents(ctx context.Context, tx pgx.Tx, ids []string, lease time.Duration) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE events SET due_at = clock_timestamp() + $2::interval WHERE id = ANY($1) AND `+open("due_at"), ids, lease)
	if err != nil {
		return fmt.Errorf("lease events: %w", err)
	}
	return nil
}

// LoadEvents reads events without claiming them.
func LoadEvents(ctx context.Context, q Querier, ids []string) ([]EventRow, error) {
	rows, err := q.Query(ctx, `SELECT `+claimColumns+` FROM events e LEFT JOIN workflows w ON w.id = e.workflow_id
WHERE e.id = ANY($1)`, ids)
	return collect(rows, err, "load events", scanEvent)
}

// EventChange is the end of an event's fan-out, or of one page of it.
type EventChange struct {
	EnvironmentID string
	ID            string
	Status        string
	Checkpoint    *Checkpoint
	Notified      int // more of them
	Trace         []workflow.TraceEntry
	DueAt         *time.Time // nil: final
}

// ChangeEvents queues the changes of claimed events.
func ChangeEvents(b *pgx.Batch, changes []EventChange) {
	if len(changes) == 0 {
		return
	}
	var c columns
	column(&c, changes, func(e *EventChange) string { return e.EnvironmentID })
	column(&c, changes, func(e *EventChange) string { return e.ID })
	column(&c, changes, func(e *EventChange) string { return e.Status })
	column(&c, changes, func(e *EventChange) *string { return jsonText(e.Checkpoint) })
	column(&c, changes, func(e *EventChange) int { return e.Notified })
	column(&c, changes, func(e *EventChange) *string { return jsonText(e.Trace) })
	column(&c, changes, func(e *EventChange) *time.Time { return e.DueAt })
	b.Queue(`UPDATE events e SET status = u.status, checkpoint = u.checkpoint::jsonb, notified = e.notified + u.notified,
	trace = CASE WHEN u.trace IS NULL THEN e.trace ELSE coalesce(nullif(e.trace, 'null'), '[]') || u.trace::jsonb END,
	due_at = u.due_at, updated_at = now()
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::timestamptz[])
	AS u (environment_id, id, status, checkpoint, notified, trace, due_at)
WHERE e.id = u.id AND e.environment_id = u.environment_id`, c.args...)
}

// SubscriberRow is a subscriber as runs need it.
type SubscriberRow struct {
	ID            string
	EnvironmentID string
	SubscriberID  string // external
	FirstName     *string
	LastName      *string
	Email         *string
	Phone         *string
	Avatar        *string
	Locale        *string
	Timezone      *string
	Data          []byte // JSON
	Schedule      *workflow.Schedule
	NamedBy       *string // the oldest event that named it and was fanned out
}

const subscriberColumns = `s.id, s.environment_id, s.subscriber_id, s.first_name, s.last_name, s.email, s.phone, s.avatar,
	s.locale, s.timezone, s.data::text, s.schedule, s.named_by`

func (s *SubscriberRow) targets() []any {
	return []any{
		&s.ID, &s.EnvironmentID, &s.SubscriberID, &s.FirstName, &s.LastName, &s.Email, &s.Phone, &s.Avatar,
		&s.Locale, &s.Timezone, &s.Data, &s.Schedule, &s.NamedBy,
	}
}

func scanSubscriber(r pgx.CollectableRow) (s SubscriberRow, err error) {
	return s, r.Scan(s.targets()...)
}

// SubscriberKey is the natural key of a subscriber.
type SubscriberKey struct{ EnvironmentID, SubscriberID string }

// FindSubscribers reads living subscribers by their natural keys.
func FindSubscribers(ctx context.Context, q Querier, keys []SubscriberKey) ([]SubscriberRow, error) {
	var c columns
	column(&c, keys, func(k *SubscriberKey) string { return k.EnvironmentID })
	column(&c, keys, func(k *SubscriberKey) string { return k.SubscriberID })
	rows, err := q.Query(ctx, `SELECT `+subscriberColumns+` FROM unnest($1::text[], $2::text[]) AS u (env, key)
JOIN subscribers s ON s.environment_id = u.env AND s.subscriber_id = u.key AND NOT s.deleted`, c.args...)
	return collect(rows, err, "find subscribers", scanSubscriber)
}

// LoadSubscribers reads subscribers of several environments by internal id, deleted ones left out.
func LoadSubscribers(ctx context.Context, q Querier, environments, ids []string) ([]SubscriberRow, error) {
	rows, err := q.Query(ctx, `SELECT `+subscriberColumns+`
FROM (SELECT DISTINCT env, id FROM unnest($1::text[], $2::text[]) AS u (env, id)) AS u
JOIN subscribers s ON s.id = u.id AND s.environment_id = u.env AND NOT s.deleted`, environments, ids)
	return collect(rows, err, "load subscribers", scanSubscriber)
}

// SubscriberWrite is a subscriber named in a trigger: created when unknown, else the fields that are set overwrite, and
// NamedBy moves to the older event.
type SubscriberWrite struct {
	ID            string // of the record, when it is created
	EnvironmentID string
	Input         workflow.SubscriberInput
	NamedBy       string // the oldest of the events that name it here
}

// bits of SubscriberWrite that tell which fields are set, in the order of UpsertSubscribers' columns.
func (w *SubscriberWrite) mask() int {
	in := &w.Input
	mask := 0
	for bit, set := range []bool{
		in.FirstName.Set, in.LastName.Set, in.Email.Set, in.Phone.Set, in.Avatar.Set, in.Locale.Set, in.Timezone.Set, in.Data.Set,
	} {
		if set {
			mask |= 1 << bit
		}
	}
	return mask
}

// UpsertSubscribers creates and changes subscribers, in one round trip, and answers all of them as they are afterwards.
// writes are sorted by natural key without repetition, so that concurrent batches take the unique keys in one order.
func UpsertSubscribers(ctx context.Context, tx pgx.Tx, writes []SubscriberWrite) ([]SubscriberRow, error) {
	var c columns
	column(&c, writes, func(w *SubscriberWrite) string { return w.ID })
	column(&c, writes, func(w *SubscriberWrite) string { return w.EnvironmentID })
	column(&c, writes, func(w *SubscriberWrite) string { return w.Input.SubscriberID })
	column(&c, writes, (*SubscriberWrite).mask)
	for _, field := range []func(*workflow.SubscriberInput) *string{
		func(i *workflow.SubscriberInput) *string { return i.FirstName.Ptr() },
		func(i *workflow.SubscriberInput) *string { return i.LastName.Ptr() },
		func(i *workflow.SubscriberInput) *string { return i.Email.Ptr() },
		func(i *workflow.SubscriberInput) *string { return i.Phone.Ptr() },
		func(i *workflow.SubscriberInput) *string { return i.Avatar.Ptr() },
		func(i *workflow.SubscriberInput) *string { return i.Locale.Ptr() },
		func(i *workflow.SubscriberInput) *string { return i.Timezone.Ptr() },
		func(i *workflow.SubscriberInput) *string { return jsonText(i.Data.Ptr()) },
	} {
		column(&c, writes, func(w *SubscriberWrite) *string { return field(&w.Input) })
	}
	column(&c, writes, func(w *SubscriberWrite) string { return w.NamedBy })
	const input = `unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[],
	$9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
	AS u (id, env, key, mask, first_name, last_name, email, phone, avatar, locale, timezone, data, named_by)`
	rows, err := tx.Query(ctx, `INSERT INTO subscribers AS s (id, created_at, updated_at, environment_id, subscriber_id,
	first_name, last_name, email, phone, avatar, locale, timezone, data, named_by)
SELECT id, now(), now(), env, key, first_name, last_name, email, phone, avatar, locale, timezone, data::jsonb, named_by FROM `+input+`
ON CONFLICT (environment_id, subscriber_id) WHERE NOT deleted DO NOTHING
RETURNING `+subscriberColumns, c.args...)
	made, err := collect(rows, err, "create subscribers", scanSubscriber)
	if err != nil || len(made) == len(writes) {
		return made, err
	}
	// Those that were there before, or that another transaction has just made: lock in key order, then change.
	rows, err = tx.Query(ctx, `WITH input AS (SELECT * FROM `+input+`),
locked AS (SELECT s.id AS record, input.* FROM input JOIN subscribers s ON s.environment_id = input.env AND s.subscriber_id = input.key
	AND NOT s.deleted WHERE input.id <> s.id ORDER BY s.environment_id, s.subscriber_id FOR UPDATE OF s)
UPDATE subscribers s SET
	first_name = CASE WHEN l.mask & 1 > 0 THEN l.first_name ELSE s.first_name END,
	last_name = CASE WHEN l.mask & 2 > 0 THEN l.last_name ELSE s.last_name END,
	email = CASE WHEN l.mask & 4 > 0 THEN l.email ELSE s.email END,
	phone = CASE WHEN l.mask & 8 > 0 THEN l.phone ELSE s.phone END,
	avatar = CASE WHEN l.mask & 16 > 0 THEN l.avatar ELSE s.avatar END,
	locale = CASE WHEN l.mask & 32 > 0 THEN l.locale ELSE s.locale END,
	timezone = CASE WHEN l.mask & 64 > 0 THEN l.timezone ELSE s.timezone END,
	data = CASE WHEN l.mask & 128 > 0 THEN l.data::jsonb ELSE s.data END,
	named_by = least(s.named_by, l.named_by),
	updated_at = CASE WHEN l.mask > 0 THEN now() ELSE s.updated_at END
FROM locked l WHERE s.id = l.record RETURNING `+subscriberColumns, c.args...)
	changed, err := collect(rows, err, "change subscribers", scanSubscriber)
	return append(made, changed...), err
}

// SettingWrite is a channel setting given with a recipient; it merges by provider and integration.
type SettingWrite struct {
	ID            string // of the record, when it is created
	EnvironmentID string
	SubscriberID  string // internal id; its row is locked by the caller
	workflow.ChannelInput
}

// MergeSettings stores channel settings: fields that are given overwrite, device tokens are united, at most
// workflow.MaxDeviceTokens of them, the newest kept. writes hold no repetition.
func MergeSettings(ctx context.Context, tx pgx.Tx, writes []SettingWrite) error {
	var c columns
	column(&c, writes, func(w *SettingWrite) string { return w.ID })
	column(&c, writes, func(w *SettingWrite) string { return w.EnvironmentID })
	column(&c, writes, func(w *SettingWrite) string { return w.SubscriberID })
	column(&c, writes, func(w *SettingWrite) string { return w.ProviderID })
	column(&c, writes, func(w *SettingWrite) string { return w.IntegrationIdentifier })
	column(&c, writes, func(w *SettingWrite) *string { return jsonText(w.Credentials) })
	_, err := tx.Exec(ctx, `INSERT INTO subscriber_channels AS s (id, created_at, updated_at, environment_id, subscriber_id,
	provider_id, integration_identifier, integration_id, credentials, registered)
SELECT u.id, now(), now(), u.env, u.sub, u.provider, u.integration, i.id, u.credentials::jsonb,
	(SELECT jsonb_object_agg(token, clock_timestamp()) FROM jsonb_array_elements_text(u.credentials::jsonb->'deviceTokens') AS t (token))
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS u (id, env, sub, provider, integration, credentials)
LEFT JOIN integrations i ON i.environment_id = u.env AND i.identifier = u.integration AND NOT i.deleted
ON CONFLICT (environment_id, subscriber_id, provider_id, integration_identifier) DO UPDATE SET
	integration_id = coalesce(excluded.integration_id, s.integration_id),
	credentials = s.credentials || excluded.credentials || CASE
		WHEN s.credentials ? 'deviceTokens' AND excluded.credentials ? 'deviceTokens' THEN jsonb_build_object('deviceTokens', (
			SELECT jsonb_agg(token ORDER BY at) FROM (
				SELECT token, min(at) AS at FROM jsonb_array_elements_text(
					(s.credentials->'deviceTokens') || (excluded.credentials->'deviceTokens')) WITH ORDINALITY AS t (token, at)
				GROUP BY token ORDER BY min(at) DESC LIMIT `+fmt.Sprint(workflow.MaxDeviceTokens)+`) AS united))
		ELSE '{}'::jsonb END,
	registered = CASE WHEN excluded.registered IS NULL THEN s.registered ELSE (
		SELECT jsonb_object_agg(key, value) FROM jsonb_each(coalesce(s.registered, '{}') || excluded.registered)
		WHERE (s.credentials->'deviceTokens') ? key OR excluded.registered ? key) END,
	updated_at = now()`, c.args...)
	if err != nil {
		return fmt.Errorf("merge channel settings: %w", err)
	}
	return nil
}

// PageQuery asks for the next recipients of a streamed event.
type PageQuery struct {
	EnvironmentID string
	Topic         string // key; empty for a broadcast
	Scope         string // context set of the event
	WorkflowID    string
	After         string   // internal id of the subscriber reached last
	Max           string   // broadcast: newest subscriber that counts
	Earlier       []string // keys of topics that were streamed before; their subscribers have a notification already
	EventID       string
	NewestEvent   string // late recipients of a broadcast: newest event that was accepted before it
	Limit         int    // subscriptions or subscribers
}

// PageRow is one subscription of a topic with its subscriber, or one subscriber of a broadcast.
type PageRow struct {
	SubscriberRow
	Subscription string         // identifier
	Enabled      *bool          // stored for the workflow; nil: nothing stored
	Condition    map[string]any // JSON Logic
	Reached      bool           // has a notification of the event already
	Gone         bool           // the subscriber is deleted, its subscriptions soon will be
	Workflow     *workflow.PreferenceLevel
	Global       *workflow.PreferenceLevel
}

// TopicPage reads the next subscriptions of a topic in exactly the scope, ordered by subscriber, with the preferences
// that decide. All subscriptions of a subscriber stand side by side; the last subscriber of a full page may be cut. A page
// that is not full is the last.
// The page is cut along its index before anything is joined to it, and its size is part of the text: knowing neither,
// Postgres reads and sorts the whole topic for every page.
func TopicPage(ctx context.Context, q Querier, want PageQuery) ([]PageRow, error) {
	rows, err := q.Query(ctx, `SELECT `+subscriberColumns+`, b.identifier, p.enabled, p.condition,
	cardinality($6::text[]) > 0 AND EXISTS (SELECT FROM notifications n WHERE n.event_id = $7 AND n.subscriber_id = s.id), s.deleted,
	w.id IS NOT NULL, w.enabled, w.channels, g.id IS NOT NULL, g.enabled, g.channels
FROM (SELECT id, identifier, subscriber_id FROM subscriptions
	WHERE topic_id = (SELECT id FROM topics WHERE environment_id = $1 AND key = $2) AND scope = $3 AND subscriber_id > $5
	ORDER BY subscriber_id, id LIMIT `+strconv.Itoa(want.Limit)+`) b
JOIN subscribers s ON s.id = b.subscriber_id
LEFT JOIN subscription_preferences p ON p.subscription_id = b.id AND p.workflow_id = $4
LEFT JOIN preferences w ON w.environment_id = $1 AND w.subscriber_id = s.id AND w.scope = $3 AND w.workflow_id = $4
LEFT JOIN preferences g ON g.environment_id = $1 AND g.subscriber_id = s.id AND g.scope = $3 AND g.workflow_id = ''
ORDER BY b.subscriber_id, b.id`,
		want.EnvironmentID, want.Topic, want.Scope, want.WorkflowID, want.After, want.Earlier, want.EventID)
	return collect(rows, err, "read a page of a topic", scanPage)
}

// Audience names the subscriptions of a topic in a context set, as a workflow's events reach them.
type Audience struct{ EnvironmentID, Topic, Scope, WorkflowID string }

func (c *columns) audiences(audiences []Audience) {
	column(c, audiences, func(a *Audience) string { return a.EnvironmentID })
	column(c, audiences, func(a *Audience) string { return a.Topic })
	column(c, audiences, func(a *Audience) string { return a.Scope })
}

// The topic of an audience is looked up by its unique key, and its subscriptions along their index: see readHeads.
const audienceTopic = `topic_id = (SELECT t.id FROM topics t WHERE t.environment_id = u.env AND t.key = u.key)`

const audienceSizes = `SELECT (SELECT count(*) FROM (SELECT FROM subscriptions WHERE ` + audienceTopic + ` AND scope = u.scope LIMIT $4) b)
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS u (env, key, scope, place) ORDER BY place`

// AudienceSizes are the numbers of subscriptions of audiences, each counted up to limit.
func AudienceSizes(ctx context.Context, q Querier, audiences []Audience, limit int) ([]int, error) {
	var c columns
	c.audiences(audiences)
	rows, err := q.Query(ctx, audienceSizes, append(c.args, limit)...)
	return collect(rows, err, "count the subscriptions of topics", pgx.RowTo[int])
}

const loadAudiences = `SELECT u.place::int - 1, ` + subscriberColumns + `, b.identifier, p.enabled, p.condition, s.deleted
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS u (env, key, scope, workflow, place)
CROSS JOIN LATERAL (SELECT id, identifier, subscriber_id FROM subscriptions WHERE ` + audienceTopic + ` AND scope = u.scope OFFSET 0) b
CROSS JOIN LATERAL (SELECT * FROM subscribers WHERE id = b.subscriber_id OFFSET 0) s
LEFT JOIN LATERAL (SELECT enabled, condition FROM subscription_preferences WHERE subscription_id = b.id AND workflow_id = u.workflow OFFSET 0) p ON true
ORDER BY place, b.subscriber_id, b.id`

// LoadAudiences reads whole audiences as TopicPage reads a page, in the order given and without preferences of subscribers.
func LoadAudiences(ctx context.Context, q Querier, audiences []Audience) ([][]PageRow, error) {
	var c columns
	c.audiences(audiences)
	column(&c, audiences, func(a *Audience) string { return a.WorkflowID })
	loaded := make([][]PageRow, len(audiences))
	rows, err := q.Query(ctx, loadAudiences, c.args...)
	_, err = collect(rows, err, "load the subscriptions of topics", func(r pgx.CollectableRow) (at int, err error) {
		var p PageRow
		if err := r.Scan(append(append([]any{&at}, p.targets()...), &p.Subscription, &p.Enabled, &p.Condition, &p.Gone)...); err != nil {
			return at, err
		}
		loaded[at] = append(loaded[at], p)
		return at, nil
	})
	return loaded, err
}

// BroadcastPage reads the next living subscribers of an environment by ascending id, with the preferences that decide.
func BroadcastPage(ctx context.Context, q Querier, want PageQuery) ([]PageRow, error) {
	rows, err := q.Query(ctx, `SELECT `+subscriberColumns+`, '', NULL::boolean, NULL::jsonb, false, false,
	w.id IS NOT NULL, w.enabled, w.channels, g.id IS NOT NULL, g.enabled, g.channels
FROM (SELECT * FROM subscribers WHERE environment_id = $1 AND id > $4 AND id <= $5 AND NOT deleted ORDER BY id
	LIMIT `+strconv.Itoa(want.Limit)+`) s
LEFT JOIN preferences w ON w.environment_id = $1 AND w.subscriber_id = s.id AND w.scope = $2 AND w.workflow_id = $3
LEFT JOIN preferences g ON g.environment_id = $1 AND g.subscriber_id = s.id AND g.scope = $2 AND g.workflow_id = ''
ORDER BY s.id`, want.EnvironmentID, want.Scope, want.WorkflowID, want.After, want.Max)
	return collect(rows, err, "read a page of all subscribers", scanPage)
}

func scanPage(r pgx.CollectableRow) (p PageRow, err error) {
	var hasWorkflow, hasGlobal bool
	var w, g workflow.PreferenceLevel
	var wc, gc *workflow.ChannelPreferences
	err = r.Scan(append(p.targets(), &p.Subscription, &p.Enabled, &p.Condition, &p.Reached, &p.Gone,
		&hasWorkflow, &w.Enabled, &wc, &hasGlobal, &g.Enabled, &gc)...)
	if hasWorkflow && wc != nil {
		w.Channels, p.Workflow = *wc, &w
	}
	if hasGlobal && gc != nil {
		g.Channels, p.Global = *gc, &g
	}
	return p, err
}

// MoveEvent queues the move of a streamed event from one checkpoint to the next; the last one ends its fan-out. Within
// lease no waker looks after it. moved hears whether the event still stood where it was expected; its error undoes the transaction.
func MoveEvent(b *pgx.Batch, environmentID, id string, from, to Checkpoint, notified int, last bool, lease time.Duration, moved func(bool) error) {
	b.Queue(`UPDATE events SET checkpoint = $4::jsonb, notified = notified + $5, failures = 0, updated_at = now(),
	status = CASE WHEN $6 THEN 'fanned_out' ELSE status END, due_at = CASE WHEN $6 THEN NULL ELSE clock_timestamp() + $7::interval END
WHERE environment_id = $1 AND id = $2 AND status = 'accepted' AND checkpoint = $3::jsonb`,
		environmentID, id, jsonText(from), jsonText(to), notified, last, lease).Exec(func(tag pgCommandTag) error {
		return moved(tag.RowsAffected() == 1)
	})
}

// TopicSubscriptions reads what TopicPage reads of named subscribers, by internal id.
func TopicSubscriptions(ctx context.Context, q Querier, want PageQuery, subscribers []string) ([]PageRow, error) {
	rows, err := q.Query(ctx, `SELECT `+subscriberColumns+`, b.identifier, p.enabled, p.condition, false, false,
	false, NULL::boolean, NULL::jsonb, false, NULL::boolean, NULL::jsonb
FROM topics t
JOIN subscriptions b ON b.topic_id = t.id AND b.scope = $3 AND b.subscriber_id = ANY($5)
JOIN subscribers s ON s.id = b.subscriber_id AND NOT s.deleted
LEFT JOIN subscription_preferences p ON p.subscription_id = b.id AND p.workflow_id = $4
WHERE t.environment_id = $1 AND t.key = $2`, want.EnvironmentID, want.Topic, want.Scope, want.WorkflowID, subscribers)
	return collect(rows, err, "read subscriptions", scanPage)
}

// FindTenant is the internal id of a tenant; "" when there is none.
func FindTenant(ctx context.Context, q Querier, environmentID, identifier string) (string, error) {
	rows, err := q.Query(ctx, `SELECT id FROM tenants WHERE environment_id = $1 AND identifier = $2`, environmentID, identifier)
	return first(rows, err, "find a tenant")
}

// WorkflowIdentifier is the trigger identifier of a workflow; "" when there is none.
func WorkflowIdentifier(ctx context.Context, q Querier, environmentID, id string) (string, error) {
	rows, err := q.Query(ctx, `SELECT identifier FROM workflows WHERE environment_id = $1 AND id = $2`, environmentID, id)
	return first(rows, err, "find a workflow")
}

func first(rows pgx.Rows, err error, what string) (string, error) {
	list, err := collect(rows, err, what, pgx.RowTo[string])
	if len(list) == 0 {
		return "", err
	}
	return list[0], err
}
