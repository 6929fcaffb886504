package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *service) addActivity(server *mcp.Server) {
	addTool(server, readOnly("list_notifications", "List notifications",
		"Lists notifications, one for each event and subscriber, newest first. explain_notification says why one ended as it did."), s.listNotifications)
	addTool(server, readOnly("list_messages", "List messages",
		"Lists messages, one for each step and target of a notification, newest first, with status and error."), s.listMessages)
	addTool(server, explainNotification, s.explainNotification)
	addTool(server, readOnly("get_statistics", "Get statistics",
		"Returns how many notifications of a workflow are in which state, or, without a workflow, what the environment delivered by channel and provider, with latency."), s.getStatistics)
}

type listNotificationsArguments struct {
	SubscriberID      string      `json:"subscriberId,omitempty" jsonschema:"the operator's identifier of the subscriber"`
	StatusIn          []runStatus `json:"statusIn,omitempty" jsonschema:"in one of these states"`
	Workflow          string      `json:"workflow,omitempty" jsonschema:"trigger identifier, slug or id of the workflow"`
	TransactionID     string      `json:"transactionId,omitempty" jsonschema:"transactionId of the trigger"`
	EventID           string      `json:"eventId,omitempty" jsonschema:"id of the event"`
	ProviderMessageID string      `json:"providerMessageId,omitempty" jsonschema:"identifier that a provider gave one of the messages"`
	CreatedAfter      moment      `json:"createdAfter,omitempty" jsonschema:"created after this instant (RFC 3339)"`
	CreatedBefore     moment      `json:"createdBefore,omitempty" jsonschema:"created before this instant (RFC 3339)"`
	paging
}

const listNotificationsQuery = `query($first: Int, $after: String, $filter: NotificationFilter) {
	notifications(first: $first, after: $after, filter: $filter) {
		nodes { id status transactionId workflow { identifier } subscriber { subscriberId } dueAt finishedAt failures createdAt }
		pageInfo { hasNextPage endCursor } } }`

func (s *service) listNotifications(ctx context.Context, in listNotificationsArguments) (*result, error) {
	return s.list(ctx, in, "notifications", listNotificationsQuery)
}

type listMessagesArguments struct {
	SubscriberID   string          `json:"subscriberId,omitempty" jsonschema:"the operator's identifier of the subscriber"`
	ChannelIn      []channel       `json:"channelIn,omitempty" jsonschema:"on one of these channels"`
	StatusIn       []messageStatus `json:"statusIn,omitempty" jsonschema:"of one of these statuses"`
	Workflow       string          `json:"workflow,omitempty" jsonschema:"trigger identifier, slug or id of the workflow"`
	TransactionID  string          `json:"transactionId,omitempty" jsonschema:"transactionId of the trigger"`
	NotificationID string          `json:"notificationId,omitempty" jsonschema:"id of the notification"`
	Read           *bool           `json:"read,omitempty" jsonschema:"whether the subscriber has read it"`
	Seen           *bool           `json:"seen,omitempty" jsonschema:"whether the subscriber has seen it"`
	Archived       *bool           `json:"archived,omitempty" jsonschema:"whether the subscriber has archived it"`
	Snoozed        *bool           `json:"snoozed,omitempty" jsonschema:"whether it is snoozed"`
	CreatedAfter   moment          `json:"createdAfter,omitempty" jsonschema:"created after this instant (RFC 3339)"`
	CreatedBefore  moment          `json:"createdBefore,omitempty" jsonschema:"created before this instant (RFC 3339)"`
	paging
}

const listMessagesQuery = `query($first: Int, $after: String, $filter: MessageFilter) {
	messages(first: $first, after: $after, filter: $filter) {
		nodes { id notification { id } transactionId workflowIdentifier stepId channel status errorId errorText providerId
			integration { identifier } subscriber { subscriberId } subject title email phone receipt attemptCount dueAt read seen archived
			snoozedUntil createdAt }
		pageInfo { hasNextPage endCursor } } }`

func (s *service) listMessages(ctx context.Context, in listMessagesArguments) (*result, error) {
	return s.list(ctx, in, "messages", listMessagesQuery)
}

type statisticsArguments struct {
	Workflow string `json:"workflow,omitempty" jsonschema:"trigger identifier, slug or id of the workflow; left out: the environment"`
	Hours    int    `json:"hours,omitempty" jsonschema:"how many hours back, 1 to 744; 24 when left out"`
}

const workflowStatisticsQuery = `query($reference: String!, $hours: Int!) { workflowByReference(reference: $reference) {
	identifier status lastTriggeredAt statistics(hours: $hours) { since notifications byStatus { status count } } } }`

const deliveryStatisticsQuery = `query($from: Time!, $to: Time!) { deliveryStatistics(from: $from, to: $to, buckets: 1) { from to buckets {
	messages sent failed pending estimated latency { p50 p95 p99 }
	channels { channel messages sent failed pending latency { p50 p95 p99 } }
	providers { providerId accepted rejected unknown pending } } } }`

func (s *service) getStatistics(ctx context.Context, in statisticsArguments) (*result, error) {
	if in.Hours == 0 {
		in.Hours = 24
	}
	if in.Workflow != "" {
		data, err := s.ask(ctx, workflowStatisticsQuery, object{"reference": in.Workflow, "hours": in.Hours})
		return &result{data: data}, err
	}
	to := time.Now().UTC() // of the server it would be later, and the longest period too long
	data, err := s.ask(ctx, deliveryStatisticsQuery, object{"from": to.Add(-time.Duration(in.Hours) * time.Hour), "to": to})
	return &result{data: data}, err
}
