package smtp

import (
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestIdleConnectionsAreClosed: a connection is closed when it was idle for the whole time, and not before.
func TestIdleConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		s := &session{conn: &timedConn{Conn: ours}}
		p := &pool{}
		idle := func() int {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.idle)
		}
		p.put(s, time.Now())
		time.Sleep(poolIdle - 1)
		require.Same(t, s, p.take(time.Now()))
		p.put(s, time.Now())
		time.Sleep(poolIdle - 1)
		synctest.Wait()
		require.Equal(t, 1, idle(), "it was used meanwhile")
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Zero(t, idle())
		_, err := theirs.Read(make([]byte, 1))
		require.Error(t, err, "it is closed")
	})
}
