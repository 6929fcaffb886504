package email

import (
	"context"
	"net/http"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var sparkpost = provider.Definition{
	ID: "sparkpost", Name: "SparkPost", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey, fieldFrom, fieldSenderName,
		{Name: "region", Label: "Region, eu for Europe", Kind: provider.KindString},
		fieldBaseURL,
	},
	Capabilities: provider.Capabilities{Attachments: true},
	Receipts:     &provider.ReceiptReader{Verify: provider.VerifyPassword, Parse: parseSparkpostReceipts},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		vendor := "https://api.sparkpost.com"
		if region := c.String("region"); region == "eu" || c.Bool("region") { // older settings have true
			vendor = "https://api.eu.sparkpost.com"
		}
		address, origin := base(c, vendor)
		return httpAdapter{
			style: provider.Style{Case: provider.SnakeCase, Free: []string{"headers", "metadata", "substitution_data"}},
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/api/v1/transmissions", Origin: origin, Secure: http.Header{"Authorization": {c.Secret("apiKey")}},
					Body: jsonBody(sparkpostBody(l)),
				}, nil
			},
			read: readSparkpost,
		}.open(d, c), nil
	},
}

// sparkpostBody: every recipient gets a mail of its own, which names the others only where the request says so. What looks
// like a template in the content is text by now.
func sparkpostBody(l *letter) map[string]any {
	headers := l.extraHeaders()
	if len(l.cc) > 0 {
		headers["CC"] = strings.Join(l.cc, ",")
	}
	files, images := l.split()
	return map[string]any{
		"recipients": sparkpostRecipients(l),
		"content": provider.Present(map[string]any{
			"from": person(l.from, l.senderName), "subject": l.subject, "html": l.html, "text": l.text, "reply_to": l.replyLine(),
			"headers": headers,
			"attachments": files.files(func(a provider.Attachment) map[string]any {
				return map[string]any{"name": fileName(a), "type": mimeType(a), "data": encoded(a)}
			}),
			"inline_images": images.files(func(a provider.Attachment) map[string]any {
				return map[string]any{"name": contentID(a), "type": mimeType(a), "data": encoded(a)}
			}),
		}),
		"options":  map[string]any{"transactional": true, "perform_substitutions": false},
		"metadata": l.customData,
	}
}

func sparkpostRecipients(l *letter) []any {
	shown := strings.Join(l.to, ",")
	var out []any
	add := func(list []string, header string) {
		for _, recipient := range list {
			address, name := apart(recipient)
			out = append(out, map[string]any{"address": provider.Present(map[string]any{"email": address, "name": name, "header_to": header})})
		}
	}
	if len(l.to) > 1 {
		add(l.to, shown)
	} else {
		add(l.to, "")
	}
	add(l.cc, shown)
	add(l.bcc, shown)
	return out
}

func readSparkpost(ans *provider.Answer) reply {
	r := reply{
		id:   ans.At("results.id"),
		code: ans.At("errors.0.code"), text: ans.At("errors.0.description", "errors.0.message"),
		failed: ans.At("results.total_accepted_recipients") == "0",
	}
	if refused := ans.At("results.total_rejected_recipients"); !r.failed && refused != "" && refused != "0" {
		r.warning = refused + " recipients refused: " + first(r.text, "the vendor gives no reason")
	}
	return r
}

var sparkpostOutcomes = provider.Outcomes{
	"delivery":         provider.OutcomeDelivered,
	"bounce":           provider.OutcomeSoftBounce,
	"out_of_band":      provider.OutcomeSoftBounce,
	"policy_rejection": provider.OutcomeFailed,
	"spam_complaint":   provider.OutcomeComplained,
	"initial_open":     provider.OutcomeOpened,
	"open":             provider.OutcomeOpened,
	"click":            provider.OutcomeClicked,
}

// sparkpostHardBounces are the classes of bounces that will not heal; the list is unverified.
var sparkpostHardBounces = map[string]bool{"10": true, "30": true, "90": true}

func parseSparkpostReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		msys, _ := e["msys"].(map[string]any)
		for _, v := range msys { // one member, named after the family of events
			object, _ := v.(map[string]any)
			inner := provider.Entry(object)
			what, ok := sparkpostOutcomes[inner.Text("type")]
			if what == provider.OutcomeSoftBounce && sparkpostHardBounces[inner.Text("bounce_class")] {
				what = provider.OutcomeHardBounce
			}
			return provider.Reported{
				EventID: inner.Text("event_id"), MessageID: inner.Text("transmission_id"), Recipient: inner.Text("rcpt_to"),
				At: provider.ReportTime(inner.Text("timestamp")), Detail: inner.Text("raw_reason"),
			}, what, ok
		}
		return provider.Reported{}, provider.Outcome{}, false
	})
}
