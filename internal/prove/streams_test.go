package prove

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// TestReaderTakesUpdates: the first update may hold any sequence, each later one a higher one.
func TestReaderTakesUpdates(t *testing.T) {
	t.Parallel()
	r := &reader{stream: Stream{Messages: map[string]bool{}}}
	rs := &readers{all: []*reader{r}}
	require.False(t, rs.begun())
	for _, c := range []struct{ payload, err string }{
		{`{"data": {"inboxUpdates": {"sequence": 5, "messages": []}}}`, ""},
		{`{"data": {"inboxUpdates": {"sequence": 7, "messages": [{"internalId": "a"}, {"internalId": "b"}]}}}`, ""},
		{`{"data": {"inboxUpdates": {"sequence": 7, "messages": [{"internalId": "a"}]}}}`, ""},
		{`{"data": null, "errors": [{"message": "no"}]}`, "an update without data"},
		{`{"data": {"inboxUpdates": null}}`, "an update without data"},
		{`[`, "read an update"},
	} {
		err := r.update(json.RawMessage(c.payload))
		if c.err == "" {
			require.NoError(t, err, c.payload)
			continue
		}
		require.ErrorContains(t, err, c.err)
	}
	require.True(t, rs.begun())
	require.Equal(t, map[string]Stream{"": {Sequence: 7, Messages: map[string]bool{"a": true, "b": true}, Repeated: []int64{7}}}, rs.streams())
}

// inboxServer speaks graphql-transport-ws as the service does: each connection runs the next of its scripts.
type inboxServer struct {
	t       *testing.T
	scripts chan func(c *websocket.Conn, variables map[string]any)
}

func (s *inboxServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{Subprotocols: []string{"graphql-transport-ws"}}
	c, err := up.Upgrade(w, r, nil)
	if err != nil {
		s.t.Errorf("upgrade: %v", err)
		return
	}
	defer func() { _ = c.Close() }()
	var first struct {
		Type    string
		Payload struct{ Authorization string }
	}
	if err := c.ReadJSON(&first); err != nil || first.Type != "connection_init" || first.Payload.Authorization != "ApiKey key" {
		s.t.Errorf("the first frame: %+v %v", first, err)
	}
	send(s.t, c, object{"type": "ping"}) // before it is acknowledged as well
	send(s.t, c, object{"type": "connection_ack"})
	var subscribe struct {
		ID, Type string
		Payload  struct{ Variables map[string]any }
	}
	for _, want := range []string{"pong", "subscribe"} {
		if err := c.ReadJSON(&subscribe); err != nil || subscribe.Type != want {
			s.t.Errorf("wanted %s: %+v %v", want, subscribe, err)
		}
	}
	(<-s.scripts)(c, subscribe.Payload.Variables)
}

func send(t *testing.T, c *websocket.Conn, frame object) {
	t.Helper()
	if err := c.WriteJSON(frame); err != nil {
		t.Errorf("send: %v", err)
	}
}

func next(sequence int, messages ...object) object {
	return object{"type": "next", "id": "1", "payload": object{"data": object{"inboxUpdates": object{"sequence": sequence, "messages": messages}}}}
}

// TestReaderResumes: a reader that lost its connection subscribes behind the last sequence that it saw.
func TestReaderResumes(t *testing.T) {
	t.Parallel()
	s := &inboxServer{t: t, scripts: make(chan func(*websocket.Conn, map[string]any), 3)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	asked := make(chan map[string]any, 3)
	s.scripts <- func(c *websocket.Conn, variables map[string]any) {
		asked <- variables
		send(t, c, next(4, object{"internalId": "a"}))
	}
	s.scripts <- func(c *websocket.Conn, variables map[string]any) {
		asked <- variables
		send(t, c, next(5, object{"internalId": "b"}))
		send(t, c, object{"type": "complete", "id": "1"})
		_, _, _ = c.ReadMessage() // the reader leaves
	}
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	s.scripts <- func(c *websocket.Conn, variables map[string]any) {
		asked <- variables
		stop()
		_, _, _ = c.ReadMessage()
	}
	r := &reader{api: &client.Client{URL: server.URL, Key: "key"}, subscriber: "person-1", stream: Stream{Messages: map[string]bool{}}}
	require.ErrorContains(t, r.follow(ctx), "follow an inbox", "the connection ended")
	require.Equal(t, map[string]any{"who": "person-1"}, <-asked)
	require.ErrorContains(t, r.follow(ctx), "complete")
	require.Equal(t, map[string]any{"who": "person-1", "after": 4.0}, <-asked)
	require.Error(t, r.follow(ctx), "the run ended")
	require.Equal(t, map[string]any{"who": "person-1", "after": 5.0}, <-asked)
	require.Equal(t, Stream{Sequence: 5, Messages: map[string]bool{"a": true, "b": true}}, r.stream)
	require.ErrorContains(t, r.follow(ctx), "open an inbox")
}

// TestReadersFollowEverySubscriber until the run ends.
func TestReadersFollowEverySubscriber(t *testing.T) {
	t.Parallel()
	s := &inboxServer{t: t, scripts: make(chan func(*websocket.Conn, map[string]any), people)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	for range people {
		s.scripts <- func(c *websocket.Conn, _ map[string]any) {
			send(t, c, next(1))
			_, _, _ = c.ReadMessage()
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	rs := startReaders(ctx, &client.Client{URL: server.URL, Key: "key"})
	require.NoError(t, until(ctx, patience, func(context.Context) (bool, error) { return rs.begun(), nil }))
	stop()
	rs.group.Wait()
	streams := rs.streams()
	for _, who := range everybody() {
		require.Equal(t, int64(1), streams[who].Sequence, who)
	}
	require.Len(t, streams, people)
}
