package pgfanout

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
	"github.com/carillon/carillon/internal/workflow"
)

// PageQuery asks for the next recipients of a streamed event.
type PageQuery struct {
	EnvironmentID string
	Topic         string // key; empty for a broadcast
	Scope         string // context set of the event
	WorkflowID    string
	After         string   // internal id of the subscriber reached last
	Max           string   // broadcast: newest subscriber that counts
	Earlier       []string // topics and audiences that were streamed before; their subscribers have a notification already
	EventID       string
	NewestEvent   string // late recipients of a broadcast: newest event that was accepted before it
	Limit         int    // subscriptions or subscribers
}

// PageRow is one subscription of a topic with its subscriber, or one subscriber of a broadcast.
type PageRow struct {
	pgsubscriber.SubscriberRow
	Subscription string         // identifier
	Enabled      *bool          // stored for the workflow; nil: nothing stored
	Condition    map[string]any // JSON Logic
	Reached      bool           // has a notification of the event already
	Gone         bool           // the subscriber is deleted, its subscriptions soon will be
	Workflow     *workflow.PreferenceLevel
	Global       *workflow.PreferenceLevel
}

// TopicPage reads the next subscriptions of a topic in exactly the scope, ordered by subscriber, with the preferences
// that decide. All subscriptions of a subscriber follow one another; the last subscriber of a full page may be cut. A page
// that is not full is the last.
// The page is cut along its index before anything is joined to it, and its size is part of the text: knowing neither,
// Postgres reads and sorts the whole topic for every page.
func TopicPage(ctx context.Context, q postgres.Querier, want PageQuery) ([]PageRow, error) {
	rows, err := q.Query(ctx, `SELECT `+pgsubscriber.SubscriberColumns+`, b.identifier, p.enabled, p.condition,
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
	return collectPage(rows, err, "read a page of a topic", want.Limit)
}

// Audience names the subscriptions of a topic in a context set, as a workflow's events reach them.
type Audience struct{ EnvironmentID, Topic, Scope, WorkflowID string }

var audienceColumns = bulk.Columns[Audience]{
	bulk.Field("env", func(a *Audience) *string { return &a.EnvironmentID }),
	bulk.Field("key", func(a *Audience) *string { return &a.Topic }),
	bulk.Field("scope", func(a *Audience) *string { return &a.Scope }),
	bulk.Field("workflow", func(a *Audience) *string { return &a.WorkflowID }),
}

// The topic of an audience is looked up by its unique key, and its subscriptions along their index: see readHeads.
const audienceTopic = `topic_id = (SELECT t.id FROM topics t WHERE t.environment_id = u.env AND t.key = u.key)`

var audienceSizes = bulk.New(`SELECT (SELECT count(*) FROM (SELECT FROM subscriptions WHERE `+audienceTopic+` AND scope = u.scope LIMIT @1) b)
FROM {rows} ORDER BY u.place`, audienceColumns.Pick("env", "key", "scope"))

// AudienceSizes are the numbers of subscriptions of audiences, each counted up to limit.
func AudienceSizes(ctx context.Context, q postgres.Querier, audiences []Audience, limit int) ([]int, error) {
	rows, err := q.Query(ctx, audienceSizes.Text, audienceSizes.Args(audiences, limit)...)
	return postgres.Collect(rows, err, "count the subscriptions of topics", pgx.RowTo[int])
}

var loadAudiences = bulk.New(`SELECT u.place::int - 1, `+pgsubscriber.SubscriberColumns+`, b.identifier, p.enabled, p.condition, s.deleted
FROM {rows}
CROSS JOIN LATERAL (SELECT id, identifier, subscriber_id FROM subscriptions WHERE `+audienceTopic+` AND scope = u.scope OFFSET 0) b
CROSS JOIN LATERAL (SELECT * FROM subscribers WHERE id = b.subscriber_id OFFSET 0) s
LEFT JOIN LATERAL (SELECT enabled, condition FROM subscription_preferences WHERE subscription_id = b.id AND workflow_id = u.workflow OFFSET 0) p ON true
ORDER BY u.place, b.subscriber_id, b.id`, audienceColumns)

// LoadAudiences reads whole audiences as TopicPage reads a page, in the order given and without preferences of subscribers.
func LoadAudiences(ctx context.Context, q postgres.Querier, audiences []Audience) ([][]PageRow, error) {
	loaded := make([][]PageRow, len(audiences))
	rows, err := q.Query(ctx, loadAudiences.Text, loadAudiences.Args(audiences)...)
	_, err = postgres.Collect(rows, err, "load the subscriptions of topics", func(r pgx.CollectableRow) (at int, err error) {
		var p PageRow
		if err := r.Scan(append(append([]any{&at}, pgsubscriber.SubscriberFields.Targets(&p.SubscriberRow)...), &p.Subscription, &p.Enabled, &p.Condition, &p.Gone)...); err != nil {
			return at, err
		}
		loaded[at] = append(loaded[at], p)
		return at, nil
	})
	return loaded, err
}

// BroadcastPage reads the next living subscribers of an environment by ascending id, with the preferences that decide.
func BroadcastPage(ctx context.Context, q postgres.Querier, want PageQuery) ([]PageRow, error) {
	rows, err := q.Query(ctx, `SELECT `+pgsubscriber.SubscriberColumns+`, '', NULL::boolean, NULL::jsonb, false, false,
	w.id IS NOT NULL, w.enabled, w.channels, g.id IS NOT NULL, g.enabled, g.channels
FROM (SELECT * FROM subscribers WHERE environment_id = $1 AND id > $4 AND id <= $5 AND NOT deleted ORDER BY id
	LIMIT `+strconv.Itoa(want.Limit)+`) s
LEFT JOIN preferences w ON w.environment_id = $1 AND w.subscriber_id = s.id AND w.scope = $2 AND w.workflow_id = $3
LEFT JOIN preferences g ON g.environment_id = $1 AND g.subscriber_id = s.id AND g.scope = $2 AND g.workflow_id = ''
ORDER BY s.id`, want.EnvironmentID, want.Scope, want.WorkflowID, want.After, want.Max)
	return collectPage(rows, err, "read a page of all subscribers", want.Limit)
}

type reader interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// ChosenPage reads the next subscribers of an environment up to want.Max by ascending id, or of a topic in exactly the scope, with
// the preferences that decide, for a filter that is applied afterwards. A page that is not full is the last. Deleted subscribers
// of a topic are among them.
func ChosenPage(ctx context.Context, q reader, want PageQuery) ([]PageRow, error) {
	page := `SELECT * FROM subscribers WHERE environment_id = $1 AND id > $4 AND id <= $5 AND NOT deleted ORDER BY id LIMIT ` + strconv.Itoa(want.Limit)
	args := []any{want.EnvironmentID, want.Scope, want.WorkflowID, want.After, want.Max, want.Earlier, want.EventID}
	if want.Topic != "" {
		page = `SELECT s.* FROM (SELECT DISTINCT subscriber_id FROM subscriptions
	WHERE topic_id = (SELECT id FROM topics WHERE environment_id = $1 AND key = $8) AND scope = $2 AND subscriber_id > $4 AND subscriber_id <= $5
	ORDER BY subscriber_id LIMIT ` + strconv.Itoa(want.Limit) + `) b JOIN subscribers s ON s.id = b.subscriber_id`
		args = append(args, want.Topic)
	}
	rows, err := q.Query(ctx, `SELECT `+pgsubscriber.SubscriberColumns+`, '', NULL::boolean, NULL::jsonb,
	cardinality($6::text[]) > 0 AND EXISTS (SELECT FROM notifications n WHERE n.event_id = $7 AND n.subscriber_id = s.id), s.deleted,
	w.id IS NOT NULL, w.enabled, w.channels, g.id IS NOT NULL, g.enabled, g.channels
FROM (`+page+`) s
LEFT JOIN preferences w ON w.environment_id = $1 AND w.subscriber_id = s.id AND w.scope = $2 AND w.workflow_id = $3
LEFT JOIN preferences g ON g.environment_id = $1 AND g.subscriber_id = s.id AND g.scope = $2 AND g.workflow_id = ''
ORDER BY s.id`, args...)
	return collectPage(rows, err, "read a page of an audience", want.Limit)
}

// collectPage reads all rows of a page. As in bulk.Columns.Collect they are scanned to one place.
func collectPage(rows pgx.Rows, err error, what string, limit int) ([]PageRow, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	var p PageRow
	var hasWorkflow, hasGlobal bool
	var w, g preferenceColumns
	targets := append(pgsubscriber.SubscriberFields.Targets(&p.SubscriberRow), &p.Subscription, &p.Enabled, &p.Condition, &p.Reached, &p.Gone,
		&hasWorkflow, &w.enabled, &w.channels, &hasGlobal, &g.enabled, &g.channels)
	page := make([]PageRow, 0, limit)
	if _, err = pgx.ForEachRow(rows, targets, func() error {
		p.Workflow, p.Global = w.level(hasWorkflow), g.level(hasGlobal)
		page = append(page, p)
		p, w, g = PageRow{}, preferenceColumns{}, preferenceColumns{}
		return nil
	}); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return page, nil
}

// preferenceColumns are the columns of a preference that may be missing.
type preferenceColumns struct {
	enabled  *bool
	channels *workflow.ChannelPreferences
}

func (c preferenceColumns) level(exists bool) *workflow.PreferenceLevel {
	if !exists || c.channels == nil {
		return nil
	}
	return &workflow.PreferenceLevel{Enabled: c.enabled, Channels: *c.channels}
}

// TopicSubscriptions reads what TopicPage reads of named subscribers, by internal id.
func TopicSubscriptions(ctx context.Context, q postgres.Querier, want PageQuery, subscribers []string) ([]PageRow, error) {
	rows, err := q.Query(ctx, `SELECT `+pgsubscriber.SubscriberColumns+`, b.identifier, p.enabled, p.condition, false, false,
	false, NULL::boolean, NULL::jsonb, false, NULL::boolean, NULL::jsonb
FROM topics t
JOIN subscriptions b ON b.topic_id = t.id AND b.scope = $3 AND b.subscriber_id = ANY($5)
JOIN subscribers s ON s.id = b.subscriber_id AND NOT s.deleted
LEFT JOIN subscription_preferences p ON p.subscription_id = b.id AND p.workflow_id = $4
WHERE t.environment_id = $1 AND t.key = $2`, want.EnvironmentID, want.Topic, want.Scope, want.WorkflowID, subscribers)
	return collectPage(rows, err, "read subscriptions", len(subscribers))
}

// SubscribersUpTo counts the living subscribers of an environment up to an id, at most limit.
func SubscribersUpTo(ctx context.Context, q postgres.Querier, environmentID, newest string, limit int) (n int, err error) {
	rows, err := q.Query(ctx, `SELECT count(*)::int FROM (SELECT FROM subscribers WHERE environment_id = $1 AND id <= $2 AND NOT deleted LIMIT $3) s`, environmentID, newest, limit)
	list, err := postgres.Collect(rows, err, "count subscribers", pgx.RowTo[int])
	if len(list) > 0 {
		n = list[0]
	}
	return n, err
}
