package email

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var brevo = provider.Definition{
	ID: "sendinblue", Name: "Brevo (formerly Sendinblue)", Channel: workflow.ChannelEmail,
	Credentials:  []provider.Field{fieldAPIKey, fieldFrom, fieldSenderName, fieldBaseURL},
	Capabilities: provider.Capabilities{Attachments: true},
	Receipts:     &provider.ReceiptReader{Verify: provider.VerifyPassword, Parse: parseBrevoReceipts},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://api.brevo.com")
		return httpAdapter{
			request: func(_ context.Context, m *provider.Message, l *letter) (*provider.Request, error) {
				if l.customData["templateParams"] == nil { // else the author writes for the vendor's templates
					l.makeLiteral(m, "params")
				}
				return &provider.Request{
					URL: address + "/v3/smtp/email", Origin: origin, Secure: http.Header{"Api-Key": {c.Secret("apiKey")}},
					Body: jsonBody(brevoBody(l)),
				}, nil
			},
			read: func(ans *provider.Answer) reply {
				return reply{id: ans.At("messageId"), code: ans.At("code"), text: ans.At("message")}
			},
			pause: func(ans *provider.Answer) time.Duration {
				seconds, _ := strconv.Atoi(ans.Header.Get("X-Sib-Ratelimit-Reset"))
				return time.Duration(min(max(0, seconds), brevoLongestPause)) * time.Second
			},
		}.open(d, c), nil
	},
}

// brevoLongestPause bounds what the vendor may ask for, in seconds.
const brevoLongestPause = 3600

// brevoBody: a template of the vendor's comes in the custom data. The vendor has no images inside the HTML. Unverified: an
// Idempotency-Key among the mail's headers; it is left out.
func brevoBody(l *letter) map[string]any {
	body := map[string]any{
		"sender": person(l.from, l.senderName), "to": people(l.to), "cc": people(l.cc), "bcc": people(l.bcc),
		"replyTo": l.replyPerson(), "subject": l.subject, "htmlContent": l.page(), "textContent": l.text,
		"headers": l.extraHeaders(), "params": l.customData["templateParams"],
		"attachment": l.files(func(a provider.Attachment) map[string]any {
			return map[string]any{"name": fileName(a), "content": encoded(a)}
		}),
	}
	if id, err := strconv.Atoi(provider.Text(l.customData["templateId"])); err == nil {
		body["templateId"] = json.Number(strconv.Itoa(id))
	}
	return body
}

var brevoOutcomes = provider.Outcomes{
	"delivered":     provider.OutcomeDelivered,
	"hard_bounce":   provider.OutcomeHardBounce,
	"soft_bounce":   provider.OutcomeSoftBounce,
	"blocked":       provider.OutcomeFailed,
	"spam":          provider.OutcomeComplained,
	"invalid_email": provider.OutcomeHardBounce,
	"click":         provider.OutcomeClicked,
	"opened":        provider.OutcomeOpened,
	"unique_opened": provider.OutcomeOpened,
	"error":         provider.OutcomeFailed,
}

func parseBrevoReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		what, ok := brevoOutcomes[e.Text("event")]
		r := provider.Reported{MessageID: e.Text("message-id"), Recipient: e.Text("email"), Detail: e.Text("reason")}
		for _, name := range []string{"date", "ts", "ts_event", "ts_epoch"} { // which of them is there is unverified
			if at := provider.ReportTime(e.Text(name)); !at.IsZero() {
				r.At = at
			}
		}
		return r, what, ok
	})
}
