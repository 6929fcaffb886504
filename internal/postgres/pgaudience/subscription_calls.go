package pgaudience

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/ent/subscription"
	"github.com/carillon/carillon/ent/topic"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// SubscriptionCall names what a call that makes or ends subscriptions of a topic is about.
type SubscriptionCall struct {
	viewer.Scope
	TopicKey    string
	Subscribers []string // external ids
	Identifiers []string // of subscriptions
}

// TopicState is what such a call finds.
type TopicState struct {
	Topic         *ent.Topic // nil: there is none
	Subscribers   []*ent.Subscriber
	Subscriptions []*ent.Subscription // of the topic, those named by identifier or subscriber
	Chosen        []*ent.Workflow
}

const (
	createTopic = `INSERT INTO topics (id, created_at, updated_at, environment_id, key, name) SELECT $3::text, $4::timestamptz, $4, $1::text, $2::text, $5::text
		WHERE NOT EXISTS (SELECT FROM topics WHERE environment_id = $1::text AND key = $2::text) ON CONFLICT (environment_id, key) DO NOTHING`
	renameTopic = `UPDATE topics SET name = $3, updated_at = $4 WHERE environment_id = $1 AND key = $2 AND name IS DISTINCT FROM $3`
	// lockSubscribers takes its locks in sorted order. Two pairs may share a lock, which only costs time.
	lockSubscribers = `SELECT pg_advisory_xact_lock(l.key) FROM (SELECT hashtextextended('subscriptions ' || t.id || ' ' || s.id, 0) AS key
		FROM topics t JOIN subscribers s ON s.environment_id = $1 AND s.subscriber_id = ANY ($3::text[]) AND NOT s.deleted
		WHERE t.environment_id = $1 AND t.key = $2 ORDER BY 1 OFFSET 0) l`
	topicID          = `(SELECT t.id FROM topics t WHERE t.environment_id = $1 AND t.key = $2)`
	namedSubscribers = `ARRAY(SELECT s.id FROM subscribers s WHERE s.environment_id = $1 AND s.subscriber_id = ANY ($3::text[]) AND NOT s.deleted)`
	subscriptionIDs  = `ARRAY(SELECT x.id FROM subscriptions x WHERE x.environment_id = $1 AND x.topic_id = ` + topicID + ` AND x.identifier = ANY ($4::text[]))
		|| ARRAY(SELECT x.id FROM unnest(` + namedSubscribers + `) o JOIN subscriptions x ON x.environment_id = $1 AND x.subscriber_id = o AND x.topic_id = ` + topicID + `)`
)

var (
	livingSubscribers  = `SELECT ` + postgres.Selected("o", subscriber.Columns) + ` FROM subscribers o WHERE o.environment_id = $1 AND o.subscriber_id = ANY ($2::text[]) AND NOT o.deleted`
	namedSubscriptions = `SELECT ` + postgres.Selected("e", subscription.Columns) + ` FROM subscriptions e WHERE e.environment_id = $1 AND e.id = ANY (` + subscriptionIDs + `)`
	ownersOfNamed      = `SELECT ` + postgres.Selected("o", subscriber.Columns) + ` FROM subscribers o WHERE o.environment_id = $1 AND o.id = ANY (` + namedSubscribers + `
		|| ARRAY(SELECT x.subscriber_id FROM subscriptions x WHERE x.environment_id = $1 AND x.topic_id = ` + topicID + ` AND x.identifier = ANY ($4::text[])))`
	// topicOfKey holds the topic against its deletion, which takes the subscriptions along in an order of its own.
	topicOfKey = `SELECT ` + postgres.Selected("t", topic.Columns) + ` FROM topics t WHERE t.environment_id = $1 AND t.key = $2 FOR KEY SHARE`
)

// NewTopic is what a call that makes subscriptions brings for their topic.
type NewTopic struct {
	Name     *string // nil: as it is
	Contexts []workflow.ContextRef
	Choice   *WorkflowChoice // nil: none
	At       time.Time
}

// topicTries bounds how often MakeTopic begins again for a topic that is deleted before it is locked.
const topicTries = 5

// MakeTopic makes the topic and the contexts that do not exist, renames the topic, and makes everybody else who changes
// the subscriptions of one of these subscribers to it wait until the transaction ends, so that their number can be
// counted and bounded; so does who deletes the topic. It answers what is there then.
func MakeTopic(ctx context.Context, b *postgres.Batch, c SubscriptionCall, in NewTopic) (*TopicState, error) {
	for range topicTries {
		state, err := makeTopic(ctx, b, c, in)
		if err != nil || state.Topic != nil { // else another transaction has deleted it meanwhile
			return state, err
		}
	}
	return nil, fmt.Errorf("make a topic: %w", postgres.Again("it is deleted again and again"))
}

func makeTopic(ctx context.Context, b *postgres.Batch, c SubscriptionCall, in NewTopic) (*TopicState, error) {
	batch, state := &pgx.Batch{}, &TopicState{}
	batch.Queue(createTopic, c.EnvironmentID, c.TopicKey, id.New(in.At), in.At, in.Name)
	if in.Name != nil {
		batch.Queue(renameTopic, c.EnvironmentID, c.TopicKey, *in.Name, in.At)
	}
	queueKnownContexts(batch, c.Scope, in.Contexts)
	batch.Queue(topicOfKey, c.EnvironmentID, c.TopicKey).Query(postgres.One(&state.Topic))
	batch.Queue(livingSubscribers, c.EnvironmentID, c.Subscribers).Query(postgres.Into(&state.Subscribers))
	batch.Queue(lockSubscribers, c.EnvironmentID, c.TopicKey, c.Subscribers)
	batch.Queue(namedSubscriptions, c.arguments()...).Query(postgres.Into(&state.Subscriptions))
	if in.Choice != nil {
		batch.Queue(livingWorkflows, c.EnvironmentID, in.Choice.IDs, in.Choice.Identifiers, in.Choice.Tags).Query(postgres.Into(&state.Chosen))
	}
	if err := b.Send(ctx, batch); err != nil {
		return nil, fmt.Errorf("make a topic: %w", err)
	}
	return state, nil
}

func (c SubscriptionCall) arguments() []any {
	return []any{c.EnvironmentID, c.TopicKey, c.Subscribers, c.Identifiers}
}

// NewSubscriptions are rows of one topic and context set, with the preferences that each of them gets.
type NewSubscriptions struct {
	Audit       postgres.AuditEntry // its RecordID is the topic's
	ContextKeys []string
	ScopeKey    string
	Rows        []NewSubscription
	Preferences []NewSubscriptionPreference
	At          time.Time
	// Shown are the ids of subscriptions whose preferences the answer shows.
	Shown []id.ID
}

// MadeSubscriptions are what became of NewSubscriptions.
type MadeSubscriptions struct {
	Stored      map[id.ID]bool
	Preferences []*ent.SubscriptionPreference
	Workflows   []*ent.Workflow // of those preferences
}

// MakeSubscriptions ends the transaction with new subscriptions. An identifier that another transaction took in the
// meantime is left out.
func MakeSubscriptions(ctx context.Context, b *postgres.Batch, in NewSubscriptions) (*MadeSubscriptions, error) {
	batch, made := &pgx.Batch{}, &MadeSubscriptions{Stored: map[id.ID]bool{}}
	if len(in.Rows) > 0 {
		in.queue(batch, made)
		ids := make([]id.ID, len(in.Rows))
		for i, row := range in.Rows {
			ids[i] = row.ID
		}
		queueSubscriptionPreferences(batch, in.Audit.Scope, ids, in.At, in.Preferences)
		postgres.QueueAudit(batch, in.Audit)
	}
	if len(in.Shown) > 0 {
		batch.Queue(selectSubscriptionPreferences+`p.subscription_id = ANY ($2::text[]) ORDER BY p.position`, in.Audit.EnvironmentID, in.Shown).Query(postgres.Into(&made.Preferences))
		batch.Queue(workflowSummary+` WHERE w.environment_id = $1 AND w.id IN (SELECT p.workflow_id FROM subscription_preferences p
			WHERE p.environment_id = $1 AND p.subscription_id = ANY ($2::text[]))`, in.Audit.EnvironmentID, in.Shown).Query(postgres.Into(&made.Workflows))
	}
	if err := b.End(ctx, batch); err != nil {
		return nil, fmt.Errorf("make subscriptions: %w", err)
	}
	return made, nil
}

const deleteSubscriptions = `DELETE FROM subscriptions WHERE environment_id = $1 AND id = ANY ($2::text[])`

// LockSubscriptions locks the subscriptions that a call names, in order of their ids, and answers them with their
// subscribers. Who deletes the topic waits.
func LockSubscriptions(ctx context.Context, b *postgres.Batch, c SubscriptionCall) (*TopicState, error) {
	batch, state := &pgx.Batch{}, &TopicState{}
	batch.Queue(topicOfKey, c.EnvironmentID, c.TopicKey).Query(postgres.One(&state.Topic))
	batch.Queue(ownersOfNamed, c.arguments()...).Query(postgres.Into(&state.Subscribers))
	batch.Queue(namedSubscriptions+` ORDER BY e.id FOR UPDATE`, c.arguments()...).Query(postgres.Into(&state.Subscriptions))
	if err := b.Send(ctx, batch); err != nil {
		return nil, fmt.Errorf("lock subscriptions: %w", err)
	}
	return state, nil
}

// DeleteSubscriptions ends the transaction, and subscriptions with their preferences.
func DeleteSubscriptions(ctx context.Context, b *postgres.Batch, audit postgres.AuditEntry, ids []id.ID) error {
	batch := &pgx.Batch{}
	batch.Queue(deleteSubscriptions, audit.EnvironmentID, ids)
	postgres.QueueAudit(batch, audit)
	if err := b.End(ctx, batch); err != nil {
		return fmt.Errorf("delete subscriptions: %w", err)
	}
	return nil
}
