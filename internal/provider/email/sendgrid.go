package email

import (
	"context"
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var sendgrid = provider.Definition{
	ID: "sendgrid", Name: "SendGrid", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey, fieldFrom, fieldSenderName,
		{Name: "region", Label: "Region", Kind: provider.KindString, Options: []string{"global", "eu"}, Default: "global"},
		{Name: "ipPoolName", Label: "IP pool name", Kind: provider.KindString},
		fieldBaseURL,
	},
	Capabilities: provider.Capabilities{Attachments: true},
	Receipts:     &provider.ReceiptReader{Verify: verifySendgrid, Parse: parseSendgridReceipts, Signed: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return newSendgrid(d, c), nil
	},
}

// sendgridStyle: what is below these keys is named by the caller.
var sendgridStyle = provider.Style{Case: provider.SnakeCase, Free: []string{
	"headers", "custom_args", "dynamic_template_data", "substitutions", "sections",
}}

type sendgridAdapter struct {
	client *provider.Client
	creds  provider.Credentials
	url    string
	origin provider.Origin
	now    func() time.Time
}

func newSendgrid(d provider.Deps, c provider.Credentials) *sendgridAdapter {
	s := &sendgridAdapter{client: d.Client(), creds: c, now: d.Now}
	base := "https://api.sendgrid.com"
	if c.String("region") == "eu" {
		base = "https://api.eu.sendgrid.com"
	}
	if c.String("baseUrl") != "" {
		s.origin = provider.OriginCredentials
	}
	s.url = c.URL("baseUrl", base) + "/v3/mail/send"
	return s
}

// Send posts one mail with all its recipients.
func (s *sendgridAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	l, err := compose(m, s.creds.String("from"), s.creds.String("senderName"))
	if err != nil {
		return nil, err
	}
	if err := l.requireVendorAddresses(); err != nil {
		return nil, err
	}
	pool := s.creds.String("ipPoolName")
	if m.Email != nil {
		pool = first(m.Email.IPPoolName, pool)
	}
	return s.send(ctx, m, l, pool)
}

func (s *sendgridAdapter) send(ctx context.Context, m *provider.Message, l *letter, pool string) (*provider.Receipt, error) {
	req := &provider.Request{
		URL: s.url, Origin: s.origin,
		Secure: provider.Bearer(s.creds.Secret("apiKey")),
		Body:   &provider.JSON{Root: sendgridBody(l, pool)},
	}
	req.Apply(m, sendgridStyle)
	ans, err := s.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if ans.OK() {
		receipt := ans.Accepted(ctx, m, ans.Header.Get("X-Message-Id"))
		receipt.Warning = l.leftOut()
		return receipt, nil
	}
	failure := ans.Failure(ans.At("errors.0.field"), ans.At("errors.0.message"))
	if ans.Status == 429 && failure.RetryAfter == 0 {
		failure.RetryAfter = provider.ResetAt(ans.Header, "X-RateLimit-Reset", s.now())
	}
	return nil, failure
}

func sendgridBody(l *letter, pool string) map[string]any {
	custom := maps.Clone(l.customData)
	templateID, _ := custom["templateId"].(string)
	templateData := custom["dynamicTemplateData"]
	delete(custom, "templateId")
	delete(custom, "dynamicTemplateData")

	once := map[string]bool{} // the vendor refuses an address that occurs twice, whatever its case
	personalization := provider.Present(map[string]any{
		"to": sendgridPeople(l.to, once), "cc": sendgridPeople(l.cc, once), "bcc": sendgridPeople(l.bcc, once),
		"dynamic_template_data": templateData,
	})
	body := map[string]any{
		"personalizations": []any{personalization},
		"from":             provider.Present(map[string]any{"email": l.from, "name": l.senderName}),
		"subject":          l.subject,
		"content":          sendgridContent(l),
		"attachments":      l.files(sendgridFile),
		"headers":          l.extraHeaders(),
		"custom_args":      sendgridArgs(l, custom),
		"ip_pool_name":     pool,
		"template_id":      templateID,
	}
	if l.replyTo != "" {
		body["reply_to"] = l.replyPerson()
	}
	if l.workflow != "" {
		body["categories"] = []any{l.workflow}
	}
	return provider.Present(body)
}

func sendgridPeople(list []string, once map[string]bool) []any {
	var out []any
	for _, recipient := range list {
		address, name := apart(recipient)
		if key := strings.ToLower(address); !once[key] {
			once[key] = true
			out = append(out, person(address, name))
		}
	}
	return out
}

func sendgridContent(l *letter) []any {
	var out []any
	if l.text != "" {
		out = append(out, map[string]any{"type": "text/plain", "value": l.text})
	}
	if l.html != "" {
		out = append(out, map[string]any{"type": "text/html", "value": l.html})
	}
	return out
}

func sendgridFile(a provider.Attachment) map[string]any {
	file := map[string]any{"content": encoded(a), "filename": fileName(a), "type": mimeType(a), "disposition": disposition(a)}
	if inline(a) {
		file["content_id"] = contentID(a)
	}
	return file
}

// sendgridArgs come back with every callback. The vendor takes strings only.
func sendgridArgs(l *letter, custom map[string]any) map[string]any {
	args := map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(custom)) {
		if text, ok := custom[k].(string); ok {
			args[k] = text
		} else if data, err := json.Marshal(custom[k]); err == nil {
			args[k] = string(data)
		}
	}
	for k, v := range map[string]string{
		"id": l.id, "transactionId": l.transaction, "workflowIdentifier": l.workflow, "subscriberId": l.user,
	} {
		if v != "" {
			args[k] = v
		}
	}
	return args
}

var sendgridOutcomes = provider.Outcomes{
	"delivered":  provider.OutcomeDelivered,
	"bounce":     provider.OutcomeHardBounce,
	"dropped":    provider.OutcomeFailed,
	"open":       provider.OutcomeOpened,
	"click":      provider.OutcomeClicked,
	"spamreport": provider.OutcomeComplained,
}

func parseSendgridReceipts(in *provider.Inbound) (provider.Reports, error) {
	return in.Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
		what, ok := sendgridOutcomes[e.Text("event")]
		if e.Text("type") == "blocked" {
			what = provider.OutcomeSoftBounce
		}
		// What follows the first dot was added after the message was accepted.
		messageID, _, _ := strings.Cut(e.Text("sg_message_id"), ".")
		return provider.Reported{
			EventID: e.Text("sg_event_id"), MessageID: messageID, Recipient: e.Text("email"), At: provider.ReportTime(e.Text("timestamp")), Detail: e.Text("reason"),
		}, what, ok
	})
}

func verifySendgrid(in *provider.Inbound) error {
	timestamp := in.Header.Get("X-Twilio-Email-Event-Webhook-Timestamp")
	signature, err := base64.StdEncoding.DecodeString(in.Header.Get("X-Twilio-Email-Event-Webhook-Signature"))
	if err != nil || len(signature) == 0 || !in.Within(timestamp, provider.SignedOnce) {
		return provider.ErrSignature
	}
	public, ok := provider.PublicKey(in.Key).(*ecdsa.PublicKey)
	sum := sha256.Sum256(append([]byte(timestamp), in.Body...))
	if !ok || !ecdsa.VerifyASN1(public, sum[:], signature) {
		return provider.ErrSignature
	}
	return nil
}
