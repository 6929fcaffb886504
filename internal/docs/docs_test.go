package docs_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/docs"
)

// served renders the documents once for all tests.
var served = docs.New()

func get(t *testing.T, target string) *httptest.ResponseRecorder {
	t.Helper()
	rec := httptest.NewRecorder()
	served.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
	return rec
}

func TestSections(t *testing.T) {
	t.Parallel()
	all, err := docs.All()
	require.NoError(t, err)
	sections := map[string]docs.Section{}
	for _, d := range all {
		require.NotEmpty(t, d.Title)
		anchors := map[string]bool{}
		for _, s := range d.Sections {
			require.False(t, anchors[s.Anchor], "%s#%s comes twice", d.Name, s.Anchor)
			anchors[s.Anchor] = true
			sections[d.Name+"#"+s.Anchor] = s
		}
	}
	require.Equal(t, "Transport", sections["decisions#3"].Title)
	require.Equal(t, "3.5", sections["semantics#3.5"].Number)
	require.Contains(t, sections["semantics#3.5"].Text, "The close instant belongs to the next window")
	require.Contains(t, sections["semantics#11.34"].Text, "broadcast")
	require.Equal(t, "Error classes, unless a section overrides them", sections["email#0.5"].Title)
	require.Contains(t, sections["api#limits"].Text, "Idempotency key length 255 characters")
}

func TestPages(t *testing.T) {
	t.Parallel()
	all, err := docs.All()
	require.NoError(t, err)
	index := get(t, "/docs")
	require.Equal(t, http.StatusOK, index.Code)
	for _, d := range all {
		require.Contains(t, index.Body.String(), `href="/docs/`+d.Name+`"`)
		page := get(t, "/docs/"+d.Name)
		require.Equal(t, http.StatusOK, page.Code)
		require.Contains(t, page.Header().Get("Content-Security-Policy"), "default-src 'none'")
		body := page.Body.String()
		for _, s := range d.Sections {
			require.Contains(t, body, `id="`+s.Anchor+`"`, "%s: the anchor of each section", d.Name)
		}
		for _, link := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(body, -1) {
			require.Contains(t, body, `id="`+link[1]+`"`)
		}
		for _, link := range regexp.MustCompile(`(?:href|src)="([^"#]+)[^"]*"`).FindAllStringSubmatch(body, -1) {
			if strings.HasPrefix(link[1], "/docs") {
				require.Equal(t, http.StatusOK, get(t, link[1]).Code, link[1])
			}
		}
		raw := get(t, "/docs/"+d.Name+".md")
		require.Equal(t, "text/markdown; charset=utf-8", raw.Header().Get("Content-Type"))
		require.True(t, strings.HasPrefix(raw.Body.String(), "# "))
	}
	for _, unknown := range []string{"/docs/nothing", "/docs/nothing/at/all", "/docs/api/"} {
		require.Equal(t, http.StatusNotFound, get(t, unknown).Code)
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, unknown, nil)
		req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
		page := httptest.NewRecorder()
		served.ServeHTTP(page, req)
		require.Equal(t, http.StatusNotFound, page.Code, unknown)
		require.Contains(t, page.Body.String(), "There is nothing at this address.")
		require.Contains(t, page.Body.String(), `<article><h3><a href="/docs/decisions">`)
	}
	require.Equal(t, http.StatusNotFound, get(t, "/docs/page.html").Code)
}

// TestPagesArePacked where the client takes that.
func TestPagesArePacked(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/docs", "/docs/changelog", "/docs/changelog.md", "/docs/licenses.txt", "/docs/schemas/workflow.json"} {
		bare := get(t, target)
		require.Empty(t, bare.Header().Get("Content-Encoding"), target)
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		req.Header.Set("Accept-Encoding", "gzip, deflate, br")
		packed := httptest.NewRecorder()
		served.ServeHTTP(packed, req)
		require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"), target)
		require.Less(t, packed.Body.Len(), bare.Body.Len()/2, target)
		read, err := gzip.NewReader(packed.Body)
		require.NoError(t, err)
		content, err := io.ReadAll(read)
		require.NoError(t, err)
		require.Equal(t, bare.Body.String(), string(content), target)
		require.Equal(t, bare.Header().Get("Content-Type"), packed.Header().Get("Content-Type"), target)
	}
}

// TestLinks follows every link between documents, to the page and to the section on it.
func TestLinks(t *testing.T) {
	t.Parallel()
	all, err := docs.All()
	require.NoError(t, err)
	followed := 0
	for _, d := range all {
		for _, m := range regexp.MustCompile(`href="/docs/([a-z-]+)(#[^"]*)?"`).FindAllStringSubmatch(content(t, d.Name), -1) {
			followed++
			target := content(t, m[1])
			if m[2] != "" {
				require.Contains(t, target, `id="`+m[2][1:]+`"`, "%s leads to %s", d.Name, m[0])
			}
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(d.Markdown(), -1) {
			if !strings.Contains(m[1], ":") {
				require.FileExists(t, m[1], "%s: a link that readers of the repository can follow", d.Name)
			}
		}
		require.Contains(t, docs.Parts(), d.Part)
	}
	require.Greater(t, followed, 10)
}

// content is what a page shows, without the list of documents.
func content(t *testing.T, name string) string {
	t.Helper()
	page := get(t, "/docs/"+name)
	require.Equal(t, http.StatusOK, page.Code, name)
	_, body, _ := strings.Cut(page.Body.String(), "<main")
	return body
}

func TestSearch(t *testing.T) {
	t.Parallel()
	all, err := docs.All()
	require.NoError(t, err)
	results := docs.Search(all, "idempotency REPLAY")
	require.NotEmpty(t, results)
	for _, r := range results {
		text := strings.ToLower(r.Section.Number + r.Section.Title + r.Section.Text)
		require.Contains(t, text, "idempotency")
		require.Contains(t, text, "replay")
	}
	require.Equal(t, "decisions", results[0].Document.Name)
	require.Equal(t, "15", results[0].Section.Number, "a term in the heading weighs most")
	require.Empty(t, docs.Search(all, "xyzzy-no-such-word"))
	require.Empty(t, docs.Search(all, "  "))
	require.LessOrEqual(t, len(docs.Search(all, "e")), 50)
	require.NotPanics(t, func() { docs.Search(all, strings.Repeat("ü ", 500)) })

	page := get(t, "/docs?q="+url.QueryEscape(`<script>alert(1)</script> digest`)).Body.String()
	require.NotContains(t, page, "<script>")
	require.Contains(t, page, "No section holds all of these words.")
	require.Contains(t, get(t, "/docs?q=digest+window").Body.String(), `href="/docs/semantics#3`)
}
