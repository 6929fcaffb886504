// Package engine owns accept and everything after it: fan-out, plan, send and wake. Due rows are the truth; River jobs
// only say "look here now", so losing or repeating one changes nothing.
package engine

// Queues of River: one per lane, so that a broadcast cannot starve a login code.
const (
	QueueUrgent = "urgent"
	QueueNormal = "normal"
	QueueBulk   = "bulk"
)

// FanOutArgs says that these events were accepted.
type FanOutArgs struct {
	EventIDs []string `json:"event_ids"`
}

// Kind names the job.
func (FanOutArgs) Kind() string { return "fan_out" }

// SendArgs says that these messages are due for an attempt.
type SendArgs struct {
	MessageIDs []string `json:"message_ids"`
}

// Kind names the job.
func (SendArgs) Kind() string { return "send" }
