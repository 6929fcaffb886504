// Package secret keeps what must be stored and read back: provider credentials, access tokens, signing keys. They are
// sealed with AES-256-GCM (Tink) under the key-encryption key of the operator, bound to the record they belong to.
package secret

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// KeyBytes is the length of a key.
const KeyBytes = 32

// header precedes every ciphertext: the format's version and the first bytes of the key's hash, so that a
// text sealed under an older key finds it.
const (
	version     = 1
	keyIDBytes  = 4
	headerBytes = 1 + keyIDBytes
)

// The failures of Open. Neither says anything about the content.
var (
	ErrKey    = errors.New("sealed under a key that this server does not have")
	ErrBroken = errors.New("not sealed for this record, or damaged")
)

// Keeper seals and opens. It is safe for concurrent use.
type Keeper struct {
	keys []key // the first seals, all open
}

type key struct {
	id      []byte
	cipher  tink.AEAD
	signing []byte
}

// NewKeeper reads the operator's key: 32 bytes in base64. It may hold several keys, separated by commas: the first
// seals and all of them open, so that a key can be changed while texts sealed under the old one remain.
func NewKeeper(masterKey string) (*Keeper, error) {
	k := &Keeper{}
	for i, text := range strings.Split(masterKey, ",") {
		raw, err := decode(strings.TrimSpace(text))
		if err != nil || len(raw) != KeyBytes {
			return nil, fmt.Errorf("secret key %d: must be %d bytes in base64", i+1, KeyBytes)
		}
		cipher, err := subtle.NewAESGCM(raw)
		if err != nil {
			return nil, fmt.Errorf("secret key %d: %w", i+1, err)
		}
		sum := sha256.Sum256(raw)
		k.keys = append(k.keys, key{id: sum[:keyIDBytes], cipher: cipher, signing: signingKey(raw)})
	}
	return k, nil
}

// decode takes either alphabet, padded or not: keys are made by many tools.
func decode(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	return base64.RawStdEncoding.DecodeString(text)
}

// Generate makes a key as NewKeeper reads it.
func Generate() string {
	raw := make([]byte, KeyBytes)
	_, _ = rand.Read(raw) // never fails
	return base64.StdEncoding.EncodeToString(raw)
}

// Seal encrypts plaintext for the record that associatedData names; it opens under the same name only, so that a
// ciphertext moved to another record is worthless.
func (k *Keeper) Seal(plaintext []byte, associatedData string) ([]byte, error) {
	first := k.keys[0]
	sealed, err := first.cipher.Encrypt(plaintext, []byte(associatedData))
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	out := make([]byte, 0, headerBytes+len(sealed))
	out = append(append(out, version), first.id...)
	return append(out, sealed...), nil
}

// Open decrypts what Seal made for the same record. It fails with ErrKey or ErrBroken.
func (k *Keeper) Open(sealed []byte, associatedData string) ([]byte, error) {
	if len(sealed) < headerBytes || sealed[0] != version {
		return nil, ErrBroken
	}
	known := false
	for _, candidate := range k.keys {
		if !bytes.Equal(candidate.id, sealed[1:headerBytes]) {
			continue
		}
		known = true
		if plaintext, err := candidate.cipher.Decrypt(sealed[headerBytes:], []byte(associatedData)); err == nil {
			return plaintext, nil
		}
	}
	if !known {
		return nil, ErrKey
	}
	return nil, ErrBroken
}

// checkPurpose binds the check of a key, see Check.
const checkPurpose = "check of the secret key"

// Check is a text by which Fits recognizes this keeper's first key later.
func (k *Keeper) Check() ([]byte, error) { return k.Seal([]byte(checkPurpose), checkPurpose) }

// Fits reports whether one of the keys made check.
func (k *Keeper) Fits(check []byte) bool {
	_, err := k.Open(check, checkPurpose)
	return err == nil
}

// Knows reports whether sealed names one of the keys, whatever record it belongs to.
func (k *Keeper) Knows(sealed []byte) bool {
	for _, candidate := range k.keys {
		if len(sealed) >= headerBytes && sealed[0] == version && bytes.Equal(candidate.id, sealed[1:headerBytes]) {
			return true
		}
	}
	return false
}

// Current reports whether sealed was made with the key that seals now; what was not should be sealed again.
func (k *Keeper) Current(sealed []byte) bool {
	return len(sealed) >= headerBytes && bytes.Equal(k.keys[0].id, sealed[1:headerBytes])
}
