package app

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/rest"
)

// images serves the pictures of e-mails to whoever knows their keys. Their content was uploaded by people, so that a browser may do
// nothing with it but show it.
func (a *App) images(gates admission.Gates) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			rest.Refuse(w, r, http.StatusMethodNotAllowed, "Method "+r.Method+" is not allowed here.")
			return
		}
		leave, err := gates.Enter(r.Context(), admission.StrangersRequest(r.Context()))
		if err == nil {
			defer leave()
			err = a.serveImage(w, r, strings.TrimPrefix(r.URL.Path, authoring.ImagesPath))
		}
		if err != nil {
			a.refuseImage(w, r, err)
		}
	})
}

func (a *App) serveImage(w http.ResponseWriter, r *http.Request, key string) error {
	found, err := a.services.Images.Open(r.Context(), key)
	if err != nil {
		return err //nolint:wrapcheck // classified
	}
	h := w.Header()
	h.Set("Content-Type", found.ContentType)
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // pages of web mail show it
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", `"`+key+`"`) // whose content never changes
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(found.Content))
	return nil
}

func (a *App) refuseImage(w http.ResponseWriter, r *http.Request, err error) {
	var moved *authoring.MovedImage
	switch kind := fault.KindOf(err); {
	case errors.As(err, &moved):
		http.Redirect(w, r, strings.TrimSuffix(moved.URL, "/")+r.URL.Path, http.StatusTemporaryRedirect)
	case kind == fault.NotFound:
		rest.Refuse(w, r, http.StatusNotFound, "There is no such image.")
	case kind == fault.Unavailable || admission.Refused(err):
		w.Header().Set("Retry-After", strconv.Itoa(max(1, fault.RetrySeconds(err))))
		rest.Refuse(w, r, http.StatusServiceUnavailable, "Try again later.")
	default:
		a.log.ErrorContext(r.Context(), "image not served", "error", err.Error())
		rest.Refuse(w, r, http.StatusInternalServerError, "This did not work.")
	}
}
