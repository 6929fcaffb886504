package inbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// TestPermissions holds who may read and change inboxes and feeds: of inboxes a subscriber may use its own.
func TestPermissions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	page, none := usecase.Page{}, id.New(a.Now)
	own := inbox.InboxMessagesInput{SubscriberID: "u0", MessageIDs: a.MakeMessages(t, u[0], 1)}
	name := "u0"
	permissions := notifytest.Permissions{}
	permissions.Add(viewer.GrantContentRead, viewer.RoleViewer, map[string]notifytest.Call{
		"feeds":            func(c context.Context) error { return notifytest.Err(a.Feeds.List(c, page, nil, nil)) },
		"feed":             func(c context.Context) error { return notifytest.Err(a.Feeds.Get(c, none)) },
		"feedByIdentifier": func(c context.Context) error { return notifytest.Err(a.Feeds.ByIdentifier(c, "none")) },
	})
	permissions.Add(viewer.GrantContent, viewer.RoleEditor, map[string]notifytest.Call{
		"createFeed": func(c context.Context) error {
			return notifytest.Err(a.Feeds.Create(c, inbox.CreateFeedInput{Identifier: "f", Name: "F"}))
		},
		"updateFeed": func(c context.Context) error {
			return notifytest.Err(a.Feeds.Update(c, inbox.UpdateFeedInput{ID: none}))
		},
		"deleteFeed": func(c context.Context) error { return notifytest.Err(a.Feeds.Delete(c, none)) },
	})
	permissions.Add(viewer.GrantActivityRead, viewer.RoleViewer, map[string]notifytest.Call{
		"messages":                func(c context.Context) error { return notifytest.Err(a.Messages.List(c, page, nil, nil)) },
		"message":                 func(c context.Context) error { return notifytest.Err(a.Messages.Get(c, none)) },
		"messagesOfSubscribers":   func(c context.Context) error { return notifytest.Err(a.Messages.OfSubscribers(c, nil, page, nil)) },
		"messagesOfEvents":        func(c context.Context) error { return notifytest.Err(a.Messages.OfEvents(c, nil, page)) },
		"messagesOfNotifications": func(c context.Context) error { return notifytest.Err(a.Messages.OfNotifications(c, nil, page)) },
		"messagesOfIntegrations":  func(c context.Context) error { return notifytest.Err(a.Messages.OfIntegrations(c, nil, page)) },
	})
	permissions.Add(viewer.GrantAudienceRead, viewer.RoleViewer, map[string]notifytest.Call{
		"inboxStatesOfSubscribers": func(c context.Context) error { return notifytest.Err(a.InboxStates.OfSubscribers(c, nil, nil)) },
		"inboxStates":              func(c context.Context) error { return notifytest.Err(a.InboxStates.List(c, page, nil, nil)) },
		"inboxState":               func(c context.Context) error { return notifytest.Err(a.InboxStates.Get(c, none)) },
		"inboxStateOfSubscriber":   func(c context.Context) error { return notifytest.Err(a.InboxStates.BySubscriber(c, "u0", nil)) },
	})
	permissions.AddSelf(viewer.GrantAudienceRead, viewer.RoleViewer, map[string]notifytest.Call{
		"inbox": func(c context.Context) error { return notifytest.Err(a.Inbox.Open(c, &name, nil)) },
	})
	permissions.AddSelf(viewer.GrantAudience, viewer.RoleEditor, map[string]notifytest.Call{
		"markMessages": func(c context.Context) error {
			return notifytest.Err(a.Inbox.Mark(c, inbox.MarkMessagesInput{InboxMessagesInput: own, MarkAs: inbox.MarkRead}))
		},
		"archiveMessages":   func(c context.Context) error { return notifytest.Err(a.Inbox.Archive(c, own)) },
		"unarchiveMessages": func(c context.Context) error { return notifytest.Err(a.Inbox.Unarchive(c, own)) },
		"snoozeMessages": func(c context.Context) error {
			return notifytest.Err(a.Inbox.Snooze(c, inbox.SnoozeMessagesInput{InboxMessagesInput: own, Until: a.Now.Add(time.Hour)}))
		},
		"unsnoozeMessages": func(c context.Context) error { return notifytest.Err(a.Inbox.Unsnooze(c, own)) },
		"completeMessageAction": func(c context.Context) error {
			return notifytest.Err(a.Inbox.CompleteAction(c, inbox.CompleteMessageActionInput{SubscriberID: "u0", MessageID: own.MessageIDs[0], Button: "primary"}))
		},
		"markAllMessages": func(c context.Context) error {
			return notifytest.Err(a.Inbox.MarkAll(c, inbox.MarkAllMessagesInput{SubscriberID: "u0", Action: inbox.SweepRead}))
		},
		"deleteMessages": func(c context.Context) error { return notifytest.Err(a.Inbox.Delete(c, own)) },
	})
	notifytest.RequirePermissions(t, a.Scope, permissions)
}
