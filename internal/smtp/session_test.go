package smtp

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

// bundle is a real server on loopback and the settings that reach it.
type bundle struct {
	sink        *smtpsink.Sink
	mails       chan smtpsink.Mail
	connections chan net.Conn
	config      Config
}

func serve(t *testing.T, change func(*bundle)) *bundle {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(certificate)

	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	b := &bundle{mails: make(chan smtpsink.Mail, 64), connections: make(chan net.Conn, 64)}
	b.sink = &smtpsink.Sink{
		Deliver: func(m smtpsink.Mail) error { b.mails <- m; return nil }, User: "ada", Password: "PASSWORD",
		TLS: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12},
	}
	b.config = Config{
		Host: "127.0.0.1", Port: strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), Hello: "client.example",
		TLS:  &tls.Config{ServerName: "127.0.0.1", RootCAs: roots, MinVersion: tls.VersionTLS12},
		User: "ada", Password: "PASSWORD",
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, strings.Replace(address, "sink.example", "127.0.0.1", 1))
			if err == nil {
				b.connections <- conn
			}
			return conn, err
		},
	}
	if change != nil {
		change(b)
	}
	if b.config.Security == ImplicitTLS {
		listener = tls.NewListener(listener, b.sink.TLS)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.sink.Serve(ctx, listener) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-done) })
	return b
}

func (b *bundle) open(t *testing.T) *Client {
	t.Helper()
	c := New(b.config)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func TestSecurity(t *testing.T) {
	t.Parallel()
	untrusted := func(err error) bool {
		var e *tls.CertificateVerificationError
		return errors.As(err, &e)
	}
	for name, c := range map[string]struct {
		change func(*bundle)
		fails  func(*Error) bool // nil: the mail is sent
	}{
		"Opportunistic": {change: func(*bundle) {}},
		"StartTLS":      {change: func(b *bundle) { b.config.Security = RequireStartTLS }},
		"ImplicitTLS":   {change: func(b *bundle) { b.config.Security = ImplicitTLS }},
		"NotOffered": {
			change: func(b *bundle) { b.sink.TLS = nil; b.config.Security = RequireStartTLS },
			fails:  func(e *Error) bool { return e.Misconfigured && e.Text == "the server does not offer STARTTLS" },
		},
		"PasswordNeedsTLS": {
			change: func(b *bundle) { b.sink.TLS, b.sink.InsecureLogin, b.config.Host = nil, true, "sink.example" },
			fails:  func(e *Error) bool { return e.Misconfigured && e.Text == "the server offers no TLS to log in over" },
		},
		"Unencrypted": {change: func(b *bundle) {
			b.sink.TLS, b.sink.InsecureLogin, b.config.Host, b.config.Security = nil, true, "sink.example", Unencrypted
		}},
		"UntrustedStartTLS": {
			change: func(b *bundle) { b.config.TLS.RootCAs = x509.NewCertPool() },
			fails:  func(e *Error) bool { return untrusted(e) && !e.InDoubt },
		},
		"UntrustedImplicit": {
			change: func(b *bundle) { b.config.TLS.RootCAs = x509.NewCertPool(); b.config.Security = ImplicitTLS },
			fails:  func(e *Error) bool { return untrusted(e) && !e.InDoubt },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := serve(t, c.change)
			client := b.open(t)
			if c.fails != nil {
				failure := fails(t, client)
				require.True(t, c.fails(failure), "%#v", failure)
				return
			}
			_, err := client.Send(t.Context(), envelope, content)
			require.NoError(t, err)
			got := <-b.mails
			require.Equal(t, envelope.From, got.From)
			require.Equal(t, envelope.To, got.To)
			require.Equal(t, string(content), string(got.Data))
		})
	}
}

func TestLogin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		offered, wanted []string
		used            string
		change          func(*Config)
		fails           *Error
	}{
		"Default":   {used: "PLAIN"},
		"Preferred": {offered: []string{"PLAIN", "LOGIN"}, wanted: []string{"LOGIN", "PLAIN"}, used: "LOGIN"},
		"Offered":   {offered: []string{"LOGIN"}, used: "LOGIN"},
		"None": {
			offered: []string{"XOAUTH2"}, fails: &Error{Text: "the server offers no known way to log in", Misconfigured: true},
		},
		"NoUser": {
			change: func(c *Config) { c.User = "" }, fails: &Error{Code: 530, Enhanced: "5.7.0", Text: "log in first", Misconfigured: true},
		},
		"WrongPassword": {
			change: func(c *Config) { c.Password = "WRONG" },
			fails:  &Error{Code: 535, Enhanced: "5.7.8", Text: "Authentication failed", Misconfigured: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := serve(t, func(own *bundle) {
				own.sink.Mechanisms, own.config.Mechanisms = c.offered, c.wanted
				if c.change != nil {
					c.change(&own.config)
				}
			})
			if c.fails != nil {
				require.Equal(t, c.fails, fails(t, b.open(t)))
				return
			}
			_, err := b.open(t).Send(t.Context(), envelope, content)
			require.NoError(t, err)
			require.Equal(t, c.used, (<-b.mails).Login)
		})
	}
}

// TestRefusedSession: a server that turns the client away for good, before a mail is offered, would do so with any mail.
func TestRefusedSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		greeting, ehlo, helo string
		want                 Error
	}{
		"Blocked":       {"554 5.7.1 your network is blocked", "", "", Error{Code: 554, Enhanced: "5.7.1", Text: "your network is blocked", Misconfigured: true}},
		"UnwantedName":  {"220 hello", "550 not by that name", "550 not by that name", Error{Code: 550, Text: "not by that name", Misconfigured: true}},
		"Busy":          {"421 4.7.0 later", "", "", Error{Code: 421, Enhanced: "4.7.0", Text: "later"}},
		"BusyInTheNext": {"220 hello", "451 later", "451 later", Error{Code: 451, Text: "later"}},
		"OldAndBusy":    {"220 hello", "502 no such command", "421 later", Error{Code: 421, Text: "later"}},
		"HungUp":        {"220 hello", "550 not by that name", hangUp, Error{Code: 550, Text: "not by that name", Misconfigured: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := obliging()
			s.greeting, s.ehlo, s.helo = c.greeting, c.ehlo, c.helo
			require.Equal(t, &c.want, fails(t, s.open(t, nil)))
		})
	}
}

// tokens hands out one token after the other and records which were dropped.
type tokens struct {
	list      []string
	forgotten []string
}

func (s *tokens) Token(context.Context) (string, error) {
	if len(s.list) == 0 {
		return "", errNoToken
	}
	return s.list[0], nil
}

func (s *tokens) Forget(token string) {
	s.forgotten = append(s.forgotten, token)
	s.list = s.list[1:]
}

var errNoToken = errors.New("no token")

// TestTokens: one that is refused is dropped and replaced once.
func TestTokens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		list, forgotten []string
		fails           bool
	}{
		"Accepted":  {list: []string{"GOOD"}},
		"Withdrawn": {list: []string{"OLD", "GOOD"}, forgotten: []string{"OLD"}},
		"Refused":   {list: []string{"OLD", "OLDER", "GOOD"}, forgotten: []string{"OLD"}, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := &tokens{list: c.list}
			b := serve(t, func(own *bundle) {
				own.sink.Password, own.sink.Mechanisms, own.config.Tokens = "GOOD", []string{"PLAIN", "XOAUTH2"}, source
			})
			_, err := b.open(t).Send(t.Context(), envelope, content)
			require.Equal(t, c.forgotten, source.forgotten)
			if c.fails {
				var failure *Error
				require.ErrorAs(t, err, &failure)
				require.Equal(t, 535, failure.Code)
				require.True(t, failure.Misconfigured)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "XOAUTH2", (<-b.mails).Login)
		})
	}
	b := serve(t, func(own *bundle) { own.config.Tokens = &tokens{} })
	_, err := b.open(t).Send(t.Context(), envelope, content)
	require.ErrorIs(t, err, errNoToken)
}

func TestConnectionIsReused(t *testing.T) {
	t.Parallel()
	b := serve(t, nil)
	client := b.open(t)
	send := func() {
		t.Helper()
		_, err := client.Send(t.Context(), envelope, content)
		require.NoError(t, err)
	}
	for range 5 {
		send()
	}
	require.Len(t, b.connections, 1)
	require.Len(t, b.mails, 5)

	require.NoError(t, (<-b.connections).Close()) // the kept connection dies; the next mail must not notice
	send()
	require.Len(t, b.connections, 1)
	require.Len(t, b.mails, 6)

	require.NoError(t, client.Close())
	send() // a mail under way when the client was closed is sent, and nothing is kept
	send()
	require.Len(t, b.connections, 3)
}

// TestIdleConnectionsAreLeft: what waited for longer than servers keep a connection is not used again.
func TestIdleConnectionsAreLeft(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := serve(t, func(own *bundle) { own.config.Now = func() time.Time { return now } })
	client := b.open(t)
	for _, wait := range []time.Duration{0, poolIdle - 1, poolIdle} {
		now = now.Add(wait)
		_, err := client.Send(t.Context(), envelope, content)
		require.NoError(t, err)
	}
	require.Len(t, b.connections, 2)
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	require.EqualError(t, &Error{Code: 550, Enhanced: "5.1.1", Text: "no such user"}, "smtp: 550 5.1.1 no such user")
	require.EqualError(t, &Error{Err: net.ErrClosed}, "smtp: "+net.ErrClosed.Error())
	require.ErrorIs(t, &Error{Err: net.ErrClosed}, net.ErrClosed)
}
