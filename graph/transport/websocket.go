package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gorilla/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

// webSocket speaks graphql-transport-ws. gqlgen's own keeps six goroutines for a connection that watches one inbox; this one
// keeps a single one, which waits for what the client says. Everything else happens on goroutines that last as long as
// there is something to do.
type webSocket struct{ live }

// The close codes of graphql-transport-ws.
const (
	closeBadRequest   = 4400
	closeUnauthorized = 4401 // an operation before the connection was acknowledged
	closeForbidden    = 4403 // the credential is refused, or has ended
	closeSubprotocol  = 4406
	closeInitTimeout  = 4408
	closeDuplicate    = 4409
	closeTooManyInits = 4429
)

const (
	subprotocol   = "graphql-transport-ws"
	maxOperations = 100 // at once on one connection
	readBuffer    = 512
	writeBuffer   = 4 << 10 // taken for a write, and given back
)

var writeBuffers sync.Pool

// Supports is true for WebSockets.
func (webSocket) Supports(r *http.Request) bool { return websocket.IsWebSocketUpgrade(r) }

// Do answers the request. What the HTTP server keeps for it is given back once the connection is a WebSocket.
func (t webSocket) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	seat, err := t.seats.Stranger(viewer.Address(r.Context()))
	if err != nil {
		WriteError(w, r, err)
		return
	}
	upgrader := websocket.Upgrader{
		CheckOrigin: t.originAllowed, Subprotocols: []string{subprotocol},
		ReadBufferSize: readBuffer, WriteBufferSize: writeBuffer, WriteBufferPool: &writeBuffers,
	}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		seat.Leave()
		return // answered by Upgrade
	}
	c := &wsConn{live: t.live, ws: ws, exec: exec, seat: seat, header: r.Header.Get("Authorization"), operations: map[string]*wsOperation{}}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(r.Context()))
	if ws.Subprotocol() != subprotocol {
		c.close(closeSubprotocol, "Subprotocol not acceptable")
		return
	}
	ws.SetReadLimit(strangerBytes)
	c.mu.Lock()
	c.timer = time.AfterFunc(c.begin, func() { c.close(closeInitTimeout, "Connection initialisation timeout") })
	c.stay = context.AfterFunc(t.stopping, c.goAway) //nolint:contextcheck // the connection outlives its request
	c.mu.Unlock()
	go c.read() //nolint:contextcheck // the connection outlives its request
}

// wsConn is one connection.
type wsConn struct {
	live
	ws          *websocket.Conn
	exec        graphql.GraphExecutor
	cancel      context.CancelFunc
	environment string // of the credential, once it was shown
	header      string // the credential of the request, for a client that sends none in its connection_init

	mu         sync.Mutex
	ctx        context.Context //nolint:containedctx // of the connection
	timer      *time.Timer     // ends the wait for connection_init, then pings
	stay       func() bool     // gives up going away when the server stops
	acked      bool
	closed     bool
	seat       *admission.Seat
	operations map[string]*wsOperation

	writing sync.Mutex
}

// wsFrame is one message of the protocol.
type wsFrame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// read takes what the client says until the connection ends. It does hardly anything itself: a goroutine's stack stays as
// large as it ever was.
func (c *wsConn) read() {
	defer c.close(websocket.CloseNormalClosure, "")
	for {
		kind, r, err := c.ws.NextReader()
		if err != nil {
			return
		}
		goOn := make(chan bool)
		go func() { goOn <- c.hear(kind, r) }()
		if !<-goOn {
			return
		}
	}
}

// hear acts on one message; false ends the connection.
func (c *wsConn) hear(kind int, r io.Reader) (goOn bool) {
	defer func() {
		if p := recover(); p != nil {
			c.logger.Error("a WebSocket panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			c.close(websocket.CloseInternalServerErr, "Internal server error")
		}
	}()
	held := intake.NewAccount(c.ctx, c.environment)
	text, err := held.ReadMessage(r, c.maxBody)
	if err == nil {
		err = held.ReserveJSON(text)
	}
	var f wsFrame
	if err == nil && kind == websocket.TextMessage && decode(text, &f) == nil && f.Type == "subscribe" {
		return c.subscribe(f, held)
	}
	held.Close()
	switch {
	case fault.KindOf(err) == fault.Unavailable:
		return c.refuse(websocket.CloseTryAgainLater, "Unavailable")
	case err != nil:
		return false
	}
	switch f.Type {
	case "connection_init":
		return c.init(f.Payload)
	case "complete":
		c.mu.Lock()
		op := c.operations[f.ID]
		c.mu.Unlock()
		if op != nil {
			op.end()
			<-op.begun // else whoever begins and ends operations in a row would have any number of them begin at once
		}
	case "ping":
		c.send(wsFrame{Type: "pong", Payload: f.Payload})
	case "pong":
		c.alive()
	default:
		return c.refuse(closeBadRequest, "Invalid message received")
	}
	return true
}

// refuse ends the connection with one of the protocol's codes.
func (c *wsConn) refuse(code int, reason string) (goOn bool) {
	c.close(code, reason)
	return false
}

// init checks the credential: that of the message, else that of the request.
func (c *wsConn) init(payload []byte) (goOn bool) {
	if c.admitted() {
		return c.refuse(closeTooManyInits, "Too many initialisation requests")
	}
	var given struct{ Authorization string }
	if len(payload) > 0 && json.Unmarshal(payload, &given) != nil {
		return c.refuse(closeBadRequest, "Invalid message received")
	}
	if given.Authorization != "" {
		c.header = given.Authorization
	}
	ctx, err := c.admit(c.ctx, c.header)
	switch {
	case err != nil && fault.KindOf(err) == fault.Unavailable:
		return c.refuse(websocket.CloseTryAgainLater, "Unavailable")
	case err != nil:
		return c.refuse(closeForbidden, "Forbidden")
	}
	v, _ := viewer.FromContext(ctx)
	seat, err := c.seats.Viewer(v)
	if err != nil {
		return c.refuse(websocket.CloseTryAgainLater, "Too many connections")
	}
	c.mu.Lock()
	c.acked, c.ctx, c.environment = true, ctx, v.EnvironmentID
	c.timer.Stop()
	stranger := c.seat
	c.seat = seat
	if c.closed {
		stranger = seat // close has left the other one
	} else {
		c.timer = time.AfterFunc(pingEvery, c.ping)
	}
	c.mu.Unlock()
	stranger.Leave()
	context.AfterFunc(ctx, func() { // nothing, when it is closed already
		if errors.Is(context.Cause(ctx), errStopping) {
			c.goAway()
			return
		}
		c.close(closeForbidden, "Forbidden")
	})
	c.ws.SetReadLimit(c.maxBody)
	c.alive()
	c.send(wsFrame{Type: "connection_ack"})
	return true
}

func (c *wsConn) admitted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.acked
}

// ending reports whether the connection is closed or its credential has ended: what its operations end with then is said by the
// close code, and a client must not take them for completed.
func (c *wsConn) ending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed || c.ctx.Err() != nil
}

// alive puts off the moment at which the other end counts as gone.
func (c *wsConn) alive() { _ = c.ws.SetReadDeadline(time.Now().Add(2*pingEvery + c.reading)) }

func (c *wsConn) ping() {
	c.send(wsFrame{Type: "ping"})
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.timer.Reset(pingEvery)
	}
}

func (c *wsConn) send(f wsFrame) {
	text, err := json.Marshal(f)
	if err == nil {
		c.writing.Lock()
		_ = c.ws.SetWriteDeadline(time.Now().Add(c.reading))
		err = c.ws.WriteMessage(websocket.TextMessage, text)
		c.writing.Unlock()
	}
	if err != nil {
		c.close(websocket.CloseNormalClosure, "")
	}
}

// goAway ends the connection since the server stops. Clients come back.
func (c *wsConn) goAway() { c.close(websocket.CloseGoingAway, "Going away") }

// close ends the connection and everything that runs on it. A second call does nothing.
func (c *wsConn) close(code int, reason string) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return
	}
	c.closed = true
	if c.timer != nil {
		c.timer.Stop()
		c.stay()
	}
	operations := slices.Collect(maps.Values(c.operations))
	c.seat.Leave()
	c.mu.Unlock()
	c.cancel()
	for _, op := range operations {
		op.release()
	}
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(time.Second))
	_ = c.ws.Close()
}

// subscribe begins an operation of any kind, which holds the memory of its message until it ends.
func (c *wsConn) subscribe(f wsFrame, held *intake.Account) (goOn bool) {
	params := &graphql.RawParams{}
	op := &wsOperation{conn: c, id: f.ID, held: held, begun: make(chan struct{})}
	begun := false
	defer func() {
		if !begun {
			op.release()
		}
	}()
	if !c.admitted() {
		return c.refuse(closeUnauthorized, "Unauthorized")
	}
	if f.ID == "" || decode(f.Payload, params) != nil {
		return c.refuse(closeBadRequest, "Invalid message received")
	}
	v, _ := viewer.FromContext(c.ctx)
	seat, err := c.seats.Viewer(v)
	if err != nil {
		c.fail(f.ID, c.exec.DispatchError(c.ctx, gqlerror.List{gqlerror.Wrap(err)}).Errors)
		return true
	}
	op.seat = seat
	c.mu.Lock()
	taken, full := c.operations[f.ID] != nil, len(c.operations) >= maxOperations
	if !taken && !full {
		op.ctx, op.cancel = context.WithCancel(c.ctx)
		c.operations[f.ID] = op
	}
	c.mu.Unlock()
	switch {
	case taken:
		return c.refuse(closeDuplicate, "Subscriber for "+f.ID+" already exists")
	case full:
		c.fail(f.ID, gqlerror.List{Refuse(CodeOperationLimit, map[string]any{"limit": maxOperations}, "At most %d operations may run on one connection.", maxOperations)})
		return true
	}
	begun = true
	go op.run(params)
	return true
}

// fail answers an operation that has no result.
func (c *wsConn) fail(id string, errs gqlerror.List) {
	payload, err := json.Marshal(errs)
	if err != nil {
		payload = []byte(`[{"message":"Internal server error."}]`)
	}
	c.send(wsFrame{ID: id, Type: "error", Payload: payload})
}
