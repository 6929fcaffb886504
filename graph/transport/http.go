package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/internal/coding"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"
)

// strangerBytes bounds a request without a credential.
const strangerBytes = 16 << 10

// httpTransport carries queries and mutations as GraphQL over HTTP has it: POST with a JSON body, GET for queries.
// gqlgen's own would answer a bad body with its text, and parts of requests in other shapes than ours.
type httpTransport struct {
	entrance entrance
	maxBytes int64
	timeout  time.Duration
	stream   eventStream // for what comes with GET, and for subscriptions of senders that accept JSON as well
	once     Once        // nil: idempotency keys do not count
}

// Supports is true for everything; the transports for subscriptions come before this one.
func (httpTransport) Supports(*http.Request) bool { return true }

// Do answers one request.
func (t httpTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx, cancel := context.WithTimeoutCause(r.Context(), t.timeout, TimedOut{t.timeout})
	defer cancel()
	params, err := t.params(r)
	if err != nil {
		WriteError(w, r, err)
		return
	}
	operation, problems := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, operation)
	if _, known := viewer.FromContext(ctx); !known && len(problems) > 0 {
		w.Header().Set("WWW-Authenticate", "ApiKey")
		WriteError(w, r, fault.Unauthenticatedf("Send an API key: Authorization: ApiKey <key>."))
		return
	}
	if streams(r, operation, problems) {
		t.stream.open(w, r, params, exec)
		return
	}
	if len(problems) > 0 {
		status := http.StatusOK
		if acceptsGraphQL(r) {
			status = http.StatusBadRequest
		}
		for _, problem := range problems {
			if problem.Extensions["code"] == nil {
				errcode.Set(problem, fault.BadRequest.String())
			}
		}
		write(w, r, status, requestError{exec.DispatchError(ctx, problems).Errors})
		return
	}
	switch kind := operation.Operation.Operation; {
	case kind == ast.Subscription:
		WriteError(w, r, &refusal{fault.BadRequestf("NOT_A_STREAM", "A subscription needs a WebSocket (graphql-transport-ws), or Accept: text/event-stream."), http.StatusNotAcceptable, ""})
		return
	case r.Method == http.MethodGet && kind != ast.Query:
		WriteError(w, r, errMethod("POST", "Only queries may be sent with GET."))
		return
	}
	leave, err := t.entrance.enter(ctx, w.Header(), operation)
	if err != nil {
		WriteError(w, r, err)
		return
	}
	defer leave()
	if key := t.idempotencyKey(r, operation); key != "" {
		t.underKey(ctx, w, r, exec, operation, key, leave)
		return
	}
	status := http.StatusOK
	body, ok := encoded(t.dispatch(ctx, w.Header(), exec, operation))
	if !ok {
		status = http.StatusInternalServerError
	}
	if err := finish(operation, leave, intake.Answer(r.Context(), len(body))); err != nil {
		WriteError(w, r, err)
		return
	}
	send(w, r, status, body)
}

// streams reports whether an operation is answered by a stream of events: a query, or one that is refused, of a sender that accepts
// nothing else, and every subscription of one that accepts streams.
func streams(r *http.Request, operation *graphql.OperationContext, problems gqlerror.List) bool {
	subscribes := len(problems) == 0 && operation.Operation.Operation == ast.Subscription
	mutates := len(problems) == 0 && operation.Operation.Operation == ast.Mutation
	return acceptsStream(r) && !mutates && (subscribes || !acceptsJSON(r))
}

// dispatch runs a query or mutation.
func (httpTransport) dispatch(ctx context.Context, header http.Header, exec graphql.GraphExecutor, operation *graphql.OperationContext) *graphql.Response {
	respond, ctx := exec.DispatchOperation(ctx, operation)
	response := respond(ctx)
	for _, problem := range response.Errors {
		if seconds, ok := problem.Extensions[fault.RetryAfter].(int); ok {
			header.Set("Retry-After", strconv.Itoa(seconds))
		}
	}
	return response
}

// refusal is a request that is not GraphQL at all, with its HTTP status.
type refusal struct {
	error
	status int
	allow  string
}

// Unwrap gives the classified failure.
func (e *refusal) Unwrap() error { return e.error }

func errMethod(allow, message string) error {
	return &refusal{fault.BadRequestf("METHOD_NOT_ALLOWED", "%s", message), http.StatusMethodNotAllowed, allow}
}

func errMedia(message string) error {
	return &refusal{fault.BadRequestf("UNSUPPORTED_MEDIA_TYPE", "%s", message), http.StatusUnsupportedMediaType, ""}
}

func (t httpTransport) params(r *http.Request) (*graphql.RawParams, error) {
	start := graphql.Now()
	params := &graphql.RawParams{Headers: r.Header}
	var err error
	switch r.Method {
	case http.MethodGet:
		err = fromQuery(r.URL.Query(), params)
	case http.MethodPost:
		err = t.fromBody(r, params)
	default:
		err = errMethod("GET, POST", "Method "+r.Method+" is not allowed here.")
	}
	params.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	return params, err
}

func fromQuery(values url.Values, params *graphql.RawParams) error {
	params.Query, params.OperationName = values.Get("query"), values.Get("operationName")
	for name, target := range map[string]*map[string]any{"variables": &params.Variables, "extensions": &params.Extensions} {
		if text := values.Get(name); text != "" {
			if err := decode([]byte(text), target); err != nil {
				return malformed(err, "The parameter "+name+" is not a JSON object.")
			}
		}
	}
	return nil
}

func (t httpTransport) fromBody(r *http.Request, params *graphql.RawParams) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); media != mediaJSON && (err == nil || media != "") {
		return errMedia("Only application/json is accepted.")
	}
	limit := int64(strangerBytes)
	if v, known := viewer.FromContext(r.Context()); known {
		intake.Own(r.Context(), v.EnvironmentID)
		limit = t.maxBytes
	}
	body, err := readJSON(r, limit)
	switch {
	case err != nil:
		return err //nolint:wrapcheck // classified
	case bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")):
		return &fault.Error{
			Kind: fault.BadRequest, Code: CodeBatchLimit, Message: "A request carries one operation, not a list of them.",
			Details: map[string]any{"limit": 1},
		}
	}
	if err := decode(body, params); err != nil {
		return malformed(err, "The body is not a JSON object with query, operationName, variables and extensions.")
	}
	return nil
}

// readJSON reads a body, unpacked, and takes the memory that decoding it will need.
func readJSON(r *http.Request, limit int64) ([]byte, error) {
	body, err := intake.ReadEncoded(r, limit)
	if errors.Is(err, intake.ErrEncoding) {
		return nil, errMedia(err.Error())
	}
	if err == nil {
		err = intake.ReserveJSON(r, body)
	}
	return body, err //nolint:wrapcheck // classified
}

// malformed is the fault of a text that decode refused.
func malformed(err error, message string) error {
	if deep := intake.NestedTooDeep(err); deep != nil {
		return deep //nolint:wrapcheck // classified
	}
	if errors.Is(err, errNotUTF8) {
		return fault.BadRequestf("MALFORMED_BODY", "The body is not valid UTF-8.")
	}
	return fault.BadRequestf("MALFORMED_BODY", "%s", message)
}

// errNotUTF8 is what decode says of a text that is not UTF-8, whose bytes the JSON decoder would replace.
var errNotUTF8 = errors.New("not valid UTF-8")

// decode reads one JSON value and nothing after it. Numbers stay as they were written.
func decode(text []byte, target any) error {
	if !utf8.Valid(text) {
		return errNotUTF8
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(target); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

func acceptsGraphQL(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), mediaGraphQL)
}

// statuses are the HTTP statuses of failures that keep a request from being an operation at all.
var statuses = map[fault.Kind]int{
	fault.Internal: http.StatusInternalServerError, fault.Invalid: http.StatusUnprocessableEntity,
	fault.BadRequest: http.StatusBadRequest, fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden: http.StatusForbidden, fault.NotFound: http.StatusNotFound, fault.Conflict: http.StatusConflict,
	fault.TooLarge: http.StatusRequestEntityTooLarge, fault.RateLimited: http.StatusTooManyRequests,
	fault.Unavailable: http.StatusServiceUnavailable, fault.TooSlow: http.StatusRequestTimeout,
}

// WriteError answers a request that never became an operation.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	status := statuses[fault.KindOf(err)]
	var refused *refusal
	if errors.As(err, &refused) {
		status = refused.status
		if refused.allow != "" {
			w.Header().Set("Allow", refused.allow)
		}
	}
	shown := &gqlerror.Error{Message: "Internal server error.", Extensions: map[string]any{"code": fault.Internal.String()}}
	var known *fault.Error
	if errors.As(err, &known) && known.Kind != fault.Internal {
		shown.Message, shown.Extensions = MessageOf(known), ExtensionsOf(known)
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	write(w, r, status, requestError{gqlerror.List{shown}})
}

// requestError answers a request of which nothing was executed: it has no data, not even null.
type requestError struct {
	Errors gqlerror.List `json:"errors"`
}

// minCompressed is the length from which an answer is compressed: one that fits in the first packets of a connection arrives no sooner for it.
const minCompressed = 8 << 10

func write(w http.ResponseWriter, r *http.Request, status int, response any) {
	body, ok := encoded(response)
	if !ok {
		status = http.StatusInternalServerError
	}
	send(w, r, status, body)
}

// encoded is a response as it is sent; ok is false, and the response one of an error, when a scalar wrote something other than JSON.
func encoded(response any) (body []byte, ok bool) {
	body, err := json.Marshal(response)
	if err != nil {
		return []byte(`{"errors":[{"message":"Internal server error.","extensions":{"code":"INTERNAL"}}]}`), false
	}
	return body, true
}

func send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	media := mediaJSON
	if acceptsGraphQL(r) {
		media = mediaGraphQL
	}
	w.Header().Set("Content-Type", media+"; charset=utf-8")
	body = coding.Apply(w.Header(), r.Header.Values("Accept-Encoding"), body, minCompressed)
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that left needs no answer
}
