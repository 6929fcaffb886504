package pginbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/inboxstate"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/viewer"
)

// InboxKey names one inbox: of one subscriber in one context set.
type InboxKey struct {
	SubscriberID id.ID
	ScopeKey     string // workflow.ContextSet.Scope
}

// InboxQuestion asks what changed in an inbox after a sequence, the oldest changes first, at most Limit.
type InboxQuestion struct {
	viewer.Scope
	InboxKey
	After int64
	Limit int
}

// InboxStep is one message of an inbox that changed, or is gone. A message that changed several times is listed once, where
// it changed last.
type InboxStep struct {
	MessageID id.ID
	Sequence  int64
	Message   *ent.Message // as it is now; nil: gone
}

// InboxNews answers an InboxQuestion; all of it is of one instant.
type InboxNews struct {
	Steps []InboxStep
	State *ent.InboxState // nil while the inbox never held a message
}

var inboxQuestions = bulk.Columns[InboxQuestion]{
	bulk.Field("environment_id", func(q *InboxQuestion) *string { return &q.EnvironmentID }),
	bulk.Field("subscriber_id", func(q *InboxQuestion) *string { return &q.SubscriberID }),
	bulk.Field("scope", func(q *InboxQuestion) *string { return &q.ScopeKey }),
	bulk.Field("after", func(q *InboxQuestion) *int64 { return &q.After }),
	bulk.Field("most", func(q *InboxQuestion) *int { return &q.Limit }),
}

var (
	changedSince = bulk.New(`SELECT u.place, `+postgres.Selected("m", message.Columns)+` FROM {rows} CROSS JOIN LATERAL (SELECT * FROM messages m
		WHERE m.subscriber_id = u.subscriber_id AND m.channel = 'in_app' AND m.sequence > u.after AND m.environment_id = u.environment_id AND m.scope = u.scope
		ORDER BY m.sequence LIMIT u.most) m`, inboxQuestions)
	removedSince = bulk.New(`SELECT u.place, r.message_id, r.sequence FROM {rows} CROSS JOIN LATERAL (SELECT * FROM inbox_removals r
		WHERE r.environment_id = u.environment_id AND r.subscriber_id = u.subscriber_id AND r.scope = u.scope AND r.sequence > u.after
		ORDER BY r.sequence LIMIT u.most) r`, inboxQuestions)
	inboxesNow = bulk.New(`SELECT u.place, `+postgres.Selected("s", inboxstate.Columns)+` FROM {rows} CROSS JOIN LATERAL (SELECT * FROM inbox_states s
		WHERE s.environment_id = u.environment_id AND s.subscriber_id = u.subscriber_id AND s.scope = u.scope OFFSET 0) s`,
		inboxQuestions.Pick("environment_id", "subscriber_id", "scope"))
)

// ReadInboxNews answers what changed in inboxes of any environments, in one round trip.
func ReadInboxNews(ctx context.Context, db *postgres.DB, questions []InboxQuestion) ([]InboxNews, error) {
	var changed []*struct {
		Place int
		ent.Message
	}
	var removed []*struct {
		Place     int
		MessageID id.ID
		Sequence  int64
	}
	var states []*struct {
		Place int
		ent.InboxState
	}
	batch := &pgx.Batch{}
	// What is read of one inbox must be of one instant: a removal must not be reported without the changes of its commit.
	batch.Queue("begin isolation level repeatable read read only")
	changedSince.Queue(batch, questions).Query(postgres.Into(&changed))
	removedSince.Queue(batch, questions).Query(postgres.Into(&removed))
	inboxesNow.Queue(batch, questions).Query(postgres.Into(&states))
	batch.Queue("commit")
	if err := db.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, postgres.Translate(fmt.Errorf("read the changes of inboxes: %w", err))
	}
	news := make([]InboxNews, len(questions))
	for _, c := range changed {
		n := &news[c.Place-1]
		n.Steps = append(n.Steps, InboxStep{c.ID, c.Message.Sequence, &c.Message})
	}
	for _, r := range removed {
		n := &news[r.Place-1]
		n.Steps = append(n.Steps, InboxStep{MessageID: r.MessageID, Sequence: r.Sequence})
	}
	for _, s := range states {
		news[s.Place-1].State = &s.InboxState
	}
	for i := range news {
		slices.SortFunc(news[i].Steps, func(a, b InboxStep) int {
			return cmp.Or(cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.MessageID, b.MessageID))
		})
		news[i].Steps = news[i].Steps[:min(len(news[i].Steps), questions[i].Limit)]
	}
	return news, nil
}

const setPresence = `UPDATE subscribers s SET is_online = u.online, last_online_at = $1
FROM unnest($2::text[], $3::bool[]) AS u(id, online) WHERE s.id = u.id`

// SetPresence records who of the subscribers with these internal ids is online, in any environment: the caller has their
// inboxes open.
func SetPresence(ctx context.Context, db *postgres.DB, now time.Time, ids []id.ID, online []bool) error {
	if _, err := db.Pool.Exec(ctx, setPresence, now, ids, online); err != nil {
		return postgres.Translate(fmt.Errorf("record presence: %w", err))
	}
	return nil
}

// EndPresence takes subscribers for offline, in any environment, who were not reported online since before:
// their process died.
func EndPresence(ctx context.Context, db *postgres.DB, before time.Time, limit int) error {
	_, err := db.Pool.Exec(ctx, `UPDATE subscribers SET is_online = false WHERE id IN (SELECT id FROM subscribers
	WHERE is_online AND last_online_at < $1 ORDER BY last_online_at LIMIT $2 FOR UPDATE SKIP LOCKED)`, before, limit)
	if err != nil {
		return postgres.Translate(fmt.Errorf("end presence: %w", err))
	}
	return nil
}
