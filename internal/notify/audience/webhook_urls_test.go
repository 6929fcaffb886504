package audience_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/audience"
)

func TestMaskedURLs(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"":                                       "",
		"https://hooks.slack.com/services/T/B/x": "https://hooks.slack.com/********",
		"https://u:p@chat.example:8443/a?key=1#x": "https://chat.example:8443/********",
		"no url": "********",
		"://":    "********",
	} {
		require.Equal(t, want, audience.MaskedURL(from), from)
	}
	given := map[string]any{"chat": map[string]any{"webhookUrl": "https://a.example/secret", "text": "https://a.example/open"}, "list": []any{map[string]any{"webhookUrl": "x"}, 1}, "webhookUrl": 3}
	require.Equal(t, map[string]any{
		"chat": map[string]any{"webhookUrl": "https://a.example/********", "text": "https://a.example/open"},
		"list": []any{map[string]any{"webhookUrl": "********"}, 1}, "webhookUrl": 3,
	}, audience.MaskedURLs(given))
	require.Equal(t, "https://a.example/secret", given["chat"].(map[string]any)["webhookUrl"], "what is stored stays") //nolint:forcetypeassert // made above
}
