// Package smtp is a sending SMTP client for one server. It keeps a few connections open between mails, sends the commands
// of a mail together where the server takes that (PIPELINING, RFC 2920), and gives each step of a session a time of its
// own (RFC 5321 §4.5.3.2). It reports exactly what became of a mail: who was refused, and whether a mail whose reply is
// missing may be on its way. It writes no mail and imports nothing of this service.
//
// The session itself (greeting, EHLO, STARTTLS, AUTH) is that of go-mail's smtp package; its commands of a transaction
// are not used, because they wait for each reply before the next command is sent.
package smtp

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"
)

// Security is how the connection to a server is encrypted.
type Security uint8

// The securities.
const (
	Opportunistic   Security = iota // STARTTLS where the server offers it
	RequireStartTLS                 // no mail without STARTTLS
	ImplicitTLS                     // TLS from the first byte
	Unencrypted                     // no STARTTLS, and passwords are sent all the same
)

// TokenSource gives access tokens to log in with.
type TokenSource interface {
	// Token returns a valid access token. Its errors are returned by Send as they are.
	Token(ctx context.Context) (string, error)
	// Forget drops a token that the server did not accept.
	Forget(token string)
}

// Config describes a server and how to log in there.
type Config struct {
	Host     string // also what certificates are checked against, unless TLS names another
	Port     string
	Security Security
	TLS      *tls.Config
	Hello    string // the name in EHLO: a host name, or an address in brackets

	User, Password string
	Mechanisms     []string    // ways to log in with the password, the preferred one first; default PLAIN, LOGIN, CRAM-MD5
	Tokens         TokenSource // to log in by XOAUTH2 in place of the password; nil: by password

	Dial  func(ctx context.Context, network, address string) (net.Conn, error)
	Now   func() time.Time // default time.Now
	Times Times            // zero fields get their defaults
}

// Times bounds the steps of a session.
type Times struct {
	Connect  time.Duration // until there is a connection, with TLS where that comes first; default 30 s
	Greeting time.Duration // until the server's first reply; default 5 min
	Command  time.Duration // until the reply to a command other than DATA; default 5 min
	Data     time.Duration // until the server wants the content; default 2 min
	Block    time.Duration // until the server has taken a block of the content; default 3 min
	End      time.Duration // until the reply to the whole content; default 10 min
	Session  time.Duration // until the end of the content, beside what its size needs; default 15 min
	Rate     int           // bytes of content per second that a server must take at least; default 16 KiB
}

// WithDefaults returns t with the times of RFC 5321 §4.5.3.2 in its zero fields. The reply to the whole content has the
// longest: a client that gives up before the server does sends the mail twice.
func (t Times) WithDefaults() Times {
	t.Connect = cmp.Or(t.Connect, 30*time.Second)
	t.Greeting = cmp.Or(t.Greeting, 5*time.Minute)
	t.Command = cmp.Or(t.Command, 5*time.Minute)
	t.Data = cmp.Or(t.Data, 2*time.Minute)
	t.Block = cmp.Or(t.Block, 3*time.Minute)
	t.End = cmp.Or(t.End, 10*time.Minute)
	t.Session = cmp.Or(t.Session, 15*time.Minute)
	t.Rate = cmp.Or(t.Rate, 16<<10)
	return t
}

// Transfer returns how long the content of a mail may take up to its end.
func (t Times) Transfer(size int) time.Duration {
	return t.Session + time.Duration(size/t.Rate)*time.Second
}

// Client sends mails through one server. It is safe for concurrent use.
type Client struct {
	config Config
	pool   pool
}

// New returns a client for the server of c. It connects with the first mail.
func New(c Config) *Client {
	if c.Mechanisms == nil {
		c.Mechanisms = []string{"PLAIN", "LOGIN", "CRAM-MD5"}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Times = c.Times.WithDefaults()
	return &Client{config: c}
}

// Envelope holds the addresses of one mail, bare and without brackets.
type Envelope struct {
	From string
	To   []string // each recipient once
	UTF8 bool     // some address is not ASCII: the server must offer SMTPUTF8
}

// Refusal is a recipient that the server refused while it accepted others.
type Refusal struct {
	Address string
	Reason  *Error
}

// Send makes one attempt to send one mail to all its recipients. The refusals name those who do not get a mail that the
// server accepted for the others. The error is an *Error, or one of the TokenSource.
//
// A kept connection is used if there is one. The server may have closed it meanwhile: when it did so before it accepted
// the sender, nothing was offered yet, and a fresh connection makes the one attempt.
func (c *Client) Send(ctx context.Context, env Envelope, content []byte) ([]Refusal, error) {
	until := time.Now().Add(c.config.Times.Transfer(len(content)))
	if s := c.pool.take(c.config.Now()); s != nil {
		if out := c.sendOver(ctx, s, until, env, content); !out.stale {
			return out.refused, out.err
		}
	}
	s, err := c.connect(ctx, until)
	if err != nil {
		return nil, err
	}
	out := c.sendOver(ctx, s, until, env, content)
	return out.refused, out.err
}

// outcome of one transaction; stale reports that the connection was gone before the server accepted the sender.
type outcome struct {
	refused []Refusal
	err     error
	stale   bool
}

// sendOver makes the transaction over s and keeps s when it can be used again.
func (c *Client) sendOver(ctx context.Context, s *session, until time.Time, env Envelope, content []byte) outcome {
	release := s.conn.within(ctx, until)
	out := s.transact(env, content)
	fit := release()
	var failure *Error
	if errors.As(out.err, &failure) && failure.Code == 0 && errors.Is(context.Cause(ctx), context.Canceled) {
		failure.Text = "interrupted" // and not, as the connection reports, too slow
	}
	if fit && s.reusable {
		c.pool.put(s, c.config.Now())
	} else {
		s.close()
	}
	return out
}

// TimeLimit returns how long Send may take for a content of this size.
func (c *Client) TimeLimit(size int) time.Duration {
	t := c.config.Times
	return t.Connect + t.Transfer(size) + t.End
}

// Close drops the kept connections; a mail under way is finished.
func (c *Client) Close() error { c.pool.close(); return nil }
