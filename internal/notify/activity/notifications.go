package activity

import (
	"context"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/attempt"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Notifications are the use cases of notifications: one event for one subscriber, with the trace of its run.
type Notifications struct{ usecase.Deps }

// NotificationConnection is a page of notifications.
type NotificationConnection = usecase.Connection[ent.Notification]

// NotificationEdge is one notification of a page.
type NotificationEdge = usecase.Edge[ent.Notification]

// NotificationFilter narrows a list of notifications; the fields that are set combine with AND.
type NotificationFilter struct {
	StatusIn          []workflow.RunStatus
	SubscriberID      *string // external; deleted subscribers included
	EventID           *string // global or internal id
	TransactionID     *string
	Workflow          *string // id, slug or identifier
	ProviderMessageID *string
	ContextKeys       []string // as a set; nil: any
	CreatedAfter      *time.Time
	CreatedBefore     *time.Time
}

func (f *NotificationFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.Notification, err error) {
	if f == nil {
		return nil, nil
	}
	if f.StatusIn != nil {
		ps = append(ps, notification.StatusIn(f.StatusIn...))
	}
	if f.SubscriberID != nil {
		ids, err := usecase.NamedSubscribers(ctx, db, *f.SubscriberID)
		if err != nil {
			return nil, err
		}
		ps = append(ps, notification.SubscriberIDIn(ids...))
	}
	if f.EventID != nil {
		eventID, err := usecase.RecordID("Event", *f.EventID)
		if err != nil {
			return nil, err
		}
		ps = append(ps, notification.EventID(eventID))
	}
	if f.Workflow != nil {
		workflowID, err := usecase.NamedWorkflow(ctx, db, *f.Workflow)
		if err != nil {
			return nil, err
		}
		ps = append(ps, notification.WorkflowID(workflowID))
	}
	if f.ProviderMessageID != nil {
		ids, err := takenAs(ctx, db, *f.ProviderMessageID)
		if err != nil {
			return nil, err
		}
		ps = append(ps, notification.IDIn(ids...))
	}
	ps = usecase.WithFilter(ps, f.TransactionID, notification.TransactionID)
	ps = usecase.ScopeMatch(ps, f.ContextKeys, notification.Scope, func() predicate.Notification { return notification.IDIn() })
	ps = usecase.WithFilter(ps, f.CreatedAfter, notification.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, notification.CreatedAtLT), nil
}

// takenAs finds the notifications of which a provider took a message under an identifier of its own. Attempts are found by
// integration and identifier; most identifiers name one message.
func takenAs(ctx context.Context, db *ent.Client, providerMessageID string) ([]string, error) {
	integrations, err := db.Integration.Query().IDs(ctx)
	if err != nil {
		return nil, err
	}
	var messages []string
	err = db.Attempt.Query().Where(attempt.IntegrationIDIn(integrations...), attempt.ProviderMessageID(providerMessageID)).
		Limit(maxTaken).Select(attempt.FieldMessageID).Scan(ctx, &messages)
	if err != nil {
		return nil, err
	}
	var notifications []string
	err = db.Message.Query().Where(message.IDIn(messages...)).Select(message.FieldNotificationID).Scan(ctx, &notifications)
	return notifications, err
}

// maxTaken bounds how many messages of one provider's identifier are looked at.
const maxTaken = 1000

// List is a page of notifications.
func (n *Notifications) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *NotificationFilter) (*NotificationConnection, error) {
	return usecase.Read(ctx, n.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*NotificationConnection, error) {
		ps, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.Notification.Query(), ps, page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one notification by its global or internal id.
func (n *Notifications) Get(ctx context.Context, globalID string) (*ent.Notification, error) {
	recordID, err := usecase.RecordID("Notification", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, n.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Notification, error) {
		found, err := db.Notification.Query().Where(notification.ID(recordID)).Only(ctx)
		return found, usecase.NotFound(err, "Notification %s was not found.", globalID)
	})
}

// ByKey is the notification of one event (global or internal id) for one subscriber (external id).
func (n *Notifications) ByKey(ctx context.Context, eventID, subscriberID string) (*ent.Notification, error) {
	recordID, err := usecase.RecordID("Event", eventID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, n.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Notification, error) {
		who, err := usecase.LivingSubscriberID(ctx, db, subscriberID)
		if err != nil {
			return nil, err
		}
		found, err := db.Notification.Query().Where(notification.EventID(recordID), notification.SubscriberID(who)).Only(ctx)
		return found, usecase.NotFound(err, "The event has no notification for subscriber %s.", subscriberID)
	})
}

// Messages finds the messages of notifications by internal id, in order of their making. Cost: one query.
func (n *Notifications) Messages(ctx context.Context, ids []string) (map[string][]*ent.Message, error) {
	return usecase.Read(ctx, n.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (map[string][]*ent.Message, error) {
		rows, err := db.Message.Query().Where(message.NotificationIDIn(ids...)).Order(message.ByID()).All(ctx)
		return usecase.GroupBy(rows, func(m *ent.Message) string { return m.NotificationID }), err
	})
}
