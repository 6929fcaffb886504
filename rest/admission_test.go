package rest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/rest"
)

// A request whose turn does not come is refused with 503, in the shape of all errors; nothing of it is kept under its key, so
// that the same request passes later.
func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	gate := admission.New(admission.Config{Wait: time.Millisecond, Least: 1, Most: 1})
	b := setup(t, func(cfg *rest.Config) { cfg.Gates = admission.Gates{Accept: gate, Work: gate} })
	b.workflows(t)
	leave, err := gate.Enter(t.Context(), admission.Request{})
	require.NoError(t, err)
	w := b.ask(http.MethodPost, "/v1/events/trigger", oneTrigger, "Idempotency-Key", "k")
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Contains(t, w.Body.String(), `"message":"The service has more to do than it can. Retry later."`)
	require.Equal(t, http.StatusServiceUnavailable, b.ask(http.MethodGet, "/v2/workflows", "").Code)
	require.Equal(t, http.StatusUnauthorized, b.ask(http.MethodGet, "/v2/workflows", "", "Authorization", "").Code, "credentials come first")
	require.NotContains(t, b.log.String(), `"level":"ERROR"`)
	leave()
	w = b.ask(http.MethodPost, "/v1/events/trigger", oneTrigger, "Idempotency-Key", "k")
	require.Equal(t, http.StatusCreated, w.Code)
	require.Empty(t, w.Header().Get("Idempotency-Replay"))
}
