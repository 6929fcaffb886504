package app

import (
	"net"
	"sync"

	"github.com/carillon/carillon/internal/viewer"
)

// addressListener refuses connections of a network address that has so many open already, so that one caller cannot hold all that
// the listener behind it permits.
type addressListener struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]int // connections by viewer.Caller
}

func limitAddresses(ln net.Listener, most int) *addressListener {
	return &addressListener{Listener: ln, most: most, open: map[string]int{}}
}

// Accept returns the next connection whose address may have one more.
func (l *addressListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err //nolint:wrapcheck // the server compares it
		}
		address, _, err := net.SplitHostPort(conn.RemoteAddr().String())
		address = viewer.Caller(address)
		if err != nil || l.take(address) {
			return &countedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(address) })}, nil
		}
		_, _ = conn.Write([]byte("421 4.7.0 too many connections from your address, try again later\r\n")) // fits the new connection's buffer
		_ = conn.Close()
	}
}

func (l *addressListener) take(address string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[address] >= l.most {
		return false
	}
	l.open[address]++
	return true
}

func (l *addressListener) leave(address string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[address]--; l.open[address] <= 0 {
		delete(l.open, address)
	}
}

// countedConn is a connection that counts as open until it is closed.
type countedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *countedConn) Close() error {
	c.leave()
	return c.Conn.Close() //nolint:wrapcheck // as the connection's own
}
