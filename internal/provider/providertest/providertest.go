// Package providertest is the conformance suite that every HTTP adapter runs: the request byte for byte, success, each
// class of failure, and everything an answer can do wrong.
package providertest

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Now is the clock of the suite.
var Now = time.Date(2025, 3, 1, 9, 30, 0, 0, time.UTC)

// Reply is what the local server answers.
type Reply struct {
	Status int // 200 when 0
	Header map[string]string
	Body   string
}

// Failure is an answer that must fail, and how.
type Failure struct {
	Name  string
	Reply Reply
	Want  provider.Error // Status is taken from Reply, OfTarget from Origin; Text is compared when set
}

// Case is one adapter with one message.
type Case struct {
	Name        string // of the golden file, testdata/<Name>.http; the provider's id when empty
	Definition  provider.Definition
	Credentials provider.Credentials
	Deps        func(*provider.Deps) // changes the dependencies, for operator settings
	Message     *provider.Message    // Message(channel) when nil
	Replies     []Reply              // of the requests of one send, in order; the last is the decisive one
	Receipt     provider.Receipt     // expected; Date is compared when set
	Origin      provider.Origin      // who chose the address: decides the class of 401 and 403, and OfTarget
	NeedsID     bool                 // the id comes from the answer: without one the receipt has none
	RandomID    bool                 // the id is made up
	Failures    []Failure            // beyond the default classes
	TokenURL    string               // where access tokens come from; requests to it are answered by Token
	Token       Reply
	Mask        *regexp.Regexp // what differs from run to run in the requests, such as a signature

	head string // of the golden file, above the requests
}

// Run runs the whole suite.
func Run(t *testing.T, c Case) {
	t.Helper()
	if c.Name == "" {
		c.Name = c.Definition.ID
	}
	if c.Message == nil {
		c.Message = Message(c.Definition.Channel)
	}
	t.Run(c.Name, func(t *testing.T) {
		t.Parallel()
		t.Run("Request", c.request)
		t.Run("Statuses", c.statuses)
		t.Run("RetryAfter", c.retryAfter)
		t.Run("Redirect", c.redirect)
		t.Run("Broken", c.broken)
		t.Run("Network", c.network)
		t.Run("Secrets", c.secrets)
		for _, f := range c.Failures {
			t.Run(f.Name, func(t *testing.T) { c.failure(t, f) })
		}
	})
}

// bench is the local server, the adapter that talks to it, and what it heard.
type bench struct {
	adapter provider.Adapter
	mu      sync.Mutex
	heard   []string
	sends   int // requests other than those for an access token
}

// start serves the replies of c with the last one replaced by last. The adapter believes that it talks to the vendor.
func (c Case) start(t *testing.T, last http.HandlerFunc) *bench {
	t.Helper()
	b := &bench{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.record(r)
		if c.TokenURL != "" && strings.HasPrefix(r.Header.Get(urlHeader), c.TokenURL) {
			c.Token.write(w)
			return
		}
		n := b.count()
		if n < len(c.Replies) {
			c.Replies[n-1].write(w)
			return
		}
		last(w, r)
	}))
	t.Cleanup(server.Close)
	b.adapter = c.open(t, toward(server.Listener.Addr().String()))
	return b
}

func (c Case) open(t *testing.T, transport http.RoundTripper) provider.Adapter {
	t.Helper()
	registry, err := provider.NewRegistry(c.Definition)
	require.NoError(t, err)
	deps := provider.Deps{
		Vendor: transport, Chosen: transport, Log: slog.New(slog.DiscardHandler),
		Version: "test", Now: func() time.Time { return Now },
	}
	if c.Deps != nil {
		c.Deps(&deps)
	}
	a, err := registry.Open(deps, c.Definition.ID, c.Credentials)
	require.NoError(t, err)
	return a
}

// toward is a transport that reaches address whatever the URL says. The server learns the URL from a header.
func toward(address string) http.RoundTripper {
	inner := &http.Transport{DisableCompression: true}
	return tripper(func(r *http.Request) (*http.Response, error) {
		out := r.Clone(r.Context())
		out.Header.Set(urlHeader, r.URL.String())
		out.URL = &url.URL{Scheme: "http", Host: address, Path: "/"}
		return inner.RoundTrip(out)
	})
}

const urlHeader = "X-Original-Url"

type tripper func(*http.Request) (*http.Response, error)

// RoundTrip calls f.
func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (r Reply) write(w http.ResponseWriter) {
	for k, v := range r.Header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(max(r.Status, 200))
	_, _ = io.WriteString(w, r.Body)
}

// count gives the number of the request that is being answered.
func (b *bench) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sends++
	return b.sends
}

// sent is how many requests came that were not for an access token.
func (b *bench) sent() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sends
}

// record writes the request down as it would look at the vendor's.
func (b *bench) record(r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s\n", r.Method, r.Header.Get(urlHeader))
	for _, k := range slices.Sorted(maps.Keys(r.Header)) {
		if k == urlHeader || k == "Content-Length" || k == "Accept-Encoding" {
			continue
		}
		for _, v := range r.Header[k] {
			fmt.Fprintf(&out, "%s: %s\n", k, v)
		}
	}
	fmt.Fprintf(&out, "\n%s\n", body)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = append(b.heard, out.String())
}

// requests are those heard so far.
func (b *bench) requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.heard)
}

func (c Case) decisive() Reply { return c.Replies[len(c.Replies)-1] }

func (c Case) request(t *testing.T) {
	t.Parallel()
	b := c.start(t, func(w http.ResponseWriter, _ *http.Request) { c.decisive().write(w) })
	receipt, err := b.adapter.Send(t.Context(), c.Message)
	require.NoError(t, err)
	if c.RandomID {
		require.NotEmpty(t, receipt.ID)
	} else {
		require.Equal(t, c.Receipt.ID, receipt.ID)
	}
	if namer, ok := b.adapter.(provider.Namer); ok && namer.ReceiptID(c.Message.ID) != "" {
		require.Equal(t, receipt.ID, namer.ReceiptID(c.Message.ID), "known before the call")
	}
	require.Equal(t, c.Receipt.Warning, receipt.Warning)
	require.Equal(t, c.Receipt.Data, receipt.Data)
	if c.Receipt.Date.IsZero() {
		c.Receipt.Date = Now
	}
	require.True(t, c.Receipt.Date.Equal(receipt.Date), receipt.Date)
	got := strings.Join(b.requests(), "\n")
	if c.Mask != nil {
		got = c.Mask.ReplaceAllString(got, "***")
	}
	Golden(t, filepath.Join("testdata", c.Name+".http"), []byte(c.head+got))
}

// Golden compares got with the file, or rewrites it under -update.
func Golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func (c Case) fails(t *testing.T, handler http.HandlerFunc) *provider.Error {
	t.Helper()
	b := c.start(t, handler)
	_, err := b.adapter.Send(t.Context(), c.Message)
	require.Error(t, err)
	failure := provider.AsError(err)
	require.NotNil(t, failure)
	want := len(c.Replies)
	if c.TokenURL != "" && failure.Status == http.StatusUnauthorized && b.sent() > want {
		want++ // once more, with a new access token
	}
	require.Equal(t, want, b.sent(), "one attempt per call")
	return failure
}

func (c Case) statuses(t *testing.T) {
	t.Parallel()
	for _, status := range []int{
		400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 422, 425, 429, 500, 501, 502, 503, 504, 599,
	} {
		failure := c.fails(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		require.Equal(t, provider.ClassOfStatus(status, c.Origin), failure.Class, status)
		require.Equal(t, status, failure.Status)
		require.Equal(t, c.Origin == provider.OriginTarget, failure.OfTarget, status)
		require.NotEmpty(t, failure.Text, status)
	}
}

func (c Case) retryAfter(t *testing.T) {
	t.Parallel()
	ahead, past := Now.Add(90*time.Second).Format(http.TimeFormat), Now.Add(-time.Hour).Format(http.TimeFormat)
	for header, want := range map[string]time.Duration{
		"7": 7 * time.Second, ahead: 90 * time.Second, "99999999999": 24 * time.Hour, "-1": 0, past: 0, "soon": 0,
	} {
		failure := c.fails(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", header)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		require.Equal(t, provider.Transient, failure.Class)
		require.Equal(t, want, failure.RetryAfter, header)
	}
}

func (c Case) redirect(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		failure := c.fails(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://elsewhere.example.com/")
			w.WriteHeader(status)
		})
		require.Equal(t, provider.Permanent, failure.Class)
	}
}

// broken: once the vendor said 2xx, nothing about the rest of the answer makes the message fail.
func (c Case) broken(t *testing.T) {
	t.Parallel()
	head := c.decisive()
	answers := map[string]http.HandlerFunc{
		"Truncated": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5000")
			Reply{Status: head.Status, Header: head.Header, Body: `{"id":"cut`}.write(w)
		},
		"Oversized": func(w http.ResponseWriter, _ *http.Request) {
			Reply{Status: head.Status, Header: head.Header, Body: strings.Repeat(" ", 2<<20) + head.Body}.write(w)
		},
	}
	for name, handler := range answers {
		b := c.start(t, handler)
		receipt, err := b.adapter.Send(t.Context(), c.Message)
		require.NoError(t, err, name)
		if c.NeedsID {
			require.Empty(t, receipt.ID, name)
		}
	}
	b := c.start(t, func(w http.ResponseWriter, _ *http.Request) { // wrong content type, right content
		odd := Reply{Status: head.Status, Header: maps.Clone(head.Header), Body: head.Body}
		if odd.Header == nil {
			odd.Header = map[string]string{}
		}
		odd.Header["Content-Type"] = "text/html"
		odd.write(w)
	})
	_, err := b.adapter.Send(t.Context(), c.Message)
	require.NoError(t, err)
}

func (c Case) network(t *testing.T) {
	t.Parallel()
	t.Run("HangsUpAfterTheRequest", func(t *testing.T) {
		t.Parallel()
		failure := c.fails(t, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = conn.(*net.TCPConn).SetLinger(0)
				_ = conn.Close()
			}
		})
		require.Equal(t, provider.Unknown, failure.Class)
	})
	t.Run("TimesOutAfterTheRequest", func(t *testing.T) {
		t.Parallel()
		arrived := make(chan struct{})
		b := c.start(t, func(_ http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-r.Context().Done()
		})
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		go func() { <-arrived; cancel(context.DeadlineExceeded) }()
		_, err := b.adapter.Send(ctx, c.Message)
		require.Equal(t, provider.Unknown, provider.AsError(err).Class)
		require.Contains(t, err.Error(), "time limit")
	})
	t.Run("RunsIntoTheTimeLimit", func(t *testing.T) {
		t.Parallel()
		hurried := c
		hurried.Deps = func(d *provider.Deps) {
			if c.Deps != nil {
				c.Deps(d)
			}
			d.Timeout = 500 * time.Millisecond // long enough to write a request on a busy machine
		}
		failure := hurried.fails(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		require.Equal(t, provider.Unknown, failure.Class)
		require.Equal(t, c.Origin == provider.OriginTarget, failure.OfTarget)
		require.Equal(t, "no answer within the time limit", failure.Text)
	})
	t.Run("AnswersInPieces", func(t *testing.T) {
		t.Parallel()
		b := c.start(t, func(w http.ResponseWriter, _ *http.Request) {
			reply := c.decisive()
			half := len(reply.Body) / 2
			Reply{Status: reply.Status, Header: reply.Header, Body: reply.Body[:half]}.write(w)
			_ = http.NewResponseController(w).Flush()
			_, _ = io.WriteString(w, reply.Body[half:])
		})
		receipt, err := b.adapter.Send(t.Context(), c.Message)
		require.NoError(t, err)
		require.Equal(t, c.RandomID || c.Receipt.ID != "", receipt.ID != "")
	})
	t.Run("RefusesTheConnection", func(t *testing.T) {
		t.Parallel()
		address := refusing(t)
		_, err := c.open(t, toward(address)).Send(t.Context(), c.Message)
		require.Equal(t, provider.Transient, provider.AsError(err).Class)
		require.Equal(t, c.Origin == provider.OriginTarget, provider.AsError(err).OfTarget)
		require.NotContains(t, err.Error(), address)
	})
}

// secrets: a vendor that echoes everything it was sent must not bring a credential into the error text.
func (c Case) secrets(t *testing.T) {
	t.Parallel()
	failure := c.fails(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		for _, v := range slices.Concat(c.planted(), []string{r.Header.Get(urlHeader)}) {
			_, _ = fmt.Fprintf(w, "%s %q %s|", v, v, url.QueryEscape(v))
		}
	})
	for _, secret := range c.planted() {
		require.NotContains(t, failure.Error(), secret)
	}
}

func (c Case) planted() []string {
	var out []string
	for _, f := range c.Definition.Credentials {
		if v := c.Credentials.Secret(f.Name); f.Secret && v != "" {
			out = append(out, v)
		}
	}
	for _, v := range []string{c.Message.Target.ConnectionToken, c.Message.Target.Endpoint.URL} {
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

func (c Case) failure(t *testing.T, f Failure) {
	t.Helper()
	t.Parallel()
	got := c.fails(t, func(w http.ResponseWriter, _ *http.Request) { f.Reply.write(w) })
	want := f.Want
	want.Status, want.OfTarget = max(f.Reply.Status, 200), c.Origin == provider.OriginTarget
	if want.Text == "" {
		want.Text = got.Text
	}
	require.Equal(t, &want, got)
}

// Catcher records what the demo senders catch.
type Catcher struct {
	mu   sync.Mutex
	Seen []provider.CaughtMessage
}

// Catch records m.
func (c *Catcher) Catch(_ context.Context, m provider.CaughtMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Seen = append(c.Seen, m)
	return nil
}
