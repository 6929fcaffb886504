package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"strings"
)

// keyPrefix lets people and secret scanners recognise a key.
const keyPrefix = "crl_"

const (
	keyBytes   = 32
	keyDigits  = 43 // base62 digits that hold keyBytes
	hintLength = 4
)

// NewKey makes an API key of 256 random bits that names the cell. It is shown once; only its hash is kept.
func NewKey(cell Cell) string {
	var random [keyBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	digits := new(big.Int).SetBytes(random[:]).Text(62)
	return cell.begin(keyPrefix) + strings.Repeat("0", keyDigits-len(digits)) + digits
}

// HashKey is what is stored of a key. Keys are random, so a fast hash without salt is as good as a slow one, and lets a
// key be found by an index.
func HashKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

// Hint is the end of a key, by which people recognize it.
func Hint(key string) string {
	return key[max(0, len(key)-hintLength):]
}
