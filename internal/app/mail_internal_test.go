package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/textproto"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
)

const replyDomain = "in.example.com"

// repliesOf are the replies of a database in which no message is.
func repliesOf(t *testing.T) *integrations.Replies {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	deps := usecase.Deps{DB: pgtest.New(t)}
	return integrations.New(deps, usecase.Config{Secrets: keeper, InboundDomain: replyDomain}, &audience.Preferences{Deps: deps}).Replies
}

// refusal is the SMTP answer that an error becomes.
func refusal(t *testing.T, err error) *smtp.SMTPError {
	t.Helper()
	var answer *smtp.SMTPError
	require.ErrorAs(t, err, &answer)
	return answer
}

func newMailSession(t *testing.T, replies *integrations.Replies, memory int64) (s *mailSession, log *bytes.Buffer) {
	t.Helper()
	log = &bytes.Buffer{}
	return &mailSession{
		ctx: t.Context(), replies: replies, log: slog.New(slog.NewTextHandler(log, nil)),
		turns: make(chan struct{}, 1), intake: intake.New(intake.Config{Memory: memory}),
	}, log
}

// TestMailsThatAreNotKept: a sender tries again where that may help, learns nothing of what went wrong here, and leaves neither
// memory nor a turn taken.
func TestMailsThatAreNotKept(t *testing.T) {
	t.Parallel()
	replies := repliesOf(t)
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		memory int64
		mail   io.Reader
		code   int
		says   string
		logged bool // as a fault of the database, which does not answer
	}{
		"a message that is gone": {0, strings.NewReader("Subject: s\r\n\r\nx"), 550, "this address receives nothing any more", false},
		"no memory":              {10, strings.NewReader("Subject: s\r\n\r\nx"), 451, "too much is under way, try again later", false},
		"too large": {
			0, iotest.ErrReader(&smtp.SMTPError{Code: 552, Message: "Maximum message size exceeded"}), 552, "Maximum message size exceeded", false,
		},
		"no database": {0, strings.NewReader("Subject: s\r\n\r\nx"), 451, "try again later", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, log := newMailSession(t, replies, c.memory)
			if c.logged {
				s.ctx = ended
			}
			require.NoError(t, s.Rcpt(replies.Address(id.New(time.Now())), nil))
			answer := refusal(t, s.Data(c.mail))
			require.Equal(t, c.code, answer.Code)
			require.Equal(t, c.says, answer.Message)
			require.Equal(t, c.logged, log.Len() > 0, log.String())
			require.Empty(t, s.turns, "the turn is given back")
			require.Zero(t, s.intake.Held(), "the memory is given back")
		})
	}
}

// TestMailsOfOneAddressAreBounded: an address receives so many mails, and so much, within a day.
func TestMailsOfOneAddressAreBounded(t *testing.T) {
	t.Parallel()
	store := pgtest.NewStore(t)
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	deps := usecase.Deps{DB: store.DB, Now: time.Now}
	replies := integrations.New(deps, usecase.Config{Secrets: keeper, InboundDomain: replyDomain}, &audience.Preferences{Deps: deps}).Replies
	store.Exec(`DELETE FROM replies`)
	store.Exec(`UPDATE workflow_versions SET definition = '{"steps": [{"stepId": "mail", "type": "email", "replyCallback": {"active": true, "url": "https://x.example"}}]}'`)
	ids := store.Here.IDs
	store.Exec(`UPDATE notifications SET workflow_version_id = $1 WHERE id = $2`, ids["workflow_versions"], ids["notifications"])
	store.Exec(`UPDATE messages SET step_id = 'mail', notification_id = $1, subscriber_id = $2 WHERE id = $3`, ids["notifications"], ids["subscribers"], ids["messages"])
	receive := func(n int) error {
		s, _ := newMailSession(t, replies, 0)
		require.NoError(t, s.Rcpt(replies.Address(ids["messages"]), nil))
		return s.Data(strings.NewReader(fmt.Sprintf("Message-ID: <%d@example.com>\r\nSubject: s\r\n\r\nx", n)))
	}
	kept := func(n int, at time.Time, body string) {
		for i := range n {
			store.Add(store.Here, "replies", pgtest.Values{"message_id": ids["messages"], "mail_id": fmt.Sprintf("%s-%d", at, i), "created_at": at, "body": body})
		}
	}
	refused := func(err error) {
		t.Helper()
		answer := refusal(t, err)
		require.Equal(t, 450, answer.Code)
		require.Contains(t, answer.Message, "too many mails")
	}
	now := time.Now()
	kept(200, now.Add(-25*time.Hour), `{}`)
	kept(99, now.Add(-time.Hour), `{}`)
	require.NoError(t, receive(1))
	refused(receive(2))
	require.Equal(t, 300, pgtest.Ask[int](store, `SELECT count(*) FROM replies WHERE message_id = $1`, ids["messages"]))

	store.Exec(`DELETE FROM replies`)
	store.Exec(`ALTER TABLE replies ALTER body SET STORAGE external`) // as what cannot be compressed
	kept(10, now, `"`+strings.Repeat("x", 10<<20)+`"`)
	refused(receive(3))
	store.Exec(`DELETE FROM replies WHERE id = (SELECT min(id) FROM replies)`)
	require.NoError(t, receive(3))
}

// TestRecipientsOfAMail: an address that is named twice is answered once, and one mail's addresses are not the next one's.
func TestRecipientsOfAMail(t *testing.T) {
	t.Parallel()
	replies := repliesOf(t)
	s, _ := newMailSession(t, replies, 0)
	first, second := id.New(time.Now()), id.New(time.Now())
	require.NoError(t, s.Mail("", nil), "a bounce has no sender")
	for _, messageID := range []string{first, second, first} {
		require.NoError(t, s.Rcpt(replies.Address(messageID), nil))
	}
	require.Equal(t, []string{first, second}, s.messages)
	answer := refusal(t, s.Rcpt("ada@"+replyDomain, nil))
	require.Equal(t, 550, answer.Code)
	require.Equal(t, smtp.EnhancedCode{5, 1, 1}, answer.EnhancedCode)
	require.Equal(t, []string{first, second}, s.messages)
	s.Reset()
	require.Empty(t, s.messages)
	require.ErrorContains(t, s.Data(iotest.ErrReader(errors.New("connection reset"))), "connection reset")
	require.NoError(t, s.Logout())
}

// TestConversation speaks SMTP with the server as another mail server does.
func TestConversation(t *testing.T) {
	t.Parallel()
	addr, err := child.FreeAddr(t.Context())
	require.NoError(t, err)
	replies := repliesOf(t)
	a := &App{
		cfg: &config.Config{}, log: slog.New(slog.DiscardHandler), intake: intake.New(intake.Config{}),
		services: &notify.Services{},
	}
	a.services.Replies = replies
	a.cfg.InboundDomain, a.cfg.InboundSMTPAddr = replyDomain, addr
	stop, err := a.receiveMail(t.Context())
	require.NoError(t, err)
	_, err = a.receiveMail(t.Context())
	require.ErrorContains(t, err, "CARILLON_INBOUND_SMTP_ADDR", "the address is taken")

	c, err := textproto.Dial("tcp", addr)
	require.NoError(t, err)
	expect := func(code int, format string, args ...any) string {
		t.Helper()
		if format != "" {
			require.NoError(t, c.PrintfLine(format, args...))
		}
		_, text, err := c.ReadResponse(code)
		require.NoError(t, err, format)
		return text
	}
	require.Contains(t, expect(220, ""), replyDomain)
	hello := expect(250, "EHLO other.example.com")
	require.Contains(t, hello, "SIZE 10485760")
	require.Contains(t, hello, "SMTPUTF8")
	require.NotContains(t, hello, "STARTTLS", "there is no certificate")
	expect(552, "MAIL FROM:<ada@example.com> SIZE=%d", integrations.MaxReply+1)
	expect(250, "MAIL FROM:<>")
	require.Contains(t, expect(550, "RCPT TO:<ada@example.net>"), "no such address here")
	for range mailRecipients {
		expect(250, "RCPT TO:<%s>", replies.Address(id.New(time.Now())))
	}
	require.Contains(t, expect(452, "RCPT TO:<%s>", replies.Address(id.New(time.Now()))), "20")
	expect(354, "DATA")
	require.Contains(t, expect(550, "Subject: Re\r\n\r\nYes.\r\n."), "receives nothing any more")
	expect(221, "QUIT")
	require.NoError(t, c.Close())
	require.NoError(t, stop(t.Context()))
	_, err = net.Dial("tcp", addr)
	require.Error(t, err, "the listener is closed")
}

// TestAddressHoldsFewConnections: who opens many connections and says nothing leaves room for others.
func TestAddressHoldsFewConnections(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("Linux has all addresses of 127.0.0.0/8")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := limitAddresses(ln, 2)
	defer l.Close()
	dial := func(from string) net.Conn {
		t.Helper()
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		conn, err := dialer.DialContext(t.Context(), "tcp", ln.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	accept := func() net.Conn {
		t.Helper()
		conn, err := l.Accept()
		require.NoError(t, err)
		return conn
	}
	dial("127.0.0.1")
	dial("127.0.0.1")
	first := accept()
	accept()
	third, other := dial("127.0.0.1"), dial("127.0.0.2")
	defer accept().Close()
	said, err := io.ReadAll(third)
	require.NoError(t, err)
	require.Equal(t, "421 4.7.0 too many connections from your address, try again later\r\n", string(said))
	require.Equal(t, map[string]int{"127.0.0.1": 2, "127.0.0.2": 1}, l.open, other.LocalAddr())

	require.NoError(t, first.Close())
	require.Error(t, first.Close(), "which counts once")
	fourth := dial("127.0.0.1")
	require.Equal(t, fourth.LocalAddr().String(), accept().RemoteAddr().String())
	require.NoError(t, l.Close())
	_, err = l.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
}

// arriving is a listener at which connections arrive from addresses that this machine does not have.
type arriving struct {
	net.Listener
	from []string
}

type arrived struct {
	net.Conn
	from net.Addr
}

func (c arrived) RemoteAddr() net.Addr { return c.from }

func (a *arriving) Accept() (net.Conn, error) {
	if len(a.from) == 0 {
		return nil, net.ErrClosed
	}
	from := &net.TCPAddr{IP: net.ParseIP(a.from[0]), Port: 1}
	a.from = a.from[1:]
	near, far := net.Pipe()
	go func() { _, _ = io.Copy(io.Discard, far) }()
	return arrived{near, from}, nil
}

// TestNetworkHoldsFewConnections: with one address of IPv6 a caller has the others of its network, too.
func TestNetworkHoldsFewConnections(t *testing.T) {
	t.Parallel()
	l := limitAddresses(&arriving{from: []string{"2001:db8:1::1", "2001:db8:1::2", "2001:db8:1:2::3", "2001:db8:2::1", "192.0.2.1"}}, 2)
	var taken []string
	for {
		conn, err := l.Accept()
		if err != nil {
			require.ErrorIs(t, err, net.ErrClosed)
			break
		}
		taken = append(taken, conn.RemoteAddr().String())
	}
	require.Equal(t, []string{"[2001:db8:1::1]:1", "[2001:db8:1::2]:1", "[2001:db8:2::1]:1", "192.0.2.1:1"}, taken)
}

// TestMailCertificate: a certificate that cannot be read is noticed at the start, and named.
func TestMailCertificate(t *testing.T) {
	t.Parallel()
	a := &App{cfg: &config.Config{}, log: slog.New(slog.DiscardHandler)}
	stop, err := a.receiveMail(t.Context())
	require.NoError(t, err, "there is no domain to receive replies for")
	require.NoError(t, stop(t.Context()))
	a.cfg.InboundDomain, a.cfg.InboundSMTPAddr = replyDomain, "127.0.0.1:0"
	a.cfg.InboundTLSCert, a.cfg.InboundTLSKey = t.TempDir()+"/cert.pem", t.TempDir()+"/key.pem"
	_, err = a.receiveMail(t.Context())
	require.ErrorContains(t, err, "CARILLON_INBOUND_TLS_CERT")
	require.ErrorContains(t, err, "cert.pem")
}
