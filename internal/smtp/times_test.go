package smtp

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/stall"
)

// TestStepsHaveTheirOwnTimes: of all times the one of the step at which the server falls silent is short, so that no
// other one can be what ends the wait.
func TestStepsHaveTheirOwnTimes(t *testing.T) {
	t.Parallel()
	const short = 50 * time.Millisecond
	for name, c := range map[string]struct {
		script  func(*scripted)
		time    func(*Times)
		inDoubt bool
	}{
		"Greeting":  {func(s *scripted) { s.greeting = silence }, func(t *Times) { t.Greeting = short }, false},
		"EHLO":      {func(s *scripted) { s.ehlo = silence }, func(t *Times) { t.Command = short }, false},
		"Recipient": {func(s *scripted) { s.rcpt = silence }, func(t *Times) { t.Command = short }, false},
		"Data":      {func(s *scripted) { s.data = silence }, func(t *Times) { t.Data = short }, false},
		"Whole":     {func(s *scripted) { s.data = silence }, func(t *Times) { t.Session = short }, false},
		"End":       {func(s *scripted) { s.end = silence }, func(t *Times) { t.End = short }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := obliging()
			c.script(&s)
			failure := fails(t, s.open(t, func(own *Config) {
				own.Times = Times{
					Connect: time.Hour, Greeting: time.Hour, Command: time.Hour, Data: time.Hour, Block: time.Hour, End: time.Hour, Session: time.Hour,
				}
				c.time(&own.Times)
			}))
			require.Equal(t, c.inDoubt, failure.InDoubt)
			require.ErrorIs(t, failure, os.ErrDeadlineExceeded)
			require.Zero(t, failure.Code)
		})
	}
}

// TestTimeLimit grows with the mail, and always holds the time for the last reply.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	c := New(Config{Times: Times{Connect: time.Second}})
	require.Equal(t, 25*time.Minute+time.Second, c.TimeLimit(0))
	require.Equal(t, 25*time.Minute+65*time.Second, c.TimeLimit(1<<20))
}

// deadlines records what a connection was given.
type deadlines struct {
	net.Conn
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error  { d.read = at; return nil }
func (d *deadlines) SetWriteDeadline(at time.Time) error { d.write = at; return nil }
func (d *deadlines) SetDeadline(at time.Time) error      { d.read, d.write = at, at; return nil }
func (d *deadlines) Write(p []byte) (int, error)         { return len(p), nil }
func (d *deadlines) Read(p []byte) (int, error)          { return len(p), nil }

// TestTimedConn: each step ends with the whole, except the last; and nothing outlives the call.
func TestTimedConn(t *testing.T) {
	t.Parallel()
	inner := &deadlines{}
	c := &timedConn{Conn: inner, block: time.Hour}
	until := time.Now().Add(time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	release := c.within(ctx, until)
	c.await(time.Hour)
	require.Equal(t, until, inner.read)
	_, err := c.Write([]byte("x"))
	require.NoError(t, err)
	require.Equal(t, until, inner.write)
	c.await(time.Second)
	require.True(t, inner.read.Before(until))
	c.last(time.Hour)
	require.True(t, inner.read.After(until))

	for range maxReply / 1000 {
		_, err = c.Read(make([]byte, 1000))
		require.NoError(t, err)
	}
	_, err = c.Read(make([]byte, 1000))
	require.ErrorIs(t, err, errLongReply)

	ended := make(chan struct{})
	context.AfterFunc(ctx, func() { close(ended) }) // runs beside the connection's own
	cancel()
	<-ended
	require.False(t, release())
	require.Eventually(t, func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.ended }, stall.Limit(time.Minute), time.Millisecond)
	c.await(time.Hour)
	require.True(t, inner.read.Before(until), "a call that was given up waits for nothing more")
	_, err = c.Write([]byte("x"))
	require.NoError(t, err)
	require.True(t, inner.write.Before(until))
}

// refusing takes a first block of the content, says why it wants no more, and hangs up.
type refusing struct {
	net.Conn
	content bool
}

func (r *refusing) Write(p []byte) (int, error) {
	if r.content {
		return 0, errors.New("broken pipe")
	}
	r.content = strings.HasPrefix(string(p), "DATA") || strings.Contains(string(p), "\r\nDATA")
	return r.Conn.Write(p)
}

// TestRefusedWhileTheContentIsSent: what the server said before it hung up is what became of the mail.
func TestRefusedWhileTheContentIsSent(t *testing.T) {
	t.Parallel()
	s := obliging()
	s.data = "354 go on\r\n552 5.3.4 too large"
	c := s.open(t, func(own *Config) {
		dial := own.Dial
		own.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			return &refusing{Conn: conn}, err
		}
	})
	_, err := c.Send(t.Context(), envelope, []byte("Subject: x\r\n\r\n"+strings.Repeat("x", 100_000)))
	var failure *Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, &Error{Code: 552, Enhanced: "5.3.4", Text: "too large"}, failure)
}

// TestInterrupted: a call that is ended from outside leaves the mail in doubt only after its whole content was sent.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for last, inDoubt := range map[string]bool{"DATA": false, ".": true} {
		s := obliging()
		if last == "DATA" {
			s.data = silence
		} else {
			s.end = silence
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for word := range s.heard {
				if strings.TrimSpace(word) == last || word == "." {
					cancel()
				}
			}
		}()
		_, err := s.open(t, nil).Send(ctx, envelope, content)
		var failure *Error
		require.ErrorAs(t, err, &failure)
		require.Equal(t, inDoubt, failure.InDoubt, last)
		require.Equal(t, "interrupted", failure.Text)
		cancel()
	}
}
