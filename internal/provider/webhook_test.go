package provider_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
)

// TestWebhookCall against the published vector of Standard Webhooks.
func TestWebhookCall(t *testing.T) {
	t.Parallel()
	call := provider.WebhookCall{
		Prefix: "svc", Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Attempt: 3, Now: time.Unix(1614265330, 0),
	}
	body := []byte(`{"test": 2432232314}`)
	h := call.Sign(body)
	require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", h.Get("webhook-signature"))
	require.Equal(t, "msg_p5jXN8AQM9LWM0D4loKWxJek", h.Get("webhook-id"))
	require.Equal(t, "1614265330", h.Get("webhook-timestamp"))
	require.Equal(t, "msg_p5jXN8AQM9LWM0D4loKWxJek", h.Get("Idempotency-Key"))
	require.Equal(t, "msg_p5jXN8AQM9LWM0D4loKWxJek", h.Get("X-Svc-Message-Id"))
	require.Equal(t, "3", h.Get("X-Svc-Attempt"))
	require.Len(t, h.Get("X-Svc-Signature"), 64, "of the body alone, under the secret as it is written")

	signature := func(change func(*provider.WebhookCall)) string {
		other := call
		change(&other)
		return other.Sign(body).Get("webhook-signature")
	}
	for name, change := range map[string]func(*provider.WebhookCall){
		"Id": func(c *provider.WebhookCall) { c.ID += "x" }, "Timestamp": func(c *provider.WebhookCall) { c.Now = c.Now.Add(time.Second) },
		"Key": func(c *provider.WebhookCall) { c.Secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
		"Raw": func(c *provider.WebhookCall) { c.Secret = "whsec_no base64" },
	} {
		require.NotEqual(t, h.Get("webhook-signature"), signature(change), name)
	}
	require.Equal(t, h.Get("webhook-signature"), signature(func(c *provider.WebhookCall) { c.Attempt++ }), "the attempt is another, the call the same")

	call.Secret = ""
	h = call.Sign(body)
	require.Empty(t, h.Get("webhook-signature"))
	require.Empty(t, h.Get("X-Svc-Signature"))
	require.NotEmpty(t, h.Get("webhook-id"))
	require.NotEqual(t, http.Header{}, h)
}
