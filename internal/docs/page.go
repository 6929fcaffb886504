package docs

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"github.com/carillon/carillon/internal/coding"
	"github.com/carillon/carillon/internal/configfiles"
	"github.com/carillon/carillon/internal/notices"
)

// Prefix is the path below which the pages lie.
const Prefix = "/docs"

// policy lets a page load its style sheet and send its search form, nothing else.
const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed page.html style.css
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "page.html"))

// view is what page.html shows: one document, the results of a search, or the list of documents.
type view struct {
	Title     string
	Parts     []string
	Documents []*Document
	Current   *Document
	Body      template.HTML // of the current document
	Query     string
	Searched  bool
	Missing   bool // nothing lies at the address
	Results   []Result
}

// rendered are the documents with their HTML, by name.
type rendered struct {
	all  []*Document
	html map[string]template.HTML
}

// New serves the documents: a list with search at /docs, each as a page at /docs/NAME and as Markdown at /docs/NAME.md.
// They are public, and rendered when first asked for.
func New() http.Handler {
	s := &server{load: sync.OnceValues(renderAll)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Prefix, s.index)
	mux.HandleFunc("GET "+Prefix+"/{$}", s.index)
	mux.HandleFunc("GET "+Prefix+"/style.css", s.style)
	mux.HandleFunc("GET "+Prefix+"/licenses.txt", licences)
	mux.HandleFunc("GET "+Prefix+"/schemas/{file}", schema)
	mux.HandleFunc("GET "+Prefix+"/{name}", s.document)
	mux.HandleFunc("GET "+Prefix+"/{name}/{rest...}", s.missing)
	return mux
}

type server struct {
	load func() (rendered, error)
}

func renderAll() (rendered, error) {
	all, err := All()
	if err != nil {
		return rendered{}, err
	}
	out := rendered{all: all, html: map[string]template.HTML{}}
	for _, d := range all {
		var b bytes.Buffer
		if err := markdown.Renderer().Render(&b, d.source, d.root); err != nil {
			return rendered{}, fmt.Errorf("render %s: %w", d.Name, err)
		}
		out.html[d.Name] = template.HTML(b.String()) //nolint:gosec // our own embedded text
	}
	return out, nil
}

// index lists the documents; with ?q= it shows what a search finds in them.
func (s *server) index(w http.ResponseWriter, r *http.Request) {
	docs, err := s.load()
	query := r.URL.Query().Get("q")
	v := view{Title: "Documentation", Documents: docs.all, Query: query, Searched: strings.TrimSpace(query) != ""}
	if v.Searched {
		v.Title, v.Results = "Search", Search(docs.all, query)
	}
	show(w, r, v, err)
}

// document shows one document, as a page or, with the ending .md, as it is written.
func (s *server) document(w http.ResponseWriter, r *http.Request) {
	docs, err := s.load()
	name, raw := strings.CutSuffix(r.PathValue("name"), ".md")
	for _, d := range docs.all {
		if d.Name != name {
			continue
		}
		if raw {
			plainText(w, r, "text/markdown", d.Markdown())
			return
		}
		show(w, r, view{Title: d.Title, Documents: docs.all, Current: d, Body: docs.html[name]}, err)
		return
	}
	s.missing(w, r)
}

// missing answers for an address without a document: browsers with a page that leads to all of them.
func (s *server) missing(w http.ResponseWriter, r *http.Request) {
	docs, err := s.load()
	if err == nil && !strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.NotFound(w, r)
		return
	}
	showAs(w, r, http.StatusNotFound, view{Title: "Page not found", Documents: docs.all, Missing: true}, err)
}

func (s *server) style(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeFileFS(w, r, assets, "style.css")
}

// licences shows those of the software that the binary contains.
func licences(w http.ResponseWriter, r *http.Request) {
	plainText(w, r, "text/plain", notices.Text())
}

// schema serves a JSON Schema of configuration files.
func schema(w http.ResponseWriter, r *http.Request) {
	text, err := fs.ReadFile(configfiles.Schemas(), r.PathValue("file"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	plainText(w, r, "application/schema+json", string(text))
}

// sentFiles are the Markdown, the licences and the schemas, as they are sent.
var sentFiles coding.Files

func plainText(w http.ResponseWriter, r *http.Request, mediaType, text string) {
	w.Header().Set("Content-Type", mediaType+"; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(sentFiles.Choose(w.Header(), r, r.URL.Path, []byte(text))) // a client that left needs no answer
}

// minCompressed is from how many bytes on a page is packed.
const minCompressed = 1_024

func show(w http.ResponseWriter, r *http.Request, v view, err error) {
	showAs(w, r, http.StatusOK, v, err)
}

func showAs(w http.ResponseWriter, r *http.Request, status int, v view, err error) {
	var page bytes.Buffer
	v.Parts = Parts()
	if err == nil {
		err = pages.Execute(&page, v)
	}
	if err != nil {
		http.Error(w, "The documents could not be rendered.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	body := coding.Apply(h, r.Header.Values("Accept-Encoding"), page.Bytes(), minCompressed)
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that left needs no answer
}
