// Package inboxclient serves the inbox for web pages: the element <carillon-inbox> and the client below it, as modules that
// browsers load unchanged, their types, and a page that shows them.
package inboxclient

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/coding"
)

// Prefix is the path below which everything of this door lies.
const Prefix = "/inbox/"

const page = "index.html"

//go:embed web/*.js web/*.d.ts web/texts/*.js web/texts/*.d.ts web/index.html
var web embed.FS

// file is one answer.
type file struct {
	content     []byte
	contentType string
	etag        string
}

// New serves the files. They are public, so that pages of any origin can load them, and browsers ask each time whether
// theirs is current: pages name no version.
func New() http.Handler {
	files, sent := load(), coding.Files{}
	policy := pagePolicy(files[page].content)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		if name == "" {
			name = page
		}
		f, known := files[name]
		if !known || r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", f.contentType)
		h.Set("ETag", f.etag)
		h.Set("Cache-Control", "public, no-cache")
		h.Set("X-Content-Type-Options", "nosniff")
		if name == page {
			h.Set("Content-Security-Policy", policy)
			h.Set("Referrer-Policy", "no-referrer")
		} else {
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(sent.Choose(h, r, name, f.content)))
	})
}

// Operations are the texts of all operations that the element sends.
func Operations() ([]string, error) {
	module, err := web.ReadFile("web/operations.js")
	if err != nil {
		return nil, fmt.Errorf("read the inbox's operations: %w", err)
	}
	_, object, _ := bytes.Cut(module, []byte("operations = "))
	var named map[string]string
	if err := json.Unmarshal(bytes.TrimSuffix(bytes.TrimSpace(object), []byte(";")), &named); err != nil {
		return nil, fmt.Errorf("read the inbox's operations: %w", err)
	}
	return slices.Sorted(maps.Values(named)), nil
}

func load() map[string]file {
	files := map[string]file{}
	for _, folder := range []string{"", "texts"} {
		entries, _ := fs.ReadDir(web, path.Join("web", folder)) // embedded: there is nothing to go wrong
		for _, entry := range entries {
			name := path.Join(folder, entry.Name())
			content, err := fs.ReadFile(web, path.Join("web", name))
			if err != nil {
				continue // a folder
			}
			sum := sha256.Sum256(content)
			files[name] = file{content, contentTypes[path.Ext(name)], `"` + hex.EncodeToString(sum[:16]) + `"`}
		}
	}
	return files
}

var contentTypes = map[string]string{
	".js":   "text/javascript; charset=utf-8",
	".ts":   "text/plain; charset=utf-8",
	".html": "text/html; charset=utf-8",
}

// pagePolicy lets the page run the modules and its own line, and reach its own server; messages may have pictures.
func pagePolicy(html []byte) string {
	_, rest, _ := bytes.Cut(html, []byte("<script>"))
	line, _, _ := bytes.Cut(rest, []byte("</script>"))
	sum := sha256.Sum256(line)
	return "default-src 'none'; script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; connect-src 'self'; img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
