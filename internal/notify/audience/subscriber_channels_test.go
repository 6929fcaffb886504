package audience_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// TestChannelSettings holds how settings are united, whose they are and how they end.
func TestChannelSettings(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	a.DB.Ent.Subscriber.Create().SetSubscriberID("ada").SaveX(a.Ctx)
	a.DB.Ent.Subscriber.Create().SetSubscriberID("bob").SaveX(a.Ctx)
	push := audience.SubscriberChannelKey{SubscriberID: "ada", ProviderID: "fcm"}
	set := func(key audience.SubscriberChannelKey, c workflow.ChannelCredentials) (*ent.SubscriberChannel, error) {
		return a.SubscriberChannels.Set(a.Ctx, audience.SetSubscriberChannelInput{SubscriberChannelKey: key, Credentials: c})
	}
	first, err := set(push, workflow.ChannelCredentials{DeviceTokens: []string{"a", "b"}, Title: "T"})
	require.NoError(t, err)
	second, err := set(push, workflow.ChannelCredentials{DeviceTokens: []string{"b", "c"}})
	require.NoError(t, err)
	require.Equal(t, first.ID, second.ID)
	require.ElementsMatch(t, []string{"a", "b", "c"}, second.Credentials.DeviceTokens, "tokens are united")
	require.Equal(t, "T", second.Credentials.Title, "what is left out stays")
	require.Nil(t, second.IntegrationID, "the provider has no integration")

	many := make([]string, workflow.MaxDeviceTokens)
	for i := range many {
		many[i] = fmt.Sprintf("new%d", i)
	}
	full, err := set(push, workflow.ChannelCredentials{DeviceTokens: many})
	require.NoError(t, err)
	require.ElementsMatch(t, many, full.Credentials.DeviceTokens, "of more than a hundred the newest stay")
	left, err := a.SubscriberChannels.RemoveDeviceTokens(a.Ctx, audience.RemoveDeviceTokensInput{SubscriberChannelKey: push, DeviceTokens: append(many[1:], "unknown")})
	require.NoError(t, err)
	require.Equal(t, many[:1], left.Credentials.DeviceTokens)

	for name, c := range map[string]struct {
		key  audience.SubscriberChannelKey
		in   workflow.ChannelCredentials
		want []string
	}{
		"no such provider":  {audience.SubscriberChannelKey{SubscriberID: "ada", ProviderID: "pigeon"}, workflow.ChannelCredentials{}, []string{"providerId"}},
		"too many tokens":   {push, workflow.ChannelCredentials{DeviceTokens: append(many, "x")}, []string{"credentials.deviceTokens"}},
		"too long a title":  {push, workflow.ChannelCredentials{Title: strings.Repeat("a", usecase.MaxTextLength+1)}, []string{"credentials.title"}},
		"a text with a NUL": {push, workflow.ChannelCredentials{Channel: "\x00", AlertUID: "\x00", State: "\x00"}, []string{"credentials.channel", "credentials.alertUid", "credentials.state"}},
		"not of the provider": {
			audience.SubscriberChannelKey{SubscriberID: "ada", ProviderID: "fcm", IntegrationIdentifier: new("acme-slack")},
			workflow.ChannelCredentials{},
			[]string{"integrationIdentifier"},
		},
	} {
		require.ElementsMatch(t, c.want, notifytest.Paths(t, notifytest.Err(set(c.key, c.in))), name)
	}
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(set(audience.SubscriberChannelKey{SubscriberID: "nobody", ProviderID: "fcm"}, workflow.ChannelCredentials{})))

	hook := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "chat-webhook", Identifier: new("hook")})
	chat := audience.SubscriberChannelKey{SubscriberID: "bob", ProviderID: "chat-webhook"}
	bound, err := set(chat, workflow.ChannelCredentials{WebhookURL: "https://chat.example.com/secret-path"})
	require.NoError(t, err)
	require.Equal(t, hook.ID, *bound.IntegrationID, "the provider's newest active integration")
	require.NotContains(t, bound.Credentials.WebhookURL, "secret-path", "addresses that let anybody send are sealed")
	same, err := set(chat, workflow.ChannelCredentials{WebhookURL: "https://chat.example.com/" + usecase.Mask, Channel: "#ops"})
	require.NoError(t, err)
	require.Equal(t, bound.Credentials.WebhookURL, same.Credentials.WebhookURL, "what was read is sent back")
	require.Equal(t, "#ops", same.Credentials.Channel)

	for name, c := range map[string]struct {
		filter *audience.SubscriberChannelFilter
		want   []string
	}{
		"none":       {nil, []string{bound.ID, first.ID}},
		"subscriber": {&audience.SubscriberChannelFilter{SubscriberID: new("ada")}, []string{first.ID}},
		"provider":   {&audience.SubscriberChannelFilter{ProviderID: new("chat-webhook")}, []string{bound.ID}},
		"neither":    {&audience.SubscriberChannelFilter{SubscriberID: new("ada"), ProviderID: new("chat-webhook")}, []string{}},
	} {
		list, err := a.SubscriberChannels.List(a.Ctx, usecase.Page{}, nil, c.filter)
		require.NoError(t, err)
		require.Equal(t, c.want, notifytest.NodeIDs(list.Nodes()), name)
	}
	of, err := a.SubscriberChannels.OfSubscribers(a.Ctx, []string{first.SubscriberID, "unknown"}, usecase.Page{})
	require.NoError(t, err)
	require.Empty(t, of["unknown"].Nodes())
	require.Equal(t, []string{first.ID}, notifytest.NodeIDs(of[first.SubscriberID].Nodes()))

	_, err = a.SubscriberChannels.Delete(a.Ctx, first.GlobalID())
	require.NoError(t, err)
	for _, err := range []error{
		notifytest.Err(a.SubscriberChannels.Get(a.Ctx, first.ID)), notifytest.Err(a.SubscriberChannels.ByKey(a.Ctx, push)),
		notifytest.Err(a.SubscriberChannels.Delete(a.Ctx, first.ID)),
		notifytest.Err(a.SubscriberChannels.RemoveDeviceTokens(a.Ctx, audience.RemoveDeviceTokensInput{SubscriberChannelKey: push})),
	} {
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}
