package email

import (
	"context"
	"net/http"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var resend = provider.Definition{
	ID: "resend", Name: "Resend", Channel: workflow.ChannelEmail,
	Credentials:  []provider.Field{fieldAPIKey, fieldFrom, fieldSenderName, fieldBaseURL},
	Capabilities: provider.Capabilities{Attachments: true, IdempotencyKey: true},
	Receipts:     &provider.ReceiptReader{Verify: provider.VerifySvix, Parse: parseResendReceipts, Signed: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://api.resend.com")
		return httpAdapter{
			style: provider.Style{Case: provider.SnakeCase, Free: []string{"headers"}},
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/emails", Origin: origin, Header: http.Header{"Idempotency-Key": {l.id}},
					Secure: provider.Bearer(c.Secret("apiKey")), Body: jsonBody(resendBody(l)),
				}, nil
			},
			read: func(ans *provider.Answer) reply {
				return reply{id: ans.At("id"), code: ans.At("name"), text: ans.At("message")}
			},
			codes: classes(nil, []string{"concurrent_idempotent_requests"}, nil),
		}.open(d, c), nil
	},
}

func resendBody(l *letter) map[string]any {
	return map[string]any{
		"from": named(l.senderName, l.from), "to": l.to, "cc": l.cc, "bcc": l.bcc, "reply_to": l.replyLine(), "subject": l.subject,
		"html": l.html, "text": l.text, "headers": l.extraHeaders(),
		"attachments": l.files(func(a provider.Attachment) map[string]any {
			file := map[string]any{"filename": fileName(a), "content": encoded(a), "content_type": a.MIME}
			if inline(a) {
				file["content_id"] = contentID(a)
			}
			return file
		}),
	}
}

var resendOutcomes = provider.Outcomes{
	"email.delivered":  provider.OutcomeDelivered,
	"email.bounced":    provider.OutcomeHardBounce,
	"email.complained": provider.OutcomeComplained,
	"email.opened":     provider.OutcomeOpened,
	"email.clicked":    provider.OutcomeClicked,
	"email.failed":     provider.OutcomeFailed,
}

func parseResendReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		what, ok := resendOutcomes[e.Text("type")]
		// The words of the bounce's type are unverified; without one it counts as final.
		if kind := strings.ToLower(e.Text("data", "bounce", "type")); ok && what == provider.OutcomeHardBounce && (kind == "transient" || kind == "undetermined") {
			what = provider.OutcomeSoftBounce
		}
		recipient := e.Text("data", "to")
		data, _ := e["data"].(map[string]any)
		if all, _ := data["to"].([]any); len(all) > 1 {
			recipient = "" // the vendor lists all recipients, and does not say which of them it is about
		}
		return provider.Reported{
			EventID: in.Header.Get("Svix-Id"), MessageID: e.Text("data", "email_id"), Recipient: recipient,
			At: provider.ReportTime(e.Text("created_at")), Detail: e.Text("data", "bounce", "message"),
		}, what, ok
	})
}
