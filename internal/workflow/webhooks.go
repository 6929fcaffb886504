package workflow

import "time"

// WebhookEventType is what an outgoing webhook reports.
type WebhookEventType string

// The types of events that endpoints receive (webhooks.md).
const (
	WebhookPing                 WebhookEventType = "ping"
	WebhookEventAccepted        WebhookEventType = "event.accepted"
	WebhookNotificationStarted  WebhookEventType = "notification.started"
	WebhookNotificationFinished WebhookEventType = "notification.finished"
	WebhookMessageSent          WebhookEventType = "message.sent"
	WebhookMessageFailed        WebhookEventType = "message.failed"
	WebhookMessageDelivered     WebhookEventType = "message.delivered"
	WebhookMessageOpened        WebhookEventType = "message.opened"
	WebhookMessageClicked       WebhookEventType = "message.clicked"
	WebhookMessageUndelivered   WebhookEventType = "message.undelivered"
	WebhookMessageBounced       WebhookEventType = "message.bounced"
	WebhookMessageComplained    WebhookEventType = "message.complained"
	WebhookMessageRead          WebhookEventType = "message.read"
	WebhookMessageArchived      WebhookEventType = "message.archived"
	WebhookPreferenceChanged    WebhookEventType = "preference.changed"
	WebhookSubscriberCreated    WebhookEventType = "subscriber.created"
	WebhookSubscriberUpdated    WebhookEventType = "subscriber.updated"
	WebhookSubscriberDeleted    WebhookEventType = "subscriber.deleted"
	WebhookWorkflowPublished    WebhookEventType = "workflow.published"
	WebhookIntegrationUnhealthy WebhookEventType = "integration.unhealthy"
	WebhookIntegrationRecovered WebhookEventType = "integration.recovered"
	WebhookEndpointDisabled     WebhookEventType = "webhook_endpoint.disabled"
	WebhookAlertOpened          WebhookEventType = "alert.opened"
	WebhookAlertRecovered       WebhookEventType = "alert.recovered"
)

// WebhookEventTypes are all types, in the order of the documents.
var WebhookEventTypes = []WebhookEventType{
	WebhookPing, WebhookEventAccepted, WebhookNotificationStarted, WebhookNotificationFinished, WebhookMessageSent, WebhookMessageFailed,
	WebhookMessageDelivered, WebhookMessageOpened, WebhookMessageClicked, WebhookMessageUndelivered, WebhookMessageBounced,
	WebhookMessageComplained, WebhookMessageRead, WebhookMessageArchived, WebhookPreferenceChanged, WebhookSubscriberCreated,
	WebhookSubscriberUpdated, WebhookSubscriberDeleted, WebhookWorkflowPublished, WebhookIntegrationUnhealthy, WebhookIntegrationRecovered,
	WebhookEndpointDisabled, WebhookAlertOpened, WebhookAlertRecovered,
}

// Values are those that the database may hold; ent asks for them.
func (WebhookEventType) Values() (values []string) {
	for _, t := range WebhookEventTypes {
		values = append(values, string(t))
	}
	return values
}

// WebhookDeliveryStatus is the state of a webhook's delivery.
type WebhookDeliveryStatus string

// The states of a delivery.
const (
	WebhookPending   WebhookDeliveryStatus = "pending"   // an attempt is due or under way
	WebhookDelivered WebhookDeliveryStatus = "delivered" // the endpoint answered with a status of 2xx
	WebhookFailed    WebhookDeliveryStatus = "failed"    // every attempt failed, or the endpoint was deactivated
)

// Values are those that the database may hold; ent asks for them.
func (WebhookDeliveryStatus) Values() []string {
	return []string{string(WebhookPending), string(WebhookDelivered), string(WebhookFailed)}
}

// WebhookAttempt is one request to an endpoint and what it answered.
type WebhookAttempt struct {
	Number     int       `json:"number"` // counted from 1, over all replays
	At         time.Time `json:"at"`
	DurationMs int       `json:"durationMs"`
	URL        string    `json:"url"`
	HTTPStatus *int      `json:"httpStatus,omitempty"` // nil: no answer
	Body       *string   `json:"body,omitempty"`       // the beginning of the answer's body
	ErrorText  *string   `json:"errorText,omitempty"`
}
