package workflow

import "github.com/carillon/carillon/internal/workflow/condition"

// Definition is what an author writes and what a published version freezes: steps with their templates and conditions,
// the payload schema and the author's preferences.
type Definition struct {
	Steps         []Step                 `json:"steps"`
	Conditions    []condition.StepFilter `json:"conditions,omitempty"`      // of the whole workflow: false ends the run
	PayloadSchema map[string]any         `json:"payloadSchema,omitempty"`   // JSON Schema; defaults are filled in at trigger
	Validate      bool                   `json:"validatePayload"`           // refuse payloads that violate the schema
	Strict        bool                   `json:"strictVariables,omitempty"` // refuse to publish templates with unknown variables
	Preferences   ChannelPreferences     `json:"preferences,omitzero"`      // the author's defaults per channel
	Critical      bool                   `json:"critical"`                  // subscribers cannot switch it off
	Severity      Severity               `json:"severity"`
	Versioning    VersionPolicy          `json:"versioning"`    // which version a waiting run continues with
	Drain         bool                   `json:"drain"`         // switched off: waiting runs finish all the same
	HoldSchedule  bool                   `json:"holdUntilOpen"` // outside the hours: hold instead of skip
	Tags          []string               `json:"tags,omitempty"`
	Data          map[string]any         `json:"data,omitempty"`
	Translations  bool                   `json:"translations"` // isTranslationEnabled of the document
}

// InAppControls is the template of an in-app message. Every text is Liquid.
type InAppControls struct {
	Subject   string         `json:"subject,omitempty"`
	Body      string         `json:"body"`
	Avatar    string         `json:"avatar,omitempty"`   // URL; the actor's avatar when empty
	Redirect  string         `json:"redirect,omitempty"` // URL of the message itself
	Primary   *Button        `json:"primaryAction,omitempty"`
	Secondary *Button        `json:"secondaryAction,omitempty"`
	FeedID    string         `json:"feedId,omitempty"`
	Data      map[string]any `json:"data,omitempty"` // strings inside are Liquid
}

// Button is an in-app action. Label and URL are Liquid.
type Button struct {
	Label string `json:"label"`
	URL   string `json:"url,omitempty"`
}

// EmailControls is the template of an e-mail: either HTML or blocks, never both. Every text is Liquid.
type EmailControls struct {
	Subject    string       `json:"subject"`
	HTML       string       `json:"html,omitempty"`
	Blocks     []EmailBlock `json:"blocks,omitempty"`
	Text       string       `json:"text,omitempty"` // plain part; made from the HTML when empty
	Preheader  string       `json:"preheader,omitempty"`
	SenderName string       `json:"senderName,omitempty"`
	From       string       `json:"from,omitempty"`
	ReplyTo    string       `json:"replyTo,omitempty"`
	LayoutID   string       `json:"layoutId,omitempty"` // identifier of a layout; the default layout when empty
	NoLayout   bool         `json:"noLayout,omitempty"`
}

// EmailBlock is a block of a block e-mail (api.md, EmailBlock).
type EmailBlock struct {
	Type    string            `json:"type"` // button, text or image
	Content string            `json:"content"`
	URL     string            `json:"url,omitempty"`
	Styles  *EmailBlockStyles `json:"styles,omitempty"`
}

// EmailBlockStyles is the look of a block.
type EmailBlockStyles struct {
	TextAlign string `json:"textAlign"` // center, left or right
}

// TextControls is the template of an SMS or chat message.
type TextControls struct {
	Body string `json:"body"`
}

// PushControls is the template of a push message.
type PushControls struct {
	Subject string         `json:"subject"`
	Body    string         `json:"body"`
	Data    map[string]any `json:"data,omitempty"`
}

// ReplyCallback forwards replies to an e-mail (semantics.md §2.12).
type ReplyCallback struct {
	Active bool   `json:"active"`
	URL    string `json:"url,omitempty"`
}

// ChannelPreferences holds a wish per channel; nil means none (api.md, ChannelPreferences).
type ChannelPreferences struct {
	Email *bool `json:"email,omitempty"`
	SMS   *bool `json:"sms,omitempty"`
	InApp *bool `json:"in_app,omitempty"`
	Chat  *bool `json:"chat,omitempty"`
	Push  *bool `json:"push,omitempty"`
}

// Get is the wish for c.
func (p ChannelPreferences) Get(c Channel) *bool { return *p.slot(c) }

// Set stores a wish for c.
func (p *ChannelPreferences) Set(c Channel, v *bool) { *p.slot(c) = v }

func (p *ChannelPreferences) slot(c Channel) **bool {
	switch c {
	case ChannelEmail:
		return &p.Email
	case ChannelSMS:
		return &p.SMS
	case ChannelInApp:
		return &p.InApp
	case ChannelChat:
		return &p.Chat
	default:
		return &p.Push
	}
}

// StepIssue is a fault of a step found when the workflow was saved (api.md, Workflow list item; decisions.md §11).
type StepIssue struct {
	StepID       string `json:"stepId"`
	Group        string `json:"group"` // controls or integration
	Key          string `json:"key"`   // the control, or the channel
	Type         string `json:"issueType"`
	VariableName string `json:"variableName,omitempty"`
	Message      string `json:"message"`
}

// ChannelCredentials is a subscriber's settings for one integration (api.md, ChannelSettings).
type ChannelCredentials struct {
	WebhookURL   string   `json:"webhookUrl,omitempty"`
	Channel      string   `json:"channel,omitempty"`
	DeviceTokens []string `json:"deviceTokens,omitempty"`
	AlertUID     string   `json:"alertUid,omitempty"`
	Title        string   `json:"title,omitempty"`
	ImageURL     string   `json:"imageUrl,omitempty"`
	State        string   `json:"state,omitempty"`
	ExternalURL  string   `json:"externalUrl,omitempty"`
}

// CTA is the call to action of a message (api.md, MessageCTA).
type CTA struct {
	Type   string     `json:"type,omitempty"` // redirect
	Data   *CTAData   `json:"data,omitempty"`
	Action *CTAAction `json:"action,omitempty"`
}

// CTAData holds the URL of a redirect.
type CTAData struct {
	URL string `json:"url,omitempty"`
}

// CTAAction is the state of a message's buttons.
type CTAAction struct {
	Status  ActionStatus `json:"status,omitempty"`
	Buttons []CTAButton  `json:"buttons,omitempty"`
	Result  *CTAResult   `json:"result,omitempty"`
}

// CTAButton is one button.
type CTAButton struct {
	Type          string `json:"type"` // primary or secondary
	Content       string `json:"content"`
	ResultContent string `json:"resultContent,omitempty"`
	URL           string `json:"url,omitempty"` // ours: where the button leads
}

// CTAResult is the button that was used.
type CTAResult struct {
	Payload map[string]any `json:"payload,omitempty"`
	Type    string         `json:"type,omitempty"`
}

// EndpointData is the target of a channel endpoint; which fields count depends on the endpoint's type (decisions.md §5).
type EndpointData struct {
	ChannelID   string `json:"channelId,omitempty"`
	UserID      string `json:"userId,omitempty"`
	TeamID      string `json:"teamId,omitempty"`
	URL         string `json:"url,omitempty"`
	Channel     string `json:"channel,omitempty"`
	PhoneNumber string `json:"phoneNumber,omitempty"`
}

// EndpointType is the kind of a channel endpoint (decisions.md §5).
type EndpointType string

// The endpoint types.
const (
	EndpointSlackChannel   EndpointType = "slack_channel"
	EndpointSlackUser      EndpointType = "slack_user"
	EndpointWebhook        EndpointType = "webhook"
	EndpointPhone          EndpointType = "phone"
	EndpointMSTeamsChannel EndpointType = "ms_teams_channel"
	EndpointMSTeamsUser    EndpointType = "ms_teams_user"
)

// Values makes EndpointType an ent enum.
func (EndpointType) Values() []string {
	return []string{"slack_channel", "slack_user", "webhook", "phone", "ms_teams_channel", "ms_teams_user"}
}

// MessageContent is a message's rendered content: a text, or the blocks of a block e-mail.
type MessageContent struct {
	Text   string       `json:"text,omitempty"`
	HTML   string       `json:"html,omitempty"`
	Blocks []EmailBlock `json:"blocks,omitempty"`
}

// ReplyCallbackOf is where replies to the mails of a step go; nil: nowhere.
func (d *Definition) ReplyCallbackOf(stepID string) *ReplyCallback {
	for i := range d.Steps {
		if s := &d.Steps[i]; s.StepID == stepID && s.ReplyCallback != nil && s.ReplyCallback.Active {
			return s.ReplyCallback
		}
	}
	return nil
}
