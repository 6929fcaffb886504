package rest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/rest"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	var b *bundle
	b = setup(t, func(cfg *rest.Config) {
		cfg.Limit = admission.NewLimits(map[admission.Category]int{
			admission.CategoryTrigger: 200, admission.CategoryConfiguration: 3, admission.CategoryGlobal: 1,
		}, func() time.Time { return b.now() }, nil)
	})
	b.workflows(t)
	w := b.ask(http.MethodPost, bulkPath, `{"events":[`+oneTrigger+`]}`)
	require.Equal(t, http.StatusCreated, w.Code)
	require.Equal(t, "200", w.Header().Get("RateLimit-Limit"))
	require.Equal(t, "120", w.Header().Get("RateLimit-Remaining"))
	require.Equal(t, "1", w.Header().Get("RateLimit-Reset"))
	require.Equal(t, `200;w=1;burst=220;comment="token bucket";category="trigger";cost="bulk";serviceLevel="self-hosted"`, w.Header().Get("RateLimit-Policy"))
	require.Empty(t, w.Header().Get("Retry-After"))
	require.Equal(t, http.StatusOK, b.ask(http.MethodPost, triggerPath+"/broadcast", `{"name":"order-shipped","payload":{}}`).Code)
	w = b.keyed("k", http.MethodPost, bulkPath, `{"events":[`+oneTrigger+`]}`)
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Equal(t, "20", w.Header().Get("RateLimit-Remaining"))
	w = b.keyed("k", http.MethodPost, triggerPath, oneTrigger)
	require.Equal(t, http.StatusCreated, w.Code, "one still passes, and the refused one did not take the key")
	require.Contains(t, w.Header().Get("RateLimit-Policy"), `cost="single"`)

	for range 4 { // 3 a second and a tenth above, rounded up
		require.Equal(t, http.StatusOK, b.ask(http.MethodGet, "/v2/workflows", "").Code)
	}
	w = b.ask(http.MethodGet, "/v2/workflows", "")
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	require.Equal(t, "2", w.Header().Get("RateLimit-Reset"))
	require.Equal(t, http.StatusNotFound, b.ask(http.MethodDelete, "/v1/integrations/x", "").Code, "another category")
	b.passed.Store(int64(time.Second))
	require.Equal(t, http.StatusOK, b.ask(http.MethodGet, "/v2/workflows", "").Code)

	w = setup(t).ask(http.MethodGet, "/v2/workflows", "")
	for name := range w.Header() {
		require.NotContains(t, name, "Ratelimit", "off")
	}
}
