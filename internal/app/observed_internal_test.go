package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/telemetry"
)

// TestObserved: the alert on server errors counts no caller who has left.
func TestObserved(t *testing.T) {
	t.Parallel()
	a := &App{metrics: telemetry.NewMetrics("test")}
	left, leave := context.WithCancel(t.Context())
	leave()
	for route, c := range map[string]struct {
		ctx    context.Context //nolint:containedctx // of a request
		status int
	}{
		"/away": {t.Context(), http.StatusServiceUnavailable}, "/left": {left, http.StatusServiceUnavailable}, "/broken": {left, http.StatusInternalServerError},
	} {
		a.observed(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status) })).
			ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(c.ctx, http.MethodGet, route, nil))
	}
	rec := httptest.NewRecorder()
	a.metrics.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{`route="/away",status="503"`, `route="/left",status="499"`, `route="/broken",status="500"`} {
		require.Contains(t, rec.Body.String(), want)
	}
}
