package state

import (
	"encoding/json"
	"slices"
	"time"
)

// NotEmpty returns nil for the empty text.
func NotEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// AsJSON encodes what is made of decoded JSON and of our own types, neither of which can fail.
func AsJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// Deref returns the empty text for nil.
func Deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// AddNew appends s to list unless list holds it.
func AddNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// Stamp writes an instant as the documented routes show it.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// MapTexts applies change to every text of a JSON value, in place where it can.
func MapTexts(v any, change func(string) string) any {
	switch v := v.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = MapTexts(v[i], change)
		}
	case map[string]any:
		for name := range v {
			v[name] = MapTexts(v[name], change)
		}
	}
	return v
}
