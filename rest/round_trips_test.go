package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
)

// trips writes down what goes to Postgres: each statement is a round trip, and so is a batch of them.
type trips struct {
	mu   sync.Mutex
	seen []string
}

func (t *trips) note(sql string) {
	if strings.HasPrefix(sql, "-- ping") { // of a connection that has been idle
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = append(t.seen, sql)
}

// taken is what was seen since the last call.
func (t *trips) taken() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen := t.seen
	t.seen = nil
	return seen
}

func (t *trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	t.note(data.SQL)
	return ctx
}

func (t *trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (t *trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	var all []string
	for _, q := range data.Batch.QueuedQueries {
		all = append(all, q.SQL)
	}
	t.note("batch: " + strings.Join(all, ";\n"))
	return ctx
}

func (t *trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (t *trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// documentedTrips are the round trips to Postgres that each documented route makes: what makes a route slow is first of all
// how often it goes there. One of them finds the key of the caller, and is shared by those who ask at the same time; one
// more takes an idempotency key, which those that accept events do in passing. %d is the number of the request.
var documentedTrips = []struct {
	name           string
	plain, keyed   int // without and with an idempotency key; 0: it takes none
	method, target string
	body           string
}{
	{"list channel endpoints", 2, 0, "GET", "/v1/channel-endpoints", ""},
	{"list channel endpoints of a subscriber", 2, 0, "GET", "/v1/channel-endpoints?subscriberId=u1", ""},
	{"retrieve a channel endpoint", 2, 0, "GET", "/v1/channel-endpoints/chep-1", ""},
	{"list subscriptions", 2, 0, "GET", "/v2/subscribers/u1/subscriptions", ""},
	{"list workflows", 4, 0, "GET", "/v2/workflows", ""},
	{"read preferences", 4, 0, "GET", "/v2/subscribers/u1/preferences", ""},
	{"update preferences", 3, 5, "PATCH", "/v2/subscribers/u1/preferences/bulk", `{"preferences":[{"workflowId":"welcome","channels":{"email":false}}]}`},
	{"update a subscription", 3, 5, "PATCH", "/v2/topics/news/subscriptions/second", `{"name":"n%d","preferences":["welcome","alarm"]}`},
	{"create subscriptions", 3, 5, "POST", "/v2/topics/news/subscriptions", `{"subscriptions":[{"identifier":"i%d","subscriberId":"u1"},"u2"]}`},
	{"delete subscriptions", 3, 0, "DELETE", "/v2/topics/news/subscriptions", `{"subscriptions":["u2",{"identifier":"i%d"}]}`},
	{"mark messages", 4, 6, "POST", "/v1/subscribers/u1/messages/mark-as", `{"messageId":["000000000000000000000701","000000000000000000000702"],"markAs":"read"}`},
	{"delete an integration", 2, 0, "DELETE", "/v1/integrations/00000000000000000000050%d", ""},
	{"trigger", 2, 3, "POST", "/v1/events/trigger", `{"name":"order-shipped","to":"u1","payload":{}}`},
	{"broadcast", 2, 3, "POST", "/v1/events/trigger/broadcast", `{"name":"order-shipped","payload":{}}`},
	{"bulk trigger", 2, 3, "POST", "/v1/events/trigger/bulk", `{"events":[{"name":"order-shipped","to":"u1","payload":{}},{"name":"order-shipped","to":"u2","payload":{}}]}`},
}

// TestRoundTrips holds each route to its number of round trips.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	seen := &trips{}
	b := setupOn(t, pgtest.OpenTraced(t, pgtest.NewURL(t), seen))
	b.world(t)
	b.workflow(t, "order-shipped", steps(true), true)
	for _, keyed := range []bool{false, true} {
		for _, r := range documentedTrips {
			want := r.plain
			if keyed {
				want = r.keyed
			}
			if want == 0 {
				continue
			}
			fewest := b.fewest(t, seen, want, func(n int) *httptest.ResponseRecorder {
				var headers []string
				if keyed {
					headers = []string{"Idempotency-Key", fmt.Sprint(r.name, n)}
				}
				return b.ask(r.method, numbered(r.target, n), numbered(r.body, n), headers...)
			})
			require.Equal(t, want, len(fewest), "%s, with a key %v:\n%s", r.name, keyed, strings.Join(fewest, "\n---\n"))
		}
	}
}

// fewest are the round trips of a request that finds plans made and caches filled, among a few tries; a busy machine, where
// things happen beside it, is given more of them to show what is wanted.
func (b *bundle) fewest(t *testing.T, seen *trips, want int, ask func(n int) *httptest.ResponseRecorder) (fewest []string) {
	t.Helper()
	for n := 0; n < 5 || n < 50 && len(fewest) > want; n++ {
		b.passed.Add(int64(time.Second)) // so that marking anew changes something
		seen.taken()
		w := ask(n + 1)
		require.Less(t, w.Code, http.StatusBadRequest, "%s", w.Body)
		if went := seen.taken(); n == 0 || len(went) < len(fewest) {
			fewest = went
		}
	}
	return fewest
}

func numbered(format string, n int) string {
	if strings.Contains(format, "%d") {
		return fmt.Sprintf(format, n)
	}
	return format
}

// BenchmarkRoutes tells what a request of each documented route costs, Postgres aside: its allocations do not depend on
// what else the machine does.
func BenchmarkRoutes(b *testing.B) {
	for _, r := range documentedTrips {
		if r.method == http.MethodDelete && strings.Contains(r.target, "integrations") {
			continue // there are only so many
		}
		b.Run(r.name, func(b *testing.B) {
			s := setup(b)
			s.world(b)
			s.workflow(b, "order-shipped", steps(true), true)
			s.contrived = true // answers are judged elsewhere
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				s.passed.Add(int64(time.Second))
				if w := s.ask(r.method, numbered(r.target, n), numbered(r.body, n)); w.Code >= http.StatusInternalServerError {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
