package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/rest"
)

// shownCall is a file of examples/, with its parts as they are written.
type shownCall struct {
	Target  string          `json:"target"`
	Request json.RawMessage `json:"request,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
}

// Every operation has an example, which is a call that this server answers so.
func TestExamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var files []string
	b.eachOperation(func(pattern, method string, operation map[string]any) {
		file := filepath.Join("examples", operation["operationId"].(string)+".json") //nolint:forcetypeassert // a text
		files = append(files, file)
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			var call shownCall
			require.NoError(t, json.Unmarshal(raw, &call))
			b := setup(t)
			b.world(t)
			if strings.HasPrefix(pattern, "/v1/events") {
				b.workflow(t, "order-shipped", steps(true), true)
			}
			_, found := b.promised.pathOf(call.Target)
			require.Equal(t, pattern, found)
			w := b.ask(strings.ToUpper(method), call.Target, string(call.Request))
			require.Less(t, w.Code, 300, "%s", w.Body)
			answer := strings.NewReplacer(b.scope.EnvironmentID, "000000000000000000000001", b.scope.OrganizationID, "000000000000000000000002").Replace(w.Body.String())
			answer = recordID.ReplaceAllString(answer, "65c100000000000000000003")
			call.Answer = json.RawMessage(instant.ReplaceAllString(answer, `"2026-01-31T12:00:00.000Z"`))
			written := &bytes.Buffer{}
			encoder := json.NewEncoder(written)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", "  ")
			require.NoError(t, encoder.Encode(call))
			if *update {
				require.NoError(t, os.WriteFile(file, written.Bytes(), 0o600))
				return
			}
			require.Equal(t, string(raw), written.String(), "rewrite it with -update")
		})
	})
	kept, err := filepath.Glob("examples/*.json")
	require.NoError(t, err)
	slices.Sort(files)
	require.Equal(t, files, kept)
}

// What the document shows fits what it says: requests, answers, failures and parameters.
func TestExamplesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	for _, wrapper := range []string{"none", "data"} {
		b := setup(t, func(cfg *rest.Config) { cfg.ResponseWrapper = wrapper })
		shown := 0
		var visit func(at string, v any)
		visit = func(at string, v any) {
			switch v := v.(type) {
			case map[string]any:
				if example, there := v["example"]; there && v["schema"] != nil {
					shown++
					require.NoError(t, b.promised.validate(at+"/schema", example), at)
				}
				for name, member := range v {
					visit(at+"/"+escaped(name), member)
				}
			case []any:
				for i, item := range v {
					visit(fmt.Sprint(at, "/", i), item)
				}
			}
		}
		visit("/components/responses", b.promised.at("/components/responses"))
		visit("/paths", b.promised.at("/paths"))
		require.Greater(t, shown, 14+8+14, "answers, bodies and failures at least")
		b.eachOperation(func(pattern, method string, operation map[string]any) {
			if body, there := operation["requestBody"].(map[string]any); there {
				require.NotNil(t, body["content"].(map[string]any)["application/json"].(map[string]any)["example"], "%s %s", method, pattern) //nolint:forcetypeassert // of a media type
			}
			for code, response := range operation["responses"].(map[string]any) { //nolint:forcetypeassert // an object
				if response := response.(map[string]any); response["$ref"] == nil { //nolint:forcetypeassert // an object
					require.NotNil(t, response["content"].(map[string]any)["application/json"].(map[string]any)["example"], "%s %s %s", method, pattern, code) //nolint:forcetypeassert // of a media type
				}
			}
		})
	}
}

// The document is served in 3.1 and in 3.0, as JSON and as YAML, and each pair says the same.
func TestDocumentForms(t *testing.T) {
	t.Parallel()
	b := setup(t)
	read := func(path, kind string) (text []byte, decoded any) {
		w := httptest.NewRecorder()
		b.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, kind+"; charset=utf-8", w.Header().Get("Content-Type"))
		text = w.Body.Bytes()
		if kind == "application/yaml" {
			converted, err := yaml.YAMLToJSON(text)
			require.NoError(t, err)
			text = converted
		}
		decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		return text, decoded
	}
	for _, version := range []string{"/openapi", "/openapi-3.0"} {
		_, asJSON := read(version+".json", "application/json")
		_, asYAML := read(version+".yaml", "application/yaml")
		require.Equal(t, asJSON, asYAML)
		require.Equal(t, http.StatusMethodNotAllowed, b.ask(http.MethodPost, version+".yaml", "{}").Code)
	}
	text, older := read("/openapi-3.0.json", "application/json")
	require.Equal(t, "3.0.3", older.(map[string]any)["openapi"]) //nolint:forcetypeassert // an object
	for _, word := range []string{`"type": [`, `"null"`, `"const":`, `"propertyNames":`, `"examples":`, `"summary": "Triggers`} {
		require.NotContains(t, string(text), word, "3.0 has no such word")
	}
	c := &contract{document: older.(map[string]any)} //nolint:forcetypeassert // an object
	require.Equal(t, map[string]any{"type": "string", "nullable": true, "description": "Cursor of the next page; null on the last one."},
		c.at("/components/schemas/SubscriptionPage/properties/next"))
	require.Equal(t, map[string]any{"type": "string", "nullable": true, "description": "The channel. One of email, sms, in_app, chat, push, or null."},
		c.at("/components/schemas/ChannelEndpoint/properties/channel"))
	require.Len(t, c.at("/components/schemas/Channel/enum"), 5, "where it is not null it stays")
}

// eachOperation walks the operations of the document.
func (b *bundle) eachOperation(fn func(pattern, method string, operation map[string]any)) {
	for pattern, path := range b.promised.document["paths"].(map[string]any) { //nolint:forcetypeassert // an object
		for method, operation := range path.(map[string]any) { //nolint:forcetypeassert // an object
			if method != "parameters" {
				fn(pattern, method, operation.(map[string]any)) //nolint:forcetypeassert // an object
			}
		}
	}
}
