package graph_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/carillon/carillon/graph"
	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/inboxclient"
)

// TestPublished holds the published file against the schema that is executed, and against the wish that all of it is
// described.
func TestPublished(t *testing.T) {
	t.Parallel()
	var executed bytes.Buffer
	formatter.NewFormatter(&executed, formatter.WithIndent("  ")).FormatSchema(generated.NewExecutableSchema(generated.Config{}).Schema())
	require.True(t, executed.String() == string(graph.Published), "graph/schema.graphql is not what is executed: run make generate") //nolint:testifylint // a difference would be 14,000 lines

	schema, err := gqlparser.LoadSchema(&ast.Source{Input: string(graph.Published)})
	require.NoError(t, err)
	described := 0
	is := func(description string, name ...string) {
		described++
		require.NotEmpty(t, strings.TrimSpace(description), "%s has no description", strings.Join(name, "."))
	}
	for _, typ := range schema.Types {
		if typ.BuiltIn {
			continue
		}
		is(typ.Description, typ.Name)
		for _, field := range typ.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			is(field.Description, typ.Name, field.Name)
			for _, argument := range field.Arguments {
				is(argument.Description, typ.Name, field.Name, argument.Name)
			}
		}
		for _, value := range typ.EnumValues {
			is(value.Description, typ.Name, value.Name)
		}
	}
	require.Greater(t, described, 1000)
}

// TestRelay holds the schema against what Relay's tools expect: node, and connections with edges and page information.
func TestRelay(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	require.Equal(t, "Node", schema.Query.Fields.ForName("node").Type.String())
	require.Equal(t, "ID!", schema.Query.Fields.ForName("node").Arguments.ForName("id").Type.String())
	connections := 0
	for name, typ := range schema.Types {
		base, is := strings.CutSuffix(name, "Connection")
		if !is {
			continue
		}
		require.NotNil(t, typ.Fields.ForName("edges"), "%s is no connection, and may not have a name that Relay reserves", name)
		connections++
		require.Equal(t, "["+base+"Edge!]!", typ.Fields.ForName("edges").Type.String(), name)
		require.Equal(t, "PageInfo!", typ.Fields.ForName("pageInfo").Type.String(), name)
		edge := schema.Types[base+"Edge"]
		require.Equal(t, "String!", edge.Fields.ForName("cursor").Type.String(), name)
		node := schema.Types[edge.Fields.ForName("node").Type.Name()]
		if node.Fields.ForName("id") != nil { // others are findings, which cannot be read again by themselves
			require.Contains(t, node.Interfaces, "Node", name)
		}
	}
	require.Greater(t, connections, 20)
}

// TestScalarsAreSpecified: whoever writes a client by hand finds what a scalar's text is.
func TestScalarsAreSpecified(t *testing.T) {
	t.Parallel()
	for name, typ := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		if typ.Kind == ast.Scalar && !typ.BuiltIn {
			specified := typ.Directives.ForName("specifiedBy")
			require.NotNil(t, specified, name)
			require.Contains(t, specified.Arguments.ForName("url").Value.Raw, "https://", name)
		}
	}
}

// door is the same server with other settings.
func (b *bundle) door(t *testing.T, change func(*graph.Config)) *bundle {
	t.Helper()
	cfg := graph.Config{
		Services: b.services, Logger: slog.New(slog.NewJSONHandler(b.log, nil)),
		Authenticator: auth.New(auth.Config{DB: b.db, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Secrets: b.keeper}),
	}
	t.Cleanup(func() { require.NoError(t, cfg.Authenticator.Close(context.WithoutCancel(t.Context()))) })
	change(&cfg)
	other := *b
	other.handler = graph.NewHandler(cfg)
	return &other
}

func TestIntrospectionOff(t *testing.T) {
	t.Parallel()
	open := setup(t)
	closed := open.door(t, func(cfg *graph.Config) { cfg.Secretive = true })
	for _, query := range []string{
		`{ __schema { types { name } } }`, `{ a: __type(name: "Topic") { name } }`,
		`{ ...f } fragment f on Query { ... on Query { __schema { types { name } } } }`,
	} {
		require.Empty(t, open.ask(t, open.key, query, nil).Errors)
		r := closed.ask(t, closed.key, query, nil)
		require.Equal(t, "INTROSPECTION_OFF", r.code(), query)
		require.Nil(t, r.Data)
	}
	require.Empty(t, closed.ask(t, closed.key, `{ __typename currentEnvironment { __typename } }`, nil).Errors)
	require.Contains(t, open.ask(t, open.key, `{ topcs { nodes { id } } }`, nil).Errors[0].Message, "topics")
	for query, names := range map[string][]string{
		`{ topcs { nodes { id } } }`:      {"topics", "Query"},
		`{ topics(firstt: 1) { nodes } }`: {"first\"", "Connection", "Topic"},
		`{ topics }`:                      {"TopicConnection"},
		`{ node { id } }`:                 {"ID!", "Node"},
	} {
		r := closed.ask(t, closed.key, query, nil)
		require.Len(t, r.Errors, 1, query)
		for _, name := range names {
			require.NotContains(t, r.Errors[0].Message, name, query)
		}
	}

	for b, status := range map[*bundle]int{open: http.StatusOK, closed: http.StatusNotFound} {
		rec := httptest.NewRecorder()
		b.handler.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql/schema.graphql", nil))
		require.Equal(t, status, rec.Code)
		require.Equal(t, status == http.StatusOK, bytes.Equal(rec.Body.Bytes(), graph.Published))
	}
}

func persisted(text, query string) string {
	sum := sha256.Sum256([]byte(text))
	body, _ := json.Marshal(map[string]any{ //nolint:errchkjson // texts alone
		"query": query, "extensions": map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": hex.EncodeToString(sum[:])}},
	})
	return string(body)
}

func TestPersistedQueries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const listed, other = `{ currentEnvironment { identifier } }`, `{ currentEnvironment { name } }`
	key := "ApiKey " + b.key

	t.Run("Automatic", func(t *testing.T) {
		t.Parallel()
		_, r := b.post(t, key, persisted(listed, ""))
		require.Equal(t, "PERSISTED_QUERY_NOT_FOUND", r.code())
		for _, query := range []string{listed, "", ""} {
			_, r = b.post(t, key, persisted(listed, query))
			require.Empty(t, r.Errors)
			require.Equal(t, "development", at(t, r.Data, "currentEnvironment", "identifier"))
		}
	})

	t.Run("Allowed", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "persisted.json")
		require.NoError(t, os.WriteFile(file, []byte(`{"any key": "`+listed+`"}`), 0o600))
		inbox, err := inboxclient.Operations()
		require.NoError(t, err)
		allowed, err := document.ReadAllowed(file, inbox)
		require.NoError(t, err)
		only := b.door(t, func(cfg *graph.Config) { cfg.Allowed = allowed })
		for body, code := range map[string]string{
			persisted(listed, ""): "", persisted(listed, listed): "", `{"query": "` + listed + `"}`: "",
			persisted(other, ""): "PERSISTED_QUERY_NOT_ALLOWED", persisted(other, other): "PERSISTED_QUERY_NOT_ALLOWED",
			persisted(listed, other): "PERSISTED_QUERY_NOT_ALLOWED", `{"query": "` + other + `"}`: "PERSISTED_QUERY_NOT_ALLOWED",
			`{"query": ""}`: "PERSISTED_QUERY_NOT_ALLOWED",
		} {
			_, r := only.post(t, key, body)
			require.Equal(t, code, r.code(), body)
		}
		for _, text := range inbox { // the element's own
			body, err := json.Marshal(map[string]any{"query": text})
			require.NoError(t, err)
			_, r := only.post(t, key, string(body))
			require.NotEqual(t, "PERSISTED_QUERY_NOT_ALLOWED", r.code(), text)
		}
		_, r := only.post(t, "", `{"query": "`+other+`"}`)
		require.Equal(t, "UNAUTHENTICATED", r.code())
	})

	t.Run("WrongList", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "persisted.json")
		_, err := document.ReadAllowed(file, nil)
		require.ErrorContains(t, err, "persisted.json")
		require.NoError(t, os.WriteFile(file, []byte(`["x"]`), 0o600))
		_, err = document.ReadAllowed(file, nil)
		require.ErrorContains(t, err, "not a JSON object of texts")
	})
}

// TestLimitsAreInTheErrors asks for too much in every way; the error tells programs how much was allowed.
func TestLimitsAreInTheErrors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	narrow := b.door(t, func(cfg *graph.Config) {
		cfg.Limits = document.Limits{Depth: 3, Aliases: 2, Complexity: 50, Timeout: time.Nanosecond}
	})
	key := "ApiKey " + b.key
	for body, want := range map[string]map[string]any{
		`{"query": "{ topics(first: 1) { edges { node { id } } } }"}`: {"code": "DEPTH_LIMIT_EXCEEDED", "limit": 3.0, "actual": 4.0},
		`{"query": "{ a: __typename b: __typename c: __typename }"}`:  {"code": "ALIAS_LIMIT_EXCEEDED", "limit": 2.0, "actual": 3.0},
		`{"query": "{ topics(first: 100) { nodes { id } } }"}`:        {"code": "COMPLEXITY_LIMIT_EXCEEDED", "limit": 50.0, "actual": 201.0},
		`[{"query": "{ __typename }"}]`:                               {"code": "BATCH_LIMIT_EXCEEDED", "limit": 1.0},
		`{"query": "{ topics(first: 1) { nodes { id } } }"}`:          {"code": "TIMEOUT", "limit": 1e-9},
	} {
		_, r := narrow.post(t, key, body)
		require.NotEmpty(t, r.Errors, body)
		require.Equal(t, want, r.Errors[0].Extensions, body)
	}
}

// A name that is repeated hundreds of times in one place is refused before it costs anything, also without a credential.
func TestRepetitionIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, text := range []string{
		`{` + strings.Repeat(` __typename`, 501) + `}`, `{` + strings.Repeat(` ...on Query { __typename }`, 501) + `}`,
		`{ ...F } fragment F on Query {` + strings.Repeat(` __typename`, 501) + `}`,
	} {
		_, r := b.post(t, "ApiKey "+b.key, `{"query":"`+text+`"}`)
		require.Equal(t, "COMPLEXITY_LIMIT_EXCEEDED", r.code(), text[:40])
	}
	_, r := b.post(t, "ApiKey "+b.key, `{"query":"{`+strings.Repeat(` __typename`, 300)+`}"}`)
	require.Empty(t, r.Errors)
	rec, _ := b.post(t, "", `{"query":"{`+strings.Repeat(` a`, 7000)+`}"}`)
	require.Equal(t, http.StatusUnauthorized, rec.Code)
}

// TestRequestErrorsHaveNoData: what was never executed has no data, not even null (GraphQL over HTTP).
func TestRequestErrorsHaveNoData(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, body := range []string{`{"query": "{"}`, `{"query": "{ nothing }"}`, `[]`, `{`} {
		rec, r := b.post(t, "ApiKey "+b.key, body)
		require.NotEmpty(t, r.Errors)
		require.NotContains(t, rec.Body.String(), `"data"`, body)
	}
}

// TestIDsThatNameNoRecord: clients keep what has an id by its type and id, so that a type whose id comes more than once has to be in
// the page that tells them.
func TestIDsThatNameNoRecord(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "internal", "docs", "graphql.md"))
	require.NoError(t, err)
	unique := []string{"Provider", "WorkflowSummary"} // one content for each id, as a Node has
	for _, typ := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		if typ.Kind != ast.Object || typ.Fields.ForName("id") == nil || slices.Contains(typ.Interfaces, "Node") || slices.Contains(unique, typ.Name) {
			continue
		}
		for _, line := range []string{"\t" + typ.Name + ": { keyFields: false }", `"` + typ.Name + `"`} {
			require.Contains(t, string(page), line)
		}
	}
}
