package audience_test

import (
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

func TestSubscribers(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)

	made, err := a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{
		SubscriberID: "  ann ",
		SubscriberProfile: audience.SubscriberProfile{
			Profile: audience.ProfileChanges{FirstName: graphql.OmittableOf(new("Ann")), Locale: graphql.OmittableOf(new("en-GB")), Timezone: graphql.OmittableOf(new("Europe/Berlin"))}, Data: graphql.OmittableOf(map[string]any{"plan": "pro"}),
			Schedule: graphql.OmittableOf(&audience.ScheduleInput{IsEnabled: true, WeeklySchedule: &audience.WeeklySchedule{
				Monday: &calendar.DaySchedule{IsEnabled: true, Hours: []calendar.TimeRange{{Start: "09:00 AM", End: "05:00 PM"}}},
			}}),
		},
	})
	require.NoError(t, err)
	require.Equal(t, "ann", made.SubscriberID)
	require.Equal(t, "09:00 AM", made.Schedule.WeeklySchedule["monday"].Hours[0].Start)

	_, err = a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{SubscriberID: "ann"})
	notifytest.RequireKind(t, fault.Conflict, err)

	changed, err := a.Subscribers.Update(a.Ctx, audience.UpdateSubscriberInput{ID: made.GlobalID(), SubscriberProfile: audience.SubscriberProfile{
		Profile: audience.ProfileChanges{FirstName: graphql.OmittableOf[*string](nil), Email: graphql.OmittableOf(new("ann@example.com"))},
		Data:    graphql.OmittableOf[map[string]any](nil),
	}})
	require.NoError(t, err)
	require.Nil(t, changed.FirstName)
	require.Nil(t, changed.Data)
	require.Equal(t, "ann@example.com", *changed.Email)
	require.Equal(t, "Europe/Berlin", *changed.Timezone, "what is left out stays")

	page, err := a.Subscribers.List(a.Ctx, usecase.Page{}, nil, &audience.SubscriberFilter{Email: new("ann@example.com")})
	require.NoError(t, err)
	require.Len(t, page.Nodes(), 1)
}

func TestSubscribersReportEveryProblem(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	_, err := a.Subscribers.Create(a.Ctx, audience.CreateSubscriberInput{
		SubscriberID: "not ok!",
		SubscriberProfile: audience.SubscriberProfile{
			Profile:  audience.ProfileChanges{Locale: graphql.OmittableOf(new("??")), Timezone: graphql.OmittableOf(new("Mars/Base"))},
			Data:     graphql.OmittableOf(map[string]any{"x": strings.Repeat("y", 70_000)}),
			Schedule: graphql.OmittableOf(&audience.ScheduleInput{WeeklySchedule: &audience.WeeklySchedule{Sunday: &calendar.DaySchedule{Hours: []calendar.TimeRange{{Start: "25:00", End: "05:00 PM"}}}}}),
		},
	})
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	var paths []string
	for _, field := range f.Fields {
		paths = append(paths, field.Path)
	}
	require.ElementsMatch(t, []string{"subscriberId", "locale", "timezone", "data", "schedule.weeklySchedule.sunday.hours.0.start"}, paths)
}

func TestDeletedSubscribersAreUnknown(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	u := a.MakeSubscribers(t, 1)[0]
	_, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}})
	require.NoError(t, err)

	deleted, err := a.Subscribers.Delete(a.Ctx, u.GlobalID())
	require.NoError(t, err)
	require.True(t, deleted.Deleted)
	require.Equal(t, a.Now, deleted.DeletedAt.UTC())

	_, err = a.Subscribers.BySubscriberID(a.Ctx, "u0")
	notifytest.RequireKind(t, fault.NotFound, err)
	_, err = a.Subscribers.Delete(a.Ctx, u.GlobalID())
	notifytest.RequireKind(t, fault.NotFound, err)
	kept, err := a.Subscribers.Get(a.Ctx, u.GlobalID())
	require.NoError(t, err, "history still finds them")
	require.True(t, kept.Deleted)

	again := a.MakeSubscribers(t, 1)[0]
	require.NotEqual(t, u.ID, again.ID)
	result, err := a.Subscriptions.Create(a.Ctx, audience.CreateSubscriptionsInput{TopicKey: "news", SubscriberIDs: []string{"u0"}})
	require.NoError(t, err)
	require.Empty(t, result.Errors, "the identifiers of the deleted one are free")
}

func TestSubscriberChannels(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	key := audience.SubscriberChannelKey{SubscriberID: "u0", ProviderID: "fcm"}
	set := func(tokens ...string) []string {
		made, err := a.SubscriberChannels.Set(a.Ctx, audience.SetSubscriberChannelInput{
			SubscriberChannelKey: key, Credentials: workflow.ChannelCredentials{DeviceTokens: tokens},
		})
		require.NoError(t, err)
		return made.Credentials.DeviceTokens
	}
	require.Equal(t, []string{"a", "b"}, set("a", "b"))
	require.Equal(t, []string{"a", "b", "c"}, set("b", "c"))

	left, err := a.SubscriberChannels.RemoveDeviceTokens(a.Ctx, audience.RemoveDeviceTokensInput{SubscriberChannelKey: key, DeviceTokens: []string{"a", "z"}})
	require.NoError(t, err)
	require.Equal(t, []string{"b", "c"}, left.Credentials.DeviceTokens)

	_, err = a.SubscriberChannels.Set(a.Ctx, audience.SetSubscriberChannelInput{SubscriberChannelKey: audience.SubscriberChannelKey{SubscriberID: "u0", ProviderID: "mailgun"}})
	notifytest.RequireKind(t, fault.Invalid, err)
	_, err = a.SubscriberChannels.Set(a.Ctx, audience.SetSubscriberChannelInput{SubscriberChannelKey: audience.SubscriberChannelKey{SubscriberID: "u0", ProviderID: "fcm", IntegrationIdentifier: new("none")}})
	notifytest.RequireKind(t, fault.Invalid, err)

	_, err = a.SubscriberChannels.Delete(a.Ctx, left.GlobalID())
	require.NoError(t, err)
	_, err = a.SubscriberChannels.ByKey(a.Ctx, key)
	notifytest.RequireKind(t, fault.NotFound, err)
}
