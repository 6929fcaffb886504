package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/carillon/carillon/internal/id"
)

// floor answers the documented routes with the one best query for each, and does nothing else: no authentication, no
// checks, no history.
type floor struct {
	db          *pgxpool.Pool
	environment string
	posts       *http.Transport

	mu      sync.Mutex
	sockets map[string]*floorSocket // by subscriber
}

// floorQuery is the one query of a route, and its arguments after the environment.
type floorQuery struct {
	sql  string
	args func(r *http.Request, body floorBody) []any
}

// floorQueries do the work that a route cannot do without, and nothing else. What no caller of the route could miss,
// such as audit entries, is left out.
var floorQueries = map[string]floorQuery{
	"GET /v1/channel-endpoints/{identifier}": {`SELECT ` + endpointJSON + ` FROM channel_endpoints e WHERE environment_id = $1 AND identifier = $2`, path("identifier")},
	"GET /v2/subscribers/{subscriberId}/subscriptions": {listJSON("subscriptions", `environment_id = $1 AND subscriber_id = (SELECT id FROM subscribers WHERE environment_id = $1 AND subscriber_id = $2 AND NOT deleted)`,
		"id DESC", `e JOIN topics t ON t.id = e.topic_id JOIN subscribers s ON s.id = e.subscriber_id`, `json_build_object('_id', e.id, 'identifier', e.identifier,
			'topic', json_build_object('_id', t.id, 'key', t.key, 'name', t.name, 'createdAt', `+stamp("t.created_at")+`, 'updatedAt', `+stamp("t.updated_at")+`),
			'subscriber', `+ownerJSON+`, 'contextKeys', e.context_keys, 'createdAt', `+stamp("e.created_at")+`)`), path("subscriberId")},
	"DELETE /v1/integrations/{integrationId}": {`WITH gone AS (UPDATE integrations i SET deleted = true, deleted_at = now(), updated_at = now(), active = false, "primary" = false
			FROM integrations o WHERE i.id = $2 AND o.id = i.id AND NOT i.deleted RETURNING i.id, i.environment_id, i.channel, o."primary"),
		-- The next integration takes its place, and channel endpoints show it no more (decisions.md §5, §6).
		next AS (UPDATE integrations i SET "primary" = true, updated_at = now() FROM gone g WHERE g."primary" AND i.id = (SELECT max(n.id) FROM integrations n
			WHERE n.environment_id = g.environment_id AND n.channel = g.channel AND n.active AND NOT n.deleted AND n.id <> g.id)),
		detached AS (UPDATE channel_endpoints e SET channel = NULL, provider_id = NULL, integration_identifier = NULL FROM gone g
			WHERE e.environment_id = g.environment_id AND e.integration_id = $2)
		SELECT json_agg(json_build_object('_id', i.id, '_environmentId', i.environment_id, '_organizationId', $1::text, 'name', name, 'identifier', identifier,
			'providerId', provider_id, 'channel', i.channel, 'credentials', '{}'::json, 'active', active, 'deleted', deleted, 'primary', i."primary") ORDER BY i.id)
		FROM integrations i JOIN gone g ON g.environment_id = i.environment_id AND g.id <> i.id WHERE NOT deleted`, path("integrationId")},
	"PATCH /v2/topics/{topicKey}/subscriptions/{identifier}": {
		`WITH s AS (UPDATE subscriptions SET name = $4, updated_at = now()
			WHERE topic_id = (SELECT id FROM topics WHERE environment_id = $1 AND key = $2) AND identifier = $3 RETURNING *),
		wanted AS (SELECT w.*, n FROM unnest($5::text[]) WITH ORDINALITY u (identifier, n) JOIN workflows w ON w.environment_id = $1 AND w.identifier = u.identifier AND NOT deleted),
		gone AS (DELETE FROM subscription_preferences p USING s WHERE p.subscription_id = s.id AND workflow_id NOT IN (SELECT id FROM wanted)),
		put AS (INSERT INTO subscription_preferences (id, created_at, updated_at, position, environment_id, subscription_id, workflow_id)
			SELECT left(md5(s.id || w.id), 24), now(), now(), n, $1, s.id, w.id FROM s, wanted w ON CONFLICT DO NOTHING)
		SELECT ` + fullJSON(`'preferences', (SELECT json_agg(json_build_object('subscriptionId', e.identifier, 'enabled', true, 'workflow',
			json_build_object('id', w.id, 'identifier', w.identifier, 'name', w.name, 'critical', w.critical, 'tags', w.tags, 'severity', w.severity)) ORDER BY n) FROM wanted w)`) + ` FROM s e ` + fullFrom,
		func(r *http.Request, b floorBody) []any {
			return []any{r.PathValue("topicKey"), r.PathValue("identifier"), b.Name, texts(b.Preferences)}
		},
	},
	"POST /v2/topics/{topicKey}/subscriptions": {
		`WITH topic AS (INSERT INTO topics (id, created_at, updated_at, key, environment_id) VALUES (left(md5($2), 24), now(), now(), $2, $1)
			ON CONFLICT (environment_id, key) DO UPDATE SET key = excluded.key RETURNING *),
		e AS (INSERT INTO subscriptions (id, created_at, updated_at, context_keys, identifier, environment_id, topic_id, subscriber_id)
			SELECT left(md5(i.identifier), 24), now(), now(), '[]', i.identifier, $1, topic.id, s.id FROM topic, unnest($3::text[], $4::text[]) i (subscriber_id, identifier)
			JOIN subscribers s ON s.environment_id = $1 AND s.subscriber_id = i.subscriber_id AND NOT s.deleted ON CONFLICT DO NOTHING RETURNING *)
		SELECT json_build_object('data', json_agg(` + fullJSON(`'name', e.name`) + `), 'meta', json_build_object('totalCount', count(*), 'successful', count(*), 'failed', 0)) FROM e JOIN topic t ON true ` + ownerFrom,
		func(r *http.Request, b floorBody) []any {
			var subscribers, identifiers []string
			for _, raw := range b.Subscriptions {
				var item struct{ SubscriberID, Identifier string }
				_ = json.Unmarshal(raw, &item)
				subscribers, identifiers = append(subscribers, item.SubscriberID), append(identifiers, item.Identifier)
			}
			return []any{r.PathValue("topicKey"), subscribers, identifiers}
		},
	},
	"DELETE /v2/topics/{topicKey}/subscriptions": {
		`WITH e AS (DELETE FROM subscriptions WHERE topic_id = (SELECT id FROM topics WHERE environment_id = $1 AND key = $2)
			AND subscriber_id IN (SELECT id FROM subscribers WHERE environment_id = $1 AND subscriber_id = ANY ($3::text[]) AND NOT deleted) RETURNING *)
		SELECT json_build_object('data', json_agg(` + fullJSON(`'name', e.name`) + `), 'meta', json_build_object('totalCount', count(*), 'successful', count(*), 'failed', 0)) FROM e ` + fullFrom,
		func(r *http.Request, b floorBody) []any {
			return []any{r.PathValue("topicKey"), texts(b.Subscriptions)}
		},
	},
	"PATCH /v2/subscribers/{subscriberId}/preferences/bulk": {
		`WITH s AS (SELECT id FROM subscribers WHERE environment_id = $1 AND subscriber_id = $2 AND NOT deleted),
		wished AS (SELECT * FROM unnest($3::text[], $4::text[]) WITH ORDINALITY u (identifier, channels, n)),
		p AS (INSERT INTO preferences (id, created_at, updated_at, environment_id, context_keys, subscriber_id, workflow_id, channels)
			SELECT left(md5(s.id || w.id), 24), now(), now(), $1, '[]', s.id, w.id, u.channels::jsonb FROM s, wished u
			JOIN workflows w ON w.environment_id = $1 AND w.identifier = u.identifier AND NOT w.deleted
			ON CONFLICT (environment_id, subscriber_id, scope, workflow_id) DO UPDATE SET channels = preferences.channels || excluded.channels, updated_at = now() RETURNING *)
		SELECT json_agg(json_build_object('level', 'template', 'enabled', true, 'workflow', json_build_object('id', w.id, 'identifier', w.identifier, 'name', w.name,
			'critical', w.critical, 'tags', w.tags, 'severity', w.severity), 'channels', '{"email":true,"sms":true,"in_app":true,"chat":true,"push":true}' || p.channels) ORDER BY u.n)
		FROM p JOIN workflows w ON w.id = p.workflow_id JOIN wished u ON u.identifier = w.identifier`,
		func(r *http.Request, b floorBody) []any {
			var workflows, channels []string
			for _, raw := range b.Preferences {
				var item struct {
					WorkflowID string
					Channels   json.RawMessage
				}
				_ = json.Unmarshal(raw, &item)
				workflows, channels = append(workflows, item.WorkflowID), append(channels, string(item.Channels))
			}
			return []any{r.PathValue("subscriberId"), workflows, channels}
		},
	},
	"POST /v1/subscribers/{subscriberId}/messages/mark-as": {
		`-- A message carries the sequence that its inbox has come to, by which live inboxes find what is new.
		WITH n AS (SELECT subscriber_id, scope, count(*) n FROM messages WHERE id = ANY ($3) AND environment_id = $1 AND channel = 'in_app'
			AND subscriber_id = (SELECT id FROM subscribers WHERE environment_id = $1 AND subscriber_id = $2 AND NOT deleted) GROUP BY 1, 2),
		counted AS (UPDATE inbox_states i SET sequence = sequence + 1, updated_at = now(), unread = CASE WHEN $4 = 'read' THEN unread - n ELSE unread + n END
			FROM n WHERE i.environment_id = $1 AND i.subscriber_id = n.subscriber_id AND i.scope = n.scope RETURNING i.subscriber_id, i.scope, i.sequence),
		m AS (UPDATE messages m SET read = $4 = 'read', seen = seen OR $4 = 'read', last_read_at = now(), last_seen_at = now(), updated_at = now(), sequence = c.sequence
			FROM counted c WHERE m.id = ANY ($3) AND m.environment_id = $1 AND m.channel = 'in_app' AND m.subscriber_id = c.subscriber_id AND m.scope = c.scope RETURNING m.*)
		SELECT json_agg(json_build_object('_id', m.id, '_templateId', m.workflow_id, '_messageTemplateId', NULL, '_environmentId', m.environment_id, '_organizationId', $1::text,
			'_notificationId', notification_id, '_subscriberId', subscriber_id, 'templateIdentifier', workflow_identifier, 'createdAt', ` + stamp("m.created_at") + `,
			'deliveredAt', delivered_at, 'lastSeenDate', ` + stamp("last_seen_at") + `, 'lastReadDate', ` + stamp("last_read_at") + `, 'content', content -> 'text',
			'transactionId', m.transaction_id, 'subject', subject, 'channel', channel, 'read', read, 'seen', seen, 'providerId', provider_id, 'cta', cta, '_feedId', NULL,
			'status', m.status, 'payload', v.payload, 'overrides', v.overrides, 'contextKeys', m.context_keys)) FROM m JOIN events v ON v.id = m.event_id`,
		func(r *http.Request, b floorBody) []any {
			return []any{r.PathValue("subscriberId"), b.MessageID, b.MarkAs}
		},
	},
}

// routes adds the floor's routes.
func (f *floor) routes(mux *http.ServeMux) {
	for pattern, q := range floorQueries {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			var body floorBody
			if r.Method != http.MethodGet {
				_ = json.NewDecoder(r.Body).Decode(&body)
			}
			f.answer(w, r.Context(), q.sql, append([]any{f.environment}, q.args(r, body)...)...)
		})
	}
	mux.HandleFunc("GET /v1/channel-endpoints", func(w http.ResponseWriter, r *http.Request) {
		if subscriber := r.URL.Query().Get("subscriberId"); subscriber != "" {
			f.answer(w, r.Context(), listEndpoints(`environment_id = $1 AND subscriber_external_id = $2`), f.environment, subscriber)
			return
		}
		f.answer(w, r.Context(), listEndpoints(`environment_id = $1`), f.environment)
	})
	mux.HandleFunc("GET /v2/subscribers/{subscriberId}/preferences", f.preferences)
	mux.HandleFunc("GET /v2/workflows", f.workflows)
	mux.HandleFunc("POST /v1/events/trigger/bulk", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Events []json.RawMessage }
		_ = json.NewDecoder(r.Body).Decode(&body)
		f.answer(w, r.Context(), acceptEvents, f.environment, body.Events, "trigger", "normal")
	})
	mux.HandleFunc("POST /v1/events/trigger/broadcast", func(w http.ResponseWriter, r *http.Request) {
		var body json.RawMessage
		_ = json.NewDecoder(r.Body).Decode(&body)
		f.answer(w, r.Context(), acceptEvents, f.environment, []json.RawMessage{body}, "broadcast", "bulk")
	})
}

// acceptEvents writes what an accepted event is, with its workflow's version, in a table with the columns and indexes of the real one,
// because a query has to find it again. Its transactionId is generated, and so new. No worker is woken for it. A single trigger is compared
// with the bare insert of its bytes, which does less.
const acceptEvents = `WITH given AS MATERIALIZED (SELECT lpad(to_hex(nextval('bench_floor_id_seq')), 24, '0') id, doc FROM unnest($2::jsonb[]) doc),
written AS (INSERT INTO floor_events (id, created_at, updated_at, environment_id, context_keys, transaction_id, workflow_id, workflow_version_id, kind, lane,
		status, payload, overrides, recipients, actor, due_at, checkpoint)
	SELECT g.id, now(), now(), $1::text, '[]', 'txn_' || g.id, w.id, w.published_version_id, $3::text, $4::text, 'accepted', coalesce(doc -> 'payload', '{}'), doc -> 'overrides',
		doc -> 'to', doc -> 'actor', now() + interval '1 minute',
		CASE WHEN $3::text = 'broadcast' THEN jsonb_build_object('max_subscriber_id', (SELECT max(s.id) FROM subscribers s WHERE s.environment_id = $1::text)) END
	FROM given g JOIN workflows w ON w.environment_id = $1::text AND w.identifier = doc ->> 'name' AND NOT w.deleted RETURNING transaction_id)
SELECT json_agg(json_build_object('acknowledged', true, 'status', 'processed', 'transactionId', transaction_id)) FROM written`

// floorBody is what the floor reads of any body.
type floorBody struct {
	Name          string
	Preferences   []json.RawMessage
	Subscriptions []json.RawMessage
	MessageID     []string
	MarkAs        string
}

func texts(raw []json.RawMessage) []string {
	all := make([]string, len(raw))
	for i, r := range raw {
		_ = json.Unmarshal(r, &all[i])
	}
	return all
}

func path(name string) func(*http.Request, floorBody) []any {
	return func(r *http.Request, _ floorBody) []any { return []any{r.PathValue(name)} }
}

// answer sends the JSON that a query makes.
func (f *floor) answer(w http.ResponseWriter, ctx context.Context, sql string, args ...any) { //nolint:revive // a handler's order
	var body []byte
	err := f.db.QueryRow(ctx, sql, args...).Scan(&body)
	f.send(w, body, err)
}

func (f *floor) send(w http.ResponseWriter, body []byte, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(body)
}

// stamp is SQL for a timestamp as the documented API shows it.
func stamp(column string) string {
	return `to_char(` + column + ` AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

var endpointJSON = `json_build_object('identifier', e.identifier, 'channel', e.channel, 'providerId', e.provider_id, 'integrationIdentifier', e.integration_identifier,
	'connectionIdentifier', e.connection_identifier, 'subscriberId', e.subscriber_external_id, 'contextKeys', e.context_keys, 'type', e.type, 'endpoint', e.endpoint,
	'createdAt', ` + stamp("e.created_at") + `, 'updatedAt', ` + stamp("e.updated_at") + `)`

func listEndpoints(where string) string {
	return listJSON("channel_endpoints", where, "created_at DESC, id DESC", "e", endpointJSON)
}

// listJSON is the first page of a list.
func listJSON(table, where, order, from, item string) string {
	return `WITH page AS MATERIALIZED (SELECT * FROM ` + table + ` WHERE ` + where + ` ORDER BY ` + order + ` LIMIT 11),
		total AS (SELECT count(*) n FROM (SELECT FROM ` + table + ` WHERE ` + where + ` LIMIT 50001) c)
		SELECT json_build_object('data', (SELECT json_agg(` + item + `) FROM (SELECT * FROM page LIMIT 10) ` + from + `),
			'next', CASE WHEN (SELECT count(*) FROM page) > 10 THEN (SELECT id FROM page OFFSET 9 LIMIT 1) END, 'previous', NULL,
			'totalCount', least(n, 50000), 'totalCountCapped', n > 50000) FROM total`
}

const (
	ownerJSON = `json_build_object('_id', s.id, 'subscriberId', s.subscriber_id, 'avatar', s.avatar, 'firstName', s.first_name, 'lastName', s.last_name, 'email', s.email)`
	ownerFrom = `JOIN subscribers s ON s.id = e.subscriber_id`
	fullFrom  = `JOIN topics t ON t.id = e.topic_id ` + ownerFrom
)

func fullJSON(more string) string {
	return `json_build_object('_id', e.id, 'identifier', e.identifier, 'topic', json_build_object('_id', t.id, 'key', t.key, 'name', t.name), 'subscriber', ` + ownerJSON + `,
		'contextKeys', e.context_keys, 'createdAt', ` + stamp("e.created_at") + `, 'updatedAt', ` + stamp("e.updated_at") + `, ` + more + `)`
}

// floorChannels are a preference's channels, in the documented order of overrides.
var floorChannels = []string{"email", "sms", "in_app", "chat", "push"}

type floorPreference struct {
	Enabled   bool            `json:"enabled"`
	Channels  map[string]bool `json:"channels"`
	Overrides []floorOverride `json:"overrides"`
	Workflow  struct {
		Slug       string `json:"slug"`
		Identifier string `json:"identifier"`
		Name       string `json:"name"`
		UpdatedAt  string `json:"updatedAt"`
	} `json:"workflow"`
	UpdatedAt *string `json:"updatedAt,omitempty"`
}

type floorOverride struct {
	Channel string `json:"channel"`
	Source  string `json:"source"`
}

const readPreferences = `WITH s AS (SELECT id FROM subscribers WHERE environment_id = $1 AND subscriber_id = $2 AND NOT deleted)
SELECT w.id, w.identifier, w.name, w.updated_at, coalesce(v.definition -> 'preferences', '{}'), p.channels, p.updated_at, g.channels
FROM s JOIN workflows w ON w.environment_id = $1 AND NOT w.deleted AND w.active AND NOT w.critical
LEFT JOIN workflow_versions v ON v.id = w.published_version_id
LEFT JOIN preferences p ON p.environment_id = $1 AND p.subscriber_id = s.id AND p.scope = '' AND p.workflow_id = w.id
LEFT JOIN preferences g ON g.environment_id = $1 AND g.subscriber_id = s.id AND g.scope = '' AND g.workflow_id = ''
ORDER BY w.id`

func (f *floor) preferences(w http.ResponseWriter, r *http.Request) {
	rows, err := f.db.Query(r.Context(), readPreferences, f.environment, r.PathValue("subscriberId"))
	if err != nil {
		f.send(w, nil, err)
		return
	}
	var global map[string]bool
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p floorPreference, err error) {
		var workflowID string
		var changed time.Time
		var stored *time.Time
		var author, own map[string]bool
		if err := row.Scan(&workflowID, &p.Workflow.Identifier, &p.Workflow.Name, &changed, &author, &own, &stored, &global); err != nil {
			return p, fmt.Errorf("read: %w", err)
		}
		p.Enabled, p.Channels, p.Overrides = true, make(map[string]bool, 5), make([]floorOverride, 5)
		p.Workflow.Slug, p.Workflow.UpdatedAt = id.Slug(p.Workflow.Name, "wf", workflowID), milli(changed)
		for i, channel := range floorChannels {
			on, source := true, "template"
			for level, values := range []map[string]bool{own, global, author} {
				if value, set := values[channel]; set {
					on = value
					if level < 2 {
						source = "subscriber"
					}
					break
				}
			}
			p.Channels[channel], p.Overrides[i] = on, floorOverride{channel, source}
		}
		if stored != nil {
			at := milli(*stored)
			p.UpdatedAt = &at
		}
		return p, nil
	})
	channels := make(map[string]bool, 5)
	for _, channel := range floorChannels {
		value, set := global[channel]
		channels[channel] = !set || value
	}
	body, _ := json.Marshal(object{"global": object{"enabled": true, "channels": channels}, "workflows": all})
	f.send(w, body, err)
}

func milli(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

type floorWorkflow struct {
	ID                string       `json:"_id"`
	WorkflowID        string       `json:"workflowId"`
	Slug              string       `json:"slug"`
	Name              string       `json:"name"`
	Tags              []string     `json:"tags"`
	Status            string       `json:"status"`
	Origin            string       `json:"origin"`
	CreatedAt         string       `json:"createdAt"`
	UpdatedAt         string       `json:"updatedAt"`
	LastPublishedAt   *string      `json:"lastPublishedAt"`
	LastTriggeredAt   *string      `json:"lastTriggeredAt"`
	StepTypeOverviews []string     `json:"stepTypeOverviews"`
	Translated        bool         `json:"isTranslationEnabled"`
	Steps             []*floorStep `json:"steps"`
}

type floorStep struct {
	ID     string                                     `json:"id,omitempty"`
	Name   string                                     `json:"name,omitempty"`
	StepID string                                     `json:"stepId,omitempty"`
	Slug   string                                     `json:"slug"`
	Type   string                                     `json:"type"`
	Issues map[string]map[string][]map[string]*string `json:"issues,omitempty"`
}

const listWorkflows = `SELECT w.id, identifier, name, tags, status, origin, created_at, updated_at, last_published_at,
	nullif(last_triggered_at, 'epoch'), (SELECT jsonb_agg(jsonb_build_object('id', s -> 'id', 'name', s -> 'name', 'stepId', s -> 'stepId', 'type', s -> 'type'))
	FROM jsonb_array_elements(draft -> 'steps') s), issues, (SELECT count(*) FROM workflows WHERE environment_id = $1 AND NOT deleted)
FROM workflows w WHERE environment_id = $1 AND NOT deleted ORDER BY created_at DESC, id DESC LIMIT 50`

func (f *floor) workflows(w http.ResponseWriter, r *http.Request) {
	rows, err := f.db.Query(r.Context(), listWorkflows, f.environment)
	if err != nil {
		f.send(w, nil, err)
		return
	}
	var total int
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (item floorWorkflow, err error) {
		var created, changed time.Time
		var published, triggered *time.Time
		var issues []map[string]*string
		err = row.Scan(&item.ID, &item.WorkflowID, &item.Name, &item.Tags, &item.Status, &item.Origin, &created, &changed, &published, &triggered, &item.Steps, &issues, &total)
		item.Slug, item.Origin = id.Slug(item.Name, "wf", item.ID), "svc-"+item.Origin
		item.CreatedAt, item.UpdatedAt = milli(created), milli(changed)
		if published != nil {
			at := milli(*published)
			item.LastPublishedAt = &at
		}
		if triggered != nil {
			at := milli(*triggered)
			item.LastTriggeredAt = &at
		}
		if item.Tags == nil {
			item.Tags = []string{}
		}
		for _, step := range item.Steps {
			step.Slug = id.Slug(step.Name, "st", step.ID)
			item.StepTypeOverviews = append(item.StepTypeOverviews, step.Type)
			for _, issue := range issues {
				if *issue["stepId"] != step.StepID {
					continue
				}
				group, key := *issue["group"], *issue["key"]
				if step.Issues == nil {
					step.Issues = map[string]map[string][]map[string]*string{}
				}
				if step.Issues[group] == nil {
					step.Issues[group] = map[string][]map[string]*string{}
				}
				shown := map[string]*string{"issueType": issue["issueType"], "message": issue["message"]}
				if issue["variableName"] != nil {
					shown["variableName"] = issue["variableName"]
				}
				step.Issues[group][key] = append(step.Issues[group][key], shown)
			}
			step.ID, step.Name, step.StepID = "", "", ""
		}
		return item, err
	})
	body, _ := json.Marshal(object{"workflows": all, "totalCount": total})
	f.send(w, body, err)
}
