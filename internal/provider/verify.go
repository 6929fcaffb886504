package provider

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"net/http"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// How old a signed report may be: of vendors that sign anew for each attempt, and of those that repeat the same bytes for
// hours.
const (
	SignedAnew = 5 * time.Minute
	SignedOnce = 24 * time.Hour
)

// Within reports whether a report's own time is at most tolerance away from now.
func (in *Inbound) Within(timestamp string, tolerance time.Duration) bool {
	at := ReportTime(timestamp)
	return !at.IsZero() && in.Now.Sub(at).Abs() <= tolerance
}

// VerifyPassword verifies reports of vendors that sign nothing: the receiving address is itself a secret. A signing key that was set
// all the same is the password, or user:password, of basic authentication in the address that the vendor was given, or
// what the vendor was configured to send in a header, as a bearer token or bare.
func VerifyPassword(in *Inbound) error {
	if in.Key == "" {
		return nil
	}
	r := http.Request{Header: in.Header}
	if user, password, ok := r.BasicAuth(); ok && (SameText(password, in.Key) || SameText(user+":"+password, in.Key)) {
		return nil
	}
	for _, values := range in.Header {
		for _, v := range values {
			if SameText(v, in.Key) || SameText(v, "Bearer "+in.Key) {
				return nil
			}
		}
	}
	return ErrSignature
}

// SameText compares in constant time.
func SameText(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// VerifySvix verifies reports that are signed as Svix does, which is Standard Webhooks under header names of its own. The
// library checks the signature; the time is compared with the clock of the request.
func VerifySvix(in *Inbound) error {
	webhook, err := standardwebhooks.NewWebhook(in.Key)
	if err != nil || in.Key == "" || !in.Within(in.Header.Get("Svix-Timestamp"), SignedAnew) {
		return ErrSignature
	}
	standard := http.Header{}
	for _, name := range []string{"Id", "Timestamp", "Signature"} {
		standard.Set("Webhook-"+name, in.Header.Get("Svix-"+name))
	}
	if webhook.VerifyIgnoringTimestamp(in.Body, standard) != nil {
		return ErrSignature
	}
	return nil
}

// PublicKey reads a key in PEM or in bare base64; nil when it is neither.
func PublicKey(text string) any {
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if block, _ := pem.Decode([]byte(text)); block != nil {
		der, err = block.Bytes, nil
	}
	if err != nil {
		return nil
	}
	if len(der) == ed25519.PublicKeySize {
		return ed25519.PublicKey(der)
	}
	key, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil
	}
	return key
}

// HexHMAC returns the HMAC-SHA256 of a message in lower-case hexadecimal.
func HexHMAC(key string, message []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(message)
	return hex.EncodeToString(mac.Sum(nil))
}
