package email

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var mailgun = provider.Definition{
	ID: "mailgun", Name: "Mailgun", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey,
		{Name: "domain", Label: "Domain", Kind: provider.KindString, Required: true},
		fieldFrom, fieldSenderName,
		{Name: "user", Label: "User name", Kind: provider.KindString, Default: "api"},
		{Name: "baseUrl", Label: "Base address, https://api.eu.mailgun.net in Europe", Kind: provider.KindURL, Default: "https://api.mailgun.net", Destination: true},
	},
	Capabilities: provider.Capabilities{Attachments: true},
	Receipts:     &provider.ReceiptReader{Verify: verifyMailgun, Parse: parseMailgunReceipts, Signed: true, OneTimeToken: mailgunToken},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		address, origin := base(c, "https://api.mailgun.net")
		address = strings.TrimSuffix(address, "/v3")
		return httpAdapter{
			request: func(_ context.Context, _ *provider.Message, l *letter) (*provider.Request, error) {
				return &provider.Request{
					URL: address + "/v3/" + url.PathEscape(c.String("domain")) + "/messages", Origin: origin,
					Secure: provider.Basic(first(c.String("user"), "api"), c.Secret("apiKey")),
					Body:   form(l, mailgunFields(l), "attachment", "inline"),
				}, nil
			},
			read: func(ans *provider.Answer) reply { return reply{id: ans.At("id"), text: ans.At("message")} },
		}.open(d, c), nil
	},
}

func mailgunFields(l *letter) map[string][]string {
	fields := map[string][]string{
		"from": {named(l.senderName, l.from)}, "to": l.to, "cc": l.cc, "bcc": l.bcc, "subject": {l.subject}, "html": {l.html},
		"text": {l.text}, "h:Reply-To": {l.replyLine()},
	}
	for name, value := range l.extraHeaders() {
		fields["h:"+name] = []string{provider.Text(value)}
	}
	for name, value := range l.metadata() {
		fields["v:"+name] = []string{provider.Text(value)}
	}
	return fields
}

var mailgunOutcomes = provider.Outcomes{
	"delivered":  provider.OutcomeDelivered,
	"opened":     provider.OutcomeOpened,
	"clicked":    provider.OutcomeClicked,
	"complained": provider.OutcomeComplained,
	"failed":     provider.OutcomeHardBounce,
}

func parseMailgunReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		what, ok := mailgunOutcomes[e.Text("event-data", "event")]
		if e.Text("event-data", "severity") == "temporary" {
			ok = false // it tries again by itself
		}
		messageID := e.Text("event-data", "message", "headers", "message-id")
		if messageID != "" && !strings.HasPrefix(messageID, "<") {
			messageID = "<" + messageID + ">" // as the answer to the send had it
		}
		detail := e.Text("event-data", "delivery-status", "message")
		if detail == "" {
			detail = e.Text("event-data", "delivery-status", "description")
		}
		return provider.Reported{
			EventID: e.Text("event-data", "id"), MessageID: messageID, Recipient: e.Text("event-data", "recipient"),
			At: provider.ReportTime(e.Text("event-data", "timestamp")), Detail: detail,
		}, what, ok
	})
}

// mailgunProof is what Mailgun signs: a moment and a token, neither of which says anything of the report beside them.
type mailgunProof struct{ Timestamp, Token, Signature string }

// readMailgunProof reads the proof. The moment is a text in some reports, and a number in others.
func readMailgunProof(in *provider.Inbound) (proof mailgunProof, ok bool) {
	var body struct{ Signature provider.Entry }
	err := provider.DecodeReport(in.Body, &body)
	proof = mailgunProof{body.Signature.Text("timestamp"), body.Signature.Text("token"), body.Signature.Text("signature")}
	return proof, err == nil && proof.Token != ""
}

func verifyMailgun(in *provider.Inbound) error {
	s, ok := readMailgunProof(in)
	if !ok || in.Key == "" || !in.Within(s.Timestamp, provider.SignedOnce) || !provider.SameText(strings.ToLower(s.Signature), provider.HexHMAC(in.Key, []byte(s.Timestamp+s.Token))) {
		return provider.ErrSignature
	}
	return nil
}

// mailgunToken is the token, which must not be taken twice while its timestamp is fresh. The timestamp is part of it: the
// signature covers the two as one text, in which the border between them could be moved.
func mailgunToken(in *provider.Inbound) (token string, expires time.Time) {
	s, _ := readMailgunProof(in)
	return provider.Digest([]byte(s.Timestamp + s.Token)), in.Now.Add(2 * provider.SignedOnce)
}
