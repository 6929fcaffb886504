package chat

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/golang-jwt/jwt/v5"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var getstream = provider.Definition{
	ID: "getstream", Name: "GetStream", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	Credentials: []provider.Field{
		{Name: "apiKey", Label: "API key", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "secretKey", Label: "App secret, for Stream's own API", Kind: provider.KindString, Secret: true},
		fieldServer,
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		client, key := d.Client(), c.Secret("apiKey")
		g := &getstreamAdapter{relay: getstreamRelay(client, key)}
		g.relay.server = c.URL("baseUrl", "")
		if secret := c.Secret("secretKey"); secret != "" {
			token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"server": true}).SignedString([]byte(secret))
			if err != nil {
				return nil, err
			}
			g.stream = getstreamServer(client, key, token)
		}
		return g, nil
	},
}

// getstreamAdapter posts to a relay. It posts to Stream's own API when it has the app's secret and the target is there.
type getstreamAdapter struct{ relay, stream *hook }

const getstreamHost = "chat.stream-io-api.com"

// Send posts one message.
func (g *getstreamAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	target, _ := webhookURL(m)
	if u, err := url.Parse(target); err == nil && u.Scheme == "https" && u.Host == getstreamHost && g.stream != nil {
		return g.stream.Send(ctx, m)
	}
	return g.relay.Send(ctx, m)
}

// getstreamRelay is a convention of relays: the key travels in the body.
func getstreamRelay(client *provider.Client, key string) *hook {
	return &hook{
		client: client, style: provider.Style{Case: provider.SnakeCase, Free: []string{"headers"}},
		secure: http.Header{"X-Api-Key": {key}},
		body: func(m *provider.Message) map[string]any {
			headers := map[string]any{"X-API-KEY": key}
			for _, layer := range []map[string]any{m.Overrides, m.Merge} {
				pass, _ := layer["_passthrough"].(map[string]any)
				more, _ := pass["headers"].(map[string]any)
				for name, value := range more {
					if !strings.EqualFold(name, "X-API-KEY") {
						headers[name] = value
					}
				}
			}
			return map[string]any{"text": m.Content.Body, "headers": headers}
		},
		read: func(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
			if !ans.OK() {
				return refused(ans, ans.At("code"), ans.At("message"))
			}
			return &provider.Receipt{ID: ans.Header.Get("X-Webhook-Id")}, nil
		},
	}
}

// getstreamServer is Stream's own API. Unverified, all of it.
func getstreamServer(client *provider.Client, key, token string) *hook {
	return &hook{
		client: client, style: provider.Style{Case: provider.SnakeCase, Free: []string{"custom"}},
		query: url.Values{"api_key": {key}}, own: []string{"userId", "user_id"},
		secure: http.Header{"Authorization": {token}, "Stream-Auth-Type": {"jwt"}},
		body: func(m *provider.Message) map[string]any {
			user := provider.Override(m, "userId")
			if user == "" {
				user = provider.Override(m, "user_id")
			}
			return map[string]any{"message": provider.Present(map[string]any{"text": m.Content.Body, "user_id": user})}
		},
		read: func(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
			if !ans.OK() {
				return refused(ans, ans.At("code"), ans.At("message"))
			}
			return &provider.Receipt{ID: ans.At("message.id")}, nil
		},
	}
}
