package engine

import (
	"encoding/json"
	"slices"
	"time"
)

// notEmpty returns nil for the empty text.
func notEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// asJSON encodes what is made of decoded JSON and of our own types, neither of which can fail.
func asJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// deref returns the empty text for nil.
func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// addNew appends s to list unless list holds it.
func addNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// stamp writes an instant as the documented routes show it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
