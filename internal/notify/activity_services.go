package notify

// activityServices are the use cases of this package.
type activityServices struct {
	Events        *Events
	Notifications *Notifications
	Attempts      *Attempts
	Digests       *Digests
	Clocks        *Clocks
	Statistics    *Statistics
}

// newActivityServices builds the use cases.
func newActivityServices(b base) activityServices {
	return activityServices{
		Events: &Events{b}, Notifications: &Notifications{b}, Attempts: &Attempts{b}, Digests: &Digests{b},
		Clocks: &Clocks{b}, Statistics: &Statistics{b},
	}
}
