package chat

import (
	"cmp"
	"context"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var webhook = provider.Definition{
	ID: "chat-webhook", Name: "Chat Webhook", Channel: workflow.ChannelChat,
	Credentials: []provider.Field{
		{Name: "secretKey", Label: "Signing key", Kind: provider.KindString, Secret: true},
	},
	Endpoints: []workflow.EndpointType{workflow.EndpointWebhook},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return &webhookAdapter{client: d.Client(), now: d.Now, prefix: d.Prefix, secret: c.Secret("secretKey")}, nil
	},
}

type webhookAdapter struct {
	client         *provider.Client
	now            func() time.Time
	prefix, secret string
}

// Send posts the content to the target's own URL, signed when there is a key.
func (w *webhookAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	u, err := webhookURL(m)
	if err != nil {
		return nil, err
	}
	body := provider.Present(map[string]any{
		"webhookUrl": u, "channel": m.Target.Endpoint.Channel,
		"phoneNumber": cmp.Or(m.Target.Phone, m.Target.Endpoint.PhoneNumber),
	})
	body["content"] = m.Content.Body
	req := &provider.Request{
		URL: u, Origin: provider.OriginTarget,
		Body: &provider.JSON{Root: body},
		Sign: m.Webhook(w.prefix, cmp.Or(provider.Override(m, "hmacSecretKey"), w.secret), w.now()).Sign,
	}
	apply(req, m, provider.Style{}, interpreted...)
	ans, err := w.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, ans.Failure("", "")
	}
	return &provider.Receipt{ID: ans.At("id")}, nil
}
