package sms

import (
	"crypto/ed25519"
	"encoding/base64"
	"strconv"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var telnyx = provider.Definition{
	ID: "telnyx", Name: "Telnyx", Channel: workflow.ChannelSMS,
	Credentials: []provider.Field{secretField("apiKey", "API key"), textField("messageProfileId", "Messaging profile ID"), fieldFrom},
	Receipts:    &provider.ReceiptReader{Verify: verifyTelnyx, Parse: parseTelnyxReceipts, Signed: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return open(d, c, gateway{
			request: func(_ *provider.Message, t *text) *provider.Request {
				return &provider.Request{
					URL: "https://api.telnyx.com/v2/messages", Secure: provider.Bearer(c.Secret("apiKey")),
					Body: json(map[string]any{
						"to": plus(t.to), "from": as(plus, t.from), "text": t.content, "messaging_profile_id": c.String("messageProfileId"),
						"webhook_url": d.Receipts,
					}),
				}
			},
			read: func(ans *provider.Answer) reply {
				return reply{
					id: ans.At("data.id"), date: moment(ans.At("data.received_at")), failed: ans.At("data.to.0.status") == "sending_failed",
					code: ans.At("errors.0.code", "data.errors.0.code"),
					text: ans.At("errors.0.detail", "errors.0.title", "data.errors.0.detail", "data.errors.0.title"),
				}
			},
			codes: telnyxCodes(),
		})
	},
}

// telnyxCodes: the series from 40300 is about a text or a recipient that is blocked, although its status may be that of a
// refused key.
func telnyxCodes() map[string]provider.Class {
	codes := classes([]string{"10009"}, []string{"10007", "10008", "10011"})
	for n := 40300; n < 40400; n++ {
		codes[strconv.Itoa(n)] = provider.Permanent
	}
	return codes
}

// telnyxOutcomes beyond "delivered" are unverified.
var telnyxOutcomes = provider.Outcomes{
	"delivered":            provider.OutcomeDelivered,
	"delivery_failed":      provider.OutcomeFailed,
	"sending_failed":       provider.OutcomeFailed,
	"delivery_unconfirmed": provider.OutcomeFailed,
}

func parseTelnyxReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		what, ok := telnyxOutcomes[e.Text("data", "payload", "to", "status")]
		return provider.Reported{
			EventID: e.Text("data", "id"), MessageID: e.Text("data", "payload", "id"), Recipient: e.Text("data", "payload", "to", "phone_number"),
			At: provider.ReportTime(e.Text("data", "occurred_at")), Detail: e.Text("data", "payload", "errors", "title"),
		}, what, ok && e.Text("data", "event_type") == "message.finalized"
	})
}

func verifyTelnyx(in *provider.Inbound) error {
	timestamp := in.Header.Get("Telnyx-Timestamp")
	signature, err := base64.StdEncoding.DecodeString(in.Header.Get("Telnyx-Signature-Ed25519"))
	public, ok := provider.PublicKey(in.Key).(ed25519.PublicKey)
	if err != nil || !ok || !in.Within(timestamp, provider.SignedAnew) {
		return provider.ErrSignature
	}
	if !ed25519.Verify(public, append([]byte(timestamp+"|"), in.Body...), signature) { // "|" between them is unverified
		return provider.ErrSignature
	}
	return nil
}
