package email

import (
	"context"
	"slices"
	"strconv"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var mailjet = provider.Definition{
	ID: "mailjet", Name: "Mailjet", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey,
		{Name: "secretKey", Label: "Secret key", Kind: provider.KindString, Required: true, Secret: true},
		fieldFrom, fieldSenderName,
		fieldBaseURL, // Unverified: https://api.us.mailjet.com for accounts on the US platform
	},
	Capabilities: provider.Capabilities{Attachments: true},
	Receipts:     &provider.ReceiptReader{Verify: provider.VerifyPassword, Parse: parseMailjetReceipts},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://api.mailjet.com")
		return httpAdapter{
			request: func(_ context.Context, m *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/v3.1/send", Origin: origin, Secure: provider.Basic(c.String("apiKey"), c.Secret("secretKey")),
					Body: &provider.JSON{Root: mailjetOverride(m, mailjetMessage(l))},
				}, nil
			},
			overridden: true,
			read:       readMailjet,
			codes:      classes([]string{"mj-0003", "send-0008"}, nil, nil),
		}.open(d, c), nil
	},
}

var mailjetStyle = provider.Style{Case: provider.PascalCase, Free: []string{"Headers", "Variables", "DefaultVariables"}}

// mailjetNames are the vendor's names that are not plain PascalCase.
var mailjetNames = map[string]string{
	"HtmlPart": "HTMLPart", "CustomId": "CustomID", "TemplateId": "TemplateID", "UrlTags": "URLTags", "ContentId": "ContentID",
}

// mailjetSpelling gives every member of v its vendor's name; what is below free maps is the caller's own.
func mailjetSpelling(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			name = first(mailjetNames[name], name)
			if !slices.Contains(mailjetStyle.Free, name) {
				member = mailjetSpelling(member)
			}
			out[name] = member
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = mailjetSpelling(v[i])
		}
		return out
	default:
		return v
	}
}

// mailjetEnvelope are the fields of the request; all others are fields of its one message.
var mailjetEnvelope = map[string]bool{"Messages": true, "Globals": true, "SandboxMode": true, "AdvanceErrorHandling": true}

func mailjetMessage(l *letter) map[string]any {
	files, images := l.split()
	return provider.Present(map[string]any{
		"From": mailjetPerson(l.from, l.senderName), "To": mailjetPeople(l.to), "Cc": mailjetPeople(l.cc), "Bcc": mailjetPeople(l.bcc),
		"ReplyTo": mailjetPerson(l.replier()), "Subject": l.subject, "HTMLPart": l.html, "TextPart": l.text,
		"Attachments": files.files(mailjetFile), "Headers": l.extraHeaders(), "CustomID": l.id, "EventPayload": l.metadataText(),
		"InlinedAttachments": images.files(func(a provider.Attachment) map[string]any {
			file := mailjetFile(a)
			file["ContentID"] = contentID(a)
			return file
		}),
	})
}

// mailjetOverride lays the overrides over the request, and those that are fields of a message over its one message.
func mailjetOverride(m *provider.Message, message map[string]any) map[string]any {
	root, fields := map[string]any{}, map[string]any{}
	extra, _ := mailjetSpelling(provider.Extra(m, mailjetStyle)).(map[string]any)
	for name, v := range extra {
		if mailjetEnvelope[name] {
			root[name] = v
		} else {
			fields[name] = v
		}
	}
	return provider.Merge(map[string]any{"Messages": []any{provider.Merge(message, fields)}}, root)
}

func mailjetPerson(address, name string) any {
	if address == "" {
		return nil
	}
	return provider.Present(map[string]any{"Email": address, "Name": name})
}

func mailjetPeople(list []string) []any {
	var out []any
	for _, recipient := range list {
		out = append(out, mailjetPerson(apart(recipient)))
	}
	return out
}

func mailjetFile(a provider.Attachment) map[string]any {
	return map[string]any{"ContentType": mimeType(a), "Filename": fileName(a), "Base64Content": encoded(a)}
}

func readMailjet(ans *provider.Answer) reply {
	status, _ := strconv.Atoi(ans.At("Messages.0.Errors.0.StatusCode"))
	return reply{
		status: status,
		id:     first(ans.At("Messages.0.To.0.MessageID"), ans.Header.Get("X-Mj-Request-Guid")),
		failed: ans.At("Messages.0.Status") == "error",
		code:   ans.At("Messages.0.Errors.0.ErrorCode", "ErrorCode"),
		text:   ans.At("Messages.0.Errors.0.ErrorMessage", "ErrorMessage"),
	}
}

var mailjetOutcomes = provider.Outcomes{
	"sent":    provider.OutcomeDelivered,
	"open":    provider.OutcomeOpened,
	"click":   provider.OutcomeClicked,
	"bounce":  provider.OutcomeSoftBounce,
	"blocked": provider.OutcomeFailed,
	"spam":    provider.OutcomeComplained,
}

func parseMailjetReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		what, ok := mailjetOutcomes[e.Text("event")]
		if e.Text("event") == "bounce" && e.Text("hard_bounce") == "true" {
			what = provider.OutcomeHardBounce
		}
		return provider.Reported{
			MessageID: e.Text("MessageID"), OwnID: e.Text("CustomID"), Recipient: e.Text("email"), At: provider.ReportTime(e.Text("time")), Detail: e.Text("error"),
		}, what, ok
	})
}
