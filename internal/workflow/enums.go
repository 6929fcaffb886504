// Package workflow owns what a workflow is: steps, conditions, schedules, digests and preferences as pure values, and
// the pure functions over them. It knows no clock, no database, no network and no ent, so ent/schema can use its types.
package workflow

import (
	"slices"
	"time"
)

// Channel is one of the five ways to reach a subscriber (api.md, Shared enumerations).
type Channel string

// The channels.
const (
	ChannelInApp Channel = "in_app"
	ChannelEmail Channel = "email"
	ChannelSMS   Channel = "sms"
	ChannelChat  Channel = "chat"
	ChannelPush  Channel = "push"
)

// Channels lists all channels in the order in which the documented routes show them (decisions.md §10).
func Channels() []Channel {
	return []Channel{ChannelEmail, ChannelSMS, ChannelInApp, ChannelChat, ChannelPush}
}

// Values makes Channel an ent enum.
func (Channel) Values() []string { return []string{"in_app", "email", "sms", "chat", "push"} }

// Valid reports whether c is one of the five.
func (c Channel) Valid() bool { return oneOf(string(c), c.Values()) }

// Severity is how loud a notification is (api.md, WorkflowSeverity). It never changes who is reached.
type Severity string

// The severities.
const (
	SeverityHigh   Severity = "high"
	SeverityMedium Severity = "medium"
	SeverityLow    Severity = "low"
	SeverityNone   Severity = "none"
)

// Values makes Severity an ent enum.
func (Severity) Values() []string { return []string{"high", "medium", "low", "none"} }

// Valid reports whether s is one of the four.
func (s Severity) Valid() bool { return oneOf(string(s), s.Values()) }

// Status is a workflow's computed status (decisions.md §11).
type Status string

// The statuses.
const (
	StatusActive   Status = "ACTIVE"
	StatusInactive Status = "INACTIVE"
	StatusError    Status = "ERROR"
)

// Values makes Status usable in filters.
func (Status) Values() []string { return []string{"ACTIVE", "INACTIVE", "ERROR"} }

// NeverTriggered is the last trigger's time of a workflow that was never triggered.
func NeverTriggered() time.Time { return time.Unix(0, 0).UTC() }

// Origin says how a workflow came to be. The "svc" prefix that clients see is added at the doors (decisions.md §1).
type Origin string

// The origins.
const (
	OriginCloud    Origin = "cloud"
	OriginCloudV1  Origin = "cloud-v1"
	OriginExternal Origin = "external"
)

// Values makes Origin an ent enum.
func (Origin) Values() []string { return []string{"cloud", "cloud-v1", "external"} }

// VersionPolicy decides which version a waiting run continues with (semantics.md §2.8).
type VersionPolicy string

// The policies: the version at trigger time, or the latest published one.
const (
	VersionPinned VersionPolicy = "pinned"
	VersionLatest VersionPolicy = "latest"
)

// Values makes VersionPolicy an ent enum.
func (VersionPolicy) Values() []string { return []string{"pinned", "latest"} }

// TriggerStatus is the outcome of a trigger call (api.md, Shared enumerations; decisions.md §12).
type TriggerStatus string

// The outcomes.
const (
	TriggerError             TriggerStatus = "error"
	TriggerNotActive         TriggerStatus = "trigger_not_active"
	TriggerNoActiveSteps     TriggerStatus = "no_workflow_active_steps_defined"
	TriggerNoSteps           TriggerStatus = "no_workflow_steps_defined"
	TriggerProcessed         TriggerStatus = "processed"
	TriggerNoTenant          TriggerStatus = "no_tenant_found"
	TriggerInvalidRecipients TriggerStatus = "invalid_recipients"
)

// Unit is a unit of time of digests, delays and throttles.
type Unit string

// The units.
const (
	UnitSeconds Unit = "seconds"
	UnitMinutes Unit = "minutes"
	UnitHours   Unit = "hours"
	UnitDays    Unit = "days"
	UnitWeeks   Unit = "weeks"
	UnitMonths  Unit = "months"
)

// Values lists the units.
func (Unit) Values() []string {
	return []string{"seconds", "minutes", "hours", "days", "weeks", "months"}
}

// Valid reports whether u is one of the six.
func (u Unit) Valid() bool { return oneOf(string(u), u.Values()) }

// MessageStatus is the state of a message (api.md, Message; PENDING is ours, decisions.md §17).
type MessageStatus string

// The statuses. Pending messages are invisible on the documented routes. Canceled and skipped never reach them either.
const (
	MessagePending MessageStatus = "pending"
	MessageSent    MessageStatus = "sent"
	MessageError   MessageStatus = "error"
	MessageWarning MessageStatus = "warning"
)

// Values makes MessageStatus an ent enum.
func (MessageStatus) Values() []string { return []string{"pending", "sent", "error", "warning"} }

// RunStatus is the state of a notification's run.
type RunStatus string

// The statuses. Pending and waiting runs have a wake time; the others are final.
const (
	RunPending   RunStatus = "pending"   // a step is due or a send is under way
	RunWaiting   RunStatus = "waiting"   // a delay, a digest or a schedule holds it
	RunCompleted RunStatus = "completed" // every step was reached
	RunFailed    RunStatus = "failed"    // a step failed that stops the run
	RunCancelled RunStatus = "cancelled" // by a caller, or the workflow was switched off
	RunMerged    RunStatus = "merged"    // its event joined another run's digest
	RunSkipped   RunStatus = "skipped"   // a condition of the workflow or a throttle ended it
	RunParked    RunStatus = "parked"    // its row failed again and again; an operator must look
)

// Values makes RunStatus an ent enum.
func (RunStatus) Values() []string {
	return []string{"pending", "waiting", "completed", "failed", "cancelled", "merged", "skipped", "parked"}
}

// Final reports whether a run of this status never changes again by itself.
func (s RunStatus) Final() bool { return s != RunPending && s != RunWaiting }

// AttemptOutcome is how one call to a provider ended.
type AttemptOutcome string

// The outcomes. An attempt is written as intent before the call; one that is still intent after a crash is unknown.
const (
	AttemptIntent   AttemptOutcome = "intent"
	AttemptAccepted AttemptOutcome = "accepted"
	AttemptRejected AttemptOutcome = "rejected"
	AttemptUnknown  AttemptOutcome = "unknown"
)

// Values makes AttemptOutcome an ent enum.
func (AttemptOutcome) Values() []string { return []string{"intent", "accepted", "rejected", "unknown"} }

// UnknownPolicy is what a step does when it is unknown whether the provider took a message (semantics.md §9.1).
type UnknownPolicy string

// The policies. Retry may deliver twice where the provider takes no idempotency key; it is the default.
const (
	UnknownRetry UnknownPolicy = "retry"
	UnknownStop  UnknownPolicy = "stop"
)

// ActionStatus is the state of a message's buttons (api.md, MessageCTA).
type ActionStatus string

// The states.
const (
	ActionPending ActionStatus = "pending"
	ActionDone    ActionStatus = "done"
)

// CancelledText is the error of a message that was cancelled after an attempt.
const CancelledText = "cancelled before the next attempt"

// Reason is why a decision on a step was taken. The list is closed: docs, explain and the trace use no other words.
type Reason string

// The reasons, in the order in which the first of several is shown (semantics.md §11.18), then those of runs and sends.
const (
	ReasonStepInactive      Reason = "step_inactive"      // the step is switched off
	ReasonCondition         Reason = "condition"          // a condition of the step was false
	ReasonPreference        Reason = "preference"         // the effective preference of the channel is false
	ReasonSchedule          Reason = "schedule"           // outside the subscriber's hours
	ReasonNoAddress         Reason = "no_address"         // the subscriber has no address or target on the channel
	ReasonInvalidAddress    Reason = "invalid_address"    // the address is malformed
	ReasonNoIntegration     Reason = "no_integration"     // no active integration serves the channel
	ReasonSent              Reason = "sent"               // stored (in-app) or accepted by the provider
	ReasonQueued            Reason = "queued"             // handed to sending
	ReasonRetry             Reason = "retry"              // a failed or unknown attempt will be repeated
	ReasonRejected          Reason = "rejected"           // the provider refused for good
	ReasonExhausted         Reason = "attempts_exhausted" // the last permitted attempt failed
	ReasonOutcomeUnknown    Reason = "outcome_unknown"    // it is unknown whether the provider took it
	ReasonDuplicatePossible Reason = "duplicate_possible" // repeated after an unknown outcome
	ReasonFailover          Reason = "failover"           // moved to the channel's next integration
	ReasonRenderFailed      Reason = "render_failed"      // the template could not be rendered within its bounds
	ReasonStopOnFail        Reason = "stop_on_fail"       // an earlier step failed and stops the run
	ReasonWorkflowInactive  Reason = "workflow_inactive"  // switched off or deleted meanwhile
	ReasonCancelled         Reason = "cancelled"          // a caller cancelled it
	ReasonStepUnsupported   Reason = "step_unsupported"   // this version's engine does not run the step type
	ReasonMerged            Reason = "merged"             // joined another run's digest
	ReasonThrottled         Reason = "throttled"          // a throttle blocked the run
	ReasonWaiting           Reason = "waiting"            // waits until the given time
	ReasonContinued         Reason = "continued"          // the wait is over
	ReasonHeld              Reason = "held"               // waits until the subscriber's hours open
	ReasonDigestPassed      Reason = "digest_passed"      // nothing came before it within the look-back, so it continues at once
	ReasonDelayFailed       Reason = "delay_failed"       // the instant to wait for cannot be read or lies too far ahead
	ReasonDelayPast         Reason = "delay_past"         // the instant to wait for has passed
	ReasonThrottlePassed    Reason = "throttle_passed"    // a throttle let the run through
	ReasonRecovered         Reason = "recovered"          // taken over after a crash
	ReasonParked            Reason = "parked"             // its row failed again and again
	ReasonCompleted         Reason = "completed"          // every step was reached
	ReasonInvalidRecipient  Reason = "invalid_recipient"  // dropped from the event's recipients
	ReasonSubscription      Reason = "subscription"       // no subscription of the topic lets the workflow pass
	ReasonTriggered         Reason = "triggered"          // the step started another workflow
	ReasonNotTriggered      Reason = "not_triggered"      // the other workflow could not be started
	ReasonCalled            Reason = "called"             // the custom step's address answered
	ReasonBreakerOpen       Reason = "breaker_open"       // the integration failed too often and is not called for the time being
	ReasonPaced             Reason = "paced"              // waits in line, because the integration takes no more at once
	ReasonSuppressed        Reason = "suppressed"         // the address is suppressed after a bounce, a complaint or by hand
	ReasonReceipt           Reason = "receipt"            // the provider reported what became of the message
	ReasonPassedOver        Reason = "passed_over"        // a newer version has it before the step that the run had come to
	ReasonResent            Reason = "resent"             // sent again by hand, or by a retry of failed messages
	ReasonReplayed          Reason = "replayed"           // replays another notification from a step on
	ReasonReleased          Reason = "released"           // its digest window was closed by hand
	ReasonRecalled          Reason = "recalled"           // taken back by hand: from an inbox, or deleted by its provider
	ReasonNotRecalled       Reason = "not_recalled"       // its provider could not delete it
)

// TraceEntry is one decision on a notification. At is the environment's clock. A decision that is taken again, such as
// that a message has to wait, stays one entry: At is its first instant then, LastAt its last, and the details are the latest.
type TraceEntry struct {
	At            time.Time      `json:"at"`
	LastAt        *time.Time     `json:"lastAt,omitempty"` // nil: it was taken once
	Count         int            `json:"count,omitempty"`  // how often; 0: once
	StepID        string         `json:"stepId,omitempty"`
	Channel       Channel        `json:"channel,omitempty"`
	Reason        Reason         `json:"reason"`
	Reasons       []Reason       `json:"reasons,omitempty"` // all reasons, when there are several to skip
	Detail        string         `json:"detail,omitempty"`  // for a person; never a secret
	IntegrationID string         `json:"integrationId,omitempty"`
	MessageID     string         `json:"messageId,omitempty"`
	Attempt       int            `json:"attempt,omitempty"`
	Until         *time.Time     `json:"until,omitempty"` // of a wait or retry
	Data          map[string]any `json:"data,omitempty"`
}

func oneOf(s string, list []string) bool {
	return slices.Contains(list, s)
}
