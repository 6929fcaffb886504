package push

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

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
			o.url, o.scheme, o.current = "https://api.onesignal.com/notifications", "Key", true
		}
		return o, nil
	},
}

var oneSignalStyle = provider.Style{Case: provider.SnakeCase, Free: []string{"data"}, Keep: []string{
	"isIos", "isAndroid", "isHuawei", "isAnyWeb", "isChromeWeb", "isFirefox", "isSafari", "isWP_WNS", "isAdm", "isChrome",
	"ios_badgeType", "ios_badgeCount",
}}

type oneSignalAdapter struct {
	client                *provider.Client
	app, key, url, scheme string
	current               bool // the key is one of today's
}

// oneSignalSpace makes the key of idempotency, which must be a UUID, a function of our message id. Unverified: that the
// older host takes such keys; it gets none.
var oneSignalSpace = uuid.MustParse("3c0e6a55-9f0b-4f7c-8d5e-0b8d4d1c7a42")

// oneSignalRead are the overrides that have a place of their own.
var oneSignalRead = []string{"icon", "subtitle", "sound", "mutableContent", "channelId", "categoryId", "badge", "deviceTokens"}

// Send posts one message to one device. The vendor renders texts as Liquid, which those of overrides may be.
func (o *oneSignalAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if m.Target.DeviceToken == "" {
		return nil, provider.Failf(provider.Permanent, "the message has no device token")
	}
	icon, title, content := provider.Override(m, "icon"), m.Content.Title, m.Content.Body
	if overridden(m, "customData") == nil && overridden(m, "custom_data") == nil { // else the author writes for the vendor's templates
		title, content = provider.LiteralText(title), provider.LiteralText(content)
	}
	body := provider.Present(map[string]any{
		"app_id": o.app, "include_player_ids": []any{m.Target.DeviceToken},
		"headings": english(title), "contents": english(content), "subtitle": english(provider.Override(m, "subtitle")),
		"data": payload(m), "ios_badgeType": "Increase", "ios_badgeCount": 1,
		"ios_sound": provider.Override(m, "sound"), "android_sound": provider.Override(m, "sound"),
		"mutable_content": overridden(m, "mutableContent"), "android_channel_id": provider.Override(m, "channelId"),
		"small_icon": icon, "large_icon": icon, "chrome_icon": icon, "firefox_icon": icon,
		"ios_category": provider.Override(m, "categoryId"),
	})
	if o.current {
		body["idempotency_key"] = uuid.NewSHA1(oneSignalSpace, []byte(m.ID)).String()
	}
	req := &provider.Request{URL: o.url, Secure: provider.Scheme(o.scheme, o.key), Body: &provider.JSON{Root: body}}
	layered := *m
	layered.Overrides, layered.Merge = without(m.Overrides, oneSignalRead...), withoutTexts(m.Merge, oneSignalRead...)
	req.Apply(&layered, oneSignalStyle)
	if body := req.Body.(*provider.JSON).Root.(map[string]any); body["include_aliases"] != nil { // takes no other target beside it
		delete(body, "include_player_ids")
		body["target_channel"] = cmp.Or(body["target_channel"], any("push"))
	}
	ans, err := o.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	id, unknown := ans.At("id"), oneSignalUnknown(ans, m.Target.DeviceToken)
	if ans.OK() && !unknown && (id != "" || ans.Broken) {
		return ans.Accepted(ctx, m, id), nil
	}
	return nil, oneSignalFailure(ans, unknown)
}

// oneSignalUnknown reports whether the device is unknown to the vendor, whatever else it answers: the message had no other.
func oneSignalUnknown(ans *provider.Answer, token string) bool {
	invalid, _ := ans.Value("errors.invalid_player_ids").([]any)
	return slices.Contains(invalid, any(token))
}

func english(text string) map[string]any {
	if text == "" {
		return nil
	}
	return map[string]any{"en": text}
}

// oneSignalFailure also reads answers of status 200 without an id, which mean no.
func oneSignalFailure(ans *provider.Answer, unknown bool) *provider.Error {
	failure := ans.Failure("", ans.At("errors.0"))
	if ans.OK() {
		failure.Class = provider.Permanent
	}
	if unknown {
		failure.Class, failure.DropToken = provider.Permanent, true
		failure.Code, failure.Text = "invalid_player_ids", "the device is not known to the app"
	}
	return failure
}
