package email

import (
	"context"
	"net/url"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var mailgun = provider.Definition{
	ID: "mailgun", Name: "Mailgun", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey,
		{Name: "domain", Label: "Domain", Kind: provider.KindString, Required: true},
		fieldFrom, fieldSenderName,
		{Name: "user", Label: "User name", Kind: provider.KindString, Default: "api"},
		{Name: "baseUrl", Label: "Base address, https://api.eu.mailgun.net in Europe", Kind: provider.KindURL, Default: "https://api.mailgun.net"},
	},
	Capabilities: provider.Capabilities{Attachments: true, Receipts: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://api.mailgun.net")
		address = strings.TrimSuffix(address, "/v3")
		return httpAdapter{
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/v3/" + url.PathEscape(c.String("domain")) + "/messages", Origin: origin,
					Secure: provider.Basic(first(c.String("user"), "api"), c.Secret("apiKey")),
					Body:   form(l, mailgunFields(l), "attachment", "inline"),
				}, nil
			},
			read: func(ans *provider.Answer) reply { return reply{id: ans.At("id"), text: ans.At("message")} },
		}.open(d, c), nil
	},
}

func mailgunFields(l *letter) map[string][]string {
	fields := map[string][]string{
		"from": {named(l.senderName, l.from)}, "to": l.to, "cc": l.cc, "bcc": l.bcc, "subject": {l.subject}, "html": {l.html},
		"text": {l.text}, "h:Reply-To": {l.replyTo},
	}
	for name, value := range l.extraHeaders() {
		fields["h:"+name] = []string{provider.Text(value)}
	}
	for name, value := range l.metadata() {
		fields["v:"+name] = []string{provider.Text(value)}
	}
	return fields
}
