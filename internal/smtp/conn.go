package smtp

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// timedConn is a connection whose steps have times of their own, within that of the whole mail.
type timedConn struct {
	net.Conn
	block time.Duration // for a write

	mu    sync.Mutex
	until time.Time // the end of all steps but the last; zero: none
	ended bool      // the call was given up
	read  int       // bytes since the last await
}

// maxReply bounds what a server may send before the next command: the replies to a few commands that went out together,
// or its certificates.
const maxReply = 1 << 20

var errLongReply = errors.New("smtp: reply too long")

// within bounds all steps by until, and by the end of ctx. The returned function ends that and reports whether ctx let the
// work finish, and thereby whether the connection is still fit.
func (c *timedConn) within(ctx context.Context, until time.Time) (release func() bool) {
	c.mu.Lock()
	c.until = until
	c.mu.Unlock()
	stop := context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ended = true
		_ = c.SetDeadline(time.Unix(1, 0))
	})
	return stop
}

// await gives the server limit for what comes next.
func (c *timedConn) await(limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read = 0
	if !c.ended {
		_ = c.SetReadDeadline(c.earliest(limit))
	}
}

// last gives the server limit for the reply to the whole mail, whatever time was used up before.
func (c *timedConn) last(limit time.Duration) {
	c.mu.Lock()
	c.until = time.Time{}
	c.mu.Unlock()
	c.await(limit)
}

// hurry gives the other side limit for a farewell.
func (c *timedConn) hurry(limit time.Duration) {
	c.mu.Lock()
	c.ended, c.until = false, time.Now().Add(limit)
	c.mu.Unlock()
	c.await(limit)
}

func (c *timedConn) earliest(limit time.Duration) time.Time {
	at := time.Now().Add(limit)
	if !c.until.IsZero() && c.until.Before(at) {
		return c.until
	}
	return at
}

// Write gives the server the time of a block.
func (c *timedConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	if !c.ended {
		_ = c.SetWriteDeadline(c.earliest(c.block))
	}
	c.mu.Unlock()
	return c.Conn.Write(p)
}

// Read reads no more than a server has any reason to send.
func (c *timedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read += n; c.read > maxReply && err == nil {
		err = errLongReply
	}
	return n, err
}
