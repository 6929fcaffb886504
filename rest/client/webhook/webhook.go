// Package webhook verifies requests that are signed as the Standard Webhooks specification says: HMAC-SHA256 over the id, the
// time and the body, in the headers webhook-id, webhook-timestamp and webhook-signature.
package webhook

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	usualTolerance = 5 * time.Minute
	usualMaxBody   = 1 << 20
	shortestKey    = 24 // bytes: the specification's least
)

// Reasons why a request is refused.
var (
	ErrHeaders   = errors.New("the webhook's headers are missing or malformed")
	ErrTime      = errors.New("the webhook's time is too far from now")
	ErrSignature = errors.New("no signature of the webhook matches")
	ErrTooLarge  = errors.New("the webhook's body is too large")
)

// Verifier verifies requests by one or more secrets. It may be used concurrently.
type Verifier struct {
	// Tolerance is how far the time of a request may be from now; five minutes when zero.
	Tolerance time.Duration
	// MaxBody is how many bytes Read accepts; one MiB when zero.
	MaxBody int64
	// Now is the clock; time.Now when nil.
	Now func() time.Time

	keys []*standardwebhooks.Webhook
}

// New returns a verifier for secrets such as whsec_…: the base64 of at least 24 bytes, with the prefix or without it. While
// a secret is replaced, pass the old and the new one.
func New(secrets ...string) (*Verifier, error) {
	if len(secrets) == 0 {
		return nil, errors.New("a webhook's verifier needs a secret")
	}
	v := &Verifier{}
	for i, secret := range secrets {
		key, err := decode(secret)
		if err != nil {
			return nil, fmt.Errorf("webhook secret %d: %w", i+1, err)
		}
		v.keys = append(v.keys, key)
	}
	return v, nil
}

// Verify returns nil when one of the signatures in the header is that of the body under one of the secrets, and the time is
// within the tolerance. The body is to be as it was received, byte by byte.
func (v *Verifier) Verify(header http.Header, body []byte) error {
	seconds, err := strconv.ParseInt(header.Get(standardwebhooks.HeaderWebhookTimestamp), 10, 64)
	if err != nil || header.Get(standardwebhooks.HeaderWebhookID) == "" || header.Get(standardwebhooks.HeaderWebhookSignature) == "" {
		return ErrHeaders
	}
	now := time.Now
	if v.Now != nil {
		now = v.Now
	}
	if now().Sub(time.Unix(seconds, 0)).Abs() > cmp.Or(v.Tolerance, usualTolerance) {
		return ErrTime
	}
	for _, key := range v.keys {
		if key.VerifyIgnoringTimestamp(body, header) == nil {
			return nil
		}
	}
	return ErrSignature
}

// Read reads the body of a request and verifies it. Answer 401 when it fails; the sender tries again.
func (v *Verifier) Read(r *http.Request) ([]byte, error) {
	most := cmp.Or(v.MaxBody, usualMaxBody)
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err != nil {
		return nil, fmt.Errorf("read the webhook: %w", err)
	}
	if int64(len(body)) > most {
		return nil, ErrTooLarge
	}
	if err := v.Verify(r.Header, body); err != nil {
		return nil, err
	}
	return body, nil
}

// decode makes the key of a secret, and refuses one that is short: the library would sign with an empty one.
func decode(secret string) (*standardwebhooks.Webhook, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return nil, fmt.Errorf("not base64: %w", err)
	}
	if len(key) < shortestKey {
		return nil, fmt.Errorf("%d bytes long, shorter than %d", len(key), shortestKey)
	}
	return standardwebhooks.NewWebhookRaw(key)
}
