package secret_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/secret"
)

func TestURLsAreSealedForTheirEnvironment(t *testing.T) {
	t.Parallel()
	const hook = "https://hooks.example.com/secret"
	k := newKeeper(t, secret.Generate())
	sealed, err := k.SealURL("env1", hook)
	require.NoError(t, err)
	require.NotContains(t, sealed, "hooks.example.com")

	opened, err := k.OpenURL("env1", sealed)
	require.NoError(t, err)
	require.Equal(t, hook, opened)
	again, err := k.SealURL("env1", sealed)
	require.NoError(t, err)
	require.Equal(t, sealed, again, "sealed once")

	_, err = k.OpenURL("env2", sealed)
	require.ErrorIs(t, err, secret.ErrBroken)
	_, err = newKeeper(t, secret.Generate()).OpenURL("env1", sealed)
	require.ErrorIs(t, err, secret.ErrKey)

	opened, err = k.OpenURL("env1", hook)
	require.NoError(t, err)
	require.Equal(t, hook, opened, "stored by an earlier release")
	for _, given := range []string{"sealed:", "sealed:x", sealed} { // as a stranger might give
		kept, err := k.SealGivenURLs("env1", map[string]any{"url": given}, secret.EndpointURLs)
		require.NoError(t, err)
		opened, err := k.OpenURLs("env1", kept, secret.EndpointURLs)
		require.NoError(t, err)
		require.Equal(t, map[string]any{"url": given}, opened)
	}

	var none *secret.Keeper
	_, err = none.SealURL("env1", hook)
	require.Error(t, err, "nothing is stored in clear for want of a key")
	empty, err := none.SealURL("env1", "")
	require.NoError(t, err)
	require.Empty(t, empty)
}

func TestURLsAreSealedAtTheirPlacesOnly(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, secret.Generate())
	type object = map[string]any
	const hook = "https://hooks.example.com/secret"
	for name, c := range map[string]struct {
		places secret.URLPlaces
		given  object
		kept   func(sealed object) any
	}{
		"Recipients": {
			secret.RecipientURLs,
			object{"direct": []any{object{"data": object{"webhookUrl": hook}, "channels": []any{object{"credentials": object{"webhookUrl": hook}}}}}},
			func(o object) any { return o["direct"].([]any)[0].(object)["data"] }, //nolint:forcetypeassert // made above
		},
		"Overrides": {
			secret.OverrideURLs,
			object{"providers": object{"slack": object{"webhookUrl": hook, "list": []any{object{"webhookUrl": hook}}, "one": object{"endpoint": object{"url": hook}}}}, "url": hook},
			func(o object) any { return o["url"] },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sealed, err := k.RenewURLs("env", c.given, c.places)
			require.NoError(t, err)
			require.Equal(t, c.kept(c.given), c.kept(sealed.(object))) //nolint:forcetypeassert // as given
			require.NotEqual(t, c.given, sealed, "what was given stays as it is")
			opened, err := k.OpenURLs("env", sealed, c.places)
			require.NoError(t, err)
			require.Equal(t, c.given, opened)
		})
	}
}

func TestURLsAreRenewedUnderANewKey(t *testing.T) {
	t.Parallel()
	const hook = "https://hooks.example.com/secret"
	older, present := secret.Generate(), secret.Generate()
	sealed, err := newKeeper(t, older).SealURL("env", hook)
	require.NoError(t, err)
	both := newKeeper(t, present+","+older)
	require.NotContains(t, sealed, both.URLPrefix())
	for _, text := range []string{hook, sealed} {
		renewed, err := both.RenewURL("env", text)
		require.NoError(t, err)
		require.Contains(t, renewed, both.URLPrefix())
		again, err := both.RenewURL("env", renewed)
		require.NoError(t, err)
		require.Equal(t, renewed, again)
		opened, err := newKeeper(t, present).OpenURL("env", renewed)
		require.NoError(t, err)
		require.Equal(t, hook, opened)
	}
	kept, err := newKeeper(t, present).RenewURL("env", sealed)
	require.NoError(t, err)
	require.Equal(t, sealed, kept, "its key is lost")
}
