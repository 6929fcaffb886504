package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/shape"
)

// Input is the part of a request that an operation reads. Its form is checked: the body is one JSON object.
type Input struct {
	Request *http.Request
	// Body is the unpacked body; {} when it was empty.
	Body []byte
	// Fields are the members of the body; of a member given twice the last one.
	Fields map[string]json.RawMessage
	// Param gives a path parameter.
	Param func(name string) string
	// Note adds an attribute to the request's log line.
	Note func(key string, value any)

	request *request
	use     *triggers.KeyUse // the idempotency key of a request that accepts events; nil: none
}

// Reply is a successful answer.
type Reply struct {
	Status int
	Body   any

	raw []byte // the body as it is sent, when it is rendered already
}

// reply is the route's answer of success.
func (in *Input) reply(body any) *Reply { return &Reply{Status: in.request.route.Success, Body: body} }

// name is a path parameter that names a record of some kind. What no record can be named is just unknown.
func (in *Input) name(param, kind string) (string, error) {
	value := in.Param(param)
	if !shape.Storable(value) {
		return "", fault.NotFoundf("%s %s was not found.", kind, strings.ToValidUTF8(value, "\uFFFD"))
	}
	return value, nil
}

// list is a member of the body that must be an array; nil when it is absent or null.
func (in *Input) list(name string) ([]json.RawMessage, error) {
	raw := in.Fields[name]
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	items := []json.RawMessage{}
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, fault.Invalidf(name, "%s must be an array", name)
	}
	return items, nil
}

// readInput reads and checks the body: 413, 415, and 400 for what is not a JSON object.
func readInput(r *request) (*Input, error) {
	in := &Input{Request: r.Request, Param: r.param, Note: r.note, request: r}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return in, nil
	}
	body := r.body
	if r.bodyErr != nil {
		return nil, r.bodyErr
	}
	if len(bytes.TrimSpace(body)) == 0 {
		in.Body = []byte("{}")
		return in, nil
	}
	if err := checkMediaType(r.Header.Get("Content-Type")); err != nil {
		return nil, err
	}
	if err := intake.ReserveJSON(r.Request, body); err != nil {
		return nil, err //nolint:wrapcheck // classified
	}
	in.Body = body
	switch err := json.Unmarshal(body, &in.Fields); {
	case !utf8.Valid(body):
		return nil, fault.BadRequestf(codeMalformed, "The body is not valid UTF-8.")
	case err == nil && in.Fields != nil:
		return in, nil
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(body, new(any)); errors.As(err, &syntax) {
		if deep := intake.NestedTooDeep(err); deep != nil {
			return nil, deep //nolint:wrapcheck // classified
		}
		return nil, fault.BadRequestf(codeMalformed, "The body is not valid JSON: %s, at byte %d.", syntax, syntax.Offset)
	}
	return nil, fault.BadRequestf(codeMalformed, "The body must be a JSON object.")
}

const codeMalformed = "MALFORMED_BODY"

// checkMediaType takes application/json and application/*+json in UTF-8, and no type at all.
func checkMediaType(header string) error {
	if header == "" {
		return nil
	}
	kind, params, err := mime.ParseMediaType(header)
	charset := params["charset"]
	isJSON := kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
	if err != nil || !isJSON || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return httpError{http.StatusUnsupportedMediaType, "Only application/json is accepted."}
	}
	return nil
}

// readBody unpacks the body, up to the route's limit.
func readBody(r *request) (body []byte, err error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	body, err = intake.ReadEncoded(r.Request, r.route.MaxBody)
	if errors.Is(err, intake.ErrEncoding) {
		return nil, httpError{http.StatusUnsupportedMediaType, err.Error()}
	}
	if fault.KindOf(err) == fault.TooLarge {
		intake.Discard(r.Request)
	}
	return body, err //nolint:wrapcheck // classified
}
