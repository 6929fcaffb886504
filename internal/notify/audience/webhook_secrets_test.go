package audience_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

const hook = "https://hooks.example/T/secret"

// TestAcceptedURLsAreSealed: whatever way a trigger names a webhook, no row holds it in clear, and its own environment reads it.
func TestAcceptedURLsAreSealed(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	urls := audience.NewWebhookURLs(keeper)
	channels := `"channels":[{"providerId":"slack","credentials":{"webhookUrl":"` + hook + `"}}]`
	a := &accept.Acceptance{
		EnvironmentID: "e1",
		Recipients:    []byte(`{"direct":[{"subscriberId":"u",` + channels + `}]}`),
		Actor:         []byte(`{"subscriberId":"a",` + channels + `}`),
		Overrides:     []byte(`{"chat":{"webhookUrl":"` + hook + `","n":12345678901234567890},"providers":{"slack":{"e1":{"endpoint":{"url":"` + hook + `"}}}}}`),
	}
	require.NoError(t, urls.SealAccepted(a))
	for _, stored := range [][]byte{a.Recipients, a.Actor, a.Overrides} {
		require.NotContains(t, string(stored), "secret")
	}
	require.Contains(t, string(a.Overrides), "12345678901234567890", "numbers keep all their digits")
	object := func(raw []byte) (out map[string]any) {
		require.NoError(t, usecase.DecodeJSON(raw, &out))
		return out
	}
	text := func(v any) string {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		return string(raw)
	}
	for _, c := range []struct {
		stored []byte
		places secret.URLPlaces
		want   string
	}{
		{a.Recipients, secret.RecipientURLs, `{"direct":[{"subscriberId":"u",` + channels + `}]}`},
		{a.Actor, secret.ActorURLs, `{"subscriberId":"a",` + channels + `}`},
		{a.Overrides, secret.OverrideURLs, `{"chat":{"webhookUrl":"` + hook + `","n":12345678901234567890},"providers":{"slack":{"e1":{"endpoint":{"url":"` + hook + `"}}}}}`},
	} {
		opened, err := keeper.OpenURLs("e1", object(c.stored), c.places)
		require.NoError(t, err)
		require.JSONEq(t, c.want, text(opened))
		_, err = keeper.OpenURLs("e2", object(c.stored), c.places)
		require.Error(t, err, "another environment opens nothing")
	}
}

// Escaped names of members are members all the same.
func TestEscapedNamesAreSealed(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	a := &accept.Acceptance{EnvironmentID: "e1", Overrides: []byte(`{"chat":{"webhook\u0055rl":"` + hook + `"}}`)}
	require.NoError(t, audience.NewWebhookURLs(keeper).SealAccepted(a))
	require.NotContains(t, string(a.Overrides), "secret")

	plain := []byte(`{"email":{"to":["a@example.com"]}}`)
	a = &accept.Acceptance{EnvironmentID: "e1", Overrides: plain}
	require.NoError(t, audience.NewWebhookURLs(keeper).SealAccepted(a))
	require.Equal(t, plain, a.Overrides, "what names no address stays byte for byte")
}

// TestOpenedURLs: what cannot be opened is shown as a mask, and never as it is stored.
func TestOpenedURLs(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	urls := audience.NewWebhookURLs(keeper)
	sealed, err := keeper.SealURL("e1", hook)
	require.NoError(t, err)
	require.Equal(t, hook, urls.Open("e1", sealed))
	require.Equal(t, usecase.Mask, urls.Open("e2", sealed))
	ctx := viewer.NewContext(t.Context(), viewer.Viewer{Scope: viewer.Scope{EnvironmentID: "e1"}})
	require.Equal(t, "https://hooks.example/"+usecase.Mask, urls.Masked(ctx, sealed))
	require.Equal(t, usecase.Mask, urls.Masked(t.Context(), sealed))
	require.Empty(t, urls.Masked(ctx, ""))
}
