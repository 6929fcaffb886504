package workflow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
)

// TestChannelEndpointTargets: what a caller gives is stored and shown again in its type's form.
func TestChannelEndpointTargets(t *testing.T) {
	t.Parallel()
	for kind, in := range map[workflow.EndpointType]workflow.ChannelEndpointTargetInput{
		workflow.EndpointSlackChannel:   {SlackChannel: &workflow.SlackChannelTarget{ChannelID: "C"}},
		workflow.EndpointSlackUser:      {SlackUser: &workflow.SlackUserTarget{UserID: "U"}},
		workflow.EndpointWebhook:        {Webhook: &workflow.WebhookTarget{URL: "https://a.example/x", Channel: "#news"}},
		workflow.EndpointPhone:          {Phone: &workflow.PhoneTarget{PhoneNumber: "+4915112345678"}},
		workflow.EndpointMSTeamsChannel: {MSTeamsChannel: &workflow.MSTeamsChannelTarget{TeamID: "T", ChannelID: "C"}},
		workflow.EndpointMSTeamsUser:    {MSTeamsUser: &workflow.MSTeamsUserTarget{UserID: "U"}},
	} {
		var p fault.Problems
		got, data := in.Data(&p, "endpoint")
		require.NoError(t, p.Err(), kind)
		require.Equal(t, kind, got)
		given := []workflow.ChannelEndpointTarget{in.SlackChannel, in.SlackUser, in.Webhook, in.Phone, in.MSTeamsChannel, in.MSTeamsUser}
		require.Contains(t, given, data.Target(kind), kind)
	}
	for name, c := range map[string]struct {
		in   workflow.ChannelEndpointTargetInput
		want string
	}{
		"None":  {workflow.ChannelEndpointTargetInput{}, "endpoint: must hold exactly one of"},
		"Two":   {workflow.ChannelEndpointTargetInput{Phone: &workflow.PhoneTarget{}, Webhook: &workflow.WebhookTarget{}}, "endpoint: must hold exactly one of"},
		"Empty": {workflow.ChannelEndpointTargetInput{SlackUser: &workflow.SlackUserTarget{}}, "endpoint.slackUser.userId: is required"},
	} {
		var p fault.Problems
		kind, _ := c.in.Data(&p, "endpoint")
		require.ErrorContains(t, p.Err(), c.want, name)
		require.Equal(t, name == "Empty", kind != "", name)
	}
}
