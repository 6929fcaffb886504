package app

import (
	"maps"
	"net/http"
)

// browserRules are the headers of every answer, by their canonical names. A page names a policy of its own instead of the one here, which
// lets it load, send and be framed by nothing. What may be kept by caches says so itself: answers of the API belong to one caller.
var browserRules = http.Header{
	"Cache-Control":           {"no-store"},
	"Content-Security-Policy": {"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
	"Referrer-Policy":         {"no-referrer"},
	"X-Content-Type-Options":  {"nosniff"},
	"X-Frame-Options":         {"DENY"},
}

// ruled begins every answer of next with the rules for browsers, its refusals too.
func ruled(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), browserRules)
		next.ServeHTTP(w, r)
	})
}
