package notify

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscription"
	"github.com/carillon/carillon/ent/topic"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/viewer"
)

// SubscriptionRef names subscriptions of a topic: one by its identifier, or all of a subscriber. With both, the one of
// this identifier if it is that subscriber's.
type SubscriptionRef struct {
	Identifier   *string
	SubscriberID *string // external
}

// DeleteSubscriptionsInput ends subscriptions of a topic.
type DeleteSubscriptionsInput struct {
	TopicKey      string
	Subscriptions []SubscriptionRef // nil: not given
	SubscriberIDs []string          // the deprecated form; ignored when Subscriptions is given
}

func (in *DeleteSubscriptionsInput) items() []SubscriptionRef {
	if in.Subscriptions != nil {
		return in.Subscriptions
	}
	items := make([]SubscriptionRef, len(in.SubscriberIDs))
	for i := range in.SubscriberIDs {
		items[i] = SubscriptionRef{SubscriberID: &in.SubscriberIDs[i]}
	}
	return items
}

// Check reports every problem of the call.
func (in *DeleteSubscriptionsInput) Check(p *fault.Problems) {
	checkItemCount(p, "subscriptions", in.Subscriptions)
	if in.Subscriptions == nil {
		checkSubscriberIDs(p, in.SubscriberIDs)
	}
	for i, item := range in.Subscriptions {
		at := "subscriptions." + strconv.Itoa(i)
		checkSubscriptionIdentifier(p, at+".identifier", item.Identifier)
		if item.SubscriberID != nil && !p.At(at) {
			CheckSubscriberID(p, at+".subscriberId", *item.SubscriberID)
		}
	}
}

// Delete ends subscriptions of a topic and answers them as they were; each item succeeds or fails by itself. Their
// preferences go with them, the topic stays. A subscriber may end its own. Cost: a fixed number of queries.
func (s *Subscriptions) Delete(ctx context.Context, in DeleteSubscriptionsInput) (*SubscriptionsResult, error) {
	var p fault.Problems
	if in.Check(&p); p.Any() {
		return nil, p.Err()
	}
	if isSelf(ctx) {
		for _, item := range in.items() { // without a subscriber an identifier would name anybody's
			if _, err := asSelf(ctx, text(item.SubscriberID), nil); err != nil {
				return nil, err
			}
		}
		v, _ := viewer.FromContext(ctx)
		var err error
		if ctx, err = asSelf(ctx, v.ExternalID, nil); err != nil {
			return nil, err
		}
	}
	return write(ctx, s.base, viewer.RoleEditor, func(ctx context.Context, db *ent.Client) (*SubscriptionsResult, error) {
		from, err := db.Topic.Query().Where(topic.Key(in.TopicKey)).Only(ctx)
		if err != nil {
			return nil, notFound(err, "Topic %s was not found.", in.TopicKey)
		}
		hits, err := findSubscriptions(ctx, db, from, in.items())
		if err != nil {
			return nil, err
		}
		result := hits.result(in.items())
		if len(result.Data) == 0 {
			return result, nil
		}
		if _, err := db.Subscription.Delete().Where(subscription.IDIn(idsOf(result.Data)...)).Exec(ctx); err != nil {
			return nil, err
		}
		return result, audit(ctx, db, "unsubscribe", from, map[string]any{"subscriptions": len(result.Data)})
	})
}

func idsOf(rows []*ent.Subscription) []id.ID {
	ids := make([]id.ID, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids
}

// subscriptionHits are the rows that the items of a delete call may name.
type subscriptionHits struct {
	known        map[string]*ent.Subscriber // by external id as given
	byIdentifier map[string]*ent.Subscription
	bySubscriber map[id.ID][]*ent.Subscription
}

// findSubscriptions locks the rows in order of their ids and reads them with their subscribers.
func findSubscriptions(ctx context.Context, db *ent.Client, from *ent.Topic, items []SubscriptionRef) (*subscriptionHits, error) {
	var given, identifiers []string
	for _, item := range items {
		if text(item.SubscriberID) != "" {
			given = append(given, *item.SubscriberID)
		}
		if text(item.Identifier) != "" {
			identifiers = append(identifiers, *item.Identifier)
		}
	}
	known, err := livingSubscribers(ctx, db, given)
	if err != nil {
		return nil, err
	}
	owners := make([]id.ID, 0, len(known))
	for _, owner := range known {
		owners = append(owners, owner.ID)
	}
	rows, err := db.Subscription.Query().
		Where(subscription.TopicID(from.ID), subscription.Or(
			subscription.IdentifierIn(identifiers...), subscription.SubscriberIDIn(owners...))).
		Order(subscription.ByID()).ForUpdate().WithSubscriber().All(ctx)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r *ent.Subscription) bool { return !within(ctx, r.Scope) })
	hits := &subscriptionHits{
		known: known, byIdentifier: map[string]*ent.Subscription{},
		bySubscriber: groupBy(rows, func(r *ent.Subscription) string { return r.SubscriberID }),
	}
	for _, row := range rows {
		row.Edges.Topic = from
		hits.byIdentifier[row.Identifier] = row
	}
	return hits, nil
}

// text is the text or "".
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// result lists every row that an item names once, in the order of the items.
func (h *subscriptionHits) result(items []SubscriptionRef) *SubscriptionsResult {
	result := &SubscriptionsResult{Data: []*ent.Subscription{}, Errors: []*ItemError{}, verb: "deleted"}
	for _, item := range items {
		rows, failure := h.named(item)
		if failure != nil {
			result.Errors = append(result.Errors, failure)
			continue
		}
		for _, row := range rows {
			if !slices.Contains(result.Data, row) {
				result.Data = append(result.Data, row)
			}
		}
	}
	return result.count(len(items))
}

func (h *subscriptionHits) named(item SubscriptionRef) ([]*ent.Subscription, *ItemError) {
	identifier, subscriberID := text(item.Identifier), text(item.SubscriberID)
	fail := func(code, format string, args ...any) *ItemError {
		shown := subscriberID
		if shown == "" {
			shown = unknownSubscriber
		}
		return &ItemError{SubscriberID: shown, Code: code, Message: fmt.Sprintf(format, args...)}
	}
	owner := h.known[subscriberID]
	row := h.byIdentifier[identifier]
	switch {
	case identifier == "" && strings.TrimSpace(subscriberID) == "":
		return nil, fail(ItemInvalidRequest, "The item holds neither an identifier nor a subscriberId.")
	case subscriberID != "" && owner == nil:
		return nil, fail(ItemSubscriberNotFound, "Subscriber %s was not found.", subscriberID)
	case identifier != "" && (row == nil || owner != nil && row.SubscriberID != owner.ID):
		return nil, fail(ItemSubscriptionNotFound, "Subscription %s was not found.", identifier)
	case identifier != "":
		return []*ent.Subscription{row}, nil
	case len(h.bySubscriber[owner.ID]) == 0:
		return nil, fail(ItemSubscriptionNotFound, "Subscriber %s has no subscription of this topic.", subscriberID)
	}
	return h.bySubscriber[owner.ID], nil
}
