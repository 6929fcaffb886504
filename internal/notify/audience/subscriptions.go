package audience

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/subscription"
	"github.com/carillon/carillon/ent/topic"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Subscriptions are the use cases of subscriptions: what ties subscribers to topics (decisions.md §7).
type Subscriptions struct{ usecase.Deps }

// SubscriptionConnection is a page of subscriptions.
type SubscriptionConnection = usecase.Connection[ent.Subscription]

// SubscriptionEdge is one subscription of a page.
type SubscriptionEdge = usecase.Edge[ent.Subscription]

// SubscriptionFilter narrows a list of subscriptions; the fields that are set combine with AND.
type SubscriptionFilter struct {
	SubscriberID *string // external; unknown: an empty list
	TopicKey     *string // unknown: an empty list
	IdentifierIn []string
	// ContextKeys are matched as a set: nil is any, empty is those without context, a malformed key matches nothing.
	ContextKeys   []string
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *SubscriptionFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.Subscription, err error) {
	if f == nil {
		return nil, nil
	}
	if f.SubscriberID != nil {
		owner, err := usecase.LivingSubscriber(ctx, db, *f.SubscriberID)
		if err != nil && fault.KindOf(err) != fault.NotFound {
			return nil, err
		}
		ps = append(ps, subscription.SubscriberID(subscriberIDOf(owner)))
	}
	if f.TopicKey != nil {
		ids, err := db.Topic.Query().Where(topic.Key(*f.TopicKey)).IDs(ctx)
		if err != nil {
			return nil, err
		}
		ps = append(ps, subscription.TopicIDIn(ids...))
	}
	if f.IdentifierIn != nil {
		ps = append(ps, subscription.IdentifierIn(f.IdentifierIn...))
	}
	ps = usecase.ScopeMatch(ps, f.ContextKeys, subscription.Scope, func() predicate.Subscription { return subscription.IDIn() })
	ps = usecase.WithFilter(ps, f.CreatedAfter, subscription.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, subscription.CreatedAtLT), nil
}

// subscriberIDOf is a subscriber's internal id; that of none matches nothing.
func subscriberIDOf(s *ent.Subscriber) string {
	if s == nil {
		return ""
	}
	return s.ID
}

// List is a page of subscriptions with their topics and subscribers.
func (s *Subscriptions) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *SubscriptionFilter) (*SubscriptionConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*SubscriptionConnection, error) {
		ps, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		all := db.Subscription.Query().WithTopic().WithSubscriber()
		return usecase.Paginate(ctx, all, ps, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// OfSubscriber is List for one subscriber, who must exist.
func (s *Subscriptions) OfSubscriber(ctx context.Context, subscriberID string, page usecase.Page, order *usecase.Order, filter *SubscriptionFilter) (*SubscriptionConnection, error) {
	need := usecase.ReadAudience.OrSelf(nil, subscriberID)
	if page.After == nil && page.Before == nil && page.Last == nil && (filter == nil || filter.none()) {
		return s.firstOfSubscriber(ctx, need, subscriberID, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	}
	return usecase.Read(ctx, s.Deps, need, func(ctx context.Context, db *ent.Client) (*SubscriptionConnection, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, subscriberID)
		if err != nil {
			return nil, err
		}
		narrowed := SubscriptionFilter{}
		if filter != nil {
			narrowed = *filter
		}
		narrowed.SubscriberID = nil
		ps, err := narrowed.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		if v, _ := viewer.FromContext(ctx); v.ContextScope != nil {
			ps = append(ps, subscription.Scope(*v.ContextScope))
		}
		found, err := usecase.Paginate(ctx, db.Subscription.Query().WithTopic(), append(ps, subscription.SubscriberID(owner.ID)), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
		if err != nil {
			return nil, err
		}
		for _, node := range found.Nodes() {
			node.Edges.Subscriber = owner
		}
		return found, nil
	})
}

// none reports whether the filter asks for nothing but a subscriber.
func (f *SubscriptionFilter) none() bool {
	return f.TopicKey == nil && f.IdentifierIn == nil && f.ContextKeys == nil && f.CreatedAfter == nil && f.CreatedBefore == nil
}

// firstOfSubscriber is the page that is asked for most. Cost: one round trip, and the total if there are more.
func (s *Subscriptions) firstOfSubscriber(ctx context.Context, need usecase.Need, subscriberID string, page usecase.Page, order usecase.Order) (*SubscriptionConnection, error) {
	v, err := usecase.Require(ctx, need)
	if err != nil {
		return nil, err
	}
	trimmed, _ := workflow.ParseSubscriberID(subscriberID)
	limit, _, invalid := page.Size()
	owner, rows, err := pgaudience.ReadSubscriptions(ctx, s.DB, pgaudience.FirstSubscriptions{
		Scope: v.Scope, SubscriberID: trimmed, ScopeKey: v.ContextScope, Column: string(order.Field),
		Descending: order.Direction == usecase.OrderDesc, Limit: limit + 1,
	})
	switch {
	case err != nil:
		return nil, postgres.Translate(err)
	case owner == nil:
		return nil, fault.NotFoundf("Subscriber %s was not found.", subscriberID)
	case invalid != nil:
		return nil, invalid
	}
	all := s.DB.Client(ctx).Subscription.Query().Where(subscription.SubscriberID(owner.ID))
	if v.ContextScope != nil {
		all = all.Where(subscription.Scope(*v.ContextScope))
	}
	return usecase.FirstPage(all, order, rows, limit), nil
}

// Get is one subscription by its global or internal id.
func (s *Subscriptions) Get(ctx context.Context, globalID string) (*ent.Subscription, error) {
	recordID, err := usecase.RecordID("Subscription", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Subscription, error) {
		found, err := db.Subscription.Get(ctx, recordID)
		return found, usecase.NotFound(err, "Subscription %s was not found.", globalID)
	})
}

// ByIdentifier is one subscription by its topic's key and its own identifier.
func (s *Subscriptions) ByIdentifier(ctx context.Context, topicKey, identifier string) (*ent.Subscription, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*ent.Subscription, error) {
		found, err := db.Subscription.Query().
			Where(subscription.HasTopicWith(topic.Key(topicKey)), subscription.Identifier(identifier)).Only(ctx)
		return found, usecase.NotFound(err, "Subscription %s was not found in topic %s.", identifier, topicKey)
	})
}

// UpdateSubscriptionInput changes a subscription; absent fields stay as they are.
type UpdateSubscriptionInput struct {
	TopicKey   string
	Identifier string
	Name       graphql.Omittable[*string] // null clears
	// Preferences replace all that are stored; nil leaves them, an empty list removes them.
	Preferences []SubscriptionPreferenceInput
}

// Check reports every problem of the call.
func (in *UpdateSubscriptionInput) Check(p *fault.Problems) {
	usecase.CheckText(p, "name", in.Name.Value(), usecase.MaxNameLength)
	checkPreferenceItems(p, "preferences", in.Preferences)
}

// Update changes a subscription and answers it with all its preferences. updatedAt moves only when something changes.
// Cost: two round trips.
func (s *Subscriptions) Update(ctx context.Context, in UpdateSubscriptionInput) (updated *ent.Subscription, err error) {
	var p fault.Problems
	if in.Check(&p); p.Any() {
		return nil, p.Err()
	}
	v, err := usecase.Require(ctx, usecase.WriteAudience)
	if err != nil {
		return nil, err
	}
	items := preferenceItems(in.Preferences)
	err = s.DB.Batch(ctx, func(batch *postgres.Batch) error {
		state, err := pgaudience.LockSubscription(ctx, batch, v.Scope, in.TopicKey, in.Identifier, items.choice())
		switch {
		case err != nil:
			return err
		case state.Topic == nil:
			return fault.NotFoundf("Topic %s was not found.", in.TopicKey)
		case state.Subscription == nil:
			return fault.NotFoundf("Subscription %s was not found in topic %s.", in.Identifier, in.TopicKey)
		}
		updated, err = s.update(ctx, batch, state, in)
		return err
	})
	return updated, postgres.Translate(err)
}

func equalTexts(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

func (s *Subscriptions) update(ctx context.Context, batch *postgres.Batch, state *pgaudience.SubscriptionState, in UpdateSubscriptionInput) (*ent.Subscription, error) {
	row := state.Subscription
	wanted := preferenceItems(in.Preferences).resolve(state.Chosen)
	change := pgaudience.SubscriptionUpdate{
		Audit: usecase.NewAuditEntry(ctx, "update", "Subscription", row.ID, nil), Name: row.Name, At: s.Stamp(),
		Replace: in.Preferences != nil && !samePreferences(state.Preferences, wanted), Preferences: wanted,
	}
	if name, given := in.Name.ValueOK(); given {
		change.Name = name
	}
	if change.Replace || !equalTexts(change.Name, row.Name) {
		stored, err := pgaudience.UpdateSubscription(ctx, batch, change)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what it did
		}
		if change.Replace {
			state.Preferences = stored
		}
		row.Name, row.UpdatedAt = change.Name, change.Audit.At.Local() // as the database gives it
	}
	workflows := usecase.ByID(append(state.Workflows, state.Chosen...))
	for _, p := range state.Preferences {
		p.Edges.Workflow = workflows[p.WorkflowID]
	}
	row.Edges = ent.SubscriptionEdges{Topic: state.Topic, Subscriber: state.Subscriber, Preferences: state.Preferences}
	return row, nil
}

func samePreferences(stored []*ent.SubscriptionPreference, wanted []pgaudience.NewSubscriptionPreference) bool {
	if len(stored) != len(wanted) {
		return false
	}
	for i, p := range stored {
		w := wanted[i]
		if p.WorkflowID != w.WorkflowID || p.Enabled != w.Enabled || !usecase.SameJSON(p.Condition, w.Condition) {
			return false
		}
	}
	return true
}

// Batch finds subscriptions by internal id, for nested fields. Cost: one query.
func (s *Subscriptions) Batch(ctx context.Context, ids []string) (map[string]*ent.Subscription, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (map[string]*ent.Subscription, error) {
		rows, err := db.Subscription.Query().Where(subscription.IDIn(ids...)).All(ctx)
		return usecase.ByID(rows), err
	})
}
