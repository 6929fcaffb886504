package workflow_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

func TestSubscriberInputDiffers(t *testing.T) {
	t.Parallel()
	email := func(o workflow.Optional[string]) workflow.SubscriberInput {
		return workflow.SubscriberInput{Profile: workflow.Profile[workflow.Optional[string]]{Email: o}}
	}
	with := func(data map[string]any) workflow.SubscriberInput {
		return workflow.SubscriberInput{Data: workflow.Given(data)}
	}
	stored, none := `{"tags": ["a"], "age": 7, "n": 9007199254740992}`, ""
	for name, c := range map[string]struct {
		input workflow.SubscriberInput
		data  string
		want  bool
	}{
		"IDOnly":         {workflow.SubscriberInput{SubscriberID: "ann"}, stored, false},
		"SameAddress":    {email(workflow.Given("ann@example.com")), none, false},
		"OtherAddress":   {email(workflow.Given("ann@example.org")), none, true},
		"ClearedAddress": {email(workflow.Cleared[string]()), none, true},
		"ClearedBefore":  {workflow.SubscriberInput{Profile: workflow.Profile[workflow.Optional[string]]{Avatar: workflow.Cleared[string]()}}, none, false},
		"NewText":        {workflow.SubscriberInput{Profile: workflow.Profile[workflow.Optional[string]]{Avatar: workflow.Given("")}}, none, true},
		"Settings":       {workflow.SubscriberInput{Channels: []workflow.ChannelInput{{ProviderID: "expo"}}}, none, true},
		"SameData":       {with(map[string]any{"age": 7, "tags": []any{"a"}, "n": int64(9007199254740992)}), stored, false},
		"OtherData":      {with(map[string]any{"age": 8, "tags": []any{"a"}, "n": int64(9007199254740992)}), stored, true},
		"LongNumber":     {with(map[string]any{"age": 7, "tags": []any{"a"}, "n": int64(9007199254740993)}), stored, true},
		"FirstData":      {with(map[string]any{}), none, true},
		"ClearedData":    {workflow.SubscriberInput{Data: workflow.Cleared[map[string]any]()}, stored, true},
		"NeverData":      {workflow.SubscriberInput{Data: workflow.Cleared[map[string]any]()}, none, false},
	} {
		var data []byte
		if c.data != "" {
			data = []byte(c.data)
		}
		require.Equal(t, c.want, c.input.Differs(&workflow.Profile[*string]{Email: new("ann@example.com")}, data), name)
	}
}

func TestMergeChannels(t *testing.T) {
	t.Parallel()
	channel := func(provider, integration string, c workflow.ChannelCredentials) workflow.ChannelInput {
		return workflow.ChannelInput{ProviderID: provider, IntegrationIdentifier: integration, Credentials: c}
	}
	given := []workflow.ChannelInput{
		channel("fcm", "", workflow.ChannelCredentials{DeviceTokens: []string{"a", "", "a"}}),
		channel("slack", "", workflow.ChannelCredentials{WebhookURL: "https://one.example", Channel: "#a"}),
		channel("fcm", "second", workflow.ChannelCredentials{DeviceTokens: []string{"z"}}),
		channel("fcm", "", workflow.ChannelCredentials{DeviceTokens: []string{"b", "a"}}),
		channel("slack", "", workflow.ChannelCredentials{Channel: "#b"}),
	}
	require.Equal(t, []workflow.ChannelInput{
		channel("fcm", "", workflow.ChannelCredentials{DeviceTokens: []string{"a", "b"}}),
		channel("slack", "", workflow.ChannelCredentials{WebhookURL: "https://one.example", Channel: "#b"}),
		channel("fcm", "second", workflow.ChannelCredentials{DeviceTokens: []string{"z"}}),
	}, workflow.MergeChannels(given))
	require.Equal(t, []string{"a", "", "a"}, given[0].Credentials.DeviceTokens)

	var tokens []string
	for i := range workflow.MaxDeviceTokens + 2 {
		tokens = append(tokens, fmt.Sprint(i))
	}
	merged := workflow.MergeChannels([]workflow.ChannelInput{channel("fcm", "", workflow.ChannelCredentials{DeviceTokens: tokens})})
	require.Equal(t, tokens[2:], merged[0].Credentials.DeviceTokens, "the newest stay")
}
