package app

import (
	_ "embed"
	"errors"
	"html/template"
	"net/http"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/integrations"
)

//go:embed unsubscribe.html
var unsubscribeText string

// unsubscribePage needs no script and no other file.
var unsubscribePage = template.Must(template.New("unsubscribe").Parse(unsubscribeText))

// unsubscribeView is what the page shows: what a link does, or why it does nothing.
type unsubscribeView struct {
	Workflow string
	Done     bool
	Problem  string
}

// showUnsubscribe asks the reader. It changes nothing: mail scanners follow links.
func (a *App) showUnsubscribe(w http.ResponseWriter, r *http.Request) {
	found, err := a.services.Unsubscribes.Show(r.Context(), r.PathValue("token"))
	a.writeUnsubscribe(w, r, found, err)
}

// unsubscribe is the button of that page, and the one-click request of mail programs (RFC 8058).
func (a *App) unsubscribe(w http.ResponseWriter, r *http.Request) {
	found, err := a.services.Unsubscribes.Confirm(r.Context(), r.PathValue("token"))
	a.writeUnsubscribe(w, r, found, err)
}

func (a *App) writeUnsubscribe(w http.ResponseWriter, r *http.Request, found *integrations.Unsubscription, err error) {
	view, status := unsubscribeView{}, http.StatusOK
	var known *fault.Error
	switch {
	case err == nil:
		view.Workflow, view.Done = found.Workflow, found.Done
	case !errors.As(err, &known):
		a.log.ErrorContext(r.Context(), "unsubscribe request failed", "error", err.Error())
		view.Problem, status = "This did not work. Please try again later.", http.StatusInternalServerError
	case known.Kind == fault.NotFound:
		view.Problem, status = known.Message, http.StatusNotFound
	default:
		view.Problem, status = known.Message, http.StatusBadRequest
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Referrer-Policy", "no-referrer") // the address is a credential
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex")
	w.WriteHeader(status)
	_ = unsubscribePage.Execute(w, view) // a reader who left needs no page
}
