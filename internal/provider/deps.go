package provider

import (
	"cmp"
	"context"
	"crypto/x509"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/smtp"
	"github.com/carillon/carillon/internal/workflow"
)

// Deps is what an adapter may use of the world. Registry.Open fills what is missing; a missing way out is a closed one.
type Deps struct {
	Vendor http.RoundTripper // to addresses fixed by a vendor
	Chosen http.RoundTripper // to addresses chosen by a user, behind the egress guard
	Dial   DialFunc          // to hosts chosen by a user, for SMTP, behind the egress guard
	Roots  *x509.CertPool    // trusted certificates for SMTP; nil: the system's
	Log    *slog.Logger      // warnings that change no outcome

	Catcher Catcher // where the demo senders deliver without the operator's credentials
	Quota   Quota   // caps the use of the operator's demo credentials; nil: no cap
	Demo    Demo

	Tokens *Tokens // access tokens, shared by the adapters of a process; nil: each adapter's own

	Hello    string // by which this process greets SMTP servers, a host name; default its address on loopback
	Receipts string // where the integration receives reports; "": it receives none, or the address may not be sent with each message

	Prefix  string           // the product name in header names (VALUE_PREFIX); default "svc"
	Version string           // shown in User-Agent; default "dev"
	Timeout time.Duration    // of one call over HTTP, all its requests and answers together; default 30 s
	SMTP    smtp.Times       // of the steps of an SMTP session; zero fields get their defaults
	Now     func() time.Time // default time.Now
	Clock   func() time.Time // the environment's, by which an answer's dates are read; default Now
}

func (d Deps) withDefaults() Deps {
	d.Prefix = cmp.Or(d.Prefix, "svc")
	d.Version = cmp.Or(d.Version, "dev")
	d.Timeout = cmp.Or(d.Timeout, 30*time.Second)
	d.SMTP = d.SMTP.WithDefaults()
	d.Hello = cmp.Or(d.Hello, "[127.0.0.1]")
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Clock == nil {
		d.Clock = d.Now
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Vendor == nil {
		d.Vendor = noWay{}
	}
	if d.Chosen == nil {
		d.Chosen = noWay{}
	}
	if d.Dial == nil {
		d.Dial = noWay{}.dial
	}
	return d
}

// noWay replaces a transport that was not given: net/http would use its own, without the guard.
type noWay struct{}

// RoundTrip refuses.
func (noWay) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return nil, egress.ErrRefused
}

func (noWay) dial(context.Context, string, string) (net.Conn, error) { return nil, egress.ErrRefused }

// DialFunc opens a TCP connection, as net.Dialer.DialContext does.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Catcher keeps messages of the demo senders for GraphQL to list.
type Catcher interface {
	// Catch stores m. A second call with the same MessageID and target stores nothing more.
	Catch(ctx context.Context, m CaughtMessage) error
}

// CaughtMessage is what a demo sender would have sent.
type CaughtMessage struct {
	MessageID  string // of the stored message
	ProviderID string // svc-email, svc-sms, svc-slack
	Channel    workflow.Channel
	Target     string // address, phone, channel or user id; never a webhook URL
	Subject    string
	HTML, Text string
	Payload    map[string]any // the trigger's
}

// Quota counts messages that go out on the operator's demo credentials.
type Quota interface {
	// Take counts the message once, however often it is tried; ok is false when the cap is reached.
	Take(ctx context.Context, providerID, messageID string) (ok bool, err error)
}

// Demo holds the operator's own credentials for svc-email, svc-sms and svc-slack; all empty means the catcher.
type Demo struct {
	Email DemoEmail
	SMS   DemoSMS
	Slack DemoSlack
}

// DemoEmail relays through SendGrid when SendGridKey is set, else through SMTPURL (smtp://user:password@host:port, or
// smtps:// for TLS from the first byte).
type DemoEmail struct{ SendGridKey, SMTPURL, From, SenderName, IPPoolName string }

// DemoSMS relays through Twilio.
type DemoSMS struct{ AccountSID, Token, From string }

// DemoSlack is the OAuth application through which workspaces connect.
type DemoSlack struct{ ClientID, ClientSecret string }
