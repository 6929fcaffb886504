package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/smtp/smtpsink"
	"github.com/carillon/carillon/internal/stall"
)

// benchOf is a run under way against the server at an address.
func benchOf(url string) *bench {
	return &bench{
		Config: Config{Out: io.Discard, Progress: io.Discard}, api: &client.Client{URL: url, Key: "KEY"},
		size: routeSize{subscribers: 120, each: 5, topics: 30, workflows: 3, others: 2, deleted: 3},
	}
}

// stored is a run with a database and an environment in it.
func stored(t *testing.T) (*bench, string) {
	t.Helper()
	dsn := pgtest.NewURL(t)
	pool, err := pgxpool.New(t.Context(), dsn)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	b := benchOf("")
	b.db = pool
	for _, sql := range []string{
		`INSERT INTO organizations (id, created_at, updated_at, name) VALUES ('aaaaaaaaaaaaaaaaaaaaaaaa', now(), now(), 'o')`,
		`INSERT INTO environments (id, created_at, updated_at, name, identifier, organization_id) VALUES ('bbbbbbbbbbbbbbbbbbbbbbbb', now(), now(), 'e', 'development', 'aaaaaaaaaaaaaaaaaaaaaaaa')`,
		`INSERT INTO integrations (id, created_at, updated_at, environment_id, name, identifier, provider_id, channel)
			VALUES ('dddddddddddddddddddddddd', now(), now(), 'bbbbbbbbbbbbbbbbbbbbbbbb', 'Chat', 'slack', 'slack', 'chat')`,
		`INSERT INTO workflows (id, created_at, updated_at, environment_id, name, identifier, tags, draft, issues, last_triggered_at)
			SELECT lpad(i::text, 24, 'e'), now(), now(), 'bbbbbbbbbbbbbbbbbbbbbbbb', 'Order', 'route-' || i, '[]', '{}', '[]', 'epoch' FROM generate_series(1, 3) i`,
	} {
		_, err = pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	b.environment = "bbbbbbbbbbbbbbbbbbbbbbbb"
	return b, dsn
}

// serving is the address of the floor.
func serving(t *testing.T, dsn string) string {
	t.Helper()
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- ServeFloor(ctx, dsn, ln) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return "http://" + ln.Addr().String()
}

// TestFloorsFitTheSchema: each floor's one query is understood by the database as it is now.
func TestFloorsFitTheSchema(t *testing.T) {
	t.Parallel()
	b, _ := stored(t)
	conn, err := b.db.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	queries := map[string]string{"workflows": listWorkflows, "preferences": readPreferences}
	for route, q := range floorQueries {
		queries[route] = q.sql
	}
	for route, sql := range queries {
		if strings.Contains(sql, "floor_") {
			continue // its tables are made with the server
		}
		_, err = conn.Conn().Prepare(t.Context(), route, sql)
		require.NoError(t, err, route)
	}
}

// TestFloorAnswers: the data that the routes are measured on can be loaded, and the floor of each route works on it.
func TestFloorAnswers(t *testing.T) {
	t.Parallel()
	b, dsn := stored(t)
	require.NoError(t, b.loadRoutes(t.Context()))
	url := serving(t, dsn)
	for path, want := range map[string]string{
		"/v1/channel-endpoints?subscriberId=s1": `"totalCount":5`, "/v1/channel-endpoints/e1": `"identifier":"e1"`, "/v2/subscribers/s1/subscriptions": `"totalCount":5`,
	} {
		raw, err := sendOne(t.Context(), http.DefaultClient, url, get("%s", path))
		require.NoError(t, err)
		require.Contains(t, strings.ReplaceAll(string(raw), " ", ""), want, path)
	}
	b.others = make([]other, b.size.others)
	for i := range b.others {
		b.others[i] = other{key: "k", integrations: make([]string, b.size.deleted)}
		for n := range b.others[i].integrations {
			b.others[i].integrations[n] = "missing"
		}
	}
	for _, r := range b.routes() {
		require.NotEmpty(t, r.goal(), r.name)
		if r.restore != "" {
			_, err := b.db.Exec(t.Context(), r.restore)
			require.NoError(t, err, r.name)
		}
		for n := range 3 {
			raw, err := sendOne(t.Context(), http.DefaultClient, url, r.nth(n))
			require.NoError(t, err, r.name)
			require.True(t, len(raw) == 0 || json.Valid(raw), "%s: %s", r.name, raw)
		}
	}
}

// TestInsertFloor commits the bytes of each request, and says so only then.
func TestInsertFloor(t *testing.T) {
	t.Parallel()
	b, dsn := stored(t)
	url := serving(t, dsn)
	l, err := post(t.Context(), url, "", 4, 20, func(n int) []byte { return trigger("w", n) })
	require.NoError(t, err)
	require.Len(t, l.latencies, 20)
	var rows, people int
	require.NoError(t, b.db.QueryRow(t.Context(), `SELECT count(*), count(DISTINCT body ->> 'to') FROM bench_floor`).Scan(&rows, &people))
	require.Equal(t, []int{20, 20}, []int{rows, people})
	_, err = post(t.Context(), url, "", 1, 1, func(int) []byte { return []byte("no JSON") })
	require.ErrorContains(t, err, "status 500")
}

// TestCopyFloor copies the very rows, without the columns that the database computes.
func TestCopyFloor(t *testing.T) {
	t.Parallel()
	b, _ := stored(t)
	_, err := b.db.Exec(t.Context(), `INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id, email)
		SELECT lpad(i::text, 24, '0'), now(), now(), $1, 's' || i, 's' || i || '@example.com' FROM generate_series(1, 30) i`, b.environment)
	require.NoError(t, err)
	_, err = b.db.Exec(t.Context(), `CREATE TABLE computed (n int, twice int GENERATED ALWAYS AS (2 * n) STORED); INSERT INTO computed VALUES (1), (2)`)
	require.NoError(t, err)
	indexes := map[twinOf]int{}
	for _, twins := range []twinOf{keyed, indexed} { // the second finds the copies of the first
		rows, took, err := copyFloor(t.Context(), b.db, twins, map[string]string{"subscribers": "subscriber_id <> 's30'", "environments": "true", "computed": "true"})
		require.NoError(t, err)
		require.Equal(t, 32, rows)
		require.Positive(t, took)
		found, err := b.db.Query(t.Context(), `SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema AND tablename = 'bench_subscribers'`)
		require.NoError(t, err)
		indexes[twins], err = pgx.CollectExactlyOneRow(found, pgx.RowTo[int])
		require.NoError(t, err)
	}
	require.Equal(t, 1, indexes[keyed])
	require.Greater(t, indexes[indexed], 3)
	var differing int
	require.NoError(t, b.db.QueryRow(t.Context(), `SELECT count(*) FROM (SELECT * FROM subscribers WHERE subscriber_id <> 's30' EXCEPT SELECT * FROM bench_subscribers) d`).Scan(&differing))
	require.Zero(t, differing)
	_, _, err = copyFloor(t.Context(), b.db, keyed, map[string]string{"missing": "true"})
	require.ErrorContains(t, err, "copy missing")
}

// TestSameAnswer: a read is compared only with a floor that says the same.
func TestSameAnswer(t *testing.T) {
	t.Parallel()
	says := func(body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
		t.Cleanup(server.Close)
		return server.URL
	}
	ours := benchOf(says(`{"data":[{"a":1,"b":"x"}],"next":null}`))
	for body, want := range map[string]string{
		`{ "next": null, "data": [{"b": "x", "a": 1}] }`: "", `{"data":[{"a":2,"b":"x"}],"next":null}`: "the floor answers otherwise", `{"data":[]}`: "the floor answers otherwise", "oops": "read the answer",
	} {
		err := ours.sameAnswer(t.Context(), says(body), get("/x"))
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}

// TestDrained waits for what is due, and stored compares what came of it.
func TestDrained(t *testing.T) {
	t.Parallel()
	b, _ := stored(t)
	ctx, cancel := context.WithTimeout(t.Context(), stall.Limit(time.Minute))
	defer cancel()
	require.NoError(t, b.stored(ctx, "w", 0))
	require.ErrorContains(t, b.stored(ctx, "w", 3), "0 messages of w are stored, not 3")
	_, err := b.db.Exec(ctx, `INSERT INTO events (id, created_at, updated_at, environment_id, transaction_id, kind, workflow_id, workflow_version_id, context_keys, payload, overrides, due_at)
		VALUES ('cccccccccccccccccccccccc', now(), now(), $1, 't', 'trigger', '', '', '[]', '{}', '{}', now())`, b.environment)
	require.NoError(t, err)
	ended, stop := context.WithCancel(ctx)
	stop()
	require.Error(t, b.drained(ended))
	waited := make(chan error, 1)
	go func() { waited <- b.drained(ctx) }()
	_, err = b.db.Exec(ctx, `UPDATE events SET due_at = NULL`)
	require.NoError(t, err)
	require.NoError(t, <-waited)
}

// TestLedgerFloor leaves each delivery's outcome.
func TestLedgerFloor(t *testing.T) {
	t.Parallel()
	b, _ := stored(t)
	plain, ledger, err := b.floors(t.Context(), 100, func(context.Context) func(context.Context) error {
		return func(context.Context) error { return nil }
	})
	require.NoError(t, err)
	require.Positive(t, plain)
	require.Positive(t, ledger)
	var accepted int
	require.NoError(t, b.db.QueryRow(t.Context(), `SELECT count(*) FROM bench_ledger WHERE outcome = 'accepted' AND finished_at >= created_at`).Scan(&accepted))
	require.Equal(t, 100, accepted)
}

// TestWebhookFloor has called before it answers, and has stored the outcome.
func TestWebhookFloor(t *testing.T) {
	t.Parallel()
	b, dsn := stored(t)
	heard := newArrivals(0)
	hook, stop, err := listenTo(t.Context(), heard)
	require.NoError(t, err)
	defer stop()
	l, err := b.crowd(t.Context(), heard, serving(t, dsn)+"/webhook?hook="+url.QueryEscape(hook), "", 20, func(_ int, name string) []byte {
		return []byte(`{"payload":{"order":"` + name + `"}}`)
	})
	require.NoError(t, err)
	require.Len(t, l.latencies, 20)
	require.Positive(t, l.took)
	var accepted int
	require.NoError(t, b.db.QueryRow(t.Context(), `SELECT count(*) FROM bench_floor WHERE outcome = '200 OK'`).Scan(&accepted))
	require.Equal(t, 20, accepted)
}

// TestPushFloor tells the socket of the subscriber what it has stored.
func TestPushFloor(t *testing.T) {
	t.Parallel()
	b, dsn := stored(t)
	url := serving(t, dsn)
	heard := newArrivals(0)
	sockets, err := openAll(t.Context(), 3, func(n int) (*websocket.Conn, error) {
		s, err := dial(t.Context(), fmt.Sprintf("%s/push/%d", url, n))
		if err == nil {
			go heard.listen(s)
		}
		return s, err
	})
	defer closeAll(sockets)
	require.NoError(t, err)
	run := b.paced(heard, 1000, 3, func(n int) string { return fmt.Sprintf("%s/push/%d", url, n) }, "", func(_ int, name string) []byte {
		return []byte(`{"transactionId":"` + name + `"}`)
	})
	for range 2 {
		l, err := run(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, l.latencies, 10)
	}
	var rows int
	require.NoError(t, b.db.QueryRow(t.Context(), `SELECT count(*) FROM bench_floor`).Scan(&rows))
	require.Equal(t, 20, rows)
}

// TestMailFloor delivers each mail as often as it says, and whole.
func TestMailFloor(t *testing.T) {
	t.Parallel()
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	mails := make(chan smtpsink.Mail, 1000)
	go func() { _ = smtpsink.Serve(t.Context(), ln, func(m smtpsink.Mail) { mails <- m }) }()
	want := smtpsink.Mail{From: "a@shop.example", To: []string{"ada@customers.example"}, Data: []byte("Subject: x\r\n\r\n.one\r\ntwo\r\n")}
	s := &sink{smtp: ln.Addr().String(), mail: want}
	_, err = parallel(t.Context(), 200, s.mailer())
	require.NoError(t, err)
	require.Len(t, mails, 200)
	for range 200 {
		have := <-mails
		require.Equal(t, want.From, have.From)
		require.Equal(t, want.To, have.To)
		require.Equal(t, string(want.Data), string(have.Data))
	}
}

// TestUsage counts what a transaction has written.
func TestUsage(t *testing.T) {
	t.Parallel()
	b, _ := stored(t)
	var commits, bytes int64
	read := func() (u usage) {
		require.NoError(t, b.db.QueryRow(t.Context(), databaseUsage).Scan(&u.wal, &u.commits))
		return u
	}
	for range 50 { // others write beside
		before := read()
		_, err := b.db.Exec(t.Context(), `UPDATE environments SET name = name || 'x'`)
		require.NoError(t, err)
		used := read().since(before)
		commits, bytes = max(commits, used.commits), max(bytes, used.wal)
	}
	require.Positive(t, commits)
	require.Positive(t, bytes)
}
