package email

import (
	"context"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/smtp"
	"github.com/carillon/carillon/internal/workflow"
)

var nodemailer = provider.Definition{
	ID: "nodemailer", Name: "Custom SMTP", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		{Name: "host", Label: "Host", Kind: provider.KindString, Check: provider.CheckHost, Required: true, Destination: true},
		{Name: "port", Label: "Port", Kind: provider.KindNumber, Check: provider.CheckPort, Required: true, Destination: true},
		fieldFrom, fieldSenderName,
		{Name: "user", Label: "User", Kind: provider.KindString},
		{Name: "password", Label: "Password", Kind: provider.KindString, Secret: true},
		{Name: "secure", Label: "TLS from the first byte", Kind: provider.KindBool},
		{Name: "requireTls", Label: "Require STARTTLS", Kind: provider.KindBool},
		{Name: "ignoreTls", Label: "Never use STARTTLS", Kind: provider.KindBool},
		{Name: "tlsOptions", Label: "TLS options", Kind: provider.KindObject, Secret: true, Local: true},
		fieldHello,
		{Name: "domain", Label: "DKIM: domain", Kind: provider.KindString},
		{Name: "accountSid", Label: "DKIM: key selector", Kind: provider.KindString},
		{Name: "secretKey", Label: "DKIM: private key", Kind: provider.KindText, Secret: true, Local: true},
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

// smtpAdapter sends mails through one SMTP server.
type smtpAdapter struct {
	creds provider.Credentials
	dkim  crypto.Signer // nil: unsigned
	now   func() time.Time
	smtp  *smtp.Client
}

func newSMTP(d provider.Deps, c provider.Credentials) (*smtpAdapter, error) {
	server, err := smtpServer(d, c)
	if err != nil {
		return nil, err
	}
	return openSMTP(d, c, server)
}

// smtpServer reads the server and the log-in from the credentials.
func smtpServer(d provider.Deps, c provider.Credentials) (smtp.Config, error) {
	options, err := tlsConfig(c.String("host"), d.Roots, c.Object("tlsOptions"))
	return smtp.Config{
		Host: c.String("host"), Port: c.String("port"), Security: security(c), TLS: options, Hello: first(c.String("ehloName"), d.Hello),
		User: c.String("user"), Password: c.Secret("password"), Dial: d.Dial, Now: d.Now, Times: d.SMTP,
	}, err
}

func openSMTP(d provider.Deps, c provider.Credentials, server smtp.Config) (*smtpAdapter, error) {
	a := &smtpAdapter{creds: c, now: d.Now, smtp: smtp.New(server)}
	if c.String("domain") != "" && c.String("accountSid") != "" && c.String("secretKey") != "" {
		pem := strings.ReplaceAll(c.String("secretKey"), `\n`, "\n") // as keys are pasted into one-line settings
		var err error
		if a.dkim, err = gomail.PrivKeyFromPEM([]byte(pem)); err != nil {
			return nil, fault.Invalidf("credentials.secretKey", "DKIM: private key must be a PEM key, RSA or Ed25519")
		}
	}
	return a, nil
}

// tlsPort is where servers expect TLS from the first byte (RFC 8314 §7.3): one that is greeted otherwise says nothing for minutes.
const tlsPort = "465"

// security reads the switches of the credentials: TLS from the first byte wins, then the demand for STARTTLS. Without any of them the
// port decides.
func security(c provider.Credentials) smtp.Security {
	switch {
	case c.Bool("secure"):
		return smtp.ImplicitTLS
	case c.Bool("requireTls"):
		return smtp.RequireStartTLS
	case c.Bool("ignoreTls"):
		return smtp.Unencrypted
	case c.String("secure") == "" && c.String("port") == tlsPort:
		return smtp.ImplicitTLS
	default:
		return smtp.Opportunistic
	}
}

var tlsVersions = map[string]uint16{
	"TLSv1": tls.VersionTLS10, "TLSv1.1": tls.VersionTLS11, "TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13,
}

// tlsConfig reads the options of Node clients; others are ignored.
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
	refused, err := a.smtp.Send(ctx, smtp.Envelope{From: path(env.from), To: env.recipients(), UTF8: env.utf8}, data)
	if err != nil {
		return nil, smtpFailure(err)
	}
	return &provider.Receipt{ID: messageID, Warning: joined(describe(refused), l.leftOut())}, nil
}

// ReceiptID is the Message-ID of a mail from the integration's own address.
func (a *smtpAdapter) ReceiptID(id string) string {
	from := a.creds.String("from")
	if !strings.Contains(from, "@") {
		return ""
	}
	return messageID(id, from)
}

// smtpFailure classifies the failure of a mail (email.md §0.5 and nodemailer). That of an access token has a class already.
func smtpFailure(err error) error {
	var e *smtp.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Err != nil:
		failure := provider.ClassifyNet(e.Err, e.InDoubt, provider.OriginCredentials)
		if provider.Untrusted(e.Err) {
			failure.Class = provider.Fault
		}
		failure.Text = first(e.Text, failure.Text)
		return failure
	}
	failure := &provider.Error{Class: provider.Permanent, Status: e.Code, Code: e.Enhanced, Text: e.Text, OfTarget: e.OfRecipient}
	switch {
	case e.Misconfigured:
		failure.Class = provider.Fault
	case e.Temporary():
		failure.Class = provider.Transient
	}
	return failure
}

// describe is the warning of a mail that some of its recipients do not get.
func describe(refused []smtp.Refusal) string {
	var parts []string
	for _, r := range refused {
		parts = append(parts, fmt.Sprintf("%s refused: %d %s", r.Address, r.Reason.Code, r.Reason.Text))
	}
	return strings.Join(parts, "; ")
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
	return a.smtp.TimeLimit(2 * size) // encoded, content grows by a third or more
}

// Close drops the kept connections.
func (a *smtpAdapter) Close() error { return a.smtp.Close() }
