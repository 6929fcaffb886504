package notify

// triggersServices are the use cases of this package.
type triggersServices struct {
	Triggers      *Triggers
	Cancellations *Cancellations
	Idempotency   *IdempotencyRecords
}

// newTriggersServices builds the use cases.
func newTriggersServices(b base, cfg Config) triggersServices {
	return triggersServices{
		Triggers:      newTriggers(cfg),
		Cancellations: &Cancellations{b, cfg.CountRuns},
		Idempotency:   newIdempotencyRecords(b),
	}
}
