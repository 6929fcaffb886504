package inboxclient_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/internal/inboxclient"
)

func get(t *testing.T, path string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	if header != nil {
		r.Header = header
	}
	w := httptest.NewRecorder()
	inboxclient.New().ServeHTTP(w, r)
	return w
}

// TestModulesAreWhole follows every import, of the scripts and of the types.
func TestModulesAreWhole(t *testing.T) {
	t.Parallel()
	imports := regexp.MustCompile(`(?:from|import\()\s*"(\.{1,2}/[\w./-]+)\.js"`)
	for _, kind := range []string{".js", ".d.ts"} {
		seen, next := map[string]bool{}, []string{"carillon-inbox"}
		for len(next) > 0 {
			name := next[0]
			next = next[1:]
			if seen[name] {
				continue
			}
			seen[name] = true
			w := get(t, inboxclient.Prefix+name+kind, nil)
			require.Equal(t, http.StatusOK, w.Code, name+kind)
			require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
			for _, m := range imports.FindAllStringSubmatch(w.Body.String(), -1) {
				next = append(next, path.Join(path.Dir(name), m[1]))
			}
		}
		require.Greater(t, len(seen), 3)
	}
}

func TestBrowsersKeepWhatIsCurrent(t *testing.T) {
	t.Parallel()
	first := get(t, "/inbox/carillon-inbox.js", nil)
	require.Equal(t, "text/javascript; charset=utf-8", first.Header().Get("Content-Type"))
	again := get(t, "/inbox/carillon-inbox.js", http.Header{"If-None-Match": {first.Header().Get("Etag")}})
	require.Equal(t, http.StatusNotModified, again.Code)
	bare := get(t, "/inbox/element.js", nil)
	packed := get(t, "/inbox/element.js", http.Header{"Accept-Encoding": {"gzip, br"}})
	require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
	require.Equal(t, "text/javascript; charset=utf-8", packed.Header().Get("Content-Type"))
	require.NotEqual(t, bare.Header().Get("ETag"), packed.Header().Get("ETag"))
	require.Less(t, packed.Body.Len(), bare.Body.Len())
	require.Equal(t, http.StatusNotFound, get(t, "/inbox/../inboxclient.go", nil).Code)
	require.Equal(t, http.StatusNotFound, get(t, "/inbox/nothing.js", nil).Code)
}

// TestEveryLanguageSaysEverything is the compiler's work for those who have it; here it is enough that none is missing.
func TestEveryLanguageSaysEverything(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("web", "texts", "*.js"))
	require.NoError(t, err)
	require.Len(t, files, 10)
	keys := map[string]int{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^\t(\w+): `).FindAllStringSubmatch(string(content), -1) {
			keys[m[1]]++
		}
		require.Equal(t, http.StatusOK, get(t, "/inbox/texts/"+filepath.Base(file), nil).Code)
	}
	require.Greater(t, len(keys), 50)
	for key, times := range keys {
		require.Equal(t, len(files), times, "texts.%s", key)
	}
}

func TestThePageRunsItsOwnLineOnly(t *testing.T) {
	t.Parallel()
	w := get(t, "/inbox/", nil)
	require.Equal(t, http.StatusOK, w.Code)
	require.Regexp(t, `script-src 'self' 'sha256-[A-Za-z0-9+/]{43}=';`, w.Header().Get("Content-Security-Policy"))
}

// TestOperationsAreAllThereIs holds what the client sends against the schema, and against the list that the server allows.
func TestOperationsAreAllThereIs(t *testing.T) {
	t.Parallel()
	texts, err := inboxclient.Operations()
	require.NoError(t, err)
	require.Greater(t, len(texts), 15)
	text, err := os.ReadFile(filepath.Join("..", "..", "graph", "schema.graphql"))
	require.NoError(t, err)
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: string(text)})
	require.NoError(t, err)
	for _, operation := range texts {
		_, problems := gqlparser.LoadQueryWithRules(schema, operation, nil)
		require.Empty(t, problems, operation)
	}
	module, err := os.ReadFile(filepath.Join("web", "inbox.js"))
	require.NoError(t, err)
	require.NotRegexp(t, "[`\"](query|mutation|subscription)[ ({]", string(module), "an operation that is not in operations.js")
}
