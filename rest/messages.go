package rest

import (
	"context"
	"net/http"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
)

var messageRoutes = []Route{{
	Method: http.MethodPost, Pattern: "/v1/subscribers/{subscriberId}/messages/mark-as", Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "markMessages", Tag: tagMessages, Summary: "Update notifications state", Text: "Answers with the messages that were found, in the order of the request.",
	body: marking, Success: http.StatusCreated, answer: many[message](),
	Failures: []int{http.StatusNotFound, http.StatusUnprocessableEntity}, run: (*server).markMessages,
}}

var marking = shape.Object("MarkMessagesRequest", "Which messages change, and how.",
	shape.Expected("messageId", shape.OneOrMany(
		shape.ID(shape.AtLeast(1)).Describe("One message."), shape.List(shape.ID(), shape.Between(1, inbox.MaxInboxMessages)).Describe("Several messages."),
	), "The messages by their internal ids; unknown ones are skipped.", func(in *inbox.MarkMessagesInput, v []string) { in.MessageIDs = v }),
	shape.Required("markAs", shape.Enum(inbox.MarkRead, inbox.MarkSeen, inbox.MarkUnread, inbox.MarkUnseen),
		"What the messages become; read ones are seen as well.", func(in *inbox.MarkMessagesInput, v inbox.Mark) { in.MarkAs = v }),
)

// message is the Message of api.md. Its template is not sent (decisions.md §2).
type message struct {
	_                  struct{}               `doc:"A message that was stored or sent."`
	ID                 string                 `json:"_id"`
	TemplateID         *string                `json:"_templateId" doc:"Internal id of the workflow."`
	MessageTemplateID  *string                `json:"_messageTemplateId" doc:"Never set."`
	EnvironmentID      string                 `json:"_environmentId"`
	OrganizationID     string                 `json:"_organizationId"`
	NotificationID     string                 `json:"_notificationId"`
	SubscriberID       string                 `json:"_subscriberId"`
	Subscriber         *fullSubscriber        `json:"subscriber,omitempty" doc:"Whose message it is. Left out on the later messages of an answer in which subscribers would come to more than 8 MiB."`
	TemplateIdentifier string                 `json:"templateIdentifier,omitempty" doc:"Trigger identifier of the workflow."`
	CreatedAt          moment                 `json:"createdAt"`
	DeliveredAt        []string               `json:"deliveredAt,omitempty" doc:"When it arrived; several times after a snooze."`
	LastSeenDate       *moment                `json:"lastSeenDate,omitempty" doc:"When it was last marked seen; stays when that is taken back."`
	LastReadDate       *moment                `json:"lastReadDate,omitempty" doc:"When it was last marked read; stays when that is taken back."`
	Content            any                    `json:"content,omitempty" doc:"The rendered content: a text, or the blocks of a block e-mail."`
	TransactionID      string                 `json:"transactionId"`
	Subject            *string                `json:"subject,omitempty"`
	Channel            workflow.Channel       `json:"channel"`
	Read               bool                   `json:"read"`
	Seen               bool                   `json:"seen"`
	SnoozedUntil       *moment                `json:"snoozedUntil,omitempty" doc:"When it comes back."`
	Email              *string                `json:"email,omitempty"`
	Phone              *string                `json:"phone,omitempty"`
	DirectWebhookURL   *string                `json:"directWebhookUrl,omitempty" doc:"The address it was posted to."`
	ProviderID         *string                `json:"providerId,omitempty"`
	DeviceTokens       []string               `json:"deviceTokens,omitempty"`
	Title              *string                `json:"title,omitempty"`
	CTA                messageCTA             `json:"cta" doc:"What the message asks for."`
	FeedID             *string                `json:"_feedId"`
	Status             workflow.MessageStatus `json:"status"`
	ErrorID            *string                `json:"errorId,omitempty" doc:"What kind of failure or complaint."`
	ErrorText          *string                `json:"errorText,omitempty" doc:"The failure or complaint in words."`
	Payload            map[string]any         `json:"payload,omitzero"`
	Overrides          map[string]any         `json:"overrides,omitzero"`
	ContextKeys        []string               `json:"contextKeys"`
}

// messageCTA is the MessageCTA of api.md.
type messageCTA struct {
	_      struct{}          `doc:"What a message asks for; empty when it asks for nothing."`
	Type   string            `json:"type,omitempty"`
	Data   *workflow.CTAData `json:"data,omitempty" doc:"Where the message leads."`
	Action *messageAction    `json:"action,omitempty"`
}

type messageAction struct {
	_       struct{}              `doc:"The buttons of a message and what became of them."`
	Status  workflow.ActionStatus `json:"status,omitempty"`
	Buttons []messageButton       `json:"buttons,omitempty"`
	Result  *workflow.CTAResult   `json:"result,omitempty"`
}

type messageButton struct {
	_             struct{} `doc:"A button."`
	Type          string   `json:"type"`
	Content       string   `json:"content"`
	ResultContent string   `json:"resultContent,omitempty"`
}

func ctaView(cta *workflow.CTA) (view messageCTA) {
	if cta == nil {
		return view
	}
	view.Type, view.Data = cta.Type, cta.Data
	if cta.Action != nil {
		view.Action = &messageAction{Status: cta.Action.Status, Result: cta.Action.Result}
		for _, b := range cta.Action.Buttons {
			view.Action.Buttons = append(view.Action.Buttons, messageButton{Type: b.Type, Content: b.Content, ResultContent: b.ResultContent})
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
		CTA: ctaView(m.Cta), FeedID: inbox.FeedID(m), Status: m.Status, ErrorID: m.ErrorID, ErrorText: m.ErrorText,
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

func (s *server) markMessages(ctx context.Context, in *Input) (*Reply, error) {
	input, err := marking.Read(in.Body, func(input *inbox.MarkMessagesInput, p *fault.Problems) {
		input.Check(p)
		p.Rename(func(path string) string { return strings.Replace(path, "messageIds", "messageId", 1) })
	})
	if err != nil {
		return nil, err
	}
	if input.SubscriberID, err = in.name("subscriberId", "Subscriber"); err != nil {
		return nil, err
	}
	marked, err := s.Resolvers.Mutation().MarkMessages(ctx, input)
	if err != nil {
		return nil, err
	}
	parents, err := s.Resolvers.MessageParents(ctx, marked.Messages)
	if err != nil {
		return nil, err
	}
	owners := s.subscriberViews(in.request.viewer.OrganizationID, parents)
	return in.reply(views(marked.Messages, func(m *ent.Message) message {
		view := s.messageView(in.request.viewer.OrganizationID, m, parents.Events[m.EventID])
		view.Subscriber = owners.of(m.SubscriberID)
		return view
	})), nil
}
