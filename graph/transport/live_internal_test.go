package transport

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrigins: programs, pages of this server and pages of the allowed origins may open WebSockets, and no other page.
func TestOrigins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		origins []string
		origin  string
		want    bool
	}{
		"Program":       {nil, "", true},
		"OwnPage":       {nil, "https://notify.example", true},
		"OwnPagePlain":  {nil, "http://notify.example", true}, // behind a proxy the scheme is not known
		"OtherPort":     {nil, "https://notify.example:8443", false},
		"OtherPage":     {nil, "https://evil.example", false},
		"OwnAsPrefix":   {nil, "https://notify.example.evil.example", false},
		"Opaque":        {nil, "null", false},
		"Unreadable":    {nil, "http://%zz", false},
		"Allowed":       {[]string{"https://app.example"}, "https://app.example", true},
		"OtherScheme":   {[]string{"https://app.example"}, "http://app.example", false},
		"BelowAllowed":  {[]string{"https://app.example"}, "https://x.app.example", false},
		"OwnPageBeside": {[]string{"https://app.example"}, "https://notify.example", true},
		"All":           {[]string{"*"}, "https://evil.example", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "https://notify.example/graphql", nil)
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			require.Equal(t, c.want, live{origins: c.origins}.originAllowed(r))
		})
	}
}

// TestIsLive: which requests are judged as long as they last.
func TestIsLive(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method  string
		headers map[string]string
		want    bool
	}{
		"WebSocket":     {http.MethodGet, map[string]string{"Connection": "keep-alive, Upgrade", "Upgrade": "websocket"}, true},
		"OtherUpgrade":  {http.MethodGet, map[string]string{"Connection": "Upgrade", "Upgrade": "h2c"}, false},
		"Stream":        {http.MethodPost, map[string]string{"Content-Type": "application/json; charset=utf-8", "Accept": "text/event-stream"}, true},
		"OneOfSeveral":  {http.MethodPost, map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}, false},
		"OrMultipart":   {http.MethodPost, map[string]string{"Content-Type": "application/json", "Accept": "text/event-stream, multipart/mixed"}, true},
		"StreamByGet":   {http.MethodGet, map[string]string{"Content-Type": "application/json", "Accept": "text/event-stream"}, false},
		"StreamOfAForm": {http.MethodPost, map[string]string{"Content-Type": "text/plain", "Accept": "text/event-stream"}, false},
		"Request":       {http.MethodPost, map[string]string{"Content-Type": "application/json"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(c.method, "/graphql", nil)
			for header, value := range c.headers {
				r.Header.Set(header, value)
			}
			require.Equal(t, c.want, IsLive(r))
		})
	}
}

// TestTurns: every announced event is taken once, by one at a time, whether it was announced before or after the start.
func TestTurns(t *testing.T) {
	t.Parallel()
	const events = 100
	turn := &turns{}
	ctx := context.WithValue(t.Context(), turnsKey{}, turn)
	announce := Announcer(ctx)
	Adopt(ctx)
	announce()
	taken, goOn := make(chan int, events), make(chan struct{})
	var n, inside atomic.Int32
	require.True(t, turn.takes(func() bool {
		if inside.Add(1) != 1 {
			t.Error("two take at a time")
		}
		<-goOn
		taken <- int(n.Add(1))
		inside.Add(-1)
		return true
	}))
	for range events - 1 {
		announce()
	}
	for i := range events {
		goOn <- struct{}{}
		require.Equal(t, i+1, <-taken)
	}
	require.Empty(t, taken)
}

// A subscription whose events are not announced is waited for by its transport, and one that has ended takes nothing more.
func TestTurnsThatAreNotAdopted(t *testing.T) {
	t.Parallel()
	turn := &turns{}
	ctx := context.WithValue(t.Context(), turnsKey{}, turn)
	require.False(t, turn.takes(func() bool { t.Error("taken"); return false }))
	Announcer(ctx)()
	require.Nil(t, Announcer(t.Context()), "a transport that waits itself")
	Adopt(t.Context())

	ended := &turns{adopted: true}
	calls := make(chan struct{}, 10)
	require.True(t, ended.takes(func() bool { calls <- struct{}{}; return false }))
	ended.announce()
	<-calls
	ended.announce()
	require.Empty(t, calls)
}
