package app

import "net/http"

// browserRules are the headers of every answer. A page names a policy of its own in place of the one here, which lets it load,
// send and be framed by nothing.
var browserRules = map[string]string{
	"Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"Referrer-Policy":         "no-referrer",
	"X-Content-Type-Options":  "nosniff",
	"X-Frame-Options":         "DENY",
}

// ruled begins every answer of next with the rules for browsers, its refusals too.
func ruled(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range browserRules {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}
