package secret_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/secret"
)

func newKeeper(t *testing.T, key string) *secret.Keeper {
	t.Helper()
	k, err := secret.NewKeeper(key)
	require.NoError(t, err)
	return k
}

func TestSealedTextOpensForItsRecordOnly(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, secret.Generate())
	sealed, err := k.Seal([]byte("hunter2"), "integration:1")
	require.NoError(t, err)
	require.NotContains(t, string(sealed), "hunter2")

	opened, err := k.Open(sealed, "integration:1")
	require.NoError(t, err)
	require.Equal(t, "hunter2", string(opened))

	_, err = k.Open(sealed, "integration:2")
	require.ErrorIs(t, err, secret.ErrBroken)
	_, err = k.Open(sealed[:len(sealed)-1], "integration:1")
	require.ErrorIs(t, err, secret.ErrBroken)
	_, err = k.Open(nil, "integration:1")
	require.ErrorIs(t, err, secret.ErrBroken)
}

func TestKeyCanBeChanged(t *testing.T) {
	t.Parallel()
	old, fresh := secret.Generate(), secret.Generate()
	sealed, err := newKeeper(t, old).Seal([]byte("x"), "a")
	require.NoError(t, err)

	both := newKeeper(t, fresh+","+old)
	opened, err := both.Open(sealed, "a")
	require.NoError(t, err)
	require.Equal(t, "x", string(opened))
	require.False(t, both.Current(sealed))

	_, err = newKeeper(t, fresh).Open(sealed, "a")
	require.ErrorIs(t, err, secret.ErrKey)
}

func TestUnusableKeysAreRefused(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "short", "c2hvcnQ=", secret.Generate() + ",", "not base64 at all, really not"} {
		_, err := secret.NewKeeper(key)
		require.Error(t, err, key)
	}
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	old, fresh := secret.Generate(), secret.Generate()
	k := newKeeper(t, old)
	signature := k.Sign("reply", "text")
	require.Regexp(t, "^[a-z2-7]{26}$", signature)
	require.True(t, k.Signed("reply", "text", signature))
	require.True(t, k.Signed("reply", "text", strings.ToUpper(signature)), "mail systems fold the case of addresses")
	require.True(t, newKeeper(t, fresh+","+old).Signed("reply", "text", signature), "from before the key changed")

	require.False(t, newKeeper(t, fresh).Signed("reply", "text", signature))
	require.False(t, k.Signed("other", "text", signature))
	require.False(t, k.Signed("reply", "texT", signature))
	require.False(t, k.Signed("reply", "", signature))
	for _, wrong := range []string{"", signature[1:], signature[:25], signature + "a"} {
		require.False(t, k.Signed("reply", "text", wrong), wrong)
	}
	const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
	for at := range len(signature) { // every character, one bit; the last one has two bits that say nothing
		altered := []byte(signature)
		altered[at] = alphabet[strings.IndexByte(alphabet, altered[at])^1]
		require.False(t, k.Signed("reply", "text", string(altered)), "character %d", at)
	}
}
