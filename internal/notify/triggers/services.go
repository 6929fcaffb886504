// Package triggers owns the use cases of events: triggers, broadcasts and bulks with their idempotency keys, cancelling, and
// the explanation of what a trigger would do.
package triggers

import "github.com/carillon/carillon/internal/notify/usecase"

// Services are the use cases of this package.
type Services struct {
	Triggers      *Triggers
	Cancellations *Cancellations
	Idempotency   *IdempotencyRecords
}

// New builds the use cases.
func New(b usecase.Deps, cfg usecase.Config) Services {
	return Services{
		Triggers:      newTriggers(b, cfg),
		Cancellations: &Cancellations{b, cfg.CountRuns},
		Idempotency:   newIdempotencyRecords(b, cfg),
	}
}
