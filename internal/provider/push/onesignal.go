package push

import (
	"context"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var oneSignal = provider.Definition{
	ID: "one-signal", Name: "OneSignal", Channel: workflow.ChannelPush,
	Credentials: []provider.Field{
		{Name: "applicationId", Label: "App id", Kind: provider.KindString, Required: true},
		{Name: "apiKey", Label: "REST API key", Kind: provider.KindString, Required: true, Secret: true},
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		o := &oneSignalAdapter{
			client: d.Client(), app: c.String("applicationId"), key: c.Secret("apiKey"),
			url: "https://onesignal.com/api/v1/notifications", scheme: "Basic",
		}
		if strings.HasPrefix(o.key, "os_v2_") { // keys of today have a host and a scheme of their own
			o.url, o.scheme = "https://api.onesignal.com/notifications", "Key"
		}
		return o, nil
	},
}

var oneSignalStyle = provider.Style{Case: provider.SnakeCase, Keep: []string{
	"isIos", "isAndroid", "isHuawei", "isAnyWeb", "isChromeWeb", "isFirefox", "isSafari", "isWP_WNS", "isAdm", "isChrome",
	"ios_badgeType", "ios_badgeCount",
}}

type oneSignalAdapter struct {
	client                *provider.Client
	app, key, url, scheme string
}

// Send posts one message to one device.
func (o *oneSignalAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if m.Target.DeviceToken == "" {
		return nil, provider.Failf(provider.Permanent, "the message has no device token")
	}
	icon := provider.Override(m, "icon")
	body := provider.Present(map[string]any{
		"app_id": o.app, "include_player_ids": []any{m.Target.DeviceToken},
		"headings": english(m.Content.Title), "contents": english(m.Content.Body), "subtitle": english(provider.Override(m, "subtitle")),
		"data": m.Payload, "ios_badgeType": "Increase", "ios_badgeCount": 1,
		"ios_sound": provider.Override(m, "sound"), "android_sound": provider.Override(m, "sound"),
		"mutable_content": overridden(m, "mutableContent"), "android_channel_id": provider.Override(m, "channelId"),
		"small_icon": icon, "large_icon": icon, "chrome_icon": icon, "firefox_icon": icon,
		"ios_category": provider.Override(m, "categoryId"),
	})
	req := &provider.Request{URL: o.url, Secure: provider.Scheme(o.scheme, o.key), Body: &provider.JSON{Root: body}}
	req.Apply(m, oneSignalStyle, "icon", "subtitle", "sound", "mutableContent", "channelId", "categoryId", "badge", "deviceTokens")
	ans, err := o.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if id := ans.At("id"); ans.OK() && (id != "" || ans.JSON() == nil) {
		return ans.Accepted(ctx, m, id), nil
	}
	return nil, oneSignalFailure(ans, m.Target.DeviceToken)
}

func english(text string) map[string]any {
	if text == "" {
		return nil
	}
	return map[string]any{"en": text}
}

// oneSignalFailure also reads answers of status 200 without an id, which mean no.
func oneSignalFailure(ans *provider.Answer, token string) *provider.Error {
	failure := ans.Failure("", ans.At("errors.0"))
	if ans.OK() {
		failure.Class = provider.Permanent
	}
	invalid, _ := ans.Value("errors.invalid_player_ids").([]any)
	if slices.Contains(invalid, any(token)) {
		failure.Class, failure.DropToken = provider.Permanent, true
		failure.Code, failure.Text = "invalid_player_ids", "the device is not known to the app"
	}
	return failure
}
