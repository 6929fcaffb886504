package prove

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// TestLoadIsWhatIsJudged: what is expected of a call is what its body says, for every kind of call.
func TestLoadIsWhatIsJudged(t *testing.T) {
	t.Parallel()
	l := &load{seed: 1}
	seen, texts := map[string]int{}, map[string]bool{}
	for n := range 2_000 {
		s := l.choose(n)
		kind := s.path
		bodies := []object{s.body}
		switch {
		case s.path == "/graphql":
			require.Empty(t, s.heard, "it changes an inbox or a workflow")
			bodies = nil
		case s.path == "/v1/events/trigger/bulk":
			bodies = s.body["events"].([]object)
			require.Len(t, bodies, bulkSize)
		case s.path == "/v1/events/trigger/broadcast":
			require.NotContains(t, s.body, "to")
			require.Equal(t, everybody(), s.heard[0].Subscribers)
		case s.key != "":
			kind = "idempotency key"
			require.NotContains(t, s.body, "transactionId", "one of the two makes a repetition harmless")
		}
		require.Len(t, s.heard, len(bodies))
		for i, body := range bodies {
			expected := s.heard[i]
			require.Equal(t, expected.Workflow, body["name"])
			require.Equal(t, object{"text": expected.Text}, body["payload"])
			require.False(t, texts[expected.Text], "each event has a text of its own")
			texts[expected.Text] = true
			if s.key == "" {
				require.Equal(t, "t-"+expected.Text, body["transactionId"])
			}
			switch to := body["to"].(type) {
			case string:
				require.Equal(t, []string{to}, expected.Subscribers)
			case object:
				if to["topicKey"] != nil {
					kind = "topic"
					require.Equal(t, everybody(), expected.Subscribers)
				} else {
					require.Equal(t, []string{to["subscriberId"].(string)}, expected.Subscribers)
				}
			}
			require.Equal(t, expected.Workflow == "digested", expected.Digest)
			require.Equal(t, expected.Workflow == "throttled", expected.Throttled)
			switch expected.Workflow {
			case "everything", "waiting":
				require.Equal(t, allChannels, expected.Channels)
			case "greeted":
				require.Equal(t, []string{inApp, "email"}, expected.Channels)
			default:
				require.Equal(t, []string{inApp}, expected.Channels)
			}
			seen[expected.Workflow]++
		}
		seen[kind]++
	}
	for _, kind := range []string{
		"/v1/events/trigger", "/v1/events/trigger/bulk", "/v1/events/trigger/broadcast", "/graphql", "idempotency key", "topic",
		"everything", "waiting", "digested", "throttled", "news", "greeted",
	} {
		require.Positive(t, seen[kind], kind)
	}
}

func TestProcessed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer string
		events int
		want   bool
	}{
		"one":                  {`{"status": "processed"}`, 1, true},
		"not processed":        {`{"status": "trigger_not_active"}`, 1, false},
		"several":              {`[{"status": "processed"}, {"status": "processed"}]`, 2, true},
		"one too few":          {`[{"status": "processed"}]`, 2, false},
		"one was not":          {`[{"status": "processed"}, {"status": "error"}]`, 2, false},
		"an inbox":             {`{"data": {"markAllMessages": {"markedCount": 3}}}`, 0, true},
		"an inbox with errors": {`{"data": null, "errors": [{"message": "x"}]}`, 0, false},
		"cut off":              {`{"status": "proc`, 1, false},
		"cut off, an inbox":    {`{"data":`, 0, false},
		"nothing":              {``, 1, false},
	} {
		require.Equal(t, c.want, processed([]byte(c.answer), c.events), name)
	}
}

// api answers calls with what answer returns for the n-th of them, from 1; status 0 cuts the connection.
func api(t *testing.T, answer func(n int64, r *http.Request) (status int, body string)) (*load, *atomic.Int64) {
	t.Helper()
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body := answer(calls.Add(1), r)
		if status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return &load{api: &client.Client{URL: server.URL, Key: "secret"}}, &calls
}

// TestLoadInsists: a call is sent again, the same each time, until it is acknowledged.
func TestLoadInsists(t *testing.T) {
	t.Parallel()
	answers := []struct {
		status int
		body   string
	}{{500, ""}, {0, ""}, {409, ""}, {429, ""}, {503, ""}, {201, `{"status": "error"}`}, {201, `{"status": "proc`}, {201, `{"status": "processed"}`}}
	var mu sync.Mutex
	var bodies []string
	l, calls := api(t, func(n int64, r *http.Request) (int, string) {
		raw, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		bodies = append(bodies, string(raw)+r.Header.Get("Idempotency-Key")+r.Header.Get("Authorization"))
		a := answers[n-1]
		return a.status, a.body
	})
	s := single("everything", "p-1", "person-1")
	acked, err := l.insist(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, s.heard, acked)
	require.EqualValues(t, len(answers), calls.Load())
	require.EqualValues(t, len(answers)-1, l.repeat.Load())
	mu.Lock()
	defer mu.Unlock()
	require.True(t, strings.HasSuffix(bodies[0], "}ApiKey secret"), bodies[0])
	for _, body := range bodies {
		require.Equal(t, bodies[0], body)
	}
}

// TestRefusedCallEndsTheLoad: a call that can never succeed is a mistake of the prover's.
func TestRefusedCallEndsTheLoad(t *testing.T) {
	t.Parallel()
	l, calls := api(t, func(int64, *http.Request) (int, string) { return 422, `{"message": "wrong"}` })
	acked, err := l.insist(t.Context(), single("everything", "p-1", "person-1"))
	require.ErrorContains(t, err, "/v1/events/trigger: status 422")
	require.ErrorContains(t, err, "wrong")
	require.Empty(t, acked)
	require.EqualValues(t, 1, calls.Load())
	require.Zero(t, l.repeat.Load())
}

func TestLoadEndsWithTheRun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	l, _ := api(t, func(n int64, _ *http.Request) (int, string) {
		if n == 3 {
			cancel()
		}
		return 500, ""
	})
	_, err := l.insist(ctx, single("everything", "p-1", "person-1"))
	require.ErrorIs(t, err, context.Canceled)
}

// TestLoadKeepsWhatIsAcknowledged: events that were begun when the load was stopped are acknowledged too.
func TestLoadKeepsWhatIsAcknowledged(t *testing.T) {
	t.Parallel()
	enough := make(chan struct{})
	l, calls := api(t, func(n int64, r *http.Request) (int, string) {
		if n == 20 {
			close(enough)
		}
		raw, _ := io.ReadAll(r.Body)
		var body struct{ Events []any }
		_ = json.Unmarshal(raw, &body)
		if len(body.Events) > 0 {
			return 201, "[" + strings.TrimSuffix(strings.Repeat(`{"status": "processed"},`, len(body.Events)), ",") + "]"
		}
		return 201, `{"status": "processed"}`
	})
	running := startLoad(t.Context(), l.api, 7, 2_000)
	<-enough
	acked, err := running.finish()
	require.NoError(t, err)
	require.Len(t, acked, running.count())
	require.EqualValues(t, running.next.Load(), calls.Load(), "every call was answered once")
}
