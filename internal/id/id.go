// Package id owns record identifiers: 24 lowercase hex digits whose ascending order is creation order
// (architecture.md §2; decisions.md §1).
package id

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ID is a record identifier: 4-byte seconds, 20 bits of microseconds, 44 random bits, in lowercase hex.
type ID = string

var clock struct {
	sync.Mutex
	last uint64 // seconds<<20 | microseconds of the newest id of this process
}

// New makes the identifier of a record created at t. Within one process ids of one instant, or of an instant that lies
// before an earlier id's, still ascend: the time part never goes back.
func New(t time.Time) ID { return Batch(t, 1)[0] }

// Batch makes n ascending identifiers for records created at t.
func Batch(t time.Time, n int) []ID {
	if n == 0 {
		return nil
	}
	tick := uint64(t.Unix())<<20 | uint64(t.Nanosecond()/1000)
	clock.Lock()
	if tick <= clock.last {
		tick = clock.last + 1
	}
	clock.last = tick + uint64(n) - 1
	clock.Unlock()

	random := make([]byte, 6*n)
	_, _ = rand.Read(random)
	ids := make([]ID, n)
	for i := range ids {
		ids[i] = encode(tick+uint64(i), random[6*i:6*i+6])
	}
	return ids
}

// encode lays out the 52-bit tick and 44 of the 48 random bits. A tick whose microseconds ran past 20 bits has carried
// into the seconds, which keeps the order.
func encode(tick uint64, random []byte) ID {
	var b [12]byte
	for i := range 6 {
		b[i] = byte(tick >> (44 - 8*i))
	}
	b[6] = byte(tick)<<4 | random[0]&0x0f
	copy(b[7:], random[1:6])
	return hex.EncodeToString(b[:])
}

// Floor is the least identifier of records created at t or later; that of the earliest or the latest instant that identifiers have when t
// lies beyond.
func Floor(t time.Time) ID {
	if t.Unix() > math.MaxUint32 {
		t = time.Unix(math.MaxUint32, 999_999_999)
	} else if t.Unix() < 0 {
		t = time.Unix(0, 0)
	}
	return encode(uint64(t.Unix())<<20|uint64(t.Nanosecond()/1000), make([]byte, 6)) //nolint:gosec // not negative
}

// Time is when the record of an identifier was created; zero for what is no identifier.
func Time(record ID) time.Time {
	tick, err := strconv.ParseUint(record[:min(13, len(record))], 16, 64)
	if err != nil || !Valid(record) {
		return time.Time{}
	}
	return time.Unix(int64(tick>>20), int64(tick&(1<<20-1))*1000).UTC() //nolint:gosec // 52 bits
}

var hexID = regexp.MustCompile(`^[0-9a-fA-F]{24}$`)

// Valid reports whether s is an identifier (in either case).
func Valid(s string) bool { return len(s) == 24 && hexID.MatchString(s) }

// Global is GraphQL's identifier of a record: base64url of "Type:hex".
func Global(typ string, id ID) string {
	return base64.RawURLEncoding.EncodeToString([]byte(typ + ":" + id))
}

// ParseGlobal is the inverse of Global; ok is false for anything else.
func ParseGlobal(global string) (typ string, id ID, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(global, "="))
	if err != nil {
		return "", "", false
	}
	typ, id, ok = strings.Cut(string(raw), ":")
	return typ, id, ok && typ != "" && Valid(id)
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Code is the unpadded base62 form of an identifier, the end of a slug (decisions.md §1).
func Code(id ID) string {
	n, ok := new(big.Int).SetString(id, 16)
	if !ok {
		return ""
	}
	var out []byte
	base, digit := big.NewInt(62), new(big.Int)
	for n.Sign() > 0 {
		n.DivMod(n, base, digit)
		out = append(out, base62[digit.Int64()])
	}
	if len(out) == 0 {
		return "0"
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return string(out)
}

// ParseCode is the inverse of Code; ok is false when code is not the code of an identifier.
func ParseCode(code string) (id ID, ok bool) {
	if code == "" || len(code) > 17 {
		return "", false
	}
	n, base := new(big.Int), big.NewInt(62)
	for _, c := range code {
		i := strings.IndexRune(base62, c)
		if i < 0 {
			return "", false
		}
		n.Mul(n, base).Add(n, big.NewInt(int64(i)))
	}
	if n.BitLen() > 96 {
		return "", false
	}
	var b [12]byte
	n.FillBytes(b[:])
	return hex.EncodeToString(b[:]), true
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

// Slug is "<name>_<kind>_<code>" with the name lowered and every run of other characters as one hyphen.
// kind is "wf" for workflows and "st" for steps.
func Slug(name, kind string, id ID) string {
	return strings.Trim(notSlug.ReplaceAllString(strings.ToLower(name), "-"), "-") + "_" + kind + "_" + Code(id)
}

// ParseSlug gives the identifier inside a slug of the given kind; only the part after "_<kind>_" counts.
func ParseSlug(slug, kind string) (id ID, ok bool) {
	mark := "_" + kind + "_"
	i := strings.LastIndex(slug, mark)
	if i < 0 {
		return "", false
	}
	return ParseCode(slug[i+len(mark):])
}
