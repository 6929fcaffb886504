package audience

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
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
// preferences go with them, the topic stays. A subscriber may end its own. Cost: two round trips.
func (s *Subscriptions) Delete(ctx context.Context, in DeleteSubscriptionsInput) (*usecase.SubscriptionsResult, error) {
	var p fault.Problems
	if in.Check(&p); p.Any() {
		return nil, p.Err()
	}
	self, _ := viewer.FromContext(ctx)
	named := []string{self.ExternalID}
	for _, item := range in.items() { // without a subscriber an identifier would name anybody's
		named = append(named, usecase.Text(item.SubscriberID))
	}
	v, err := usecase.Require(ctx, usecase.WriteAudience.OrSelf(nil, named...))
	if err != nil {
		return nil, err
	}
	var result *usecase.SubscriptionsResult
	err = s.DB.Batch(ctx, func(batch *postgres.Batch) error {
		state, err := pgaudience.LockSubscriptions(ctx, batch, in.call(v.Scope))
		if err != nil {
			return err
		}
		if state.Topic == nil {
			return fault.NotFoundf("Topic %s was not found.", in.TopicKey)
		}
		result = newSubscriptionHits(ctx, state, in.items()).result(in.items())
		if len(result.Data) == 0 {
			return nil
		}
		return pgaudience.DeleteSubscriptions(ctx, batch,
			usecase.NewAuditEntry(ctx, "unsubscribe", "Topic", state.Topic.ID, map[string]any{"subscriptions": len(result.Data)}), idsOf(result.Data))
	})
	return result, postgres.Translate(err)
}

// call names what the items are about.
func (in *DeleteSubscriptionsInput) call(scope viewer.Scope) pgaudience.SubscriptionCall {
	call := pgaudience.SubscriptionCall{Scope: scope, TopicKey: in.TopicKey}
	for _, item := range in.items() {
		if subscriberID, ok := workflow.ParseSubscriberID(usecase.Text(item.SubscriberID)); ok {
			call.Subscribers = append(call.Subscribers, subscriberID)
		}
		if identifier := usecase.Text(item.Identifier); identifier != "" {
			call.Identifiers = append(call.Identifiers, identifier)
		}
	}
	call.Subscribers, call.Identifiers = usecase.Distinct(call.Subscribers), usecase.Distinct(call.Identifiers)
	return call
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

// newSubscriptionHits orders what was found for items.
func newSubscriptionHits(ctx context.Context, state *pgaudience.TopicState, items []SubscriptionRef) *subscriptionHits {
	given := make([]string, len(items))
	for i, item := range items {
		given[i] = usecase.Text(item.SubscriberID)
	}
	rows := slices.DeleteFunc(state.Subscriptions, func(r *ent.Subscription) bool { return !usecase.WithinContext(ctx, r.Scope) })
	hits := &subscriptionHits{
		known: livingByName(state.Subscribers, given), byIdentifier: map[string]*ent.Subscription{},
		bySubscriber: usecase.GroupBy(rows, func(r *ent.Subscription) string { return r.SubscriberID }),
	}
	owners := usecase.ByID(state.Subscribers)
	for _, row := range rows {
		row.Edges.Topic, row.Edges.Subscriber = state.Topic, owners[row.SubscriberID]
		hits.byIdentifier[row.Identifier] = row
	}
	return hits
}

// result lists every row that an item names once, in the order of the items.
func (h *subscriptionHits) result(items []SubscriptionRef) *usecase.SubscriptionsResult {
	result := &usecase.SubscriptionsResult{Data: []*ent.Subscription{}, Errors: []*usecase.ItemError{}, Verb: "deleted"}
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
	return result.Count(len(items))
}

func (h *subscriptionHits) named(item SubscriptionRef) ([]*ent.Subscription, *usecase.ItemError) {
	identifier, subscriberID := usecase.Text(item.Identifier), usecase.Text(item.SubscriberID)
	fail := func(code, format string, args ...any) *usecase.ItemError {
		shown := subscriberID
		if shown == "" {
			shown = usecase.UnknownSubscriber
		}
		return &usecase.ItemError{SubscriberID: shown, Code: code, Message: fmt.Sprintf(format, args...)}
	}
	owner := h.known[subscriberID]
	row := h.byIdentifier[identifier]
	switch {
	case identifier == "" && strings.TrimSpace(subscriberID) == "":
		return nil, fail(usecase.ItemInvalidRequest, "The item holds neither an identifier nor a subscriberId.")
	case subscriberID != "" && owner == nil:
		return nil, fail(usecase.ItemSubscriberNotFound, "Subscriber %s was not found.", subscriberID)
	case identifier != "" && (row == nil || owner != nil && row.SubscriberID != owner.ID):
		return nil, fail(usecase.ItemSubscriptionNotFound, "Subscription %s was not found.", identifier)
	case identifier != "":
		return []*ent.Subscription{row}, nil
	case len(h.bySubscriber[owner.ID]) == 0:
		return nil, fail(usecase.ItemSubscriptionNotFound, "Subscriber %s has no subscription of this topic.", subscriberID)
	}
	return h.bySubscriber[owner.ID], nil
}
