package push

import (
	"cmp"
	"context"
	"maps"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var webhook = provider.Definition{
	ID: "push-webhook", Name: "Push Webhook", Channel: workflow.ChannelPush,
	Credentials: []provider.Field{
		{Name: "webhookUrl", Label: "Webhook URL", Kind: provider.KindURL, Required: true, Secret: true},
		{Name: "secretKey", Label: "Signing key", Kind: provider.KindString, Required: true, Secret: true},
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return &webhookAdapter{
			client: d.Client(), now: d.Now, prefix: d.Prefix, url: c.Address("webhookUrl"), secret: c.Secret("secretKey"),
		}, nil
	},
}

type webhookAdapter struct {
	client              *provider.Client
	now                 func() time.Time
	prefix, url, secret string
}

// Send posts one device token and the message to the operator's own URL, signed.
func (w *webhookAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if m.Target.DeviceToken == "" {
		return nil, provider.Failf(provider.Permanent, "the message has no device token")
	}
	u, origin := w.url, provider.OriginCredentials
	if chosen := provider.Override(m, "webhookUrl"); chosen != "" {
		u, origin = chosen, provider.OriginTarget
	}
	req := &provider.Request{
		URL: u, Origin: origin,
		Body: &provider.JSON{Root: webhookBody(m)},
		Sign: m.Webhook(w.prefix, cmp.Or(provider.Override(m, "hmacSecretKey"), w.secret), w.now()).Sign,
	}
	merged := *m
	merged.Overrides = passthroughOnly(m.Overrides) // the rest travels as the body's own member
	req.Apply(&merged, provider.Style{}, "webhookUrl", "hmacSecretKey")
	ans, err := w.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, ans.Failure("", "")
	}
	return &provider.Receipt{ID: ans.At("id")}, nil
}

func passthroughOnly(overrides map[string]any) map[string]any {
	return provider.Present(map[string]any{"_passthrough": overrides["_passthrough"]})
}

func webhookBody(m *provider.Message) map[string]any {
	overrides := maps.Clone(provider.Object(m.Overrides))
	for _, private := range []string{"webhookUrl", "hmacSecretKey", "_passthrough"} {
		delete(overrides, private)
	}
	data := maps.Clone(provider.Object(payload(m)))
	data["subscriber"] = provider.Object(m.Subscriber)
	data["step"] = map[string]any{"digest": false, "events": []any{}, "total_count": 0}
	if len(m.Step) > 0 {
		data["step"] = m.Step
	}
	return map[string]any{
		"target": []string{m.Target.DeviceToken}, "title": m.Content.Title, "content": m.Content.Body,
		"overrides": overrides, "payload": data,
	}
}
