package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// httpError is a failure of the transport, which is no kind of fault.
type httpError struct {
	status  int
	message string
}

func (e httpError) Error() string { return e.message }

var statusOf = map[fault.Kind]int{
	fault.Internal:        http.StatusInternalServerError,
	fault.Invalid:         http.StatusUnprocessableEntity,
	fault.BadRequest:      http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.RateLimited:     http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.TooSlow:         http.StatusRequestTimeout,
}

// timestampFormat is UTC in milliseconds (decisions.md §1).
const timestampFormat = "2006-01-02T15:04:05.000Z"

func timestamp(t time.Time) string { return t.UTC().Format(timestampFormat) }

// internalMessage is all that a caller learns of a failure of ours.
const internalMessage = "Internal server error. Quote the errorId when asking for help."

// present is the status and the body of a failure (decisions.md §14), and sets the headers that go with it.
func (s *server) present(r *request, err error) (int, []byte) {
	body := map[string]any{"timestamp": timestamp(s.Now()), "path": r.RequestURI}
	status := http.StatusInternalServerError
	var f *fault.Error
	var transport httpError
	switch {
	case errors.As(err, &transport):
		status, body["message"] = transport.status, transport.message
	case errors.As(err, &f):
		status, body["message"] = statusOf[f.Kind], f.Message
		members(body, f, r.body)
	}
	switch status {
	case http.StatusInternalServerError:
		body["message"] = internalMessage
		s.mark(r, body)
	case http.StatusServiceUnavailable:
		r.header.Set("Retry-After", strconv.Itoa(max(1, fault.RetrySeconds(err))))
		s.mark(r, body)
	case http.StatusConflict:
		r.header.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		r.header.Set("WWW-Authenticate", "ApiKey")
	}
	body["statusCode"] = status
	raw, err := marshal(body)
	if err != nil { // a value of the caller's that does not encode: the fields still differ by their messages
		return http.StatusInternalServerError, fmt.Appendf(nil, `{"statusCode":500,"timestamp":%q,"path":"","message":%q}`, timestamp(s.Now()), internalMessage)
	}
	return status, raw
}

// Refuse answers a request for an address outside the documented routes in the common shape of errors.
func Refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	s := &server{Config: Config{Now: time.Now}}
	refused := &request{Request: r, server: s, header: w.Header()}
	status, body := s.present(refused, httpError{status, message})
	w.Header().Del("Content-Type") // of what is refused
	s.send(w, refused, status, body)
}

// mark gives a failure of ours a name, for the caller and for the log.
func (s *server) mark(r *request, body map[string]any) {
	id := uuid.NewString()
	body["errorId"] = id
	r.note("error_id", id)
}

// members adds what the bodies of 400 and 422 hold besides; strict clients refuse them without.
func members(body map[string]any, f *fault.Error, given []byte) {
	switch f.Kind {
	case fault.BadRequest:
		body["type"], body["errors"] = f.PublicCode(), []any{}
		maps.Copy(body, f.Details)
	case fault.Invalid:
		body["errors"] = fieldErrors(f.Fields, given)
	}
}

// fieldError is the problems of one field.
type fieldError struct {
	_        struct{} `doc:"The problems of one field."`
	Messages []string `json:"messages" doc:"Every problem of the field."`
	Value    any      `json:"value,omitempty" doc:"The offending value; left out when absent or long."`
}

const (
	// maxShownValue bounds an offending value that is sent back, as JSON.
	maxShownValue = 1 << 10
	// maxSearched bounds a body that is decoded once more to find offending values in it.
	maxSearched = 1 << 20
)

// noField is where problems of no single field are reported.
const noField = "general"

// fieldErrors are the problems of each field. given is the body of the request: what is at fault with a list as a whole, say, is
// found where its values are read already.
func fieldErrors(fields []fault.Field, given []byte) map[string]*fieldError {
	out := map[string]*fieldError{}
	var members any
	for _, f := range fields {
		e := out[f.Path]
		if e == nil {
			e = &fieldError{}
			out[f.Path] = e
		}
		e.Messages = append(e.Messages, f.Message)
		if f.Value == nil && len(e.Messages) == 1 && f.Path != noField {
			if members == nil {
				members = decoded(given)
			}
			if value := jsonvalue.Lookup(members, f.Path); isShown(value) && isPublic(f.Path, value) {
				f.Value = value
			}
		}
		if isShown(f.Value) {
			e.Value = f.Value
		}
	}
	return out
}

// decoded are the members of a body, with their numbers as they were written; none when it is large or no object.
func decoded(given []byte) map[string]any {
	members := map[string]any{}
	if len(given) > maxSearched {
		return members
	}
	decoder := json.NewDecoder(bytes.NewReader(given))
	decoder.UseNumber()
	_ = decoder.Decode(&members)
	return members
}

// isShown reports whether an offending value is sent back: one that is there, not long, and no number that no reader could
// decode.
func isShown(value any) bool {
	text, err := json.Marshal(value)
	return value != nil && err == nil && len(text) <= maxShownValue && json.Unmarshal(text, new(any)) == nil
}

// isPublic reports whether a value may be part of a reply that is kept under an idempotency key: no address or token that leads
// to a subscriber is, since those are sealed where they are stored.
func isPublic(path string, value any) bool {
	text, _ := json.Marshal(value) // what is shown can be encoded
	return !slices.Contains(strings.Split(path, "."), "credentials") &&
		!slices.ContainsFunc([]string{"credentials", "deviceTokens", "webhookUrl", `"endpoint"`}, func(name string) bool { return bytes.Contains(text, []byte(name)) })
}

// refused is the answer of a call that did something and is a failure all the same.
func (in *Input) refused(f *fault.Error) *Reply {
	status, body := in.request.server.present(in.request, f)
	return &Reply{Status: status, raw: body}
}
