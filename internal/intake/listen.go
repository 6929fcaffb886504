package intake

import (
	"net"
	"sync"
	"time"
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
	return &conn{Conn: c, meter: l.meter}, nil
}

// conn is one connection of a caller.
type conn struct {
	net.Conn
	meter *Meter

	mu      sync.Mutex
	writing bool // a response, of which so many bytes were written since it began
	began   time.Time
	written int64
	own     bool // the server has set a deadline
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		c.writing, c.own = false, false
		c.mu.Unlock()
	}
	return n, err
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
