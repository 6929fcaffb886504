package push

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var appio = provider.Definition{
	ID: "appio", Name: "App IO", Channel: workflow.ChannelPush,
	Credentials: []provider.Field{
		{Name: "AppIOBaseUrl", Label: "Base address", Kind: provider.KindURL, Default: appioBases[0], Destination: true},
		{Name: "apiKey", Label: "Subscription key", Kind: provider.KindString, Secret: true},
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		base := c.URL("AppIOBaseUrl", appioBases[0])
		if !slices.Contains(appioBases, base) {
			return nil, fault.Invalidf("credentials.AppIOBaseUrl", "must be one of the service's own addresses: %s or %s", appioBases[0], appioBases[1])
		}
		return &appioAdapter{d.Client(), base, c.Secret("apiKey")}, nil
	},
}

// appioBases are the operator's own addresses, the former one first: it is the default.
var appioBases = []string{"https://api.io.italia.it/api/v1", "https://api.io.pagopa.it/api/v1"}

// The vendor's bounds, in characters.
const (
	appioSubjectMin, appioSubjectMax   = 10, 120
	appioMarkdownMin, appioMarkdownMax = 80, 10_000
)

type appioAdapter struct {
	client    *provider.Client
	base, key string
}

// Send asks whether the citizen takes messages of this sender, and then posts one.
func (a *appioAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	given := provider.Override(m, "apiKey")
	key := cmp.Or(given, a.key)
	if err := appioCheck(m, key); err != nil {
		return nil, err
	}
	secure := http.Header{"Ocp-Apim-Subscription-Key": {key}}
	profile, err := a.client.Do(ctx, &provider.Request{
		URL: a.base + "/profiles", Secure: secure, SecureOfTarget: given != "",
		Body: &provider.JSON{Root: map[string]any{"fiscal_code": m.Target.DeviceToken}},
	})
	if err != nil {
		return nil, provider.BeforeSending(err)
	}
	switch {
	case profile.Status != http.StatusOK:
		return nil, profile.Failure("", profile.At("detail", "title"))
	case profile.At("sender_allowed") != "true":
		return nil, &provider.Error{Class: provider.Permanent, Status: profile.Status, Code: "sender_not_allowed", Text: "the citizen takes no messages of this sender"}
	}
	req := &provider.Request{
		URL: a.base + "/messages", Secure: secure, SecureOfTarget: given != "",
		Body: &provider.JSON{Root: map[string]any{
			"fiscal_code": m.Target.DeviceToken, "content": map[string]any{"subject": m.Content.Title, "markdown": m.Content.Body},
		}},
	}
	req.Apply(m, provider.Style{Case: provider.SnakeCase}, "apiKey", "deviceTokens")
	ans, err := a.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, ans.Failure("", ans.At("detail", "title"))
	}
	return ans.Accepted(ctx, m, ans.At("id")), nil
}

func appioCheck(m *provider.Message, key string) error {
	subject, markdown := utf8.RuneCountInString(m.Content.Title), utf8.RuneCountInString(m.Content.Body)
	switch {
	case m.Target.DeviceToken == "":
		return provider.Failf(provider.Permanent, "the message has no fiscal code")
	case key == "":
		return provider.Failf(provider.Fault, "the integration has no subscription key")
	case subject < appioSubjectMin || subject > appioSubjectMax:
		return provider.Failf(provider.Permanent, "the title must have %d to %d characters, it has %d", appioSubjectMin, appioSubjectMax, subject)
	case markdown < appioMarkdownMin || markdown > appioMarkdownMax:
		return provider.Failf(provider.Permanent, "the content must have %d to %d characters, it has %d", appioMarkdownMin, appioMarkdownMax, markdown)
	}
	return nil
}
