package prove

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// TestLink passes bytes on, keeps them back while it is stalled, and resets its connections when it is cut.
func TestLink(t *testing.T) {
	t.Parallel()
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c) }()
		}
	}()
	l, err := newLink(t.Context(), "tcp", ln.Addr().String())
	require.NoError(t, err)
	t.Cleanup(l.Close)
	var d net.Dialer
	dial := func() net.Conn {
		c, err := d.DialContext(t.Context(), "tcp", l.Addr)
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	say := func(c net.Conn, text string) { _, err := c.Write([]byte(text)); require.NoError(t, err) }
	hear := func(c net.Conn) (string, error) {
		buffer := make([]byte, 16)
		n, err := c.Read(buffer)
		return string(buffer[:n]), err
	}
	c := dial()
	say(c, "one")
	text, err := hear(c)
	require.NoError(t, err)
	require.Equal(t, "one", text)

	l.Stall()
	say(c, "two")
	require.NoError(t, c.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, err = hear(c)
	require.ErrorContains(t, err, "timeout")
	require.NoError(t, c.SetReadDeadline(time.Time{}))
	l.Resume()
	text, err = hear(c)
	require.NoError(t, err)
	require.Equal(t, "two", text)

	l.Cut()
	_, err = hear(c)
	require.Error(t, err)
	if c, err = d.DialContext(t.Context(), "tcp", l.Addr); err == nil {
		_, err = hear(c)
		_ = c.Close()
	}
	require.Error(t, err, "new connections end, too")
	l.Mend()
	c = dial()
	say(c, "three")
	text, err = hear(c)
	require.NoError(t, err)
	require.Equal(t, "three", text)
}

// TestLinksToEveryHost: a database's address may name several hosts, each once with TLS and once without; all are cut together.
func TestLinksToEveryHost(t *testing.T) {
	t.Parallel()
	greeter := func(word string) (host string, port uint16) {
		var lc net.ListenConfig
		ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = ln.Close() })
		go func() {
			for {
				c, err := ln.Accept()
				if err != nil {
					return
				}
				_, _ = c.Write([]byte(word))
				_ = c.Close()
			}
		}()
		return "127.0.0.1", uint16(ln.Addr().(*net.TCPAddr).Port) //nolint:gosec // a port
	}
	host, one := greeter("one")
	_, two := greeter("two")
	target := &pgconn.Config{Host: host, Port: one, Fallbacks: []*pgconn.FallbackConfig{{Host: host, Port: one}, {Host: host, Port: two}, {Host: host, Port: two}}}
	all, err := newLinks(t.Context(), target)
	require.NoError(t, err)
	t.Cleanup(all.Close)
	require.Len(t, all, 2)
	addresses := strings.Split(all.Addr(), ",")
	read := func(address string) string {
		var d net.Dialer
		c, err := d.DialContext(t.Context(), "tcp", address)
		if err != nil {
			return ""
		}
		defer func() { _ = c.Close() }()
		text, _ := io.ReadAll(c)
		return string(text)
	}
	require.Equal(t, []string{"one", "two"}, []string{read(addresses[0]), read(addresses[1])})
	all.Cut()
	require.Equal(t, []string{"", ""}, []string{read(addresses[0]), read(addresses[1])})
	all.Mend()
	require.Equal(t, "two", read(addresses[1]))
	all.Stall()
	answered := make(chan string, 1)
	go func() { answered <- read(addresses[0]) }()
	select {
	case text := <-answered:
		t.Fatalf("a stalled link passed on %q", text)
	case <-time.After(50 * time.Millisecond):
	}
	all.Resume()
	require.Equal(t, "one", <-answered)
}
