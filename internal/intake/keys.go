package intake

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The headers of idempotency keys (decisions.md §15).
const (
	HeaderKey    = "Idempotency-Key"
	HeaderReplay = "Idempotency-Replay" // true in an answer that an earlier, equal request was given
)

// IdempotencyKey is the idempotency key that a request carries; "" without one.
func IdempotencyKey(h http.Header) string {
	key := SentKey(h)
	if utf8.ValidString(key) {
		return key
	}
	var latin strings.Builder // what a header of bytes has always meant
	for _, b := range []byte(key) {
		latin.WriteRune(rune(b))
	}
	return latin.String()
}

// SentKey is the idempotency key as the request has it, in its own bytes, for the answer to name.
func SentKey(h http.Header) string { return strings.Trim(h.Get(HeaderKey), " \t") }

// Fingerprint distinguishes requests under one idempotency key: a hash over JSON values, which were decoded with their numbers as
// they were written. The order of members does not count, nor how a number is spelled.
func Fingerprint(parts ...any) []byte {
	canonical, _ := json.Marshal(canonicalNumbers(parts)) // decoded JSON always encodes
	sum := sha256.Sum256(canonical)
	return sum[:]
}

// canonicalNumbers is a document whose equal numbers are spelled equally: 1, 1.0 and 1e0. The document itself stays as it is.
func canonicalNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = canonicalNumbers(member)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = canonicalNumbers(item)
		}
		return list
	case json.Number:
		return canonicalNumber(v)
	}
	return v
}

// canonicalNumber is a number as its digits and a power of ten, exact however long it is: payloads keep every digit, so
// numbers that differ in one are different bodies.
func canonicalNumber(n json.Number) json.Number {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e")
	unsigned := strings.TrimPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(unsigned, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	power, err := strconv.Atoi(cmp.Or(exponent, "0"))
	switch {
	case digits == "":
		return "0"
	case err != nil: // no number that could be stored
		return n
	}
	short := strings.TrimRight(digits, "0")
	power += len(digits) - len(short) - len(fraction)
	return json.Number(mantissa[:len(mantissa)-len(unsigned)] + short + "e" + strconv.Itoa(power))
}
