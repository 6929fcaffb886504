package email

import (
	"context"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var mailtrap = provider.Definition{
	ID: "mailtrap", Name: "Mailtrap", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey, fieldFrom, fieldSenderName,
		{Name: "baseUrl", Label: "Base address, of the bulk stream or a sandbox", Kind: provider.KindURL, Destination: true},
	},
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://send.api.mailtrap.io")
		if !strings.Contains(address, "/api/send") { // that of a sandbox ends with the number of an inbox
			address += "/api/send"
		}
		return httpAdapter{
			style: provider.Style{Case: provider.SnakeCase, Free: []string{"headers", "custom_variables", "template_variables"}},
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address, Origin: origin, Secure: provider.Bearer(c.Secret("apiKey")), Body: jsonBody(mailtrapBody(l)),
				}, nil
			},
			read: func(ans *provider.Answer) reply {
				return reply{id: ans.At("message_ids.0"), failed: ans.At("success") == "false", text: ans.At("errors.0", "error")}
			},
		}.open(d, c), nil
	},
}

func mailtrapBody(l *letter) map[string]any {
	return map[string]any{
		"from": person(l.from, l.senderName), "to": people(l.to), "cc": people(l.cc), "bcc": people(l.bcc),
		"reply_to": l.replyPerson(), "subject": l.subject, "text": l.text, "html": l.html, "headers": l.extraHeaders(),
		"custom_variables": l.customData,
		"attachments": l.files(func(a provider.Attachment) map[string]any {
			file := map[string]any{"content": encoded(a), "filename": fileName(a), "type": mimeType(a), "disposition": disposition(a)}
			if inline(a) {
				file["content_id"] = contentID(a)
			}
			return file
		}),
	}
}
