package rest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/rest"
)

const oneTrigger = `{"name":"order-shipped","to":"u1","payload":{"a":1}}`

func packed(tb testing.TB, text string) string {
	tb.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write([]byte(text))
	require.NoError(tb, err)
	require.NoError(tb, w.Close())
	return out.String()
}

func TestCompression(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/events/trigger", packed(t, oneTrigger), "Content-Encoding", "gzip").Code)
	// The limit counts unpacked bytes: these pack to some 20 KiB.
	huge := packed(t, `{"name":"`+strings.Repeat("a", 33<<20)+`"}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, b.ask(http.MethodPost, "/v1/events/trigger", huge, "Content-Encoding", "gzip").Code)

	for header, want := range map[string]string{"gzip": "", "gzip, identity;q=0": "gzip", "gzip, *;q=0": "gzip"} { // short answers too
		w := b.ask(http.MethodGet, "/v1/nowhere", "", "Accept-Encoding", header)
		require.Equal(t, want, w.Header().Get("Content-Encoding"), header)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
	}
	bulk := `{"events":[` + strings.Repeat(oneTrigger+",", 9) + oneTrigger + `]}`
	for header, want := range map[string]string{
		"gzip, br": "gzip", "*": "gzip", "br": "", "gzip;q=0": "", "gzip; q=0.5": "gzip", "": "", "gzip;q=0.000": "", "gzip;Q=0, *": "",
		"gzip;q=0.5, identity": "", "gzip;q=0.5, identity;q=0.4": "gzip", "gzip, identity": "gzip", "*;q=0": "", "*;q=0, gzip": "gzip",
		"identity;q=0": "", "identity;q=0, *": "gzip", "gzip;q=0.5, *": "", "x-gzip;level=1;q=0": "", "gzip;q=x": "", "GZIP": "gzip",
	} {
		w := b.ask(http.MethodPost, "/v1/events/trigger/bulk", bulk, "Accept-Encoding", header)
		require.Equal(t, want, w.Header().Get("Content-Encoding"), header)
		require.Equal(t, strconv.Itoa(w.Body.Len()), w.Header().Get("Content-Length"))
		body := io.Reader(w.Body)
		if want != "" {
			var err error
			body, err = gzip.NewReader(body)
			require.NoError(t, err)
		}
		var results []map[string]any
		require.NoError(t, json.NewDecoder(body).Decode(&results))
		require.Len(t, results, 10)
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	const limit = 512 << 10
	event := func(size int, attachments string) string {
		frame := `{"name":"order-shipped","to":"u1","payload":{"a":""}}`
		text := strings.Repeat("x", size-len(frame))
		return `{"name":"order-shipped","to":"u1","payload":{"a":"` + text + `"` + attachments + `}}`
	}
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/events/trigger", event(limit, "")).Code)
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/events/trigger", strings.Replace(event(limit, ""), ":", ":    ", 1)).Code,
		"blanks do not count")
	attachment := `,"attachments":[{"name":"a.txt","file":"` + strings.Repeat("QUJD", 1<<18) + `","mime":"text/plain"}]`
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/events/trigger", event(limit, attachment)).Code)
	whole := `,"attachments":[{"name":"a.bin","file":"` + base64.StdEncoding.EncodeToString(make([]byte, 20<<20)) + `","mime":"application/octet-stream"}]`
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, "/v1/events/trigger", event(1000, whole)).Code, "20 MiB count decoded")
	before := b.rows(t)

	w := b.ask(http.MethodPost, "/v1/events/trigger", event(1000, strings.Replace(whole, `"file":"`, `"file":"AAAA`, 1)))
	require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	require.Contains(t, w.Body.String(), "bytes of attachments, at most 20971520 are allowed.")
	w = b.ask(http.MethodPost, "/v1/events/trigger", event(limit+1, ""))
	require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	require.Contains(t, w.Body.String(), "The event has 524289 bytes, at most 524288 are allowed; attachments do not count.")
	w = b.ask(http.MethodPost, "/v1/events/trigger/bulk", `{"events":[`+oneTrigger+`,`+event(limit+1, attachment)+`]}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	require.Contains(t, w.Body.String(), "Event 1 (workflow order-shipped) has 524289 bytes")
	w = b.ask(http.MethodPost, "/v1/events/trigger", `{"a":"`+strings.Repeat("x", 32<<20)+`"}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	require.Equal(t, before, b.rows(t), "nothing is stored of a refused call")
}

func TestLongURL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := "/v1/events/trigger?x="
	require.Equal(t, http.StatusMethodNotAllowed, b.ask(http.MethodGet, path+strings.Repeat("a", 16<<10-len(path)), "").Code)
	w := b.ask(http.MethodGet, path+strings.Repeat("a", 16<<10), "")
	require.Equal(t, http.StatusRequestURITooLong, w.Code)
	require.InDelta(t, 414, decoded(t, w).(map[string]any)["statusCode"], 0) //nolint:forcetypeassert // an object
}

func TestResponseWrapper(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *rest.Config) { cfg.ResponseWrapper = "data" })
	b.workflows(t)
	require.JSONEq(t, `{"data":{"acknowledged":true,"status":"processed","transactionId":"t"}}`,
		b.ask(http.MethodPost, "/v1/events/trigger", `{"name":"order-shipped","to":"u1","transactionId":"t"}`).Body.String())
	require.NotContains(t, decoded(t, b.ask(http.MethodPost, "/v1/events/trigger", `{}`)), "data", "errors are bare")
}

func TestCORS(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *rest.Config) { cfg.CORSOrigins = []string{"https://app.example"} })
	preflight := []string{"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type", "Origin"}
	w := b.ask(http.MethodOptions, "/v1/events/trigger", "", append(preflight, "https://app.example")...)
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Equal(t, "https://app.example", w.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, "86400", w.Header().Get("Access-Control-Max-Age"))
	require.Equal(t, "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS", w.Header().Get("Access-Control-Allow-Methods"))
	w = b.ask(http.MethodOptions, "/v1/events/trigger", "", append(preflight, "https://evil.example")...)
	require.Equal(t, http.StatusNoContent, w.Code)
	for name := range w.Header() {
		require.False(t, strings.HasPrefix(name, "Access-Control-"), name)
	}
	require.Equal(t, http.StatusMethodNotAllowed, b.ask(http.MethodOptions, "/v1/events/trigger", "", "Origin", "https://app.example").Code,
		"no preflight")
	w = b.ask(http.MethodPost, "/v1/events/trigger", `{}`, "Origin", "https://app.example")
	require.Equal(t, "https://app.example", w.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, []string{"Origin", "Accept-Encoding"}, w.Header().Values("Vary"), "answers differ by both")
	w = b.ask(http.MethodPost, "/v1/events/trigger", `{}`, "Origin", "https://evil.example")
	require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))

	plain := setup(t)
	w = plain.ask(http.MethodOptions, "/v1/events/trigger", "", append(preflight, "https://app.example")...)
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
	for name := range w.Header() {
		require.False(t, strings.HasPrefix(name, "Access-Control-"), name)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	w := b.ask(http.MethodPost, "/v1/events/trigger", `{"name":"order-shipped","to":"u1","transactionId":"t1"}`, "X-Request-Id", "req-1")
	require.Equal(t, "req-1", w.Header().Get("X-Request-Id"))
	require.Equal(t, []string{"req-1"}, b.column(t, "request_id"))
	var line map[string]any
	require.NoError(t, json.Unmarshal(b.log.Bytes(), &line))
	require.Equal(t, "/v1/events/trigger", line["route"])
	require.Equal(t, []any{"t1"}, line["transaction_ids"])
	require.InDelta(t, 201, line["status"], 0)
	w = b.ask(http.MethodPost, "/v1/events/trigger", `{}`, "X-Request-Id", "two\nlines")
	require.NotEmpty(t, w.Header().Get("X-Request-Id"))
	require.NotContains(t, w.Header().Get("X-Request-Id"), "\n")
}

func TestStoppingAnswers503(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	require.NoError(t, b.acceptor.Stop(t.Context()))
	w := b.ask(http.MethodPost, "/v1/events/trigger", oneTrigger)
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.NotEmpty(t, decoded(t, w).(map[string]any)["errorId"]) //nolint:forcetypeassert // an object
}

// TestRetryAfterOfTheError: where an error says after how many seconds the same request may succeed, the header says so too.
func TestRetryAfterOfTheError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE organizations SET move = 'leaving'`)
	require.NoError(t, err)
	w := b.ask(http.MethodGet, "/v2/workflows", "")
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Equal(t, "5", w.Header().Get("Retry-After"))
}

// refusing authenticates nobody and everybody.
type refusing struct{ err error }

func (r refusing) Authenticate(context.Context, string) (viewer.Viewer, error) {
	return viewer.Viewer{Role: viewer.RoleViewer}, r.err
}

func (refusing) Assume(string, viewer.Viewer) *auth.Assumption { return nil }

func TestFailuresBecomeStatuses(t *testing.T) {
	t.Parallel()
	db := setup(t).db
	want := map[fault.Kind]int{
		fault.Internal: 500, fault.Invalid: 422, fault.BadRequest: 400, fault.Unauthenticated: 401, fault.Forbidden: 403,
		fault.NotFound: 404, fault.Conflict: 409, fault.TooLarge: 413, fault.RateLimited: 429, fault.Unavailable: 503, fault.TooSlow: 408,
	}
	for _, kind := range fault.Kinds() {
		b := setupOn(t, db, func(cfg *rest.Config) { cfg.Auth = refusing{&fault.Error{Kind: kind, Message: "secret"}} })
		b.contrived = true
		w := b.ask(http.MethodPost, "/v1/events/trigger?x=<y>", oneTrigger)
		require.Equal(t, want[kind], w.Code, kind)
		body := decoded(t, w).(map[string]any) //nolint:forcetypeassert // an object
		require.InDelta(t, want[kind], body["statusCode"], 0)
		require.Equal(t, "2025-03-01T09:30:00.000Z", body["timestamp"])
		require.Equal(t, "/v1/events/trigger?x=<y>", body["path"])
		require.Equal(t, kind == fault.Internal || kind == fault.Unavailable, body["errorId"] != nil)
		require.Equal(t, kind != fault.Internal, body["message"] == "secret")
		switch kind {
		case fault.BadRequest:
			require.Equal(t, "BAD_REQUEST", body["type"])
			require.Equal(t, []any{}, body["errors"])
		case fault.Invalid:
			require.Equal(t, map[string]any{}, body["errors"])
		default:
			require.NotContains(t, body, "errors")
		}
	}
	b := setupOn(t, db, func(cfg *rest.Config) { cfg.Auth = refusing{} })
	require.Equal(t, http.StatusForbidden, b.ask(http.MethodPost, "/v1/events/trigger", oneTrigger).Code, "a viewer may not trigger")
}

// recorder notes the order in which the hooks run.
type recorder struct{ steps []string }

func (r *recorder) Limit(_ context.Context, header http.Header, _ viewer.Viewer, category admission.Category, cost int) error {
	r.steps = append(r.steps, "limit "+string(category)+" "+strconv.Itoa(cost))
	header.Set("RateLimit-Limit", "600")
	if cost > 1 {
		return &fault.Error{Kind: fault.RateLimited, Message: "Too many requests."}
	}
	return nil
}

func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	order := &recorder{}
	b := setup(t, func(cfg *rest.Config) { cfg.Limit = order })
	long := []string{"Idempotency-Key", strings.Repeat("k", 256)}
	asked := func(method, path, body string, headers ...string) (*httptest.ResponseRecorder, []string) {
		order.steps = nil
		return b.ask(method, path, body, headers...), order.steps
	}
	w, steps := asked(http.MethodPost, "/v1/events/trigger", `{}`, long...)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "IDEMPOTENCY_KEY_TOO_LONG", "before the fields")
	require.Equal(t, []string{"limit trigger 1"}, steps)
	require.Equal(t, "600", w.Header().Get("RateLimit-Limit"))
	w, steps = asked(http.MethodPost, "/v1/events/trigger", `{`, long...)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "MALFORMED_BODY", "before the key")
	require.Equal(t, []string{"limit trigger 1"}, steps)
	w, steps = asked(http.MethodPost, "/v1/events/trigger/bulk", `{`, long...)
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	require.Equal(t, []string{"limit trigger 100"}, steps)
	w, steps = asked(http.MethodPost, "/v1/events/trigger", `{`, append(long, "Authorization", "")...)
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Empty(t, steps)
}
