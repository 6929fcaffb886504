package rest

import (
	"context"
	"errors"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
)

// GET /v2/subscribers/{subscriberId}/subscriptions
func (s *server) listSubscriptions(ctx context.Context, in *Input) (*Reply, error) {
	q := in.query()
	page := q.page()
	order := q.order(byRecord, byCreation, byChange)
	filter := &notify.SubscriptionFilter{TopicKey: q.text("key"), ContextKeys: q.contextKeys()}
	if err := q.err(); err != nil {
		return nil, err
	}
	subscriberID, err := in.name("subscriberId", "Subscriber")
	if err != nil {
		return nil, err
	}
	list, err := s.Resolvers.Query().SubscriberSubscriptions(ctx, subscriberID, page.First, page.After, page.Last, page.Before,
		page.IncludeCursor, order, filter)
	if err != nil {
		return nil, err
	}
	return pageReply(ctx, list, func(r *ent.Subscription) string { return r.ID }, listedSubscription)
}

// POST /v2/topics/{topicKey}/subscriptions
func (s *server) createSubscriptions(ctx context.Context, in *Input) (*Reply, error) {
	var p fault.Problems
	body := in.object(&p)
	input := notify.CreateSubscriptionsInput{
		TopicKey: in.Param("topicKey"), Name: body.text("name"), Context: body.plain("context"),
		Preferences: subscriptionPreferences(body),
	}
	if list := body.list("subscriptions"); list != nil {
		input.Subscriptions = make([]notify.SubscriptionItem, len(list))
		for i, value := range list {
			input.Subscriptions[i] = newSubscription(body, i, value)
		}
	} else {
		input.SubscriberIDs = body.texts("subscriberIds")
	}
	input.Check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	result, err := s.Resolvers.Mutation().CreateSubscriptions(ctx, input)
	if err != nil {
		return nil, err
	}
	return s.subscriptionsReply(in, http.StatusCreated, result, fullSubscription), nil
}

// newSubscription is an item of a create call: a subscriberId, or an object with one and an identifier.
func newSubscription(body object, i int, value any) (item notify.SubscriptionItem) {
	subscriberID, members := body.subscriber("subscriptions", i, value)
	switch {
	case subscriberID != nil:
		item.SubscriberID = *subscriberID
	case members != nil:
		identifier := members.required("identifier")
		item = notify.SubscriptionItem{SubscriberID: members.required("subscriberId"), Identifier: &identifier, Name: members.text("name")}
	}
	return item
}

// PATCH /v2/topics/{topicKey}/subscriptions/{identifier}
func (s *server) updateSubscription(ctx context.Context, in *Input) (*Reply, error) {
	var p fault.Problems
	body := in.object(&p)
	input := notify.UpdateSubscriptionInput{Preferences: subscriptionPreferences(body)}
	if name := body.text("name"); name != nil {
		input.Name = graphql.OmittableOf(name)
	}
	input.Check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	var err error
	if input.TopicKey, err = in.name("topicKey", "Topic"); err != nil {
		return nil, err
	}
	if input.Identifier, err = in.name("identifier", "Subscription"); err != nil {
		return nil, err
	}
	updated, err := s.Resolvers.Mutation().UpdateSubscription(ctx, input)
	if err != nil {
		return nil, err
	}
	return &Reply{Status: http.StatusOK, Body: fullSubscription(updated)}, nil
}

// DELETE /v2/topics/{topicKey}/subscriptions
func (s *server) deleteSubscriptions(ctx context.Context, in *Input) (*Reply, error) {
	var p fault.Problems
	body := in.object(&p)
	input := notify.DeleteSubscriptionsInput{}
	if list := body.list("subscriptions"); list != nil {
		input.Subscriptions = make([]notify.SubscriptionRef, len(list))
		for i, value := range list {
			input.Subscriptions[i] = subscriptionRef(body, i, value)
		}
	} else {
		input.SubscriberIDs = body.texts("subscriberIds")
	}
	input.Check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	var err error
	if input.TopicKey, err = in.name("topicKey", "Topic"); err != nil {
		return nil, err
	}
	result, err := s.Resolvers.Mutation().DeleteSubscriptions(ctx, input)
	if err != nil {
		return nil, err
	}
	return s.subscriptionsReply(in, http.StatusOK, result, deletedSubscription), nil
}

// subscriptionRef is an item of a delete call: a subscriberId, or an object with one, an identifier, or both.
func subscriptionRef(body object, i int, value any) notify.SubscriptionRef {
	subscriberID, members := body.subscriber("subscriptions", i, value)
	if members == nil {
		return notify.SubscriptionRef{SubscriberID: subscriberID}
	}
	return notify.SubscriptionRef{Identifier: members.text("identifier"), SubscriberID: members.text("subscriberId")}
}

// subscriber is an entry of which the text is a subscriberId.
func (o object) subscriber(list string, i int, value any) (subscriberID *string, members *object) {
	subscriberID, members = o.entry(list, i, value)
	if subscriberID != nil {
		in, position := o.item(list, i, value)
		notify.CheckSubscriberID(o.problems, in.at(position), *subscriberID)
	}
	return subscriberID, members
}

// subscriptionPreferences are the preference items of a body; nil when they are absent.
func subscriptionPreferences(body object) []notify.SubscriptionPreferenceInput {
	list := body.list("preferences")
	if list == nil {
		return nil
	}
	items := make([]notify.SubscriptionPreferenceInput, len(list))
	for i, value := range list {
		workflowID, members := body.entry("preferences", i, value)
		if members == nil {
			items[i].WorkflowID = workflowID
			continue
		}
		items[i] = notify.SubscriptionPreferenceInput{
			WorkflowID: members.text("workflowId"), Condition: members.plain("condition"), Enabled: members.flag("enabled"),
		}
		if filter, ok := members.inner("filter"); ok {
			items[i].Filter = &notify.WorkflowGroupFilter{WorkflowIDs: filter.texts("workflowIds"), Tags: filter.texts("tags")}
		}
	}
	return items
}

// itemsMeta counts the items of a call.
type itemsMeta struct {
	TotalCount int `json:"totalCount"`
	Successful int `json:"successful"`
	Failed     int `json:"failed"`
}

// itemError tells why one item failed.
type itemError struct {
	SubscriberID string `json:"subscriberId"`
	Code         string `json:"code"`
	Message      string `json:"message"`
}

// subscriptionsReply shows what became of the items of a call. When none succeeded it is a 400 that shows the same; it is
// a reply and no failure, because what the call made on the way stays.
func (s *server) subscriptionsReply(in *Input, status int, result *notify.SubscriptionsResult, view func(*ent.Subscription) subscriptionView) *Reply {
	body := map[string]any{"data": views(result.Data, view), "meta": itemsMeta(result.Meta)}
	if len(result.Errors) > 0 {
		body["errors"] = views(result.Errors, func(e *notify.ItemError) itemError { return itemError(*e) })
	}
	var refusal *fault.Error
	if errors.As(result.Refusal(), &refusal) {
		refusal.Details = body
		return in.refused(refusal)
	}
	return &Reply{Status: status, Body: body}
}

// topicView is the Topic of api.md.
type topicView struct {
	ID        string  `json:"_id"`
	Key       string  `json:"key"`
	Name      *string `json:"name,omitempty"`
	CreatedAt *moment `json:"createdAt,omitempty"` // in lists only
	UpdatedAt *moment `json:"updatedAt,omitempty"` // in lists only
}

// subscriberSummary is the SubscriberSummary of api.md; its names may be null.
type subscriberSummary struct {
	ID           string  `json:"_id"`
	SubscriberID string  `json:"subscriberId"`
	Avatar       *string `json:"avatar"`
	FirstName    *string `json:"firstName"`
	LastName     *string `json:"lastName"`
	Email        *string `json:"email"`
}

// subscriptionView is the Subscription of api.md in its three forms, which differ in what they leave out.
type subscriptionView struct {
	ID          string                   `json:"_id"`
	Identifier  string                   `json:"identifier"`
	Name        *string                  `json:"name,omitempty"`
	Topic       topicView                `json:"topic"`
	Subscriber  subscriberSummary        `json:"subscriber"`
	Preferences []subscriptionPreference `json:"preferences,omitempty"`
	ContextKeys []string                 `json:"contextKeys"`
	CreatedAt   moment                   `json:"createdAt"`
	UpdatedAt   *moment                  `json:"updatedAt,omitempty"`
}

// subscriptionPreference is the SubscriptionPreference of api.md.
type subscriptionPreference struct {
	SubscriptionID string           `json:"subscriptionId"` // the subscription's identifier
	Workflow       *workflowSummary `json:"workflow,omitempty"`
	Enabled        bool             `json:"enabled"`
	Condition      map[string]any   `json:"condition,omitzero"`
}

func listedSubscription(r *ent.Subscription) subscriptionView {
	view := deletedSubscription(r)
	view.UpdatedAt = nil
	view.Topic.CreatedAt, view.Topic.UpdatedAt = optional(&r.Edges.Topic.CreatedAt), optional(&r.Edges.Topic.UpdatedAt)
	return view
}

func deletedSubscription(r *ent.Subscription) subscriptionView {
	topic, owner := r.Edges.Topic, r.Edges.Subscriber
	return subscriptionView{
		ID: r.ID, Identifier: r.Identifier, Topic: topicView{ID: topic.ID, Key: topic.Key, Name: topic.Name},
		Subscriber: subscriberSummary{
			ID: owner.ID, SubscriberID: owner.SubscriberID, Avatar: owner.Avatar, FirstName: owner.FirstName,
			LastName: owner.LastName, Email: owner.Email,
		},
		ContextKeys: listed(r.ContextKeys), CreatedAt: moment(r.CreatedAt), UpdatedAt: optional(&r.UpdatedAt),
	}
}

func fullSubscription(r *ent.Subscription) subscriptionView {
	view := deletedSubscription(r)
	view.Name = r.Name
	for _, p := range r.Edges.Preferences {
		shown := subscriptionPreference{SubscriptionID: r.Identifier, Enabled: p.Enabled, Condition: p.Condition}
		if p.Edges.Workflow != nil {
			shown.Workflow = summary(notify.SummaryOf(p.Edges.Workflow))
		}
		view.Preferences = append(view.Preferences, shown)
	}
	return view
}
