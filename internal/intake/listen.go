package intake

import (
	"context"
	"io"
	"net"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/viewer"
)

// Listen gives every response on connections of ln a deadline that grows with what was written of it, so that a caller that
// does not read holds no connection for ever. Who sets a deadline of its own, as streams of events do, keeps that until the
// caller sends again.
func (m *Meter) Listen(ln net.Listener) net.Listener { return listener{ln, m} }

type listener struct {
	net.Listener
	meter *Meter
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	address, _, _ := net.SplitHostPort(c.RemoteAddr().String()) // "" where connections have none
	return &conn{Conn: c, meter: l.meter, heads: holder{caller: viewer.Caller(address)}.ofBodies(l.meter.budget.size)}, nil
}

// freeHead is how much of a request's head costs nothing of the memory for bodies: most heads are smaller.
const freeHead = 8 << 10

type connKey struct{}

// ConnContext tells the requests of a connection of Listen about it (http.Server), so that their heads count while they arrive: who sends
// large ones over many connections has shown no credential yet.
func ConnContext(ctx context.Context, nc net.Conn) context.Context {
	if c, ok := nc.(*conn); ok {
		return context.WithValue(ctx, connKey{}, c)
	}
	return ctx
}

// conn is one connection of a caller.
type conn struct {
	net.Conn
	meter *Meter
	heads []share

	mu      sync.Mutex
	writing bool // a response, of which so many bytes were written since it began
	began   time.Time
	written int64
	own     bool // the server has set a deadline
	handled bool // a request, whose head has arrived
	closed  bool
	head    int64 // bytes that have arrived of the next request's head
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.writing, c.own = false, false
		if !c.takeHead(int64(n)) {
			return 0, io.EOF // there is no request yet that could be answered
		}
	}
	return n, err
}

// takeHead counts bytes that have arrived while no request was handled, and reports whether there is memory for them. It is called with
// the lock held.
func (c *conn) takeHead(n int64) bool {
	if c.handled || c.closed {
		return true
	}
	more := max(0, c.head+n-freeHead) - max(0, c.head-freeHead)
	if more > 0 && !c.meter.budget.move(c.heads, more) {
		return false
	}
	c.head += n
	return true
}

// giveHead is called with the lock held.
func (c *conn) giveHead() {
	c.meter.budget.move(c.heads, -max(0, c.head-freeHead))
	c.head = 0
}

// handle says that a request of the connection is handled, until done is called.
func (c *conn) handle() (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.giveHead()
	c.handled = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.handled = false
	}
}

// Close gives back what the head of a request holds that has not arrived.
func (c *conn) Close() error {
	c.mu.Lock()
	c.giveHead()
	c.closed = true
	c.mu.Unlock()
	return c.Conn.Close()
}

func (c *conn) Write(p []byte) (int, error) {
	c.await(len(p))
	return c.Conn.Write(p)
}

// await sets the deadline for so many bytes more.
func (c *conn) await(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own {
		return
	}
	if !c.writing {
		c.writing, c.began, c.written = true, time.Now(), 0
	}
	c.written += int64(n)
	_ = c.Conn.SetWriteDeadline(c.meter.deadline(c.began, c.written)) // fails on a closed connection, and so does the write
}

// SetWriteDeadline keeps the deadline that the server sets.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.own = !t.IsZero()
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline sets both deadlines.
func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetWriteDeadline(t); err != nil {
		return err
	}
	return c.SetReadDeadline(t)
}

// CloseWrite lets the server wait until a caller has read its answer.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
