package provider

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // Twilio signs with it
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// How old a signed report may be: vendors that sign anew for each try, and those that repeat the same bytes for hours.
const (
	freshly   = 5 * time.Minute
	lastingly = 24 * time.Hour
)

func (in *Inbound) within(timestamp string, tolerance time.Duration) bool {
	at := when(timestamp)
	return !at.IsZero() && in.Now.Sub(at).Abs() <= tolerance
}

func checkSendGrid(in *Inbound) error {
	timestamp := in.Header.Get("X-Twilio-Email-Event-Webhook-Timestamp")
	signature, err := base64.StdEncoding.DecodeString(in.Header.Get("X-Twilio-Email-Event-Webhook-Signature"))
	if err != nil || len(signature) == 0 || !in.within(timestamp, lastingly) {
		return ErrSignature
	}
	public, ok := publicKey(in.Key).(*ecdsa.PublicKey)
	sum := sha256.Sum256(append([]byte(timestamp), in.Body...))
	if !ok || !ecdsa.VerifyASN1(public, sum[:], signature) {
		return ErrSignature
	}
	return nil
}

// publicKey reads a key in PEM or in bare base64; nil when it is neither.
func publicKey(text string) any {
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

// mailgunProof is what Mailgun signs: a moment and a token, neither of which says anything of the report beside them.
type mailgunProof struct{ Timestamp, Token, Signature string }

func readMailgunProof(in *Inbound) (proof mailgunProof, ok bool) {
	var body struct{ Signature mailgunProof }
	err := decode(in.Body, &body)
	return body.Signature, err == nil && body.Signature.Token != ""
}

func checkMailgun(in *Inbound) error {
	s, ok := readMailgunProof(in)
	if !ok || in.Key == "" || !in.within(s.Timestamp, lastingly) || !same(strings.ToLower(s.Signature), hexHMAC(in.Key, []byte(s.Timestamp+s.Token))) {
		return ErrSignature
	}
	return nil
}

// mailgunToken is the token, which must not be taken twice while its timestamp is fresh. The timestamp is part of it: the
// signature covers the two as one text, in which the border between them could be moved.
func mailgunToken(in *Inbound) (token string, expires time.Time) {
	s, _ := readMailgunProof(in)
	return digest([]byte(s.Timestamp + s.Token)), in.Now.Add(2 * lastingly)
}

func hexHMAC(key string, message []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(message)
	return hex.EncodeToString(mac.Sum(nil))
}

func checkMailerSend(in *Inbound) error {
	if in.Key == "" || !same(strings.ToLower(in.Header.Get("Signature")), hexHMAC(in.Key, in.Body)) {
		return ErrSignature
	}
	var body struct {
		CreatedAt string `json:"created_at"` // the vendor signs no other time; that it is always there is unverified
	}
	if decode(in.Body, &body) == nil && body.CreatedAt != "" && !in.within(body.CreatedAt, lastingly) {
		return ErrSignature
	}
	return nil
}

func checkSvix(in *Inbound) error {
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(in.Key, "whsec_"))
	timestamp := in.Header.Get("Svix-Timestamp")
	if err != nil || in.Key == "" || !in.within(timestamp, freshly) {
		return ErrSignature
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(in.Header.Get("Svix-Id") + "." + timestamp + "."))
	mac.Write(in.Body)
	want := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for signature := range strings.FieldsSeq(in.Header.Get("Svix-Signature")) {
		if version, text, _ := strings.Cut(signature, ","); version == "v1" && same(text, want) {
			return nil
		}
	}
	return ErrSignature
}

// checkTwilio checks the signature over the address and the sorted form, under the account's token unless a key is set.
func checkTwilio(in *Inbound) error {
	key := in.Key
	if key == "" {
		key = in.Credentials.String("token")
	}
	form, err := url.ParseQuery(string(in.Body))
	given := in.Header.Get("X-Twilio-Signature")
	if err != nil || key == "" || given == "" {
		return ErrSignature
	}
	var fields strings.Builder
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, v := range form[name] {
			fields.WriteString(name + v)
		}
	}
	for _, address := range in.URLs {
		mac := hmac.New(sha1.New, []byte(key))
		mac.Write([]byte(address + fields.String()))
		if same(given, base64.StdEncoding.EncodeToString(mac.Sum(nil))) {
			return nil
		}
	}
	return ErrSignature
}

func checkTelnyx(in *Inbound) error {
	timestamp := in.Header.Get("Telnyx-Timestamp")
	signature, err := base64.StdEncoding.DecodeString(in.Header.Get("Telnyx-Signature-Ed25519"))
	public, ok := publicKey(in.Key).(ed25519.PublicKey)
	if err != nil || !ok || !in.within(timestamp, freshly) {
		return ErrSignature
	}
	if !ed25519.Verify(public, append([]byte(timestamp+"|"), in.Body...), signature) { // "|" between them is unverified
		return ErrSignature
	}
	return nil
}
