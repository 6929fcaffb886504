package pgaudience

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/ent/subscription"
	"github.com/carillon/carillon/ent/subscriptionpreference"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// WorkflowChoice chooses workflows of an environment: by record id and by identifier, and the active ones by tag.
type WorkflowChoice struct {
	IDs, Identifiers []string
	Tags             []string
}

// What a preference shows of a workflow, and whom a tag reaches.
const workflowSummary = `SELECT w.id, w.created_at, w.updated_at, w.environment_id, w.deleted, w.identifier, w.name, w.active, w.critical, w.severity, w.tags, w.data FROM workflows w`

var (
	subscriptionByNames = ` FROM subscriptions s WHERE s.environment_id = $1 AND s.identifier = $3
		AND s.topic_id = (SELECT t.id FROM topics t WHERE t.environment_id = $1 AND t.key = $2)`
	lockSubscription       = `SELECT ` + postgres.Selected("s", subscription.Columns) + subscriptionByNames + ` FOR UPDATE`
	subscriberOfNames      = `SELECT ` + postgres.Selected("o", subscriber.Columns) + ` FROM subscribers o WHERE o.environment_id = $1 AND o.id = (SELECT s.subscriber_id` + subscriptionByNames + `)`
	preferencesOfNames     = selectSubscriptionPreferences + `p.subscription_id = (SELECT s.id` + subscriptionByNames + `) ORDER BY p.position`
	workflowsOfPreferences = workflowSummary + ` WHERE w.environment_id = $1 AND w.id IN (SELECT p.workflow_id FROM subscription_preferences p
		WHERE p.environment_id = $1 AND p.subscription_id = (SELECT s.id` + subscriptionByNames + `))`
	livingWorkflows = workflowSummary + ` WHERE w.environment_id = $1 AND NOT w.deleted AND w.id = ANY (` + workflowNames + `
		|| ARRAY(SELECT c.id FROM unnest($4::text[]) AS tag JOIN workflows c ON c.tags @> to_jsonb(tag) AND c.environment_id = $1 AND NOT c.deleted AND c.active))`
	selectSubscriptionPreferences = `SELECT ` + postgres.Selected("p", subscriptionpreference.Columns) + ` FROM subscription_preferences p WHERE p.environment_id = $1 AND `
)

// workflowNames are the ids of the workflows that are chosen by id or identifier.
const workflowNames = `$2::text[] || ARRAY(SELECT n.id FROM workflows n WHERE n.environment_id = $1 AND n.identifier = ANY ($3::text[]) AND NOT n.deleted)`

// SubscriptionState is a subscription that is about to change; it is locked.
type SubscriptionState struct {
	Topic        *ent.Topic // nil: there is none
	Subscription *ent.Subscription
	Subscriber   *ent.Subscriber
	Preferences  []*ent.SubscriptionPreference
	Workflows    []*ent.Workflow // of those preferences
	Chosen       []*ent.Workflow // living ones that were asked for
}

// LockSubscription reads a subscription by its topic's key and its own identifier, with what an answer shows of it.
func LockSubscription(ctx context.Context, b *postgres.Batch, scope viewer.Scope, topicKey, identifier string, choice *WorkflowChoice) (*SubscriptionState, error) {
	batch, state := &pgx.Batch{}, &SubscriptionState{}
	names := []any{scope.EnvironmentID, topicKey, identifier}
	batch.Queue(topicOfKey, names[:2]...).Query(postgres.One(&state.Topic))
	batch.Queue(lockSubscription, names...).Query(postgres.One(&state.Subscription))
	batch.Queue(subscriberOfNames, names...).Query(postgres.One(&state.Subscriber))
	batch.Queue(preferencesOfNames, names...).Query(postgres.Into(&state.Preferences))
	batch.Queue(workflowsOfPreferences, names...).Query(postgres.Into(&state.Workflows))
	if choice != nil {
		batch.Queue(livingWorkflows, scope.EnvironmentID, choice.IDs, choice.Identifiers, choice.Tags).Query(postgres.Into(&state.Chosen))
	}
	if err := b.Send(ctx, batch); err != nil {
		return nil, fmt.Errorf("read a subscription: %w", err)
	}
	return state, nil
}

const (
	updateSubscription            = `UPDATE subscriptions SET updated_at = $3, name = $4 WHERE environment_id = $1 AND id = $2`
	deleteSubscriptionPreferences = `DELETE FROM subscription_preferences WHERE environment_id = $1 AND subscription_id = $2`
)

// SubscriptionUpdate is what becomes of a locked subscription.
type SubscriptionUpdate struct {
	Audit postgres.AuditEntry // its RecordID is the subscription's
	Name  *string
	// Replace says that Preferences take the place of those stored, in the name of At.
	Replace     bool
	Preferences []NewSubscriptionPreference
	At          time.Time
}

// UpdateSubscription ends the transaction with a change of a locked subscription, and answers its preferences where they
// are replaced.
func UpdateSubscription(ctx context.Context, b *postgres.Batch, u SubscriptionUpdate) (stored []*ent.SubscriptionPreference, err error) {
	batch, of := &pgx.Batch{}, u.Audit.RecordID
	if u.Replace {
		batch.Queue(deleteSubscriptionPreferences, u.Audit.EnvironmentID, of)
		queueSubscriptionPreferences(batch, u.Audit.Scope, []id.ID{of}, u.At, u.Preferences)
		batch.Queue(selectSubscriptionPreferences+`p.subscription_id = $2 ORDER BY p.position`, u.Audit.EnvironmentID, of).Query(postgres.Into(&stored))
	}
	batch.Queue(updateSubscription, u.Audit.EnvironmentID, of, u.Audit.At, u.Name)
	postgres.QueueAudit(batch, u.Audit)
	if err := b.End(ctx, batch); err != nil {
		return nil, fmt.Errorf("update a subscription: %w", err)
	}
	return stored, nil
}
