package secret

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"strings"
)

// signatureBytes keeps signatures short enough for the local part of a mail address and beyond guessing.
const signatureBytes = 16

// lowerCase is an alphabet that survives mail systems which fold the case of addresses.
var lowerCase = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Sign is a signature of text for one purpose, in small letters and digits.
func (k *Keeper) Sign(purpose, text string) string { return k.keys[0].sign(purpose, text) }

// Signed reports whether Sign made the signature, with any of the keys.
func (k *Keeper) Signed(purpose, text, signature string) bool {
	signature = strings.ToLower(signature)
	ok := 0
	for _, candidate := range k.keys {
		ok |= subtle.ConstantTimeCompare([]byte(candidate.sign(purpose, text)), []byte(signature))
	}
	return ok == 1
}

func (k key) sign(purpose, text string) string {
	mac := hmac.New(sha256.New, k.signing)
	mac.Write([]byte(purpose + "\x00" + text))
	return lowerCase.EncodeToString(mac.Sum(nil)[:signatureBytes])
}

// signingKey is derived from an operator's key, so that nothing is signed with the key that seals.
func signingKey(raw []byte) []byte {
	mac := hmac.New(sha256.New, raw)
	mac.Write([]byte("carillon signatures"))
	return mac.Sum(nil)
}
