package pgalert

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/workflow"
)

// Bounds of what is read for one rule.
const (
	sampled  = 10_000 // latest messages of a window that a failure rate looks at; of a workflow: of as many of its runs
	latest   = 1_000  // latest runs of a workflow among which its latest message is looked for
	overdue  = 10_000 // oldest due rows of each table that lags are taken from
	overRead = 2      // times the threshold: how far a volume is counted

	sampledVolume = 100_000 // latest messages of a window that are counted by subscriber; of a workflow: of as many of its runs
	loudest       = 100     // subscribers with most messages of a window
)

// SubscriberVolume is how many messages a subscriber got in a window.
type SubscriberVolume struct {
	ID, SubscriberID string // internal, and that of the application
	Messages         int
}

// Counts is what was counted for a rule.
type Counts struct {
	Loudest                               []SubscriberVolume // the subscribers with most messages of the window, at most 100, the loudest first
	Messages, Finished, Failed, Unhealthy int
	Latest                                *time.Time // when the latest message was made
	OldestDue                             *time.Time
	Unknown                               bool // what the rule is about does not exist, or more is due than is looked at
}

// Count counts what rules are judged by at an instant, in one statement per kind of condition. The results are in the order of the rules.
func Count(ctx context.Context, q postgres.Querier, rules []Rule, now time.Time) ([]Counts, error) {
	counts, kinds := make([]Counts, len(rules)), map[workflow.AlertCondition]*questions{}
	for i := range rules {
		scope, of, missing := rules[i].Scope()
		if counts[i].Unknown = missing; missing {
			continue
		}
		kind := kinds[rules[i].Condition]
		if kind == nil {
			kind = &questions{}
			kinds[rules[i].Condition] = kind
		}
		kind.add(i, &rules[i], scope, of, now)
	}
	for _, kind := range []struct {
		condition workflow.AlertCondition
		count     func(context.Context, postgres.Querier, *questions, []Counts) error
	}{
		{workflow.AlertFailureRate, countOutcomes},
		{workflow.AlertVolume, countMessages},
		{workflow.AlertSubscriberVolume, countBySubscriber},
		{workflow.AlertNoMessages, findLatest},
		{workflow.AlertUnhealthyIntegration, countUnhealthy},
		{workflow.AlertLag, findLag},
	} {
		if of := kinds[kind.condition]; of != nil {
			if err := kind.count(ctx, q, of, counts); err != nil {
				return nil, err
			}
		}
	}
	return counts, nil
}

// questions are what is asked about rules of one kind, as columns.
type questions struct {
	rules                         []int // places in the list of rules
	environments, scopes, of, low []string
	most                          []int
}

func (q *questions) add(place int, r *Rule, scope Scope, of string, now time.Time) {
	q.rules, q.environments, q.scopes, q.of = append(q.rules, place), append(q.environments, r.EnvironmentID), append(q.scopes, string(scope)), append(q.of, of)
	low, most := "", sampled
	switch r.Condition {
	case workflow.AlertVolume:
		most = int(math.Ceil(r.Threshold)) * overRead
	case workflow.AlertSubscriberVolume:
		most = sampledVolume
	case workflow.AlertNoMessages:
		if most = 1; scope == ScopeWorkflow {
			most = latest
		}
	}
	if r.Condition.Windowed() {
		low = id.Floor(now.Add(-time.Duration(r.Window) * time.Minute))
	}
	q.low, q.most = append(q.low, low), append(q.most, most)
}

func (q *questions) args() []any {
	return []any{q.rules, q.environments, q.scopes, q.of, q.low, q.most}
}

// asked are the questions as a table; each rule is one row.
const asked = `unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[]) AS q (rule, environment, scope, name, low, most)`

// latestOf are the ids of the latest rows of a table that a question is about. They are read backwards along an index whose columns, the id
// behind them, are named: pairs and triples are compared so that no other index serves, and each column so that the scan ends where one
// changes. No comparison of ids may end it, for which another index would serve. So a limit has to, beyond which what is older than the
// period is not read: a part of q.most where the period ends within that. The index of integrations has no rows without one.
func latestOf(table string, columns, values []string) string {
	condition, order := columns[0]+" IS NOT NULL", ""
	for i, column := range columns {
		condition, order = condition+" AND "+column+" = "+values[i], order+column+" DESC, "
	}
	rows := `SELECT id FROM ` + table + ` WHERE ` + condition + ` AND (` + strings.Join(columns, ", ") + `, id) < (` + strings.Join(values, ", ") + `, '~')
		ORDER BY ` + order + `id DESC`
	return `(SELECT r.id FROM (` + rows + ` LIMIT CASE WHEN (` + rows + ` OFFSET q.most / 16 LIMIT 1) >= q.low THEN q.most ELSE q.most / 16 END) r
		WHERE r.id >= q.low)`
}

// messageIDs are the ids of the latest messages that a question is about, each scope in a branch of its own.
var messageIDs = strings.Join([]string{
	`SELECT id FROM ` + latestOf("messages", []string{"environment_id"}, []string{"q.environment"}) + ` e WHERE q.scope = 'environment'`,
	`SELECT id FROM ` + latestOf("messages", []string{"environment_id", "channel"}, []string{"q.environment", "q.name"}) + ` c WHERE q.scope = 'channel'`,
	`SELECT id FROM ` + latestOf("messages", []string{"integration_id"}, []string{"q.name"}) + ` i WHERE q.scope = 'integration'`,
	`(SELECT m.id FROM ` + latestOf("notifications", []string{"environment_id", "workflow_id"}, []string{"q.environment", "q.name"}) + ` n
		JOIN messages m ON m.notification_id = n.id WHERE q.scope = 'workflow' LIMIT q.most)`,
}, "\n\tUNION ALL ")

// ofMessages is a column of those messages, which is looked up for each.
func ofMessages(column string) string {
	return `SELECT (SELECT m.` + column + ` FROM messages m WHERE m.id = i.id) AS ` + column + ` FROM (` + messageIDs + `) i`
}

var outcomes = `SELECT q.rule, count(m.status)::int, count(m.status) FILTER (WHERE m.status = 'error')::int FROM ` + asked + `
LEFT JOIN LATERAL (SELECT * FROM (` + ofMessages("status") + `) m WHERE m.status IN ('sent', 'warning', 'error')) m ON true GROUP BY q.rule`

func countOutcomes(ctx context.Context, q postgres.Querier, of *questions, counts []Counts) error {
	rows, err := q.Query(ctx, outcomes, of.args()...)
	return each(rows, err, "count outcomes of messages", func(row pgx.Row, rule *int) error {
		var finished, failed int
		err := row.Scan(rule, &finished, &failed)
		counts[*rule].Finished, counts[*rule].Failed = finished, failed
		return err
	})
}

var volumes = `SELECT q.rule, m.count FROM ` + asked + `
CROSS JOIN LATERAL (SELECT count(*)::int AS count FROM (` + messageIDs + `) m) m`

func countMessages(ctx context.Context, q postgres.Querier, of *questions, counts []Counts) error {
	rows, err := q.Query(ctx, volumes, of.args()...)
	return each(rows, err, "count messages for alert rules", func(row pgx.Row, rule *int) error {
		var n int
		err := row.Scan(rule, &n)
		counts[*rule].Messages = n
		return err
	})
}

var bySubscriber = `SELECT q.rule, m.subscriber_id, coalesce((SELECT s.subscriber_id FROM subscribers s WHERE s.id = m.subscriber_id), ''), m.count FROM ` + asked + `
CROSS JOIN LATERAL (SELECT m.subscriber_id, count(*)::int AS count FROM (` + ofMessages("subscriber_id") + `) m
	GROUP BY m.subscriber_id ORDER BY count(*) DESC, m.subscriber_id LIMIT $7) m
ORDER BY q.rule, m.count DESC, m.subscriber_id`

func countBySubscriber(ctx context.Context, q postgres.Querier, of *questions, counts []Counts) error {
	rows, err := q.Query(ctx, bySubscriber, append(of.args(), loudest)...)
	return each(rows, err, "count messages by subscriber", func(row pgx.Row, rule *int) error {
		var s SubscriberVolume
		err := row.Scan(rule, &s.ID, &s.SubscriberID, &s.Messages)
		counts[*rule].Loudest = append(counts[*rule].Loudest, s)
		return err
	})
}

// The instant comes from the id: created_at follows the clock of the environment.
var newest = `SELECT q.rule, coalesce(m.latest, '') FROM ` + asked + `
CROSS JOIN LATERAL (SELECT max(m.id) AS latest FROM (` + messageIDs + `) m) m`

func findLatest(ctx context.Context, q postgres.Querier, of *questions, counts []Counts) error {
	rows, err := q.Query(ctx, newest, of.args()...)
	return each(rows, err, "find latest messages", func(row pgx.Row, rule *int) error {
		var found string
		err := row.Scan(rule, &found)
		if found != "" {
			at := id.Time(found)
			counts[*rule].Latest = &at
		}
		return err
	})
}

const unhealthy = `SELECT q.rule, count(g.id)::int FROM ` + asked + `
LEFT JOIN integrations g ON g.environment_id = q.environment AND NOT g.deleted AND g.active AND g.breaker <> 'closed'
	AND (q.scope = 'environment' OR q.scope = 'channel' AND g.channel = q.name OR q.scope = 'integration' AND g.id = q.name)
GROUP BY q.rule`

func countUnhealthy(ctx context.Context, q postgres.Querier, of *questions, counts []Counts) error {
	rows, err := q.Query(ctx, unhealthy, of.args()...)
	return each(rows, err, "count unhealthy integrations", func(row pgx.Row, rule *int) error {
		var n int
		err := row.Scan(rule, &n)
		counts[*rule].Unhealthy = n
		return err
	})
}

// The oldest due rows of all environments are read once for all rules. An environment of which none is among them has no lag, unless there
// are more than are read. What a frozen clock makes due waits for that clock: nothing is known there.
const lags = `WITH due AS MATERIALIZED (
	(SELECT environment_id, due_at FROM messages WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT $7)
	UNION ALL (SELECT environment_id, due_at FROM notifications WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT $7)
	UNION ALL (SELECT v.environment_id, v.due_at FROM unnest(ARRAY['urgent', 'normal', 'bulk']) AS l (lane)
		CROSS JOIN LATERAL (SELECT environment_id, due_at FROM events WHERE lane = l.lane AND due_at <= clock_timestamp() ORDER BY due_at LIMIT $7) v))
SELECT q.rule, (SELECT min(d.due_at) FROM due d WHERE d.environment_id = q.environment),
	(SELECT count(*) FROM due) >= $7, (SELECT e.clock_at IS NOT NULL FROM environments e WHERE e.id = q.environment)
FROM ` + asked

func findLag(ctx context.Context, q postgres.Querier, of *questions, counts []Counts) error {
	rows, err := q.Query(ctx, lags, append(of.args(), overdue)...)
	return each(rows, err, "find the oldest due rows", func(row pgx.Row, rule *int) error {
		var oldest *time.Time
		var full, frozen bool
		err := row.Scan(rule, &oldest, &full, &frozen)
		counts[*rule].OldestDue, counts[*rule].Unknown = oldest, frozen || full && oldest == nil
		return err
	})
}

// each reads rows whose first column is the place of a rule.
func each(rows pgx.Rows, err error, doing string, read func(row pgx.Row, rule *int) error) error {
	_, err = postgres.Collect(rows, err, doing, func(row pgx.CollectableRow) (rule int, err error) {
		err = read(row, &rule)
		return rule, err
	})
	return err
}
