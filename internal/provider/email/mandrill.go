package email

import (
	"context"
	"fmt"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Unverified: that mails may have about 25 MB.
var mandrill = provider.Definition{
	ID: "mandrill", Name: "Mandrill", Channel: workflow.ChannelEmail,
	Credentials:  []provider.Field{fieldAPIKey, fieldFrom, fieldSenderName, fieldBaseURL},
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://mandrillapp.com")
		return httpAdapter{
			style: provider.Style{Case: provider.SnakeCase, Free: []string{"headers", "metadata", "values", "content"}}, // content: also a template's variable
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/api/1.0/messages/send", Origin: origin,
					Body: &provider.JSON{Root: map[string]any{"message": mandrillMessage(l)}},
				}, nil
			},
			finish: func(_ context.Context, req *provider.Request) { // the key is in the body, where no override may replace it
				if root, ok := req.Body.(*provider.JSON).Root.(map[string]any); ok {
					root["key"] = c.Secret("apiKey")
				}
			},
			read: readMandrill,
			// The same name has come with 4xx and with 500.
			codes: classes(
				[]string{"Invalid_Key", "PaymentRequired"},
				[]string{"GeneralError", "ServiceUnavailable", "RequestLimitExceeded"},
				[]string{"ValidationError", "Unknown_Subaccount", "Unknown_Template"}),
		}.open(d, c), nil
	},
}

func mandrillMessage(l *letter) map[string]any {
	var to []any
	for _, group := range []struct {
		kind string
		list []string
	}{{"to", l.to}, {"cc", l.cc}, {"bcc", l.bcc}} {
		for _, recipient := range group.list {
			address, name := apart(recipient)
			to = append(to, provider.Present(map[string]any{"email": address, "name": name, "type": group.kind}))
		}
	}
	headers := l.extraHeaders()
	if l.replyTo != "" {
		headers["Reply-To"] = l.replyLine()
	}
	files, images := l.split()
	return provider.Present(map[string]any{
		"from_email": l.from, "from_name": l.senderName, "to": to, "subject": l.subject, "html": l.html, "text": l.text,
		"headers": headers, "metadata": l.customData, "preserve_recipients": true,
		"attachments": files.files(func(a provider.Attachment) map[string]any {
			return map[string]any{"type": mimeType(a), "name": fileName(a), "content": encoded(a)}
		}),
		"images": images.files(func(a provider.Attachment) map[string]any {
			return map[string]any{"type": mimeType(a), "name": contentID(a), "content": encoded(a)}
		}),
	})
}

// readMandrill: the answer has an item per recipient. Refused beside others that were taken, a recipient is a warning.
func readMandrill(ans *provider.Answer) reply {
	items, ok := ans.JSON().([]any)
	if !ok {
		return reply{code: ans.At("name"), text: ans.At("message")}
	}
	r := reply{id: ans.At("0._id")}
	var refused []string
	for i := range items {
		item := fmt.Sprintf("%d.", i)
		if status := ans.At(item + "status"); status == "rejected" || status == "invalid" {
			r.text = first(r.text, ans.At(item+"reject_reason"), status)
			refused = append(refused, fmt.Sprintf("%s %s: %s", ans.At(item+"email"), status, ans.At(item+"reject_reason")))
		}
	}
	if r.failed = len(refused) > 0 && len(refused) == len(items); r.failed {
		r.code = ans.At("0.status")
	} else {
		r.warning = strings.Join(refused, "; ")
	}
	return r
}
