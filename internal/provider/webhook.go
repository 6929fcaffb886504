package provider

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/secret"
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

// webhookSecretBytes is the length of the key in a new secret.
const webhookSecretBytes = 32

// NewWebhookSecret returns a random secret as Standard Webhooks writes it.
func NewWebhookSecret() string {
	key := make([]byte, webhookSecretBytes)
	_, _ = rand.Read(key) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(key)
}

// SealWebhookSecret encrypts the secret of a webhook endpoint for storage.
func SealWebhookSecret(k *secret.Keeper, endpointID id.ID, value string) ([]byte, error) {
	return k.Seal([]byte(value), sealedWebhookSecret+endpointID)
}

// OpenWebhookSecret decrypts what SealWebhookSecret made.
func OpenWebhookSecret(k *secret.Keeper, endpointID id.ID, sealed []byte) (string, error) {
	value, err := k.Open(sealed, sealedWebhookSecret+endpointID)
	if err != nil {
		return "", fmt.Errorf("secret of webhook endpoint %s: %w", endpointID, err)
	}
	return string(value), nil
}

// SignStandard returns the headers of Standard Webhooks for exactly this body, with a signature under each of secrets.
func SignStandard(messageID string, now time.Time, body []byte, secrets ...string) http.Header {
	signatures := make([]string, len(secrets))
	for i, text := range secrets {
		webhook, _ := standardwebhooks.NewWebhookRaw(webhookKey(text)) // takes any key
		signatures[i], _ = webhook.Sign(messageID, now, body)          // signs anything
	}
	h := http.Header{}
	h.Set(standardwebhooks.HeaderWebhookID, messageID)
	h.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	h.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
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
