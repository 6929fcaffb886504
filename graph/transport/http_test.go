package transport_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

var schema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query { echo(n: Int): String }
	type Mutation { triggerEvent(name: String): String  broadcastEvent: String  rename: String }
	type Subscription { ticks: String }`})

// executor answers every valid operation by a function, and keeps what it was asked.
type executor struct {
	answer func(ctx context.Context) *graphql.Response
	params *graphql.RawParams
}

func (e *executor) CreateOperationContext(_ context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	e.params = params
	document, problems := gqlparser.LoadQuery(schema, params.Query) //nolint:staticcheck // of a test's own schema
	op := &graphql.OperationContext{RawQuery: params.Query, Variables: params.Variables, Doc: document}
	if len(problems) > 0 {
		return op, problems
	}
	op.Operation = document.Operations[0]
	return op, nil
}

func (e *executor) DispatchOperation(ctx context.Context, _ *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	return func(ctx context.Context) *graphql.Response {
		if e.answer == nil {
			return &graphql.Response{Data: json.RawMessage(`{"echo":"x"}`)}
		}
		return e.answer(ctx)
	}, ctx
}

func (*executor) DispatchError(_ context.Context, problems gqlerror.List) *graphql.Response {
	return &graphql.Response{Errors: problems}
}

// door is the transport that takes plain requests.
type door struct {
	cfg      transport.Config
	exec     executor
	stranger bool
}

func newDoor() *door { return &door{cfg: transport.Config{BodyBytes: 20 << 10, Timeout: time.Minute}} }

// ask sends a request and returns the answer.
func (d *door) ask(r *http.Request) *httptest.ResponseRecorder {
	if !d.stranger {
		r = r.WithContext(viewer.NewContext(r.Context(), viewer.Viewer{Scope: viewer.Scope{OrganizationID: "o", EnvironmentID: "e"}, Role: viewer.RoleAdmin}))
	}
	rec := httptest.NewRecorder()
	for _, tr := range transport.New(d.cfg) {
		if tr.Supports(r) {
			tr.Do(rec, r, &d.exec)
			break
		}
	}
	return rec
}

func (d *door) post(body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return d.ask(r)
}

// refused is the only error of an answer, as "status code message"; the answer has no data.
func refused(t *testing.T, rec *httptest.ResponseRecorder) string {
	t.Helper()
	var answer struct {
		Data   *json.RawMessage
		Errors []struct {
			Message    string
			Extensions map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &answer), rec.Body.String())
	require.Nil(t, answer.Data)
	require.Len(t, answer.Errors, 1, rec.Body.String())
	return fmt.Sprint(rec.Code, " ", answer.Errors[0].Extensions["code"], " ", answer.Errors[0].Message)
}

// TestRequestsThatAreNoOperations: each is answered in GraphQL's shape, with the status that HTTP has for it.
func TestRequestsThatAreNoOperations(t *testing.T) {
	t.Parallel()
	const query = `{"query":"{ echo }"}`
	for name, c := range map[string]struct {
		body    string
		headers []string
		want    string
	}{
		"NotJSON":      {`{`, nil, "400 MALFORMED_BODY The body is not a JSON object"},
		"Text":         {`"x"`, nil, "400 MALFORMED_BODY The body is not a JSON object"},
		"TwoObjects":   {query + query, nil, "400 MALFORMED_BODY The body is not a JSON object"},
		"TrailingText": {query + "x", nil, "400 MALFORMED_BODY The body is not a JSON object"},
		"Empty":        {"", nil, "400 MALFORMED_BODY The body is not a JSON object"},
		"WrongMember":  {`{"query":5}`, nil, "400 MALFORMED_BODY The body is not a JSON object"},
		"NotUTF8":      {"{\"query\":\"{ echo }\xff\"}", nil, "400 MALFORMED_BODY The body is not valid UTF-8."},
		"Batch":        {" \n[" + query + "]", nil, "400 BATCH_LIMIT_EXCEEDED A request carries one operation, not a list of them."},
		"TooLarge":     {`{"query":"` + strings.Repeat(" ", 20<<10) + `"}`, nil, "413 TOO_LARGE The body is too large, at most 20480 bytes are allowed."},
		"TooDeep":      {`{"variables":{"a":` + strings.Repeat("[", 10_001) + `}}`, nil, "422 "},
		"Form":         {"query=x", []string{"Content-Type", "application/x-www-form-urlencoded"}, "415 UNSUPPORTED_MEDIA_TYPE Only application/json is accepted."},
		"Upload":       {query, []string{"Content-Type", "multipart/form-data; boundary=x"}, "415 UNSUPPORTED_MEDIA_TYPE"},
		"PlainText":    {query, []string{"Content-Type", "text/plain"}, "415 UNSUPPORTED_MEDIA_TYPE"},
		"Deflated":     {query, []string{"Content-Encoding", "deflate"}, "415 UNSUPPORTED_MEDIA_TYPE Only gzip is accepted as content encoding."},
		"NotGzip":      {query, []string{"Content-Encoding", "gzip"}, "400 MALFORMED_BODY"},
		"Bomb":         {zipped(`{"query":"` + strings.Repeat(" ", 1<<20) + `"}`), []string{"Content-Encoding", "gzip"}, "413 TOO_LARGE The body is too large, at most 20480 bytes are allowed."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := newDoor().post(c.body, c.headers...)
			require.True(t, strings.HasPrefix(refused(t, rec), c.want), rec.Body.String())
			require.Equal(t, "application/json; charset=utf-8", rec.Header().Get("Content-Type"))
		})
	}
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // memory takes everything
	_ = w.Close()
	return b.String()
}

// TestLongAnswersAreZipped for clients that take them so; short ones gain nothing by it.
func TestLongAnswersAreZipped(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("text ", 8<<10)
	for accepted, want := range map[string][2]string{
		"gzip, deflate, br": {"", "gzip"}, "gzip;q=0": {"", ""}, "": {"", ""}, "gzip, identity;q=0": {"gzip", "gzip"},
	} {
		d := newDoor()
		for k, answer := range []string{"x", text} {
			d.exec.answer = func(context.Context) *graphql.Response {
				return &graphql.Response{Data: json.RawMessage(`{"echo":"` + answer + `"}`)}
			}
			rec := d.post(`{"query":"{ echo }"}`, "Accept-Encoding", accepted)
			require.Equal(t, want[k], rec.Header().Get("Content-Encoding"), accepted)
			require.Equal(t, "Accept-Encoding", rec.Header().Get("Vary"))
			require.Equal(t, strconv.Itoa(rec.Body.Len()), rec.Header().Get("Content-Length"))
			var body io.Reader = rec.Body
			if want[k] != "" {
				var err error
				body, err = gzip.NewReader(body)
				require.NoError(t, err)
			}
			got, err := io.ReadAll(body)
			require.NoError(t, err)
			require.JSONEq(t, `{"data":{"echo":"`+answer+`"}}`, string(got))
		}
	}
}

// TestZippedBody: bodies may be gzip, as those of the documented routes.
func TestZippedBody(t *testing.T) {
	t.Parallel()
	rec := newDoor().post(zipped(`{"query":"{ echo }"}`), "Content-Encoding", "gzip")
	require.Equal(t, http.StatusOK, rec.Code, rec.Body.String())
	require.JSONEq(t, `{"data":{"echo":"x"}}`, rec.Body.String())
}

// TestMethods: queries may be read with GET, mutations change something, and no other method is known.
func TestMethods(t *testing.T) {
	t.Parallel()
	get := func(values url.Values) *httptest.ResponseRecorder {
		return newDoor().ask(httptest.NewRequest(http.MethodGet, "/graphql?"+values.Encode(), nil))
	}
	rec := get(url.Values{"query": {"{ echo }"}})
	require.Equal(t, http.StatusOK, rec.Code)
	require.JSONEq(t, `{"data":{"echo":"x"}}`, rec.Body.String())

	rec = get(url.Values{"query": {"mutation { rename }"}})
	require.Equal(t, "405 METHOD_NOT_ALLOWED Only queries may be sent with GET.", refused(t, rec))
	require.Equal(t, "POST", rec.Header().Get("Allow"))
	require.Equal(t, "400 MALFORMED_BODY The parameter variables is not a JSON object.", refused(t, get(url.Values{"query": {"{ echo }"}, "variables": {"[1]"}})))
	require.Equal(t, "400 MALFORMED_BODY The parameter extensions is not a JSON object.", refused(t, get(url.Values{"query": {"{ echo }"}, "extensions": {"{}{}"}})))

	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch} {
		rec = newDoor().ask(httptest.NewRequest(method, "/graphql", strings.NewReader(`{"query":"{ echo }"}`)))
		require.Equal(t, "405 METHOD_NOT_ALLOWED Method "+method+" is not allowed here.", refused(t, rec))
		require.Equal(t, "GET, POST", rec.Header().Get("Allow"))
	}
}

// TestParameters: what an operation is given is what was sent, numbers with all their digits.
func TestParameters(t *testing.T) {
	t.Parallel()
	const variables, extensions = `{"n":12345678901234567890,"f":1.50}`, `{"persistedQuery":{"version":1}}`
	want := map[string]any{"n": json.Number("12345678901234567890"), "f": json.Number("1.50")}
	byPost, byGet := newDoor(), newDoor()
	byPost.post(`{"query":"query q { echo }","operationName":"q","variables":`+variables+`,"extensions":`+extensions+`,"other":1}`, "X-Own", "1")
	byGet.ask(httptest.NewRequest(http.MethodGet, "/graphql?"+url.Values{
		"query": {"query q { echo }"}, "operationName": {"q"}, "variables": {variables}, "extensions": {extensions},
	}.Encode(), nil))
	for _, d := range []*door{byPost, byGet} {
		require.Equal(t, []any{"query q { echo }", "q"}, []any{d.exec.params.Query, d.exec.params.OperationName})
		require.Equal(t, want, d.exec.params.Variables)
		require.Contains(t, d.exec.params.Extensions, "persistedQuery")
	}
	require.Equal(t, "1", byPost.exec.params.Headers.Get("X-Own"))
	require.Equal(t, http.StatusOK, newDoor().post(`{"query":"{ echo }"}`, "Content-Type", "application/json; charset=utf-8").Code)
	require.Equal(t, http.StatusOK, newDoor().post(`{"query":"{ echo }"}`, "Content-Type", "").Code, "a client that names no type")
}

// TestMediaType: a client that knows the newer media type gets it, and the status that goes with it.
func TestMediaType(t *testing.T) {
	t.Parallel()
	const newer = "application/graphql-response+json"
	for accept, c := range map[string]struct {
		media  string
		status int
	}{
		"":                           {"application/json", 200},
		"*/*":                        {"application/json", 200},
		newer:                        {newer, 400},
		newer + ", application/json": {newer, 400},
	} {
		rec := newDoor().post(`{"query":"{ nothing }"}`, "Accept", accept)
		require.Equal(t, c.status, rec.Code, accept)
		require.Equal(t, c.media+"; charset=utf-8", rec.Header().Get("Content-Type"))
		require.Equal(t, fmt.Sprint(rec.Body.Len()), rec.Header().Get("Content-Length"))
		require.Contains(t, refused(t, rec), "nothing")
		rec = newDoor().post(`{"query":"{ echo }"}`, "Accept", accept)
		require.Equal(t, http.StatusOK, rec.Code)
	}
}

// TestStrangers: without a credential little may be sent, and the schema is not told by errors.
func TestStrangers(t *testing.T) {
	t.Parallel()
	d := newDoor()
	d.stranger = true
	rec := d.post(`{"query":"{ nothing }"}`)
	require.Equal(t, "401 UNAUTHENTICATED Send an API key: Authorization: ApiKey <key>.", refused(t, rec))
	require.Equal(t, "ApiKey", rec.Header().Get("WWW-Authenticate"))
	require.Equal(t, http.StatusOK, d.post(`{"query":"{ echo }"}`).Code, "resolvers decide who may call them")

	body := `{"query":"{ echo }","variables":{"a":"` + strings.Repeat("x", 17<<10) + `"}}`
	require.Equal(t, "413 TOO_LARGE The body is too large, at most 16384 bytes are allowed.", refused(t, d.post(body)))
	require.Equal(t, http.StatusOK, newDoor().post(body).Code)
}

// TestRetryAfter: a failure that names a time tells it in the header as well.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	d := newDoor()
	d.exec.answer = func(context.Context) *graphql.Response {
		return &graphql.Response{Errors: gqlerror.List{{Message: "Too many."}, {Message: "Later.", Extensions: map[string]any{fault.RetryAfter: 7}}}}
	}
	require.Equal(t, "7", d.post(`{"query":"{ echo }"}`).Header().Get("Retry-After"))
}

// TestTimeout: an operation may know how long it may take, and why it ended.
func TestTimeout(t *testing.T) {
	t.Parallel()
	d := newDoor()
	d.cfg.Timeout = time.Nanosecond
	var cause error
	d.exec.answer = func(ctx context.Context) *graphql.Response {
		<-ctx.Done()
		cause = context.Cause(ctx)
		return &graphql.Response{Data: json.RawMessage(`null`)}
	}
	d.post(`{"query":"{ echo }"}`)
	require.ErrorIs(t, cause, transport.ErrTimeout)
	var timedOut transport.TimedOut
	require.ErrorAs(t, cause, &timedOut)
	require.Equal(t, time.Nanosecond, timedOut.Limit)
}

// A response that cannot be written as JSON is a failure of ours, not half an answer.
func TestUnwritableResponse(t *testing.T) {
	t.Parallel()
	d := newDoor()
	d.exec.answer = func(context.Context) *graphql.Response { return &graphql.Response{Data: json.RawMessage(`{"echo":`)} }
	require.Equal(t, "500 INTERNAL Internal server error.", refused(t, d.post(`{"query":"{ echo }"}`)))
}

// TestWriteError: failures of ours are never shown, those of the caller are, with their fields.
func TestWriteError(t *testing.T) {
	t.Parallel()
	write := func(err error) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		transport.WriteError(rec, httptest.NewRequest(http.MethodPost, "/graphql", nil), err)
		return rec
	}
	for _, c := range []struct {
		err    error
		status int
		says   string
	}{
		{errors.New("connect to 10.0.0.1: refused"), 500, " INTERNAL Internal server error."},
		{fault.Invalidf("a", "must be small"), 422, ": a: must be small"},
		{fault.Forbiddenf("No."), 403, " FORBIDDEN No."},
		{fault.NotFoundf("None."), 404, " NOT_FOUND None."},
		{fault.Conflictf("TAKEN", "There is one."), 409, " TAKEN There is one."},
		{&fault.Error{Kind: fault.RateLimited, Message: "Slow down."}, 429, " Slow down."},
		{&fault.Error{Kind: fault.TooSlow, Message: "Late."}, 408, " Late."},
	} {
		got := refused(t, write(fmt.Errorf("while testing: %w", c.err)))
		require.True(t, strings.HasPrefix(got, fmt.Sprint(c.status, " ")) && strings.HasSuffix(got, c.says), got)
	}
	rec := write(fault.Unavailablef(errors.New("no database"), "Come back."))
	require.Equal(t, http.StatusServiceUnavailable, rec.Code)
	require.Equal(t, "1", rec.Header().Get("Retry-After"))
	require.NotContains(t, rec.Body.String(), "no database")
}

// TestExtensions: problems of fields travel with their values, unless a value is long or no reader could decode it.
func TestExtensions(t *testing.T) {
	t.Parallel()
	f := &fault.Error{
		Kind: fault.Invalid, Message: fault.ValidationMessage, Details: map[string]any{"limit": 5},
		Fields: []fault.Field{
			{Path: "a", Message: "is wrong", Value: map[string]any{"x": 1}},
			{Path: "b", Message: "is missing"},
			{Path: "c", Message: "is long", Value: strings.Repeat("x", 1024)},
			{Path: "d", Message: "is huge", Value: json.Number("1e999")},
			{Path: "e", Message: "is no JSON", Value: func() {}},
			{Path: "f", Message: "is empty", Value: ""},
		},
	}
	raw, err := json.Marshal(transport.ExtensionsOf(f))
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Equal(t, f.PublicCode(), got["code"])
	require.Equal(t, 5.0, got["limit"])
	require.Equal(t, []any{
		map[string]any{"path": "a", "message": "is wrong", "value": map[string]any{"x": 1.0}},
		map[string]any{"path": "b", "message": "is missing"},
		map[string]any{"path": "c", "message": "is long"},
		map[string]any{"path": "d", "message": "is huge"},
		map[string]any{"path": "e", "message": "is no JSON"},
		map[string]any{"path": "f", "message": "is empty", "value": ""},
	}, got["fields"])
	require.Len(t, f.Details, 1, "the failure itself does not change")
	require.Equal(t, fault.ValidationMessage+": a: is wrong; b: is missing; c: is long; d: is huge; e: is no JSON; f: is empty", transport.MessageOf(f))
	require.Equal(t, "No.", transport.MessageOf(&fault.Error{Kind: fault.Forbidden, Message: "No."}))
}

// limiter keeps what it was asked, and refuses when told to.
type limiter struct {
	asked  []string
	refuse bool
}

func (l *limiter) Limit(_ context.Context, header http.Header, v viewer.Viewer, category admission.Category, cost int) error {
	l.asked = append(l.asked, fmt.Sprint(v.EnvironmentID, " ", category, " ", cost))
	header.Set("RateLimit-Remaining", "3")
	if l.refuse {
		return &fault.Error{Kind: fault.RateLimited, Message: "Slow down."}
	}
	return nil
}

// TestEntrance: every operation counts by what it does, those in fragments and under aliases too, and strangers do not count.
func TestEntrance(t *testing.T) {
	t.Parallel()
	bulk := fmt.Sprint(admission.BulkCost)
	for query, want := range map[string]string{
		"{ echo }":                    "e " + string(admission.CategoryConfiguration) + " 1",
		"{ a: echo b: echo }":         "e " + string(admission.CategoryConfiguration) + " 1",
		"mutation { rename }":         "e " + string(admission.CategoryConfiguration) + " 1",
		"mutation { triggerEvent }":   "e " + string(admission.CategoryTrigger) + " 1",
		"mutation { broadcastEvent }": "e " + string(admission.CategoryTrigger) + " " + bulk,
		"mutation { a: triggerEvent b: triggerEvent ...f ... on Mutation { c: triggerEvent } } fragment f on Mutation { d: triggerEvent rename }": "e " + string(admission.CategoryTrigger) + " 4",
	} {
		d, l := newDoor(), &limiter{}
		d.cfg.Limiter, d.cfg.Urgent = l, func(string, string) bool { return false }
		body, err := json.Marshal(map[string]any{"query": query})
		require.NoError(t, err)
		rec := d.post(string(body))
		require.Equal(t, http.StatusOK, rec.Code, rec.Body.String())
		require.Equal(t, []string{want}, l.asked, query)
		require.Equal(t, "3", rec.Header().Get("RateLimit-Remaining"))
	}

	d, l := newDoor(), &limiter{refuse: true}
	d.cfg.Limiter = l
	d.exec.answer = func(context.Context) *graphql.Response {
		t.Error("a refused operation ran")
		return &graphql.Response{}
	}
	require.Equal(t, http.StatusTooManyRequests, d.post(`{"query":"{ echo }"}`).Code)
	d.stranger, d.exec.answer = true, nil
	require.Equal(t, http.StatusOK, d.post(`{"query":"{ echo }"}`).Code)
	require.Len(t, l.asked, 1, "a stranger has no environment to count for")
}

// The memory of a body is held while its operation runs, and given back.
func TestBodiesAreHeld(t *testing.T) {
	t.Parallel()
	meter := intake.New(intake.Config{Memory: 64 << 10})
	d := newDoor()
	body := `{"query":"{ echo }","variables":{"a":"` + strings.Repeat("x", 10<<10) + `"}}`
	var during int64
	d.exec.answer = func(context.Context) *graphql.Response {
		during = meter.Held()
		return &graphql.Response{Data: json.RawMessage(`null`)}
	}
	rec := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	meter.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { rec = d.ask(r) })).ServeHTTP(rec, r)
	require.Equal(t, http.StatusOK, rec.Code)
	require.GreaterOrEqual(t, during, int64(len(body)))
	require.Zero(t, meter.Held())
}
