package provider

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTokensAreBounded: the token used least recently makes room for another.
func TestTokensAreBounded(t *testing.T) {
	t.Parallel()
	tokens, now := newTokens(2), time.Unix(0, 0)
	for _, key := range []string{"a", "b"} {
		tokens.put(key, AccessToken{Value: key, Expires: now.Add(time.Hour)})
	}
	_, kept := tokens.get("a", now)
	require.True(t, kept)
	tokens.put("c", AccessToken{Value: "c", Expires: now.Add(time.Hour)})
	_, kept = tokens.get("b", now)
	require.False(t, kept)
	tokens.forget("a", "another")
	_, kept = tokens.get("a", now)
	require.True(t, kept, "it was replaced already")
	tokens.forget("a", "a")
	_, kept = tokens.get("a", now)
	require.False(t, kept)
}
