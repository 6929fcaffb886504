package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// StartTracing sends spans to the OTLP collector at endpoint, or to the one that OpenTelemetry's own variables name
// (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT); without any, or with OTEL_SDK_DISABLED, spans cost nothing
// and go nowhere. Headers, certificates, sampling, batches and resource attributes follow those variables, too. The returned
// function sends what is left and stops.
// What cannot be sent is logged, once a minute at most.
func StartTracing(ctx context.Context, endpoint, version string, log *slog.Logger) (stop func(context.Context) error, err error) {
	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))
	standard := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") + os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	off := strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || strings.EqualFold(os.Getenv("OTEL_TRACES_EXPORTER"), "none")
	if off || endpoint == "" && standard == "" {
		return func(context.Context) error { return nil }, nil
	}
	var options []otlptracehttp.Option
	if endpoint != "" {
		address, err := tracesAddress(endpoint)
		if err != nil {
			return nil, err
		}
		options = append(options, otlptracehttp.WithEndpointURL(address))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("reach the trace collector: %w", err)
	}
	described, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "carillon"), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("read OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithResource(described),
	)
	otel.SetTracerProvider(provider)
	otel.SetErrorHandler(&failures{log: log})
	return provider.Shutdown, nil
}

// tracesAddress is where a collector takes traces: below its address, as with OTEL_EXPORTER_OTLP_ENDPOINT, unless a path is named.
func tracesAddress(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", fmt.Errorf("read the address of the trace collector: %w", err)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
	}
	return u.String(), nil
}

// failures logs what OpenTelemetry could not do. A collector that is away fails every batch.
type failures struct {
	log  *slog.Logger
	mu   sync.Mutex
	last time.Time
}

// Handle logs err, unless another was logged within the last minute.
func (f *failures) Handle(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.last) < time.Minute {
		return
	}
	f.last = time.Now()
	f.log.Warn("traces not sent", "error", strings.TrimSpace(err.Error()))
}
