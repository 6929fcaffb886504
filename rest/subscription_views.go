package rest

import (
	"reflect"
	"slices"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/shape"
)

// topicView is the Topic of api.md.
type topicView struct {
	_         struct{} `doc:"A topic."`
	ID        string   `json:"_id"`
	Key       string   `json:"key"`
	Name      *string  `json:"name,omitempty"`
	CreatedAt *moment  `json:"createdAt,omitempty"` // in lists only
	UpdatedAt *moment  `json:"updatedAt,omitempty"` // in lists only
}

// subscriberSummary is the SubscriberSummary of api.md; its names may be null.
type subscriberSummary struct {
	_            struct{} `doc:"A subscriber in short."`
	ID           string   `json:"_id"`
	SubscriberID string   `json:"subscriberId"`
	Avatar       *string  `json:"avatar"`
	FirstName    *string  `json:"firstName"`
	LastName     *string  `json:"lastName"`
	Email        *string  `json:"email"`
}

// subscriptionView is the Subscription of api.md in its three forms, which differ in what they leave out.
type subscriptionView struct {
	_           struct{}                 `doc:"A subscriber's subscription to a topic."`
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
	_              struct{}         `doc:"Whether a workflow passes a subscription."`
	SubscriptionID string           `json:"subscriptionId" doc:"The subscription's identifier."` // the subscription's identifier
	Workflow       *workflowSummary `json:"workflow,omitempty"`
	Enabled        bool             `json:"enabled"`
	Condition      map[string]any   `json:"condition,omitzero" doc:"JSON Logic that decides instead of enabled."`
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
			shown.Workflow = summary(audience.SummaryOf(p.Edges.Workflow))
		}
		view.Preferences = append(view.Preferences, shown)
	}
	return view
}

// The three forms as the document has them, and the topic within two of them.

func listedForm(c *components) schema {
	return subscriptionForm(c, "ListedSubscription", []string{"name", "preferences", "updatedAt"})
}

func fullForm(c *components) schema { return changedForm(c, "SubscriptionResult") }

func deletedForm(c *components) schema {
	return changedForm(c, "DeletedSubscription", "name", "preferences")
}

func changedForm(c *components, name string, dropped ...string) schema {
	return subscriptionForm(c, name, dropped, "updatedAt")
}

// subscriptionForm is the schema of a subscription without some members, and with some that are always there.
func subscriptionForm(c *components, name string, dropped []string, always ...string) schema {
	return c.Named(name, func() schema {
		s := without(c.object(reflect.TypeFor[subscriptionView]()), dropped...)
		s["required"] = slices.Concat(s["required"].([]string), always) //nolint:forcetypeassert // of without
		if len(always) > 0 {
			s["properties"].(schema)["topic"] = c.Named("TopicRef", func() schema { //nolint:forcetypeassert // of without
				return without(c.object(reflect.TypeFor[topicView]()), "createdAt", "updatedAt")
			})
		}
		return s
	})
}

// itemResults is an answer of what became of the items of a call.
func itemResults(name string, item answer) answer {
	return func(c *components) schema {
		return c.Named(name, func() schema {
			return shape.Record("What became of the items of a call.", schema{
				"data":   describedAs(shape.ArrayOf(item(c)), "The subscriptions of the items that succeeded."),
				"meta":   c.of(reflect.TypeFor[itemsMeta]()),
				"errors": describedAs(shape.ArrayOf(c.of(reflect.TypeFor[itemError]())), "Why single items failed; left out when none did."),
			}, "data", "meta")
		})
	}
}
