package workflow

// ScheduleRecipient is whom a schedule triggers for: exactly one of its members is set. A profile is none of them, so that a
// schedule keeps no data of a person but the identifier.
type ScheduleRecipient struct {
	SubscriberID *string         `json:"subscriberId,omitempty"`
	Topic        *TopicRecipient `json:"topic,omitempty"`
	Audience     *string         `json:"audience,omitempty"` // identifier
}

// ScheduleContext is one context of the events of a schedule.
type ScheduleContext struct {
	Type string         `json:"type"`
	ID   string         `json:"id"`
	Data map[string]any `json:"data,omitempty"`
}
