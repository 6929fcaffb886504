package audience_test

import (
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestAddressesAreCheckedWhenStored gives addresses that nothing could be sent to: each is refused by the name of its field.
func TestAddressesAreCheckedWhenStored(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	given := func(text string) graphql.Omittable[*string] { return graphql.OmittableOf(&text) }
	_, err := a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: "x", SubscriberProfile: audience.SubscriberProfile{
		Profile: audience.ProfileChanges{Email: given("Ada <ada@example.com>"), Phone: given("0151 12345678"), Avatar: given("javascript:alert(1)")},
	}})
	require.ElementsMatch(t, []string{"email", "phone", "avatar"}, notifytest.Paths(t, err))
	_, err = a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: "y", SubscriberProfile: audience.SubscriberProfile{
		Profile: audience.ProfileChanges{Email: given("ada@example.com"), Phone: given("+4915112345678"), Avatar: given("/a.png"), FirstName: given("")},
	}})
	require.NoError(t, err)
	long := given(strings.Repeat("a", 2049))
	_, err = a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: "z", SubscriberProfile: audience.SubscriberProfile{
		Profile: audience.ProfileChanges{FirstName: long, LastName: long, Email: long, Phone: long, Avatar: long, Locale: long, Timezone: long},
	}})
	for _, text := range workflow.ProfileTexts() {
		require.Contains(t, notifytest.Paths(t, err), text.Name)
	}

	set := func(c workflow.ChannelCredentials) error {
		_, err := a.SubscriberChannels.Set(a.Ctx, audience.SetSubscriberChannelInput{
			SubscriberChannelKey: audience.SubscriberChannelKey{SubscriberID: "u0", ProviderID: "slack"}, Credentials: c,
		})
		return err
	}
	require.ElementsMatch(t,
		[]string{"credentials.webhookUrl", "credentials.imageUrl", "credentials.externalUrl", "credentials.deviceTokens.1", "credentials.deviceTokens.2"},
		notifytest.Paths(t, set(workflow.ChannelCredentials{
			WebhookURL: "hooks.example.com", ImageURL: "data:image/png,x", ExternalURL: "javascript:x",
			DeviceTokens: []string{"ok", "", strings.Repeat("t", 5000)},
		})))
	require.NoError(t, set(workflow.ChannelCredentials{WebhookURL: "https://hooks.example.com/x", DeviceTokens: []string{"ok"}}))
}
