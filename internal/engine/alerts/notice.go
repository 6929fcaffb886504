package alerts

import (
	"strconv"
	"time"

	"github.com/carillon/carillon/internal/workflow"
)

// Told is what a notice tells, for the payload of the workflow that it triggers.
type Told struct {
	Notice                         Notice
	RuleID, Name, Environment      string
	Condition                      workflow.AlertCondition
	Threshold                      float64
	WindowMinutes                  int
	Value                          *float64
	Workflow, Integration, Channel *string
	Subscriber                     *string // the subscriberId of who got most messages
	IncidentID                     string
	Incident                       *Incident // nil in a test
	Paused                         bool      // whether the incident has paused what the rule watches
}

// Payload is the payload of the event that tells of a notice. Absent values are left out.
func (n *Told) Payload() map[string]any {
	alert := map[string]any{
		"state": string(n.Notice), "ruleId": n.RuleID, "rule": n.Name, "environment": n.Environment, "condition": string(n.Condition),
		"threshold": n.Threshold, "summary": Describe(n.Condition, n.Value, n.WindowMinutes),
	}
	if n.Paused {
		alert["paused"] = true
	}
	if n.Condition.Windowed() {
		alert["windowMinutes"] = n.WindowMinutes
	}
	if n.Value != nil {
		alert["value"] = *n.Value
	}
	for name, value := range map[string]*string{"workflow": n.Workflow, "integration": n.Integration, "channel": n.Channel, "subscriber": n.Subscriber} {
		if value != nil {
			alert[name] = *value
		}
	}
	if i := n.Incident; i != nil {
		alert["incidentId"], alert["peak"], alert["openedAt"] = n.IncidentID, i.Peak, i.OpenedAt.UTC().Format(time.RFC3339)
		if i.ClosedAt != nil {
			alert["recoveredAt"] = i.ClosedAt.UTC().Format(time.RFC3339)
		}
	}
	return map[string]any{"alert": alert}
}

// TransactionID is the transactionId of the event that tells of a notice: a repetition has the same.
func (n *Told) TransactionID() string {
	return "alert_" + n.IncidentID + "_" + strconv.Itoa(n.Incident.Notices)
}

// Recipients are whom the workflow of a rule notifies.
func Recipients(subscribers, topics []string) workflow.Recipients {
	var to workflow.Recipients
	for _, subscriber := range subscribers {
		to.Direct = append(to.Direct, workflow.SubscriberInput{SubscriberID: subscriber})
	}
	for _, topic := range topics {
		to.Topics = append(to.Topics, workflow.TopicRecipient{TopicKey: topic})
	}
	return to
}
