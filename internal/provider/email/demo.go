package email

import (
	"context"
	"errors"
	"net"
	"net/url"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// demo lets a new environment send a few mails before it has a provider of its own. It has no credentials: the operator
// configures a SendGrid key or a relay for the whole server, otherwise mails go to the catcher.
var demo = provider.Definition{
	ID: "svc-email", Name: "Demo e-mail", Channel: workflow.ChannelEmail,
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
		return newDemo(d)
	},
}

type demoAdapter struct {
	deps provider.Deps
	mail func(ctx context.Context, m *provider.Message, l *letter) (*provider.Receipt, error)
	time func(m *provider.Message) time.Duration
	done func() error
}

func newDemo(d provider.Deps) (*demoAdapter, error) {
	a := &demoAdapter{
		deps: d, done: func() error { return nil }, time: func(*provider.Message) time.Duration { return d.Timeout },
	}
	c := d.Demo.Email
	switch {
	case c.SendGridKey != "":
		s := newSendgrid(d, provider.Credentials{"apiKey": c.SendGridKey})
		a.mail = func(ctx context.Context, m *provider.Message, l *letter) (*provider.Receipt, error) {
			return s.send(ctx, m, l, c.IPPoolName)
		}
	case c.SMTPURL != "":
		relay, err := newRelay(d, c.SMTPURL)
		if err != nil {
			return nil, err
		}
		a.mail, a.time, a.done = relay.send, relay.TimeLimit, relay.Close
	default:
		a.mail = a.catch
	}
	return a, nil
}

// TimeLimit is that of what sends here.
func (a *demoAdapter) TimeLimit(m *provider.Message) time.Duration { return a.time(m) }

// Send relays, or catches. The sender is always the configured one, whatever the message says, so that the
// shared key writes under no foreign name.
func (a *demoAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	l, err := compose(m, "", "")
	if err != nil {
		return nil, err
	}
	if err := l.requireRecipient(); err != nil {
		return nil, err
	}
	c := a.deps.Demo.Email
	if c.SendGridKey != "" || c.SMTPURL != "" {
		l.senderName = ""
		l.sendAs(c.From, c.SenderName)
		if err := provider.TakeQuota(ctx, a.deps, "svc-email", m.ID); err != nil {
			return nil, err
		}
		plain := *m
		plain.Overrides, plain.Merge = nil, nil // an override must not bring the foreign sender back
		m = &plain
	}
	return a.mail(ctx, m, l)
}

func (a *demoAdapter) catch(ctx context.Context, m *provider.Message, l *letter) (*provider.Receipt, error) {
	return provider.Caught(ctx, a.deps, provider.CaughtMessage{
		MessageID: m.ID, ProviderID: "svc-email", Channel: workflow.ChannelEmail, Target: l.to[0],
		Subject: l.subject, HTML: l.html, Text: l.text, Payload: m.Payload,
	})
}

// Close drops the relay's connections.
func (a *demoAdapter) Close() error { return a.done() }

// newRelay is the SMTP adapter for the operator's own relay, which passes no egress guard.
func newRelay(d provider.Deps, raw string) (*smtpAdapter, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("the demo sender's SMTP address must read smtp://user:password@host:port")
	}
	port := first(u.Port(), map[string]string{"smtp": "587", "smtps": "465"}[u.Scheme])
	password, _ := u.User.Password()
	d.Dial = new(net.Dialer).DialContext
	return newSMTP(d, provider.Credentials{
		"host": u.Hostname(), "port": port, "secure": u.Scheme == "smtps",
		"user": u.User.Username(), "password": password,
	})
}
