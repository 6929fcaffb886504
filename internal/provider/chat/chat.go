// Package chat holds the chat providers, one file each, and what they share: the target's webhook URL.
package chat

import (
	"cmp"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Providers lists the chat providers.
func Providers() []provider.Definition {
	return []provider.Definition{
		slack, discord, msteams, mattermost, ryver, zulip, grafana, getstream, rocketChat, whatsapp, webhook, demo,
	}
}

// webhookURL is the override's, else the endpoint's or channel setting's.
func webhookURL(m *provider.Message) (string, error) {
	u := cmp.Or(provider.Override(m, "webhookUrl"), m.Target.Endpoint.URL)
	if u == "" {
		return "", provider.Failf(provider.Permanent, "the target has no webhook URL")
	}
	return u, nil
}

// interpreted are the overrides that every webhook provider reads itself and never sends.
var interpreted = []string{"webhookUrl", "hmacSecretKey"}

var slackEndpoints = []workflow.EndpointType{
	workflow.EndpointWebhook, workflow.EndpointSlackChannel, workflow.EndpointSlackUser,
}
