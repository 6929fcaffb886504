package rest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/http/httpguts"
)

// FuzzHeaders sends any text in each header that the server reads.
func FuzzHeaders(f *testing.F) {
	b := setup(f)
	b.world(f)
	b.workflow(f, "order-shipped", steps(true), true)
	names := []string{"Idempotency-Key", "Authorization", "Content-Type", "Content-Encoding", "Accept-Encoding", "X-Request-Id", "Traceparent"}
	for _, seed := range []string{
		"", "k", " k ", strings.Repeat("é", 255), strings.Repeat("k", 256), "\xff\xfe", "ApiKey", "apikey  x", "ApiKey " + b.key + " x", "Bearer x.y.z", "application/json;charset=UTF-8",
		"application/x+json; charset=\"", ";;", "gzip", "gzip;q=0, *;q=1e9", "identity, gzip", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if !httpguts.ValidHeaderFieldValue(value) { // the server of net/http lets no other through
			return
		}
		for _, name := range names {
			for _, question := range []struct{ method, target, body string }{
				{http.MethodPost, triggerPath, `{"name":"order-shipped","to":"u1"}`},
				{http.MethodPost, triggerPath, `{"name":1}`},
				{http.MethodPatch, "/v2/topics/news/subscriptions/second", `{"name":"x"}`},
				{http.MethodGet, "/v2/workflows?limit=1", ""},
			} {
				before := b.state(t)
				w := b.ask(question.method, question.target, question.body, name, value)
				switch {
				case w.Code >= 500:
					t.Fatalf("%d for %s: %q: %s", w.Code, name, value, w.Body)
				case w.Code >= 400 && b.state(t) != before:
					t.Fatalf("%d changed something: %s: %q", w.Code, name, value)
				case strings.ContainsAny(w.Header().Get("Idempotency-Key")+w.Header().Get("X-Request-Id"), "\r\n"):
					t.Fatalf("a header of two lines: %q", value)
				}
			}
		}
	})
}

// FuzzCursors pages both lists from any cursor, both ways.
func FuzzCursors(f *testing.F) {
	b := setup(f)
	b.world(f)
	for _, seed := range []string{
		"", "x", fixed(0x601), fixed(0x303), strings.ToUpper(fixed(0x60a)), fixed(0), strings.Repeat("f", 24), strings.Repeat("f", 25), fixed(0x601)[:23], "%00", "\x00", "é",
		"Q2hhbm5lbEVuZHBvaW50OnBhZ2U",
	} {
		f.Add(seed, 3, true)
	}
	f.Fuzz(func(t *testing.T, cursor string, order int, include bool) {
		columns := []string{"createdAt", "updatedAt", "_id"}
		query := url.Values{"orderBy": {columns[(order%3+3)%3]}, "limit": {"2"}}
		if include {
			query.Set("includeCursor", "true")
		}
		for _, way := range []string{"after", "before"} {
			query.Del("after")
			query.Del("before")
			query.Set(way, cursor)
			for _, path := range []string{"/v1/channel-endpoints", "/v2/subscribers/u1/subscriptions"} {
				b.holds(t, http.MethodGet, path+"?"+query.Encode(), "")
			}
		}
	})
}
