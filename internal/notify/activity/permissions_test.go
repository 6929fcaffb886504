package activity_test

import (
	"context"
	"testing"
	"time"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// TestPermissions holds who may read the activity, and who may move clocks.
func TestPermissions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	page, none := usecase.Page{}, id.New(a.Now)
	permissions := notifytest.Permissions{}
	permissions.Add(viewer.GrantActivityRead, viewer.RoleViewer, map[string]notifytest.Call{
		"attempts":             func(c context.Context) error { return notifytest.Err(a.Attempts.List(c, page, nil, nil)) },
		"attempt":              func(c context.Context) error { return notifytest.Err(a.Attempts.Get(c, none)) },
		"attemptByNumber":      func(c context.Context) error { return notifytest.Err(a.Attempts.ByNumber(c, none, 1)) },
		"digests":              func(c context.Context) error { return notifytest.Err(a.Digests.List(c, page, nil, nil)) },
		"digest":               func(c context.Context) error { return notifytest.Err(a.Digests.Get(c, none)) },
		"openDigest":           func(c context.Context) error { return notifytest.Err(a.Digests.Open(c, activity.DigestIdentity{})) },
		"events":               func(c context.Context) error { return notifytest.Err(a.Events.List(c, page, nil, nil)) },
		"event":                func(c context.Context) error { return notifytest.Err(a.Events.Get(c, none)) },
		"eventByTransactionId": func(c context.Context) error { return notifytest.Err(a.Events.ByTransactionID(c, "t")) },
		"notifications":        func(c context.Context) error { return notifytest.Err(a.Notifications.List(c, page, nil, nil)) },
		"notification":         func(c context.Context) error { return notifytest.Err(a.Notifications.Get(c, none)) },
		"notificationByKey":    func(c context.Context) error { return notifytest.Err(a.Notifications.ByKey(c, none, "u0")) },
		"notificationsOfSubscribers": func(c context.Context) error {
			return notifytest.Err(a.Notifications.OfSubscribers(c, []string{none}, page))
		},
		"notificationsOfWorkflows": func(c context.Context) error {
			return notifytest.Err(a.Notifications.OfWorkflows(c, []string{none}, page))
		},
		"notificationsOfEvents": func(c context.Context) error {
			return notifytest.Err(a.Notifications.OfEvents(c, []string{none}, page))
		},
		"attemptsOfMessages": func(c context.Context) error { return notifytest.Err(a.Attempts.OfMessages(c, []string{none}, page)) },
		"attemptsOfIntegrations": func(c context.Context) error {
			return notifytest.Err(a.Attempts.OfIntegrations(c, []string{none}, page))
		},
		"attemptsOfEvents":   func(c context.Context) error { return notifytest.Err(a.Attempts.OfEvents(c, []string{none}, page)) },
		"integrationHealth":  func(c context.Context) error { return notifytest.Err(a.Statistics.Health(c, []string{none}, 1)) },
		"workflowStatistics": func(c context.Context) error { return notifytest.Err(a.Statistics.Runs(c, []string{none}, 1)) },
		"stepStatistics":     func(c context.Context) error { return notifytest.Err(a.Statistics.Steps(c, []string{none}, 1)) },
		"deliveryStatistics": func(c context.Context) error {
			return notifytest.Err(a.Statistics.Deliveries(c, a.Now.Add(-time.Hour), new(a.Now), 1))
		},
	})
	permissions.Add(viewer.GrantActivity, viewer.RoleAdmin, map[string]notifytest.Call{
		"setClock":     func(c context.Context) error { return notifytest.Err(a.Clocks.Set(c, a.Now, false)) },
		"advanceClock": func(c context.Context) error { return notifytest.Err(a.Clocks.Advance(c, new("PT1H"), nil, false)) },
		"resetClock":   func(c context.Context) error { return notifytest.Err(a.Clocks.Reset(c)) },
	})
	permissions["environmentClock"] = notifytest.Permission{
		Keys: viewer.EnvironmentGrants(), Role: viewer.RoleViewer,
		Call: func(c context.Context) error { return notifytest.Err(a.Clocks.Current(c)) },
	}
	notifytest.RequirePermissions(t, a.Scope, permissions)
}
