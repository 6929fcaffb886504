package smtp

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail/smtp"
)

// session is one connection to the server, greeted and logged in.
type session struct {
	client   *gomail.Client
	conn     *timedConn
	times    Times
	reusable bool // the server is ready for another mail
	since    time.Time
	expiry   *time.Timer // closes the session when it is idle for long; nil before it is idle first
}

// connect opens a session. An access token that the server does not accept may have been withdrawn before its time: then
// there is a second attempt with a new one.
func (c *Client) connect(ctx context.Context, until time.Time) (*session, error) {
	if c.config.Tokens == nil {
		return c.start(ctx, until, "")
	}
	for last := false; ; last = true {
		token, err := c.config.Tokens.Token(ctx)
		if err != nil {
			return nil, err
		}
		s, err := c.start(ctx, until, token)
		var failure *Error
		if last || !errors.As(err, &failure) || failure.Code != replyLoginRefused {
			return s, err
		}
		c.config.Tokens.Forget(token)
	}
}

// start dials, negotiates TLS as configured, and logs in when there is a token, or a user and a password.
func (c *Client) start(ctx context.Context, until time.Time, token string) (*session, error) {
	dialing, cancel := context.WithTimeout(ctx, c.config.Times.Connect)
	defer cancel()
	conn, err := c.config.Dial(dialing, "tcp", net.JoinHostPort(c.config.Host, c.config.Port))
	if err != nil {
		return nil, &Error{Err: err}
	}
	s := &session{conn: &timedConn{Conn: conn, block: c.config.Times.Block}, times: c.config.Times}
	release := s.conn.within(ctx, until)
	if err := c.open(ctx, s, token); err != nil {
		release()
		s.close()
		return nil, err
	}
	release()
	return s, nil
}

func (c *Client) open(ctx context.Context, s *session, token string) error {
	var conn net.Conn = s.conn
	if c.config.Security == ImplicitTLS {
		s.conn.await(c.config.Times.Connect)
		secured := tls.Client(conn, c.config.TLS)
		if err := secured.HandshakeContext(ctx); err != nil {
			return replyError(err)
		}
		conn = secured
	}
	s.conn.await(c.config.Times.Greeting)
	var err error
	if s.client, err = gomail.NewClient(conn, c.config.Host); err != nil {
		return turnedAway(err)
	}
	s.conn.await(c.config.Times.Command)
	if err := s.client.Hello(c.config.Hello); err != nil {
		return turnedAway(err)
	}
	s.conn.await(c.config.Times.Command)
	if err := c.startTLS(s.client); err != nil {
		return err
	}
	s.conn.await(c.config.Times.Command)
	switch {
	case token != "":
		return c.login(s.client, []string{"XOAUTH2"}, token)
	case c.config.User != "" && c.config.Password != "":
		return c.login(s.client, c.config.Mechanisms, c.config.Password)
	default:
		return nil
	}
}

func (c *Client) startTLS(to *gomail.Client) error {
	if c.config.Security == ImplicitTLS || c.config.Security == Unencrypted {
		return nil
	}
	if offered, _ := to.Extension("STARTTLS"); !offered {
		if c.config.Security == RequireStartTLS {
			return &Error{Text: "the server does not offer STARTTLS", Misconfigured: true}
		}
		return nil
	}
	if err := to.StartTLS(c.config.TLS); err != nil {
		return turnedAway(err)
	}
	return nil
}

// turnedAway is the failure of a session before a mail is offered: what the server refuses for good then it refuses to every mail, such as
// those of a network that it blocks.
func turnedAway(err error) *Error {
	var greetings interface{ Unwrap() []error } // of EHLO, and then of HELO: the last reply counts
	if errors.As(err, &greetings) {
		for _, each := range greetings.Unwrap() {
			if replyError(each).Code != 0 {
				err = each
			}
		}
	}
	failure := replyError(err)
	failure.Misconfigured = failure.Misconfigured || failure.Code >= 500
	return failure
}

// login uses the first of the mechanisms that the server offers. PLAIN and LOGIN give the password away, so they need
// TLS, unless the client is configured to send without.
func (c *Client) login(to *gomail.Client, mechanisms []string, secret string) error {
	_, list := to.Extension("AUTH")
	offered := strings.Fields(strings.ToUpper(list))
	first := slices.IndexFunc(mechanisms, func(name string) bool { return slices.Contains(offered, name) })
	if first < 0 {
		return &Error{Text: "the server offers no known way to log in", Misconfigured: true}
	}
	var auth gomail.Auth
	switch mechanisms[first] {
	case "PLAIN":
		auth = gomail.PlainAuth("", c.config.User, secret, c.config.Host, c.config.Security == Unencrypted)
	case "LOGIN":
		auth = gomail.LoginAuth(c.config.User, secret, c.config.Host, c.config.Security == Unencrypted)
	case "CRAM-MD5":
		auth = gomail.CRAMMD5Auth(c.config.User, secret)
	default:
		auth = gomail.XOAuth2Auth(c.config.User, secret)
	}
	err := to.Auth(auth)
	if errors.Is(err, gomail.ErrUnencrypted) {
		return &Error{Text: "the server offers no TLS to log in over", Misconfigured: true}
	}
	if err == nil {
		return nil
	}
	failure := replyError(err)
	if failure.Err == nil && !failure.Temporary() {
		failure.Misconfigured = true // a refused log-in is never the mail's fault
	}
	return failure
}

// quitTime is how long a server may take to say goodbye.
const quitTime = time.Second

func (s *session) close() {
	if s.reusable && s.client != nil {
		s.conn.hurry(quitTime)
		_ = s.client.Quit()
	}
	_ = s.conn.Close()
}
