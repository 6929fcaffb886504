package realtime_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/realtime"
)

// await receives one value.
func await[T any](t *testing.T, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(patience):
		require.Fail(t, "nothing came")
	}
	return v
}

// TestCallsDoNotOverlap: signals that come during a look are one more look, however many they are.
func TestCallsDoNotOverlap(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	var looking, looks atomic.Int64
	began, goOn := make(chan struct{}), make(chan struct{})
	w := h.Call(realtime.Inbox("e", "ada"), func() {
		if looking.Add(1) != 1 {
			t.Error("two looks overlap")
		}
		looks.Add(1)
		began <- struct{}{}
		<-goOn
		looking.Add(-1)
	})
	require.Equal(t, 1, h.Watching())
	h.Publish(realtime.Inbox("e", "ada"))
	await(t, began)
	for range 10 {
		h.Publish(realtime.Inbox("e", "ada"))
	}
	goOn <- struct{}{}
	await(t, began)
	goOn <- struct{}{}
	w.Look() // as a signal would, also when a look has just ended
	await(t, began)
	goOn <- struct{}{}
	require.EqualValues(t, 3, looks.Load())
	w.Close()
	h.Publish(realtime.Inbox("e", "ada"))
	require.EqualValues(t, 3, looks.Load())
	require.Zero(t, h.Watching())
}

// TestLookOfAWatch is one value, as a signal leaves it.
func TestLookOfAWatch(t *testing.T) {
	t.Parallel()
	w := start(t, nil).Watch(realtime.Access("e"))
	w.Look()
	w.Look()
	requireWoken(t, w)
	requireQuiet(t, w)
}

// memory is a broker within the process; hubs that share it are as processes.
type memory struct {
	hear      func([]realtime.Topic)
	connected func()
	listening chan struct{}
	published chan []realtime.Topic
	fail      atomic.Pointer[error]
}

func newMemory() *memory {
	return &memory{listening: make(chan struct{}), published: make(chan []realtime.Topic, 100)}
}

func (m *memory) Publish(_ context.Context, topics []realtime.Topic) error {
	if err := m.fail.Swap(nil); err != nil {
		return *err
	}
	m.published <- topics
	return nil
}

func (m *memory) Listen(ctx context.Context, connected func(), hear func([]realtime.Topic)) error {
	m.connected, m.hear = connected, hear
	close(m.listening)
	<-ctx.Done()
	return nil
}

// TestSignalsAreGathered: one publication names each topic once, and one that failed is repeated.
func TestSignalsAreGathered(t *testing.T) {
	t.Parallel()
	broker := newMemory()
	lost := errors.New("lost")
	broker.fail.Store(&lost)
	h := start(t, broker)
	for range 3 {
		h.Publish(realtime.Access("b"), realtime.Access("a"))
	}
	require.Equal(t, []realtime.Topic{"access.a", "access.b"}, await(t, broker.published))
}

// TestLostSignals: after a connection was made anew, and when another process says so, all look.
func TestLostSignals(t *testing.T) {
	t.Parallel()
	broker := newMemory()
	h := start(t, broker)
	await(t, broker.listening)
	w, f := h.Watch(realtime.Access("e")), h.Follow(realtime.Notifications("e"))
	for _, lose := range []func(){broker.connected, func() { broker.hear([]realtime.Topic{realtime.Everything}) }} {
		lose()
		requireWoken(t, w)
		await(t, f.C)
		changed, missed := f.Take()
		require.Empty(t, changed)
		require.True(t, missed)
		_, missed = f.Take()
		require.False(t, missed, "it is told once")
	}
	broker.hear([]realtime.Topic{realtime.Access("other")})
	requireQuiet(t, w)
	broker.hear([]realtime.Topic{realtime.Access("e")})
	requireWoken(t, w)
}

// TestFollowedIsTold: what others follow must be told, and what nobody does need not be.
func TestFollowedIsTold(t *testing.T) {
	t.Parallel()
	broker := newMemory()
	h := start(t, broker)
	await(t, broker.listening)
	prefix := realtime.Notifications("e")
	require.False(t, h.Followed(prefix))
	broker.hear([]realtime.Topic{"follow:" + prefix})
	require.True(t, h.Followed(prefix), "another process said so")
	require.False(t, h.Followed(realtime.Notifications("other")))
	f := h.Follow(realtime.Notifications("own"))
	require.True(t, h.Followed(realtime.Notifications("own")))
	require.Contains(t, await(t, broker.published), "follow:"+realtime.Notifications("own"), "the others are told at once")
	f.Close()
	f.Close()
}

// TestFollowerOfMany is told of so many, and that it missed the rest.
func TestFollowerOfMany(t *testing.T) {
	t.Parallel()
	h := realtime.NewHub(realtime.Config{Logger: slog.New(slog.DiscardHandler)})
	f := h.Follow(realtime.Notifications("e"))
	for i := range 1001 {
		h.Publish(realtime.Notification("e", string(rune('a'+i))))
		h.Publish(realtime.Notification("other", "x"), realtime.Topic("without a dot"))
	}
	await(t, f.C)
	changed, missed := f.Take()
	require.Len(t, changed, 1000)
	require.Contains(t, changed, "a", "without the prefix")
	require.True(t, missed)
	h.Publish(realtime.Notification("e", "again"))
	changed, missed = f.Take()
	require.Equal(t, []string{"again"}, changed)
	require.False(t, missed)
}
