package auth

import (
	"net/http"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// Middleware puts the request's viewer into its context. A request without one goes no further: refuse answers it in
// the door's own shape; WWW-Authenticate is set already where it belongs.
func (a *Authenticator) Middleware(refuse func(http.ResponseWriter, *http.Request, error)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			v, err := a.AuthenticateAny(r.Context(), r.Header.Get("Authorization"))
			if err != nil {
				if fault.KindOf(err) == fault.Unauthenticated {
					w.Header().Set("WWW-Authenticate", "ApiKey")
				}
				refuse(w, r, err)
				return
			}
			next.ServeHTTP(w, r.WithContext(viewer.NewContext(r.Context(), v)))
		})
	}
}
