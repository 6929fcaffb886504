// Package pgsubscriber finds and upserts subscribers and their channel settings.
package pgsubscriber

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// SubscriberRow is a subscriber as runs need it.
type SubscriberRow struct {
	ID            string
	EnvironmentID string
	SubscriberID  string // external
	workflow.Profile[*string]
	Data     []byte // JSON
	Schedule *calendar.Schedule
	NamedBy  *string // the oldest event that named it and was fanned out
}

// SubscriberFields are the columns of a subscriber as the engine reads it.
var SubscriberFields = append(append(bulk.Columns[SubscriberRow]{
	bulk.Field("id", func(s *SubscriberRow) *string { return &s.ID }),
	bulk.Field("environment_id", func(s *SubscriberRow) *string { return &s.EnvironmentID }),
	bulk.Field("subscriber_id", func(s *SubscriberRow) *string { return &s.SubscriberID }),
}, profileFields()...), bulk.Columns[SubscriberRow]{
	bulk.JSON("data", func(s *SubscriberRow) *[]byte { return &s.Data }).As("%s::text"),
	bulk.JSON("schedule", func(s *SubscriberRow) **calendar.Schedule { return &s.Schedule }),
	bulk.Field("named_by", func(s *SubscriberRow) **string { return &s.NamedBy }),
}...)

// profileFields are the columns of the profile's texts.
func profileFields() (columns bulk.Columns[SubscriberRow]) {
	for i, text := range workflow.ProfileTexts() {
		columns = append(columns, bulk.Field(text.Column, func(s *SubscriberRow) **string { return s.Values()[i] }))
	}
	return columns
}

// SubscriberColumns lists SubscriberFields of the table alias s.
var SubscriberColumns = SubscriberFields.Select("s")

// SubscriberKey is the natural key of a subscriber.
type SubscriberKey struct{ EnvironmentID, SubscriberID string }

// Compare compares keys in the order in which subscribers are locked.
func (k SubscriberKey) Compare(other SubscriberKey) int {
	return cmp.Or(cmp.Compare(k.EnvironmentID, other.EnvironmentID), cmp.Compare(k.SubscriberID, other.SubscriberID))
}

var findSubscribers = bulk.New(`SELECT `+SubscriberColumns+` FROM {rows}
JOIN subscribers s ON s.environment_id = u.env AND s.subscriber_id = u.key AND NOT s.deleted`, bulk.Columns[SubscriberKey]{
	bulk.Field("env", func(k *SubscriberKey) *string { return &k.EnvironmentID }),
	bulk.Field("key", func(k *SubscriberKey) *string { return &k.SubscriberID }),
})

// FindSubscribers reads living subscribers by their natural keys.
func FindSubscribers(ctx context.Context, q postgres.Querier, keys []SubscriberKey) ([]SubscriberRow, error) {
	rows, err := q.Query(ctx, findSubscribers.Text, findSubscribers.Args(keys)...)
	return SubscriberFields.Collect(rows, err, "find subscribers")
}

// QueueFind is FindSubscribers in a batch of other reads.
func QueueFind(b *pgx.Batch, keys []SubscriberKey, found *[]SubscriberRow) {
	findSubscribers.Queue(b, keys).Query(func(rows pgx.Rows) (err error) {
		*found, err = SubscriberFields.Collect(rows, nil, "find subscribers")
		return err
	})
}

// LoadSubscribers reads subscribers of several environments by internal id, deleted ones left out.
func LoadSubscribers(ctx context.Context, q postgres.Querier, environments, ids []string) ([]SubscriberRow, error) {
	rows, err := q.Query(ctx, `SELECT `+SubscriberColumns+`
FROM (SELECT DISTINCT env, id FROM unnest($1::text[], $2::text[]) AS u (env, id)) AS u
JOIN subscribers s ON s.id = u.id AND s.environment_id = u.env AND NOT s.deleted`, environments, ids)
	return SubscriberFields.Collect(rows, err, "load subscribers")
}

// SubscriberWrite is a subscriber named in a trigger or in a bulk call: created when unknown, else the fields that are set
// overwrite, and NamedBy moves to the older event.
type SubscriberWrite struct {
	ID            string // of the record, when it is created
	EnvironmentID string
	Input         workflow.SubscriberInput
	NamedBy       string // the oldest of the events that name it here; empty without one
}

// Key is the natural key of the subscriber.
func (w *SubscriberWrite) Key() SubscriberKey {
	return SubscriberKey{w.EnvironmentID, w.Input.SubscriberID}
}

// subscriberWrites are the columns of a write; the mask has a bit for each that a trigger may set.
var subscriberWrites = append(append(bulk.Columns[SubscriberWrite]{
	bulk.Field("id", func(w *SubscriberWrite) *string { return &w.ID }),
	bulk.Field("environment_id", func(w *SubscriberWrite) *string { return &w.EnvironmentID }),
	bulk.Field("subscriber_id", func(w *SubscriberWrite) *string { return &w.Input.SubscriberID }),
}, profileValues()...), bulk.Columns[SubscriberWrite]{
	bulk.JSONValue("data", func(w *SubscriberWrite) *map[string]any { return w.Input.Data.Ptr() }),
	bulk.Optional("named_by", func(w *SubscriberWrite) *string { return &w.NamedBy }),
}...)

// profileValues are the values of the profile's texts.
func profileValues() (columns bulk.Columns[SubscriberWrite]) {
	for i, text := range workflow.ProfileTexts() {
		columns = append(columns, bulk.Value(text.Column, func(w *SubscriberWrite) *string { return w.Input.Texts()[i].Value.Ptr() }))
	}
	return columns
}

// mask has the bits of the fields that are set: those of the profile's texts in their order, then that of the data.
func (w *SubscriberWrite) mask() (mask int) {
	texts := w.Input.Texts()
	for i, text := range texts {
		if text.Value.Set {
			mask |= 1 << i
		}
	}
	if w.Input.Data.Set {
		mask |= 1 << len(texts)
	}
	return mask
}

// setWrites assigns the columns whose bits are set.
func setWrites() (assignments string) {
	texts := workflow.ProfileTexts()
	for i, text := range texts {
		assignments += ifSet(text.Column, "l."+text.Column, 1<<i)
	}
	return assignments + ifSet("data", "l.data::jsonb", 1<<len(texts))
}

var (
	insertSubscribers = bulk.Insert("subscribers", subscriberWrites).Set("created_at", "now()").Set("updated_at", "now()")
	createSubscribers = insertSubscribers.
				OnConflict("(environment_id, subscriber_id) WHERE NOT deleted DO NOTHING RETURNING " + SubscriberFields.Select("t"))
	createNew = insertSubscribers.OnConflict("DO NOTHING")
	isCreated = bulk.That(`(SELECT s.id FROM subscribers s
		WHERE s.environment_id = u.environment_id AND s.subscriber_id = u.subscriber_id AND NOT s.deleted) = u.id`,
		subscriberWrites.Pick("id", "environment_id", "subscriber_id"))
	changeSubscribers = change("")
	changeDiffering   = change("AND (" + differs() + ")")
)

// change locks subscribers in key order, then changes those of them that meet the condition.
func change(condition string) bulk.Statement[SubscriberWrite] {
	return bulk.New(`WITH input AS (SELECT * FROM {rows}),
locked AS (SELECT s.id AS record, input.* FROM input JOIN subscribers s ON s.environment_id = input.environment_id
	AND s.subscriber_id = input.subscriber_id AND NOT s.deleted WHERE input.id <> s.id `+condition+`
	ORDER BY s.environment_id, s.subscriber_id FOR UPDATE OF s)
UPDATE subscribers s SET `+setWrites()+`
	named_by = least(s.named_by, l.named_by),
	updated_at = CASE WHEN l.mask > 0 THEN now() ELSE s.updated_at END
FROM locked l WHERE s.id = l.record RETURNING `+SubscriberColumns,
		append(slices.Clone(subscriberWrites), bulk.Value("mask", (*SubscriberWrite).mask)))
}

// differs is whether a column whose bit is set has another value.
func differs() string {
	texts := workflow.ProfileTexts()
	conditions := make([]string, len(texts), len(texts)+1)
	for i, text := range texts {
		conditions[i] = fmt.Sprintf("input.mask & %d > 0 AND s.%[2]s IS DISTINCT FROM input.%[2]s", 1<<i, text.Column)
	}
	return strings.Join(append(conditions, fmt.Sprintf("input.mask & %d > 0 AND s.data IS DISTINCT FROM input.data::jsonb", 1<<len(texts))), " OR ")
}

func ifSet(column, value string, bit int) string {
	return fmt.Sprintf("%s = CASE WHEN l.mask & %d > 0 THEN %s ELSE s.%s END, ", column, bit, value, column)
}

// upserts bounds how often UpsertSubscribers begins again for those who are deleted meanwhile.
const upserts = 5

// UpsertSubscribers creates and changes subscribers, in one round trip, and answers all of them as they are afterwards.
// writes are sorted by natural key without repetition, so that concurrent batches take the unique keys in one order.
func UpsertSubscribers(ctx context.Context, tx pgx.Tx, writes []SubscriberWrite) (all []SubscriberRow, err error) {
	for range upserts {
		rows, err := upsert(ctx, tx, writes)
		if all = append(all, rows...); err != nil || len(rows) == len(writes) {
			return all, err
		}
		// The rest was there, and was deleted before it was locked.
		writes = slices.DeleteFunc(slices.Clone(writes), func(w SubscriberWrite) bool {
			return slices.ContainsFunc(rows, func(row SubscriberRow) bool {
				return row.EnvironmentID == w.EnvironmentID && row.SubscriberID == w.Input.SubscriberID
			})
		})
	}
	return nil, fmt.Errorf("upsert subscribers: %w", postgres.Again("some are deleted again and again"))
}

func upsert(ctx context.Context, tx pgx.Tx, writes []SubscriberWrite) ([]SubscriberRow, error) {
	rows, err := tx.Query(ctx, createSubscribers.Text, createSubscribers.Args(writes)...)
	made, err := SubscriberFields.Collect(rows, err, "create subscribers")
	if err != nil || len(made) == len(writes) {
		return made, err
	}
	// The others were there before, or another transaction has just made them.
	rows, err = tx.Query(ctx, changeSubscribers.Text, changeSubscribers.Args(writes)...)
	changed, err := SubscriberFields.Collect(rows, err, "change subscribers")
	return append(made, changed...), err
}

// QueueNew queues subscribers of whom those that do not exist are created. The transaction fails (bulk.Check) where one of those that must be
// created exists under another id. writes are sorted by natural key without repetition.
func QueueNew(b *pgx.Batch, writes []SubscriberWrite, must func(*SubscriberWrite) bool) {
	if len(writes) == 0 {
		return
	}
	createNew.Queue(b, writes)
	created := slices.DeleteFunc(slices.Clone(writes), func(w SubscriberWrite) bool { return !must(&w) })
	if len(created) == 0 {
		return
	}
	check := &bulk.Check{}
	isCreated.Add(check, created)
	check.Queue(b)
}

// QueueChanges queues changes of subscribers who exist; those whose profile and data are so already are neither locked nor written. writes are
// without ID, and sorted by natural key without repetition.
func QueueChanges(b *pgx.Batch, writes []SubscriberWrite) {
	if len(writes) > 0 {
		changeDiffering.Queue(b, writes)
	}
}

// SettingWrite is a channel setting given with a recipient; it merges by provider and integration.
type SettingWrite struct {
	ID            string // of the record, when it is created
	EnvironmentID string
	SubscriberID  string // internal id; its row is locked by the caller
	workflow.ChannelInput
}

// mergeSettings looks the integration up by its identifier.
var mergeSettings = bulk.Insert("subscriber_channels", bulk.Columns[SettingWrite]{
	bulk.Field("id", func(w *SettingWrite) *string { return &w.ID }),
	bulk.Field("environment_id", func(w *SettingWrite) *string { return &w.EnvironmentID }),
	bulk.Field("subscriber_id", func(w *SettingWrite) *string { return &w.SubscriberID }),
	bulk.Field("provider_id", func(w *SettingWrite) *string { return &w.ProviderID }),
	bulk.Field("integration_identifier", func(w *SettingWrite) *string { return &w.IntegrationIdentifier }),
	bulk.JSON("credentials", func(w *SettingWrite) *workflow.ChannelCredentials { return &w.Credentials }),
}).Set("created_at", "now()").Set("updated_at", "now()").
	Set("registered", `(SELECT jsonb_object_agg(token, clock_timestamp())
		FROM jsonb_array_elements_text(u.credentials::jsonb->'deviceTokens') AS given (token))`).
	Set("integration_id", "i.id").
	Joined("LEFT JOIN integrations i ON i.environment_id = u.environment_id AND i.identifier = u.integration_identifier AND NOT i.deleted").
	OnConflict(`(environment_id, subscriber_id, provider_id, integration_identifier) DO UPDATE SET
	integration_id = coalesce(excluded.integration_id, t.integration_id),
	credentials = t.credentials || excluded.credentials || CASE
		WHEN t.credentials ? 'deviceTokens' AND excluded.credentials ? 'deviceTokens' THEN jsonb_build_object('deviceTokens', (
			SELECT jsonb_agg(token ORDER BY at) FROM (
				SELECT token, min(at) AS at FROM jsonb_array_elements_text(
					(t.credentials->'deviceTokens') || (excluded.credentials->'deviceTokens')) WITH ORDINALITY AS given (token, at)
				GROUP BY token ORDER BY min(at) DESC LIMIT ` + fmt.Sprint(workflow.MaxDeviceTokens) + `) AS united))
		ELSE '{}'::jsonb END,
	registered = CASE WHEN excluded.registered IS NULL THEN t.registered ELSE (
		SELECT jsonb_object_agg(key, value) FROM jsonb_each(coalesce(t.registered, '{}') || excluded.registered)
		WHERE (t.credentials->'deviceTokens') ? key OR excluded.registered ? key) END,
	updated_at = now()`)

// MergeSettings stores channel settings: fields that are given overwrite, device tokens are united, at most
// workflow.MaxDeviceTokens of them, the newest kept. writes hold no repetition.
func MergeSettings(ctx context.Context, tx pgx.Tx, writes []SettingWrite) error {
	_, err := tx.Exec(ctx, mergeSettings.Text, mergeSettings.Args(writes)...)
	if err != nil {
		return fmt.Errorf("merge channel settings: %w", err)
	}
	return nil
}

// LivingSubscriber selects the subscriber of an external id, in the environment of $1, unless it is deleted.
var LivingSubscriber = `SELECT ` + postgres.Selected("o", subscriber.Columns) + ` FROM subscribers o WHERE o.environment_id = $1 AND o.subscriber_id = $2 AND NOT o.deleted`
