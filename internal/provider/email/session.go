package email

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/textproto"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wneessen/go-mail/smtp"

	"github.com/carillon/carillon/internal/provider"
)

// session is one connection to an SMTP server, greeted and logged in.
type session struct {
	client   *smtp.Client
	conn     *timedConn
	times    provider.SMTPTimes
	reusable bool // the server is ready for another mail
	since    time.Time
}

// connect opens a session. An access token that the server does not take may have been withdrawn before its time: then
// there is a second try with a new one.
func (a *smtpAdapter) connect(ctx context.Context, until time.Time) (*session, error) {
	if a.grant == nil {
		return a.start(ctx, until, "")
	}
	for last := false; ; last = true {
		token, err := a.token(ctx)
		if err != nil {
			return nil, err
		}
		s, err := a.start(ctx, until, token)
		if failure := provider.AsError(err); last || failure == nil || failure.Status != badLogin {
			return s, err
		}
		a.grant.Forget(token)
	}
}

// badLogin is the reply to a log-in that is not accepted.
const badLogin = 535

func (a *smtpAdapter) token(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, a.tokenTime)
	defer cancel()
	return a.grant.Token(ctx)
}

// start dials, negotiates TLS as the credentials say, and logs in when there is a token, or a user and a password.
func (a *smtpAdapter) start(ctx context.Context, until time.Time, token string) (*session, error) {
	dialing, cancel := context.WithTimeout(ctx, a.times.Connect)
	defer cancel()
	conn, err := a.dial(dialing, "tcp", a.address)
	if err != nil {
		return nil, provider.ClassifyNet(err, false, provider.OriginCredentials)
	}
	s := &session{conn: &timedConn{Conn: conn, block: a.times.Block}, times: a.times}
	release := s.conn.within(ctx, until)
	if err := a.open(ctx, s, token); err != nil {
		release()
		s.close()
		return nil, err
	}
	release()
	return s, nil
}

func (a *smtpAdapter) open(ctx context.Context, s *session, token string) error {
	var conn net.Conn = s.conn
	if a.secure {
		s.conn.await(a.times.Connect)
		secured := tls.Client(conn, a.tls)
		if err := secured.HandshakeContext(ctx); err != nil {
			return replyError(err)
		}
		conn = secured
	}
	s.conn.await(a.times.Greeting)
	var err error
	if s.client, err = smtp.NewClient(conn, a.host); err != nil {
		return replyError(err)
	}
	s.conn.await(a.times.Command)
	if err := s.client.Hello(a.hello); err != nil {
		return replyError(err)
	}
	s.conn.await(a.times.Command)
	if err := a.startTLS(s.client); err != nil {
		return err
	}
	s.conn.await(a.times.Command)
	switch {
	case token != "":
		return a.login(s.client, []string{"XOAUTH2"}, token)
	case a.user != "" && a.password != "":
		return a.login(s.client, a.logins, a.password)
	default:
		return nil
	}
}

func (a *smtpAdapter) startTLS(c *smtp.Client) error {
	if a.secure || a.never && !a.must {
		return nil
	}
	if offered, _ := c.Extension("STARTTLS"); !offered {
		if a.must {
			return provider.Failf(provider.Fault, "the server does not offer STARTTLS")
		}
		return nil
	}
	if err := c.StartTLS(a.tls); err != nil {
		return replyError(err)
	}
	return nil
}

// login takes the first of the ways that the server offers. PLAIN and LOGIN give the password away, so they need TLS,
// unless the operator switched it off for this server.
func (a *smtpAdapter) login(c *smtp.Client, ways []string, secret string) error {
	_, list := c.Extension("AUTH")
	offered := strings.Fields(strings.ToUpper(list))
	way := slices.IndexFunc(ways, func(way string) bool { return slices.Contains(offered, way) })
	if way < 0 {
		return provider.Failf(provider.Fault, "the server offers no known way to log in")
	}
	var auth smtp.Auth
	switch ways[way] {
	case "PLAIN":
		auth = smtp.PlainAuth("", a.user, secret, a.host, a.never)
	case "LOGIN":
		auth = smtp.LoginAuth(a.user, secret, a.host, a.never)
	case "CRAM-MD5":
		auth = smtp.CRAMMD5Auth(a.user, secret)
	default:
		auth = smtp.XOAuth2Auth(a.user, secret)
	}
	err := c.Auth(auth)
	if errors.Is(err, smtp.ErrUnencrypted) {
		return provider.Failf(provider.Fault, "the server offers no TLS to log in over")
	}
	if err == nil {
		return nil
	}
	failure := replyError(err)
	if failure.Class == provider.Permanent {
		failure.Class = provider.Fault // a refused log-in is never the message's fault
	}
	return failure
}

var enhanced = regexp.MustCompile(`^([245]\.\d{1,3}\.\d{1,3})\s+`)

// replyError classifies a reply or, without one, the loss of the connection (email.md §0.5 and nodemailer).
func replyError(err error) *provider.Error {
	var reply *textproto.Error
	if !errors.As(err, &reply) {
		failure := provider.ClassifyNet(err, false, provider.OriginCredentials)
		if failure.Text == "the certificate is not trusted" {
			failure.Class = provider.Fault
		}
		return failure
	}
	e := &provider.Error{Class: provider.Permanent, Status: reply.Code, Text: reply.Msg}
	if m := enhanced.FindStringSubmatch(reply.Msg); m != nil {
		e.Code, e.Text = m[1], strings.TrimPrefix(reply.Msg, m[0])
	}
	switch reply.Code {
	case 530, 534, 535, 538:
		e.Class = provider.Fault
	default:
		if reply.Code >= 400 && reply.Code < 500 {
			e.Class = provider.Transient
		}
	}
	return e
}

func (s *session) close() {
	if s.reusable && s.client != nil {
		s.conn.hurry(time.Second)
		_ = s.client.Quit()
	}
	_ = s.conn.Close()
}

// The pool does not keep connections for long: many servers close an idle one after a minute and count it against
// a limit until then.
const (
	poolSize = 64 // as many as the engine has calls through one integration
	poolIdle = 20 * time.Second
)

// pool holds the idle connections of one integration.
type pool struct {
	mu     sync.Mutex
	idle   []*session
	closed bool
}

func (p *pool) take(now time.Time) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		s := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		if now.Sub(s.since) < poolIdle {
			return s
		}
		go s.close()
	}
	return nil
}

func (p *pool) put(s *session, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= poolSize {
		go s.close()
		return
	}
	s.since = now
	p.idle = append(p.idle, s)
	time.AfterFunc(poolIdle, func() { p.drop(s, now) })
}

// drop closes s if it still waits since the same moment.
func (p *pool) drop(s *session, since time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, idle := range p.idle {
		if idle == s && s.since.Equal(since) {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			go s.close()
			return
		}
	}
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, s := range p.idle {
		go s.close()
	}
	p.idle = nil
}
