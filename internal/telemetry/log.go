// Package telemetry owns what Carillon reports about itself: log lines, metrics and traces.
package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/internal/viewer"
)

// NewLogger writes structured lines to w. level is debug, info, warn or error; format json or text.
func NewLogger(w io.Writer, level, format string) (*slog.Logger, error) {
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log level: %w", err)
	}
	options := &slog.HandlerOptions{Level: least}
	var h slog.Handler = slog.NewJSONHandler(w, options)
	if format == "text" {
		h = slog.NewTextHandler(w, options)
	}
	return slog.New(handler{h}), nil
}

type attrsKey struct{}

// With carries attributes that every line logged under ctx shows, such as request_id or transaction_id.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	earlier, _ := ctx.Value(attrsKey{}).([]slog.Attr)
	return context.WithValue(ctx, attrsKey{}, append(earlier[:len(earlier):len(earlier)], attrs...))
}

// DurationMs is how long a unit of work took, as every line names it.
func DurationMs(took time.Duration) slog.Attr {
	return slog.Float64("duration_ms", float64(took.Microseconds())/1000)
}

// handler adds to each line what its context knows: the environment, the trace, and the attributes of With.
type handler struct{ slog.Handler }

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if attrs, ok := ctx.Value(attrsKey{}).([]slog.Attr); ok {
		r.AddAttrs(attrs...)
	}
	if v, ok := viewer.FromContext(ctx); ok && v.EnvironmentID != "" {
		r.AddAttrs(slog.String("environment_id", v.EnvironmentID))
	}
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		r.AddAttrs(slog.String("trace_id", span.TraceID().String()))
	}
	if err := h.Handler.Handle(ctx, r); err != nil {
		return fmt.Errorf("write a log line: %w", err)
	}
	return nil
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
