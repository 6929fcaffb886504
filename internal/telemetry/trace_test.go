package telemetry_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/internal/telemetry"
)

var silent = slog.New(slog.DiscardHandler)

// TestTracesReachTheCollector sends a span to the collector of the setting, which may name a path, and logs that one has gone.
func TestTracesReachTheCollector(t *testing.T) { //nolint:paralleltest // the provider of spans is the process's
	paths := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { paths <- r.URL.Path }))
	before, handler := otel.GetTracerProvider(), otel.GetErrorHandler()
	t.Cleanup(collector.Close)
	t.Cleanup(func() {
		otel.SetTracerProvider(before)
		otel.SetErrorHandler(handler)
	})
	for endpoint, want := range map[string]string{"": "/v1/traces", "/": "/v1/traces", "/otlp/v1/traces": "/otlp/v1/traces"} {
		stop, err := telemetry.StartTracing(t.Context(), collector.URL+endpoint, "v1", silent)
		require.NoError(t, err)
		_, span := otel.Tracer("t").Start(t.Context(), "ring")
		span.End()
		require.NoError(t, stop(t.Context()))
		require.Equal(t, want, <-paths)
	}

	var log bytes.Buffer
	stop, err := telemetry.StartTracing(t.Context(), collector.URL, "v1", slog.New(slog.NewJSONHandler(&log, nil)))
	require.NoError(t, err)
	require.NoError(t, stop(t.Context()))
	for range 2 {
		otel.Handle(errors.New("no collector"))
	}
	require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	require.Contains(t, log.String(), `"level":"WARN","msg":"traces not sent","error":"no collector"`)
}

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

	stop, err := telemetry.StartTracing(t.Context(), "", "v1", silent)
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
	stop, err = telemetry.StartTracing(t.Context(), collector.URL, "v1", silent)
	require.NoError(t, err)
	require.NoError(t, stop(t.Context()))
}

// TestRequests: a request belongs to the trace that its caller names, whether spans are sent or not; they are sent where there is a
// collector, and not of addresses that are left out.
func TestRequests(t *testing.T) {
	t.Setenv("OTEL_SDK_DISABLED", "false") // as the provider of spans, this is the process's
	const parent = "00-0102030405060708090a0b0c0d0e0f10-0102030405060708-01"
	collected := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		collected <- string(body)
	}))
	t.Cleanup(collector.Close)
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	for _, endpoint := range []string{"", collector.URL} {
		stop, err := telemetry.StartTracing(t.Context(), endpoint, "v1", silent)
		require.NoError(t, err)
		var seen trace.SpanContext
		handler := telemetry.Requests(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			seen = trace.SpanContextFromContext(r.Context())
		}), func(r *http.Request) bool { return r.URL.Path != "/left-out" })
		ask := func(path, parent string) trace.SpanContext {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, nil)
			if parent != "" {
				r.Header.Set("Traceparent", parent)
			}
			handler.ServeHTTP(httptest.NewRecorder(), r)
			return seen
		}
		named := ask("/named", parent)
		require.Equal(t, "0102030405060708090a0b0c0d0e0f10", named.TraceID().String())
		require.Equal(t, endpoint == "", named.SpanID().String() == "0102030405060708", "where there is a collector the request has a span of its own")
		require.Equal(t, endpoint != "", ask("/", "").IsValid())
		require.False(t, ask("/left-out", parent).IsValid())
		require.NoError(t, stop(t.Context()))
		if endpoint != "" {
			sent := <-collected
			require.Contains(t, sent, "/named")
			require.NotContains(t, sent, "left-out")
		}
	}
}
