package workflow

import (
	"strings"
	"unicode"
)

// SafeLink reports whether a client may open or load a URL: one of http, https or mailto, or a relative one. What runs code
// (javascript) or carries its content along (data) is refused, however it is written.
func SafeLink(raw string) bool {
	raw = strings.TrimSpace(raw)
	if strings.ContainsFunc(raw, unicode.IsControl) {
		return false
	}
	end := strings.IndexAny(raw, ":/?#")
	if end < 0 || raw[end] != ':' {
		return true
	}
	switch strings.ToLower(raw[:end]) {
	case "http", "https", "mailto":
		return true
	}
	return false
}

// linkMessage says what SafeLink demands.
const linkMessage = "must be a http, https or mailto URL, or a relative one"

// isTemplate reports whether a text is rendered before it is used.
func isTemplate(text string) bool {
	return strings.Contains(text, "{{") || strings.Contains(text, "{%")
}
