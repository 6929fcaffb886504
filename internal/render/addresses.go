package render

import (
	"context"
	"errors"
	"strings"
)

// URL renders the address of a server without escaping. A value can be the whole of a host, or labels before a domain that the template
// holds; any other value begins behind the host, so that what callers send decides no server. One that went through the filter raw counts
// as written by the author.
func (e *Engine) URL(ctx context.Context, source string, b Bindings) (string, error) {
	marked, err := e.render(ctx, strings.TrimSpace(source), urlMode, b)
	if err != nil {
		return "", err
	}
	return settleURL(marked)
}

// ErrValueOfHost is the failure of an address in which a value would change the server.
var ErrValueOfHost = errors.New("a value continues the name of the server: end the name with / before the value, or let the value be the whole of it")

// The characters between which a value lies in an address that is being rendered. No address holds them.
const (
	valueBegins = "\ufdd0"
	valueEnds   = "\ufdd1"
)

var withoutMarks = strings.NewReplacer(valueBegins, "", valueEnds, "")

func markedValue(s string) string {
	if s == "" {
		return ""
	}
	return valueBegins + withoutMarks.Replace(s) + valueEnds
}

// writtenAddress is a part of an address that a template has made, for a variable. One value, or a text that names no server, stays a
// string, which filters take for a number or a date.
func writtenAddress(marked string) any {
	if text := withoutMarks.Replace(marked); marked == markedValue(text) || marked == text && !strings.Contains(text, "://") {
		return text
	}
	return escaped(marked)
}

// settleURL takes the marks of values out of an address, and refuses values that decide the server where the template does.
func settleURL(marked string) (string, error) {
	var before strings.Builder
	for rest := marked; ; {
		at := strings.Index(rest, valueBegins)
		if at < 0 {
			before.WriteString(rest)
			return before.String(), nil
		}
		before.WriteString(rest[:at])
		value, behind, _ := strings.Cut(rest[at+len(valueBegins):], valueEnds)
		literal, _, _ := strings.Cut(behind, valueBegins)
		if !placed(before.String(), value, literal) {
			return "", ErrValueOfHost
		}
		before.WriteString(value)
		rest = behind
	}
}

// placed reports whether a value may stand between two parts of an address; literal is what the template holds behind it.
func placed(before, value, literal string) bool {
	_, authority, schemed := strings.Cut(before, "://")
	pinned := literal != "" && !strings.ContainsAny(literal[:1], behindHost)
	switch {
	case strings.ContainsAny(authority, behindHost):
		return true
	case strings.HasPrefix(literal, "://"):
		return before == "" && (value == "http" || value == "https")
	case before == "":
		_, host, whole := strings.Cut(value, "://")
		return !pinned || whole && labels(host)
	case !schemed:
		return false
	case authority != "" && strings.ContainsAny(value[:1], behindHost):
		return true
	case strings.HasSuffix(authority, ":"):
		return strings.Trim(value, "0123456789") == ""
	case pinned, strings.HasSuffix(authority, "."):
		return labels(value)
	}
	return authority == ""
}

// behindHost are the characters that end the name of a server and its port.
const behindHost = "/?#"

// labels reports whether a text is a part of a host's name and nothing more.
func labels(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return c > 0x7f || !isLetter(byte(c)) && !isDigit(byte(c)) && !strings.ContainsRune("-._", c)
	})
}
