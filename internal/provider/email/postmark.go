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
	Capabilities: provider.Capabilities{Attachments: true},
	Receipts:     &provider.ReceiptReader{Verify: provider.VerifyPassword, Parse: parsePostmarkReceipts},
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
		"ReplyTo": l.replyLine(), "Subject": l.subject, "HtmlBody": l.html, "TextBody": l.text,
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

var postmarkOutcomes = provider.Outcomes{
	"Delivery":      provider.OutcomeDelivered,
	"Bounce":        provider.OutcomeSoftBounce,
	"SpamComplaint": provider.OutcomeComplained,
	"Open":          provider.OutcomeOpened,
	"Click":         provider.OutcomeClicked,
}

// postmarkHardBounces are the types of bounces after which the vendor itself sends no more; the list is unverified.
var postmarkHardBounces = map[string]bool{"HardBounce": true, "BadEmailAddress": true, "ManuallyDeactivated": true}

func parsePostmarkReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		what, ok := postmarkOutcomes[e.Text("RecordType")]
		if ok && e.Text("RecordType") == "Bounce" && (postmarkHardBounces[e.Text("Type")] || e.Text("Inactive") == "true") {
			what = provider.OutcomeHardBounce
		}
		r := provider.Reported{MessageID: e.Text("MessageID"), Recipient: e.Text("Recipient"), Detail: e.Text("Description")}
		if r.Recipient == "" {
			r.Recipient = e.Text("Email")
		}
		for _, name := range []string{"DeliveredAt", "BouncedAt", "ReceivedAt"} {
			if at := e.Text(name); at != "" {
				r.At = provider.ReportTime(at)
			}
		}
		return r, what, ok
	})
}
