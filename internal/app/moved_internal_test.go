package app

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notify/integrations"
)

// TestForwards: what the header says of the cells that a request has passed through.
func TestForwards(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values []string
		hops   int
		before []string
	}{
		"None":           {nil, 0, nil},
		"One":            {[]string{"https://eu.example/base https://10.0.0.5"}, 1, []string{"https://eu.example/base", "https://10.0.0.5"}},
		"Two":            {[]string{"https://eu.example", "https://us.example"}, 2, []string{"https://eu.example", "https://us.example"}},
		"JoinedByAProxy": {[]string{"https://eu.example, https://us.example"}, 2, []string{"https://eu.example", "https://us.example"}},
		"NoAddresses":    {[]string{"eu.example /x https://eu.example/?x= https://eu.example#x"}, 1, nil},
		"Empty":          {[]string{"", ""}, 2, nil},
		"TooLong":        {[]string{strings.Repeat("https://eu.example ", 1_000)}, maxForwards, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hops, before := forwards(http.Header{forwardedFrom: c.values})
			require.Equal(t, c.hops, hops)
			require.Equal(t, c.before, before)
		})
	}
}

// TestPassedOn: another cell gets the request as it came, and its answer is ours.
func TestPassedOn(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body []byte
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		if r.URL.Path == "/v1/inbound/redirected" {
			http.Redirect(w, r, "https://elsewhere.example", http.StatusMovedPermanently)
			return
		}
		http.Error(w, "signature", http.StatusUnauthorized)
	}))
	t.Cleanup(there.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()

	var log bytes.Buffer
	a := &App{cfg: &config.Config{}, log: slog.New(slog.NewTextHandler(&log, nil))}
	a.cfg.PublicURL = "https://eu.example/base/"
	pass := func(cell, path string, header http.Header) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "http://10.0.0.5:8080"+path, strings.NewReader("a=%20;b"))
		r.Header = header
		w := httptest.NewRecorder()
		a.passOn(w, r, &integrations.Elsewhere{URL: cell}, func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) })
		return w
	}

	w := pass(there.URL, "/v1/inbound/token?b=%7e;c&a", http.Header{
		"X-Twilio-Signature": {"s"}, "Authorization": {"Basic x"}, "Content-Type": {"text/x"}, "X-Forwarded-For": {"192.0.2.7"}, forwardedFrom: {"https://ap.example"},
	})
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Equal(t, "signature\n", w.Body.String())
	require.Equal(t, "/v1/inbound/token?b=%7e;c&a", got.RequestURI)
	require.Equal(t, "a=%20;b", string(body))
	require.Equal(t, strings.TrimPrefix(there.URL, "http://"), got.Host)
	for name, want := range map[string][]string{
		"X-Twilio-Signature": {"s"}, "Authorization": {"Basic x"}, "Content-Type": {"text/x"}, "X-Forwarded-For": {"192.0.2.7, 192.0.2.1"},
		forwardedFrom: {"https://ap.example", "https://eu.example/base https://10.0.0.5:8080 http://10.0.0.5:8080"},
	} {
		require.Equal(t, want, got.Header.Values(name), name)
	}
	require.Contains(t, addressesOf("", got), "https://eu.example/base/v1/inbound/token?b=%7e;c&a", "what the vendor signed")
	require.Empty(t, log.String())

	for name, w := range map[string]func() *httptest.ResponseRecorder{
		"Unreachable": func() *httptest.ResponseRecorder { return pass(gone.URL, "/v1/inbound/secret-token", http.Header{}) },
		"NoAddress":   func() *httptest.ResponseRecorder { return pass("://", "/v1/inbound/secret-token", http.Header{}) },
		"Redirects":   func() *httptest.ResponseRecorder { return pass(there.URL, "/v1/inbound/redirected", http.Header{}) },
		"Circle": func() *httptest.ResponseRecorder {
			return pass(there.URL, "/v1/inbound/secret-token", http.Header{forwardedFrom: {"https://a", "https://b", "https://a", "https://b"}})
		},
	} {
		require.Equal(t, http.StatusServiceUnavailable, w().Code, name)
	}
	require.Equal(t, 4, strings.Count(log.String(), "not passed on"))
	require.NotContains(t, log.String(), "secret-token", "the address is a credential")
}
