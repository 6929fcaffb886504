package inbox

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/inboxstate"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// What belongs to other records, as nested lists show it: for all of them at once, by their internal ids. Each costs one
// query, one more with a cursor, and one more for totals.

// OfSubscribers reads messages of subscribers on some channels, nil for all of them, newest first.
func (m *Messages) OfSubscribers(ctx context.Context, ids []string, page usecase.Page, channels []workflow.Channel) (map[string]*usecase.Connection[ent.Message], error) {
	all := func(db *ent.Client) *ent.MessageQuery {
		if channels == nil {
			return db.Message.Query()
		}
		return db.Message.Query().Where(message.ChannelIn(channels...))
	}
	return usecase.ReadEach(ctx, m.Deps, usecase.ReadActivity, all, usecase.Relation{Column: "subscriber_id", Order: usecase.NewestFirst}, ids, page)
}

// OfEvents reads messages of events in order of their making.
func (m *Messages) OfEvents(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Message], error) {
	return usecase.ReadEach(ctx, m.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.MessageQuery { return db.Message.Query() },
		usecase.Relation{Column: "event_id", Order: usecase.OldestFirst}, ids, page)
}

// OfNotifications reads messages of notifications in order of their making.
func (m *Messages) OfNotifications(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Message], error) {
	return usecase.ReadEach(ctx, m.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.MessageQuery { return db.Message.Query() },
		usecase.Relation{Column: "notification_id", Order: usecase.OldestFirst}, ids, page)
}

// OfIntegrations reads messages that integrations send, newest first.
func (m *Messages) OfIntegrations(ctx context.Context, ids []string, page usecase.Page) (map[string]*usecase.Connection[ent.Message], error) {
	return usecase.ReadEach(ctx, m.Deps, usecase.ReadActivity, func(db *ent.Client) *ent.MessageQuery { return db.Message.Query() },
		usecase.Relation{Column: "integration_id", Order: usecase.NewestFirst}, ids, page)
}

// OfSubscribers finds by internal id of the subscriber the inboxes of one context set (nil: the one without contexts). Cost:
// one query.
func (s *InboxStates) OfSubscribers(ctx context.Context, ids, contextKeys []string) (map[string]*ent.InboxState, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (map[string]*ent.InboxState, error) {
		rows, err := db.InboxState.Query().Where(inboxstate.SubscriberIDIn(ids...), inboxstate.Scope(usecase.ScopeOf(contextKeys))).All(ctx)
		found := make(map[string]*ent.InboxState, len(rows))
		for _, row := range rows {
			found[row.SubscriberID] = row
		}
		return found, err
	})
}
