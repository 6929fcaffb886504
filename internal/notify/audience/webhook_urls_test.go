package audience_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/secret"
)

// TestShownWebhookURLs: what an event stores is shown with every URL masked that is sealed there, and with nothing else changed.
func TestShownWebhookURLs(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	urls := audience.NewWebhookURLs(keeper)
	const plain, shown = "https://hooks.example/secret", "https://hooks.example/********"
	profile := func(url string) map[string]any {
		return map[string]any{"subscriberId": "a", "channels": []any{map[string]any{"credentials": map[string]any{"webhookUrl": url}}}}
	}
	for name, c := range map[string]struct {
		places secret.URLPlaces
		show   func(string, map[string]any) map[string]any
		object func(url string) map[string]any
	}{
		"Overrides": {secret.OverrideURLs, urls.Overrides, func(url string) map[string]any {
			return map[string]any{
				"slack": map[string]any{"webhookUrl": url, "text": plain}, "list": []any{map[string]any{"webhookUrl": url}, 1}, "webhookUrl": 3,
				"providers": map[string]any{"slack": map[string]any{"chep-1": map[string]any{"endpoint": map[string]any{"url": url, "channel": "ops"}}}},
			}
		}},
		"Recipients": {secret.RecipientURLs, urls.Recipients, func(url string) map[string]any {
			return map[string]any{"direct": []any{profile(url)}, "topics": []any{map[string]any{"topicKey": "news"}}}
		}},
		"Actor": {secret.ActorURLs, urls.Actor, profile},
	} {
		sealed, err := keeper.SealGivenURLs("e1", c.object(plain), c.places)
		require.NoError(t, err)
		stored := sealed.(map[string]any) //nolint:forcetypeassert // an object
		require.NotEqual(t, c.object(plain), stored, name)
		require.Equal(t, c.object(shown), c.show("e1", stored), name)
		require.Equal(t, sealed, stored, "%s: what is stored stays", name)
		require.Equal(t, c.object(shown), c.show("e1", c.object(plain)), "%s: stored before URLs were sealed", name)
		require.Equal(t, c.object("********"), c.show("e2", stored), "%s: what cannot be opened", name)
		require.Nil(t, c.show("e1", nil), name)
	}
}
