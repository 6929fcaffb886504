package provider

import (
	"errors"
	"fmt"
	"strings"
)

// maxText bounds the vendor's words in an Error, in characters.
const maxText = 500

// Error reads as "transient: 503 (code): the vendor's words".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Class.String())
	b.WriteString(":")
	if e.Status != 0 {
		fmt.Fprintf(&b, " %d", e.Status)
	}
	if e.Code != "" {
		fmt.Fprintf(&b, " (%s)", e.Code)
	}
	if e.Text != "" {
		if e.Status != 0 || e.Code != "" {
			b.WriteString(":")
		}
		b.WriteString(" " + e.Text)
	}
	return b.String()
}

// Failf is a failure without an answer of the vendor. The text is shown to people: it never holds a credential.
func Failf(class Class, format string, args ...any) *Error {
	return &Error{Class: class, Text: fmt.Sprintf(format, args...)}
}

// cut shortens s to maxText characters without splitting one.
func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := 0
	for i := range s {
		if n == maxText {
			return s[:i]
		}
		n++
	}
	return s
}

// AsError gives the Error inside err, nil without one.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
