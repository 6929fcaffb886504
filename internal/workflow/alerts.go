package workflow

// AlertCondition is what an alert rule watches (decisions.md §20).
type AlertCondition string

// The conditions, with the unit of their values.
const (
	AlertFailureRate          AlertCondition = "failure_rate"          // percent of the messages of a window that failed
	AlertUnhealthyIntegration AlertCondition = "unhealthy_integration" // integrations whose breaker is not closed
	AlertLag                  AlertCondition = "lag"                   // seconds for which the oldest due row has waited
	AlertNoMessages           AlertCondition = "no_messages"           // minutes since the latest message
	AlertVolume               AlertCondition = "volume"                // messages of a window
	AlertSubscriberVolume     AlertCondition = "subscriber_volume"     // messages of a window to the subscriber who got most
)

// Values makes AlertCondition an ent enum.
func (AlertCondition) Values() []string {
	return []string{
		string(AlertFailureRate), string(AlertUnhealthyIntegration), string(AlertLag), string(AlertNoMessages), string(AlertVolume), string(AlertSubscriberVolume),
	}
}

// Windowed reports whether the condition counts the messages of a window.
func (c AlertCondition) Windowed() bool {
	return c == AlertFailureRate || c == AlertVolume || c == AlertSubscriberVolume
}

// AlertState is the state of an alert rule.
type AlertState string

// The states of a rule.
const (
	AlertOK      AlertState = "ok"
	AlertPending AlertState = "pending" // the threshold is reached, but not for long enough
	AlertFiring  AlertState = "firing"  // an incident is open
)

// Values makes AlertState an ent enum.
func (AlertState) Values() []string {
	return []string{string(AlertOK), string(AlertPending), string(AlertFiring)}
}

// AlertEnd is why an incident was closed.
type AlertEnd string

// The ends of an incident.
const (
	AlertRecovered AlertEnd = "recovered" // the value stayed below the threshold for long enough
	AlertDisabled  AlertEnd = "disabled"  // the rule was disabled or deleted
)

// Values makes AlertEnd an ent enum.
func (AlertEnd) Values() []string { return []string{string(AlertRecovered), string(AlertDisabled)} }
