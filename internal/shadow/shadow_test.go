package shadow_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/app/apptest"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/importer/importertest"
	"github.com/carillon/carillon/internal/shadow"
)

type object = map[string]any

const oldKey = "old-key"

// front is a shadow in front of old; played ends its queue and returns what became of the calls.
func front(t *testing.T, old http.Handler, cfg shadow.Config) (address string, played func() shadow.Summary) {
	t.Helper()
	behind := httptest.NewServer(old)
	t.Cleanup(behind.Close)
	var err error
	cfg.Old, err = url.Parse(behind.URL)
	require.NoError(t, err)
	s := shadow.New(cfg)
	ended := make(chan struct{})
	go func() { s.Run(context.WithoutCancel(t.Context())); close(ended) }()
	proxy := httptest.NewServer(s)
	t.Cleanup(proxy.Close)
	return proxy.URL, func() shadow.Summary {
		proxy.Close() // and with it every call
		s.Close()
		<-ended
		return s.Summary()
	}
}

func ask(t *testing.T, method, address, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "ApiKey "+oldKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(raw)
}

func count(s shadow.Summary, route, kind, path string) (n int64) {
	for _, g := range s.Groups {
		if g.Route == route && g.Example.Kind == kind && g.Example.Path == path {
			n += g.Count
		}
	}
	return n
}

// reasons are those of the groups of a route, kind and member.
func reasons(s shadow.Summary, route, kind, path string) (all string) {
	for _, g := range s.Groups {
		if g.Route == route && g.Example.Kind == kind && g.Example.Path == path {
			all += g.Example.Reason
		}
	}
	return all
}

// TestReceivers: what differs is logged with who would have received it here on which channels, and with the reason of a refusal.
func TestReceivers(t *testing.T) {
	t.Parallel()
	here := &client.Client{URL: apptest.Serve(t), Key: apptest.Key}
	old := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write([]byte(`{"acknowledged":true,"status":"trigger_not_active","transactionId":"t"}`))
	})
	var log bytes.Buffer
	address, played := front(t, old, shadow.Config{Here: here, Log: &log})
	_, _ = ask(t, "POST", address+"/v1/events/trigger", `{"name":"hello","to":["ann","bob"],"payload":{"name":"Ann"}}`)
	_, _ = ask(t, "POST", address+"/v1/events/trigger", `{"name":"hello"}`)
	s := played()
	require.EqualValues(t, 2, s.Differ, "%+v", s)
	require.EqualValues(t, 2, s.Held["in_app"])
	var first, second struct {
		Differences []shadow.Difference
		Held        []struct {
			SubscriberID string
			Channels     []string
		}
	}
	lines := json.NewDecoder(&log)
	require.NoError(t, lines.Decode(&first))
	require.NoError(t, lines.Decode(&second))
	require.Equal(t, []shadow.Difference{{Kind: "value", Path: "status", Old: `"trigger_not_active"`, Here: `"processed"`}}, first.Differences)
	require.Len(t, first.Held, 2)
	require.Equal(t, "ann", first.Held[0].SubscriberID)
	require.Equal(t, []string{"in_app"}, first.Held[0].Channels)
	require.Equal(t, "422", second.Differences[0].Here)
	require.Contains(t, second.Differences[0].Reason, "to", "the member that is wrong")
	require.Empty(t, second.Held)
}

// TestShadow: the deployment's answers pass unchanged, and calls that end otherwise here are reported, while nothing is sent.
func TestShadow(t *testing.T) {
	t.Parallel()
	here := &client.Client{URL: apptest.Serve(t), Key: apptest.Key}
	old := &importertest.Deployment{Key: oldKey, Workflows: []object{{"workflowId": "hello", "name": "Hello"}, {"workflowId": "gone", "name": "Gone"}}, Subscriptions: map[string][]object{}}
	var log bytes.Buffer
	address, played := front(t, old, shadow.Config{Here: here, Log: &log})

	trigger := func(name string) {
		status, answer := ask(t, "POST", address+"/v1/events/trigger", `{"name":"`+name+`","to":{"subscriberId":"ann","firstName":"Ann"},"payload":{"name":"Ann"},"transactionId":"t-`+name+`"}`)
		require.Equal(t, http.StatusCreated, status)
		require.Contains(t, answer, `"transactionId":"t-`+name)
	}
	trigger("hello")
	trigger("hello") // the same again
	trigger("gone")  // which Carillon does not know
	status, _ := ask(t, "POST", address+"/v1/events/trigger/bulk", `{"events":[{"name":"hello","to":"ann"},{"name":"none","to":"ann"}]}`)
	require.Equal(t, http.StatusCreated, status)
	status, _ = ask(t, "POST", address+"/v2/topics/news/subscriptions", `{"subscriptions":["ann"]}`)
	require.Equal(t, http.StatusCreated, status)
	status, _ = ask(t, "GET", address+"/v2/subscribers/unknown/subscriptions", "")
	require.Equal(t, http.StatusNotFound, status)
	status, _ = ask(t, "GET", address+"/v2/workflows", "")
	require.Equal(t, http.StatusOK, status)
	for _, skipped := range []string{"/v1/integrations/5f5f", "/somewhere/else"} {
		_, _ = ask(t, "DELETE", address+skipped, "")
	}
	_, _ = ask(t, "GET", address+"/v1/channel-endpoints?after=x", "")

	s := played()
	require.EqualValues(t, 10, s.Forwarded)
	require.EqualValues(t, 7, s.Played, "%+v", s)
	require.EqualValues(t, 1, count(s, "POST /v1/events/trigger", "value", "status"), "%+v", s.Groups)
	for _, g := range s.Groups {
		require.NotEqual(t, "POST /v1/events/trigger/bulk", g.Route, "its events end alike: %+v", g)
	}
	require.Zero(t, count(s, "POST /v2/topics/{topicKey}/subscriptions", "status", ""), "the subscriber that the trigger made is here as well: %+v", s.Groups)
	require.EqualValues(t, 1, count(s, "GET /v2/workflows", "missing", "workflows[]"), "%+v", s.Groups)
	require.Equal(t, map[string]int64{"not documented, or it names records by the deployment's own ids": 2, "its cursor is an id of the deployment": 1}, s.Skipped)
	require.EqualValues(t, 3, s.Held["in_app"])
	require.Empty(t, s.Failed, s.LastError)
	lines := 0
	for scan := bufio.NewScanner(&log); scan.Scan(); lines++ {
		require.True(t, json.Valid(scan.Bytes()))
	}
	require.EqualValues(t, s.Differ, lines)
	require.Contains(t, reasons(s, "POST /v1/events/trigger", "value", "status"), "workflow_not_found")

	var left struct{ Events, Messages struct{ TotalCount int } }
	require.NoError(t, here.GraphQL(t.Context(), `{ events { totalCount } messages { totalCount } }`, nil, &left))
	require.Zero(t, left.Events.TotalCount, "nothing is stored of a trigger")
	require.Zero(t, left.Messages.TotalCount)
}

// TestForwardsUnhindered: a Carillon that hangs or is gone neither slows nor changes an answer; what does not fit is counted.
func TestForwardsUnhindered(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}, 100), make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-release
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(hanging.Close)
	old := &importertest.Deployment{Key: oldKey}
	address, played := front(t, old, shadow.Config{Here: &client.Client{URL: hanging.URL, Key: "k"}, Queue: 2})
	for i := range 6 {
		status, _ := ask(t, "GET", address+"/v2/workflows", "")
		require.Equal(t, http.StatusOK, status)
		if i == 0 {
			<-asked // the first is being played, so that the queue holds two more
		}
	}
	close(release)
	s := played()
	require.EqualValues(t, 6, s.Forwarded)
	require.EqualValues(t, 3, s.Dropped)
	require.EqualValues(t, 3, s.Failed["GET /v2/workflows"])
	require.Zero(t, s.Played)
	var text strings.Builder
	require.NoError(t, s.Print(&text))
	require.Contains(t, text.String(), "3 dropped")
}

// TestPassesBytes: what passes is not changed, packed or large as it may be.
func TestPassesBytes(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(`{"workflows":[],"totalCount":0}`))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	large := strings.Repeat("x", 3000)
	var host, query, forwarded string
	old := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, query, forwarded = r.Host, r.URL.RawQuery, r.Header.Get("X-Forwarded-For")
		body, _ := io.ReadAll(r.Body)
		if len(body) > 0 {
			_, _ = w.Write(body)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	})
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"workflows":[],"totalCount":1}`))
	}))
	t.Cleanup(here.Close)
	address, played := front(t, old, shadow.Config{Here: &client.Client{URL: here.URL}, MaxBody: 1000})
	_, got := ask(t, "POST", address+"/v1/events/trigger", large)
	require.Equal(t, large, got)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/v2/workflows?a=1&b=%20;c", nil)
	require.NoError(t, err)
	req.Header.Set("Accept-Encoding", "gzip")
	req.Header.Set("X-Forwarded-For", "192.0.2.1")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, packed.Bytes(), raw)
	require.Equal(t, "a=1&b=%20;c", query)
	require.Equal(t, "192.0.2.1", forwarded)
	require.NotEqual(t, strings.TrimPrefix(address, "http://"), host, "the deployment is asked by its own name")
	s := played()
	require.EqualValues(t, 1, s.Skipped["a body is too large or cannot be read"])
	require.EqualValues(t, 1, count(s, "GET /v2/workflows", "value", "totalCount"))
}

// TestAddsNoHeader: an answer without a type has none here either.
func TestAddsNoHeader(t *testing.T) {
	t.Parallel()
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"], w.Header()["Date"] = nil, nil
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte("<html>"))
	})
	old := httptest.NewServer(bare)
	t.Cleanup(old.Close)
	address, _ := front(t, bare, shadow.Config{Here: &client.Client{URL: old.URL, Key: "k"}})
	var answers []http.Header
	for _, from := range []string{old.URL, address} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, from+"/elsewhere", nil)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		answers = append(answers, resp.Header)
	}
	require.Equal(t, answers[0], answers[1])
}

// TestHeaders: what is between two ends stays between them, and no credential of a caller leaves the way to the deployment.
func TestHeaders(t *testing.T) {
	t.Parallel()
	var got http.Header
	old := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		if r.URL.Path == "/break" {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Connection", "X-Of-This-Connection")
		w.Header().Set("X-Of-This-Connection", "1")
		w.Header().Set("Keep-Alive", "timeout=5")
		w.Header().Set("X-Answer", "passes")
		_, _ = w.Write([]byte(`{"data":["what the deployment says"]}`))
	})
	var played []string
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		played = append(played, r.Header.Get("Authorization"))
		for name := range r.Header {
			require.NotContains(t, strings.Join(r.Header[name], " "), "secret-of-the-caller")
		}
		_, _ = w.Write([]byte(`{"data":["what Carillon says"]}`))
	}))
	t.Cleanup(here.Close)
	var differences, logged bytes.Buffer
	address, finish := front(t, old, shadow.Config{
		Here: &client.Client{URL: here.URL, Key: "of-carillon"}, Log: &differences, Logger: slog.New(slog.NewJSONHandler(&logged, nil)),
	})
	send := func(path string) (status int, answered http.Header) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)
		require.NoError(t, err)
		for name, value := range map[string]string{
			"Authorization": "ApiKey secret-of-the-caller", "Cookie": "session=secret-of-the-caller", "X-Mine": "passes", "Idempotency-Key": "k",
			"Connection": "X-Hop, X-Forwarded-For", "X-Hop": "1", "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https",
			"Proxy-Authorization": "Basic secret-of-the-caller", "Proxy-Connection": "keep-alive", "Keep-Alive": "timeout=5", "Te": "gzip", "Trailer": "X-T", "Upgrade": "",
		} {
			req.Header.Set(name, value)
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode, resp.Header
	}
	_, answered := send("/v1/channel-endpoints?key=secret-of-the-caller")
	require.Equal(t, "passes", answered.Get("X-Answer"))
	for _, name := range []string{"X-Of-This-Connection", "Keep-Alive", "Connection"} {
		require.Empty(t, answered.Get(name), name)
	}
	for name, want := range map[string]string{"Authorization": "ApiKey secret-of-the-caller", "Cookie": "session=secret-of-the-caller", "X-Mine": "passes", "Idempotency-Key": "k", "X-Forwarded-Proto": "https"} {
		require.Equal(t, want, got.Get(name), "the deployment sees the caller as before: %s", name)
	}
	for _, name := range []string{"X-Hop", "X-Forwarded-For", "Proxy-Authorization", "Proxy-Connection", "Keep-Alive", "Te", "Trailer", "Connection", "Upgrade"} {
		require.Empty(t, got.Values(name), name)
	}
	status, _ := send("/break")
	require.Equal(t, http.StatusBadGateway, status)

	s := finish()
	require.EqualValues(t, 1, s.Differ, "%+v", s)
	require.Equal(t, []string{"ApiKey of-carillon"}, played)
	var text strings.Builder
	require.NoError(t, s.Print(&text))
	require.Contains(t, logged.String(), "the deployment did not answer")
	for _, told := range []string{differences.String(), logged.String(), text.String()} {
		require.NotEmpty(t, told)
		require.NotContains(t, told, "secret-of-the-caller")
	}
}

// TestMemoryOfCalls: calls whose bodies have no place are forwarded as they are, and counted.
func TestMemoryOfCalls(t *testing.T) {
	t.Parallel()
	old := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body)
	})
	hanging, free := make(chan struct{}, 10), make(chan struct{})
	release := sync.OnceFunc(func() { close(free) })
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hanging <- struct{}{}
		<-free
		_, _ = w.Write([]byte(`{}`))
	}))
	t.Cleanup(here.Close)
	t.Cleanup(release)
	address, finish := front(t, old, shadow.Config{Here: &client.Client{URL: here.URL}, Memory: 5000})
	body := `{"x":"` + strings.Repeat("y", 1000) + `"}`
	for i := range 4 {
		_, got := ask(t, "PATCH", address+"/v2/subscribers/ann/preferences/bulk", body)
		require.Equal(t, body, got)
		if i == 0 {
			<-hanging // and keeps its bodies
		}
	}
	release()
	s := finish()
	require.EqualValues(t, 4, s.Forwarded)
	require.EqualValues(t, 2, s.Dropped, "two calls of two bodies have a place")
	require.EqualValues(t, 2, s.Played)
}
