package telemetry_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"

	"github.com/carillon/carillon/internal/telemetry"
)

// TestTracesFollowTheStandardVariables sends a span to the collector that OpenTelemetry's own variables name.
func TestTracesFollowTheStandardVariables(t *testing.T) {
	type request struct{ path, key, body string }
	got := make(chan request, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- request{r.URL.Path, r.Header.Get("X-Key"), string(body)}
	}))
	t.Cleanup(collector.Close)
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=k1")
	t.Setenv("OTEL_SERVICE_NAME", "bells")

	stop, err := telemetry.StartTracing(t.Context(), "", "v1")
	require.NoError(t, err)
	_, span := otel.Tracer("t").Start(t.Context(), "ring")
	span.End()
	require.NoError(t, stop(t.Context()))
	sent := <-got
	require.Equal(t, "/v1/traces", sent.path)
	require.Equal(t, "k1", sent.key)
	require.Contains(t, sent.body, "bells")
	require.Contains(t, sent.body, "ring")

	t.Setenv("OTEL_SDK_DISABLED", "true")
	stop, err = telemetry.StartTracing(t.Context(), collector.URL, "v1")
	require.NoError(t, err)
	require.NoError(t, stop(t.Context()))
}
