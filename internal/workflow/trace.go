package workflow

import (
	"slices"
	"time"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// The fields of a TraceEntry that may be without a value, as doors show them: nil then.

// StepIDOrNil is the step.
func (t TraceEntry) StepIDOrNil() *string { return jsonvalue.OrNil(t.StepID) }

// ChannelOrNil is the channel.
func (t TraceEntry) ChannelOrNil() *Channel { return jsonvalue.OrNil(t.Channel) }

// DetailOrNil is the text for a person.
func (t TraceEntry) DetailOrNil() *string { return jsonvalue.OrNil(t.Detail) }

// IntegrationIDOrNil is the integration's id.
func (t TraceEntry) IntegrationIDOrNil() *string { return jsonvalue.OrNil(t.IntegrationID) }

// MessageIDOrNil is the message's id.
func (t TraceEntry) MessageIDOrNil() *string { return jsonvalue.OrNil(t.MessageID) }

// AttemptOrNil is the number of the attempt.
func (t TraceEntry) AttemptOrNil() *int { return jsonvalue.OrNil(t.Attempt) }

// repeating are the reasons that may be given again and again at one step about one message, or about none.
var repeating = []Reason{
	ReasonRetry, ReasonOutcomeUnknown, ReasonDuplicatePossible, ReasonRecovered, ReasonBreakerOpen, ReasonPaced, ReasonHeld,
	ReasonRenderFailed, ReasonPassedOver,
}

// RepeatingReasons are the reasons whose repetitions at a step are one entry of the trace (semantics.md §11.32).
func RepeatingReasons() []Reason { return slices.Clone(repeating) }

// SentReasons are the reasons by which a step of a trace did its work: it sent, or let the run continue.
func SentReasons() []Reason {
	return []Reason{
		ReasonSent, ReasonContinued, ReasonDigestPassed, ReasonThrottlePassed, ReasonDelayPast, ReasonTriggered, ReasonCalled,
	}
}

// FailedReasons are the reasons by which a step of a trace failed for good.
func FailedReasons() []Reason {
	return []Reason{ReasonRejected, ReasonExhausted, ReasonRenderFailed, ReasonDelayFailed, ReasonNotTriggered, ReasonParked}
}

// SkipReasons are the reasons by which a step of a trace was passed over, or ended its run without a fault.
func SkipReasons() []Reason {
	return []Reason{
		ReasonStepInactive, ReasonCondition, ReasonPreference, ReasonSchedule, ReasonNoAddress, ReasonInvalidAddress, ReasonNoIntegration,
		ReasonSuppressed, ReasonStepUnsupported, ReasonStopOnFail, ReasonMerged, ReasonThrottled, ReasonCancelled, ReasonWorkflowInactive,
		ReasonPassedOver,
	}
}

// Repeats reports whether the decision may have been taken before, so that it may have to be counted on an earlier entry.
func (t TraceEntry) Repeats() bool { return slices.Contains(repeating, t.Reason) }

// Times is how often the decision was taken.
func (t TraceEntry) Times() int { return max(t.Count, 1) }

// FirstAt is when the decision was taken first.
func (t TraceEntry) FirstAt() time.Time { return t.At }

// Latest is when the decision was taken last.
func (t TraceEntry) Latest() time.Time {
	if t.LastAt == nil {
		return t.At
	}
	return *t.LastAt
}
