// Package activity owns the use cases of what the engine made of triggers: events, notifications, attempts, digests,
// statistics and the clocks of environments.
package activity

import "github.com/carillon/carillon/internal/notify/usecase"

// Services are the use cases of this package.
type Services struct {
	Events        *Events
	Notifications *Notifications
	Attempts      *Attempts
	Digests       *Digests
	Clocks        *Clocks
	Statistics    *Statistics
}

// New builds the use cases.
func New(b usecase.Deps) Services {
	return Services{
		Events: &Events{b}, Notifications: &Notifications{b}, Attempts: &Attempts{b}, Digests: &Digests{b},
		Clocks: &Clocks{b}, Statistics: &Statistics{b},
	}
}
