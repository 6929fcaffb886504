// Package home is the page at "/": it leads a person who opened the server's address in a browser to what is there.
package home

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"
)

// Link is one place that the page leads to.
type Link struct{ Path, Name, About string }

//go:embed page.html
var source string

var page = template.Must(template.New("page").Parse(source))

// New serves the page with these links. It makes no request but its own, and holds no script.
func New(links ...Link) http.Handler {
	policy := "default-src 'none'; style-src '" + styleHash(source) + "'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		h.Set("Vary", "Accept")
		_ = page.Execute(w, struct{ Links []Link }{links}) // a client that left needs no answer
	})
}

// styleHash permits the page's own style sheet, and no other.
func styleHash(source string) string {
	_, rest, _ := strings.Cut(source, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Wants reports whether r is a browser's question for the page: programs that ask for "/" get the API's answer to an
// unknown path.
func Wants(r *http.Request) bool {
	if r.URL.Path != "/" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	for accepted := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		kind, parameters, _ := strings.Cut(accepted, ";")
		if strings.EqualFold(strings.TrimSpace(kind), "text/html") && !refused(parameters) {
			return true
		}
	}
	return false
}

// refused reports whether the parameters of a media type hold a weight of zero.
func refused(parameters string) bool {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, weight, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if strings.EqualFold(name, "q") {
			return strings.Trim(weight, "0.") == ""
		}
	}
	return false
}
