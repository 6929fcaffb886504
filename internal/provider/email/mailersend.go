package email

import (
	"context"
	"fmt"
	"net/http"
	"net/textproto"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Unverified: that mails may have 25 MB.
var mailersend = provider.Definition{
	ID: "mailersend", Name: "MailerSend", Channel: workflow.ChannelEmail,
	Credentials:  []provider.Field{fieldAPIKey, fieldFrom, fieldSenderName, fieldBaseURL},
	Capabilities: provider.Capabilities{Attachments: true},
	Receipts:     &provider.ReceiptReader{Verify: verifyMailersend, Parse: parseMailersendReceipts, Signed: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://api.mailersend.com")
		return httpAdapter{
			style: provider.Style{Case: provider.SnakeCase, Free: []string{"data"}},
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/v1/email", Origin: origin, Secure: provider.Bearer(c.Secret("apiKey")), Body: jsonBody(mailersendBody(l)),
				}, nil
			},
			read:     readMailersend,
			statuses: map[int]provider.Class{http.StatusMisdirectedRequest: provider.Transient},
		}.open(d, c), nil
	},
}

// mailersendBody: a template of the vendor's comes in the custom data.
func mailersendBody(l *letter) map[string]any {
	return map[string]any{
		"from": person(l.from, l.senderName), "to": people(l.to), "cc": people(l.cc), "bcc": people(l.bcc),
		"reply_to": l.replyPerson(), "subject": l.subject, "text": l.text, "html": l.html,
		"headers": mailersendHeaders(l), "template_id": provider.Text(l.customData["templateId"]),
		"personalization": l.customData["personalization"],
		"attachments": l.files(func(a provider.Attachment) map[string]any {
			file := map[string]any{"content": encoded(a), "filename": fileName(a), "disposition": disposition(a)}
			if inline(a) {
				file["id"] = contentID(a)
			}
			return file
		}),
	}
}

// mailersendHeaders leaves out the links to unsubscribe, which every mail may carry: the vendor takes custom headers on
// its highest plan only, and the mails of other plans must go out too.
func mailersendHeaders(l *letter) []any {
	var out []any
	for _, h := range l.headerList("name", "value") {
		name, _ := h.(map[string]any)["name"].(string)
		if !slices.Contains(unsubscribeHeaders, textproto.CanonicalMIMEHeaderKey(name)) {
			out = append(out, h)
		}
	}
	return out
}

func readMailersend(ans *provider.Answer) reply {
	r := reply{id: ans.Header.Get("X-Message-Id"), text: ans.At("message")}
	warnings, _ := ans.Value("warnings").([]any)
	for i := range warnings {
		switch kind := ans.At(fmt.Sprintf("warnings.%d.type", i)); kind {
		case "ALL_SUPPRESSED":
			r.failed, r.code = true, kind
		case "SOME_SUPPRESSED":
			r.warning = "some recipients are suppressed by the vendor"
		}
	}
	if ans.Header.Get("X-Send-Paused") == "true" {
		r.warning = "the vendor holds the mail: sending is paused"
	}
	return r
}

var mailersendOutcomes = provider.Outcomes{
	"activity.delivered":      provider.OutcomeDelivered,
	"activity.soft_bounced":   provider.OutcomeSoftBounce,
	"activity.hard_bounced":   provider.OutcomeHardBounce,
	"activity.opened":         provider.OutcomeOpened,
	"activity.clicked":        provider.OutcomeClicked,
	"activity.spam_complaint": provider.OutcomeComplained,
}

// parseMailersendReceipts reads activities; where the ids are inside data is unverified.
func parseMailersendReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		what, ok := mailersendOutcomes[e.Text("type")]
		return provider.Reported{
			EventID: e.Text("data", "id"), MessageID: e.Text("data", "email", "message", "id"),
			Recipient: e.Text("data", "email", "recipient", "email"), At: provider.ReportTime(e.Text("created_at")), Detail: e.Text("data", "morph", "reason"),
		}, what, ok
	})
}

func verifyMailersend(in *provider.Inbound) error {
	if in.Key == "" || !provider.SameText(strings.ToLower(in.Header.Get("Signature")), provider.HexHMAC(in.Key, in.Body)) {
		return provider.ErrSignature
	}
	var body struct {
		CreatedAt string `json:"created_at"` // the vendor signs no other time; that it is always there is unverified
	}
	if provider.DecodeReport(in.Body, &body) == nil && body.CreatedAt != "" && !in.Within(body.CreatedAt, provider.SignedOnce) {
		return provider.ErrSignature
	}
	return nil
}
