package notify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestListsOfSeveralParts compares lists of several statuses and channels, which are read part by part, with what one filter finds: all
// combinations, from page to page in each direction.
func TestListsOfSeveralParts(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 2)
	runs := []workflow.RunStatus{workflow.RunPending, workflow.RunWaiting, workflow.RunFailed, workflow.RunCompleted}
	states := []string{
		"status = 'sent'", "status = 'pending', due_at = now()", "status = 'pending', lease_id = 'lease'", "status = 'error', error_id = 'x'", "status = 'warning', error_text = 'x'",
	}
	channels := []workflow.Channel{workflow.ChannelEmail, workflow.ChannelSMS, workflow.ChannelPush}
	for i := range 24 {
		run := a.MakeRun(t, a.MakeEvent(t, fmt.Sprint("t", i)), u[i%2].ID, runs[i*7%4])
		messageID := a.MakeMessages(t, u[i%2], 1)[0]
		_, err := a.DB.Pool.Exec(a.Ctx, `UPDATE messages SET notification_id = $2, channel = $3, `+states[i*3%5]+` WHERE id = $1`, messageID, run.ID, channels[i*5%3])
		require.NoError(t, err)
	}
	for _, change := range []string{
		`INSERT INTO message_leases (id, due_at, message_ids) SELECT 'lease', now(), array_agg(id) FROM messages`,
		`UPDATE notifications n SET due_at = now() WHERE status = 'waiting' OR status = 'pending' AND
			(id < (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM notifications) OR NOT EXISTS (SELECT FROM messages m WHERE m.notification_id = n.id AND m.status = 'pending'))`,
	} {
		_, err := a.DB.Pool.Exec(a.Ctx, change)
		require.NoError(t, err)
	}
	subscriber, after := new("u0"), new(time.Now().Add(-time.Hour))
	for _, some := range subsets([]workflow.MessageStatus{workflow.MessageSent, workflow.MessagePending, workflow.MessageError, workflow.MessageWarning}) {
		for _, f := range []inbox.MessageFilter{{StatusIn: some}, {StatusIn: some, SubscriberID: subscriber}, {StatusIn: some, ChannelIn: channels[1:]}, {StatusIn: some, CreatedAfter: after}} {
			q := a.DB.Ent.Message.Query().Where(message.StatusIn(some...))
			if f.SubscriberID != nil {
				q = q.Where(message.SubscriberID(u[0].ID))
			}
			if f.ChannelIn != nil {
				q = q.Where(message.ChannelIn(f.ChannelIn...))
			}
			walked(a.Ctx, t, q.Order(message.ByID()).IDsX(a.Ctx), func(p usecase.Page, o *usecase.Order) (*inbox.MessageConnection, error) {
				return a.Messages.List(a.Ctx, p, o, &f)
			})
		}
	}
	for _, some := range subsets(runs) {
		for _, f := range []activity.NotificationFilter{{StatusIn: some}, {StatusIn: some, SubscriberID: subscriber}} {
			q := a.DB.Ent.Notification.Query().Where(notification.StatusIn(some...))
			if f.SubscriberID != nil {
				q = q.Where(notification.SubscriberID(u[0].ID))
			}
			walked(a.Ctx, t, q.Order(notification.ByID()).IDsX(a.Ctx), func(p usecase.Page, o *usecase.Order) (*activity.NotificationConnection, error) {
				return a.Notifications.List(a.Ctx, p, o, &f)
			})
		}
	}
}

// subsets are all selections of some values, the empty one too.
func subsets[V any](of []V) (all [][]V) {
	for bits := range 1 << len(of) {
		some := []V{}
		for i, v := range of {
			if bits&(1<<i) != 0 {
				some = append(some, v)
			}
		}
		all = append(all, some)
	}
	return all
}

// walked requires that a list consists of some records, in ascending order: from page to page, forward and backward.
func walked[T any](ctx context.Context, t *testing.T, want []string, list func(usecase.Page, *usecase.Order) (*usecase.Connection[T], error)) {
	t.Helper()
	read := func(at usecase.Page, order *usecase.Order) (ids []string, info usecase.PageInfo) {
		page, err := list(at, order)
		require.NoError(t, err)
		total, err := page.TotalCount(ctx)
		require.NoError(t, err)
		require.Equal(t, len(want), total)
		for _, node := range page.Nodes() {
			ids = append(ids, any(node).(ent.Node).OrderKey("id").(string)) //nolint:forcetypeassert // as all records
		}
		return ids, page.PageInfo
	}
	for _, order := range []*usecase.Order{&usecase.OldestFirst, &usecase.NewestFirst} {
		if order == &usecase.NewestFirst {
			want = slices.Clone(want)
			slices.Reverse(want)
		}
		var forward, backward []string
		for at := (usecase.Page{First: new(3)}); ; {
			ids, info := read(at, order)
			require.Equal(t, len(forward) > 0, info.HasPreviousPage)
			if forward = append(forward, ids...); !info.HasNextPage {
				break
			}
			at.After = info.EndCursor
		}
		for at := (usecase.Page{Last: new(3)}); ; {
			ids, info := read(at, order)
			require.Equal(t, len(backward) > 0, info.HasNextPage)
			if backward = append(slices.Clone(ids), backward...); !info.HasPreviousPage {
				break
			}
			at.Before = info.StartCursor
		}
		require.Equal(t, strings.Join(want, " "), strings.Join(forward, " "))
		require.Equal(t, strings.Join(want, " "), strings.Join(backward, " "))
	}
}
