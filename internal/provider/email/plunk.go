package email

import (
	"context"
	"net/http"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var plunk = provider.Definition{
	ID: "plunk", Name: "Plunk", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey, {Name: "from", Label: "From address", Kind: provider.KindString, Check: provider.CheckEmail}, fieldSenderName, fieldBaseURL,
	},
	// The idempotency key is no capability: only the vendor's newer API takes it.
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://api.useplunk.com")
		if !strings.HasSuffix(address, "/v1/send") {
			address += "/v1/send"
		}
		return httpAdapter{
			style: provider.Style{Free: []string{"headers", "data"}},
			request: func(_ context.Context, m *provider.Message, l *letter) (*provider.Request, error) {
				l.makeLiteral(m, "data") // the vendor fills in what it knows of the contact
				return &provider.Request{
					URL: address, Origin: origin, Header: http.Header{"Idempotency-Key": {l.id}},
					Secure: provider.Bearer(c.Secret("apiKey")), Body: jsonBody(plunkBody(l)),
				}, nil
			},
			read:  readPlunk,
			codes: classes(nil, []string{plunkInProgress}, nil),
		}.open(d, c), nil
	},
}

// plunkBody: every address gets a mail of its own, which is why those of cc and bcc can be among the others.
func plunkBody(l *letter) map[string]any {
	return map[string]any{
		"to": distinct(l.to, l.cc, l.bcc), "subject": l.subject, "body": first(l.html, l.text), "from": l.from, "name": l.senderName,
		"reply": l.replyLine(), "headers": l.extraHeaders(),
		"attachments": l.files(func(a provider.Attachment) map[string]any {
			file := map[string]any{"filename": fileName(a), "content": encoded(a), "contentType": mimeType(a)}
			if inline(a) { // known to the newer API only
				file["contentId"], file["disposition"] = contentID(a), "inline"
			}
			return file
		}),
	}
}

// plunkReused says that the idempotency key was seen before; plunkInProgress is such an answer about a request
// whose outcome is still open.
const (
	plunkReused     = "IDEMPOTENCY_KEY_REUSED"
	plunkInProgress = plunkReused + " in progress"
)

func readPlunk(ans *provider.Answer) reply {
	r := reply{
		id:     ans.At("emails.0.email", "data.emails.0.email"),
		failed: ans.At("success") == "false",
		code:   ans.At("error.code", "error"), text: ans.At("error.message", "message"),
	}
	if ans.Status != http.StatusConflict || first(r.code, ans.At("code")) != plunkReused {
		return r
	}
	// Unverified: where the details are.
	switch original := ans.At("details.originalStatusCode", "error.details.originalStatusCode"); {
	case original == "":
		r.code = plunkInProgress
	case strings.HasPrefix(original, "2"):
		r = reply{accepted: true}
	default:
		r.code = plunkReused
	}
	return r
}
