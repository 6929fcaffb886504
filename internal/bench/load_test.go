package bench

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"
)

// upTo are the durations of 1 to n milliseconds.
func upTo(n int) (list []time.Duration) {
	for i := range n {
		list = append(list, time.Duration(i+1)*time.Millisecond)
	}
	return list
}

// TestPercentiles: the value below which so many of the sorted ones lie, also of few and of none.
func TestPercentiles(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][]time.Duration{ // of 0, 50, 99 and 100 percent
		0: {0, 0, 0, 0}, 1: {1, 1, 1, 1}, 2: {1, 2, 2, 2}, 100: {1, 51, 100, 100}, 1000: {1, 501, 991, 1000},
	} {
		for i, p := range []int{0, 50, 99, 100} {
			require.Equal(t, want[i]*time.Millisecond, percentile(upTo(n), p), "%d percent of %d", p, n)
		}
	}
}

// TestSums: a run counts what was answered by the time that it took, several runs by the time of all.
func TestSums(t *testing.T) {
	t.Parallel()
	shuffled := upTo(100)
	slices.Reverse(shuffled)
	one := newLoad(2*time.Second, shuffled)
	require.Equal(t, []time.Duration{51 * time.Millisecond, 100 * time.Millisecond}, []time.Duration{one.p50, one.p99})
	require.InDelta(t, 50, one.perSecond(), 1e-9)
	require.Equal(t, "50/s, p50 51.0 ms, p99 100.0 ms", rate(one))
	require.Equal(t, "p50 51.0 ms, p99 100.0 ms", latencies(one))
	both := together([]load{one, newLoad(8*time.Second, upTo(300))})
	require.Equal(t, 10*time.Second, both.took)
	require.InDelta(t, 40, both.perSecond(), 1e-9)
	require.Equal(t, []time.Duration{101 * time.Millisecond, 297 * time.Millisecond}, []time.Duration{both.p50, both.p99})

	rounds := func(perSecond ...int) (runs []load) {
		for _, n := range perSecond {
			runs = append(runs, newLoad(time.Second, upTo(n)))
		}
		return runs
	}
	require.Equal(t, "2.00", medianRatio(rounds(20, 900, 10), rounds(10, 10, 10)), "one round that something disturbed counts no more than another")
	require.Equal(t, "0.50", ratio(1, 2))
	var out strings.Builder
	b := &bench{table: tabwriter.NewWriter(&out, 0, 0, 1, ' ', 0)}
	ours, floor := measured{rounds(100, 20, 400), []usage{{cpu: 3 * time.Second}, {cpu: time.Second, wal: 1000}, {cpu: 0}}}, measured{rounds(50, 10, 100), []usage{{}, {cpu: time.Second}, {cpu: 2 * time.Second}}}
	b.compared("many", ours, floor, 1000, false, "")
	b.compared("steady", ours, floor, 1000, true, "")
	b.pairs("pairs", []pair{{1, 2}, {30, 10}, {2, 1}}, "")
	require.NoError(t, b.table.Flush())
	require.Equal(t, `many 100/s, p50 51.0 ms, p99 100.0 ms 50/s, p50 26.0 ms, p99 50.0 ms 2.00
each 1.00 CPU s of 1,000, 0.0 kB WAL, 0.00 commits, 0.0 statements 1.00 CPU s of 1,000, 0.0 kB WAL, 0.00 commits, 0.0 statements 1.00 1.2 of the floor's CPU at most
steady p50 51.0 ms, p99 100.0 ms p50 26.0 ms, p99 50.0 ms 1.96, 2.00
each 1.00 CPU s of 1,000, 0.0 kB WAL, 0.00 commits, 0.0 statements 1.00 CPU s of 1,000, 0.0 kB WAL, 0.00 commits, 0.0 statements 1.00 1.2 of the floor's CPU at most
pairs 2/s 2/s 2.00`, strings.Join(fields(out.String()), "\n"), "medians")
	normal, urgent, refused, late := sum([]pressed{
		{normal: newLoad(time.Second, upTo(10)), urgent: newLoad(time.Second, upTo(1)), refused: 3, late: 1},
		{normal: newLoad(time.Second, upTo(20)), urgent: newLoad(time.Second, upTo(2)), refused: 4},
	})
	require.Equal(t, []int{30, 3, 7, 1}, []int{len(normal.latencies), len(urgent.latencies), refused, late})
	require.InDelta(t, 15, runsOf([]pressed{{normal: newLoad(2*time.Second, upTo(30))}}).perSecond(), 1e-9)
}

// fields are the lines of a table without its padding.
func fields(table string) (lines []string) {
	for line := range strings.Lines(table) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// TestTable aligns its figures under their headings, whatever their length.
func TestTable(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	b := &bench{table: tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)}
	b.row("figure", "Carillon", "goal")
	b.row("idle memory without Postgres", mebibytes(60<<20), "120 MiB at most")
	b.row("short", usage{cpu: 3 * time.Second, wal: 19_000, commits: 3, statements: 8}.each(2000), "")
	require.NoError(t, b.table.Flush())
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, strings.Index(lines[0], "Carillon"), strings.Index(lines[1], "60 MiB"))
	require.Equal(t, strings.Index(lines[0], "goal"), strings.Index(lines[1], "120 MiB at most"))
	require.Contains(t, lines[2], "1.50 CPU s of 1,000, 0.0 kB WAL, 0.00 commits, 0.0 statements")
}

// TestParts can be chosen by name, each once.
func TestParts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range parts {
		require.False(t, seen[p.name], p.name)
		seen[p.name] = true
		require.NotEmpty(t, p.steps, p.name)
	}
}

// TestTriggers are of the size that the figures name, and spread over a thousand recipients.
func TestTriggers(t *testing.T) {
	t.Parallel()
	recipients := map[string]bool{}
	for n := range 2000 {
		var body struct {
			Name, To string
			Payload  json.RawMessage
		}
		require.NoError(t, json.Unmarshal(trigger("w", n), &body))
		require.Equal(t, "w", body.Name)
		require.InDelta(t, 250, len(body.Payload), 30)
		recipients[body.To] = true
	}
	require.Len(t, recipients, 1000)
}

// heard is a server that counts, and knows how many requests it answers at once.
type heard struct {
	mu      sync.Mutex
	bodies  map[string]int
	now     atomic.Int64
	most    atomic.Int64
	status  atomic.Int64 // of all further answers
	request http.Header
}

func (h *heard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := h.now.Add(1)
	defer h.now.Add(-1)
	for most := h.most.Load(); now > most && !h.most.CompareAndSwap(most, now); most = h.most.Load() {
		continue
	}
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	h.bodies[r.Method+" "+r.URL.Path+" "+string(body)]++
	h.request = r.Header
	h.mu.Unlock()
	w.WriteHeader(int(h.status.Load()))
	_, _ = io.WriteString(w, "why")
}

// TestSend sends each request once, over as many connections as it may, and ends at the first answer that is no success.
func TestSend(t *testing.T) {
	t.Parallel()
	h := &heard{bodies: map[string]int{}}
	h.status.Store(http.StatusCreated)
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	body := func(n int) []byte { return []byte{'a' + byte(n/26), 'a' + byte(n%26)} }
	l, err := send(t.Context(), server.URL, 4, 500, func(n int) request {
		return request{method: http.MethodPut, path: "/p", key: "KEY", body: body(n), header: http.Header{"Idempotency-Key": {"i"}}}
	})
	require.NoError(t, err)
	require.Len(t, l.latencies, 500)
	require.True(t, slices.IsSorted(l.latencies))
	require.GreaterOrEqual(t, l.took, l.p99)
	require.Len(t, h.bodies, 500)
	for n := range 500 {
		require.Equal(t, 1, h.bodies["PUT /p "+string(body(n))])
	}
	require.LessOrEqual(t, h.most.Load(), int64(4))
	require.Equal(t, []string{"ApiKey KEY", "application/json", "i", ""}, []string{
		h.request.Get("Authorization"), h.request.Get("Content-Type"), h.request.Get("Idempotency-Key"), h.request.Get("Accept-Encoding"),
	}, "a packed answer would be compared with one that is not")

	h.status.Store(http.StatusTooManyRequests)
	_, err = post(t.Context(), server.URL+"/q", "", 4, 500, body)
	require.ErrorContains(t, err, "POST "+server.URL+"/q: status 429: why")
	h.mu.Lock() // requests may be under way when another's answer ends the run
	require.Less(t, len(h.bodies), 600, "the rest is not sent")
	h.mu.Unlock()
	ended, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	_, err = post(ended, server.URL, "", 4, 10, body)
	require.ErrorIs(t, err, stopped)
}

// TestPressOne tells a call that was refused for now from one that failed.
func TestPressOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status   int
		retry    string
		accepted bool
		fails    string
	}{
		"Accepted": {status: 201, accepted: true}, "Refused": {status: 503, retry: "1"}, "Away": {status: 503, fails: "status 503: x"}, "Invalid": {status: 422, retry: "1", fails: "status 422: x"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/events/trigger" || r.Header.Get("Authorization") != "ApiKey KEY" {
				c.status = http.StatusNotFound
			}
			if c.retry != "" {
				w.Header().Set("Retry-After", c.retry)
			}
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, "x")
		}))
		t.Cleanup(server.Close)
		accepted, err := benchOf(server.URL).pressOne(t.Context(), server.Client(), []byte("{}"))
		require.Equal(t, c.accepted, accepted, name)
		if c.fails == "" {
			require.NoError(t, err, name)
			continue
		}
		require.EqualError(t, err, c.fails, name)
	}
}

// TestParallel makes so many deliveries, each worker with what it made for itself, and ends at the first failure.
func TestParallel(t *testing.T) {
	t.Parallel()
	var workers, delivered atomic.Int64
	perSecond, err := parallel(t.Context(), 1000, func(context.Context) func(context.Context) error {
		workers.Add(1)
		return func(context.Context) error {
			delivered.Add(1)
			return nil
		}
	})
	require.NoError(t, err)
	require.Positive(t, perSecond)
	require.EqualValues(t, 1000, delivered.Load())
	require.EqualValues(t, sendParallel, workers.Load())
	failed := errors.New("failed")
	_, err = parallel(t.Context(), 1000, func(context.Context) func(context.Context) error {
		return func(context.Context) error { return failed }
	})
	require.ErrorIs(t, err, failed)
}
