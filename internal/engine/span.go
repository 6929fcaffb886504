package engine

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// span continues the trace in which the event was accepted; the work may be that of another process, minutes later.
func (e *Engine) span(ctx context.Context, parent, name string, attrs ...attribute.KeyValue) (context.Context, trace.Span) {
	if parent != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
	}
	return e.Tracer.Start(ctx, name, trace.WithAttributes(attrs...))
}
