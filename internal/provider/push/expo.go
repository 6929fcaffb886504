package push

import (
	"context"
	"strings"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var expo = provider.Definition{
	ID: "expo", Name: "Expo", Channel: workflow.ChannelPush,
	Credentials: []provider.Field{{Name: "apiKey", Label: "Access token", Kind: provider.KindString, Required: true, Secret: true}},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return &expoAdapter{d.Client(), c.Secret("apiKey")}, nil
	},
}

type expoAdapter struct {
	client *provider.Client
	token  string
}

// Send posts one message to one device.
func (e *expoAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	if m.Target.DeviceToken == "" {
		return nil, provider.Failf(provider.Permanent, "the message has no device token")
	}
	body := map[string]any{
		"to": []any{m.Target.DeviceToken}, "title": m.Content.Title, "body": m.Content.Body, "data": provider.Object(payload(m)),
		"sound": nil, // silent, unless an override names one
	}
	for _, layer := range []map[string]any{m.Overrides, m.Merge} {
		if sound, ok := layer["sound"].(string); ok {
			body["sound"] = sound
		}
	}
	req := &provider.Request{
		URL: "https://exp.host/--/api/v2/push/send", Secure: provider.Bearer(e.token), Body: &provider.JSON{Root: []any{body}},
	}
	req.Apply(m, provider.Style{}, "sound", "deviceTokens")
	ans, err := e.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() || ans.At("data.0.status", "data.status") == "error" || ans.At("errors.0.message") != "" {
		return nil, expoFailure(ans)
	}
	return ans.Accepted(ctx, m, ans.At("data.0.id", "data.id")), nil
}

func expoFailure(ans *provider.Answer) *provider.Error {
	failure := ans.Failure(
		ans.At("data.0.details.error", "data.details.error", "errors.0.code"),
		ans.At("data.0.message", "data.message", "errors.0.message"))
	switch failure.Code {
	case "DeviceNotRegistered":
		failure.Class, failure.DropToken = provider.Permanent, true
	case "MismatchSenderId": // of one device's app: the others are well
		failure.Class = provider.Permanent
	case "InvalidCredentials", "UNAUTHORIZED":
		failure.Class = provider.Fault
	case "MessageRateExceeded", "TOO_MANY_REQUESTS":
		failure.Class = provider.Transient
	}
	if strings.Contains(strings.ToLower(failure.Text), "not a valid expo push token") {
		failure.Class, failure.DropToken = provider.Permanent, true
	}
	return failure
}
