package graph_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// many repeats a text with its number in it.
func many(n int, format string) string {
	var text strings.Builder
	for i := range n {
		_, _ = text.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return text.String()
}

func nested(n int, open, inner, closing string) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
}

const page = "topics{nodes{"

// costly are documents that ask much of whoever reads them, each as large as a size allows.
func costly(size int) map[string]string {
	n := func(each int) int { return max(1, size/each) }
	return map[string]string{
		"spreads of two":         "{" + strings.Repeat("...fa...fb", n(10)) + "}fragment fa on Query{__typename}fragment fb on Query{__typename}",
		"spreads of many":        "{" + many(n(50), "...f#") + "}" + many(n(50), "fragment f# on Query{__typename}"),
		"spreads of unknown":     "{" + many(n(8), "...f#") + "}",
		"chain of fragments":     "{...f0}" + many(n(40), "fragment f# on Query{...f#x}"),
		"fragments in fragments": "{" + many(60, "...f#") + "}" + many(60, "fragment f# on Query{"+strings.Repeat("...f1...f2...f3...f4", n(60*20))+"}"),
		"unused fragments":       "{__typename}" + many(n(35), "fragment f# on Query{__typename}"),
		"cycle":                  "{...a}fragment a on Query{...b}fragment b on Query{...a}" + many(n(30), "fragment f# on Query{...a...b}"),
		"one field":              "{" + strings.Repeat("__typename ", n(11)) + "}",
		"one field, nested":      "{" + strings.Repeat("topics{nodes{id}}", n(17)) + "}",
		"few names":              "{" + many(n(3*11), "topics{a:__typename b:__typename}") + "}",
		"deep, each twice":       "{" + nested(12, "node(id:1){... on Topic{", strings.Repeat("id ", n(3)), "}}") + "}",
		"twice in twice":         twice(size),
		"aliases":                "{" + many(n(14), "a#:__typename ") + "}",
		"aliases of one record":  "{" + many(n(30), "a#:"+page+"id}}") + "}",
		"unknown fields":         "{" + many(n(8), "topicx# ") + "}",
		"unknown types":          "{" + many(n(20), "...on Topix#{id}") + "}",
		"unknown arguments":      "{topics(" + many(n(10), "firsd#:1 ") + "){nodes{id}}}",
		"unknown directives":     "{__typename " + many(n(5), "@d# ") + "}",
		"one directive":          "{__typename " + strings.Repeat("@skip(if:true)", n(14)) + "}",
		"inline fragments":       "{" + strings.Repeat("...{__typename}", n(15)) + "}",
		"inline in inline":       "{" + nested(n(5), "...{", "__typename", "}") + "}",
		"operations":             many(n(22), "query q#{__typename}"),
		"operations, spread":     many(n(44), "query q#{...f}") + "fragment f on Query{" + strings.Repeat("__typename ", n(22)) + "}",
		"variables":              "query(" + many(n(9), "$v#:Int ") + "){__typename}",
		"variables, used":        "query(" + many(n(40), "$v#:Int ") + "){" + many(n(40), "a#:topics(first:$v#){totalCount}") + "}",
		"undefined variables":    "{" + many(n(30), "a#:topics(first:$v#){totalCount}") + "}",
		"defaults of variables":  "query($v:[ID!]=[" + strings.Repeat("1 ", n(2)) + "]){__typename}",
		"a list":                 `mutation{triggerEvent(input:{name:"x",to:[` + strings.Repeat("1 ", n(2)) + "]}){result{status}}}",
		"a list of objects":      `mutation{triggerEvent(input:{name:"x",to:[` + strings.Repeat("{} ", n(3)) + "]}){result{status}}}",
		"an object":              `mutation{triggerEvent(input:{name:"x",payload:{` + many(n(7), "k#:1 ") + "}}){result{status}}}",
		"deep list":              `mutation{triggerEvent(input:{name:"x",payload:{a:` + nested(n(2), "[", "", "]") + "}}){result{status}}}",
		"deep object":            `mutation{triggerEvent(input:{name:"x",payload:` + nested(n(4), "{a:", "1", "}") + "}){result{status}}}",
		"repeated members":       `mutation{triggerEvent(input:{` + strings.Repeat(`name:"x" `, n(9)) + "}){result{status}}}",
		"unknown members":        `mutation{triggerEvent(input:{` + many(n(8), "namf#:1 ") + "}){result{status}}}",
		"a long name":            "{" + strings.Repeat("a", size) + "}",
		"a long string":          `{topic(id:"` + strings.Repeat("a", size) + `"){id}}`,
		"escapes":                `{topic(id:"` + strings.Repeat(`\u0061`, n(6)) + `"){id}}`,
		"a block string":         `{topic(id:"""` + strings.Repeat("\n a", n(3)) + `"""){id}}`,
		"a number":               "{topics(first:" + strings.Repeat("9", size) + "){totalCount}}",
		"comments":               "{__typename}" + strings.Repeat("#\n", n(2)),
		"blanks":                 "{__typename" + strings.Repeat(" ", size) + "}",
		"brackets":               strings.Repeat("{", size),
		"introspection":          "{" + many(min(100, n(60)), "a#:__schema{types{name fields{name args{name type{name}}}}}") + "}",
		"all of the schema":      standardIntrospection,
		"introspection of types": "{" + many(min(100, n(70)), `a#:__type(name:"Query"){fields{name args{name description}}}`) + "}",
	}
}

// standardIntrospection is what tools ask for.
const standardIntrospection = `query IntrospectionQuery { __schema { queryType { name } mutationType { name } subscriptionType { name } types { ...FullType } directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } } } }
fragment FullType on __Type { kind name description specifiedByURL fields(includeDeprecated: true) { name description args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason } inputFields(includeDeprecated: true) { ...InputValue } interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } }`

// twice asks for a field twice on each level, as deep as the size allows: the leaves are as many as a square of what they
// are compared by.
func twice(size int) string {
	text := "id"
	for len(text)*2+20 < size {
		text = "node(id:1){" + text + "}node(id:1){" + text + "}"
	}
	return "{" + text + "}"
}

// Whatever a document is, refusing or answering it takes little memory and processor time. The one exception is the whole
// schema, which is answered from memory from the second time on.
//
//nolint:paralleltest // what the whole process takes is measured
func TestCostOfDocuments(t *testing.T) {
	b := setup(t)
	_, whole := b.cost(t, "ApiKey "+b.key, body(t, standardIntrospection, nil))
	require.Contains(t, whole, `"data"`)
	judge := func(name, authorization string, text []byte, data int) {
		bytes, answer := b.cost(t, authorization, text)
		require.Less(t, bytes>>10, uint64(10<<10+data>>10), "KiB for %s of %d bytes, with %q: %.100s", name, len(text), authorization, answer)
		if maxDocumentCPU > 0 && data < 64*100_000 {
			took := b.leastCPU(t, authorization, text)
			require.Less(t, took, maxDocumentCPU, "for %s of %d bytes, with %q: %.100s", name, len(text), authorization, answer)
		}
	}
	for _, size := range []int{1_000, 4_000, 8_000, 15_000, 60_000, 250_000, 1_000_000} {
		for name, text := range costly(size) {
			for _, authorization := range []string{"", "ApiKey " + b.key} {
				judge(name, authorization, body(t, text, nil), 0)
			}
		}
		for name, variables := range costlyVariables(size) {
			const text = `mutation($v: JSON, $n: Int) { triggerEvent(input: {name: "none", to: [{subscriberId: "u", data: {n: $n}}], payload: $v}) { result { status } } }`
			judge(name, "ApiKey "+b.key, body(t, text, variables), 64*size) // the values are counted as bodies are
		}
		list := body(t, "{__typename}", nil)
		for _, authorization := range []string{"", "ApiKey " + b.key} {
			judge("operations in a list", authorization, []byte("["+strings.Repeat(string(list)+",", size/len(list))+string(list)+"]"), 0)
		}
	}
}

// costlyVariables are the values of variables, each as large as a size allows.
func costlyVariables(size int) map[string]map[string]json.RawMessage {
	n := func(each int) int { return max(1, size/each) }
	out := map[string]map[string]json.RawMessage{}
	for name, text := range map[string]string{
		"a list":       "[" + strings.Repeat("1,", n(2)) + "1]",
		"deep lists":   nested(min(n(2), 9_000), "[", "", "]"),
		"deep objects": nested(min(n(6), 9_000), `{"a":`, "1", "}"),
		"an object":    "{" + many(n(9), `"k#":1,`) + `"k":1}`,
		"a long text":  `"` + strings.Repeat("a", size) + `"`,
		"escapes":      `"` + strings.Repeat(`\u0061`, n(6)) + `"`,
		"a number":     strings.Repeat("9", size),
		"an exponent":  "1e" + strings.Repeat("9", min(size, 9)),
	} {
		out["a variable that is "+name] = map[string]json.RawMessage{"v": json.RawMessage(text)}
		out["a page size that is "+name] = map[string]json.RawMessage{"n": json.RawMessage(text)}
	}
	return out
}

// body is a request.
func body(tb testing.TB, text string, variables map[string]json.RawMessage) []byte {
	tb.Helper()
	raw, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	require.NoError(tb, err)
	return raw
}

// cost is what one request takes of memory: bytes that were allocated.
func (b *bundle) cost(tb testing.TB, authorization string, body []byte) (allocated uint64, answer string) {
	tb.Helper()
	req := httptest.NewRequestWithContext(tb.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	rec := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b.handler.ServeHTTP(rec, req)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, rec.Body.String()
}

// leastCPU is the processor time that one request takes, what the process does beside it left out as far as several tries
// allow.
func (b *bundle) leastCPU(tb testing.TB, authorization string, body []byte) time.Duration {
	tb.Helper()
	least := time.Hour
	for try := 0; try < 10 && (try == 0 || least >= maxDocumentCPU); try++ {
		before := processorTime(tb)
		b.cost(tb, authorization, body)
		least = min(least, processorTime(tb)-before)
	}
	return least
}

func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkDocuments shows the time that the costliest documents take.
func BenchmarkDocuments(b *testing.B) {
	door := setup(b)
	for name, text := range costly(15_000) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				door.cost(b, "ApiKey "+door.key, body(b, text, nil))
			}
		})
	}
}
