package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
)

func TestDeviceTokens(t *testing.T) {
	t.Parallel()
	keeper, now := newKeeper(t), time.Now()
	token := auth.NewDeviceToken(keeper, "ada", "hash", now)
	known := auth.KnownDevice(keeper, token, "ada", "hash", now)
	require.NotEmpty(t, known)
	require.NotEqual(t, known, auth.KnownDevice(keeper, auth.NewDeviceToken(keeper, "ada", "hash", now), "ada", "hash", now), "each has its own name")
	require.NotEmpty(t, auth.KnownDevice(keeper, token, "ada", "hash", now.Add(auth.DeviceTTL-time.Second)))

	require.Empty(t, auth.KnownDevice(keeper, token, "eve", "hash", now), "of another person")
	require.Empty(t, auth.KnownDevice(keeper, token, "ada", "changed", now), "from before the password changed")
	require.Empty(t, auth.KnownDevice(newKeeper(t), token, "ada", "hash", now), "signed with another key")
	require.Empty(t, auth.KnownDevice(keeper, token, "ada", "hash", now.Add(auth.DeviceTTL+time.Second)), "too old")
	require.Empty(t, auth.KnownDevice(keeper, token, "ada", "hash", now.Add(-time.Hour)), "made in the future")
	require.Empty(t, auth.KnownDevice(keeper, token+strings.Repeat("x", 9000), "ada", "hash", now))
	require.Empty(t, auth.KnownDevice(nil, token, "ada", "hash", now))
	require.Empty(t, auth.NewDeviceToken(nil, "ada", "hash", now))
	for at := range len(token) { // every character, one bit
		changed := []byte(token)
		changed[at] ^= 1
		require.Empty(t, auth.KnownDevice(keeper, string(changed), "ada", "hash", now), "character %d", at)
	}
}
