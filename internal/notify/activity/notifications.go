package activity

import (
	"context"
	"reflect"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/attempt"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
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

func (f *NotificationFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.Notification, values usecase.Values, err error) {
	if f == nil {
		return nil, values, nil
	}
	v, _ := viewer.FromContext(ctx)
	environmentID := v.EnvironmentID
	if f.TransactionID != nil {
		values.Add(notification.FieldTransactionID, *f.TransactionID)
	}
	if slices.Contains(f.StatusIn, workflow.RunCompleted) { // the parts have the others; said twice, Postgres would expect too few
		ps = append(ps, notification.StatusIn(f.StatusIn...))
	}
	if f.SubscriberID != nil {
		ids, err := usecase.NamedSubscribers(ctx, db, *f.SubscriberID)
		if err != nil {
			return nil, values, err
		}
		usecase.AnyOf(&values, notification.FieldSubscriberID, ids)
	}
	if f.EventID != nil {
		eventID, err := usecase.RecordID("Event", *f.EventID)
		if err != nil {
			return nil, values, err
		}
		ps = append(ps, ofEvent(eventID))
	}
	if f.Workflow != nil {
		workflowID, err := usecase.NamedWorkflow(ctx, db, *f.Workflow)
		if err != nil {
			return nil, values, err
		}
		if f.TransactionID == nil {
			values.Add(notification.FieldWorkflowID, workflowID)
		} else { // which has one workflow
			ps = append(ps, notification.WorkflowID(workflowID))
		}
	}
	if f.ProviderMessageID != nil {
		ids, err := takenAs(ctx, db, environmentID, *f.ProviderMessageID)
		if err != nil {
			return nil, values, err
		}
		ps = append(ps, notification.IDIn(ids...))
	}
	ps = usecase.ScopeMatch(ps, f.ContextKeys, notification.Scope, func() predicate.Notification { return notification.IDIn() })
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, usecase.LateRun), values, nil
}

// ofEvent goes by the event's transactionId, whose index is in the order of lists.
func ofEvent(eventID string) predicate.Notification {
	return func(s *sql.Selector) {
		e := sql.Table(event.Table)
		s.Where(sql.And(sql.EQ(s.C(notification.FieldEventID), eventID),
			sql.EQ(s.C(notification.FieldTransactionID), sql.Select(e.C(event.FieldTransactionID)).From(e).Where(sql.EQ(e.C(event.FieldID), eventID)))))
	}
}

// rareStatus is a generated column: the status of a run, but null for those that are pending or completed.
const rareStatus = "rare_status"

// parts are those of a list of notifications with statuses other than completed, each by a partial index; nil where those that are
// completed are wanted too.
func (f *NotificationFilter) parts(environmentID string) (parts []usecase.Part) {
	if f == nil || f.StatusIn == nil || slices.Contains(f.StatusIn, workflow.RunCompleted) {
		return nil
	}
	parts = []usecase.Part{}
	for _, status := range slices.Compact(slices.Sorted(slices.Values(f.StatusIn))) {
		if status == workflow.RunPending {
			parts = append(parts, pendingParts(environmentID)...)
		} else {
			parts = append(parts, usecase.Part{Column: rareStatus, Value: string(status)})
		}
	}
	others := *f
	others.StatusIn, others.CreatedAfter, others.CreatedBefore = nil, nil, nil
	if !reflect.DeepEqual(others, NotificationFilter{}) {
		for i, p := range parts {
			parts[i] = p.AsFilter()
		}
	}
	return parts
}

// pendingParts are the runs that are pending: those with a step that is due, those with a message that is due, and those of which only
// messages under a lease are left.
func pendingParts(environmentID string) []usecase.Part {
	due := func(s *sql.Selector) {
		s.Where(sql.And(sql.IsNull(s.C(rareStatus)), sql.EQ(s.C(notification.FieldStatus), workflow.RunPending), sql.NotNull(s.C(notification.FieldDueAt))))
	}
	notDue := func(s *sql.Selector) { // of which Postgres expects few among all runs; most runs with a message that is due are
		status, dueAt := s.C(notification.FieldStatus), s.C(notification.FieldDueAt)
		s.Where(sql.P(func(b *sql.Builder) {
			b.WriteString("CASE WHEN ").Ident(dueAt).WriteString(" IS NULL THEN ").Ident(status).WriteString(" = ").Arg(workflow.RunPending).WriteString(" ELSE false END")
		}))
	}
	waiting := func() *sql.Selector {
		m := sql.Select().From(sql.Table(message.Table).As("open"))
		return m.Select(sql.As(m.C(message.FieldNotificationID), notification.FieldID)).
			Where(sql.And(sql.EQ(m.C(message.FieldEnvironmentID), environmentID), usecase.DueMessage(m)))
	}
	leased := func(s *sql.Selector) {
		notDue(s)
		of := waiting()
		of.Where(sql.ColumnsEQ(of.C(message.FieldNotificationID), s.C(notification.FieldID)))
		s.Where(sql.And(sql.In(s.C(notification.FieldID), usecase.LeasedMessages(environmentID, message.FieldNotificationID)), sql.NotExists(of)))
	}
	return []usecase.Part{{Condition: due}, {Condition: notDue, IDs: waiting}, {Condition: leased}}
}

// takenAs finds the notifications of which a provider took a message under an identifier of its own; most identifiers name
// one message.
func takenAs(ctx context.Context, db *ent.Client, environmentID, providerMessageID string) (notifications []string, err error) {
	err = db.Message.Query().Where(message.ProviderMessageID(providerMessageID), ofAttempts(environmentID, providerMessageID)).Limit(maxTaken).
		Select(message.FieldNotificationID).Scan(ctx, &notifications)
	return notifications, err
}

// ofAttempts goes by the attempt that the provider answered: messages have no index of the identifier.
func ofAttempts(environmentID, providerMessageID string) predicate.Message {
	return func(s *sql.Selector) {
		a := sql.Table(attempt.Table)
		s.Where(sql.In(s.C(message.FieldID), sql.Select(a.C(attempt.FieldMessageID)).From(a).Where(sql.And(
			sql.EQ(a.C(attempt.FieldEnvironmentID), environmentID), sql.EQ(a.C(attempt.FieldProviderMessageID), providerMessageID)))))
	}
}

// maxTaken bounds how many messages of one provider's identifier are looked at.
const maxTaken = 1000

// List is a page of notifications.
func (n *Notifications) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *NotificationFilter) (*NotificationConnection, error) {
	return usecase.Read(ctx, n.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*NotificationConnection, error) {
		ps, values, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		v, _ := viewer.FromContext(ctx)
		by := n.Newest(order, values).Among(filter.parts(v.EnvironmentID)...)
		return usecase.Paginate(ctx, db.Notification.Query(), ps, page, by)
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
