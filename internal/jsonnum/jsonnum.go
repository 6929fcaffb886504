// Package jsonnum reads the JSON that callers gave, such as payloads, without rounding its whole numbers.
package jsonnum

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Unmarshal is json.Unmarshal, except that what is read into plain Go values, such as an object in a field map[string]any, keeps the
// digits of numbers that a double cannot hold: whole numbers as int64, others as json.Number. All other numbers are float64. Whole numbers
// that doubles share with their neighbours are int64 also where one holds them, so that they are compared exactly
// (jsonvalue.CompareDigits).
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
	return decode(raw, into, func() { keptInside(reflect.ValueOf(into)) })
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

// keptInside is kept for what a typed value holds of plain Go values.
func keptInside(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			keptInside(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			v.Set(reflect.ValueOf(kept(v.Interface())))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				keptInside(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if holdsPlain(v.Type().Elem()) {
			for i := range v.Len() {
				keptInside(v.Index(i))
			}
		}
	case reflect.Map:
		keptInMap(v)
	}
}

func keptInMap(v reflect.Value) {
	of := v.Type().Elem()
	if !holdsPlain(of) {
		return
	}
	for _, key := range v.MapKeys() {
		member := reflect.New(of).Elem() // members of a map cannot be set
		member.Set(v.MapIndex(key))
		keptInside(member)
		v.SetMapIndex(key, member)
	}
}

// holdsPlain reports whether values of a type may hold plain Go values.
func holdsPlain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
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
