package graph_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/stall"
)

// seatedServer is a live server with so many seats. What it sends waits in small buffers.
func seatedServer(t *testing.T, most int, limits document.Limits) (b *bundle, server *httptest.Server, seats *admission.Seats) {
	t.Helper()
	b, seats = setup(t), admission.NewSeats(most)
	logger := slog.New(slog.NewJSONHandler(b.log, nil))
	hub := realtime.NewHub(realtime.Config{Logger: logger, Poll: time.Hour})
	b.services = services(t, b.db, b.keeper, logger, hub)
	server = httptest.NewUnstartedServer(graph.NewHandler(graph.Config{
		Services: b.services, Authenticator: b.auth, Logger: logger, Live: hub, Seats: seats, Limits: patient(limits),
	}))
	server.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetWriteBuffer(4 << 10)
		}
		return ctx
	}
	server.Start()
	t.Cleanup(server.Close)
	return b, server, seats
}

const followAll = "subscription { notificationUpdates { id } }"

// events opens a stream of events.
func events(t *testing.T, server *httptest.Server, key, text string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, text)))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", "ApiKey "+key)
	resp, err := server.Client().Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// A flood of live connections is bounded: those that show no credential, those of an environment, and what runs on them.
func TestLiveConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	b, server, seats := seatedServer(t, 16, document.Limits{InitTimeout: time.Hour})
	silent := dialGraphQL(t, server, ws)
	_, resp, err := (&websocket.Dialer{Subprotocols: []string{ws}}).DialContext(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http")+"/graphql", nil)
	require.Error(t, err, "one address has a sixteenth without a credential")
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
	require.Equal(t, "1", resp.Header.Get("Retry-After"))

	silent.say(initAs("ApiKey " + b.key)) // it is a stranger no more
	silent.hears(ack)
	for i := range 5 {
		silent.say(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":%q}}`, i, followAll))
	}
	require.Eventually(t, func() bool { return seats.Taken() == 6 }, stall.Limit(time.Minute), time.Millisecond)
	first, second := events(t, server, b.key, followAll), events(t, server, b.key, followAll)
	require.Equal(t, http.StatusOK, first.StatusCode)
	require.Equal(t, http.StatusOK, second.StatusCode)

	third := events(t, server, b.key, followAll) //nolint:bodyclose // the cleanup of events closes it
	require.Equal(t, http.StatusServiceUnavailable, third.StatusCode, "an environment has half")
	require.Equal(t, "1", third.Header.Get("Retry-After"))
	silent.say(fmt.Sprintf(`{"id":"more","type":"subscribe","payload":{"query":%q}}`, followAll))
	frame := silent.hear()
	require.Equal(t, "error", frame.Type)
	require.Contains(t, string(frame.Payload), "OVERLOADED")
	late := dialGraphQL(t, server, ws)
	late.say(initAs("ApiKey " + b.key))
	late.closes(websocket.CloseTryAgainLater)

	require.NoError(t, first.Body.Close())
	require.Eventually(t, func() bool { return seats.Taken() == 7 }, stall.Limit(time.Minute), time.Millisecond)
	require.NoError(t, silent.conn.Close())
	require.NoError(t, second.Body.Close())
	require.Eventually(t, func() bool { return seats.Taken() == 0 }, stall.Limit(time.Minute), time.Millisecond, "all are given back")
}

// A connection whose other end reads nothing ends, with all that runs on it.
func TestSlowReadersAreCut(t *testing.T) {
	t.Parallel()
	b, server, seats := seatedServer(t, 0, document.Limits{ReadTimeout: 100 * time.Millisecond})
	c := dialGraphQL(t, server, ws)
	c.say(initAs("ApiKey " + b.key))
	c.hears(ack)
	for i := 0; seats.Taken() > 0; i++ { // each answer has some hundred KiB, which stay unread
		text := fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":%q}}`, i, standardIntrospection)
		if c.conn.WriteMessage(websocket.TextMessage, []byte(text)) != nil {
			break
		}
		require.Less(t, i, 10_000, "it is not cut")
	}
	require.Eventually(t, func() bool { return seats.Taken() == 0 }, stall.Limit(time.Minute), time.Millisecond)

	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10)) //nolint:forcetypeassert // dialled as one
	body := fmt.Sprintf(`{"query":%q}`, standardIntrospection)
	_, err = io.WriteString(conn, "POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey "+b.key+
		"\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: "+fmt.Sprint(len(body))+"\r\n\r\n"+body)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return seats.Taken() == 1 }, stall.Limit(time.Minute), time.Millisecond)
	require.Eventually(t, func() bool { return seats.Taken() == 0 }, stall.Limit(time.Minute), time.Millisecond)
	rest, err := io.ReadAll(bufio.NewReader(conn))
	require.Contains(t, string(rest), "200 OK")
	require.NotContains(t, string(rest), "event: complete", err)
}

// A query has one response, also one that is answered from memory.
func TestKeptAnswersComeOnce(t *testing.T) {
	t.Parallel()
	b, server, _ := seatedServer(t, 0, document.Limits{})
	c := dialGraphQL(t, server, ws)
	c.say(initAs("ApiKey " + b.key))
	c.hears(ack)
	for i := range 2 {
		c.say(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"{ __schema { queryType { name } } }"}}`, i))
		require.Equal(t, "next", c.hear().Type)
		require.Equal(t, "complete", c.hear().Type)
	}
	text, err := io.ReadAll(events(t, server, b.key, "{ __schema { queryType { name } } }").Body) //nolint:bodyclose // the cleanup of events closes it
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), "event: next"))
}
