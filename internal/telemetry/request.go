package telemetry

import (
	"log/slog"
	"net/http"
	"regexp"

	"github.com/google/uuid"

	"github.com/carillon/carillon/internal/viewer"
)

// headerRequestID carries the id of a request, in both directions.
const headerRequestID = "X-Request-Id"

var requestIDFormat = regexp.MustCompile(`^[A-Za-z0-9._:/+=@-]{1,128}$`)

// WithRequestID names a request: by the id that its caller gave, when that is harmless in a log and in a header, else by a new one.
// The answer's header carries it, and so do log lines and events under the context of the request that is returned.
func WithRequestID(w http.ResponseWriter, r *http.Request) *http.Request {
	id := r.Header.Get(headerRequestID)
	if !requestIDFormat.MatchString(id) {
		id = uuid.NewString()
	}
	w.Header().Set(headerRequestID, id)
	return r.WithContext(viewer.WithRequestID(With(r.Context(), slog.String("request_id", id)), id))
}
