package app

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
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
		key := strings.TrimPrefix(r.URL.Path, authoring.ImagesPath)
		found, err := a.openImage(r.Context(), gates, key)
		if err != nil {
			a.refuseImage(w, r, err)
			return
		}
		serveImage(w, r, key, found)
	})
}

// openImage reads an image when its turn comes, and takes memory for it. The turn ends before it is sent: whoever has a mail has its
// address, and may read slowly.
func (a *App) openImage(ctx context.Context, gates admission.Gates, key string) (*ent.Image, error) {
	leave, err := gates.Enter(ctx, admission.StrangersRequest(ctx))
	if err != nil {
		return nil, err //nolint:wrapcheck // classified
	}
	defer leave()
	found, err := a.services.Images.Open(ctx, key)
	if err == nil {
		err = intake.Answer(ctx, len(found.Content))
	}
	return found, err //nolint:wrapcheck // classified
}

func serveImage(w http.ResponseWriter, r *http.Request, key string, found *ent.Image) {
	h := w.Header()
	h.Set("Content-Type", found.ContentType)
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // pages of web mail show it
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", `"`+key+`"`) // whose content never changes
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(found.Content))
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
