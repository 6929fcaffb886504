package rest

import (
	"context"
	"net/http"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/workflow"
)

// message is the Message of api.md. Its template is not sent (decisions.md §2).
type message struct {
	ID                 string                 `json:"_id"`
	TemplateID         *string                `json:"_templateId"`
	MessageTemplateID  *string                `json:"_messageTemplateId"`
	EnvironmentID      string                 `json:"_environmentId"`
	OrganizationID     string                 `json:"_organizationId"`
	NotificationID     string                 `json:"_notificationId"`
	SubscriberID       string                 `json:"_subscriberId"`
	Subscriber         *fullSubscriber        `json:"subscriber,omitempty"`
	TemplateIdentifier string                 `json:"templateIdentifier,omitempty"`
	CreatedAt          moment                 `json:"createdAt"`
	DeliveredAt        []string               `json:"deliveredAt,omitempty"`
	LastSeenDate       *moment                `json:"lastSeenDate,omitempty"`
	LastReadDate       *moment                `json:"lastReadDate,omitempty"`
	Content            any                    `json:"content,omitempty"`
	TransactionID      string                 `json:"transactionId"`
	Subject            *string                `json:"subject,omitempty"`
	Channel            workflow.Channel       `json:"channel"`
	Read               bool                   `json:"read"`
	Seen               bool                   `json:"seen"`
	SnoozedUntil       *moment                `json:"snoozedUntil,omitempty"`
	Email              *string                `json:"email,omitempty"`
	Phone              *string                `json:"phone,omitempty"`
	DirectWebhookURL   *string                `json:"directWebhookUrl,omitempty"`
	ProviderID         *string                `json:"providerId,omitempty"`
	DeviceTokens       []string               `json:"deviceTokens,omitempty"`
	Title              *string                `json:"title,omitempty"`
	CTA                messageCTA             `json:"cta"`
	FeedID             *string                `json:"_feedId"`
	Status             workflow.MessageStatus `json:"status"`
	ErrorID            *string                `json:"errorId,omitempty"`
	ErrorText          *string                `json:"errorText,omitempty"`
	Payload            map[string]any         `json:"payload,omitzero"`
	Overrides          map[string]any         `json:"overrides,omitzero"`
	ContextKeys        []string               `json:"contextKeys"`
}

// messageCTA is the MessageCTA of api.md.
type messageCTA struct {
	Type   string            `json:"type,omitempty"`
	Data   *workflow.CTAData `json:"data,omitempty"`
	Action *messageAction    `json:"action,omitempty"`
}

type messageAction struct {
	Status  workflow.ActionStatus `json:"status,omitempty"`
	Buttons []messageButton       `json:"buttons,omitempty"`
	Result  *workflow.CTAResult   `json:"result,omitempty"`
}

type messageButton struct {
	Type          string `json:"type"`
	Content       string `json:"content"`
	ResultContent string `json:"resultContent,omitempty"`
}

func ctaView(cta *workflow.CTA) (view messageCTA) {
	if cta == nil {
		return view
	}
	view.Type, view.Data = cta.Type, cta.Data
	if cta.Action != nil {
		view.Action = &messageAction{Status: cta.Action.Status, Result: cta.Action.Result}
		for _, b := range cta.Action.Buttons {
			view.Action.Buttons = append(view.Action.Buttons, messageButton{b.Type, b.Content, b.ResultContent})
		}
	}
	return view
}

// contentView is a text, or the blocks of a block e-mail; nil without content.
func contentView(c *workflow.MessageContent) any {
	switch {
	case c == nil:
		return nil
	case len(c.Blocks) > 0:
		return c.Blocks
	case c.HTML != "":
		return c.HTML
	}
	return c.Text
}

func (s *server) messageView(organizationID string, m *ent.Message, trigger *ent.Event) message {
	view := message{
		ID: m.ID, TemplateID: &m.WorkflowID, EnvironmentID: m.EnvironmentID, OrganizationID: organizationID,
		NotificationID: m.NotificationID, SubscriberID: m.SubscriberID, TemplateIdentifier: m.WorkflowIdentifier,
		CreatedAt: moment(m.CreatedAt), DeliveredAt: m.DeliveredAt, LastSeenDate: optional(m.LastSeenAt),
		LastReadDate: optional(m.LastReadAt), Content: contentView(m.Content), TransactionID: m.TransactionID,
		Subject: m.Subject, Channel: m.Channel, Read: m.Read, Seen: m.Seen, SnoozedUntil: optional(m.SnoozedUntil),
		Email: m.Email, Phone: m.Phone,
		ProviderID: s.Resolvers.Services.Providers.ShownOptionalID(m.ProviderID), DeviceTokens: m.DeviceTokens, Title: m.Title,
		CTA: ctaView(m.Cta), FeedID: notify.FeedID(m), Status: m.Status, ErrorID: m.ErrorID, ErrorText: m.ErrorText,
		ContextKeys: listed(m.ContextKeys),
	}
	urls := s.Resolvers.Services.WebhookURLs
	if m.DirectWebhookURL != nil {
		view.DirectWebhookURL = new(urls.Open(m.EnvironmentID, *m.DirectWebhookURL))
	}
	if trigger != nil {
		view.Payload, view.Overrides = trigger.Payload, urls.Overrides(m.EnvironmentID, trigger.Overrides)
	}
	return view
}

// POST /v1/subscribers/{subscriberId}/messages/mark-as
func (s *server) markMessages(ctx context.Context, in *Input) (*Reply, error) {
	var p fault.Problems
	body := in.object(&p)
	input := notify.MarkMessagesInput{MarkAs: notify.Mark(body.required("markAs"))}
	switch ids := body.members["messageId"].(type) {
	case []any:
		input.MessageIDs = body.ids("messageId", ids)
	case string:
		input.MessageIDs = []string{ids}
	case nil:
	default:
		p.Add("messageId", ids, "must be a string or an array of strings")
	}
	input.Check(&p)
	if p.Any() {
		return nil, p.Err()
	}
	var err error
	if input.SubscriberID, err = in.name("subscriberId", "Subscriber"); err != nil {
		return nil, err
	}
	marked, err := s.Resolvers.Mutation().MarkMessages(ctx, input)
	if err != nil {
		return nil, err
	}
	parents, err := s.Resolvers.MessageParents(ctx, marked)
	if err != nil {
		return nil, err
	}
	owners := s.subscriberViews(in.request.viewer.OrganizationID, parents)
	return &Reply{Status: http.StatusCreated, Body: views(marked, func(m *ent.Message) message {
		view := s.messageView(in.request.viewer.OrganizationID, m, parents.Events[m.EventID])
		view.Subscriber = owners.of(m.SubscriberID)
		return view
	})}, nil
}
