package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/telemetry"
)

// TestOperationalAnswers: what each question is answered while the database is away, and while the process stops.
func TestOperationalAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path     string
		draining bool
		peer     string
		status   int
		says     string
	}{
		"lives without a database":   {"/healthz", false, "", http.StatusOK, "ok "},
		"lives while it stops":       {"/healthz", true, "", http.StatusOK, "ok "},
		"no database":                {"/readyz", false, "", http.StatusServiceUnavailable, "the database does not answer"},
		"stops":                      {"/readyz", true, "", http.StatusServiceUnavailable, "stopping"},
		"figures for this machine":   {"/metrics", false, "127.0.0.1:1", http.StatusOK, "# HELP"},
		"figures for another, not":   {"/metrics", false, "192.0.2.1:1", http.StatusUnauthorized, "CARILLON_METRICS_TOKEN"},
		"figures for no address":     {"/metrics", false, "pipe", http.StatusUnauthorized, "CARILLON_OPERATIONS_ADDR"},
		"figures while it stops too": {"/metrics", true, "[::1]:1", http.StatusOK, "# HELP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &App{cfg: &config.Config{}, log: slog.New(slog.DiscardHandler), metrics: telemetry.NewMetrics("v")}
			a.writable.Ask = func(context.Context, []struct{}) ([]struct{}, error) { return nil, errors.New("10.0.0.1 refused") }
			a.draining.Store(c.draining)
			mux := http.NewServeMux()
			a.health(mux, false)
			r, rec := httptest.NewRequest(http.MethodGet, c.path, nil), httptest.NewRecorder()
			r.RemoteAddr = c.peer
			mux.ServeHTTP(rec, r)
			require.Equal(t, c.status, rec.Code)
			require.Contains(t, rec.Body.String(), c.says)
			require.NotContains(t, rec.Body.String(), "10.0.0.1")
			require.Equal(t, c.status == http.StatusUnauthorized, rec.Header().Get("WWW-Authenticate") == "Bearer")
		})
	}
}
