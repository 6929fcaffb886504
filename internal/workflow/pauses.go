package workflow

import (
	"slices"
	"time"
)

// PauseKind is what a pause holds.
type PauseKind string

// The kinds. Those of an environment, a workflow and a broadcast hold events, runs and messages; that of a subscriber holds runs and
// messages, those of an integration and a channel hold messages.
const (
	PauseEnvironment PauseKind = "environment"
	PauseWorkflow    PauseKind = "workflow"
	PauseBroadcast   PauseKind = "broadcast"
	PauseSubscriber  PauseKind = "subscriber"
	PauseIntegration PauseKind = "integration"
	PauseChannel     PauseKind = "channel"
)

// Values lists the kinds.
func (PauseKind) Values() []string {
	return []string{string(PauseEnvironment), string(PauseWorkflow), string(PauseBroadcast), string(PauseSubscriber), string(PauseIntegration), string(PauseChannel)}
}

// Pause is a pause that lasts.
type Pause struct {
	ID     string
	Kind   PauseKind
	Target string // internal id of a workflow, an event, a subscriber or an integration, or a channel; "" for the environment
}

// Pauses are those of an environment that last.
type Pauses []Pause

// Event returns the pause that holds an event and all its runs; nil when none does.
func (p Pauses) Event(workflowID, eventID string) *Pause {
	return p.first(func(q *Pause) bool {
		switch q.Kind {
		case PauseEnvironment:
			return true
		case PauseWorkflow:
			return q.Target == workflowID
		case PauseBroadcast:
			return q.Target == eventID
		}
		return false
	})
}

// Run returns the pause that holds the run of a subscriber; nil when none does.
func (p Pauses) Run(workflowID, eventID, subscriberID string) *Pause {
	if q := p.Event(workflowID, eventID); q != nil {
		return q
	}
	return p.first(func(q *Pause) bool { return q.Kind == PauseSubscriber && q.Target == subscriberID })
}

// Message returns the pause that holds a message; nil when none does.
func (p Pauses) Message(workflowID, eventID, subscriberID, integrationID string, c Channel) *Pause {
	if q := p.Run(workflowID, eventID, subscriberID); q != nil {
		return q
	}
	return p.first(func(q *Pause) bool {
		return q.Kind == PauseIntegration && q.Target == integrationID || q.Kind == PauseChannel && q.Target == string(c)
	})
}

func (p Pauses) first(holds func(*Pause) bool) *Pause {
	i := slices.IndexFunc(p, func(q Pause) bool { return holds(&q) })
	if i < 0 {
		return nil
	}
	return &p[i]
}

// FailedMessages chooses among the messages that failed; the fields that are set combine with AND.
type FailedMessages struct {
	WorkflowID    string     `json:"workflowId,omitempty"`    // internal id
	IntegrationID string     `json:"integrationId,omitempty"` // internal id
	Channel       Channel    `json:"channel,omitempty"`
	ErrorID       string     `json:"errorId,omitempty"`
	TransactionID string     `json:"transactionId,omitempty"`
	CreatedAfter  *time.Time `json:"createdAfter,omitempty"`
	CreatedBefore *time.Time `json:"createdBefore,omitempty"`
}
