package engine

import "context"

// FanOut does what a worker does with these events.
func (e *Engine) FanOut(ctx context.Context, eventIDs []string) error {
	return e.fanOut.Events(ctx, eventIDs)
}

// Send does what a worker does with these messages, and waits for calls that take long.
func (e *Engine) Send(ctx context.Context, messageIDs []string) error {
	return e.worker.Send(ctx, messageIDs)
}

// Advance takes runs that are due through their next steps.
func (e *Engine) Advance(ctx context.Context, ids []string) error {
	return e.executor.Advance(ctx, ids)
}

// LookAtAll does once what the loops over due rows do again and again.
func (e *Engine) LookAtAll(ctx context.Context) {
	for _, w := range e.dueWorks() {
		e.lookOnce(ctx, w, w.look)
	}
}
