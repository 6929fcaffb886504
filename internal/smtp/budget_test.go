package smtp

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDrippingServer: a server that sends its reply a character at a time has no more time for it than one that is silent,
// neither for the reply nor for the whole.
func TestDrippingServer(t *testing.T) {
	t.Parallel()
	const short = 100 * time.Millisecond
	for name, c := range map[string]struct {
		script  func(*scripted)
		time    func(*Times)
		inDoubt bool
	}{
		"Greeting":  {func(s *scripted) { s.greeting = drip }, func(t *Times) { t.Greeting = short }, false},
		"EHLO":      {func(s *scripted) { s.ehlo = drip }, func(t *Times) { t.Command = short }, false},
		"Recipient": {func(s *scripted) { s.rcpt = drip }, func(t *Times) { t.Command = short }, false},
		"Data":      {func(s *scripted) { s.data = drip }, func(t *Times) { t.Data = short }, false},
		"Whole":     {func(s *scripted) { s.data = drip }, func(t *Times) { t.Session = short }, false},
		"End":       {func(s *scripted) { s.end = drip }, func(t *Times) { t.End = short }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := obliging()
			c.script(&s)
			began := time.Now()
			failure := fails(t, s.open(t, func(own *Config) {
				own.Times = Times{
					Connect: time.Hour, Greeting: time.Hour, Command: time.Hour, Data: time.Hour, Block: time.Hour, End: time.Hour, Session: time.Hour,
				}
				c.time(&own.Times)
			}))
			require.Equal(t, c.inDoubt, failure.InDoubt)
			require.Less(t, time.Since(began), time.Hour)
		})
	}
}

// limited records the latest deadline that the writes of a connection were given.
type limited struct {
	net.Conn
	latest time.Time
}

func (l *limited) SetWriteDeadline(at time.Time) error {
	if at.After(l.latest) {
		l.latest = at
	}
	return l.Conn.SetWriteDeadline(at)
}

// TestWholeGrowsWithTheMail: what a mail may take in all is longer by what its size needs at the least rate.
func TestWholeGrowsWithTheMail(t *testing.T) {
	t.Parallel()
	for size, more := range map[int]time.Duration{100: 0, 1 << 20: 64 * time.Second, 4 << 20: 256 * time.Second} {
		s, conn := obliging(), &limited{}
		client := s.open(t, func(own *Config) {
			own.Times = Times{Block: 24 * time.Hour, Session: time.Hour, Rate: 16 << 10}
			dial := own.Dial
			own.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				inner, err := dial(ctx, network, address)
				conn.Conn = inner
				return conn, err
			}
		})
		line := strings.Repeat("x", 78) + "\r\n"
		began := time.Now()
		_, err := client.Send(t.Context(), envelope, []byte("Subject: x\r\n\r\n"+strings.Repeat(line, size/len(line))))
		require.NoError(t, err)
		limit := conn.latest.Sub(began)
		require.GreaterOrEqual(t, limit, time.Hour+more-time.Second, "of %d bytes", size) // whole seconds
		require.Less(t, limit, time.Hour+more+time.Since(began)+time.Second, "of %d bytes", size)
	}
}
