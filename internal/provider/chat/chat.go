// Package chat holds the chat providers, one file each, and what they share: the target's webhook URL.
package chat

import (
	"cmp"
	"maps"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// webhookURL is the override's, else the endpoint's or channel setting's.
func webhookURL(m *provider.Message) (string, error) {
	u := cmp.Or(provider.Override(m, "webhookUrl"), m.Target.Endpoint.URL)
	if u == "" {
		return "", provider.Failf(provider.Permanent, "the target has no webhook URL")
	}
	return u, nil
}

// apply lays the overrides over a request. An override that redirected an endpoint of that name has done its work.
func apply(req *provider.Request, m *provider.Message, style provider.Style, read ...string) {
	plain := *m
	plain.Merge = maps.Clone(m.Merge)
	maps.DeleteFunc(plain.Merge, func(name string, v any) bool {
		own, _ := v.(map[string]any)
		_, redirects := own["endpoint"].(map[string]any)
		return redirects && (len(own) == 1 || name == m.Target.EndpointIdentifier)
	})
	req.Apply(&plain, style, read...)
}

// interpreted are the overrides that every webhook provider reads itself and never sends.
var interpreted = []string{"webhookUrl", "hmacSecretKey"}

var slackEndpoints = []workflow.EndpointType{
	workflow.EndpointWebhook, workflow.EndpointSlackChannel, workflow.EndpointSlackUser,
}
