package transport

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/realtime"
	"github.com/carillon/carillon/internal/stall"
)

// ownSchema is what the scripted executor knows.
var ownSchema = gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { echo: String } type Mutation { rename: String } type Subscription { ticks: String }`})

// scripted answers operations with the responses that a test sends, one after another.
type scripted struct {
	responses chan *graphql.Response // nil: the end
	panics    bool
	began     chan context.Context // of each operation
	beginning atomic.Int64
}

func (*scripted) CreateOperationContext(_ context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	document, problems := gqlparser.LoadQuery(ownSchema, params.Query) //nolint:staticcheck // of a test's own schema
	op := &graphql.OperationContext{RawQuery: params.Query, Variables: params.Variables, Doc: document}
	if len(problems) == 0 {
		op.Operation = document.Operations[0]
	}
	return op, problems
}

func (s *scripted) DispatchOperation(ctx context.Context, _ *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	s.beginning.Add(1)
	s.began <- ctx
	s.beginning.Add(-1)
	return func(ctx context.Context) *graphql.Response {
		if s.panics {
			panic("a resolver is broken: s3cret")
		}
		select {
		case r := <-s.responses:
			return r
		case <-ctx.Done():
			return nil
		}
	}, ctx
}

func (*scripted) DispatchError(_ context.Context, problems gqlerror.List) *graphql.Response {
	return &graphql.Response{Errors: problems}
}

func data(text string) *graphql.Response { return &graphql.Response{Data: json.RawMessage(text)} }

// liveDoor is a server of live connections, with a key that opens it.
type liveDoor struct {
	t       *testing.T
	server  *httptest.Server
	exec    *scripted
	seats   *admission.Seats
	closing chan struct{}
	log     *lockedBuffer
	creds   *credentials
	keyID   string
	key     string
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func newLiveDoor(t *testing.T, change ...func(*Config)) *liveDoor {
	t.Helper()
	d := &liveDoor{
		t: t, creds: newCredentials(t), closing: make(chan struct{}), log: &lockedBuffer{}, seats: admission.NewSeats(1000),
		exec: &scripted{responses: make(chan *graphql.Response), began: make(chan context.Context, 2*maxOperations)},
	}
	d.keyID, d.key = d.creds.key()
	cfg := Config{
		Logger: slog.New(slog.NewTextHandler(d.log, nil)), Authenticator: d.creds.auth, Live: d.creds.hub, Seats: d.seats, Closing: d.closing,
		BodyBytes: 20 << 10, Timeout: time.Hour, InitTimeout: time.Hour, ReadTimeout: stall.Limit(time.Minute),
	}
	for _, c := range change {
		c(&cfg)
	}
	transports := New(cfg)
	d.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, tr := range transports {
			if tr.Supports(r) {
				tr.Do(w, r, d.exec)
				return
			}
		}
	}))
	t.Cleanup(d.server.Close)
	return d
}

// socket is a client's end of a WebSocket.
type socket struct {
	t *testing.T
	*websocket.Conn
}

func (d *liveDoor) dial() *socket {
	d.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{subprotocol}}
	conn, resp, err := dialer.DialContext(d.t.Context(), "ws"+strings.TrimPrefix(d.server.URL, "http"), nil)
	require.NoError(d.t, err)
	require.NoError(d.t, resp.Body.Close())
	d.t.Cleanup(func() { _ = conn.Close() }) // the other side may have closed first
	require.NoError(d.t, conn.SetReadDeadline(time.Now().Add(stall.Limit(time.Minute))))
	return &socket{d.t, conn}
}

// open is a connection whose credential was accepted.
func (d *liveDoor) open() *socket {
	d.t.Helper()
	s := d.dial()
	s.say(`{"type":"connection_init","payload":{"Authorization":"` + d.key + `"}}`)
	s.hears(`{"type":"connection_ack"}`)
	return s
}

func (s *socket) say(text string) {
	s.t.Helper()
	require.NoError(s.t, s.WriteMessage(websocket.TextMessage, []byte(text)))
}

func (s *socket) hears(text string) {
	s.t.Helper()
	_, heard, err := s.ReadMessage()
	require.NoError(s.t, err)
	require.JSONEq(s.t, text, string(heard))
}

// error hears the error of an operation, and returns its code.
func (s *socket) error(id string) string {
	s.t.Helper()
	var frame struct {
		ID, Type string
		Payload  []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	require.NoError(s.t, s.ReadJSON(&frame))
	require.Equal(s.t, []any{id, "error", 1}, []any{frame.ID, frame.Type, len(frame.Payload)})
	return frame.Payload[0].Extensions.Code
}

func (s *socket) closes(code int) {
	s.t.Helper()
	_, text, err := s.ReadMessage()
	require.Truef(s.t, websocket.IsCloseError(err, code), "%v, %s", err, text)
}

func operation(id, query string) string {
	return fmt.Sprintf(`{"id":%q,"type":"subscribe","payload":{"query":%q}}`, id, query)
}

// TestEventsOfASubscription: each event is sent once and in order, the end after the last one; then the id and the seat are
// free. A subscription that fails ends with its errors.
func TestEventsOfASubscription(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	s := d.open()
	require.Equal(t, 1, d.seats.Taken(), "the connection's")
	for range 2 { // the second time with the same id
		s.say(operation("1", "subscription { ticks }"))
		<-d.exec.began
		require.Equal(t, 2, d.seats.Taken(), "the operation has one of its own")
		for _, tick := range []string{"a", "b"} {
			d.exec.responses <- data(`{"ticks":"` + tick + `"}`)
			s.hears(`{"id":"1","type":"next","payload":{"data":{"ticks":"` + tick + `"}}}`)
		}
		d.exec.responses <- nil
		s.hears(`{"id":"1","type":"complete"}`)
		require.Equal(t, 1, d.seats.Taken())
	}
	s.say(operation("2", "subscription { ticks }"))
	d.exec.responses <- &graphql.Response{Errors: gqlerror.List{Refuse("OWN", nil, "no")}}
	require.Equal(t, "OWN", s.error("2"))
	require.Equal(t, 1, d.seats.Taken())
}

// TestOperationsEndWithTheirClient: what the client completes, and all that runs when it goes away, is cancelled, and leaves its
// seat; nothing more is sent of it.
func TestOperationsEndWithTheirClient(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	s := d.open()
	s.say(operation("1", "subscription { ticks }"))
	first := <-d.exec.began
	s.say(`{"id":"1","type":"complete"}`)
	<-first.Done()
	s.say(operation("1", "{ echo }"))
	second := <-d.exec.began
	require.NoError(t, second.Err(), "the id is free")
	s.say(operation("2", "subscription { ticks }"))
	third := <-d.exec.began
	require.NoError(t, s.Close())
	<-second.Done()
	<-third.Done()
	require.Eventually(t, func() bool { return d.seats.Taken() == 0 }, stall.Limit(time.Minute), time.Millisecond)
}

// TestOperationsAtOnce: a connection runs so many operations, and refuses the next without ending the others.
func TestOperationsAtOnce(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	s := d.open()
	for n := range maxOperations {
		s.say(operation(fmt.Sprint(n), "subscription { ticks }"))
		<-d.exec.began
	}
	s.say(operation("more", "{ echo }"))
	require.Equal(t, CodeOperationLimit, s.error("more"))
	s.say(`{"type":"ping"}`)
	s.hears(`{"type":"pong"}`)
	require.Equal(t, 1+maxOperations, d.seats.Taken(), "what is refused leaves its seat")
	s.say(`{"id":"7","type":"complete"}`)
	s.say(operation("more", "subscription { ticks }"))
	<-d.exec.began
	s.say(operation("8", "{ echo }"))
	s.closes(closeDuplicate)
}

// TestOperationsEndedAtOnce: what a client ends while it begins is waited for, so that no more begin than may run.
func TestOperationsEndedAtOnce(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	d.exec.began = make(chan context.Context) // an operation begins as long as nothing is received
	s := d.open()
	for range 5 {
		s.say(operation("1", "subscription { ticks }"))
		s.say(`{"id":"1","type":"complete"}`)
	}
	require.Eventually(t, func() bool { return d.exec.beginning.Load() > 0 }, stall.Limit(time.Minute), time.Millisecond)
	d.open() // by when all was heard that can be
	require.EqualValues(t, 1, d.exec.beginning.Load())
	for range 5 {
		<-d.exec.began
	}
}

// TestBrokenResolvers: a panic ends its operation with an error that shows nothing of it, and neither the connection nor the
// process.
func TestBrokenResolvers(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	d.exec.panics = true
	s := d.open()
	for _, query := range []string{"{ echo }", "subscription { ticks }", "mutation { rename }"} {
		s.say(operation("1", query))
		require.Equal(t, "INTERNAL", s.error("1"), query)
	}
	require.Contains(t, d.log.String(), "s3cret", "the log has it")
	s.say(`{"type":"ping"}`)
	s.hears(`{"type":"pong"}`)
}

// TestSizesOfMessages: a stranger may say little; who has shown a credential, as much as a request may hold. More ends the
// connection.
func TestSizesOfMessages(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	long := func(n int) string { return `{"type":"ping","payload":"` + strings.Repeat("x", n) + `"}` }
	s := d.open()
	s.say(long(strangerBytes + 1))
	_, heard, err := s.ReadMessage()
	require.NoError(t, err)
	require.Greater(t, len(heard), strangerBytes)
	_ = s.WriteMessage(websocket.TextMessage, []byte(long(20<<10))) // may be cut off already
	_, _, err = s.ReadMessage()
	require.Error(t, err)
	stranger := d.dial()
	_ = stranger.WriteMessage(websocket.TextMessage, []byte(long(strangerBytes)))
	_, _, err = stranger.ReadMessage()
	require.Error(t, err)
}

// TestCloseCodes: how connections end that the server does not want (graphql-transport-ws; 1013 when it may be tried again).
func TestCloseCodes(t *testing.T) {
	t.Parallel()
	t.Run("NoCredentialInTime", func(t *testing.T) {
		t.Parallel()
		d := newLiveDoor(t, func(c *Config) { c.InitTimeout = time.Millisecond })
		d.dial().closes(closeInitTimeout)
	})
	t.Run("CredentialEnds", func(t *testing.T) {
		t.Parallel()
		d := newLiveDoor(t)
		s := d.open()
		s.say(operation("1", "subscription { ticks }"))
		running := <-d.exec.began
		d.creds.revoke(d.keyID)
		d.creds.hub.Publish(realtime.Access(d.creds.scope.EnvironmentID))
		s.closes(closeForbidden)
		<-running.Done()
	})
	t.Run("TooManyOfAnEnvironment", func(t *testing.T) {
		t.Parallel()
		d := newLiveDoor(t, func(c *Config) { c.Seats = admission.NewSeats(8) }) // half of them for one environment
		s := d.open()
		for n := range 3 {
			s.say(operation(fmt.Sprint(n), "subscription { ticks }"))
			<-d.exec.began
		}
		s.say(operation("more", "{ echo }"))
		_ = s.error("more") // the connection stays
		other := d.dial()
		other.say(`{"type":"connection_init","payload":{"Authorization":"` + d.key + `"}}`)
		other.closes(websocket.CloseTryAgainLater)
	})
	t.Run("DatabaseAway", func(t *testing.T) {
		t.Parallel()
		d := newLiveDoor(t)
		s := d.dial()
		d.creds.db.Close()
		s.say(`{"type":"connection_init","payload":{"Authorization":"` + d.key + `"}}`)
		s.closes(websocket.CloseTryAgainLater)
	})
}

// stream sends an operation as server-sent events, and returns the head of the answer and what follows.
func (d *liveDoor) stream(body string) (status int, header http.Header, events *bufio.Reader) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, d.server.URL, strings.NewReader(body))
	require.NoError(d.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", d.key)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(d.t, err)
	d.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp.StatusCode, resp.Header, bufio.NewReader(resp.Body)
}

// event reads the next event, or comment, of a stream.
func event(t *testing.T, events *bufio.Reader) (text string) {
	t.Helper()
	for {
		line, err := events.ReadString('\n')
		require.NoError(t, err)
		if line == "\n" {
			return strings.TrimSuffix(text, "\n")
		}
		text += line
	}
}

// ends requires that nothing follows; the server has given the stream's seat back then.
func ends(t *testing.T, events *bufio.Reader) {
	t.Helper()
	_, err := events.ReadByte()
	require.ErrorIs(t, err, io.EOF)
}

const endOfStream = "event: complete\ndata:"

// TestEventsOfAStream: each response is one event, written at once; a query has one, a subscription any number, and then the
// stream ends with complete. One that the server's stop ends has none, so that its client comes back.
func TestEventsOfAStream(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t)
	_, header, events := d.stream(`{"query":"subscription { ticks }"}`)
	require.Equal(t, []string{"text/event-stream", "no-cache"}, []string{header.Get("Content-Type"), header.Get("Cache-Control")})
	require.Equal(t, ":", event(t, events), "the stream begins before the first event")
	for _, tick := range []string{"a", "b"} {
		d.exec.responses <- data(`{"ticks":"` + tick + `"}`)
		require.Equal(t, `event: next`+"\n"+`data: {"data":{"ticks":"`+tick+`"}}`, event(t, events))
	}
	d.exec.responses <- nil
	require.Equal(t, endOfStream, event(t, events))
	ends(t, events)

	_, _, events = d.stream(`{"query":"{ echo }"}`)
	d.exec.responses <- data(`{"echo":"x"}`)
	require.Equal(t, []string{":", "event: next\ndata: {\"data\":{\"echo\":\"x\"}}", endOfStream}, []string{event(t, events), event(t, events), event(t, events)})
	ends(t, events)

	_, _, events = d.stream(`{"query":"{ nothing }"}`)
	require.Equal(t, ":", event(t, events))
	require.Contains(t, event(t, events), `Cannot query field`)
	require.Equal(t, endOfStream, event(t, events))
	ends(t, events)

	_, _, events = d.stream(`{"query":"subscription { ticks }"}`)
	require.Equal(t, ":", event(t, events))
	close(d.closing)
	ends(t, events)
	require.Zero(t, d.seats.Taken())
}

// TestStreamsThatAreRefused: what is wrong before the stream begins is an ordinary answer with its status.
func TestStreamsThatAreRefused(t *testing.T) {
	t.Parallel()
	d := newLiveDoor(t, func(c *Config) { c.Seats = admission.NewSeats(2) })
	for body, status := range map[string]int{
		`{`: http.StatusBadRequest, `{"query":"{ echo }"}{}`: http.StatusBadRequest, `{"query":"` + strings.Repeat("x", 20<<10) + `"}`: http.StatusRequestEntityTooLarge,
	} {
		got, _, _ := d.stream(body)
		require.Equal(t, status, got, body[:min(len(body), 40)])
	}
	_, _, events := d.stream(`{"query":"subscription { ticks }"}`)
	require.Equal(t, ":", event(t, events))
	status, _, _ := d.stream(`{"query":"subscription { ticks }"}`)
	require.Equal(t, http.StatusServiceUnavailable, status, "the environment has its connections")
	d.key = "ApiKey wrong"
	status, _, _ = d.stream(`{"query":"{ echo }"}`)
	require.Equal(t, http.StatusUnauthorized, status)
}
