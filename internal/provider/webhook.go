package provider

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// WebhookCall is what the receiver of a webhook learns of a call beside its body: who calls, and whether it is the same
// call again. The signature of the body alone ("X-<Prefix>-Signature") says neither when it was made nor for which call,
// so the headers of Standard Webhooks are sent too.
type WebhookCall struct {
	Prefix  string // the product name in header names
	Secret  string // signing key: any text, or whsec_ and base64; "" leaves the signatures out
	ID      string // the same for every attempt
	Attempt int    // counted from 1
	Now     time.Time
}

// Webhook describes the attempt for m.
func (m *Message) Webhook(prefix, secret string, now time.Time) WebhookCall {
	return WebhookCall{Prefix: prefix, Secret: secret, ID: m.ID, Attempt: m.Attempt, Now: now}
}

// Sign returns the headers of a call with exactly this body.
func (c WebhookCall) Sign(body []byte) http.Header {
	timestamp := strconv.FormatInt(c.Now.Unix(), 10)
	h := http.Header{}
	h.Set("X-"+c.Prefix+"-Message-Id", c.ID)
	h.Set("X-"+c.Prefix+"-Attempt", strconv.Itoa(c.Attempt))
	h.Set("Idempotency-Key", c.ID)
	h.Set("Webhook-Id", c.ID)
	h.Set("Webhook-Timestamp", timestamp)
	if c.Secret != "" {
		h.Set("X-"+c.Prefix+"-Signature", HexHMAC(c.Secret, body))
		webhook, _ := standardwebhooks.NewWebhookRaw(webhookKey(c.Secret)) // takes any key
		signature, _ := webhook.Sign(c.ID, c.Now, body)                    // signs anything
		h.Set("Webhook-Signature", signature)
	}
	return h
}

// webhookKey is the key in a secret as Standard Webhooks writes it.
func webhookKey(secret string) []byte {
	if text, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if key, err := base64.StdEncoding.DecodeString(text); err == nil {
			return key
		}
	}
	return []byte(secret)
}
