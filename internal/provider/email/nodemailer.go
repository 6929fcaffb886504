package email

import (
	"context"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var nodemailer = provider.Definition{
	ID: "nodemailer", Name: "Custom SMTP", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		{Name: "host", Label: "Host", Kind: provider.KindString, Check: provider.CheckHost, Required: true},
		{Name: "port", Label: "Port", Kind: provider.KindNumber, Check: provider.CheckPort, Required: true},
		fieldFrom, fieldSenderName,
		{Name: "user", Label: "User", Kind: provider.KindString},
		{Name: "password", Label: "Password", Kind: provider.KindString, Secret: true},
		{Name: "secure", Label: "TLS from the first byte", Kind: provider.KindBool},
		{Name: "requireTls", Label: "Require STARTTLS", Kind: provider.KindBool},
		{Name: "ignoreTls", Label: "Never use STARTTLS", Kind: provider.KindBool},
		{Name: "tlsOptions", Label: "TLS options", Kind: provider.KindObject, Secret: true},
		fieldHello,
		{Name: "domain", Label: "DKIM: domain", Kind: provider.KindString},
		{Name: "accountSid", Label: "DKIM: key selector", Kind: provider.KindString},
		{Name: "secretKey", Label: "DKIM: private key", Kind: provider.KindText, Secret: true},
	},
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return newSMTP(d, c)
	},
}

// fieldHello is the name by which a server is greeted (EHLO); servers compare it with the sender's own address.
var fieldHello = provider.Field{
	Name: "ehloName", Label: "EHLO name in place of this server's", Kind: provider.KindString, Check: provider.CheckHello,
}

// smtpAdapter hands mails to one SMTP server. It keeps a few connections open between mails.
type smtpAdapter struct {
	creds               provider.Credentials
	host, address       string
	secure, must, never bool // TLS from the first byte; STARTTLS required; STARTTLS forbidden
	user, password      string
	logins              []string        // ways to log in, the preferred one first
	grant               *provider.Grant // the access token to log in with in place of the password; nil: none
	tls                 *tls.Config
	dkim                crypto.Signer // nil: unsigned
	dial                provider.DialFunc
	now                 func() time.Time
	hello               string
	times               provider.SMTPTimes
	tokenTime           time.Duration // of a request for an access token
	pool                pool
}

func newSMTP(d provider.Deps, c provider.Credentials) (*smtpAdapter, error) {
	a := &smtpAdapter{
		creds: c, host: c.String("host"), address: net.JoinHostPort(c.String("host"), c.String("port")),
		secure: c.Bool("secure"), must: c.Bool("requireTls"), never: c.Bool("ignoreTls"),
		user: c.String("user"), password: c.Secret("password"), logins: []string{"PLAIN", "LOGIN", "CRAM-MD5"},
		dial: d.Dial, now: d.Now, hello: first(c.String("ehloName"), d.Hello), times: d.SMTP, tokenTime: d.Timeout,
	}
	var err error
	if a.tls, err = tlsConfig(a.host, d.Roots, c.Object("tlsOptions")); err != nil {
		return nil, err
	}
	if c.String("domain") != "" && c.String("accountSid") != "" && c.String("secretKey") != "" {
		pem := strings.ReplaceAll(c.String("secretKey"), `\n`, "\n") // as keys are pasted into one-line settings
		if a.dkim, err = gomail.PrivKeyFromPEM([]byte(pem)); err != nil {
			return nil, fault.Invalidf("credentials.secretKey", "DKIM: private key must be a PEM key, RSA or Ed25519")
		}
	}
	return a, nil
}

var tlsVersions = map[string]uint16{
	"TLSv1": tls.VersionTLS10, "TLSv1.1": tls.VersionTLS11, "TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13,
}

// tlsConfig reads the options that Node clients know; others are ignored.
func tlsConfig(host string, roots *x509.CertPool, o map[string]any) (*tls.Config, error) {
	c := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, RootCAs: roots}
	if verify, ok := o["rejectUnauthorized"].(bool); ok {
		c.InsecureSkipVerify = !verify
	}
	if name, ok := o["servername"].(string); ok && name != "" {
		c.ServerName = name
	}
	for key, target := range map[string]*uint16{"minVersion": &c.MinVersion, "maxVersion": &c.MaxVersion} {
		if name, ok := o[key].(string); ok && name != "" {
			if *target, ok = tlsVersions[name]; !ok {
				return nil, fault.Invalidf("credentials.tlsOptions", "%s must be a version such as TLSv1.2", key)
			}
		}
	}
	if ca, ok := o["ca"].(string); ok && ca != "" {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM([]byte(ca)) {
			return nil, fault.Invalidf("credentials.tlsOptions", "ca must be a PEM certificate")
		}
	}
	cert, _ := o["cert"].(string)
	if key, _ := o["key"].(string); cert != "" && key != "" {
		pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
		if err != nil {
			return nil, fault.Invalidf("credentials.tlsOptions", "cert and key must be a PEM pair")
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// Send hands one mail with all its recipients to the server.
func (a *smtpAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	l, err := compose(m, a.creds.String("from"), a.creds.String("senderName"))
	if err != nil {
		return nil, err
	}
	if err := l.override(provider.InputOverrides(m)); err != nil {
		return nil, err
	}
	return a.send(ctx, m, l)
}

func (a *smtpAdapter) send(ctx context.Context, _ *provider.Message, l *letter) (*provider.Receipt, error) {
	env, err := newEnvelope(l)
	if err != nil {
		return nil, err
	}
	data, messageID, err := a.render(l, env)
	if err != nil {
		return nil, err
	}
	warning, err := a.deliver(ctx, env, data)
	if err != nil {
		return nil, err
	}
	return &provider.Receipt{ID: messageID, Warning: warning}, nil
}

// TimeLimit is how long the attempt for m may take: a server is waited for as long as it may need, and longer for a large
// mail.
func (a *smtpAdapter) TimeLimit(m *provider.Message) time.Duration {
	size := len(m.Content.HTML) + len(m.Content.Text)
	if m.Email != nil {
		for _, f := range m.Email.Attachments {
			size += len(f.File)
		}
	}
	return a.times.Connect + a.times.Transfer(2*size) + a.times.End // encoded, content grows by a third or more
}

// deliver uses a kept connection if there is one. A server may have closed it meanwhile: when it did so before taking
// the sender, nothing was offered yet and a fresh connection makes the one attempt.
func (a *smtpAdapter) deliver(ctx context.Context, env *envelope, data []byte) (warning string, err error) {
	until := time.Now().Add(a.times.Transfer(len(data)))
	if s := a.pool.take(a.now()); s != nil {
		if out := a.over(ctx, s, until, env, data); !out.stale {
			return out.warning, out.err
		}
	}
	s, err := a.connect(ctx, until)
	if err != nil {
		return "", err
	}
	out := a.over(ctx, s, until, env, data)
	return out.warning, out.err
}

// outcome of one transaction; stale says that the connection was gone before the server took the sender.
type outcome struct {
	warning string
	err     error
	stale   bool
}

// over makes the transaction over s and keeps s when it can be used again.
func (a *smtpAdapter) over(ctx context.Context, s *session, until time.Time, env *envelope, data []byte) outcome {
	release := s.conn.within(ctx, until)
	out := s.transact(env, data)
	fit := release()
	if failure := provider.AsError(out.err); failure != nil && failure.Status == 0 && errors.Is(context.Cause(ctx), context.Canceled) {
		failure.Text = "interrupted" // and not, as the connection says, too slow
	}
	if fit && s.reusable {
		a.pool.put(s, a.now())
	} else {
		s.close()
	}
	return out
}

// Close drops the kept connections.
func (a *smtpAdapter) Close() error { a.pool.close(); return nil }
