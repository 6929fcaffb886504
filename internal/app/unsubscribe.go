package app

import (
	"context"
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
var unsubscribePage = newPage("unsubscribe", unsubscribeText)

// unsubscribeView is what the page shows: what a link does, or why it does nothing.
type unsubscribeView struct {
	Texts       *pageTexts
	Workflow    string
	Done        bool
	Preferences string // address of the page with all preferences
	Problem     string
}

// showUnsubscribe asks the reader. It changes nothing: mail scanners follow links.
func (a *App) showUnsubscribe(w http.ResponseWriter, r *http.Request) {
	found, err := inTurn(a, r, func(ctx context.Context) (*integrations.Unsubscription, error) {
		return a.services.Unsubscribes.Show(ctx, r.PathValue("token"))
	})
	a.writeUnsubscribe(w, r, found, err)
}

// unsubscribe is the button of that page, and the one-click request of mail programs (RFC 8058).
func (a *App) unsubscribe(w http.ResponseWriter, r *http.Request) {
	found, err := inTurn(a, r, func(ctx context.Context) (*integrations.Unsubscription, error) {
		return a.services.Unsubscribes.Confirm(ctx, r.PathValue("token"))
	})
	a.writeUnsubscribe(w, r, found, err)
}

func (a *App) writeUnsubscribe(w http.ResponseWriter, r *http.Request, found *integrations.Unsubscription, err error) {
	if a.elsewhere(w, r, err) {
		return
	}
	view := unsubscribeView{Texts: textsFor(r)}
	problem, status := a.problemOf(r, err)
	if view.Problem = problem; err == nil {
		view.Workflow, view.Done, view.Preferences = found.Workflow, found.Done, found.Preferences
	}
	writePage(w, status, unsubscribePage, view)
}

// elsewhere lets the cell answer that the organization of a link has moved to, and reports whether it has. It does not redirect:
// mail programs that unsubscribe by one click follow no redirects.
func (a *App) elsewhere(w http.ResponseWriter, r *http.Request, err error) bool {
	var moved *integrations.Elsewhere
	if !errors.As(err, &moved) {
		return false
	}
	a.passOn(w, r, moved, func(w http.ResponseWriter) {
		writePage(w, http.StatusBadGateway, unsubscribePage, unsubscribeView{Texts: textsFor(r), Problem: textsFor(r).Later})
	})
	return true
}

// newPage is a page of which the texts are those of a language.
func newPage(name, text string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{"around": around}).Parse(text))
}

// problemOf is what a reader is told of a failure, and its status; empty and 200 when there is none.
func (a *App) problemOf(r *http.Request, err error) (problem string, status int) {
	var known *fault.Error
	switch {
	case err == nil:
		return "", http.StatusOK
	case !errors.As(err, &known):
		a.log.ErrorContext(r.Context(), "page of a link failed", "error", err.Error())
		return textsFor(r).Later, http.StatusInternalServerError
	case known.Kind == fault.Unavailable:
		status = http.StatusServiceUnavailable
	case known.Kind == fault.NotFound:
		status = http.StatusNotFound
	case known.Kind == fault.TooLarge:
		status = http.StatusRequestEntityTooLarge
	default:
		status = http.StatusBadRequest
	}
	return textsFor(r).problem(known), status
}

// writePage answers with a page that no other page may frame, keep or refer from: its address is a credential.
func writePage(w http.ResponseWriter, status int, page *template.Template, view any) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex")
	w.WriteHeader(status)
	_ = page.Execute(w, view) // a reader who left needs no page
}
