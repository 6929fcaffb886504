package app

import (
	"net/http"
	"strings"

	"github.com/felixge/httpsnoop"

	"github.com/carillon/carillon/rest"
)

// refusals answers in the common shape of errors (decisions.md §14) what a handler refuses in plain text, as http.ServeMux
// and http.NotFound do.
func refusals(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refused := 0
		next.ServeHTTP(httpsnoop.Wrap(w, httpsnoop.Hooks{
			WriteHeader: func(write httpsnoop.WriteHeaderFunc) httpsnoop.WriteHeaderFunc {
				return func(status int) {
					unknown := status == http.StatusNotFound || status == http.StatusMethodNotAllowed
					if unknown && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
						refused = status
						return
					}
					write(status)
				}
			},
			Write: func(write httpsnoop.WriteFunc) httpsnoop.WriteFunc {
				return func(text []byte) (int, error) {
					if refused != 0 {
						return len(text), nil
					}
					return write(text)
				}
			},
		}), r)
		switch refused {
		case http.StatusNotFound:
			rest.Refuse(w, r, refused, "This path does not exist.")
		case http.StatusMethodNotAllowed:
			rest.Refuse(w, r, refused, "Method "+r.Method+" is not allowed here.")
		}
	})
}
