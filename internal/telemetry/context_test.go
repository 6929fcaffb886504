package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/internal/telemetry"
	"github.com/carillon/carillon/internal/viewer"
)

// TestDerivedLoggers keep showing what the context knows, and a trace by its id.
func TestDerivedLoggers(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log, err := telemetry.NewLogger(&out, "debug", "json")
	require.NoError(t, err)
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	ctx := trace.ContextWithSpanContext(telemetry.With(t.Context(), slog.String("request_id", "r1")), span)
	line := func() map[string]any {
		t.Helper()
		var got map[string]any
		require.NoError(t, json.Unmarshal(out.Bytes(), &got))
		out.Reset()
		return got
	}
	log.With("part", "engine").DebugContext(ctx, "with")
	got := line()
	require.Equal(t, []any{"engine", "r1", span.TraceID().String()}, []any{got["part"], got["request_id"], got["trace_id"]})
	log.WithGroup("g").DebugContext(ctx, "group", "k", "v")
	got, _ = line()["g"].(map[string]any)
	require.Equal(t, []any{"v", "r1"}, []any{got["k"], got["request_id"]})
	log.InfoContext(viewer.NewContext(t.Context(), viewer.Viewer{}), "outside of environments")
	got = line()
	require.NotContains(t, got, "environment_id")
	require.NotContains(t, got, "trace_id")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// TestLogFormats: text for people, JSON for machines, and a full disk is told to who logs.
func TestLogFormats(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log, err := telemetry.NewLogger(&out, "warn", "text")
	require.NoError(t, err)
	log.InfoContext(t.Context(), "not at this level")
	log.WarnContext(t.Context(), "two words", "n", 1)
	require.Regexp(t, `^time=\S+ level=WARN msg="two words" n=1\n$`, out.String())
	broken, err := telemetry.NewLogger(full{}, "info", "json")
	require.NoError(t, err)
	err = broken.Handler().Handle(t.Context(), slog.NewRecord(time.Now(), slog.LevelInfo, "m", 0))
	require.ErrorIs(t, err, io.ErrShortWrite)
}

// TestLabelsAreBounded: a method that a stranger made up adds no series.
func TestLabelsAreBounded(t *testing.T) {
	t.Parallel()
	m := telemetry.NewMetrics("v1")
	for _, method := range []string{"GET", "BREW", "get", "", "PROPFIND"} {
		m.Request("/v1/topics", method, 200, time.Millisecond)
	}
	m.Password()
	m.Password()
	m.Breaker("ses", "open")
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: "pool_size", Help: "h"})
	require.NoError(t, m.Register(gauge))
	require.Error(t, m.Register(gauge), "twice the same")
	gauge.Set(3)
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	for _, line := range []string{
		`carillon_http_request_duration_seconds_count{method="GET",route="/v1/topics",status="200"} 1`,
		`carillon_http_request_duration_seconds_count{method="other",route="/v1/topics",status="200"} 4`,
		"carillon_password_hashes_total 2", `carillon_breaker_changes_total{provider="ses",state="open"} 1`, "pool_size 3",
	} {
		require.Contains(t, answer.Body.String(), line)
	}
	require.NotContains(t, answer.Body.String(), "BREW")
}

// TestTracingWithoutCollector costs nothing and stops at once; an address that is none is told at the start.
func TestTracingWithoutCollector(t *testing.T) {
	t.Parallel()
	stop, err := telemetry.StartTracing(t.Context(), "", "v1", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, stop(ended))
}
