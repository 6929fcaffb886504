package email

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var netcore = provider.Definition{
	ID: "netcore", Name: "Netcore", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey, fieldFrom, fieldSenderName,
		{Name: "region", Label: "Region, eu for Europe", Kind: provider.KindString},
		fieldBaseURL,
	},
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		vendor := "https://emailapi.netcorecloud.net"
		if c.String("region") == "eu" {
			vendor = "https://apieu.netcorecloud.net"
		}
		address, origin := base(c, vendor)
		return httpAdapter{
			style: provider.Style{Case: provider.SnakeCase, Free: []string{"attributes", "headers"}},
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/v5.1/mail/send", Origin: origin, Secure: http.Header{"Api_key": {c.Secret("apiKey")}},
					Body: jsonBody(netcoreBody(l)),
				}, nil
			},
			read: func(ans *provider.Answer) reply {
				return reply{
					// Unverified: the names other than data.message_id.
					id:     ans.At("data.message_id", "data.message_ids.0", "message_ids.0", "DATA.MESSAGE_ID"),
					failed: ans.At("status") == "error",
					code:   ans.At("error.field", "error.0.field"),
					text:   ans.At("error.message", "error.0.message", "error.description", "error.0.description", "error", "message"),
				}
			},
		}.open(d, c), nil
	},
}

// netcoreBody has no place for plain text, custom headers and images inside the HTML: the vendor documents none.
func netcoreBody(l *letter) map[string]any {
	personalization := map[string]any{
		"to": people(l.to), "cc": people(l.cc), "bcc": people(l.bcc),
		"attachments": l.files(func(a provider.Attachment) map[string]any {
			return map[string]any{"name": fileName(a), "content": encoded(a)}
		}),
	}
	if len(l.to) == 1 { // Unverified: how the token is written for several
		personalization["token_to"] = l.id
	}
	l.leaveHeaders("the vendor takes no headers", slices.Sorted(maps.Keys(l.extraHeaders())))
	return map[string]any{
		"from": person(l.from, l.senderName), "subject": l.subject, "reply_to": l.replyLine(),
		"content":          []any{map[string]any{"type": "html", "value": l.page()}},
		"personalizations": []any{provider.Present(personalization)},
	}
}
