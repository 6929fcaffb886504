// Package smtpsink is a small receiving SMTP server: the other side for tests and for the demo, which shows real mails
// arriving at a real server.
package smtpsink

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Mail is one received mail: the envelope's addresses and the content as it came, with its headers.
type Mail struct {
	From string
	To   []string
	Data []byte
	// Hello is the name by which the client greeted.
	Hello string
	// Login is the way in which the client logged in; "" without.
	Login string
}

// Serve receives mails on l until ctx ends, then closes l and every connection. deliver is called once per mail, also
// from several goroutines at a time, before the mail is acknowledged.
func Serve(ctx context.Context, l net.Listener, deliver func(Mail)) error {
	s := Sink{Deliver: func(m Mail) error { deliver(m); return nil }}
	return s.Serve(ctx, l)
}

// Sink is a server with manners of its own.
type Sink struct {
	// Deliver takes a mail; a *Refusal is what the server replies after the content.
	Deliver func(Mail) error
	// Recipient may refuse an address with a *Refusal; nil accepts all.
	Recipient func(address string) error
	// TLS offers STARTTLS; nil: no TLS. For TLS from the first byte wrap the listener.
	TLS *tls.Config
	// User and Password must be given by clients before sending; both empty: no log-in.
	User, Password string
	// Mechanisms are the ways to log in; default PLAIN. LOGIN and XOAUTH2, whose token is the password, are known as well.
	Mechanisms []string
	// InsecureLogin lets clients log in without TLS.
	InsecureLogin bool
	// UTF8 offers SMTPUTF8.
	UTF8 bool
}

// Refusal is a negative reply.
type Refusal = smtp.SMTPError

// Refuse is a negative reply with code, enhanced code and text.
func Refuse(code int, enhanced [3]int, text string) *Refusal {
	return &Refusal{Code: code, EnhancedCode: enhanced, Message: text}
}

// Serve receives mails on l until ctx ends, then closes l and every connection.
func (s *Sink) Serve(ctx context.Context, l net.Listener) error {
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{sink: s, conn: c}, nil
	}))
	server.Domain = "sink.example"
	server.TLSConfig = s.TLS
	server.AllowInsecureAuth = s.InsecureLogin
	server.EnableSMTPUTF8 = s.UTF8
	server.MaxMessageBytes = 64 << 20
	server.ReadTimeout, server.WriteTimeout = time.Minute, time.Minute
	server.ErrorLog = silent{}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); err != nil && !errors.Is(err, smtp.ErrServerClosed) && ctx.Err() == nil {
		return fmt.Errorf("smtp sink: %w", err)
	}
	return nil
}

// silent drops the server's log: a client that goes away is no news.
type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// session is one client's connection.
type session struct {
	sink  *Sink
	conn  *smtp.Conn
	login string // the way in which the client logged in
	mail  Mail
}

// AuthMechanisms lists the ways to log in.
func (s *session) AuthMechanisms() []string {
	switch {
	case s.sink.User == "":
		return nil
	case len(s.sink.Mechanisms) == 0:
		return []string{sasl.Plain}
	default:
		return s.sink.Mechanisms
	}
}

// Auth logs a client in.
func (s *session) Auth(mechanism string) (sasl.Server, error) {
	check := func(user, password string) error {
		if user != s.sink.User || password != s.sink.Password {
			return smtp.ErrAuthFailed
		}
		s.login = mechanism
		return nil
	}
	switch mechanism {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, user, password string) error { return check(user, password) }), nil
	case sasl.Login:
		return &login{check: check}, nil
	case xoauth2:
		return bearer(check), nil
	default:
		return nil, smtp.ErrAuthUnknownMechanism
	}
}

// login is the server's side of AUTH LOGIN, which go-sasl has for clients only.
type login struct {
	check func(user, password string) error
	user  string
	step  int
}

// Next asks for the user, then for the password.
func (l *login) Next(response []byte) (challenge []byte, done bool, err error) {
	l.step++
	switch l.step {
	case 1:
		return []byte("Username:"), false, nil
	case 2:
		l.user = string(response)
		return []byte("Password:"), false, nil
	default:
		return nil, true, l.check(l.user, string(response))
	}
}

const xoauth2 = "XOAUTH2"

// bearer is the server's side of XOAUTH2: a user with an access token.
type bearer func(user, token string) error

// Next reads the one response.
func (b bearer) Next(response []byte) (challenge []byte, done bool, err error) {
	if response == nil {
		return []byte{}, false, nil
	}
	fields := strings.Split(string(response), "\x01")
	if len(fields) != 4 {
		return nil, true, smtp.ErrAuthFailed
	}
	return nil, true, b(strings.TrimPrefix(fields[0], "user="), strings.TrimPrefix(fields[1], "auth=Bearer "))
}

// Mail begins a mail.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.sink.User != "" && s.login == "" {
		return Refuse(530, [3]int{5, 7, 0}, "log in first")
	}
	s.mail = Mail{From: from, Login: s.login, Hello: s.conn.Hostname()}
	return nil
}

// Rcpt adds a recipient.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.sink.Recipient != nil {
		if err := s.sink.Recipient(to); err != nil {
			return err
		}
	}
	s.mail.To = append(s.mail.To, to)
	return nil
}

// Data takes the content.
func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	mail := s.mail
	mail.Data, mail.To = data, slices.Clone(s.mail.To)
	return s.sink.Deliver(mail)
}

// Reset forgets the mail under way.
func (s *session) Reset() { s.mail = Mail{} }

// Logout ends the session.
func (s *session) Logout() error { return nil }
