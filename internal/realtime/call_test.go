package realtime_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
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
	w := h.Call(realtime.Inbox("e", "ada"), func([]any) {
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
	hear      func(string, []realtime.Topic)
	connected func()
	listening chan struct{}
	published chan []realtime.Topic
	fail      atomic.Pointer[error]
}

func newMemory() *memory {
	return &memory{listening: make(chan struct{}), published: make(chan []realtime.Topic, 100)}
}

func (m *memory) Publish(_ context.Context, _ string, topics []realtime.Topic) error {
	if err := m.fail.Swap(nil); err != nil {
		return *err
	}
	m.published <- topics
	return nil
}

func (m *memory) Listen(ctx context.Context, connected func(), hear func(string, []realtime.Topic)) error {
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
	await(t, broker.listening)
	broker.hear("other", []realtime.Topic{"watching"})
	for range 3 {
		h.Publish(realtime.Access("b"), realtime.Access("a"))
	}
	var sent []realtime.Topic
	for len(sent) < 3 {
		sent = append(sent, await(t, broker.published)...)
	}
	require.ElementsMatch(t, []realtime.Topic{"missed:other", "access.a", "access.b"}, sent)
}

// TestUnheardSignals: while no other process watches, none is sent a signal; one that begins to is told to look, once.
func TestUnheardSignals(t *testing.T) {
	t.Parallel()
	broker := newMemory()
	h := start(t, broker)
	await(t, broker.listening)
	broker.connected()
	require.Equal(t, []realtime.Topic{"who"}, await(t, broker.published))
	h.Publish(realtime.Access("unheard"))
	h.Tell(realtime.Access("unheard"), 1)
	w := h.Watch(realtime.Access("e"))
	require.Equal(t, []realtime.Topic{"watching"}, await(t, broker.published), "the first watch is announced, and nothing before it was sent")
	broker.hear("other", []realtime.Topic{"who"})
	require.Equal(t, []realtime.Topic{"watching"}, await(t, broker.published))
	broker.hear("other", []realtime.Topic{"watching"})
	require.Equal(t, []realtime.Topic{"missed:other"}, await(t, broker.published))
	broker.hear("other", []realtime.Topic{"watching"})
	h.Publish(realtime.Access("e"))
	require.Equal(t, []realtime.Topic{"access.e"}, await(t, broker.published))
	requireWoken(t, w)
	broker.hear("other", []realtime.Topic{"missed:third"})
	requireQuiet(t, w)
}

// TestOwnSignals are not heard again, and a process that missed some looks.
func TestOwnSignals(t *testing.T) {
	t.Parallel()
	dsn := pgtest.NewURL(t)
	one, other := start(t, realtime.ViaPostgres{DB: pgtest.Open(t, dsn)}), start(t, realtime.ViaPostgres{DB: pgtest.Open(t, dsn)})
	theirs := other.Watch(realtime.Inbox("e", "theirs"))
	requireShared(t, one, other)
	looks := make(chan []any, 100)
	w := one.Call(realtime.Inbox("e", "own"), func(news []any) { looks <- news })
	defer w.Close()
	requireShared(t, other, one)
	one.Tell(realtime.Inbox("e", "own"), "news")
	for news := await(t, looks); news == nil; news = await(t, looks) { // it may have been told to look before
		continue
	}
	other.Publish(realtime.Inbox("e", "own"))
	require.Nil(t, await(t, looks), "the next signal is that of the other process")
	theirs.Close()
}

// TestNews are told in their order; too many, and a signal without any, leave the watcher to read.
func TestNews(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	topic := realtime.Inbox("e", "ada")
	looks, goOn := make(chan []any), make(chan struct{})
	w := h.Call(topic, func(news []any) {
		looks <- news
		<-goOn
	})
	defer w.Close()
	require.True(t, h.Watched(topic))
	require.False(t, h.Watched(realtime.Inbox("e", "bob")))
	told := func(say func()) (news []any) { // what is said during a look
		h.Tell(topic, 0)
		require.Equal(t, []any{0}, await(t, looks))
		say()
		goOn <- struct{}{}
		news = await(t, looks)
		goOn <- struct{}{}
		return news
	}
	require.Equal(t, []any{1, 2, 3}, told(func() {
		for i := 1; i <= 3; i++ {
			h.Tell(topic, i)
		}
	}))
	require.Nil(t, told(func() {
		h.Tell(topic, 1)
		h.Publish(topic)
		h.Tell(topic, 2)
	}))
	require.Nil(t, told(func() {
		for i := range 100 {
			h.Tell(topic, i)
		}
	}))
}

// TestLostSignals: after a connection was made anew, and when another process says so, all look.
func TestLostSignals(t *testing.T) {
	t.Parallel()
	broker := newMemory()
	h := start(t, broker)
	await(t, broker.listening)
	w, f := h.Watch(realtime.Access("e")), h.Follow(realtime.Notifications("e"))
	for _, lose := range []func(){broker.connected, func() { broker.hear("other", []realtime.Topic{realtime.Everything}) }} {
		lose()
		requireWoken(t, w)
		await(t, f.C)
		changed, missed := f.Take()
		require.Empty(t, changed)
		require.True(t, missed)
		_, missed = f.Take()
		require.False(t, missed, "it is told once")
	}
	broker.hear("other", []realtime.Topic{realtime.Access("other")})
	requireQuiet(t, w)
	broker.hear("other", []realtime.Topic{realtime.Access("e")})
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
	broker.hear("other", []realtime.Topic{"follow:" + prefix})
	require.True(t, h.Followed(prefix), "another process said so")
	require.False(t, h.Followed(realtime.Notifications("other")))
	f := h.Follow(realtime.Notifications("own"))
	require.True(t, h.Followed(realtime.Notifications("own")))
	for told := []realtime.Topic(nil); !slices.Contains(told, "follow:"+realtime.Notifications("own")); {
		told = await(t, broker.published) // before it, perhaps, what the other process missed
	}
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
