package email

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var webhook = provider.Definition{
	ID: "email-webhook", Name: "Email Webhook", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		{Name: "webhookUrl", Label: "Webhook URL", Kind: provider.KindURL, Required: true, Secret: true},
		{Name: "secretKey", Label: "Signing key", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "from", Label: "From address", Kind: provider.KindString, Check: provider.CheckEmail},
		fieldSenderName,
	},
	Capabilities: provider.Capabilities{Attachments: true, IdempotencyKey: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return &webhookAdapter{client: d.Client(), prefix: d.Prefix, now: d.Now, creds: c, url: c.Address("webhookUrl")}, nil
	},
}

type webhookAdapter struct {
	client *provider.Client
	prefix string
	now    func() time.Time
	creds  provider.Credentials
	url    string
}

// Send posts all fields of the mail to the operator's own URL, signed.
func (w *webhookAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	l, err := compose(m, w.creds.String("from"), w.creds.String("senderName"))
	if err != nil {
		return nil, err
	}
	req := &provider.Request{
		URL: w.url, Origin: provider.OriginCredentials,
		Body: &provider.JSON{Root: webhookBody(l, m)},
		Sign: m.Webhook(w.prefix, w.creds.Secret("secretKey"), w.now()).Sign,
	}
	req.Apply(m, provider.Style{})
	ans, err := w.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, ans.Failure("", "")
	}
	return &provider.Receipt{ID: w.ReceiptID(m.ID)}, nil
}

// ReceiptID is the message's own id: the receiver gives none.
func (w *webhookAdapter) ReceiptID(messageID string) string { return messageID }

func webhookBody(l *letter, m *provider.Message) map[string]any {
	var files []map[string]any
	for _, a := range l.attachments {
		files = append(files, map[string]any{
			"name": a.Name, "mime": mimeType(a), "file": base64.StdEncoding.EncodeToString(a.File),
		})
	}
	body := provider.Present(map[string]any{
		"id": l.id, "to": l.to, "from": l.from, "senderName": l.senderName, "cc": l.cc, "bcc": l.bcc,
		"replyTo": l.replyTo, "subject": l.subject, "html": l.html, "text": l.text,
		"attachments": files, "headers": l.headers, "customData": l.customData,
	})
	body["payloadDetails"] = provider.Object(m.Payload)
	body["notificationDetails"] = provider.Present(map[string]any{
		"transactionId": l.transaction, "workflowIdentifier": l.workflow, "subscriberId": l.user,
	})
	return body
}
