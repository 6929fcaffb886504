package chat

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// TestCredentialsOfTargets: where an integration names its server, whoever chooses a target cannot have the credentials sent elsewhere.
func TestCredentialsOfTargets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		definition  provider.Definition
		credentials provider.Credentials
	}{
		"rocket-chat": {rocketChat, provider.Credentials{"token": "MARKER", "user": "u1", "baseUrl": "https://Chat.example.com/"}},
		"getstream":   {getstream, provider.Credentials{"apiKey": "MARKER", "baseUrl": "chat.example.com"}},
	} {
		accepted := reply(200, `{"success": true, "message": {"_id": "1", "rid": "room"}}`)
		vendor := &scripted{replies: []func(http.ResponseWriter){accepted, accepted, accepted}}
		a, err := c.definition.New(provider.Deps{Chosen: vendor, Vendor: vendor}, c.credentials)
		require.NoError(t, err, name)
		at := func(url string) *provider.Message {
			m := message(nil)
			m.Target.Endpoint = workflow.EndpointData{URL: url, Channel: "room"}
			return m
		}
		for _, url := range []string{"https://chat.example.com", "https://chat.example.com/base/"} {
			_, err = a.Send(t.Context(), at(url))
			require.NoError(t, err, url)
		}
		redirected := at("https://chat.example.com")
		redirected.Overrides = map[string]any{"webhookUrl": "https://evil.test"}
		for _, m := range []*provider.Message{
			redirected, at("http://chat.example.com"), at("https://chat.example.com:8443"), at("https://chat.example.com.evil.test"), at("https://evil.test/chat.example.com"),
		} {
			_, err = a.Send(t.Context(), m)
			failure := provider.AsError(err)
			require.NotNil(t, failure)
			require.Equal(t, provider.Permanent, failure.Class)
			require.True(t, failure.OfTarget)
			if recaller, recalls := a.(provider.Recaller); recalls {
				require.Error(t, recaller.Recall(t.Context(), m, map[string]string{"room": "room", "id": "1"}))
			}
		}
		require.Len(t, vendor.heard, 2, name)
	}
}
