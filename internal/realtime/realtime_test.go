package realtime_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/stall"
)

var patience = stall.Limit(2 * time.Minute)

// start runs a hub that never looks by itself, so that only signals wake its watchers.
func start(t *testing.T, broker realtime.Broker) *realtime.Hub {
	t.Helper()
	h := realtime.NewHub(realtime.Config{Broker: broker, Logger: slog.New(slog.DiscardHandler), Poll: time.Hour})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { h.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return h
}

func requireWoken(t *testing.T, w *realtime.Watch) {
	t.Helper()
	select {
	case <-w.C:
	case <-time.After(patience):
		require.Fail(t, "nobody told the watcher")
	}
}

func requireQuiet(t *testing.T, w *realtime.Watch) {
	t.Helper()
	select {
	case <-w.C:
		require.Fail(t, "the watcher was told of something else")
	default:
	}
}

func TestSignalsStayWithTheirTopic(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	ada, bob := h.Watch(realtime.Inbox("e", "ada")), h.Watch(realtime.Inbox("e", "bob"))
	require.Equal(t, 2, h.Watching())
	h.Publish(realtime.Inbox("e", "ada"))
	h.Publish(realtime.Inbox("e", "ada"), realtime.Inbox("other", "bob"))
	requireWoken(t, ada)
	requireQuiet(t, ada) // two signals before the look are one
	requireQuiet(t, bob)
	ada.Close()
	ada.Close()
	h.Publish(realtime.Inbox("e", "ada"))
	requireQuiet(t, ada)
	require.Equal(t, 1, h.Watching())
}

func TestWithoutABrokerWatchersLookByThemselves(t *testing.T) {
	t.Parallel()
	h := realtime.NewHub(realtime.Config{Poll: time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go h.Run(ctx)
	w := h.Watch(realtime.Inbox("e", "ada"))
	requireWoken(t, w)
	requireWoken(t, w)
}

// requireShared tells two hubs of different processes of each other's changes. The first signals may come before the
// other listens, so they are repeated until one is heard; from then on each must be.
func requireShared(t *testing.T, one, other *realtime.Hub) {
	t.Helper()
	w := other.Watch(realtime.Inbox("e", "shared"))
	defer w.Close()
	deadline := time.After(patience)
	for heard := false; !heard; {
		one.Publish(realtime.Inbox("e", "shared"))
		select {
		case <-w.C:
			heard = true
		case <-deadline:
			require.Fail(t, "the processes never heard of each other")
		case <-time.After(50 * time.Millisecond):
		}
	}
	for i := range 20 {
		each := other.Watch(realtime.Inbox("e", fmt.Sprint("s", i)))
		one.Publish(realtime.Inbox("e", fmt.Sprint("s", i)))
		requireWoken(t, each)
		each.Close()
	}
}

func TestProcessesShareSignalsThroughPostgres(t *testing.T) {
	t.Parallel()
	dsn := pgtest.NewURL(t)
	one := start(t, realtime.ViaPostgres{DB: pgtest.Open(t, dsn)})
	db := pgtest.Open(t, dsn)
	other := start(t, realtime.ViaPostgres{DB: db})
	requireShared(t, one, other)

	// More topics than one notification holds.
	var topics []realtime.Topic
	for i := range 1000 {
		topics = append(topics, realtime.Inbox(strings.Repeat("e", 24), fmt.Sprintf("%024d", i)))
	}
	last := other.Watch(topics[999])
	one.Publish(topics...)
	requireWoken(t, last)

	// The connection is lost: after the next one everybody looks, whatever was missed meanwhile.
	w := other.Watch(realtime.Inbox("e", "anything"))
	_, err := db.Pool.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
	require.NoError(t, err)
	requireWoken(t, w)
	requireShared(t, one, other)
}

func TestFollowersHearOfEveryTopicBelowAPrefix(t *testing.T) {
	t.Parallel()
	dsn := pgtest.NewURL(t)
	one, other := start(t, realtime.ViaPostgres{DB: pgtest.Open(t, dsn)}), start(t, realtime.ViaPostgres{DB: pgtest.Open(t, dsn)})
	requireShared(t, one, other) // a process that says what it follows may not listen yet: what comes before counts as missed
	require.False(t, one.Followed(realtime.Notifications("e")))
	f := other.Follow(realtime.Notifications("e"))
	require.Eventually(t, func() bool { return one.Followed(realtime.Notifications("e")) }, patience, time.Millisecond, "the other process says so, again and again")
	require.False(t, one.Followed(realtime.Notifications("another")))
	one.Publish(realtime.Notification("e", "n1"), realtime.Notification("another", "n2"), realtime.Notification("e", "n3"))
	var heard []string
	for len(heard) < 2 {
		select {
		case <-f.C:
		case <-time.After(patience):
			require.Fail(t, "the follower was not told")
		}
		changed, _ := f.Take()
		heard = append(heard, changed...)
	}
	require.ElementsMatch(t, []string{"n1", "n3"}, heard)
	for i := range 2000 {
		other.Publish(realtime.Notification("e", fmt.Sprint(i)))
	}
	<-f.C
	changed, missed := f.Take()
	require.Len(t, changed, 1000)
	require.True(t, missed)
	f.Close()
	f.Close()
}

// deaf is a broker that is away for a while.
type deaf struct {
	away      chan struct{}
	published chan []realtime.Topic
	listening chan struct{}
}

func (d deaf) Publish(_ context.Context, _ string, topics []realtime.Topic) error {
	select {
	case <-d.away:
		d.published <- topics
		return nil
	default:
		return errors.New("away")
	}
}

func (d deaf) Listen(ctx context.Context, _ func(), hear func(string, []realtime.Topic)) error {
	hear("other", []realtime.Topic{"watching"})
	close(d.listening)
	<-ctx.Done()
	return nil
}

func TestSignalsWaitForTheBroker(t *testing.T) {
	t.Parallel()
	d := deaf{make(chan struct{}), make(chan []realtime.Topic), make(chan struct{})}
	h := start(t, d)
	<-d.listening
	h.Publish("a", "b")
	h.Publish("b", "c")
	close(d.away)
	var all []realtime.Topic
	for len(all) < 4 {
		all = append(all, <-d.published...)
	}
	require.ElementsMatch(t, []realtime.Topic{"missed:other", "a", "b", "c"}, all)
}

// TestWhatIsOutgoingIsPublishedAtTheStop: what a process says last does not wait for the looks of the others.
func TestWhatIsOutgoingIsPublishedAtTheStop(t *testing.T) {
	t.Parallel()
	d := deaf{make(chan struct{}), make(chan []realtime.Topic, 2), make(chan struct{})}
	close(d.away)
	h := realtime.NewHub(realtime.Config{Broker: d, Logger: slog.New(slog.DiscardHandler), Poll: time.Hour, Window: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { h.Run(ctx); close(done) }()
	require.Equal(t, []realtime.Topic{"missed:other"}, <-d.published)
	h.Publish("a") // waits for the end of the window
	cancel()
	<-done
	require.Len(t, d.published, 1)
	require.Equal(t, []realtime.Topic{"a"}, <-d.published)
}

func startNATS(t *testing.T, opts server.Options) *server.Server {
	t.Helper()
	opts.Host, opts.NoSigs, opts.NoLog = "127.0.0.1", true, true
	if opts.Port == 0 {
		opts.Port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&opts)
	require.NoError(t, err)
	s.Start()
	require.True(t, s.ReadyForConnections(patience))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func connect(t *testing.T, url string) *realtime.ViaNATS {
	t.Helper()
	broker, err := realtime.ConnectNATS(url, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(broker.Close)
	return broker
}

func TestProcessesShareSignalsThroughNATS(t *testing.T) {
	t.Parallel()
	s := startNATS(t, server.Options{})
	requireShared(t, start(t, connect(t, s.ClientURL())), start(t, connect(t, s.ClientURL())))
}

func TestLosingANodeOfTheNATSCluster(t *testing.T) {
	t.Parallel()
	cluster := func(name string, routes ...*url.URL) *server.Server {
		return startNATS(t, server.Options{
			ServerName: name, Routes: routes,
			Cluster: server.ClusterOpts{Name: "carillon", Host: "127.0.0.1", Port: server.RANDOM_PORT},
		})
	}
	a := cluster("a")
	seed := &url.URL{Scheme: "nats", Host: a.ClusterAddr().String()}
	b, c := cluster("b", seed), cluster("c", seed)
	urls := strings.Join([]string{a.ClientURL(), b.ClientURL(), c.ClientURL()}, ",")
	one, other := start(t, connect(t, urls)), start(t, connect(t, urls))
	requireShared(t, one, other)
	a.Shutdown()
	a.WaitForShutdown()
	requireShared(t, one, other)
	requireShared(t, other, one)
}

// TestNATSThatComesBack has everybody look at both ends of what may have been lost.
func TestNATSThatComesBack(t *testing.T) {
	t.Parallel()
	first := startNATS(t, server.Options{})
	one, other := start(t, connect(t, first.ClientURL())), start(t, connect(t, first.ClientURL()))
	requireShared(t, one, other)
	w := other.Watch(realtime.Inbox("e", "anything"))
	port := first.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // it listens on TCP
	first.Shutdown()
	first.WaitForShutdown()
	one.Publish(realtime.Inbox("e", "anything")) // into the void, or kept until there is a server again
	startNATS(t, server.Options{Port: port})
	requireWoken(t, w)
	requireShared(t, one, other)
}

// TestOneProcessAloneLostItsBroker tells the others that they may have missed what it said.
func TestOneProcessAloneLostItsBroker(t *testing.T) {
	t.Parallel()
	s := startNATS(t, server.Options{})
	one := start(t, connect(t, s.ClientURL()))
	connections, err := s.Connz(nil)
	require.NoError(t, err)
	require.Len(t, connections.Conns, 1)
	other := start(t, connect(t, s.ClientURL()))
	requireShared(t, one, other)
	w := other.Watch(realtime.Inbox("e", "anything"))
	require.NoError(t, s.DisconnectClientByID(connections.Conns[0].Cid))
	requireWoken(t, w)
}
