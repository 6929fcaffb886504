package main_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/stall"
)

// TestRandomDisconnections disconnects front ends at random, over WebSocket and server-sent events, lets each come back to
// whichever process with the last sequence it saw, while messages come, change and go, and while the processes lose their
// broker. At each update that is as new as the inbox's counters, what a front end saw must agree with them; at the end,
// with the database.
func TestRandomDisconnections(t *testing.T) {
	t.Parallel()
	t.Run("Postgres carries the signals", func(t *testing.T) {
		t.Parallel()
		cluster := newCluster(t)
		disconnect(t, cluster, func() error { return cluster.cutListeners(t.Context()) })
	})
	t.Run("NATS carries the signals", func(t *testing.T) {
		t.Parallel()
		cluster, broker := newCluster(t), &restarted{}
		require.NoError(t, broker.start())
		t.Cleanup(broker.stop)
		cluster.env = append(cluster.env, "CARILLON_NATS_URL="+broker.server.ClientURL())
		disconnect(t, cluster, func() error {
			broker.stop()
			return broker.start()
		})
	})
}

// cutListeners ends the connections on which processes hear of each other.
func (c *cluster) cutListeners(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, strings.TrimPrefix(c.env[0], "CARILLON_DATABASE_URL="))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
	return err
}

// restarted is a NATS server that comes back where it was.
type restarted struct {
	server *server.Server
	port   int
}

func (r *restarted) start() error {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: cmp.Or(r.port, server.RANDOM_PORT), NoSigs: true, NoLog: true})
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(stall.Limit(patience)) {
		return errors.New("NATS did not start")
	}
	r.server, r.port = s, s.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // it listens on TCP
	return nil
}

func (r *restarted) stop() {
	r.server.Shutdown()
	r.server.WaitForShutdown()
}

func disconnect(t *testing.T, cluster *cluster, breakBroker func() error) {
	t.Helper()
	cuts, rounds, breaks, pages := 80, 25, 3, 3
	if soak {
		cuts, rounds, breaks, pages = 3000, 1000, 30, 8
	}
	servers := []*child.Process{cluster.start(t, "serve"), cluster.start(t, "serve")}
	doors := []*client.Client{{URL: servers[0].URL(), Key: cluster.key}, {URL: servers[1].URL(), Key: cluster.key}}
	enough := make(chan struct{}) // closed after as many disconnections as are asked for
	var left atomic.Int64
	left.Store(int64(cuts))
	cut := func() {
		if left.Add(-1) == 0 {
			close(enough)
		}
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), stall.Limit(10*time.Minute), errors.New("the front ends never saw everything"))
	defer cancel()
	var stirring, watching sync.WaitGroup
	var failures failures
	quiet := make(chan struct{}) // closed when nothing changes any more
	people := map[string][]*frontEnd{"ada": nil, "bob": nil}
	for who := range people {
		graphQL(t, doors[0], `mutation($who: String!) { createSubscriber(input: {subscriberId: $who}) { subscriber { id } } }`, object{"who": who}, nil)
		token := subscriberToken(t, doors[0], who)
		for range pages {
			page := &frontEnd{messages: map[string]inboxMessage{}, seen: map[string]bool{}}
			people[who] = append(people[who], page)
			watching.Go(func() { failures.add(page.roam(ctx, servers, token, cut, quiet)) })
		}
		stirring.Go(func() { failures.add(stir(ctx, doors, who, rounds, enough)) })
	}
	for n := range breaks {
		select {
		case <-enough:
		case <-time.After(time.Duration(100+100*n) * time.Millisecond):
		}
		require.NoError(t, breakBroker())
	}
	stirring.Wait()
	for who, pages := range people {
		last := inboxSequence(t, doors[0], who)
		for _, page := range pages {
			page.last.Store(int64(last))
		}
	}
	close(quiet)
	watching.Wait()
	require.NoError(t, failures.all())
	for who, pages := range people {
		stored := inboxNow(t, doors[1], who)
		require.NotEmpty(t, stored)
		for _, page := range pages {
			require.Equal(t, stored, page.messages)
			require.Positive(t, page.agreed, "no update was ever as new as the counters")
		}
	}
	t.Logf("%d disconnections, %d changes of ada's inbox", cuts-int(left.Load()), *people["ada"][0].after)
}

type failures struct {
	mu   sync.Mutex
	errs []error
}

func (f *failures) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errs = append(f.errs, err)
}

func (f *failures) all() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.errs...)
}

// inboxMessage is what a page shows of a message.
type inboxMessage struct {
	InternalID     string
	Sequence       int
	Read, Archived bool
}

// inboxUpdate is an update as a front end sees it.
type inboxUpdate struct {
	Sequence   int
	Messages   []inboxMessage
	RemovedIDs []string
	State      *struct{ Sequence, Total, Unread int }
}

const watchInbox = `subscription($after: Int) { inboxUpdates(after: $after) {
	sequence messages { internalId sequence read archived } removedIds state { sequence total unread } } }`

// frontEnd is what a page knows of its inbox.
type frontEnd struct {
	after    *int
	messages map[string]inboxMessage
	seen     map[string]bool // message and its sequence: none comes twice
	agreed   int             // updates that could be held against the counters
	last     atomic.Int64    // the inbox's last sequence, once nothing changes any more
}

func (f *frontEnd) apply(u inboxUpdate) error {
	if f.after != nil && u.Sequence <= *f.after {
		return fmt.Errorf("sequence %d came after %d", u.Sequence, *f.after)
	}
	f.after = &u.Sequence
	for _, m := range u.Messages {
		key := fmt.Sprint(m.InternalID, m.Sequence)
		if f.seen[key] {
			return fmt.Errorf("%s was told twice", key)
		}
		f.seen[key], f.messages[m.InternalID] = true, m
	}
	for _, removed := range u.RemovedIDs {
		delete(f.messages, removed)
	}
	if u.State == nil || u.State.Sequence != u.Sequence {
		return nil
	}
	f.agreed++
	total, unread := 0, 0
	for _, m := range f.messages {
		if !m.Archived {
			total++
		}
		if !m.Archived && !m.Read {
			unread++
		}
	}
	if total != u.State.Total || unread != u.State.Unread {
		return fmt.Errorf("at %d the page has %d messages, %d unread; the counters say %d and %d", u.Sequence, total, unread, u.State.Total, u.State.Unread)
	}
	return nil
}

// roam watches an inbox through connections that end at random, until it saw everything.
func (f *frontEnd) roam(ctx context.Context, servers []*child.Process, token string, cut func(), quiet <-chan struct{}) error {
	f.after = new(int)
	for {
		life := time.Duration(rand.N(100)) * time.Millisecond
		select {
		case <-quiet:
			if *f.after >= int(f.last.Load()) {
				return nil
			}
			life = time.Second
		case <-ctx.Done():
			return context.Cause(ctx)
		default:
		}
		open := openSocket
		if rand.N(2) == 0 {
			open = openEvents
		}
		at, err := open(ctx, servers[rand.N(len(servers))], token, f.after)
		if err != nil {
			return err
		}
		if err := f.listen(at, life); err != nil {
			return err
		}
		cut()
	}
}

// listen hears a connection for a while, and then leaves without a word, as a lost network would.
func (f *frontEnd) listen(at link, life time.Duration) error {
	var lost atomic.Bool
	end := time.AfterFunc(life, func() { lost.Store(true); at.cut() })
	defer end.Stop()
	for {
		update, err := at.update()
		switch {
		case lost.Load():
			return nil // what came too late for the page is told again
		case err != nil:
			return err
		}
		if err := f.apply(update); err != nil {
			return err
		}
	}
}

func subscriberToken(t *testing.T, c *client.Client, who string) string {
	t.Helper()
	var out struct{ CreateSubscriberToken struct{ Token string } }
	graphQL(t, c, makeToken, object{"who": who}, &out)
	return out.CreateSubscriberToken.Token
}

const makeToken = `mutation($who: String!) { createSubscriberToken(input: {subscriberId: $who}) { token } }`

// stir sends, marks, archives and deletes messages of an inbox, at least that many rounds, until it is enough.
func stir(ctx context.Context, doors []*client.Client, who string, rounds int, enough <-chan struct{}) error {
	const changeOne = `mutation($who: String!, $ids: [ID!]!) { %s(input: {subscriberId: $who, messageIds: $ids%s}) { messages { id } } }`
	changes := []string{
		fmt.Sprintf(changeOne, "markMessages", ", markAs: READ"), fmt.Sprintf(changeOne, "markMessages", ", markAs: UNREAD"),
		fmt.Sprintf(changeOne, "archiveMessages", ""), fmt.Sprintf(changeOne, "unarchiveMessages", ""), fmt.Sprintf(changeOne, "deleteMessages", ""),
	}
	for i := 0; ; i++ {
		select {
		case <-enough:
			if i >= rounds {
				return nil
			}
		default:
		}
		c := doors[rand.N(len(doors))]
		body := object{"name": "hello", "to": who, "payload": object{"name": fmt.Sprint(i)}}
		if _, err := c.Do(ctx, http.MethodPost, "/v1/events/trigger", body, nil); err != nil {
			return err
		}
		if i%40 == 39 {
			if err := c.GraphQL(ctx, `mutation($who: String!) { markAllMessages(input: {subscriberId: $who, action: READ}) { markedCount } }`, object{"who": who}, nil); err != nil {
				return err
			}
		}
		var out struct {
			Inbox struct {
				Messages, Archived struct{ Nodes []struct{ ID string } }
			}
		}
		err := c.GraphQL(ctx, `query($who: String!) { inbox(subscriberId: $who) {
			messages(first: 5) { nodes { id } } archived: messages(first: 1, filter: {archived: true}) { nodes { id } } } }`, object{"who": who}, &out)
		if err != nil {
			return err
		}
		nodes := append(out.Inbox.Messages.Nodes, out.Inbox.Archived.Nodes...)
		if len(nodes) < 2 {
			continue
		}
		rand.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		var ids []string
		for _, node := range nodes[:1+rand.N(2)] {
			ids = append(ids, node.ID)
		}
		if err := c.GraphQL(ctx, changes[rand.N(len(changes))], object{"who": who, "ids": ids}, nil); err != nil {
			return err
		}
	}
}

func inboxSequence(t *testing.T, c *client.Client, who string) int {
	t.Helper()
	until(t, time.Minute, "what was triggered arrives", func(ctx context.Context) (bool, error) {
		open, err := quiet(ctx, c)
		return open == 0, err
	})
	var out struct {
		Inbox struct{ State *struct{ Sequence int } }
	}
	graphQL(t, c, `query($who: String!) { inbox(subscriberId: $who) { state { sequence } } }`, object{"who": who}, &out)
	if out.Inbox.State == nil {
		return 0
	}
	return out.Inbox.State.Sequence
}

// inboxNow is the whole inbox as the database has it.
func inboxNow(t *testing.T, c *client.Client, who string) map[string]inboxMessage {
	t.Helper()
	all := map[string]inboxMessage{}
	for _, archived := range []bool{false, true} {
		maps.Copy(all, inboxPages(t, c, who, archived))
	}
	return all
}

func inboxPages(t *testing.T, c *client.Client, who string, archived bool) map[string]inboxMessage {
	t.Helper()
	all := map[string]inboxMessage{}
	for after := (*string)(nil); ; {
		var out struct {
			Inbox struct {
				Messages struct {
					Nodes    []inboxMessage
					PageInfo struct {
						HasNextPage bool
						EndCursor   *string
					}
				}
			}
		}
		graphQL(t, c, `query($who: String!, $after: String, $archived: Boolean) { inbox(subscriberId: $who) { messages(first: 100, after: $after, filter: {archived: $archived}) {
			nodes { internalId sequence read archived } pageInfo { hasNextPage endCursor } } } }`, object{"who": who, "after": after, "archived": archived}, &out)
		for _, m := range out.Inbox.Messages.Nodes {
			all[m.InternalID] = m
		}
		if after = out.Inbox.Messages.PageInfo.EndCursor; !out.Inbox.Messages.PageInfo.HasNextPage {
			return all
		}
	}
}
