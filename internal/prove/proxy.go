package prove

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// link is a TCP proxy, the network between two parties, which can be cut and stalled.
type link struct {
	Addr string // host:port where it listens

	ln      net.Listener
	network string
	target  string
	stalled sync.RWMutex // held for writing while nothing passes

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]bool
}

// newLink listens on a free port of the loopback interface and passes connections on to target.
func newLink(ctx context.Context, network, target string) (*link, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	l := &link{Addr: ln.Addr().String(), ln: ln, network: network, target: target, conns: map[net.Conn]bool{}}
	go l.accept(context.WithoutCancel(ctx)) // ends with Close
	return l, nil
}

func (l *link) accept(ctx context.Context) {
	for {
		near, err := l.ln.Accept()
		if err != nil {
			return
		}
		go l.pass(ctx, near)
	}
}

func (l *link) pass(ctx context.Context, near net.Conn) {
	defer reset(near)
	if !l.add(near) {
		return
	}
	defer l.remove(near)
	var dialer net.Dialer
	far, err := dialer.DialContext(ctx, l.network, l.target)
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	if !l.add(far) {
		return
	}
	defer l.remove(far)
	var both sync.WaitGroup
	both.Go(func() { l.copy(far, near) })
	both.Go(func() { l.copy(near, far) })
	both.Wait()
}

// copy passes bytes on until either side ends, and then ends both.
func (l *link) copy(to, from net.Conn) {
	defer func() {
		_ = to.Close()
		_ = from.Close()
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			l.stalled.RLock()
			_, failed := to.Write(buffer[:n])
			l.stalled.RUnlock()
			if failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (l *link) add(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.cut {
		l.conns[c] = true
	}
	return !l.cut
}

func (l *link) remove(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
}

// Cut resets every connection and refuses new ones until Mend.
func (l *link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = true
	for c := range l.conns {
		reset(c)
	}
}

// Mend takes connections again.
func (l *link) Mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = false
}

// Stall keeps every byte back until Resume.
func (l *link) Stall() { l.stalled.Lock() }

// Resume passes on what was kept back.
func (l *link) Resume() { l.stalled.Unlock() }

// Close ends the link.
func (l *link) Close() {
	_ = l.ln.Close()
	l.Cut()
}

// links are the ways to the hosts of one database, which are cut and stalled together.
type links []*link

// newLinks makes a link to every host that the database's address names.
func newLinks(ctx context.Context, target *pgconn.Config) (all links, err error) {
	hosts := []*pgconn.FallbackConfig{{Host: target.Host, Port: target.Port}}
	hosts = append(hosts, target.Fallbacks...)
	known := map[string]bool{}
	for _, h := range hosts {
		network, address := pgconn.NetworkAddress(h.Host, h.Port)
		if known[address] { // once with TLS, once without
			continue
		}
		known[address] = true
		l, err := newLink(ctx, network, address)
		if err != nil {
			all.Close()
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// Addr returns the addresses where the links listen, with commas between them, as a database's URL names several hosts.
func (all links) Addr() string {
	addresses := make([]string, len(all))
	for i, l := range all {
		addresses[i] = l.Addr
	}
	return strings.Join(addresses, ",")
}

// Cut resets every connection and refuses new ones until Mend.
func (all links) Cut() { all.each((*link).Cut) }

// Mend takes connections again.
func (all links) Mend() { all.each((*link).Mend) }

// Stall keeps every byte back until Resume.
func (all links) Stall() { all.each((*link).Stall) }

// Resume passes on what was kept back.
func (all links) Resume() { all.each((*link).Resume) }

// Close ends the links.
func (all links) Close() { all.each((*link).Close) }

func (all links) each(do func(*link)) {
	for _, l := range all {
		do(l)
	}
}

// reset ends a connection without a farewell, as a failing network does.
func reset(c net.Conn) {
	if tcp, ok := c.(interface{ SetLinger(sec int) error }); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
