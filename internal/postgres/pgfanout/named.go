package pgfanout

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgsubscriber"
)

// A broadcast reaches those that were named by events accepted before it, although their fan-out, which creates them, may
// still be to come (semantics.md §11.34).

// NamedRow is an event of the time before a broadcast. Recipients and Actor are JSON, not decoded, since the event may be
// one that fails; both are nil when its fan-out has created them already.
type NamedRow struct {
	ID                string
	Recipients, Actor []byte
}

// oldestWaiting is hidden behind OFFSET 0: for a minimum Postgres would walk the environment's events from the first one.
const oldestWaiting = `SELECT coalesce(min(id), '') FROM (SELECT id FROM events
	WHERE environment_id = $1 AND due_at IS NOT NULL AND status = 'accepted' OFFSET 0) e WHERE id <= $2 AND id <> $3`

// OldestWaiting is the oldest event of an environment up to newest that still waits for its fan-out, one left out; "" when
// none does.
func OldestWaiting(ctx context.Context, q postgres.Querier, environmentID, newest, but string) (string, error) {
	rows, err := q.Query(ctx, oldestWaiting, environmentID, newest, but)
	return first(rows, err, "look for events that wait")
}

// NamedPage reads the next events of an environment between two ids, the first excluded, by ascending id. One of them is
// taken as the name of no subscriber.
func NamedPage(ctx context.Context, q postgres.Querier, environmentID, after, newest, but string, limit int) ([]NamedRow, error) {
	rows, err := q.Query(ctx, `SELECT id, CASE WHEN waits THEN recipients::text END, CASE WHEN waits THEN actor::text END
FROM (SELECT e.*, id <> $4 AND status = 'accepted' AND checkpoint ->> 'started' IS NULL AS waits FROM events e
	WHERE environment_id = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT `+strconv.Itoa(limit)+`) e ORDER BY id`, environmentID, after, newest, but)
	return postgres.Collect(rows, err, "read the events before a broadcast", func(r pgx.CollectableRow) (n NamedRow, err error) {
		return n, r.Scan(&n.ID, &n.Recipients, &n.Actor)
	})
}

// ReachedSubscribers are those of the named subscribers, by internal id, that an event has made a notification for.
func ReachedSubscribers(ctx context.Context, q postgres.Querier, eventID string, subscribers []string) ([]string, error) {
	rows, err := q.Query(ctx, `SELECT subscriber_id FROM notifications WHERE event_id = $1 AND subscriber_id = ANY($2)`, eventID, subscribers)
	return postgres.Collect(rows, err, "find notifications", pgx.RowTo[string])
}

// LatePage is BroadcastPage for the subscribers that came into being after the broadcast was accepted and that another event
// from before it, at most want.NewestEvent, named. Those that it has reached already are left out.
func LatePage(ctx context.Context, q postgres.Querier, want PageQuery) ([]PageRow, error) {
	rows, err := q.Query(ctx, `SELECT `+pgsubscriber.SubscriberColumns+`, '', NULL::boolean, NULL::jsonb, false, false,
	w.id IS NOT NULL, w.enabled, w.channels, g.id IS NOT NULL, g.enabled, g.channels
FROM (SELECT * FROM subscribers s WHERE environment_id = $1 AND id > $4 AND NOT deleted
	AND named_by <= $5 AND named_by <> $6
	AND NOT EXISTS (SELECT FROM notifications n WHERE n.event_id = $6 AND n.subscriber_id = s.id)
	ORDER BY id LIMIT `+strconv.Itoa(want.Limit)+`) s
LEFT JOIN preferences w ON w.environment_id = $1 AND w.subscriber_id = s.id AND w.scope = $2 AND w.workflow_id = $3
LEFT JOIN preferences g ON g.environment_id = $1 AND g.subscriber_id = s.id AND g.scope = $2 AND g.workflow_id = ''
ORDER BY s.id`, want.EnvironmentID, want.Scope, want.WorkflowID, want.After, want.NewestEvent, want.EventID)
	return collectPage(rows, err, "read a page of late subscribers", want.Limit)
}

// ParkedRow is a NamedRow with its environment.
type ParkedRow struct {
	NamedRow
	EnvironmentID string
}

// ReadNamed reads whom an event names; nil when there is no such event.
func ReadNamed(ctx context.Context, q postgres.Querier, eventID string) (*ParkedRow, error) {
	rows, err := q.Query(ctx, `SELECT id, environment_id, recipients::text, actor::text FROM events WHERE id = $1`, eventID)
	list, err := postgres.Collect(rows, err, "read whom an event names", func(r pgx.CollectableRow) (p ParkedRow, err error) {
		return p, r.Scan(&p.ID, &p.EnvironmentID, &p.Recipients, &p.Actor)
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
