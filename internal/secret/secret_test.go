package secret_test

import (
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
