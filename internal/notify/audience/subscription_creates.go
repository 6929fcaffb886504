package audience

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/topic"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
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
		usecase.CheckAddressable(p, at+".identifier", item.Identifier)
		usecase.CheckText(p, at+".name", item.Name, usecase.MaxNameLength)
	}
	usecase.CheckText(p, "name", in.Name, usecase.MaxNameLength)
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
	refs, _ := workflow.ContextShape.Parse(p, "context", object)
	for _, ref := range refs {
		usecase.CheckData(p, "context."+ref.Type+".data", ref.Data)
	}
	return refs
}

// newContexts are those of the contexts of a call that it makes when they are not known yet. A subscriber only names contexts: what is in
// them is shown to others.
func newContexts(ctx context.Context, refs []workflow.ContextRef) ([]workflow.ContextRef, error) {
	if !usecase.IsSelf(ctx) {
		return refs, nil
	}
	if slices.ContainsFunc(refs, func(r workflow.ContextRef) bool { return r.Data != nil }) {
		return nil, fault.Forbiddenf("This credential cannot set the data of contexts.")
	}
	return nil, nil
}

func checkSubscriptionIdentifier(p *fault.Problems, path string, identifier *string) {
	if identifier != nil && !workflow.ValidSubscriptionIdentifier(*identifier) && !p.At(path) {
		p.Add(path, *identifier, "must be 1 to 255 characters without control characters, or an identifier that was made from topic, subscriber and context")
	}
}

func checkItemCount[T any](p *fault.Problems, path string, items []T) {
	if items != nil && (len(items) == 0 || len(items) > MaxSubscriptionItems) {
		p.Add(path, nil, "must hold 1 to %d items", MaxSubscriptionItems)
	}
}

// Create subscribes subscribers to a topic, which is made when it does not exist. Each item succeeds or fails by itself;
// what exists already counts as successful and stays unchanged. A subscriber may follow topics that exist, for itself.
// Cost: two round trips.
func (s *Subscriptions) Create(ctx context.Context, in CreateSubscriptionsInput) (*usecase.SubscriptionsResult, error) {
	var p fault.Problems
	refs := in.check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	if err := s.mayFollow(ctx, in, refs); err != nil {
		return nil, err
	}
	v, err := usecase.Require(ctx, usecase.WriteAudience.OrSelf(workflow.ContextSetOf(refs), in.subscriberIDs()...))
	if err != nil {
		return nil, err
	}
	contexts, err := newContexts(ctx, refs)
	if err != nil {
		return nil, err
	}
	if !workflow.ValidTopicKey(in.TopicKey) { // no topic has such a key
		return nil, fault.BadRequestf("INVALID_TOPIC_KEY", // written out for codes.md
			"The topic key %q must be 1 to 255 letters, digits, '-', '_', ':' or '.', other than . and .., or an e-mail address.", in.TopicKey)
	}
	var result *usecase.SubscriptionsResult
	err = s.DB.Batch(ctx, func(batch *postgres.Batch) (err error) {
		plan := newSubscriptionPlan(in, workflow.ContextSetOf(refs))
		state, err := pgaudience.MakeTopic(ctx, batch, plan.call(v.Scope), pgaudience.NewTopic{
			Name: in.Name, Contexts: contexts, Choice: preferenceItems(in.Preferences).choice(), At: usecase.RecordTime(),
		})
		if err != nil {
			return err
		}
		plan.decideAll(state, s.Now())
		result, err = s.store(ctx, batch, plan, preferenceItems(in.Preferences).resolve(state.Chosen))
		return err
	})
	return result, postgres.Translate(err)
}

// mayFollow reports why a subscriber may not follow a topic; nil for others.
func (s *Subscriptions) mayFollow(ctx context.Context, in CreateSubscriptionsInput, refs []workflow.ContextRef) error {
	if !usecase.IsSelf(ctx) {
		return nil
	}
	if in.Name != nil {
		return fault.Forbiddenf("This credential cannot rename topics.")
	}
	if in.choosesIdentifiers(workflow.ContextSetOf(refs)) {
		return fault.Forbiddenf("This credential cannot choose the identifiers of subscriptions.")
	}
	need := usecase.ReadAudience.OrSelf(workflow.ContextSetOf(refs), in.subscriberIDs()...)
	_, err := usecase.Read(ctx, s.Deps, need, func(ctx context.Context, db *ent.Client) (*ent.Topic, error) {
		found, err := db.Topic.Query().Where(topic.Key(in.TopicKey)).Only(ctx)
		return found, usecase.NotFound(err, "Topic %s was not found.", in.TopicKey)
	})
	return err
}

// choosesIdentifiers reports whether an item has another identifier than the one that is made. Identifiers are unique within a
// topic: whoever chooses them can take those of others, and learns which are taken.
func (in *CreateSubscriptionsInput) choosesIdentifiers(set workflow.ContextSet) bool {
	return slices.ContainsFunc(in.items(), func(item SubscriptionItem) bool {
		subscriberID, _ := workflow.ParseSubscriberID(item.SubscriberID)
		return item.Identifier != nil && *item.Identifier != workflow.SubscriptionIdentifier(in.TopicKey, subscriberID, set)
	})
}

// subscriberIDs are whom the items name.
func (in *CreateSubscriptionsInput) subscriberIDs() []string {
	items := in.items()
	named := make([]string, len(items))
	for i, item := range items {
		named[i] = item.SubscriberID
	}
	return named
}

// subscriptionPlan is what becomes of the items of a create call.
type subscriptionPlan struct {
	topicKey string
	topic    *ent.Topic
	set      workflow.ContextSet
	items    []SubscriptionItem
	known    map[string]*ent.Subscriber   // by external id as given
	taken    map[string]*ent.Subscription // by identifier, those to be made included
	held     map[id.ID]int                // subscriptions by subscriber
	chosen   []*ent.Subscription          // by item; nil when it failed
	errors   []*usecase.ItemError         // by item; nil when it did not fail
	fresh    []pgaudience.NewSubscription // to be made
}

func newSubscriptionPlan(in CreateSubscriptionsInput, set workflow.ContextSet) *subscriptionPlan {
	items := in.items()
	return &subscriptionPlan{
		topicKey: in.TopicKey, set: set, items: items, taken: map[string]*ent.Subscription{}, held: map[id.ID]int{},
		chosen: make([]*ent.Subscription, len(items)), errors: make([]*usecase.ItemError, len(items)),
	}
}

// call names what the items are about.
func (p *subscriptionPlan) call(scope viewer.Scope) pgaudience.SubscriptionCall {
	call := pgaudience.SubscriptionCall{Scope: scope, TopicKey: p.topicKey}
	for _, item := range p.items {
		if subscriberID, ok := workflow.ParseSubscriberID(item.SubscriberID); ok {
			call.Subscribers = append(call.Subscribers, subscriberID)
			call.Identifiers = append(call.Identifiers, p.identifier(item, subscriberID))
		}
	}
	call.Subscribers, call.Identifiers = usecase.Distinct(call.Subscribers), usecase.Distinct(call.Identifiers)
	return call
}

// livingByName are living subscribers by their external ids as given.
func livingByName(rows []*ent.Subscriber, given []string) map[string]*ent.Subscriber {
	byExternal := make(map[string]*ent.Subscriber, len(rows))
	for _, row := range rows {
		if !row.Deleted {
			byExternal[row.SubscriberID] = row
		}
	}
	found := make(map[string]*ent.Subscriber, len(given))
	for _, g := range given {
		subscriberID, ok := workflow.ParseSubscriberID(g)
		if row := byExternal[subscriberID]; ok && row != nil {
			found[g] = row
		}
	}
	return found
}

func (p *subscriptionPlan) identifier(item SubscriptionItem, subscriberID string) string {
	if item.Identifier != nil {
		return *item.Identifier
	}
	return workflow.SubscriptionIdentifier(p.topicKey, subscriberID, p.set)
}

// decideAll decides every item, in order.
func (p *subscriptionPlan) decideAll(state *pgaudience.TopicState, now time.Time) {
	given := make([]string, len(p.items))
	for i, item := range p.items {
		given[i] = item.SubscriberID
	}
	p.topic, p.known = state.Topic, livingByName(state.Subscribers, given)
	for _, row := range state.Subscriptions {
		p.taken[row.Identifier] = row
		p.held[row.SubscriberID]++
	}
	ids := id.Batch(now, len(p.items))
	for i, item := range p.items {
		p.decide(i, item, ids[i], now)
	}
}

func (p *subscriptionPlan) decide(i int, item SubscriptionItem, newID id.ID, now time.Time) {
	owner := p.known[item.SubscriberID]
	if owner == nil {
		p.fail(i, usecase.ItemSubscriberNotFound, "Subscriber %s was not found.", item.SubscriberID)
		return
	}
	identifier := p.identifier(item, owner.SubscriberID)
	switch stored := p.taken[identifier]; {
	case stored != nil && stored.SubscriberID == owner.ID && stored.Scope == p.set.Scope():
		p.chosen[i] = stored
	case stored != nil:
		p.failTaken(i, identifier)
	case p.held[owner.ID] >= MaxSubscriptionsPerPairing:
		p.fail(i, usecase.ItemSubscriptionLimit, "Subscriber %s holds %d subscriptions of topic %s already, which is the most.",
			item.SubscriberID, MaxSubscriptionsPerPairing, p.topic.Key)
	default:
		now = now.Truncate(time.Microsecond).Local() // as the database gives it
		p.chosen[i] = &ent.Subscription{
			ID: newID, CreatedAt: now, UpdatedAt: now, EnvironmentID: owner.EnvironmentID, ContextKeys: append([]string{}, p.set...),
			Scope: p.set.Scope(), TopicID: p.topic.ID, SubscriberID: owner.ID, Identifier: identifier, Name: item.Name,
		}
		p.held[owner.ID]++
		p.taken[identifier] = p.chosen[i]
		p.fresh = append(p.fresh, pgaudience.NewSubscription{ID: newID, SubscriberID: owner.ID, Identifier: identifier, Name: item.Name})
	}
}

func (p *subscriptionPlan) fail(i int, code, format string, args ...any) {
	p.errors[i] = &usecase.ItemError{SubscriberID: p.items[i].SubscriberID, Code: code, Message: fmt.Sprintf(format, args...)}
}

func (p *subscriptionPlan) failTaken(i int, identifier string) {
	p.chosen[i] = nil
	p.fail(i, usecase.ItemSubscriptionCreateFailed, "The identifier %s, wanted for subscriber %s, is taken by another subscription of topic %s.",
		identifier, p.items[i].SubscriberID, p.topic.Key)
}

// store makes the new subscriptions with their preferences.
func (s *Subscriptions) store(ctx context.Context, batch *postgres.Batch, plan *subscriptionPlan, preferences []pgaudience.NewSubscriptionPreference) (*usecase.SubscriptionsResult, error) {
	made, err := pgaudience.MakeSubscriptions(ctx, batch, pgaudience.NewSubscriptions{
		Audit:       usecase.NewAuditEntry(ctx, "subscribe", "Topic", plan.topic.ID, map[string]any{"subscriptions": len(plan.fresh)}),
		ContextKeys: plan.set, ScopeKey: plan.set.Scope(), Rows: plan.fresh, Preferences: preferences, At: s.Stamp(),
		Shown: plan.shown(len(preferences) > 0),
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what it did
	}
	return plan.result(made), nil
}

// shown are the subscriptions that may have preferences: those that were there, and the new ones if those get any.
func (p *subscriptionPlan) shown(preferred bool) (ids []id.ID) {
	fresh := make(map[id.ID]bool, len(p.fresh))
	for _, row := range p.fresh {
		fresh[row.ID] = true
	}
	for _, row := range p.chosen {
		if row != nil && (preferred || !fresh[row.ID]) {
			ids = append(ids, row.ID)
		}
	}
	return usecase.Distinct(ids)
}

// result shapes the answer: one record per successful item, in order. An identifier that another request took meanwhile
// fails its items after all.
func (p *subscriptionPlan) result(made *pgaudience.MadeSubscriptions) *usecase.SubscriptionsResult {
	for _, row := range p.fresh {
		for i := range p.items {
			if p.chosen[i] != nil && p.chosen[i].ID == row.ID && !made.Stored[row.ID] {
				p.failTaken(i, row.Identifier)
			}
		}
	}
	p.dress(made)
	result := &usecase.SubscriptionsResult{Data: []*ent.Subscription{}, Errors: []*usecase.ItemError{}, Verb: "created"}
	for i := range p.items {
		if p.errors[i] != nil {
			result.Errors = append(result.Errors, p.errors[i])
		} else {
			result.Data = append(result.Data, p.chosen[i])
		}
	}
	return result.Count(len(p.items))
}

// dress gives the chosen subscriptions what the documented answers show with them.
func (p *subscriptionPlan) dress(made *pgaudience.MadeSubscriptions) {
	owners := make(map[id.ID]*ent.Subscriber, len(p.known))
	for _, owner := range p.known {
		owners[owner.ID] = owner
	}
	workflows := usecase.ByID(made.Workflows)
	for _, preference := range made.Preferences {
		preference.Edges.Workflow = workflows[preference.WorkflowID]
	}
	preferences := usecase.GroupBy(made.Preferences, func(s *ent.SubscriptionPreference) string { return s.SubscriptionID })
	for _, row := range p.chosen {
		if row != nil {
			row.Edges = ent.SubscriptionEdges{Topic: p.topic, Subscriber: owners[row.SubscriberID], Preferences: preferences[row.ID]}
		}
	}
}
