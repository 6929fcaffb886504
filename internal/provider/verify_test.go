package provider_test

import (
	"encoding/base64"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
)

// TestVerifyPassword are those of vendors that sign nothing.
func TestVerifyPassword(t *testing.T) {
	t.Parallel()
	basic := func(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }
	verify := func(key string, header http.Header) error {
		return provider.VerifyPassword(&provider.Inbound{Header: header, Key: key})
	}
	require.NoError(t, verify("", http.Header{}), "the address alone")
	for name, header := range map[string]http.Header{
		"Basic": {"Authorization": {basic("hook:pass word")}}, "Bearer": {"Authorization": {"Bearer pass word"}}, "Bare": {"X-Hook": {"a", "pass word"}},
	} {
		require.NoError(t, verify("pass word", header), name)
		require.ErrorIs(t, verify("another", header), provider.ErrSignature, name)
		require.ErrorIs(t, verify("pass", header), provider.ErrSignature, name)
	}
	require.NoError(t, verify("hook:pass", http.Header{"Authorization": {basic("hook:pass")}}))
	for _, header := range []http.Header{nil, {"Authorization": {basic(":")}}, {"Authorization": {"Bearer "}}, {"X-Hook": {""}}} {
		require.ErrorIs(t, verify("pass", header), provider.ErrSignature)
	}
}
