package inbox_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/stall"
)

// newLive returns an audience with a hub.
func newLive(t *testing.T) *notifytest.Audience {
	t.Helper()
	return notifytest.NewAudience(t, func(cfg *usecase.Config) {
		cfg.Live = realtime.NewHub(realtime.Config{})
		cfg.Logger = slog.New(slog.DiscardHandler)
	})
}

// next returns the next update, or fails the test.
func next(t *testing.T, updates <-chan *inbox.InboxUpdate) *inbox.InboxUpdate {
	t.Helper()
	select {
	case update, open := <-updates:
		require.True(t, open, "the watch has ended")
		return update
	case <-time.After(stall.Limit(time.Minute)):
		require.Fail(t, "no update came")
		return nil
	}
}

// requireEnd fails the test unless the updates end.
func requireEnd(t *testing.T, updates <-chan *inbox.InboxUpdate) {
	t.Helper()
	select {
	case _, open := <-updates:
		require.False(t, open)
	case <-time.After(stall.Limit(time.Minute)):
		require.Fail(t, "the watch does not end")
	}
}

// TestWatch holds what a watch of an inbox begins with, and what follows.
func TestWatch(t *testing.T) {
	t.Parallel()
	a := newLive(t)
	u := a.MakeSubscribers(t, 2)
	ctx, cancel := context.WithCancel(a.Ctx)
	var announced atomic.Int32
	updates, err := a.Inbox.Watch(ctx, new("u0"), nil, nil, func() { announced.Add(1) })
	require.NoError(t, err)
	first := next(t, updates)
	require.Zero(t, first.Sequence)
	require.Nil(t, first.State, "it never held a message")
	ids := a.MakeMessages(t, u[0], 1)
	_, err = a.DB.Pool.Exec(a.Ctx, "UPDATE messages SET sequence = 1")
	require.NoError(t, err)
	foreign := a.MakeMessages(t, u[1], 1)
	_, err = a.Inbox.Archive(a.Ctx, inbox.InboxMessagesInput{SubscriberID: "u1", MessageIDs: foreign})
	require.NoError(t, err)
	mark(t, a, inbox.MarkRead, ids[0])
	update := next(t, updates)
	require.Equal(t, ids, notifytest.NodeIDs(update.Messages), "another's messages are left out")
	if !update.Messages[0].Read { // the watch looked before the mark
		update = next(t, updates)
		require.Equal(t, ids, notifytest.NodeIDs(update.Messages))
	}
	require.True(t, update.Messages[0].Read)
	require.Equal(t, update.Sequence, update.State.Sequence)

	again, err := a.Inbox.Watch(ctx, new("u0"), nil, new(int(update.Sequence-1)), nil)
	require.NoError(t, err)
	require.Equal(t, ids, notifytest.NodeIDs(next(t, again).Messages), "who was away is told what came meanwhile")
	ahead, err := a.Inbox.Watch(ctx, new("u0"), nil, new(1000), nil)
	require.NoError(t, err)
	require.Zero(t, next(t, ahead).Sequence, "an inbox that has not come as far begins anew")
	require.Equal(t, ids, notifytest.NodeIDs(next(t, ahead).Messages))
	begun, err := a.Inbox.Watch(ctx, new("u0"), nil, nil, nil)
	require.NoError(t, err)
	require.Equal(t, update.Sequence, next(t, begun).Sequence, "who begins now is told from where")

	cancel()
	for _, c := range []<-chan *inbox.InboxUpdate{updates, again, ahead, begun} {
		requireEnd(t, c)
	}
	require.GreaterOrEqual(t, announced.Load(), int32(3), "each update is announced, and the end")
}

// TestWatchOfAnInboxThatWentBack: Postgres may continue from an earlier moment, and then gives out sequences that a watch has seen.
func TestWatchOfAnInboxThatWentBack(t *testing.T) {
	t.Parallel()
	a := newLive(t)
	u := a.MakeSubscribers(t, 1)
	ids := a.MakeMessages(t, u[0], 1)
	_, err := a.DB.Pool.Exec(a.Ctx, "UPDATE messages SET sequence = 1")
	require.NoError(t, err)
	mark(t, a, inbox.MarkRead, ids[0])
	_, err = a.DB.Pool.Exec(a.Ctx, "UPDATE inbox_states SET sequence = sequence + 2")
	require.NoError(t, err)
	updates, err := a.Inbox.Watch(a.Ctx, new("u0"), nil, nil, nil)
	require.NoError(t, err)
	seen := next(t, updates).Sequence
	_, err = a.DB.Pool.Exec(a.Ctx, "UPDATE inbox_states SET sequence = sequence - 2")
	require.NoError(t, err)
	mark(t, a, inbox.MarkUnread, ids[0])
	anew := next(t, updates)
	require.Zero(t, anew.Sequence, "the client begins anew")
	require.Less(t, anew.State.Sequence, seen)
	update := next(t, updates)
	require.Equal(t, ids, notifytest.NodeIDs(update.Messages))
	require.False(t, update.Messages[0].Read)
	require.Equal(t, anew.State.Sequence, update.Sequence)
}

// TestPushedUpdates: what continues what a watch has sent is sent as it was told, without being read; what does not is read.
func TestPushedUpdates(t *testing.T) {
	t.Parallel()
	var hub *realtime.Hub
	a := notifytest.NewAudience(t, func(cfg *usecase.Config) {
		hub = realtime.NewHub(realtime.Config{})
		cfg.Live, cfg.Logger = hub, slog.New(slog.DiscardHandler)
	})
	u := a.MakeSubscribers(t, 2)
	updates, err := a.Inbox.Watch(a.Ctx, new("u0"), nil, nil, nil)
	require.NoError(t, err)
	require.Zero(t, next(t, updates).Sequence)
	told := func(id string, sequence int64, set func(*state.InboxChange)) state.InboxChange {
		c := state.InboxChange{
			Scope: a.Scope, SubscriberID: u[0].ID, Sequence: sequence,
			New: &pgmessage.MessageRow{ID: id, Sequence: sequence}, Inbox: &ent.InboxState{Sequence: sequence, Unread: 7},
		}
		if set != nil {
			set(&c)
		}
		return c
	}
	one := told("m1", 1, nil)
	two := told("m2", 1, func(c *state.InboxChange) { c.Inbox = one.Inbox })
	inbox.Announce(hub, []state.InboxChange{
		one, told("foreign", 1, func(c *state.InboxChange) { c.SubscriberID = u[1].ID }), two,
	})
	update := next(t, updates)
	require.Equal(t, []string{"m1", "m2"}, notifytest.NodeIDs(update.Messages), "one commit is one update")
	require.Equal(t, []int64{1, 7}, []int64{update.Sequence, int64(update.State.Unread)})
	inbox.Announce(hub, []state.InboxChange{
		told("elsewhere", 2, func(c *state.InboxChange) { c.Inbox.Scope = "tenant:a" }), told("m3", 2, nil),
	})
	require.Equal(t, []string{"m3"}, notifytest.NodeIDs(next(t, updates).Messages), "what belongs to other contexts is left out")

	ids := a.MakeMessages(t, u[0], 2)
	_, err = a.DB.Pool.Exec(a.Ctx, `UPDATE messages SET sequence = 3 WHERE id = $1`, ids[0])
	require.NoError(t, err)
	_, err = a.DB.Pool.Exec(a.Ctx, `UPDATE messages SET sequence = 4 WHERE id = $1`, ids[1])
	require.NoError(t, err)
	inbox.Announce(hub, []state.InboxChange{told("m5", 4, nil)})
	update = next(t, updates)
	require.Equal(t, ids, notifytest.NodeIDs(update.Messages), "after a gap the inbox is read")
	require.EqualValues(t, 4, update.Sequence)
}

// TestWatchRefusals holds whose inbox may be watched, and where.
func TestWatchRefusals(t *testing.T) {
	t.Parallel()
	a := newLive(t)
	u := a.MakeSubscribers(t, 2)
	watch := func(ctx context.Context, of string) error {
		return notifytest.Err(a.Inbox.Watch(ctx, &of, nil, nil, nil))
	}
	notifytest.RequireKind(t, fault.Forbidden, watch(self(t, a, u[0]), "u1"))
	notifytest.RequireKind(t, fault.NotFound, watch(a.Ctx, "u9"))
	notifytest.RequireKind(t, fault.NotFound, watch(a.OtherEnvironment(t), "u0"))
	notifytest.RequireKind(t, fault.Unauthenticated, watch(t.Context(), "u0"))
	still := notifytest.NewAudience(t)
	still.MakeSubscribers(t, 1)
	notifytest.RequireKind(t, fault.Unavailable, notifytest.Err(still.Inbox.Watch(still.Ctx, new("u0"), nil, nil, nil)))
}

// TestPresence holds that subscribers are online while they watch their own inbox, and no longer.
func TestPresence(t *testing.T) {
	t.Parallel()
	a := newLive(t)
	u := a.MakeSubscribers(t, 2)
	running, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); a.Presence.Run(running) }()
	online := func(i int) bool {
		flag := a.DB.Ent.Subscriber.GetX(a.Ctx, u[i].ID).IsOnline
		return flag != nil && *flag
	}
	becomes := func(i int, want bool) {
		t.Helper()
		require.Eventually(t, func() bool { return online(i) == want }, stall.Limit(time.Minute), 5*time.Millisecond)
	}
	watch := func(ctx context.Context, of string) context.CancelFunc {
		ctx, cancel := context.WithCancel(ctx)
		updates, err := a.Inbox.Watch(ctx, &of, nil, nil, nil)
		require.NoError(t, err)
		next(t, updates)
		return cancel
	}
	operator := watch(a.Ctx, "u1")
	defer operator()
	first, second := watch(self(t, a, u[0]), "u0"), watch(self(t, a, u[0]), "u0")
	becomes(0, true)
	require.False(t, online(1), "an operator who looks does not make them so")
	first()
	second()
	becomes(0, false)
	require.NotNil(t, a.DB.Ent.Subscriber.GetX(a.Ctx, u[0].ID).LastOnlineAt)
	third := watch(self(t, a, u[0]), "u0")
	defer third()
	becomes(0, true)
	stop()
	<-ended
	require.False(t, online(0), "a process that ends says so")
}
