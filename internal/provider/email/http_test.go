package email

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

var sendgridFailures = []providertest.Failure{
	{
		Name: "VendorWords",
		Reply: providertest.Reply{
			Status: 400, Body: `{"errors":[{"message":"Invalid type.","field":"from.email","help":null}]}`,
		},
		Want: provider.Error{Class: provider.Permanent, Code: "from.email", Text: "Invalid type."},
	},
	{
		Name:  "BadKey",
		Reply: providertest.Reply{Status: 401, Body: `{"errors":[{"message":"authorization required","field":null}]}`},
		Want:  provider.Error{Class: provider.Fault, Text: "authorization required"},
	},
	{
		Name:  "RateLimitReset",
		Reply: providertest.Reply{Status: 429, Header: map[string]string{"X-RateLimit-Reset": "1740821460"}},
		Want:  provider.Error{Class: provider.Transient, RetryAfter: time.Minute},
	},
}

func TestSendgrid(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.To = append(m.Email.To, "CC@example.com")
	m.CustomData = map[string]any{
		"templateId": "d-1", "dynamicTemplateData": map[string]any{"firstName": "Ada"}, "tier": "gold", "count": 3,
	}
	m.Overrides = map[string]any{
		"sendAt": 1740821400, "headers": map[string]any{"X-camelCase": "kept"},
		"_passthrough": map[string]any{
			"body":    map[string]any{"asm": map[string]any{"groupId": 7}},
			"headers": map[string]any{"Authorization": "Bearer stolen", "X-Extra": "1"},
			"query":   map[string]any{"debug": true},
		},
	}
	m.Merge = map[string]any{"mailSettings": map[string]any{"sandboxMode": map[string]any{"enable": true}}, "subject": "Merged"}
	providertest.Run(t, providertest.Case{
		Definition: sendgrid, Message: m,
		Credentials: provider.Credentials{
			"apiKey": "SG.MARKER-KEY", "from": "shop@example.com", "senderName": "The Shop", "ipPoolName": "pool-1",
		},
		Replies: []providertest.Reply{{Status: 202, Header: map[string]string{"X-Message-Id": "sg-1"}}},
		Receipt: provider.Receipt{ID: "sg-1"}, Failures: sendgridFailures,
	})
	providertest.Run(t, providertest.Case{
		Name: "sendgrid-eu", Definition: sendgrid,
		Credentials: provider.Credentials{"apiKey": "SG.MARKER-KEY", "from": "shop@example.com", "region": "eu"},
		Replies:     []providertest.Reply{{Status: 202, Header: map[string]string{"X-Message-Id": "sg-1"}}},
		Receipt:     provider.Receipt{ID: "sg-1"},
	})
	providertest.Run(t, providertest.Case{
		Name: "sendgrid-base-url", Definition: sendgrid, Origin: provider.OriginCredentials,
		Credentials: provider.Credentials{"apiKey": "SG.MARKER-KEY", "from": "shop@example.com", "baseUrl": "simulator.example.com/sg/"},
		Replies:     []providertest.Reply{{Status: 202}}, NeedsID: true,
	})
}

func TestDemoRelay(t *testing.T) {
	t.Parallel()
	m := providertest.Message(workflow.ChannelEmail)
	m.Email.From, m.Email.SenderName = "foreign@example.com", "Foreign"
	m.Overrides = map[string]any{"from": map[string]any{"email": "foreign@example.com"}}
	providertest.Run(t, providertest.Case{
		Definition: demo, Message: m,
		Deps: func(d *provider.Deps) {
			d.Demo.Email = provider.DemoEmail{
				SendGridKey: "SG.OPERATOR", From: "demo@carillon.example", SenderName: "Carillon", IPPoolName: "Demo",
			}
		},
		Replies: []providertest.Reply{{Status: 202, Header: map[string]string{"X-Message-Id": "sg-1"}}},
		Receipt: provider.Receipt{ID: "sg-1"}, Failures: sendgridFailures,
	})
}

func TestDemoCatches(t *testing.T) {
	t.Parallel()
	catcher := &providertest.Catcher{}
	a, err := demo.New(provider.Deps{Catcher: catcher}, nil)
	require.NoError(t, err)
	m := providertest.Message(workflow.ChannelEmail)
	receipt, err := a.Send(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, m.ID, receipt.ID)
	require.Equal(t, []provider.CaughtMessage{{
		MessageID: m.ID, ProviderID: "svc-email", Channel: workflow.ChannelEmail, Target: "ada@example.com",
		Subject: "Order shipped", HTML: m.Content.HTML, Text: m.Content.Text, Payload: m.Payload,
	}}, catcher.Seen)
}

func TestEmailWebhook(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{
		"webhookUrl": "https://hooks.example.com/mail/MARKER-PATH?key=MARKER-QUERY", "secretKey": "MARKER-SECRET",
		"from": "shop@example.com", "senderName": "The Shop",
	}
	m := providertest.Message(workflow.ChannelEmail)
	m.CustomData = map[string]any{"tier": "gold"}
	m.Merge = map[string]any{
		"extraField": 1,
		"_passthrough": map[string]any{"headers": map[string]any{
			"x-svc-signature": "forged", "content-type": "text/plain", "X-Tenant": "acme",
		}},
	}
	providertest.Run(t, providertest.Case{
		Definition: webhook, Credentials: creds, Message: m, Origin: provider.OriginCredentials,
		Replies: []providertest.Reply{{Status: 204}},
		Receipt: provider.Receipt{ID: m.ID},
	})
	bare := providertest.Message(workflow.ChannelEmail)
	bare.Email = &provider.Email{To: []string{"ada@example.com"}}
	bare.Content.Text, bare.Payload, bare.Subscriber = "", nil, nil
	providertest.Run(t, providertest.Case{
		Name: "email-webhook-bare", Definition: webhook, Message: bare, Origin: provider.OriginCredentials,
		Credentials: provider.Credentials{"webhookUrl": "hooks.example.com/mail", "secretKey": "MARKER-SECRET"},
		Deps:        func(d *provider.Deps) { d.Prefix = "acme" },
		Replies:     []providertest.Reply{{Body: "thanks"}},
		Receipt:     provider.Receipt{ID: m.ID},
	})
}

func TestHeaderInjectionIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*provider.Message){
		"subject":      func(m *provider.Message) { m.Content.Title = "Hello\r\nBcc: all@example.com" },
		"to":           func(m *provider.Message) { m.Email.To = []string{"a@example.com\nBcc: b@example.com"} },
		"cc":           func(m *provider.Message) { m.Email.CC = []string{"a@example.com\r"} },
		"sender name":  func(m *provider.Message) { m.Email.SenderName = "A\nB" },
		"reply-to":     func(m *provider.Message) { m.Email.ReplyTo = "a@example.com\r\nX: y" },
		"header name":  func(m *provider.Message) { m.Email.Headers = map[string]string{"X\r\nBcc": "b@example.com"} },
		"header value": func(m *provider.Message) { m.Email.Headers = map[string]string{"X-A": "1\r\nBcc: b@example.com"} },
		"file name":    func(m *provider.Message) { m.Email.Attachments[0].Name = "a\r\nX: y" },
	} {
		m := providertest.Message(workflow.ChannelEmail)
		change(m)
		_, err := compose(m, "shop@example.com", "")
		require.Error(t, err, name)
		require.Equal(t, provider.Permanent, provider.AsError(err).Class, name)
	}
}
