package push

import (
	"context"
	"net/url"
	"slices"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Unverified: that the answer to a notification with send_at names that instead of how many it reached.
var pushpad = provider.Definition{
	ID: "pushpad", Name: "Pushpad", Channel: workflow.ChannelPush,
	Credentials: []provider.Field{
		{Name: "apiKey", Label: "Auth token", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "applicationId", Label: "Project id", Kind: provider.KindString, Required: true},
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return &pushpadAdapter{
			client: d.Client(), token: c.Secret("apiKey"),
			url: "https://pushpad.xyz/api/v1/projects/" + url.PathEscape(c.String("applicationId")) + "/notifications",
		}, nil
	},
}

type pushpadAdapter struct {
	client     *provider.Client
	token, url string
}

// Send posts one message to one of the site's users.
func (p *pushpadAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if m.Target.DeviceToken == "" { // without users the vendor would send to all
		return nil, provider.Failf(provider.Permanent, "the message has no device token")
	}
	notification := map[string]any{"title": m.Content.Title, "body": m.Content.Body}
	extra := provider.Extra(m, provider.Style{Case: provider.SnakeCase}, "deviceTokens", "tags", "uids")
	own, _ := extra["notification"].(map[string]any) // given in the form of the whole body
	delete(extra, "notification")
	notification = provider.Merge(provider.Merge(notification, extra), own)
	body := map[string]any{"notification": notification, "uids": []any{m.Target.DeviceToken}}
	if tags := overridden(m, "tags"); tags != nil {
		body["tags"] = tags
	}
	req := &provider.Request{
		URL: p.url, Secure: provider.Scheme("Token", `token="`+p.token+`"`), Body: &provider.JSON{Root: body},
	}
	req.PassThrough(m)
	ans, err := p.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, ans.Failure("", "")
	}
	receipt := ans.Accepted(ctx, m, ans.At("id"))
	if reached, listed := ans.Value("uids").([]any); ans.At("scheduled") == "0" || listed && !slices.Contains(reached, any(m.Target.DeviceToken)) {
		receipt.Warning = "the user has no device that can be reached"
	}
	return receipt, nil
}
