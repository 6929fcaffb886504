package triggers_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/workflow"
)

// TestAudienceRecipients: an event takes a copy of the filters that it names, and a pace needs a topic or an audience.
func TestAudienceRecipients(t *testing.T) {
	t.Parallel()
	a, accepted := newRecorded(t)
	rule := map[string]any{"==": []any{map[string]any{"var": "subscriber.locale"}, "de"}}
	a.DB.Ent.Audience.Create().SetIdentifier("german").SetRule(rule).SaveX(a.Ctx)
	a.DB.Ent.Audience.Create().SetIdentifier("fans").SetTopicKey("news").SaveX(a.Ctx)
	to := func(names ...string) (to []*triggers.RecipientInput) {
		for _, name := range names {
			to = append(to, &triggers.RecipientInput{Audience: &name})
		}
		return to
	}
	_, err := a.Triggers.Trigger(a.Ctx, triggers.TriggerInput{
		Name: "w", To: append(to("german", "fans", "german"), &triggers.RecipientInput{SubscriberID: new("u")}), PerSecond: new(7),
	})
	require.NoError(t, err)
	got := accepted.last(t)
	require.True(t, got.Topics && got.Reachable)
	require.Equal(t, 7, *got.PerSecond)
	var stored workflow.Recipients
	require.NoError(t, json.Unmarshal(got.Recipients, &stored))
	require.Equal(t, []workflow.AudienceRecipient{{Identifier: "german", Rule: rule}, {Identifier: "fans", TopicKey: "news"}}, stored.Audiences)
	require.Equal(t, "u", stored.Direct[0].SubscriberID)
	require.Empty(t, stored.Invalid)

	_, err = a.Triggers.Trigger(a.Ctx, triggers.TriggerInput{Name: "w", To: to("german")})
	require.NoError(t, err, "an audience alone is enough")
	require.True(t, accepted.last(t).Reachable)
	given := len(accepted.given)
	for field, in := range map[string]triggers.TriggerInput{
		"to.1.audience": {Name: "w", To: to("german", "none")},
		"perSecond":     {Name: "w", To: []*triggers.RecipientInput{{SubscriberID: new("u")}}, PerSecond: new(5)},
	} {
		_, err = a.Triggers.Trigger(a.Ctx, in)
		require.Equal(t, fault.Invalid, fault.KindOf(err))
		require.ErrorContains(t, err, field)
	}
	_, err = a.Triggers.Trigger(a.OtherEnvironment(t), triggers.TriggerInput{Name: "w", To: to("german")})
	require.ErrorContains(t, err, "to.0.audience")
	_, err = a.Triggers.Explain(a.Ctx, triggers.TriggerInput{Name: "w", To: to("german")}, nil, nil)
	require.ErrorContains(t, err, "audience")
	require.Len(t, accepted.given, given)
}
