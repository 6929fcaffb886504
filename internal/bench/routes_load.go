package bench

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"

	"github.com/carillon/carillon/internal/client"
)

// routeSize is the size of the environment that the documented routes are measured on.
type routeSize struct {
	subscribers int
	each        int // channel endpoints, subscriptions and messages of each subscriber
	topics      int
	workflows   int // every tenth is critical
	others      int // environments of which integrations are deleted
	deleted     int // integrations of each that are
}

// measuredSize is the size of every measured run.
var measuredSize = routeSize{subscribers: 20_000, each: 5, topics: 1_000, workflows: 100, others: 64, deleted: 6}

// recordID is SQL for the internal id of the i-th record of a kind; kinds differ in the seconds.
func recordID(kind int, i string) string {
	return fmt.Sprintf("(to_hex(%d) || lpad(to_hex(%s), 16, '0'))", 1_700_000_000+kind, i)
}

// The kinds of loaded records.
const (
	kindSubscriber = iota
	kindTopic
	kindEndpoint
	kindSubscription
	kindMessage
	kindInbox
	kindPreference
	kindEvent
	kindMade // by a measured request
	kindOther
)

// What loaded records have in common: i counts them, and several belong to the same subscriber.
const (
	some = `'2026-01-01'::timestamptz + i * interval '1 second'`
	at   = some + `, ` + some
)

// owner is SQL for the number of the subscriber to whom the i-th record belongs.
func (z routeSize) owner() string { return fmt.Sprintf("i / %d %% %d + 1", z.each, z.subscribers) }

// loadSubscriptions is SQL that gives every subscriber some subscriptions.
func (z routeSize) loadSubscriptions() string {
	topic := fmt.Sprintf("(i %% %d * 211 + i / %d) %% %d + 1", z.each, z.each, z.topics)
	return `INSERT INTO subscriptions (id, created_at, updated_at, context_keys, identifier, environment_id, topic_id, subscriber_id)
		SELECT ` + recordID(kindSubscription, "i") + `, ` + at + `, '[]', 'tk=t' || (` + topic + `) || ':si=s' || (` + z.owner() + `), e.id, ` +
		recordID(kindTopic, topic) + `, ` + recordID(kindSubscriber, z.owner()) + `
		FROM generate_series(0, ` + fmt.Sprint(z.subscribers*z.each-1) + `) i, environments e WHERE e.identifier = 'development'`
}

// loadRoutes fills the environment with what the documented routes read and write.
func (b *bench) loadRoutes(ctx context.Context) error {
	of := b.size.owner()
	total := fmt.Sprintf("generate_series(0, %d) i", b.size.subscribers*b.size.each-1)
	tx, err := b.db.Begin(ctx)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	for _, sql := range []string{
		`SET LOCAL session_replication_role = replica`, // parents are there: nothing needs to look
		`INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id, first_name, last_name, email)
			SELECT ` + recordID(kindSubscriber, "i") + `, ` + at + `, $1, 's' || i, 'Ada', 'Lovelace', 's' || i || '@example.com'
			FROM generate_series(1, ` + fmt.Sprint(b.size.subscribers) + `) i`,
		`INSERT INTO topics (id, created_at, updated_at, environment_id, key, name)
			SELECT ` + recordID(kindTopic, "i") + `, ` + at + `, $1, 't' || i, 'Topic ' || i FROM generate_series(1, ` + fmt.Sprint(b.size.topics) + `) i`,
		`INSERT INTO channel_endpoints (id, created_at, updated_at, context_keys, identifier, type, endpoint, subscriber_external_id, channel,
				provider_id, integration_identifier, environment_id, integration_id, subscriber_id)
			SELECT ` + recordID(kindEndpoint, "i") + `, ` + at + `, '[]', 'e' || i, 'slack_user', '{"userId": "U012345678"}', 's' || (` + of + `), 'chat',
				'slack', 'slack', $1, (SELECT id FROM integrations WHERE environment_id = $1 AND channel = 'chat' LIMIT 1), ` + recordID(kindSubscriber, of) + `
			FROM ` + total,
		b.size.loadSubscriptions(),
		`INSERT INTO events (id, created_at, updated_at, environment_id, transaction_id, kind, workflow_id, workflow_version_id, context_keys, payload, overrides)
			SELECT ` + recordID(kindEvent, "i") + `, ` + at + `, $1, 'load-' || i, 'trigger', '', '', '[]', '{"order": {"id": 7, "total": "129.90"}}', '{}'
			FROM generate_series(0, 999) i`,
		`INSERT INTO messages (id, created_at, updated_at, environment_id, context_keys, notification_id, event_id, transaction_id, workflow_id,
				workflow_identifier, step_id, subscriber_id, channel, target, status, arrived_at, delivered_at, subject, content, cta, provider_id)
			SELECT ` + recordID(kindMessage, "i") + `, ` + at + `, $1, '[]', ` + recordID(kindMessage, "i") + `, ` + recordID(kindEvent, "i % 1000") + `, 'load-' || i % 1000,
				(SELECT id FROM workflows WHERE environment_id = $1 AND identifier = 'route-1'), 'route-1', 'inbox', ` + recordID(kindSubscriber, of) + `, 'in_app', '', 'sent', ` + some + `,
				'["2026-01-01T00:00:00.000Z"]', 'Order 7', '{"text": "Your parcel left our warehouse this morning."}', '{"type": "redirect", "data": {"url": "https://shop.example/7"}}', 'svc'
			FROM ` + total,
		`INSERT INTO inbox_states (id, created_at, updated_at, environment_id, context_keys, subscriber_id, total, unread, unseen)
			SELECT ` + recordID(kindInbox, "i") + `, ` + at + `, $1, '[]', ` + recordID(kindSubscriber, "i") + `, ` + fmt.Sprintf("%d, %[1]d, %[1]d", b.size.each) + `
			FROM generate_series(1, ` + fmt.Sprint(b.size.subscribers) + `) i`,
		`INSERT INTO preferences (id, created_at, updated_at, environment_id, context_keys, subscriber_id, workflow_id, channels)
			SELECT ` + recordID(kindPreference, "i") + `, ` + at + `, $1, '[]', ` + recordID(kindSubscriber, "i / 3 + 1") + `,
				CASE i % 3 WHEN 0 THEN '' ELSE (SELECT id FROM workflows WHERE environment_id = $1 AND identifier = 'route-' || i % 3) END, '{"sms": false}'
			FROM generate_series(0, ` + fmt.Sprint(3*b.size.subscribers-1) + `) i`,
	} {
		if _, err := tx.Exec(ctx, strings.ReplaceAll(sql, "$1", "'"+b.environment+"'")); err != nil {
			return fmt.Errorf("load: %w: %s", err, sql)
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	_, err = b.db.Exec(ctx, `VACUUM ANALYZE`)
	return err
}

// createRouteWorkflows makes workflows with a step on three channels.
func (b *bench) createRouteWorkflows(ctx context.Context) error {
	step := func(name, typ string, controls map[string]any) map[string]any {
		return map[string]any{"stepId": name, "name": name, "type": typ, name: controls}
	}
	for n := range b.size.workflows {
		err := b.api.GraphQL(ctx, createWorkflow, map[string]any{"input": map[string]any{
			"identifier": fmt.Sprintf("route-%d", n), "name": fmt.Sprintf("Order state %d", n),
			"definition": map[string]any{"critical": n%10 == 0, "tags": []string{"orders"}, "steps": []any{
				map[string]any{"stepId": "inbox", "name": "Inbox", "type": "IN_APP", "inApp": map[string]any{"subject": "Order {{ payload.order.id }}", "body": "Hello {{ subscriber.firstName }}"}},
				step("email", "EMAIL", map[string]any{"subject": "Order {{ payload.order.id }}", "html": "Hello {{ subscriber.firstName }}"}),
				step("sms", "SMS", map[string]any{"body": "Order {{ payload.order.id }}"}),
			}},
		}}, nil)
		if err != nil {
			return fmt.Errorf("create workflow %d: %w", n, err)
		}
	}
	return nil
}

// other is an environment besides, with its key.
type other struct {
	key          string
	integrations []string // internal ids
}

// createOthers makes environments with integrations to delete; the first also serves broadcasts, to one subscriber.
func (b *bench) createOthers(ctx context.Context) error {
	b.others = make([]other, b.size.others)
	for n := range b.others {
		key := "crl_" + rand.Text() + rand.Text()
		hash := sha256.Sum256([]byte(key))
		for _, sql := range []string{
			`INSERT INTO environments (id, created_at, updated_at, name, identifier, organization_id)
				SELECT ` + recordID(kindOther, "$1::int") + `, now(), now(), 'Other', 'other-' || $1::int, organization_id FROM environments WHERE id = $2 AND $3::bytea IS NOT NULL`,
			`INSERT INTO api_keys (id, created_at, updated_at, name, hash, hint, environment_id)
				SELECT ` + recordID(kindOther, "$1::int") + `, now(), now(), 'bench', $3, '', ` + recordID(kindOther, "$1::int") + ` WHERE $2 <> ''`,
		} {
			if _, err := b.db.Exec(ctx, sql, n, b.environment, hash[:]); err != nil {
				return fmt.Errorf("make an environment: %w", err)
			}
		}
		b.others[n].key = key
	}
	var all sync.WaitGroup
	failures := make([]error, b.size.others)
	for n := range b.others {
		all.Go(func() { failures[n] = b.createIntegrations(ctx, &b.others[n]) })
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	api := &client.Client{URL: b.api.URL, Key: b.others[0].key}
	if _, err := api.Do(ctx, "POST", "/v1/events/trigger", map[string]any{"name": "nobody", "to": "one"}, nil); err != nil {
		return err
	}
	if err := api.GraphQL(ctx, `mutation { createSubscriber(input: {subscriberId: "one"}) { subscriber { id } } }`, nil, nil); err != nil {
		return fmt.Errorf("make a subscriber: %w", err)
	}
	return b.quietWorkflow(ctx, api, "bench-quiet")
}

func (b *bench) createIntegrations(ctx context.Context, o *other) error {
	api := &client.Client{URL: b.api.URL, Key: o.key}
	for i := range b.size.deleted + 2 {
		var made struct {
			CreateIntegration struct{ Integration struct{ InternalID string } }
		}
		err := api.GraphQL(ctx, `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { internalId } } }`, map[string]any{"input": map[string]any{
			"providerId": "sendgrid", "name": fmt.Sprintf("SendGrid %d", i), "active": true,
			"credentials": map[string]any{"apiKey": "SG.secret", "from": "shop@example.com", "senderName": "Shop"},
		}}, &made)
		if err != nil {
			return fmt.Errorf("create an integration: %w", err)
		}
		if i < b.size.deleted {
			o.integrations = append(o.integrations, made.CreateIntegration.Integration.InternalID)
		}
	}
	return nil
}
