// Package dashboard is the page in which an operator works: the built page itself, embedded, and the cookie that carries a
// person's log-in. Everything the page shows comes from GraphQL, under the same rules as for every other client.
package dashboard

import (
	"bytes"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/coding"
	"github.com/carillon/carillon/internal/notify/access"
)

// Prefix is the path below which everything of this door lies.
const Prefix = "/dashboard"

// dist is what `make web` builds from the folder web.
//
//go:embed all:dist
var dist embed.FS

// policy lets the page load from its own server only. Styles in attributes are allowed for the mails that it shows, which
// carry theirs along; scripts in them are not, and their frames have no rights at all.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// Config is what the dashboard needs.
type Config struct {
	Sessions *access.Sessions
	Auth     *auth.Authenticator
	Logger   *slog.Logger
	Gates    admission.Gates // the zero value lets all log-ins begin at once
	Secure   bool            // whether browsers reach the server by https only
	// OIDC lets people log in by OpenID Connect; nil: by password alone. PublicURL is where the issuer sends browsers back to;
	// empty: the address they came by.
	OIDC      *auth.OIDC
	PublicURL string
}

// New serves the page and its log-in.
func New(cfg Config) http.Handler {
	door := sessions{Config: cfg, exchanges: admission.New(admission.Config{Least: exchangesAtOnce, Most: exchangesAtOnce})}
	mux := http.NewServeMux()
	mux.Handle(sessionPath, http.NewCrossOriginProtection().Handler(door))
	if cfg.OIDC != nil {
		mux.HandleFunc(oidcPath, door.beginOIDC)
		mux.HandleFunc(oidcCallback, door.finishOIDC)
	}
	mux.HandleFunc(Prefix+"/assets/{name}", serveAsset)
	mux.HandleFunc(Prefix+"/", servePage)
	mux.HandleFunc(Prefix, servePage)
	return mux
}

// servePage answers every address of the page with the same document: the page itself reads the address.
func servePage(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-cache")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	serveFile(w, r, "dist/index.html")
}

// serveAsset answers with a file whose name changes with its content.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	serveFile(w, r, "dist/assets/"+path.Base(r.PathValue("name")))
}

// files are those of dist as they are sent.
var files coding.Files

func serveFile(w http.ResponseWriter, r *http.Request, name string) {
	content, err := fs.ReadFile(dist, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if strings.HasPrefix(name, "dist/assets/") {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(files.Choose(w.Header(), r, name, content)))
}
