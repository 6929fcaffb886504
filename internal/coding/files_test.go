package coding_test

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/coding"
)

// TestFiles: files are packed for clients that take that, with an ETag of their own, and parts are those of the bare file.
func TestFiles(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 5_000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	script := strings.Repeat("const a = 1;\n", 500)
	contents := map[string]string{"/a.js": script, "/small.js": "short", "/font.woff2": string(noise)}
	var files coding.Files
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		content := []byte(contents[r.URL.Path])
		http.ServeContent(w, r, r.URL.Path, time.Time{}, bytes.NewReader(files.Choose(w.Header(), r, r.URL.Path, content)))
	})
	for name, c := range map[string]struct {
		method, path string
		header       http.Header
		status       int
		etag, body   string
		zipped       bool
	}{
		"packed":                 {"GET", "/a.js", http.Header{"Accept-Encoding": {"gzip, br"}}, 200, `"v1-gzip"`, script, true},
		"the head of it":         {"HEAD", "/a.js", http.Header{"Accept-Encoding": {"gzip"}}, 200, `"v1-gzip"`, "", true},
		"known already":          {"GET", "/a.js", http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {`"v1-gzip"`}}, 304, `"v1-gzip"`, "", false},
		"the other form known":   {"GET", "/a.js", http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {`"v1"`}}, 200, `"v1-gzip"`, script, true},
		"bare":                   {"GET", "/a.js", http.Header{"Accept-Encoding": {"gzip;q=0"}}, 200, `"v1"`, script, false},
		"bare, known already":    {"GET", "/a.js", http.Header{"Accept-Encoding": {"identity"}, "If-None-Match": {`"v1"`}}, 304, `"v1"`, "", false},
		"a part":                 {"GET", "/a.js", http.Header{"Accept-Encoding": {"gzip"}, "Range": {"bytes=6-11"}}, 206, `"v1"`, "a = 1;", false},
		"nothing to save":        {"GET", "/small.js", http.Header{"Accept-Encoding": {"gzip"}}, 200, `"v1"`, "short", false},
		"what is packed already": {"GET", "/font.woff2", http.Header{"Accept-Encoding": {"gzip"}}, 200, `"v1"`, string(noise), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
			req.Header = c.header
			rec := httptest.NewRecorder()
			handler.ServeHTTP(rec, req)
			require.Equal(t, c.status, rec.Code)
			require.Equal(t, "Accept-Encoding", rec.Header().Get("Vary"))
			require.Equal(t, c.etag, rec.Header().Get("ETag"))
			body := rec.Body.String()
			if c.zipped {
				require.Equal(t, "gzip", rec.Header().Get("Content-Encoding"))
				if c.method == http.MethodGet {
					require.Less(t, len(body), len(c.body)/10)
					body = unpacked(t, []byte(body))
				}
			} else if c.status != http.StatusNotModified {
				require.Empty(t, rec.Header().Get("Content-Encoding"))
			}
			require.Equal(t, c.body, body)
		})
	}
}
