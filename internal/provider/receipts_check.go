package provider

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rsa" //nolint:gosec // Twilio and older SNS topics sign with it
	"crypto/sha1"
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

func checkMailgun(in *Inbound) error {
	var body struct {
		Signature struct{ Timestamp, Token, Signature string }
	}
	if decode(in.Body, &body) != nil {
		return ErrSignature
	}
	s := body.Signature
	if in.Key == "" || !in.within(s.Timestamp, lastingly) || !same(strings.ToLower(s.Signature), hexHMAC(in.Key, []byte(s.Timestamp+s.Token))) {
		return ErrSignature
	}
	return nil
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

// snsSigned are the members that SNS signs, in this order, by the type of message.
var snsSigned = map[string][]string{
	"Notification":             {"Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"},
	"SubscriptionConfirmation": {"Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"},
	"UnsubscribeConfirmation":  {"Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"},
}

// checkSNS checks the signature of SNS by the certificate that the message names, which must come from Amazon. When a
// key is set it is the topic's ARN: anybody may have a topic.
func checkSNS(in *Inbound) error {
	list, err := entries(in.Body)
	if err != nil || len(list) == 0 || in.Fetch == nil {
		return ErrSignature
	}
	e := list[0]
	address := e.text("SigningCertURL")
	signature, err := base64.StdEncoding.DecodeString(e.text("Signature"))
	if err != nil || !amazonAddress(address) || in.Key != "" && !same(in.Key, e.text("TopicArn")) {
		return ErrSignature
	}
	raw, err := in.Fetch(address)
	if err != nil {
		return err
	}
	block, _ := pem.Decode(raw)
	if block == nil {
		return ErrSignature
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return ErrSignature
	}
	public, ok := certificate.PublicKey.(*rsa.PublicKey)
	if !ok || in.Now.After(certificate.NotAfter) {
		return ErrSignature
	}
	var text strings.Builder
	for _, name := range snsSigned[e.text("Type")] {
		if v, present := e[name].(string); present {
			text.WriteString(name + "\n" + v + "\n")
		}
	}
	hash, sum := crypto.SHA1, sha1.Sum([]byte(text.String())) //nolint:gosec // the signature's version 1
	digest := sum[:]
	if e.text("SignatureVersion") == "2" {
		strong := sha256.Sum256([]byte(text.String()))
		hash, digest = crypto.SHA256, strong[:]
	}
	if text.Len() == 0 || rsa.VerifyPKCS1v15(public, hash, digest, signature) != nil {
		return ErrSignature
	}
	return nil
}

// amazonAddress tells whether an address is of the SNS of a region. Anybody may have a name of another kind under Amazon's
// domain: that of a bucket, say.
func amazonAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	host, _ := strings.CutPrefix(strings.ToLower(u.Host), "sns.")
	region, _, _ := strings.Cut(host, ".")
	return u.Scheme+"://"+strings.ToLower(u.Host) == AWSEndpoint("sns", region)
}
