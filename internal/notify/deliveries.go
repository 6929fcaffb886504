package notify

// Deliveries are the use cases of what the engine makes of triggers. They only read, except that
// clocks are moved and runs cancelled.
type Deliveries struct {
	Events        *Events
	Notifications *Notifications
	Attempts      *Attempts
	Digests       *Digests
	Clocks        *Clocks
	Cancellations *Cancellations
	Statistics    *Statistics
}

func newDeliveries(b base, countRuns func(status string, n int)) Deliveries {
	return Deliveries{
		Events: &Events{b}, Notifications: &Notifications{b}, Attempts: &Attempts{b}, Digests: &Digests{b},
		Clocks: &Clocks{b}, Cancellations: &Cancellations{b, countRuns}, Statistics: &Statistics{b},
	}
}
