package provider_test

import (
	"encoding/base64"
	"net/http"
	"testing"
	"time"

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

// TestVerifySvix against the published vector of Standard Webhooks, whose headers Svix names its own way.
func TestVerifySvix(t *testing.T) {
	t.Parallel()
	const secret, id, signature = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	at := time.Unix(1614265330, 0)
	verify := func(change func(in *provider.Inbound)) error {
		in := &provider.Inbound{Header: http.Header{}, Body: []byte(`{"test": 2432232314}`), Key: secret, Now: at.Add(5 * time.Minute)}
		in.Header.Set("Svix-Id", id)
		in.Header.Set("Svix-Timestamp", "1614265330")
		in.Header.Set("Svix-Signature", "v1,bad v2,x "+signature)
		change(in)
		return provider.VerifySvix(in)
	}
	require.NoError(t, verify(func(*provider.Inbound) {}))
	for name, change := range map[string]func(in *provider.Inbound){
		"Late":         func(in *provider.Inbound) { in.Now = at.Add(5*time.Minute + 1) },
		"Early":        func(in *provider.Inbound) { in.Now = at.Add(-5*time.Minute - 1) },
		"OtherBody":    func(in *provider.Inbound) { in.Body = []byte(`{}`) },
		"OtherID":      func(in *provider.Inbound) { in.Header.Set("Svix-Id", "msg_other") },
		"OtherTime":    func(in *provider.Inbound) { in.Header.Set("Svix-Timestamp", "1614265331") },
		"NoTime":       func(in *provider.Inbound) { in.Header.Del("Svix-Timestamp") },
		"NoSignature":  func(in *provider.Inbound) { in.Header.Del("Svix-Signature") },
		"OtherVersion": func(in *provider.Inbound) { in.Header.Set("Svix-Signature", "v2"+signature[2:]) },
		"NoKey":        func(in *provider.Inbound) { in.Key = "" },
		"EmptyKey":     func(in *provider.Inbound) { in.Key = "whsec_" },
		"OddKey":       func(in *provider.Inbound) { in.Key = "whsec_no base64" },
	} {
		require.ErrorIs(t, verify(change), provider.ErrSignature, name)
	}
}
