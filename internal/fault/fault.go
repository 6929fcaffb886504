// Package fault owns the kinds of failure. An error that carries no kind is internal: it never blames the caller and
// its text never reaches one. The doors (graph, rest) turn a kind into a status or an extensions.code in one place each.
package fault

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Kind says who can cure a failure, and thereby how a door answers it.
type Kind uint8

// The kinds. Their REST status and GraphQL code are set by the two presenters (decisions.md §14).
const (
	Internal        Kind = iota // ours: 500
	Invalid                     // a field of the request is wrong: 422, names the fields
	BadRequest                  // the request as a whole is refused: 400, carries a Code
	Unauthenticated             // no valid credential: 401
	Forbidden                   // valid credential, not allowed: 403
	NotFound                    // the thing does not exist for this viewer: 404
	Conflict                    // another request holds it or was first: 409
	TooLarge                    // a size limit: 413
	RateLimited                 // too many requests: 429
	Unavailable                 // storage or queue is away, or we are stopping: 503
	TooSlow                     // the request did not arrive in time: 408
)

var kindNames = [...]string{
	"INTERNAL", "VALIDATION", "BAD_REQUEST", "UNAUTHENTICATED", "FORBIDDEN",
	"NOT_FOUND", "CONFLICT", "TOO_LARGE", "RATE_LIMITED", "UNAVAILABLE", "REQUEST_TIMEOUT",
}

// String is the stable public name of the kind; GraphQL shows it as extensions.code unless the error has its own Code.
func (k Kind) String() string { return kindNames[k] }

// Kinds lists every kind, for the tests that walk them through the presenters.
func Kinds() []Kind {
	all := make([]Kind, len(kindNames))
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Field is one problem of one field.
type Field struct {
	// Path is dotted, with array positions: preferences.0.channels.email. "general" when no single field is at fault.
	Path string
	// Message says what must change, in words for the caller.
	Message string
	// Value is the offending value, nil when absent.
	Value any
}

// Error is a classified failure. Message is shown to the caller as it is, so it never holds a secret.
type Error struct {
	Kind    Kind
	Code    string // stable upper-case code, such as INVALID_CURSOR; empty: the kind's own name
	Message string
	Fields  []Field        // every problem of the request, in the order found
	Details map[string]any // further members of the error body, such as "schema" of a payload violation
	Cause   error          // for the log, never for the caller
}

// RetryAfter is the member of Details that holds after how many seconds the same request may succeed. Doors that have a
// Retry-After header send it there too.
const RetryAfter = "retryAfter"

// RetrySeconds is what Details says under RetryAfter; 0 without it.
func RetrySeconds(err error) int {
	var e *Error
	if !errors.As(err, &e) {
		return 0
	}
	seconds, _ := e.Details[RetryAfter].(int)
	return seconds
}

// Error reads as a path, for logs.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	for i, f := range e.Fields {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString(f.Path + ": " + f.Message)
	}
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// PublicCode is Code, or the kind's own name.
func (e *Error) PublicCode() string {
	if e.Code != "" {
		return e.Code
	}
	return e.Kind.String()
}

// ValidationMessage is the message of every validation failure; clients compare it (decisions.md §14).
const ValidationMessage = "Validation Error"

// Invalidf is a validation failure of one field.
func Invalidf(path, format string, args ...any) error {
	return &Error{Kind: Invalid, Message: ValidationMessage, Fields: []Field{{Path: path, Message: fmt.Sprintf(format, args...)}}}
}

// maxNotFound bounds the text of NotFoundf in bytes. It repeats what the caller asked for; the longest identifier that
// Carillon makes has 1,531 characters.
const maxNotFound = 8 << 10

// NotFoundf says that a thing does not exist for this viewer.
func NotFoundf(format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	if len(message) > maxNotFound {
		message = strings.ToValidUTF8(message[:maxNotFound], "") + " …"
	}
	return &Error{Kind: NotFound, Message: message}
}

// BadRequestf refuses the request as a whole under a stable code.
func BadRequestf(code, format string, args ...any) error {
	return &Error{Kind: BadRequest, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Conflictf reports that another request holds the thing or was first.
func Conflictf(code, format string, args ...any) error {
	return &Error{Kind: Conflict, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Forbiddenf says that the credential is valid but not allowed to do this.
func Forbiddenf(format string, args ...any) error {
	return &Error{Kind: Forbidden, Message: fmt.Sprintf(format, args...)}
}

// Unauthenticatedf says that no valid credential came with the request.
func Unauthenticatedf(format string, args ...any) error {
	return &Error{Kind: Unauthenticated, Message: fmt.Sprintf(format, args...)}
}

// Unavailablef says that storage or queue is away; cause goes to the log.
func Unavailablef(cause error, format string, args ...any) error {
	return &Error{Kind: Unavailable, Message: fmt.Sprintf(format, args...), Cause: cause}
}

// CodeKeyInUse is the code of a conflict with a request under the same idempotency key that is still being processed.
const CodeKeyInUse = "IDEMPOTENCY_KEY_IN_USE"

// KindOf is the kind of err; Internal when it carries none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// Problems collects the problems of one request, so that all are reported together, up to maxProblems.
type Problems struct{ fields []Field }

// maxProblems bounds what is reported of one request: a caller who sends a hundred thousand wrong items needs no more.
const maxProblems = 1000

// Add records a problem. value is shown back to the caller; nil when absent.
func (p *Problems) Add(path string, value any, format string, args ...any) {
	switch {
	case len(p.fields) > maxProblems:
		return
	case len(p.fields) == maxProblems:
		path, value, format, args = "general", nil, "There are more problems than these %d.", []any{maxProblems}
	}
	p.fields = append(p.fields, Field{Path: path, Message: fmt.Sprintf(format, args...), Value: value})
}

// Merge records the fields of a validation failure of a part under prefix ("" for none).
// An error of another kind is handed back untouched.
func (p *Problems) Merge(prefix string, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) || e.Kind != Invalid {
		return err
	}
	for _, f := range e.Fields {
		if prefix != "" {
			f.Path = prefix + "." + f.Path
		}
		p.fields = append(p.fields, f)
	}
	return nil
}

// At reports whether a problem of a field was recorded.
func (p *Problems) At(path string) bool {
	return slices.ContainsFunc(p.fields, func(f Field) bool { return f.Path == path })
}

// Rename gives each problem the path that name makes of its own: a door may call a field otherwise.
func (p *Problems) Rename(name func(path string) string) {
	for i := range p.fields {
		p.fields[i].Path = name(p.fields[i].Path)
	}
}

// Any reports whether a problem was recorded.
func (p *Problems) Any() bool { return len(p.fields) > 0 }

// Fields are the problems in the order found; do not change them.
func (p *Problems) Fields() []Field { return p.fields }

// Err is nil without problems, else one validation failure with all of them.
func (p *Problems) Err() error {
	if len(p.fields) == 0 {
		return nil
	}
	return &Error{Kind: Invalid, Message: ValidationMessage, Fields: p.fields}
}
