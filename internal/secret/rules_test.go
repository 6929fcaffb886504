package secret_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/secret"
)

// rawKey is a key whose base64 has signs that the two alphabets write differently.
func rawKey() []byte { return bytes.Repeat([]byte{0xfb, 0xff}, secret.KeyBytes/2) }

// TestKeysOfAllTools: one key in either alphabet, padded or not, with white space around it, opens the same texts.
func TestKeysOfAllTools(t *testing.T) {
	t.Parallel()
	sealed, err := newKeeper(t, base64.StdEncoding.EncodeToString(rawKey())).Seal([]byte("x"), "a")
	require.NoError(t, err)
	for _, text := range []string{
		base64.RawStdEncoding.EncodeToString(rawKey()), base64.URLEncoding.EncodeToString(rawKey()),
		base64.RawURLEncoding.EncodeToString(rawKey()), "  " + base64.StdEncoding.EncodeToString(rawKey()) + "\n",
		secret.Generate() + " , " + base64.URLEncoding.EncodeToString(rawKey()),
	} {
		opened, err := newKeeper(t, text).Open(sealed, "a")
		require.NoError(t, err, text)
		require.Equal(t, "x", string(opened))
	}
}

// TestRefusedKeysAreCounted and not quoted: the text ends in logs.
func TestRefusedKeysAreCounted(t *testing.T) {
	t.Parallel()
	long := base64.StdEncoding.EncodeToString(append(rawKey(), 1))
	for text, want := range map[string]string{
		"":                                "secret key 1: must be 32 bytes in base64",
		long:                              "secret key 1: must be 32 bytes in base64",
		secret.Generate() + ",TopSecret":  "secret key 2: must be 32 bytes in base64",
		secret.Generate() + ",," + "AAAA": "secret key 2: must be 32 bytes in base64",
	} {
		_, err := secret.NewKeeper(text)
		require.EqualError(t, err, want)
	}
}

// TestEveryByteCounts: one changed byte is never opened, and a changed key id is another failure than a damaged text.
func TestEveryByteCounts(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, secret.Generate())
	sealed, err := k.Seal([]byte("hunter2"), "a")
	require.NoError(t, err)
	for at := range sealed {
		damaged := bytes.Clone(sealed)
		damaged[at] ^= 1
		want := secret.ErrBroken
		if at >= 1 && at < 5 { // the id of the key
			want = secret.ErrKey
		}
		opened, err := k.Open(damaged, "a")
		require.ErrorIs(t, err, want, "byte %d", at)
		require.Nil(t, opened)
	}
	for length := range len(sealed) {
		_, err := k.Open(sealed[:length], "a")
		require.ErrorIs(t, err, secret.ErrBroken, "%d bytes", length)
	}
	again, err := k.Seal([]byte("hunter2"), "a")
	require.NoError(t, err)
	require.NotEqual(t, sealed, again, "equal contents cannot be told from their ciphertexts")
	require.NotEqual(t, secret.Generate(), secret.Generate())
}

// TestWhatAKeeperKnows of texts under its first key, another of its keys, and a stranger's.
func TestWhatAKeeperKnows(t *testing.T) {
	t.Parallel()
	older, present := secret.Generate(), secret.Generate()
	k := newKeeper(t, present+","+older)
	for name, c := range map[string]struct {
		by                   *secret.Keeper
		fits, knows, current bool
	}{
		"FirstKey": {newKeeper(t, present), true, true, true},
		"OlderKey": {newKeeper(t, older), true, true, false},
		"Stranger": {newKeeper(t, secret.Generate()), false, false, false},
	} {
		check, err := c.by.Check()
		require.NoError(t, err)
		sealed, err := c.by.Seal([]byte("x"), "another record")
		require.NoError(t, err)
		require.Equal(t, []bool{c.fits, c.knows, c.current}, []bool{k.Fits(check), k.Knows(sealed), k.Current(sealed)}, name)
		require.False(t, k.Fits(sealed), "%s: no check", name)
	}
	for _, short := range [][]byte{nil, {}, {1}, {1, 2, 3, 4}} {
		require.Equal(t, []bool{false, false, false}, []bool{k.Fits(short), k.Knows(short), k.Current(short)}, "%v", short)
	}
}

// TestSignaturesStayTheSame over releases: they are in addresses that were mailed. Computed here step by step.
func TestSignaturesStayTheSame(t *testing.T) {
	t.Parallel()
	mac := func(key, text []byte) []byte {
		h := hmac.New(sha256.New, key)
		h.Write(text)
		return h.Sum(nil)
	}
	derived := mac(rawKey(), []byte("carillon signatures"))
	want := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac(derived, []byte("reply\x00text"))[:16]))
	k := newKeeper(t, base64.StdEncoding.EncodeToString(rawKey()))
	require.Equal(t, want, k.Sign("reply", "text"))
	require.NotEqual(t, k.Sign("a", "bc"), k.Sign("ab", "c"), "purpose and text do not run together")
	twice := newKeeper(t, base64.StdEncoding.EncodeToString(rawKey())+","+base64.URLEncoding.EncodeToString(rawKey()))
	require.True(t, twice.Signed("reply", "text", want), "a key given twice")
}

// TestFailuresOfURLs: their texts and classes. What cannot be read is never returned.
func TestFailuresOfURLs(t *testing.T) {
	t.Parallel()
	const hook = "https://hooks.example.com/secret"
	k := newKeeper(t, secret.Generate())
	sealed, err := k.SealURL("env", hook)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(sealed, k.URLPrefix()), "what was sealed under the present key is found by its beginning")
	var none *secret.Keeper
	for name, c := range map[string]struct {
		keeper *secret.Keeper
		text   string
		want   string
	}{
		"NoKey":     {none, sealed, "open a webhook URL: there is no secret key"},
		"NotBase64": {k, secret.SealedPrefix + "!", "open a webhook URL: not sealed for this record, or damaged"},
		"Empty":     {k, secret.SealedPrefix, "open a webhook URL: not sealed for this record, or damaged"},
		"CutOff":    {k, sealed[:len(sealed)-4], "open a webhook URL: not sealed for this record, or damaged"},
		"Stranger":  {newKeeper(t, secret.Generate()), sealed, "open a webhook URL: sealed under a key that this server does not have"},
	} {
		opened, err := c.keeper.OpenURL("env", c.text)
		require.EqualError(t, err, c.want, name)
		require.Empty(t, opened, name)
	}
	for _, given := range []string{hook, sealed} {
		_, err := none.RenewURL("env", given)
		require.ErrorContains(t, err, "there is no secret key")
	}
	kept, err := k.RenewURL("env", secret.SealedPrefix+"!")
	require.NoError(t, err)
	require.Equal(t, secret.SealedPrefix+"!", kept, "what cannot be opened stays as it is")
	_, err = none.SealGivenURLs("env", map[string]any{"url": hook}, secret.EndpointURLs)
	require.EqualError(t, err, "seal a webhook URL: there is no secret key")
}

// TestPlacesOfURLs: exactly the texts at each place are sealed, and what was given is not written to.
func TestPlacesOfURLs(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, secret.Generate())
	for given, places := range map[string]secret.URLPlaces{
		`{"webhookUrl": "URL", "other": "kept", "nested": {"webhookUrl": "kept"}}`:                                                                      secret.SettingURLs,
		`{"url": "URL", "webhookUrl": "kept"}`:                                                                                                          secret.EndpointURLs,
		`[{"credentials": {"webhookUrl": "URL", "token": "kept"}}, {"credentials": null}, "kept", {"credentials": {"webhookUrl": "URL"}}]`:              secret.SettingsURLs,
		`{"channels": [{"credentials": {"webhookUrl": "URL"}}], "credentials": {"webhookUrl": "kept"}}`:                                                 secret.ActorURLs,
		`{"direct": [{"channels": [{"credentials": {"webhookUrl": "URL"}}]}, {"channels": {}}], "channels": [{"credentials": {"webhookUrl": "kept"}}]}`: secret.RecipientURLs,
		`{"endpoint": {"url": "URL"}, "url": "kept", "channels": [{"credentials": {"webhookUrl": "URL"}}]}`:                                             secret.EnvelopeURLs,
		`{"a": [[{"b": {"webhookUrl": "URL"}}]], "endpoint": {"url": "URL", "more": "kept"}, "url": "kept"}`:                                            secret.OverrideURLs,
		`{"webhookUrl": 7, "list": ["kept"], "endpoint": "kept"}`:                                                                                       secret.OverrideURLs,
		`{"direct": "kept"}`: secret.RecipientURLs,
		`"kept"`:             secret.SettingURLs,
	} {
		var v any
		require.NoError(t, json.Unmarshal([]byte(given), &v))
		sealed, err := k.SealGivenURLs("env", v, places)
		require.NoError(t, err)
		unchanged, err := json.Marshal(v)
		require.NoError(t, err)
		require.JSONEq(t, given, string(unchanged), "what was given")

		text, err := json.Marshal(sealed)
		require.NoError(t, err)
		require.NotContains(t, string(text), `"URL"`)
		require.Equal(t, strings.Count(given, `"URL"`), strings.Count(string(text), secret.SealedPrefix), given)
		require.Equal(t, strings.Count(given, `"kept"`), strings.Count(string(text), `"kept"`), given)
		opened, err := k.OpenURLs("env", sealed, places)
		require.NoError(t, err)
		require.Equal(t, v, opened)
		_, err = k.OpenURLs("another", sealed, places)
		require.Equal(t, strings.Contains(given, `"URL"`), err != nil, given)
	}
}
