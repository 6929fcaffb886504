package email

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var postmark = provider.Definition{
	ID: "postmark", Name: "Postmark", Channel: workflow.ChannelEmail,
	Credentials:  []provider.Field{fieldAPIKey, fieldFrom, fieldSenderName, fieldBaseURL},
	Capabilities: provider.Capabilities{Attachments: true, Receipts: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://api.postmarkapp.com")
		return httpAdapter{
			style: provider.Style{Case: provider.PascalCase, Free: []string{"Metadata"}},
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/email", Origin: origin, Secure: http.Header{"X-Postmark-Server-Token": {c.Secret("apiKey")}},
					Body: jsonBody(postmarkBody(l)),
				}, nil
			},
			read: func(ans *provider.Answer) reply {
				r := reply{id: ans.At("MessageID"), code: ans.At("ErrorCode"), text: ans.At("Message")}
				r.date, _ = time.Parse(time.RFC3339, ans.At("SubmittedAt"))
				r.failed = r.code != "" && r.code != "0" // whatever the status
				return r
			},
			codes: classes([]string{"10", "400", "401", "405", "412"}, nil, nil),
		}.open(d, c), nil
	},
}

func postmarkBody(l *letter) map[string]any {
	return map[string]any{
		"From": named(l.senderName, l.from), "To": strings.Join(l.to, ","), "Cc": strings.Join(l.cc, ","), "Bcc": strings.Join(l.bcc, ","),
		"ReplyTo": l.replyTo, "Subject": l.subject, "HtmlBody": l.html, "TextBody": l.text,
		"Headers": l.headerList("Name", "Value"), "Metadata": l.metadata(),
		"Attachments": l.files(func(a provider.Attachment) map[string]any {
			file := map[string]any{"Name": fileName(a), "Content": encoded(a), "ContentType": mimeType(a)}
			if inline(a) {
				file["ContentID"] = "cid:" + contentID(a)
			}
			return file
		}),
	}
}
