package inbox

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Messages are the use cases of messages: what was rendered for one target. Their state in the inbox is Inbox's.
type Messages struct{ usecase.Deps }

// MessageConnection is a page of messages.
type MessageConnection = usecase.Connection[ent.Message]

// MessageEdge is one message of a page.
type MessageEdge = usecase.Edge[ent.Message]

// MessageFilter narrows a list of messages; the fields that are set combine with AND.
type MessageFilter struct {
	SubscriberID   *string // external; deleted subscribers included
	ChannelIn      []workflow.Channel
	StatusIn       []workflow.MessageStatus
	Read           *bool
	Seen           *bool
	Archived       *bool
	Snoozed        *bool
	TransactionID  *string
	NotificationID *string // global or internal id
	Workflow       *string // id, slug or identifier
	SeverityIn     []workflow.Severity
	FeedID         *string  // global or internal id
	ContextKeys    []string // as a set; nil: any
	CreatedAfter   *time.Time
	CreatedBefore  *time.Time
}

func (f *MessageFilter) predicates(ctx context.Context, db *ent.Client) (ps []predicate.Message, values usecase.Values, err error) {
	if f == nil {
		return nil, values, nil
	}
	v, _ := viewer.FromContext(ctx)
	environmentID := v.EnvironmentID
	if ps, values, err = f.references(ctx, db, environmentID); err != nil {
		return nil, values, err
	}
	switch {
	case f.ChannelIn == nil:
	case f.TransactionID == nil:
		usecase.AnyOf(&values, message.FieldChannel, f.ChannelIn)
	default: // few channels share its messages
		ps = append(ps, message.ChannelIn(f.ChannelIn...))
	}
	if slices.Contains(f.StatusIn, workflow.MessageSent) { // the parts have the others; said twice, Postgres would expect too few
		ps = append(ps, message.StatusIn(f.StatusIn...))
	}
	if f.SeverityIn != nil {
		ps = append(ps, message.SeverityIn(f.SeverityIn...))
	}
	if f.Snoozed != nil && *f.Snoozed {
		ps = append(ps, message.SnoozedUntilNotNil())
	} else if f.Snoozed != nil {
		ps = append(ps, message.SnoozedUntilIsNil())
	}
	ps = usecase.WithFilter(ps, f.Read, message.Read)
	ps = usecase.WithFilter(ps, f.Seen, message.Seen)
	ps = usecase.WithFilter(ps, f.Archived, message.Archived)
	ps = usecase.ScopeMatch(ps, f.ContextKeys, message.Scope, func() predicate.Message { return message.IDIn() })
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, usecase.LateRun), values, nil
}

// parts are those of a list of messages with statuses other than sent, each by a partial index; nil where those that are sent are wanted
// too. What has failed has an error, a warning has a remark of its provider, and what is pending is due or under a lease.
func (f *MessageFilter) parts(environmentID string) (parts []usecase.Part) {
	if f == nil || f.StatusIn == nil || slices.Contains(f.StatusIn, workflow.MessageSent) {
		return nil
	}
	parts = []usecase.Part{}
	of := func(status workflow.MessageStatus, condition func(s *sql.Selector) *sql.Predicate) {
		if slices.Contains(f.StatusIn, status) {
			parts = append(parts, usecase.Part{Condition: func(s *sql.Selector) {
				s.Where(sql.And(sql.EQ(s.C(message.FieldStatus), status), condition(s)))
			}})
		}
	}
	of(workflow.MessagePending, usecase.DueMessage)
	of(workflow.MessagePending, func(s *sql.Selector) *sql.Predicate {
		return sql.In(s.C(message.FieldID), usecase.LeasedMessages(environmentID, message.FieldID))
	})
	of(workflow.MessageError, func(s *sql.Selector) *sql.Predicate { return sql.NotNull(s.C(message.FieldErrorID)) })
	of(workflow.MessageWarning, func(s *sql.Selector) *sql.Predicate {
		return sql.And(sql.IsNull(s.C(message.FieldErrorID)), sql.NotNull(s.C(message.FieldErrorText)))
	})
	return parts
}

// references are the predicates that name other records.
func (f *MessageFilter) references(ctx context.Context, db *ent.Client, environmentID string) (ps []predicate.Message, values usecase.Values, err error) {
	if f.TransactionID != nil {
		if ps, values, err = f.ofTransaction(ctx, db, environmentID); err != nil {
			return nil, values, err
		}
	}
	if f.SubscriberID != nil {
		ids, err := db.Subscriber.Query().Where(subscriber.SubscriberID(*f.SubscriberID)).IDs(ctx)
		if err != nil {
			return nil, values, err
		}
		usecase.AnyOf(&values, message.FieldSubscriberID, ids)
	}
	if f.NotificationID != nil {
		notificationID, err := usecase.RecordID("Notification", *f.NotificationID)
		if err != nil {
			return nil, values, err
		}
		ps = append(ps, message.NotificationID(notificationID))
	}
	if f.Workflow != nil {
		found, err := usecase.WorkflowRefs(ctx, db, []string{*f.Workflow})
		if err != nil {
			return nil, values, err
		}
		workflowID := usecase.WorkflowIDOf(found[*f.Workflow])
		ps = append(ps, message.WorkflowID(workflowID), ofNotifications(environmentID, notification.FieldWorkflowID, workflowID))
	}
	if f.FeedID != nil {
		feedID, err := usecase.RecordID("Feed", *f.FeedID)
		if err != nil {
			return nil, values, err
		}
		ps = append(ps, message.FeedID(feedID))
	}
	return ps, values, nil
}

// ofTransaction goes by the event of a transactionId, which is one, unless it was used again when its retention had passed.
func (f *MessageFilter) ofTransaction(ctx context.Context, db *ent.Client, environmentID string) (ps []predicate.Message, values usecase.Values, err error) {
	ids, err := db.Event.Query().Where(event.TransactionID(*f.TransactionID)).Limit(2).IDs(ctx)
	if err != nil {
		return nil, values, err
	}
	if len(ids) == 1 {
		values.Add(message.FieldEventID, ids[0])
		return ps, values, nil
	}
	return []predicate.Message{ofNotifications(environmentID, notification.FieldTransactionID, *f.TransactionID)}, values, nil
}

// ofNotifications goes by the notifications with a value, which have an index of it: the hottest table carries no index
// that only this filter needs.
func ofNotifications(environmentID, column, value string) predicate.Message {
	return func(s *sql.Selector) {
		n := sql.Table(notification.Table)
		s.Where(sql.In(s.C(message.FieldNotificationID), sql.Select(n.C(notification.FieldID)).From(n).Where(sql.And(
			sql.EQ(n.C(notification.FieldEnvironmentID), environmentID), sql.EQ(n.C(column), value)))))
	}
}

// List is a page of messages.
func (m *Messages) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *MessageFilter) (*MessageConnection, error) {
	return usecase.Read(ctx, m.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*MessageConnection, error) {
		ps, values, err := filter.predicates(ctx, db)
		if err != nil {
			return nil, err
		}
		v, _ := viewer.FromContext(ctx)
		by := m.Newest(order, values).Among(filter.parts(v.EnvironmentID)...)
		by.Field = usecase.ColumnID // which is the order of creation, by whichever name
		return usecase.Paginate(ctx, db.Message.Query(), ps, page, by)
	})
}

// Get is one message by its global or internal id.
func (m *Messages) Get(ctx context.Context, globalID string) (*ent.Message, error) {
	recordID, err := usecase.RecordID("Message", globalID)
	if err != nil {
		return nil, err
	}
	return m.one(ctx, globalID, message.ID(recordID))
}

// MessageKey names a message: the run, its step, and the target that the step sent to.
type MessageKey struct {
	NotificationID string // global or internal id
	StepID         string
	Target         string
}

// ByKey is one message by its key.
func (m *Messages) ByKey(ctx context.Context, key MessageKey) (*ent.Message, error) {
	notificationID, err := usecase.RecordID("Notification", key.NotificationID)
	if err != nil {
		return nil, err
	}
	return m.one(ctx, key.StepID, message.NotificationID(notificationID), message.StepID(key.StepID), message.Target(key.Target))
}

func (m *Messages) one(ctx context.Context, name string, ps ...predicate.Message) (*ent.Message, error) {
	return usecase.Read(ctx, m.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Message, error) {
		found, err := db.Message.Query().Where(ps...).Only(ctx)
		return found, usecase.NotFound(err, "Message %s was not found.", name)
	})
}

// Events finds the triggers of messages by internal id, as far as messages show them. Cost: one query.
func (m *Messages) Events(ctx context.Context, ids []string) (map[string]*ent.Event, error) {
	v, err := usecase.Require(ctx, usecase.ReadMessages)
	if err != nil {
		return nil, err
	}
	rows, err := pginbox.EventsShown(ctx, m.Reader(ctx), v.Scope, ids)
	return usecase.ByID(rows), postgres.Translate(err)
}

// MessageParents are what documented messages show besides themselves, by internal id.
type MessageParents struct {
	Events      map[string]*ent.Event // as far as messages show them
	Subscribers map[string]*ent.Subscriber
	Channels    map[string][]*ent.SubscriberChannel // by subscriber
}

// Parents finds what messages show besides themselves. Cost: one round trip.
func (m *Messages) Parents(ctx context.Context, messages []*ent.Message) (*MessageParents, error) {
	v, err := usecase.Require(ctx, usecase.ReadMessages)
	if err != nil || len(messages) == 0 {
		return &MessageParents{}, err
	}
	var events, subscribers []id.ID
	for _, message := range messages {
		events, subscribers = append(events, message.EventID), append(subscribers, message.SubscriberID)
	}
	parents, err := pginbox.ReadMessageParents(ctx, m.DB, v.Scope, usecase.Distinct(events), usecase.Distinct(subscribers))
	if err != nil {
		return nil, postgres.Translate(err)
	}
	return &MessageParents{
		Events: usecase.ByID(parents.Events), Subscribers: usecase.ByID(parents.Subscribers),
		Channels: usecase.GroupBy(parents.Channels, func(c *ent.SubscriberChannel) string { return c.SubscriberID }),
	}, nil
}

// ActionStatus is the state of a message's buttons; nil when there are none.
func ActionStatus(a *workflow.CTAAction) *workflow.ActionStatus {
	if a.Status == "" {
		return nil
	}
	return &a.Status
}
