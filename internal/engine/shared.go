package engine

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/internal/postgres"
)

// shared is what all parts of one engine work with.
type shared struct {
	Config
	clocks     *clocks
	callbacks  *callbacks
	background *background
}

func newShared(cfg Config) *shared {
	cfg.setDefaults()
	return &shared{
		Config: cfg, clocks: &clocks{db: cfg.DB, real: cfg.Clock}, callbacks: newCallbacks(&cfg), background: &background{stopping: make(chan struct{})},
	}
}

// inTx runs fn in a transaction, again when the database gave it up in favour of another, and turns panics into errors.
func (s *shared) inTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return recoverPanic(func() error {
		return s.DB.Batch(ctx, func(b *postgres.Batch) error { return fn(ctx, b.Pgx) })
	})
}

// span continues the trace in which the event was accepted; the work may be that of another process, minutes later.
func (s *shared) span(ctx context.Context, parent, name string, attrs ...attribute.KeyValue) (context.Context, trace.Span) {
	if parent != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
	}
	return s.Tracer.Start(ctx, name, trace.WithAttributes(attrs...))
}

// background is what goes on beside the jobs and loops that began it. Stopping an engine waits for it.
type background struct {
	sync.WaitGroup
	once     sync.Once
	stopping chan struct{} // closed by stop
}

// stop asks what goes on to end.
func (b *background) stop() { b.once.Do(func() { close(b.stopping) }) }
