package workflow

// ChannelEndpointTarget is the target of a channel endpoint, in the form of its type (decisions.md §5).
type ChannelEndpointTarget interface{ isChannelEndpointTarget() }

// The targets, one for each EndpointType.
type (
	// SlackChannelTarget is a channel of a Slack workspace.
	SlackChannelTarget struct{ ChannelID string }
	// SlackUserTarget is a person in a Slack workspace.
	SlackUserTarget struct{ UserID string }
	// WebhookTarget is an incoming webhook. URL is sealed as it is stored; an empty Channel is the webhook's own.
	WebhookTarget struct{ URL, Channel string }
	// PhoneTarget is a phone, in E.164 form.
	PhoneTarget struct{ PhoneNumber string }
	// MSTeamsChannelTarget is a channel of a Teams team.
	MSTeamsChannelTarget struct{ TeamID, ChannelID string }
	// MSTeamsUserTarget is a person in Teams.
	MSTeamsUserTarget struct{ UserID string }
)

func (*SlackChannelTarget) isChannelEndpointTarget()   {}
func (*SlackUserTarget) isChannelEndpointTarget()      {}
func (*WebhookTarget) isChannelEndpointTarget()        {}
func (*PhoneTarget) isChannelEndpointTarget()          {}
func (*MSTeamsChannelTarget) isChannelEndpointTarget() {}
func (*MSTeamsUserTarget) isChannelEndpointTarget()    {}

// Target is the data in the form of an endpoint type; nil for a type that there is not.
func (d *EndpointData) Target(kind EndpointType) ChannelEndpointTarget {
	switch kind {
	case EndpointSlackChannel:
		return &SlackChannelTarget{d.ChannelID}
	case EndpointSlackUser:
		return &SlackUserTarget{d.UserID}
	case EndpointWebhook:
		return &WebhookTarget{d.URL, d.Channel}
	case EndpointPhone:
		return &PhoneTarget{d.PhoneNumber}
	case EndpointMSTeamsChannel:
		return &MSTeamsChannelTarget{d.TeamID, d.ChannelID}
	case EndpointMSTeamsUser:
		return &MSTeamsUserTarget{d.UserID}
	}
	return nil
}
