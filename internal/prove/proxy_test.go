package prove

import (
	"io"
	"net"
	"testing"
	"time"

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
