package client

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/graph/client/retry"
)

// APIError is an answer that is no success (decisions.md §14). Read it with errors.As.
type APIError struct {
	// StatusCode is the HTTP status.
	StatusCode int `json:"statusCode"`
	// Message says what went wrong, in words.
	Message string `json:"message"`
	// Timestamp is when.
	Timestamp time.Time `json:"timestamp"`
	// Path is the request's target with its query string.
	Path string `json:"path"`
	// Type is the stable code of a refusal as a whole; with 400 only.
	Type BadRequestErrorType `json:"type"`
	// ErrorID names a failure of the service in its log; with 500 and 503 only.
	ErrorID string `json:"errorId"`
	// Fields are the problems by field: a dotted path, or general; with 422 only.
	Fields map[string]FieldError `json:"-"`
	// Problems say where a payload violates its schema, or why each item failed; with 400 only.
	Problems []BadRequestError_Errors `json:"-"`
	// RequestID names the request in the service's log (X-Request-Id).
	RequestID string `json:"-"`
	// RetryAfter is how long the service asks to wait before the next try; 0: it does not say.
	RetryAfter time.Duration `json:"-"`
	// Body is the answer as it came.
	Body []byte `json:"-"`

	method string
}

// Error is the request, the status, the message, the code and the problems of fields.
func (e *APIError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s: status %d", e.method, e.Path, e.StatusCode)
	if e.Message != "" {
		text.WriteString(": " + e.Message)
	}
	if e.Type != "" {
		fmt.Fprintf(&text, " (%s)", e.Type)
	}
	for _, field := range slices.Sorted(maps.Keys(e.Fields)) {
		text.WriteString("; " + field + ": " + strings.Join(e.Fields[field].Messages, ", "))
	}
	return text.String()
}

// newAPIError reads an answer. One that is no JSON, such as that of a proxy, keeps its status and its body.
func newAPIError(r request, resp *http.Response, raw []byte) *APIError {
	e := &APIError{}
	var kinds struct {
		Errors json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(raw, e) == nil && json.Unmarshal(raw, &kinds) == nil {
		if resp.StatusCode == http.StatusUnprocessableEntity {
			_ = json.Unmarshal(kinds.Errors, &e.Fields)
		} else {
			_ = json.Unmarshal(kinds.Errors, &e.Problems)
		}
	}
	e.StatusCode, e.method, e.Body = resp.StatusCode, r.method, raw
	if e.Path == "" {
		e.Path = r.path
	}
	e.RequestID, e.RetryAfter = resp.Header.Get("X-Request-Id"), retry.After(resp.Header)
	return e
}
