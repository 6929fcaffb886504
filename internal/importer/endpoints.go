package importer

import (
	"context"
	"maps"
	"strings"

	"github.com/carillon/carillon/internal/configfiles"
)

// endpoint is a line of channel-endpoints.ndjson: the documented form.
type endpoint struct {
	Identifier            string         `json:"identifier"`
	SubscriberID          string         `json:"subscriberId"`
	IntegrationIdentifier string         `json:"integrationIdentifier"`
	ConnectionIdentifier  *string        `json:"connectionIdentifier,omitempty"`
	ContextKeys           []string       `json:"contextKeys"`
	Type                  string         `json:"type"`
	Endpoint              map[string]any `json:"endpoint"`
}

// target is the endpoint's target as a mutation takes it; an unknown type makes one that is refused.
func (e *endpoint) target() map[string]any {
	members := map[string]string{
		"slack_channel": "slackChannel", "slack_user": "slackUser", "webhook": "webhook",
		"phone": "phone", "ms_teams_channel": "msTeamsChannel", "ms_teams_user": "msTeamsUser",
	}
	member, known := members[strings.ToLower(e.Type)]
	if !known {
		return map[string]any{}
	}
	return map[string]any{member: e.Endpoint}
}

// putEndpoint creates a channel endpoint, or changes the target of the one that has its identifier.
func putEndpoint(ctx context.Context, t *Target, l Line) ([]Item, error) {
	var e endpoint
	err := l.decode(&e)
	if err == nil {
		err = checkNames(e.SubscriberID, e.Identifier)
	}
	if err != nil {
		return []Item{malformed(kindEndpoint, l, err)}, nil
	}
	maps.DeleteFunc(e.Endpoint, func(_ string, value any) bool { return value == nil || value == "" })
	item := Item{Kind: kindEndpoint, Name: e.Identifier, Result: Refused}
	if address, _ := e.Endpoint["url"].(string); strings.Contains(address, mask) {
		item.Reason = maskedReason
		return []Item{item}, nil
	}
	if e.IntegrationIdentifier == "" {
		item.Reason = "it belongs to no integration"
		return []Item{item}, nil
	}
	in := map[string]any{
		"identifier": e.Identifier, "subscriberId": e.SubscriberID, "integration": e.IntegrationIdentifier,
		"contextKeys": e.ContextKeys, "endpoint": e.target(),
	}
	if e.ConnectionIdentifier != nil {
		in["connection"] = *e.ConnectionIdentifier
	}
	err = t.do(ctx, `mutation($in: CreateChannelEndpointInput!) { createChannelEndpoint(input: $in) { channelEndpoint { id } } }`, map[string]any{"in": in}, nil)
	if refusal := refusalOf(err); refusal != nil && refusal.Code == "ALREADY_EXISTS" {
		item, err = t.updateEndpoint(ctx, e)
	} else {
		item, err = settled(kindEndpoint, e.Identifier, err)
	}
	return []Item{item}, err
}

// targetSelection asks for the target of a channel endpoint, whatever its type.
const targetSelection = `... on SlackChannelTarget { channelId } ... on SlackUserTarget { userId } ... on WebhookTarget { url channel }
	... on PhoneTarget { phoneNumber } ... on MSTeamsChannelTarget { teamId channelId } ... on MSTeamsUserTarget { userId }`

func (t *Target) updateEndpoint(ctx context.Context, e endpoint) (Item, error) {
	var answer struct {
		Found struct {
			ID, SubscriberID, Type string
			Endpoint               map[string]any
		}
	}
	err := t.do(ctx, `query($i: String!) { found: channelEndpointByIdentifier(identifier: $i) { id subscriberId type endpoint { `+targetSelection+` } } }`, map[string]any{"i": e.Identifier}, &answer)
	if err != nil {
		return settled(kindEndpoint, e.Identifier, err)
	}
	found := answer.Found
	if found.SubscriberID != e.SubscriberID || !strings.EqualFold(found.Type, e.Type) {
		return Item{Kind: kindEndpoint, Name: e.Identifier, Result: Refused, Reason: "the target has another endpoint of this identifier"}, nil
	}
	maps.DeleteFunc(found.Endpoint, func(_ string, value any) bool { return value == nil || value == "" })
	shown := maps.Clone(e.Endpoint)
	if shown["url"] != nil {
		shown["url"] = maskOf(shown["url"])
	}
	if configfiles.Same(shown, found.Endpoint) {
		return Item{Kind: kindEndpoint, Name: e.Identifier, Result: Unchanged}, nil
	}
	in := map[string]any{"id": found.ID, "endpoint": e.target()}
	return settled(kindEndpoint, e.Identifier, t.do(ctx, `mutation($in: UpdateChannelEndpointInput!) { updateChannelEndpoint(input: $in) { channelEndpoint { id } } }`, map[string]any{"in": in}, nil))
}
