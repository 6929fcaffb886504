package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Why valid JSON cannot be stored: Postgres holds no NUL in a text, and readers of payloads hold numbers as doubles.
var (
	errNUL    = errors.New("must not hold the character U+0000")
	errDepth  = fmt.Errorf("must not be nested deeper than %d levels", MaxDepth)
	errNumber = errors.New("must not hold a number out of the range of a double")
)

// StorableJSON checks that the database can hold raw, which is valid JSON. Halves of surrogate pairs, which some clients
// send when they cut texts, become U+FFFD; otherwise raw comes back as it is.
func StorableJSON(raw []byte) ([]byte, error) {
	s := jsonScanner{raw: raw}
	if err := s.scan(); err != nil {
		return nil, err
	}
	if !s.halves {
		return raw, nil
	}
	var v any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// jsonScanner walks over valid JSON without decoding it.
type jsonScanner struct {
	raw    []byte
	at     int
	depth  int
	halves bool // a half of a surrogate pair was seen
}

func (s *jsonScanner) scan() error {
	for ; s.at < len(s.raw); s.at++ {
		var err error
		switch c := s.raw[s.at]; {
		case c == '"':
			err = s.text()
		case c == '{', c == '[':
			if s.depth++; s.depth > MaxDepth {
				err = errDepth
			}
		case c == '}', c == ']':
			s.depth--
		case c == '-', c >= '0' && c <= '9':
			err = s.number()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// text goes to the closing quote.
func (s *jsonScanner) text() error {
	for s.at++; s.raw[s.at] != '"'; s.at++ {
		if s.raw[s.at] != '\\' {
			continue
		}
		if s.at++; s.raw[s.at] != 'u' {
			continue
		}
		switch unit := s.unit(s.at + 1); {
		case unit == 0:
			return errNUL
		case unit >= 0xdc00 && unit < 0xe000:
			s.halves = true
		case unit >= 0xd800 && unit < 0xdc00:
			if low := s.unit(s.at + 7); s.raw[s.at+5] == '\\' && s.raw[s.at+6] == 'u' && low >= 0xdc00 && low < 0xe000 {
				s.at += 6
			} else {
				s.halves = true
			}
		}
		s.at += 4
	}
	return nil
}

// unit is the UTF-16 unit of the four hex digits at i; the impossible 0xffff0000 when there are none.
func (s *jsonScanner) unit(i int) uint64 {
	if i+4 > len(s.raw) {
		return 0xffff0000
	}
	unit, err := strconv.ParseUint(string(s.raw[i:i+4]), 16, 32)
	if err != nil {
		return 0xffff0000
	}
	return unit
}

// Bounds of a number's digits.
const (
	shortNumber = 300 // a length below which a number without exponent surely fits

	// What Postgres holds before and after the point. It counts all places that were written, zeros included.
	mostDigits, mostPlaces = 131_072, 16_383

	// leastExponent keeps a few characters from becoming thousands: a tiny number reads as zero, but the database would write all its places.
	leastExponent = -1000
)

// number goes to the number's last character.
func (s *jsonScanner) number() error {
	end := s.at
	for end < len(s.raw) && strings.IndexByte("+-.eE0123456789", s.raw[end]) >= 0 {
		end++
	}
	digits := string(s.raw[s.at:end])
	s.at = end - 1
	if !StorableNumber(digits) {
		return errNumber
	}
	return nil
}

// StorableNumber reports whether the database can hold a number of JSON, and readers can read it.
func StorableNumber(digits string) bool {
	mantissa, power := digits, ""
	if at := strings.IndexAny(digits, "eE"); at >= 0 {
		mantissa, power = digits[:at], digits[at+1:]
	} else if len(digits) < shortNumber {
		return true
	}
	if _, err := strconv.ParseFloat(digits, 64); err != nil {
		return false
	}
	exponent := 0
	if power != "" {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil || exponent < leastExponent {
			return false
		}
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	if exponent > mostDigits-len(whole) || len(fraction)-exponent > mostPlaces {
		return false
	}
	return true
}
