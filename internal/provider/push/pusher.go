package push

import (
	"context"
	"net/url"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Unverified: the size limits of payloads.
var pusher = provider.Definition{
	ID: "pusher-beams", Name: "Pusher Beams", Channel: workflow.ChannelPush,
	Credentials: []provider.Field{
		{Name: "instanceId", Label: "Instance id", Kind: provider.KindString, Required: true},
		{Name: "secretKey", Label: "Secret key", Kind: provider.KindString, Required: true, Secret: true},
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		id := c.String("instanceId")
		if !hostLabel.MatchString(id) {
			return nil, invalidInstance()
		}
		return &pusherAdapter{
			client: d.Client(), key: c.Secret("secretKey"),
			url: "https://" + id + ".pushnotifications.pusher.com/publish_api/v1/instances/" + url.PathEscape(id) + "/publishes/users",
		}, nil
	},
}

type pusherAdapter struct {
	client   *provider.Client
	key, url string
}

// Send posts one message to one user's devices.
func (p *pusherAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if m.Target.DeviceToken == "" {
		return nil, provider.Failf(provider.Permanent, "the message has no device token")
	}
	req := &provider.Request{URL: p.url, Secure: provider.Bearer(p.key), Body: &provider.JSON{Root: pusherBody(m)}}
	layered := *m
	layered.Overrides = without(m.Overrides, pusherRead...)
	req.Apply(&layered, provider.Style{Case: provider.SnakeCase, Free: []string{"data"}})
	ans, err := p.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, ans.Failure(ans.At("error"), ans.At("description", "error"))
	}
	return ans.Accepted(ctx, m, ans.At("publishId")), nil
}

// pusherRead are the overrides that have a place of their own.
var pusherRead = []string{"badge", "sound", "categoryId", "channelId", "clickAction", "color", "icon", "tag", "ttl", "deviceTokens"}

func pusherBody(m *provider.Message) map[string]any {
	o := func(name string) any { return m.Overrides[name] }
	texts := provider.Present(map[string]any{"title": m.Content.Title, "body": m.Content.Body})
	return map[string]any{
		"users": []any{m.Target.DeviceToken},
		"apns": map[string]any{"aps": provider.Present(map[string]any{
			"alert": texts, "badge": o("badge"), "sound": o("sound"), "category": o("categoryId"),
		})},
		"fcm": provider.Present(map[string]any{
			"notification": provider.Present(map[string]any{
				"title": m.Content.Title, "body": m.Content.Body, "android_channel_id": o("channelId"), "click_action": o("clickAction"),
				"color": o("color"), "icon": o("icon"), "sound": o("sound"), "tag": o("tag"),
			}),
			"data": payload(m), "time_to_live": o("ttl"),
		}),
		"web": provider.Present(map[string]any{
			"notification": provider.Present(map[string]any{"title": m.Content.Title, "body": m.Content.Body, "icon": o("icon")}),
			"data":         payload(m), "time_to_live": o("ttl"),
		}),
	}
}
