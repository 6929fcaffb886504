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
		p.put(s, time.Now())
		time.Sleep(poolIdle - 1)
		require.Same(t, s, p.take(time.Now()))
		p.put(s, time.Now())
		time.Sleep(poolIdle - 1)
		synctest.Wait()
		require.Len(t, p.idle, 1, "it was used meanwhile")
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Empty(t, p.idle)
		_, err := theirs.Read(make([]byte, 1))
		require.Error(t, err, "it is closed")
	})
}
