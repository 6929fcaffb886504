package graph

import (
	"bytes"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/coding"
)

//go:embed graphiql/index.html graphiql/start.js graphiql/assets
var graphiqlFiles embed.FS

// pagePolicy lets the GraphiQL page load from here only. Its editor sets styles on elements.
const pagePolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// wantsPage reports whether the client is a person's browser, not a program.
func wantsPage(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// servePage shows GraphiQL. Anybody may see it; what it asks for needs a key.
func servePage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Cache-Control", "no-cache")
	serveFile(w, r, "graphiql/index.html")
}

func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	if name == "start.js" {
		w.Header().Set("Cache-Control", "no-cache")
		serveFile(w, r, "graphiql/start.js")
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=86400")
	serveFile(w, r, "graphiql/assets/"+name)
}

// sentFiles are those of GraphiQL, and the schema, as they are sent.
var sentFiles coding.Files

func serveFile(w http.ResponseWriter, r *http.Request, name string) {
	content, err := fs.ReadFile(graphiqlFiles, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(sentFiles.Choose(w.Header(), r, name, content)))
}
