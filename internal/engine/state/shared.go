// Package state holds what the parts of the engine share: configuration, clocks, transactions, and the envelope that a
// message is stored with.
package state

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/carillon/carillon/internal/postgres"
)

// Shared is what all parts of one engine work with.
type Shared struct {
	Config
	Clocks     *Clocks
	Callbacks  *Callbacks
	Background *Background
}

// New returns what the parts of an engine with this configuration share.
func New(cfg Config) *Shared {
	cfg.setDefaults()
	return &Shared{
		Config: cfg, Clocks: &Clocks{db: cfg.DB, real: cfg.Clock}, Callbacks: newCallbacks(&cfg), Background: &Background{Stopping: make(chan struct{})},
	}
}

// InTx runs fn in a transaction, again when the database gave it up in favour of another, and turns panics into errors.
func (s *Shared) InTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return RecoverPanic(func() error {
		return s.DB.Batch(ctx, func(b *postgres.Batch) error { return fn(ctx, b.Pgx) })
	})
}

// Span continues the trace in which the event was accepted; the work may be that of another process, minutes later.
func (s *Shared) Span(ctx context.Context, parent, name string, attrs ...attribute.KeyValue) (context.Context, trace.Span) {
	if parent != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
	}
	return s.Tracer.Start(ctx, name, trace.WithAttributes(attrs...))
}

// Background is the work beside the jobs and loops that began it. Stopping an engine waits for it.
type Background struct {
	sync.WaitGroup
	once     sync.Once
	Stopping chan struct{} // closed by stop
}

// Stop asks that work to end.
func (b *Background) Stop() { b.once.Do(func() { close(b.Stopping) }) }
