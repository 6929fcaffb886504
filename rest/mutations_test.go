package rest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMutatedRequests makes requests from the OpenAPI document, spoils most of them, and sends them to a server: no answer
// may be undocumented, and nothing that is refused may change anything. The requests are the same in every run.
func TestMutatedRequests(t *testing.T) {
	t.Parallel()
	const crews = 4 // each on a database of its own, so that what one changes is its own doing
	var sent, refused, accepted atomic.Int64
	var wg sync.WaitGroup
	for crew := range crews {
		b := setup(t)
		b.world(t)
		b.workflow(t, "order-shipped", steps(true), true)
		wg.Go(func() {
			m := newMutator(b.promised, uint64(crew)) //nolint:gosec // small
			before, err := b.everything()
			for i := 0; i < mutatedRequests/crews && err == nil && !t.Failed(); i++ {
				r := m.request()
				var w *httptest.ResponseRecorder
				if w, err = b.sendWithin(r, time.Minute); err != nil {
					break
				}
				sent.Add(1)
				if w.Code < 400 {
					accepted.Add(1)
					if r.method != http.MethodGet {
						before, err = b.everything()
					}
					continue
				}
				refused.Add(1)
				if w.Code >= 500 {
					err = fmt.Errorf("%d for %s: %s", w.Code, r, w.Body)
					break
				}
				if strings.Contains(w.Body.String(), "ALL_ITEMS_FAILED") { // keeps the topic that it made (decisions.md §7)
					before, err = b.everything()
				} else if i%4 == 0 || i == mutatedRequests/crews-1 { // a change is found by the next look, if not by this
					var after string
					if after, err = b.everything(); err == nil && after != before {
						err = fmt.Errorf("%d, yet something changed; last %s", w.Code, r)
					}
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	t.Logf("%d requests: %d accepted, %d refused", sent.Load(), accepted.Load(), refused.Load())
	if !t.Failed() {
		require.EqualValues(t, mutatedRequests, sent.Load())
		require.Greater(t, accepted.Load(), int64(mutatedRequests/20), "too few get past the checks to prove anything")
	}
}

// everything is a text that changes with anything that the documented routes can write.
func (b *bundle) everything() (state string, err error) {
	var parts []string
	for _, table := range []string{
		"topics", "contexts", "subscriptions", "subscription_preferences", "preferences", "messages", "integrations", "subscribers",
		"events", "transaction_claims", "tenants", "channel_endpoints", // not workflows: their lastTriggeredAt moves by itself
	} {
		parts = append(parts, "(SELECT count(*)::text || coalesce(max(xmin::text::bigint)::text, '') FROM "+table+")")
	}
	err = b.db.Pool.QueryRow(b.tb.Context(), "SELECT "+strings.Join(parts, " || ' ' || ")).Scan(&state)
	return state, err
}

// sendWithin is ask with a bound on time.
func (b *bundle) sendWithin(r mutated, patience time.Duration) (*httptest.ResponseRecorder, error) {
	answered := make(chan *httptest.ResponseRecorder, 1)
	go func() { answered <- b.ask(r.method, r.target, r.body, r.headers...) }()
	select {
	case w := <-answered:
		return w, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("no answer within %s to %s", patience, r)
	}
}

// mutated is a request made from the document.
type mutated struct {
	method, target, body string
	headers              []string
}

func (r mutated) String() string {
	return fmt.Sprintf("%s %q %.2000q %q", r.method, r.target, r.body, r.headers)
}

// mutator makes requests from a document.
type mutator struct {
	*rand.Rand
	doc   *contract
	calls []call
}

type call struct {
	method, pattern string
	operation       map[string]any
}

func newMutator(doc *contract, seed uint64) *mutator {
	m := &mutator{rand.New(rand.NewPCG(seed, 7)), doc, nil}
	for pattern, path := range doc.document["paths"].(map[string]any) {
		for method, operation := range path.(map[string]any) {
			if operation, ok := operation.(map[string]any); ok {
				m.calls = append(m.calls, call{strings.ToUpper(method), pattern, operation})
			}
		}
	}
	slices.SortFunc(m.calls, func(x, y call) int { return strings.Compare(x.pattern+x.method, y.pattern+y.method) })
	return m
}

func pick[T any](m *mutator, values ...T) T { return values[m.IntN(len(values))] }

// known are values that mean something to the server.
var known = []string{
	"u1", "u2", "gone", "a/b+c", "nobody", "news", "a@b.example", "tk=news:si=u1", "second", "welcome", "alarm", "off", "broken", "order-shipped",
	"chep-1", fixed(0x101), fixed(0x201), fixed(0x301), fixed(0x401), fixed(0x501), fixed(0x601), fixed(0x701), "app:web", "region:eu", "slack", "svc-email", "read", "sale",
}

// odd are values that break things elsewhere.
var odd = []string{
	"", " ", "\x00", "\u202e", "é😀", "../..", "%2F", "'; DROP TABLE topics; --", "{{1}}", "\ufeff", "null", "true", "-1", "1e400", "NaN", "0x10", strings.Repeat("a", 300), "a\nb", "\ufffd", "[]", "__proto__",
}

func (m *mutator) request() mutated {
	c := pick(m, m.calls...)
	r := mutated{method: c.method, target: pathParameterIn(c.pattern, func() string { return url.PathEscape(m.text()) })}
	var query []string
	for _, p := range c.operation["parameters"].([]any) {
		p := p.(map[string]any)
		if p["in"] != "query" || m.IntN(3) > 0 {
			continue
		}
		name, value := p["name"].(string), p["schema"].(map[string]any)
		for range 1 + m.IntN(2) {
			query = append(query, pick(m, name, name, name, name+"[]", name+"[0]", strings.ToUpper(name))+"="+url.QueryEscape(m.queryValue(value)))
		}
	}
	if len(query) > 0 {
		r.target += "?" + strings.Join(query, "&")
	}
	if body, ok := c.operation["requestBody"].(map[string]any); ok {
		s := body["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
		raw, _ := json.Marshal(m.value(s, 0))
		r.body = m.spoil(string(raw))
	}
	switch m.IntN(30) {
	case 0:
		r.headers = []string{"Content-Type", pick(m, "text/plain", "application/vnd.x+json", "application/json; charset=latin1", "", "nonsense;;")}
	case 1:
		r.headers = []string{"Authorization", pick(m, "", "ApiKey", "ApiKey x", "Bearer x", "apikey  nothing", "Basic eDp5")}
	case 2, 3, 4:
		r.headers = []string{"Idempotency-Key", pick(m, "k1", "k2", "ü", strings.Repeat("k", 255), strings.Repeat("k", 256), " ", "\xff\xfe")}
	case 5:
		r.headers = []string{"Content-Encoding", pick(m, "gzip", "br", "identity")}
	case 6:
		r.method = pick(m, "PUT", "GET", "POST", "DELETE", "PATCH", "TRACE", "FOO")
	}
	return r
}

func pathParameterIn(pattern string, value func() string) string {
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = value()
		}
	}
	return strings.Join(parts, "/")
}

func (m *mutator) text() string {
	if m.IntN(4) > 0 {
		return pick(m, known...)
	}
	return pick(m, odd...)
}

func (m *mutator) queryValue(s map[string]any) string {
	s = m.resolved(s)
	if items, ok := s["items"].(map[string]any); ok {
		s = m.resolved(items)
	}
	if m.IntN(4) == 0 {
		return m.text()
	}
	return fmt.Sprint(m.value(s, 0))
}

func (m *mutator) resolved(s map[string]any) map[string]any {
	for {
		target, ok := s["$ref"].(string)
		if !ok {
			return s
		}
		s = m.doc.at(strings.TrimPrefix(target, "#")).(map[string]any)
	}
}

// value is one that a schema allows, or not quite.
func (m *mutator) value(s map[string]any, depth int) any {
	s = m.resolved(s)
	if m.IntN(40) == 0 || depth > 12 {
		return pick[any](m, nil, true, 0, -1, 1.5, 1e300, "", []any{}, map[string]any{}, []any{nil}, m.text(), map[string]any{m.text(): m.text()})
	}
	for _, choice := range []string{"oneOf", "anyOf"} {
		if variants, ok := s[choice].([]any); ok {
			return m.value(pick(m, variants...).(map[string]any), depth+1)
		}
	}
	if values, ok := s["enum"].([]any); ok {
		return pick(m, values...)
	}
	kind := s["type"]
	if kinds, ok := kind.([]any); ok {
		kind = pick(m, kinds...)
	}
	switch kind {
	case "string":
		return m.text()
	case "boolean":
		return m.IntN(2) == 0
	case "integer":
		return pick(m, 0, 1, 2, 50, 100, 101, -1)
	case "array":
		list := make([]any, pick(m, 0, 1, 1, 2, 3, 3, 3, 101))
		for i := range list {
			list[i] = m.value(s["items"].(map[string]any), depth+1)
		}
		return list
	case "object":
		return m.object(s, depth)
	}
	return nil
}

func (m *mutator) object(s map[string]any, depth int) map[string]any {
	object := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range properties {
			if !yield(name) {
				return
			}
		}
	}) {
		if member := properties[name].(map[string]any); slices.Contains(required, any(name)) && m.IntN(20) > 0 || m.IntN(3) == 0 {
			object[name] = m.value(member, depth+1)
		}
	}
	if further, open := s["additionalProperties"]; open {
		for range m.IntN(3) {
			if schema, ok := further.(map[string]any); ok {
				object[pick(m, "app", "region", "x", m.text())] = m.value(schema, depth+1)
			} else {
				object[pick(m, "==", "a", "email", "steps", "severity", m.text())] = pick[any](m, 1, m.text(), []any{1, 2}, map[string]any{"var": m.text()})
			}
		}
	}
	return object
}

// spoil breaks the text of some bodies.
func (m *mutator) spoil(body string) string {
	if m.IntN(12) > 0 {
		return body
	}
	at := m.IntN(len(body) + 1)
	switch m.IntN(6) {
	case 0:
		return body[:at]
	case 1:
		return body[:at] + string(rune(m.IntN(256))) + body[at:]
	case 2:
		return body[:at] + "\xff" + body[at:]
	case 3:
		return strings.Repeat("[", 2000) + body
	case 4:
		return body + body
	}
	return strings.Replace(body, `"`, `"\ud800`, 1+m.IntN(3))
}
