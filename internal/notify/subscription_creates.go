package notify

import (
	"context"
	"fmt"
	"strconv"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/ent/subscription"
	"github.com/carillon/carillon/ent/topic"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Limits of subscriptions (api.md, Limits; decisions.md §16).
const (
	MaxSubscriptionItems       = 100 // per create or delete call
	MaxSubscriptionsPerPairing = 10  // of one subscriber to one topic
)

// SubscriptionItem is one subscription to make.
type SubscriptionItem struct {
	SubscriberID string  // external
	Identifier   *string // nil: tk=<topic key>:si=<subscriberId>, with the context keys if there are any
	Name         *string // the subscription's own name
}

// CreateSubscriptionsInput subscribes subscribers to a topic.
type CreateSubscriptionsInput struct {
	TopicKey      string
	Subscriptions []SubscriptionItem // nil: not given
	SubscriberIDs []string           // the deprecated form; ignored when Subscriptions is given
	Name          *string            // the topic's
	Context       map[string]any     // type → id, or type → {id, data}
	Preferences   []SubscriptionPreferenceInput
}

func (in *CreateSubscriptionsInput) items() []SubscriptionItem {
	if in.Subscriptions != nil {
		return in.Subscriptions
	}
	items := make([]SubscriptionItem, len(in.SubscriberIDs))
	for i, subscriberID := range in.SubscriberIDs {
		items[i] = SubscriptionItem{SubscriberID: subscriberID}
	}
	return items
}

// Check reports every problem of the call.
func (in *CreateSubscriptionsInput) Check(p *fault.Problems) { in.check(p) }

// check reports every problem of the call and reads its context.
func (in *CreateSubscriptionsInput) check(p *fault.Problems) []workflow.ContextRef {
	checkItemCount(p, "subscriptions", in.Subscriptions)
	if in.Subscriptions == nil {
		checkSubscriberIDs(p, in.SubscriberIDs)
	}
	for i, item := range in.Subscriptions {
		at := "subscriptions." + strconv.Itoa(i)
		if !p.At(at) {
			CheckSubscriberID(p, at+".subscriberId", item.SubscriberID)
		}
		checkSubscriptionIdentifier(p, at+".identifier", item.Identifier)
		checkText(p, at+".name", item.Name, maxNameLength)
	}
	checkText(p, "name", in.Name, maxNameLength)
	checkPreferenceItems(p, "preferences", in.Preferences)
	return parseContext(p, in.Context)
}

// checkSubscriberIDs checks the deprecated form of items.
func checkSubscriberIDs(p *fault.Problems, ids []string) {
	checkItemCount(p, "subscriberIds", ids)
	for i, subscriberID := range ids {
		CheckSubscriberID(p, "subscriberIds."+strconv.Itoa(i), subscriberID)
	}
}

// CheckSubscriberID reports what is no external id of a subscriber.
func CheckSubscriberID(p *fault.Problems, path, subscriberID string) {
	if _, ok := workflow.ParseSubscriberID(subscriberID); !ok && !p.At(path) {
		p.Add(path, subscriberID, "must be 1 to 255 letters, digits or characters of -_.:@|+=~/")
	}
}

func parseContext(p *fault.Problems, object map[string]any) []workflow.ContextRef {
	if object == nil {
		return nil
	}
	refs := workflow.ParseContext(p, "context", object)
	for _, ref := range refs {
		checkData(p, "context."+ref.Type+".data", ref.Data)
	}
	return refs
}

func checkSubscriptionIdentifier(p *fault.Problems, path string, identifier *string) {
	if identifier != nil && !workflow.ValidSubscriptionIdentifier(*identifier) && !p.At(path) {
		p.Add(path, *identifier, "must be 1 to 255 characters without control characters")
	}
}

func checkItemCount[T any](p *fault.Problems, path string, items []T) {
	if items != nil && (len(items) == 0 || len(items) > MaxSubscriptionItems) {
		p.Add(path, nil, "must hold 1 to %d items", MaxSubscriptionItems)
	}
}

// Create subscribes subscribers to a topic, which is made when it does not exist. Each item succeeds or fails by itself;
// what exists already counts as successful and stays unchanged. A subscriber may follow topics that exist, for itself.
// Cost: a fixed number of queries.
func (s *Subscriptions) Create(ctx context.Context, in CreateSubscriptionsInput) (*SubscriptionsResult, error) {
	var p fault.Problems
	refs := in.check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	ctx, err := s.enter(ctx, in, refs)
	if err != nil {
		return nil, err
	}
	var result *SubscriptionsResult
	err = postgres.Retry(ctx, func(ctx context.Context) (err error) {
		result, err = write(ctx, s.base, viewer.RoleEditor, func(ctx context.Context, db *ent.Client) (*SubscriptionsResult, error) {
			return s.create(ctx, db, in, refs)
		})
		return err
	})
	return result, err
}

// enter lets a subscriber follow a topic.
func (s *Subscriptions) enter(ctx context.Context, in CreateSubscriptionsInput, refs []workflow.ContextRef) (context.Context, error) {
	if !isSelf(ctx) {
		return ctx, nil
	}
	if in.Name != nil {
		return ctx, fault.Forbiddenf("This credential cannot rename topics.")
	}
	own := ctx
	for _, item := range in.items() {
		var err error
		if own, err = asSelf(ctx, item.SubscriberID, workflow.ContextSetOf(refs)); err != nil {
			return ctx, err
		}
	}
	_, err := read(own, s.base, func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		found, err := db.Topic.Query().Where(topic.Key(in.TopicKey)).Only(ctx)
		return found, notFound(err, "Topic %s was not found.", in.TopicKey)
	})
	return own, err
}

func (s *Subscriptions) create(ctx context.Context, db *ent.Client, in CreateSubscriptionsInput, refs []workflow.ContextRef) (*SubscriptionsResult, error) {
	into, err := ensureTopic(ctx, db, in.TopicKey, in.Name)
	if err != nil {
		return nil, err
	}
	tx, scope := hot(ctx)
	if err := postgres.EnsureContexts(ctx, tx, scope, refs); err != nil {
		return nil, err
	}
	plan, err := s.plan(ctx, db, into, in.items(), workflow.ContextSetOf(refs))
	if err != nil {
		return nil, err
	}
	if err := s.store(ctx, db, plan, in.Preferences); err != nil {
		return nil, err
	}
	result, err := plan.result(ctx, db)
	if err != nil || len(plan.fresh) == 0 {
		return result, err
	}
	return result, audit(ctx, db, "subscribe", into, map[string]any{"subscriptions": len(plan.fresh)})
}

// ensureTopic is the topic of a key, made on first use. A name renames it.
func ensureTopic(ctx context.Context, db *ent.Client, key string, name *string) (*ent.Topic, error) {
	if !workflow.ValidTopicKey(key) { // no topic has such a key
		return nil, fault.BadRequestf("INVALID_TOPIC_KEY",
			"The topic key %q must be 1 to 255 letters, digits, '-', '_', ':' or '.', or an e-mail address.", key)
	}
	found, err := db.Topic.Query().Where(topic.Key(key)).Only(ctx)
	if ent.IsNotFound(err) {
		err = db.Topic.Create().SetKey(key).SetNillableName(name).
			OnConflictColumns(topic.FieldEnvironmentID, topic.FieldKey).Ignore().Exec(ctx)
		if err != nil {
			return nil, err
		}
		found, err = db.Topic.Query().Where(topic.Key(key)).Only(ctx)
	}
	if err != nil || name == nil || equalTexts(name, found.Name) {
		return found, err
	}
	return db.Topic.UpdateOne(found).SetName(*name).Save(ctx)
}

// subscriptionPlan is what becomes of the items of a create call.
type subscriptionPlan struct {
	topic  *ent.Topic
	set    workflow.ContextSet
	items  []SubscriptionItem
	known  map[string]*ent.Subscriber   // by external id
	taken  map[string]*ent.Subscription // by identifier, those to be made included
	held   map[id.ID]int                // subscriptions by subscriber
	chosen []id.ID                      // by item; "" when it failed
	errors []*ItemError                 // by item; nil when it did not fail
	fresh  []postgres.NewSubscription   // to be made
}

// plan decides every item, in order, under a lock on the pairings of the topic with these subscribers.
func (s *Subscriptions) plan(ctx context.Context, db *ent.Client, into *ent.Topic, items []SubscriptionItem, set workflow.ContextSet) (*subscriptionPlan, error) {
	plan := &subscriptionPlan{
		topic: into, set: set, items: items, taken: map[string]*ent.Subscription{}, held: map[id.ID]int{},
		chosen: make([]id.ID, len(items)), errors: make([]*ItemError, len(items)),
	}
	var err error
	if plan.known, err = subscribersOf(ctx, db, items); err != nil {
		return nil, err
	}
	owners := make([]id.ID, 0, len(plan.known))
	for _, owner := range plan.known {
		owners = append(owners, owner.ID)
	}
	tx, scope := hot(ctx)
	if err := postgres.LockTopicSubscribers(ctx, tx, scope, into.ID, owners); err != nil {
		return nil, err
	}
	stored, err := db.Subscription.Query().Where(subscription.TopicID(into.ID), subscription.Or(
		subscription.SubscriberIDIn(owners...), subscription.IdentifierIn(plan.identifiers()...))).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, row := range stored {
		plan.taken[row.Identifier] = row
		plan.held[row.SubscriberID]++
	}
	ids := id.Batch(s.now(), len(items))
	for i, item := range items {
		plan.decide(i, item, ids[i])
	}
	return plan, nil
}

// subscribersOf finds the living subscribers that items name, by the id as given.
func subscribersOf(ctx context.Context, db *ent.Client, items []SubscriptionItem) (map[string]*ent.Subscriber, error) {
	given := make([]string, len(items))
	for i, item := range items {
		given[i] = item.SubscriberID
	}
	return livingSubscribers(ctx, db, given)
}

// livingSubscribers finds the living subscribers of external ids, by the id as given. Cost: one query.
func livingSubscribers(ctx context.Context, db *ent.Client, given []string) (map[string]*ent.Subscriber, error) {
	trimmed := make([]string, 0, len(given))
	for _, g := range given {
		if subscriberID, ok := workflow.ParseSubscriberID(g); ok {
			trimmed = append(trimmed, subscriberID)
		}
	}
	found := map[string]*ent.Subscriber{}
	if len(trimmed) == 0 {
		return found, nil
	}
	rows, err := db.Subscriber.Query().Where(subscriber.SubscriberIDIn(distinct(trimmed)...), subscriber.Deleted(false)).All(ctx)
	if err != nil {
		return nil, err
	}
	byExternal := make(map[string]*ent.Subscriber, len(rows))
	for _, row := range rows {
		byExternal[row.SubscriberID] = row
	}
	for _, g := range given {
		subscriberID, _ := workflow.ParseSubscriberID(g)
		if row := byExternal[subscriberID]; row != nil {
			found[g] = row
		}
	}
	return found, nil
}

func (p *subscriptionPlan) identifiers() []string {
	identifiers := make([]string, 0, len(p.items))
	for _, item := range p.items {
		if owner := p.known[item.SubscriberID]; owner != nil {
			identifiers = append(identifiers, p.identifier(item, owner))
		}
	}
	return identifiers
}

func (p *subscriptionPlan) identifier(item SubscriptionItem, owner *ent.Subscriber) string {
	if item.Identifier != nil {
		return *item.Identifier
	}
	return defaultIdentifier(p.topic.Key, owner.SubscriberID, p.set)
}

func (p *subscriptionPlan) decide(i int, item SubscriptionItem, newID id.ID) {
	owner := p.known[item.SubscriberID]
	if owner == nil {
		p.fail(i, ItemSubscriberNotFound, "Subscriber %s was not found.", item.SubscriberID)
		return
	}
	identifier := p.identifier(item, owner)
	switch stored := p.taken[identifier]; {
	case stored != nil && stored.SubscriberID == owner.ID && stored.Scope == p.set.Scope():
		p.chosen[i] = stored.ID
	case stored != nil:
		p.failTaken(i, identifier)
	case p.held[owner.ID] >= MaxSubscriptionsPerPairing:
		p.fail(i, ItemSubscriptionLimit, "Subscriber %s holds %d subscriptions of topic %s already, which is the most.",
			item.SubscriberID, MaxSubscriptionsPerPairing, p.topic.Key)
	default:
		p.chosen[i] = newID
		p.held[owner.ID]++
		p.taken[identifier] = &ent.Subscription{ID: newID, SubscriberID: owner.ID, Scope: p.set.Scope()}
		p.fresh = append(p.fresh, postgres.NewSubscription{ID: newID, SubscriberID: owner.ID, Identifier: identifier, Name: item.Name})
	}
}

func (p *subscriptionPlan) fail(i int, code, format string, args ...any) {
	p.errors[i] = &ItemError{SubscriberID: p.items[i].SubscriberID, Code: code, Message: fmt.Sprintf(format, args...)}
}

func (p *subscriptionPlan) failTaken(i int, identifier string) {
	p.chosen[i] = ""
	p.fail(i, ItemSubscriptionCreateFailed, "The identifier %s, wanted for subscriber %s, is taken by another subscription of topic %s.",
		identifier, p.items[i].SubscriberID, p.topic.Key)
}

// store makes the new subscriptions with their preferences. An identifier that somebody else took meanwhile fails its
// items after all.
func (s *Subscriptions) store(ctx context.Context, db *ent.Client, plan *subscriptionPlan, items []SubscriptionPreferenceInput) error {
	if len(plan.fresh) == 0 {
		return nil
	}
	tx, scope := hot(ctx)
	stored, err := postgres.InsertSubscriptions(ctx, tx, scope, plan.topic.ID, plan.set, plan.set.Scope(), s.stamp(), plan.fresh)
	if err != nil {
		return err
	}
	kept := make([]id.ID, 0, len(stored))
	for _, row := range plan.fresh {
		if stored[row.ID] {
			kept = append(kept, row.ID)
			continue
		}
		for i := range plan.items {
			if plan.chosen[i] == row.ID {
				plan.failTaken(i, row.Identifier)
			}
		}
	}
	preferences, err := resolvePreferences(ctx, db, items)
	if err != nil {
		return err
	}
	return postgres.InsertSubscriptionPreferences(ctx, tx, scope, kept, s.stamp(), preferences)
}

// result shapes the answer: one record per successful item, in order.
func (p *subscriptionPlan) result(ctx context.Context, db *ent.Client) (*SubscriptionsResult, error) {
	rows, err := whole(ctx, db, p.chosen)
	if err != nil {
		return nil, err
	}
	result := &SubscriptionsResult{Data: []*ent.Subscription{}, Errors: []*ItemError{}, verb: "created"}
	for i := range p.items {
		if p.errors[i] != nil {
			result.Errors = append(result.Errors, p.errors[i])
		} else {
			result.Data = append(result.Data, rows[p.chosen[i]])
		}
	}
	return result.count(len(p.items)), nil
}
