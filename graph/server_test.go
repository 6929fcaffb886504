package graph_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRequests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := "ApiKey " + b.key
	for name, c := range map[string]struct {
		authorization, body string
		status              int
		code                string
	}{
		"NoKey":             {"", `{"query":"{ __typename }"}`, 401, "UNAUTHENTICATED"},
		"WrongKey":          {"ApiKey nothing", `{"query":"{ __typename }"}`, 401, "UNAUTHENTICATED"},
		"Bearer":            {"Bearer " + b.key, `{"query":"{ __typename }"}`, 401, "UNAUTHENTICATED"},
		"SchemeAndBlanks":   {"apikey    " + b.key, `{"query":"{ __typename }"}`, 200, ""},
		"NotJSON":           {key, `{"query":`, 400, "MALFORMED_BODY"},
		"NotAnObject":       {key, `"x"`, 400, "MALFORMED_BODY"},
		"Batch":             {key, `[]`, 400, "BATCH_LIMIT_EXCEEDED"},
		"NestedTooDeep":     {key, `{"query":"{ __typename }","variables":{"v":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}}`, 422, "VALIDATION"},
		"TwoValues":         {key, `{} {}`, 400, "MALFORMED_BODY"},
		"Empty":             {key, `{}`, 200, "GRAPHQL_VALIDATION_FAILED"},
		"Syntax":            {key, `{"query":"{ topics("}`, 200, "GRAPHQL_PARSE_FAILED"},
		"UnknownField":      {key, `{"query":"{ nothing }"}`, 200, "GRAPHQL_VALIDATION_FAILED"},
		"Deferred":          {key, `{"query":"{ topics { ... @defer { totalCount } } }"}`, 200, "GRAPHQL_VALIDATION_FAILED"},
		"VariableOfAnother": {key, `{"query":"query($n: Int) { topics(first: $n) { totalCount } }","variables":{"n":"x"}}`, 200, "VALIDATION"},
		"BadTime":           {key, `{"query":"{ topics(filter: {createdAfter: \"yesterday\"}) { totalCount } }"}`, 200, "VALIDATION"},
		"PageSize":          {key, `{"query":"{ topics(first: 101) { nodes { id } } }"}`, 200, "VALIDATION"},
		"Cursor":            {key, `{"query":"{ topics(after: \"?\") { nodes { id } } }"}`, 200, "INVALID_CURSOR"},
		"UnknownRecord":     {key, `{"query":"{ topic(id: \"6f0000000000000000000000\") { id } }"}`, 200, "NOT_FOUND"},
		"FirstAndBefore":    {key, `{"query":"{ topics(first: 1, before: \"6f0000000000000000000000\") { nodes { id } } }"}`, 200, "VALIDATION"},
		"LongAgo":           {key, `{"query":"{ topics(filter: {createdAfter: \"0001-01-01T00:00:00Z\"}) { totalCount } }"}`, 200, ""},
		"Subscription":      {key, `{"query":"subscription { inboxUpdates(subscriberId: \"ada\") { sequence } }"}`, 406, "NOT_A_STREAM"},
		"PersistedUnknown":  {key, `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}`, 200, "PERSISTED_QUERY_NOT_FOUND"},
		"PersistedWrong":    {key, `{"query":"{ __typename }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}`, 200, "BAD_REQUEST"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec, r := b.post(t, c.authorization, c.body)
			require.Equal(t, c.status, rec.Code, rec.Body.String())
			require.Equal(t, c.code, r.code(), rec.Body.String())
			require.Equal(t, "application/json; charset=utf-8", rec.Header().Get("Content-Type"))
			if c.status == http.StatusUnauthorized {
				require.Equal(t, "ApiKey", rec.Header().Get("WWW-Authenticate"))
			}
		})
	}

	t.Run("BadTimeNamesItsPlace", func(t *testing.T) {
		t.Parallel()
		r := b.ask(t, b.key, `{ topics(filter: {createdAfter: "yesterday"}) { totalCount } }`, nil)
		require.Equal(t, "filter.createdAfter", at(t, r.Errors[0].Extensions["fields"].([]any)[0], "path"))
	})

	t.Run("WhichOperation", func(t *testing.T) {
		t.Parallel()
		for name, want := range map[string]string{
			"": "The text has 2 operations: choose one by operationName.", "c": `The text has no operation of the name "c".`,
		} {
			_, r := b.post(t, key, `{"query":"query a { __typename } query b { __typename }","operationName":"`+name+`"}`)
			require.Equal(t, "GRAPHQL_VALIDATION_FAILED", r.code())
			require.Equal(t, want, r.Errors[0].Message)
		}
	})

	t.Run("StatusOfGraphQLResponses", func(t *testing.T) {
		t.Parallel()
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql?query="+url.QueryEscape("{ nothing }"), nil)
		req.Header.Set("Authorization", key)
		req.Header.Set("Accept", "application/graphql-response+json")
		rec, r := b.serve(t, req)
		require.Equal(t, http.StatusBadRequest, rec.Code)
		require.Equal(t, "GRAPHQL_VALIDATION_FAILED", r.code())
		require.Equal(t, "application/graphql-response+json; charset=utf-8", rec.Header().Get("Content-Type"))
	})

	t.Run("Get", func(t *testing.T) {
		t.Parallel()
		for query, status := range map[string]int{
			`query($n: Int) { topics(first: $n) { totalCount } }`:               http.StatusOK,
			`mutation { createTopic(input: {key: "by-get"}) { topic { id } } }`: http.StatusMethodNotAllowed,
		} {
			req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql?variables=%7B%22n%22%3A1%7D&query="+url.QueryEscape(query), nil)
			req.Header.Set("Authorization", key)
			rec, _ := b.serve(t, req)
			require.Equal(t, status, rec.Code, rec.Body.String())
		}
	})

	t.Run("MethodAndMediaType", func(t *testing.T) {
		t.Parallel()
		for _, c := range []struct {
			method, media string
			status        int
		}{{http.MethodPut, "application/json", 405}, {http.MethodPost, "text/plain", 415}, {http.MethodPost, "", 200}} {
			req := httptest.NewRequestWithContext(t.Context(), c.method, "/graphql", strings.NewReader(`{"query":"{ __typename }"}`))
			req.Header.Set("Authorization", key)
			req.Header.Set("Content-Type", c.media)
			rec, _ := b.serve(t, req)
			require.Equal(t, c.status, rec.Code)
		}
	})
}

func TestLimits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := func(size int) string {
		return fmt.Sprintf(`{ topics(first: %d) { edges { node { %s } } } }`, size, strings.Repeat("id key name createdAt ", 100))
	}
	aliases := func(n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "a%d: topics { totalCount } ", i)
		}
		return "{" + text.String() + "}"
	}
	var fragments strings.Builder
	for i := range 20 {
		fmt.Fprintf(&fragments, "fragment f%d on Query { ...f%d ...f%d } ", i, i+1, i+1)
	}
	fragments.WriteString("fragment f20 on Query { topics { totalCount } } { ...f0 }")
	for name, c := range map[string]struct{ query, code, text string }{
		"SmallPage": {page(10), "", ""},
		"LargePage": {page(100), "COMPLEXITY_LIMIT_EXCEEDED", "at most 25000"},
		"TwoPlans":  {`{ a: configurationPlan(input: {document: {}}) { fingerprint } b: configurationPlan(input: {document: {}}) { fingerprint } }`, "COMPLEXITY_LIMIT_EXCEEDED", "at most 25000"},
		"Previews":  {`{ a: audiencePreview(input: {topicKey: "t"}) { count } b: audiencePreview(input: {topicKey: "t"}) { count } c: audiencePreview(input: {topicKey: "t"}) { count } }`, "COMPLEXITY_LIMIT_EXCEEDED", "at most 25000"},
		"Aliases":   {aliases(101), "ALIAS_LIMIT_EXCEEDED", "at most 100"},
		"Fragments": {fragments.String(), "COMPLEXITY_LIMIT_EXCEEDED", "20000"},
		"Tokens":    {"{" + strings.Repeat(" __typename", 4_001) + "}", "DOCUMENT_LIMIT_EXCEEDED", "4000"},
		"Depth":     {"{" + strings.Repeat(" node(id: \"x\") { ... on Member { user { id } } }", 1) + "}", "VALIDATION", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := b.ask(t, b.key, c.query, nil)
			require.Equal(t, c.code, r.code(), r.Errors)
			if c.text != "" {
				require.Contains(t, strings.ReplaceAll(r.Errors[0].Message, ",", ""), c.text)
			}
		})
	}

	t.Run("Body", func(t *testing.T) {
		t.Parallel()
		rec, r := b.post(t, "ApiKey "+b.key, `{"query":"{ __typename }","variables":{"x":"`+strings.Repeat("x", 32<<20)+`"}}`)
		require.Equal(t, http.StatusRequestEntityTooLarge, rec.Code)
		require.Equal(t, "TOO_LARGE", r.code())
	})
}

func TestInternalErrors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.db.Pool.Exec(t.Context(), "ALTER TABLE topics RENAME COLUMN name TO renamed")
	require.NoError(t, err)
	r := b.ask(t, b.key, `{ topics { nodes { id } } }`, nil)
	require.Equal(t, "INTERNAL", r.code())
	require.NotContains(t, r.Errors[0].Message, "column", "the cause is for the log")
	id, _ := r.Errors[0].Extensions["errorId"].(string)
	require.Len(t, id, 36)
	require.Equal(t, 1, strings.Count(b.log.String(), id))
	require.Contains(t, b.log.String(), "does not exist")
	require.Contains(t, b.log.String(), `"fields":"topics"`)
}

func TestGraphiQL(t *testing.T) {
	t.Parallel()
	b := setup(t)
	get := func(path, accept string) *httptest.ResponseRecorder {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		req.Header.Set("Accept", accept)
		rec := httptest.NewRecorder()
		b.handler.ServeHTTP(rec, req)
		return rec
	}
	page := get("/graphql", "text/html,application/xhtml+xml,*/*;q=0.8")
	require.Equal(t, http.StatusOK, page.Code)
	require.Equal(t, "text/html; charset=utf-8", page.Header().Get("Content-Type"))
	require.NotContains(t, page.Body.String(), "http", "nothing comes from elsewhere")
	for part := range strings.SplitSeq(page.Body.String(), `"`) {
		if strings.HasPrefix(part, "/") {
			require.Equal(t, http.StatusOK, get(part, "*/*").Code, part)
		}
	}
	require.Equal(t, http.StatusNotFound, get("/graphql/assets/server.go", "*/*").Code)
	sdl := get("/graphql/schema.graphql", "*/*")
	require.Contains(t, sdl.Body.String(), "type Topic implements Node")
	require.Contains(t, sdl.Body.String(), "A named set of subscribers.")
	require.Empty(t, sdl.Header().Get("Content-Encoding"))
	req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql/schema.graphql", nil)
	req.Header.Set("Accept-Encoding", "gzip")
	packed := httptest.NewRecorder()
	b.handler.ServeHTTP(packed, req)
	require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
	require.Less(t, packed.Body.Len(), sdl.Body.Len()/3)
}
