// Package pgpersonal reads everything that Carillon stores about a person.
package pgpersonal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Person is one subscriber, as often as it was deleted and created again.
type Person struct {
	SubscriberID string   // the operator's identifier
	Records      []id.ID  // of the subscribers table, deleted ones included
	Addresses    []string // e-mail addresses and phone numbers of these records, also as suppressions and receipts write them
	Names        []string // first and last names of these records, each by itself and both together
}

// Find reads who has an identifier of the operator; without a record the person is unknown.
func Find(ctx context.Context, q postgres.Querier, scope viewer.Scope, subscriberID string) (Person, error) {
	rows, err := q.Query(ctx, `SELECT id, email, phone, first_name, last_name, nullif(concat_ws(' ', first_name, last_name), '')
FROM subscribers WHERE environment_id = $1 AND subscriber_id = $2 ORDER BY id`,
		scope.EnvironmentID, subscriberID)
	found, err := postgres.Collect(rows, err, "find a person", pgx.RowToStructByPos[struct {
		ID                id.ID
		Email, Phone      *string
		First, Last, Full *string
	}])
	p := Person{SubscriberID: subscriberID, Records: []id.ID{}, Addresses: []string{}}
	for _, s := range found {
		p.Records = append(p.Records, s.ID)
		p.Addresses = addNew(p.Addresses, s.Email, s.Phone)
		if s.Email != nil {
			p.Addresses = addNew(p.Addresses, new(workflow.SuppressedAddress(workflow.ChannelEmail, *s.Email)))
		}
		if s.Phone != nil {
			plain := workflow.PlainPhone(*s.Phone)
			p.Addresses = addNew(p.Addresses, &plain, new(strings.TrimPrefix(plain, "+")))
		}
		p.Names = addNew(p.Names, s.First, s.Last, s.Full)
	}
	return p, err
}

// addNew appends the texts that are not in a list yet.
func addNew(list []string, texts ...*string) []string {
	for _, text := range texts {
		if text != nil && *text != "" && !slices.Contains(list, *text) {
			list = append(list, *text)
		}
	}
	return list
}

// Kind is what a record of an export is.
type Kind string

// The kinds, in the order of an export.
const (
	KindSubscriber        Kind = "subscriber"
	KindChannelSetting    Kind = "channelSetting"
	KindChannelEndpoint   Kind = "channelEndpoint"
	KindChannelConnection Kind = "channelConnection"
	KindPreference        Kind = "preference"
	KindPreferenceChange  Kind = "preferenceChange"
	KindSubscription      Kind = "subscription"
	KindInboxState        Kind = "inboxState"
	KindInboxRemoval      Kind = "inboxRemoval"
	KindDigest            Kind = "digest"
	KindNotification      Kind = "notification"
	KindMessage           Kind = "message"
	KindReply             Kind = "reply"
	KindCaughtMessage     Kind = "caughtMessage"
	KindReceipt           Kind = "receipt"
	KindSuppression       Kind = "suppression"
	KindWebhookDelivery   Kind = "webhookDelivery"
	KindAlertIncident     Kind = "alertIncident"
	KindAuditEntry        Kind = "auditEntry"
)

// holding is a table with rows about persons.
type holding struct {
	kind  Kind // of the records
	table string
	// of selects a person's rows t: $1 is the environment, $2 the ids of the subscriber's records, $3 the addresses.
	of string
	// without are columns that say nothing about the person, or are secrets.
	without []string
	// with are members of a record that come from other tables, as SQL.
	with []member
}

// member is a part of a record that another table holds.
type member struct{ name, table, value string }

const bySubscriber = `t.subscriber_id = ANY($2)`

// holdings are all of them, in the order of an export. Each is read along an index that begins with the environment and the
// subscriber, or by the few records themselves.
var holdings = []holding{
	{kind: KindSubscriber, table: "subscribers", of: `t.id = ANY($2)`, without: []string{"named_by"}},
	{kind: KindChannelSetting, table: "subscriber_channels", of: bySubscriber, without: []string{"credentials"}, with: []member{
		{"credentials", "", `t.credentials - 'webhookUrl'`},
	}},
	{kind: KindChannelEndpoint, table: "channel_endpoints", of: bySubscriber, without: []string{"endpoint"}, with: []member{
		{"endpoint", "", `t.endpoint - 'url'`},
	}},
	{kind: KindChannelConnection, table: "channel_connections", of: bySubscriber, without: []string{"access_token"}},
	{kind: KindPreference, table: "preferences", of: bySubscriber},
	{kind: KindPreferenceChange, table: "preference_changes", of: bySubscriber},
	{kind: KindSubscription, table: "subscriptions", of: bySubscriber, with: []member{
		{"topic", "", `(SELECT o.key FROM topics o WHERE o.id = t.topic_id)`},
		{"preferences", "subscription_preferences", nested("subscription_preferences", "subscription_id", "id")},
	}},
	{kind: KindInboxState, table: "inbox_states", of: bySubscriber},
	{kind: KindInboxRemoval, table: "inbox_removals", of: bySubscriber},
	{kind: KindDigest, table: "digests", of: bySubscriber},
	{kind: KindNotification, table: "notifications", of: bySubscriber, without: slices.Concat(queued, []string{"state", "rare_status"}), with: []member{
		{"event", "events", `(SELECT jsonb_build_object('payload', e.payload, 'overrides', e.overrides, 'createdAt', e.created_at)
			FROM events e WHERE e.id = t.event_id)`},
	}},
	{
		kind: KindMessage, table: "messages", of: bySubscriber,
		without: slices.Concat(queued, []string{"direct_webhook_url", "envelope", "leased_until", "lease_id", "deadline_at", "sequence"}), with: []member{
			{"attempts", "attempts", nested("attempts", "message_id", "number")},
			{"receipts", "receipts", nested("receipts", "message_id", "id")},
		},
	},
	{
		kind: KindReply, table: "replies", of: `t.message_id IN (SELECT m.id FROM messages m WHERE m.environment_id = $1 AND m.subscriber_id = ANY($2))`,
		without: []string{"url", "due_at", "leased_until"},
	},
	{kind: KindCaughtMessage, table: "caught_messages", of: `t.recipient = ANY($3)`},
	// Those without a message: of mails that others sent through the provider's account, or that are past their retention.
	{kind: KindReceipt, table: "receipts", of: `t.message_id IS NULL AND t.recipient = ANY($3)`, without: []string{"message_id"}},
	{kind: KindSuppression, table: "suppressions", of: `t.address = ANY($3)`},
	{kind: KindWebhookDelivery, table: "webhook_deliveries", of: bySubscriber, without: []string{"due_at", "leased_until", "tries"}},
	{kind: KindAlertIncident, table: "alert_incidents", of: bySubscriber},
	{kind: KindAuditEntry, table: "audit_entries", of: `t.record_type = 'Subscriber' AND t.record_id = ANY($2)`, without: []string{"address"}},
}

// queued are the columns by which work is taken up.
var queued = []string{"due_at", "failures", "lane"}

// nested is the value of a member with the rows of another table that name t by a column.
func nested(table, column, order string) string {
	return `(SELECT coalesce(jsonb_agg(to_jsonb(n) - 'environment_id' ORDER BY n.` + order + `), '[]') FROM ` + table +
		` n WHERE n.environment_id = t.environment_id AND n.` + column + ` = t.id)`
}

// Record is one row about a person, with what belongs to it.
type Record struct {
	Position
	Data map[string]any // without secrets; its members are named like the columns, in camelCase
}

// Position is a place in an export: that of a record.
type Position struct {
	Kind Kind
	ID   id.ID
}

// Known reports whether there are records of a kind.
func (k Kind) Known() bool {
	return slices.ContainsFunc(holdings, func(h holding) bool { return h.kind == k })
}

// Page reads up to limit records of a person behind a position, from the first one when it is empty. It takes a round trip for
// each kind that it comes to.
func Page(ctx context.Context, q postgres.Querier, scope viewer.Scope, p Person, after Position, limit int) (page []Record, err error) {
	begun := after.Kind == ""
	for _, h := range holdings {
		from := id.ID("")
		if !begun {
			if h.kind != after.Kind {
				continue
			}
			begun, from = true, after.ID
		}
		rows, err := q.Query(ctx, h.statement(), scope.EnvironmentID, p.Records, p.Addresses, from, limit-len(page))
		found, err := postgres.Collect(rows, err, "export "+h.table, func(row pgx.CollectableRow) (r Record, err error) {
			r.Kind = h.kind
			err = row.Scan(&r.ID, &r.Data)
			r.Data = h.spelled(r.Data)
			return r, err
		})
		if err != nil {
			return nil, err
		}
		if page = append(page, found...); len(page) == limit {
			break
		}
	}
	return page, nil
}

// Count counts the records of a person, of each kind up to limit.
func Count(ctx context.Context, q postgres.Querier, scope viewer.Scope, p Person, limit int) (total int, err error) {
	counts := make([]string, len(holdings))
	for i, h := range holdings {
		counts[i] = `(SELECT count(*) FROM (SELECT 1 FROM ` + h.rows() + ` LIMIT $4) c)`
	}
	rows, err := q.Query(ctx, `SELECT (`+strings.Join(counts, "\n + ")+`)::int`, scope.EnvironmentID, p.Records, p.Addresses, limit)
	found, err := postgres.Collect(rows, err, "count what is stored about a person", pgx.RowTo[int])
	if err == nil {
		total = found[0]
	}
	return total, err
}

// rows are a person's rows t. All parameters are named, so that each has a type.
func (h *holding) rows() string {
	return h.table + ` t WHERE t.environment_id = $1 AND ` + h.of + ` AND $2::text[] IS NOT NULL AND $3::text[] IS NOT NULL`
}

// statement reads a page of a person's rows.
func (h *holding) statement() string {
	members := make([]string, len(h.with))
	for i, m := range h.with {
		members[i] = fmt.Sprintf(" || jsonb_build_object('%s', %s)", m.name, m.value)
	}
	without := slices.Concat([]string{"environment_id", "scope"}, h.without)
	return `SELECT t.id, to_jsonb(t) - ARRAY['` + strings.Join(without, "', '") + `']` + strings.Join(members, "") + `
FROM ` + h.rows() + ` AND t.id > $4 ORDER BY t.id LIMIT $5`
}

// spelled is a record with its members in camelCase, and those of the rows that belong to it. What the columns hold stays as
// it is: it may be the operator's own data.
func (h *holding) spelled(record map[string]any) map[string]any {
	for _, m := range h.with {
		rows, _ := record[m.name].([]any)
		for i, row := range rows {
			rows[i] = camelMembers(row.(map[string]any))
		}
	}
	return camelMembers(record)
}

func camelMembers(record map[string]any) map[string]any {
	spelled := make(map[string]any, len(record))
	for column, value := range record {
		spelled[camel(column)] = value
	}
	return spelled
}

// camel spells the name of a column as the API does: created_at is createdAt.
func camel(column string) string {
	words := strings.Split(column, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
