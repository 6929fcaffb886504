package rest

import (
	"net/http"
	"strings"

	"github.com/rs/cors"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/intake"
)

// corsMethods are what pages of permitted origins may use (decisions.md §3, CORS). Every preflight answers with all of them.
var corsMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions,
}

// crossOrigin lets pages of these origins call.
func crossOrigin(origins []string, next http.Handler) http.Handler {
	rules := cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: corsMethods,
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{
			intake.HeaderKey, intake.HeaderReplay, "Retry-After", "X-Request-Id", admission.HeaderLimit, admission.HeaderRemaining, admission.HeaderReset, admission.HeaderPolicy,
		},
		MaxAge:             86400,
		OptionsPassthrough: true,
	})
	return rules.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			w.Header().Set("Access-Control-Allow-Methods", strings.Join(corsMethods, ", "))
		}
		w.WriteHeader(http.StatusNoContent)
	}))
}
