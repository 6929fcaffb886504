package email

import (
	"bufio"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// scripted is a server that answers each command as it is told. In the place of an answer silence says nothing more, and
// hangUp and reset end the connection.
type scripted struct {
	greeting, ehlo, mail, rcpt, data, end string

	heard chan string // commands, and "." for the whole content
}

const (
	silence = "(silence)"
	hangUp  = "(hang up)"
	reset   = "(reset)"
)

func obliging() scripted {
	return scripted{
		greeting: "220 hello", ehlo: "250-here\r\n250 PIPELINING", mail: "250 ok", rcpt: "250 ok", data: "354 go on", end: "250 taken",
		heard: make(chan string, 100),
	}
}

func (s scripted) dial(t *testing.T) provider.DialFunc {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			go s.serve(conn.(*net.TCPConn))
		}
	}()
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", l.Addr().String())
	}
}

func (s scripted) serve(conn *net.TCPConn) {
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, 1<<20)
	say := func(text string) bool {
		switch text {
		case silence:
			return false
		case reset:
			_ = conn.SetLinger(0)
			fallthrough
		case hangUp:
			_ = conn.Close()
			return false
		}
		_, err := conn.Write([]byte(text + "\r\n"))
		return err == nil
	}
	if !say(s.greeting) {
		return
	}
	inside := false
	for lines.Scan() {
		line := lines.Text()
		word, _, _ := strings.Cut(strings.ToUpper(line), " ")
		answer := map[string]string{"EHLO": s.ehlo, "MAIL": s.mail, "RCPT": s.rcpt, "DATA": s.data, "RSET": "250 ok", "QUIT": "221 bye"}[word]
		if inside {
			if line != "." {
				continue
			}
			word, answer = ".", s.end
		}
		s.heard <- strings.TrimSuffix(word+" "+strings.TrimPrefix(line, word), " .")
		if !say(answer) {
			return
		}
		inside = word == "DATA" && strings.HasPrefix(answer, "354")
	}
}

// open is an adapter that talks to s.
func (s scripted) open(t *testing.T, change func(*provider.Deps)) provider.Adapter {
	t.Helper()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	deps := provider.Deps{Dial: s.dial(t), Now: time.Now}
	if change != nil {
		change(&deps)
	}
	a, err := registry.Open(deps, "nodemailer", provider.Credentials{"host": "mail.example.com", "port": "25", "from": "shop@example.com", "ignoreTls": true})
	require.NoError(t, err)
	return a
}

// TestSMTPStepsHaveTheirOwnTimes: of all times the one of the step at which the server falls silent is short, so that no
// other one can be what ends the wait.
func TestSMTPStepsHaveTheirOwnTimes(t *testing.T) {
	t.Parallel()
	const short = 50 * time.Millisecond
	for name, c := range map[string]struct {
		script func(*scripted)
		time   func(*provider.SMTPTimes)
		class  provider.Class
	}{
		"Greeting":  {func(s *scripted) { s.greeting = silence }, func(t *provider.SMTPTimes) { t.Greeting = short }, provider.Transient},
		"EHLO":      {func(s *scripted) { s.ehlo = silence }, func(t *provider.SMTPTimes) { t.Command = short }, provider.Transient},
		"Recipient": {func(s *scripted) { s.rcpt = silence }, func(t *provider.SMTPTimes) { t.Command = short }, provider.Transient},
		"Data":      {func(s *scripted) { s.data = silence }, func(t *provider.SMTPTimes) { t.Data = short }, provider.Transient},
		"Whole":     {func(s *scripted) { s.data = silence }, func(t *provider.SMTPTimes) { t.Session = short }, provider.Transient},
		"End":       {func(s *scripted) { s.end = silence }, func(t *provider.SMTPTimes) { t.End = short }, provider.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := obliging()
			c.script(&s)
			a := s.open(t, func(d *provider.Deps) {
				d.SMTP = provider.SMTPTimes{
					Connect: time.Hour, Greeting: time.Hour, Command: time.Hour, Data: time.Hour, Block: time.Hour, End: time.Hour, Session: time.Hour,
				}
				c.time(&d.SMTP)
			})
			_, err := a.Send(t.Context(), providertest.Message(workflow.ChannelEmail))
			failure := provider.AsError(err)
			require.NotNil(t, failure)
			require.Equal(t, c.class, failure.Class)
			require.Equal(t, "no answer within the time limit", failure.Text)
		})
	}
}

// TestSMTPWithoutAReplyToTheWholeContent is unknown, however the connection ends: the mail may be on its way.
func TestSMTPWithoutAReplyToTheWholeContent(t *testing.T) {
	t.Parallel()
	for end, class := range map[string]provider.Class{
		hangUp: provider.Unknown, reset: provider.Unknown, "what?": provider.Unknown,
		"451 later": provider.Transient, "421 going down": provider.Transient, "554 no": provider.Permanent,
	} {
		s := obliging()
		s.end = end
		_, err := s.open(t, nil).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.Equal(t, class, provider.AsError(err).Class, end)
	}
	for end, class := range map[string]provider.Class{hangUp: provider.Transient, reset: provider.Transient} {
		s := obliging()
		s.data = end
		_, err := s.open(t, nil).Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.Equal(t, class, provider.AsError(err).Class, "before the content")
	}
}

// TestSMTPTimeLimit grows with the mail, and always holds the time for the last reply.
func TestSMTPTimeLimit(t *testing.T) {
	t.Parallel()
	a, err := newSMTP(provider.Deps{}, provider.Credentials{"host": "h", "port": "25"})
	require.NoError(t, err)
	a.times = provider.SMTPTimes{Connect: time.Second, End: 10 * time.Minute, Session: 15 * time.Minute, Rate: 16 << 10}
	m := &provider.Message{Email: &provider.Email{}}
	small := a.TimeLimit(m)
	require.Equal(t, 25*time.Minute+time.Second, small)
	m.Email.Attachments = []provider.Attachment{{File: make([]byte, 1<<20)}}
	require.Equal(t, small+128*time.Second, a.TimeLimit(m))
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

// TestSMTPGreetsByName: the integration's, else the process's.
func TestSMTPGreetsByName(t *testing.T) {
	t.Parallel()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	for _, c := range []struct{ own, process, want string }{
		{"mail.shop.example", "notify.example.com", "EHLO mail.shop.example"},
		{"", "notify.example.com", "EHLO notify.example.com"},
		{"", "", "EHLO [127.0.0.1]"},
	} {
		s := obliging()
		a, err := registry.Open(provider.Deps{Dial: s.dial(t), Hello: c.process}, "nodemailer", provider.Credentials{
			"host": "mail.example.com", "port": "25", "from": "shop@example.com", "ignoreTls": true, "ehloName": c.own,
		})
		require.NoError(t, err)
		_, err = a.Send(t.Context(), providertest.Message(workflow.ChannelEmail))
		require.NoError(t, err)
		require.Equal(t, c.want, strings.Join(strings.Fields(<-s.heard), " "))
	}
	for _, wrong := range []string{"mail example", "a..b", "[x]", "-a", "[127.0.0.1", "x\r\nRSET"} {
		err := registry.ValidateCredentials("nodemailer", provider.Credentials{"host": "h", "port": "25", "from": "shop@example.com", "ehloName": wrong})
		require.Error(t, err, wrong)
		require.NotContains(t, err.Error(), wrong)
	}
	for _, right := range []string{"mail.example.com", "localhost", "[192.0.2.1]", "[IPv6:2001:db8::1]"} {
		require.NoError(t, registry.ValidateCredentials("nodemailer", provider.Credentials{"host": "h", "port": "25", "from": "shop@example.com", "ehloName": right}), right)
	}
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

// TestSMTPRefusesWhileTheContentIsSent: what the server said before it hung up is what became of the mail.
func TestSMTPRefusesWhileTheContentIsSent(t *testing.T) {
	t.Parallel()
	s := obliging()
	s.data = "354 go on\r\n552 5.3.4 too large"
	a := s.open(t, func(d *provider.Deps) {
		dial := d.Dial
		d.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			return &refusing{Conn: conn}, err
		}
	})
	m := providertest.Message(workflow.ChannelEmail)
	m.Content.HTML = strings.Repeat("x", 100_000)
	_, err := a.Send(t.Context(), m)
	failure := provider.AsError(err)
	require.NotNil(t, failure)
	require.Equal(t, provider.Permanent, failure.Class)
	require.Equal(t, "5.3.4", failure.Code)
}

// TestSMTPInterrupted: a call that is ended from outside is transient before the whole content was sent, and unknown after.
func TestSMTPInterrupted(t *testing.T) {
	t.Parallel()
	for last, class := range map[string]provider.Class{"DATA": provider.Transient, ".": provider.Unknown} {
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
		_, err := s.open(t, nil).Send(ctx, providertest.Message(workflow.ChannelEmail))
		failure := provider.AsError(err)
		require.NotNil(t, failure)
		require.Equal(t, class, failure.Class)
		require.Equal(t, "interrupted", failure.Text)
		cancel()
	}
}
