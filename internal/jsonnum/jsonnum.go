// Package jsonnum reads the JSON that callers gave, such as payloads, without rounding its whole numbers.
package jsonnum

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Unmarshal is json.Unmarshal, except that an object, a list or any value read into plain Go values keeps the digits of
// numbers that a double cannot hold: whole numbers as int64, others as json.Number. All other numbers are float64. Whole numbers that
// doubles share with their neighbours are int64 also where one holds them, so that they are compared exactly (jsonvalue.CompareDigits).
func Unmarshal(raw []byte, into any) error {
	if !holdsLong(raw) {
		return json.Unmarshal(raw, into)
	}
	switch into := into.(type) {
	case *any:
		return decode(raw, into, func() { *into = kept(*into) })
	case *map[string]any:
		return decode(raw, into, func() { kept(*into) })
	case *[]any:
		return decode(raw, into, func() { kept(*into) })
	case *[]map[string]any:
		return decode(raw, into, func() {
			for _, object := range *into {
				kept(object)
			}
		})
	}
	return json.Unmarshal(raw, into)
}

func decode(raw []byte, into any, then func()) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if len(bytes.TrimSpace(raw[decoder.InputOffset():])) > 0 {
		return json.Unmarshal(raw, into) // refuses what is behind the value, which the decoder leaves
	}
	then()
	return nil
}

// digits is how many any double holds.
const digits = 15

// holdsLong reports whether raw may hold a number of more digits than that.
func holdsLong(raw []byte) bool {
	run := 0
	for _, c := range raw {
		switch {
		case c >= '0' && c <= '9':
			if run++; run > digits {
				return true
			}
		case c != '.':
			run = 0
		}
	}
	return false
}

// kept turns the numbers inside a value into what represents them, in place where it can.
func kept(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = kept(member)
		}
	case []any:
		for i, item := range v {
			v[i] = kept(item)
		}
	case json.Number:
		return number(v)
	}
	return value
}

func number(n json.Number) any {
	f, err := n.Float64()
	if err == nil && math.Abs(f) < shared && isExact(n, f) {
		return f
	}
	if whole, err := n.Int64(); err == nil {
		return whole
	}
	if err == nil && isExact(n, f) {
		return f
	}
	return n
}

// shared is the least double to which more than one whole number is rounded.
const shared = 1 << 53

func isExact(n json.Number, f float64) bool {
	return strings.ContainsAny(n.String(), "eE") || strconv.FormatFloat(f, 'f', -1, 64) == plain(n.String())
}

// plain takes away the zeros at the end of a fraction.
func plain(n string) string {
	if strings.Contains(n, ".") {
		n = strings.TrimSuffix(strings.TrimRight(n, "0"), ".")
	}
	return n
}
