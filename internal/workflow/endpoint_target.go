package workflow

import (
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

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

// ChannelEndpointTargetInput is the target that a caller gives: exactly one of its fields is set, which says the type.
type ChannelEndpointTargetInput struct {
	SlackChannel   *SlackChannelTarget
	SlackUser      *SlackUserTarget
	Webhook        *WebhookTarget
	Phone          *PhoneTarget
	MSTeamsChannel *MSTeamsChannelTarget
	MSTeamsUser    *MSTeamsUserTarget
}

// Data is the target as it is stored, and its type. What keeps it from being one is reported under path, by the caller's names.
func (n *ChannelEndpointTargetInput) Data(p *fault.Problems, path string) (kind EndpointType, data EndpointData) {
	name, count := "", 0
	is := func(set bool, of EndpointType, member string) bool {
		if set {
			kind, name = of, member
			count++
		}
		return set
	}
	if t := n.SlackChannel; is(t != nil, EndpointSlackChannel, "slackChannel") {
		data = EndpointData{ChannelID: t.ChannelID}
	}
	if t := n.SlackUser; is(t != nil, EndpointSlackUser, "slackUser") {
		data = EndpointData{UserID: t.UserID}
	}
	if t := n.Webhook; is(t != nil, EndpointWebhook, "webhook") {
		data = EndpointData{URL: t.URL, Channel: t.Channel}
	}
	if t := n.Phone; is(t != nil, EndpointPhone, "phone") {
		data = EndpointData{PhoneNumber: t.PhoneNumber}
	}
	if t := n.MSTeamsChannel; is(t != nil, EndpointMSTeamsChannel, "msTeamsChannel") {
		data = EndpointData{TeamID: t.TeamID, ChannelID: t.ChannelID}
	}
	if t := n.MSTeamsUser; is(t != nil, EndpointMSTeamsUser, "msTeamsUser") {
		data = EndpointData{UserID: t.UserID}
	}
	if count != 1 {
		p.Add(path, nil, "must hold exactly one of slackChannel, slackUser, webhook, phone, msTeamsChannel and msTeamsUser")
		return "", EndpointData{}
	}
	data.Validate(p, jsonvalue.Join(path, name), kind)
	return kind, data
}
