package client_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/rest/client"
)

func TestNullableIsLeftOutNullOrAValue(t *testing.T) {
	t.Parallel()
	for raw, profile := range map[string]client.SubscriberRecipient{
		`{"subscriberId":"ada"}`:                 {SubscriberID: "ada"},
		`{"email":null,"subscriberId":"ada"}`:    {SubscriberID: "ada", Email: client.Null[string]()},
		`{"email":"","subscriberId":"ada"}`:      {SubscriberID: "ada", Email: client.Value("")},
		`{"data":{"a":1},"subscriberId":"ada"}`:  {SubscriberID: "ada", Data: client.Value(map[string]any{"a": 1.0})},
		`{"locale":"de","subscriberId":"ada"}`:   {SubscriberID: "ada", Locale: client.Value("de")},
		`{"data":null,"subscriberId":"ada"}`:     {SubscriberID: "ada", Data: client.Null[map[string]any]()},
		`{"timezone":null,"subscriberId":"ada"}`: {SubscriberID: "ada", Timezone: client.Null[string]()},
	} {
		encoded, err := json.Marshal(profile)
		require.NoError(t, err)
		require.JSONEq(t, raw, string(encoded))
		var read client.SubscriberRecipient
		require.NoError(t, json.Unmarshal([]byte(raw), &read))
		require.Equal(t, profile, read)
	}
	var overrides client.StepOverrides
	overrides.LayoutID = client.Null[string]()
	encoded, err := json.Marshal(overrides)
	require.NoError(t, err)
	require.JSONEq(t, `{"layoutId":null}`, string(encoded))

	value, ok := client.Value("de").Get()
	require.True(t, ok)
	require.Equal(t, "de", value)
	_, ok = client.Null[string]().Get()
	require.False(t, ok)
	require.True(t, client.Null[string]().IsNull())
	require.False(t, client.Nullable[string]{}.IsNull())
	require.Error(t, json.Unmarshal([]byte(`{"email": 1}`), &client.Actor{}))
}

// Members of a recipient are set, left as they are, and cleared.
func TestNullClearsWhatAServerStores(t *testing.T) {
	t.Parallel()
	c, ctx := serving(t), t.Context()
	subscriber(t, "clearing")
	_, err := c.CreateSubscriptions(ctx, "clearing", client.CreateSubscriptionsRequest{Subscriptions: []client.CreateSubscriptionsRequest_Subscriptions{client.SubscriptionOf("clearing")}})
	require.NoError(t, err)

	type profile struct{ email, first, last string }
	for _, step := range []struct {
		recipient client.SubscriberRecipient
		stored    profile
	}{
		{client.SubscriberRecipient{Email: client.Value("ada@example.com"), FirstName: client.Value("Ada"), LastName: client.Value("King")}, profile{"ada@example.com", "Ada", "King"}},
		{client.SubscriberRecipient{LastName: client.Value("Lovelace")}, profile{"ada@example.com", "Ada", "Lovelace"}},
		{client.SubscriberRecipient{Email: client.Null[string]()}, profile{"", "Ada", "Lovelace"}},
	} {
		step.recipient.SubscriberID = "clearing"
		_, err := c.TriggerEvent(ctx, client.TriggerRequest{Name: "hello", To: client.Recipients(client.RecipientProfile(step.recipient)), Payload: map[string]any{"name": "Ada"}})
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			page, err := c.ListSubscriptions(ctx, "clearing", nil)
			if err != nil || len(page.Data) == 0 {
				return false
			}
			s := page.Data[0].Subscriber
			return step.stored == profile{text(s.Email), text(s.FirstName), text(s.LastName)}
		}, 20*time.Second, 20*time.Millisecond, "%+v", step.stored)
	}
}

// text is a text of an answer, empty when it is null.
func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
