package rest

import (
	"context"
	"errors"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/shape"
)

const topicSubscriptions = "/v2/topics/{topicKey}/subscriptions"

var subscriptionRoutes = []Route{{
	Method: http.MethodGet, Pattern: "/v2/subscribers/{subscriberId}/subscriptions", Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "listSubscriptions", Tag: tagSubscriptions, Summary: "List a subscriber's topic subscriptions", Text: "In all contexts, unless contextKeys is given.",
	query: subscriptionListing, Success: http.StatusOK, answer: page("SubscriptionPage", listedForm),
	Failures: []int{http.StatusNotFound, http.StatusUnprocessableEntity}, run: (*server).listSubscriptions,
}, {
	Method: http.MethodPatch, Pattern: topicSubscriptions + "/{identifier}", Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "updateSubscription", Tag: tagSubscriptions, Summary: "Update a topic subscription", Text: "What is left out stays as it is.",
	body: subscriptionUpdate, Success: http.StatusOK, answer: fullForm,
	Failures: []int{http.StatusNotFound, http.StatusUnprocessableEntity}, run: (*server).updateSubscription,
}, {
	Method: http.MethodPost, Pattern: topicSubscriptions, Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "createSubscriptions", Tag: tagSubscriptions, Summary: "Create topic subscriptions",
	Text: "Creates the topic when it does not exist. Every item has an outcome of its own; only when all fail it is a 400.",
	body: subscriptionCreation, Success: http.StatusCreated, answer: itemResults("CreatedSubscriptions", fullForm),
	Failures: []int{http.StatusUnprocessableEntity}, run: (*server).createSubscriptions,
}, {
	Method: http.MethodDelete, Pattern: topicSubscriptions, Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "deleteSubscriptions", Tag: tagSubscriptions, Summary: "Delete topic subscriptions",
	Text: "Every item has an outcome of its own; only when all fail it is a 400.",
	body: subscriptionDeletion, Success: http.StatusOK, answer: itemResults("DeletedSubscriptions", deletedForm),
	Failures: []int{http.StatusNotFound, http.StatusUnprocessableEntity}, run: (*server).deleteSubscriptions,
}}

// subscriptionQuery is which subscriptions of a subscriber are asked for.
type subscriptionQuery struct {
	cursorQuery
	topicKey *string
}

var subscriptionListing = append(
	cursorParameters(func(q *subscriptionQuery) *cursorQuery { return &q.cursorQuery }, byRecord, byCreation, byChange),
	shape.Param("key", shape.Word(), "Subscriptions of this topic.", func(q *subscriptionQuery, v string) { q.topicKey = &v }),
)

func (s *server) listSubscriptions(ctx context.Context, in *Input) (*Reply, error) {
	q, err := subscriptionListing.Read(in.Request.URL.RawQuery, nil)
	if err != nil {
		return nil, err
	}
	subscriberID, err := in.name("subscriberId", "Subscriber")
	if err != nil {
		return nil, err
	}
	page := q.page()
	list, err := s.Resolvers.Query().SubscriberSubscriptions(ctx, subscriberID, page.First, page.After, page.Last, page.Before,
		page.IncludeCursor, &q.order, &audience.SubscriptionFilter{TopicKey: q.topicKey, ContextKeys: q.contextKeys})
	if err != nil {
		return nil, err
	}
	return pageReply(ctx, in, list, func(r *ent.Subscription) string { return r.ID }, listedSubscription)
}

// itemBounds are how many items a call may have.
var itemBounds = shape.Between(1, audience.MaxSubscriptionItems)

var subscriptionCreation = shape.Object("CreateSubscriptionsRequest", "Whom to subscribe to a topic.",
	shape.Optional("subscriptions", shape.List(newSubscription, itemBounds),
		"The new subscriptions; wins over subscriberIds.", func(in *audience.CreateSubscriptionsInput, v []audience.SubscriptionItem) { in.Subscriptions = v }),
	shape.Optional("subscriberIds", shape.List(subscriberID, itemBounds).Deprecated(),
		"Use subscriptions.", func(in *audience.CreateSubscriptionsInput, v []string) { in.SubscriberIDs = v }).
		Unless(func(in *audience.CreateSubscriptionsInput) bool { return in.Subscriptions != nil }),
	shape.Optional("name", recordName, "The topic's name; renames a topic that exists.", func(in *audience.CreateSubscriptionsInput, v string) { in.Name = &v }),
	shape.Optional("context", contexts, "", func(in *audience.CreateSubscriptionsInput, v map[string]any) { in.Context = v }),
	shape.Optional("preferences", subscriptionPreferences, "", func(in *audience.CreateSubscriptionsInput, v []audience.SubscriptionPreferenceInput) {
		in.Preferences = v
	}),
)

var newSubscription = shape.TextOrObject(subscriberID,
	func(v string) audience.SubscriptionItem { return audience.SubscriptionItem{SubscriberID: v} },
	shape.Object("SubscriptionInput", "A subscription with an identifier of its own.",
		shape.Required("identifier", subscriptionIdentifier, "The subscription's identifier, unique within the topic; without control characters.", func(in *audience.SubscriptionItem, v string) { in.Identifier = &v }),
		shape.Required("subscriberId", subscriberID, "", func(in *audience.SubscriptionItem, v string) { in.SubscriberID = v }),
		shape.Optional("name", recordName, "The subscription's own name.", func(in *audience.SubscriptionItem, v string) { in.Name = &v }),
	),
).Describe("A subscriberId, or a subscription with an identifier of its own.")

func (s *server) createSubscriptions(ctx context.Context, in *Input) (*Reply, error) {
	input, err := subscriptionCreation.Read(in.Body, (*audience.CreateSubscriptionsInput).Check)
	if err != nil {
		return nil, err
	}
	input.TopicKey = in.Param("topicKey")
	result, err := s.Resolvers.Mutation().CreateSubscriptions(ctx, input)
	if err != nil {
		return nil, err
	}
	return s.subscriptionsReply(in, result, fullSubscription), nil
}

var subscriptionUpdate = shape.Object("UpdateSubscriptionRequest", "What changes of a subscription; what is left out stays.",
	shape.Optional("name", recordName, "The subscription's name.", func(in *audience.UpdateSubscriptionInput, v string) { in.Name = graphql.OmittableOf(&v) }),
	shape.Optional("preferences", subscriptionPreferences, "", func(in *audience.UpdateSubscriptionInput, v []audience.SubscriptionPreferenceInput) {
		in.Preferences = v
	}),
)

func (s *server) updateSubscription(ctx context.Context, in *Input) (*Reply, error) {
	input, err := subscriptionUpdate.Read(in.Body, (*audience.UpdateSubscriptionInput).Check)
	if err != nil {
		return nil, err
	}
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
	return in.reply(fullSubscription(updated.Subscription)), nil
}

var subscriptionDeletion = shape.Object("DeleteSubscriptionsRequest", "Which subscriptions of a topic end.",
	shape.Optional("subscriptions", shape.List(subscriptionRef, itemBounds), "A subscriberId ends all of its subscriptions in the topic; wins over subscriberIds.",
		func(in *audience.DeleteSubscriptionsInput, v []audience.SubscriptionRef) { in.Subscriptions = v }),
	shape.Optional("subscriberIds", shape.List(subscriberID, itemBounds).Deprecated(),
		"Use subscriptions.", func(in *audience.DeleteSubscriptionsInput, v []string) { in.SubscriberIDs = v }).
		Unless(func(in *audience.DeleteSubscriptionsInput) bool { return in.Subscriptions != nil }),
)

var subscriptionRef = shape.TextOrObject(subscriberID,
	func(v string) audience.SubscriptionRef { return audience.SubscriptionRef{SubscriberID: &v} },
	shape.Object("SubscriptionRef", "One subscription by its identifier, or all of a subscriber; both: that one if it is the subscriber's.",
		shape.Optional("identifier", subscriptionIdentifier, "The subscription's identifier; without control characters.", func(in *audience.SubscriptionRef, v string) { in.Identifier = &v }),
		shape.Optional("subscriberId", subscriberID, "", func(in *audience.SubscriptionRef, v string) { in.SubscriberID = &v }),
	),
).Describe("A subscriberId, or which subscription.")

func (s *server) deleteSubscriptions(ctx context.Context, in *Input) (*Reply, error) {
	input, err := subscriptionDeletion.Read(in.Body, (*audience.DeleteSubscriptionsInput).Check)
	if err != nil {
		return nil, err
	}
	if input.TopicKey, err = in.name("topicKey", "Topic"); err != nil {
		return nil, err
	}
	result, err := s.Resolvers.Mutation().DeleteSubscriptions(ctx, input)
	if err != nil {
		return nil, err
	}
	return s.subscriptionsReply(in, result, deletedSubscription), nil
}

var (
	groupFilter = shape.Object("GroupFilter", "Every workflow that is named, and every active one with any of the tags.",
		shape.Optional("workflowIds", shape.List(workflowID, shape.AtMost(audience.MaxGroupFilterValues)), "Workflows by name.", func(in *audience.WorkflowGroupFilter, v []string) { in.WorkflowIDs = v }),
		shape.Optional("tags", shape.List(shape.Text(), shape.AtMost(audience.MaxGroupFilterValues)), "Tags.", func(in *audience.WorkflowGroupFilter, v []string) { in.Tags = v }),
	)
	conditionField = shape.Optional("condition", shape.Free(), conditionText, func(in *audience.SubscriptionPreferenceInput, v map[string]any) { in.Condition = v })
	enabled        = shape.Optional("enabled", shape.Flag(), "Whether the workflows pass; true when left out.", func(in *audience.SubscriptionPreferenceInput, v bool) { in.Enabled = &v })

	subscriptionPreferences = shape.List(shape.Named("SubscriptionPreferenceInput", shape.TextOrObject(workflowID,
		func(v string) audience.SubscriptionPreferenceInput {
			return audience.SubscriptionPreferenceInput{WorkflowID: &v}
		},
		shape.OneOf("SubscriptionPreferenceObject", "A workflow with a condition, or a group of workflows.", shape.Object("WorkflowPreferenceRef", "One workflow.",
			shape.Required("workflowId", workflowID, "", func(in *audience.SubscriptionPreferenceInput, v string) { in.WorkflowID = &v }), conditionField, enabled),
			shape.Object("GroupPreference", "A group of workflows.",
				shape.Required("filter", groupFilter.Type, "", func(in *audience.SubscriptionPreferenceInput, v audience.WorkflowGroupFilter) { in.Filter = &v }), conditionField, enabled)),
	).Describe("A workflow that passes, a workflow with a condition, or a group of workflows.")), shape.AtMost(audience.MaxSubscriptionPreferences)).
		Describe("For which workflows the subscription counts; replaces what was stored. Unknown workflows are skipped.")
)

// itemsMeta counts the items of a call.
type itemsMeta struct {
	_          struct{} `doc:"How many items of a call succeeded. A delete may end several subscriptions by one item."`
	TotalCount int      `json:"totalCount"`
	Successful int      `json:"successful" doc:"How many succeeded."`
	Failed     int      `json:"failed"`
}

// itemError says why one item failed.
type itemError struct {
	_            struct{} `doc:"Why one item of a call failed."`
	SubscriberID string   `json:"subscriberId" doc:"The given one, or unknown when only an identifier was given."`
	Code         string   `json:"code" doc:"Why, as a stable code such as SUBSCRIBER_NOT_FOUND."`
	Message      string   `json:"message"`
}

// subscriptionsReply shows what became of the items of a call. When none succeeded it is a 400 that shows the same; it is
// a reply and no failure, because what the call made on the way stays.
func (s *server) subscriptionsReply(in *Input, result *usecase.SubscriptionsResult, view func(*ent.Subscription) subscriptionView) *Reply {
	body := map[string]any{"data": views(result.Data, view), "meta": itemsMeta{TotalCount: result.Meta.TotalCount, Successful: result.Meta.Successful, Failed: result.Meta.Failed}}
	if len(result.Errors) > 0 {
		body["errors"] = views(result.Errors, func(e *usecase.ItemError) itemError {
			return itemError{SubscriberID: e.SubscriberID, Code: e.Code, Message: e.Message}
		})
	}
	var refusal *fault.Error
	if errors.As(result.Refusal(), &refusal) {
		refusal.Details = body
		return in.refused(refusal)
	}
	return in.reply(body)
}
