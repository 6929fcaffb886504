package activity

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/attempt"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// What belongs to other records, as nested lists show it: for all of them at once, by their internal ids. Each costs one
// query, one more with a cursor, and one more for totals.

// OfSubscribers reads notifications of subscribers, newest first.
func (n *Notifications) OfSubscribers(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Notification], error) {
	return usecase.ReadEach(ctx, n.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.NotificationQuery { return db.Notification.Query() },
		usecase.Relation{Column: "subscriber_id", Order: usecase.NewestFirst}, ids, page)
}

// OfWorkflows reads notifications of workflows, newest first.
func (n *Notifications) OfWorkflows(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Notification], error) {
	return usecase.ReadEach(ctx, n.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.NotificationQuery { return db.Notification.Query() },
		usecase.Relation{Column: "workflow_id", Order: usecase.NewestFirst}, ids, page)
}

// OfEvents reads notifications of events in order of their subscribers.
func (n *Notifications) OfEvents(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Notification], error) {
	return usecase.ReadEach(ctx, n.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.NotificationQuery { return db.Notification.Query() },
		usecase.Relation{Column: "event_id", Order: usecase.Order{Field: usecase.ColumnSubscriberID, Direction: usecase.OrderAsc}}, ids, page)
}

// OfMessages reads attempts of messages in their order.
func (a *Attempts) OfMessages(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Attempt], error) {
	return usecase.ReadEach(ctx, a.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.AttemptQuery { return db.Attempt.Query() },
		usecase.Relation{Column: "message_id", Order: usecase.OldestFirst}, ids, page)
}

// OfIntegrations reads attempts of integrations, newest first.
func (a *Attempts) OfIntegrations(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Attempt], error) {
	return usecase.ReadEach(ctx, a.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.AttemptQuery { return db.Attempt.Query() },
		usecase.Relation{Column: "integration_id", Order: usecase.NewestFirst}, ids, page)
}

// OfEvents reads attempts of the messages of events, message by message.
func (a *Attempts) OfEvents(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Attempt], error) {
	return usecase.ReadEach(ctx, a.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.AttemptQuery { return db.Attempt.Query() },
		usecase.Relation{Column: "event_id", Order: usecase.Order{Field: usecase.ColumnMessageID, Direction: usecase.OrderAsc}, Through: message.Table, Via: attempt.FieldMessageID}, ids, page)
}
