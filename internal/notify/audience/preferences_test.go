package audience_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

func critical(c *ent.WorkflowCreate, _ *workflow.Definition) { c.SetCritical(true) }

func TestReadPreferences(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	a.MakeWorkflow(t, "order", func(_ *ent.WorkflowCreate, d *workflow.Definition) { d.Preferences.SMS = notifytest.No() })
	a.MakeWorkflow(t, "alarm", critical)
	a.MakeWorkflow(t, "asleep", func(c *ent.WorkflowCreate, _ *workflow.Definition) { c.SetActive(false) })
	a.MakeWorkflow(t, "promo", nil)
	_, err := a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{SubscriberID: "u0", Channels: &workflow.ChannelPreferences{Push: notifytest.No()}})
	require.NoError(t, err)
	_, err = a.Preferences.Update(a.Ctx, audience.UpdatePreferencesInput{SubscriberID: "u0", Preferences: []audience.WorkflowPreferenceInput{
		{WorkflowID: "promo", Channels: workflow.ChannelPreferences{Email: notifytest.No()}},
	}})
	require.NoError(t, err)

	read, err := a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "u0"})
	require.NoError(t, err)
	require.True(t, read.Global.Enabled)
	require.Equal(t, workflow.ChannelPreferences{Email: notifytest.Yes(), SMS: notifytest.Yes(), InApp: notifytest.Yes(), Chat: notifytest.Yes(), Push: notifytest.No()}, read.Global.Channels)
	require.Nil(t, read.Global.Schedule)
	require.Len(t, read.Workflows, 2, "active and not critical, oldest first")
	order, promo := read.Workflows[0], read.Workflows[1]
	require.Equal(t, "order", order.Workflow.Identifier)
	require.Equal(t, workflow.ChannelPreferences{Email: notifytest.Yes(), SMS: notifytest.No(), InApp: notifytest.Yes(), Chat: notifytest.Yes(), Push: notifytest.No()}, order.Channels)
	require.Nil(t, order.UpdatedAt)
	require.Empty(t, order.StepChannels, "nothing is published")
	require.Equal(t, []workflow.EffectivePreference{
		{Channel: workflow.ChannelEmail, Enabled: true, Source: workflow.SourceTemplate, Rule: workflow.RuleDefault},
		{Channel: workflow.ChannelSMS, Enabled: false, Source: workflow.SourceTemplate, Rule: workflow.RuleAuthor},
		{Channel: workflow.ChannelInApp, Enabled: true, Source: workflow.SourceTemplate, Rule: workflow.RuleDefault},
		{Channel: workflow.ChannelChat, Enabled: true, Source: workflow.SourceTemplate, Rule: workflow.RuleDefault},
		{Channel: workflow.ChannelPush, Enabled: false, Source: workflow.SourceSubscriber, Rule: workflow.RuleSubscriberGlobal},
	}, order.Overrides)
	require.False(t, *promo.Channels.Email)
	require.NotNil(t, promo.UpdatedAt)

	for choice, want := range map[audience.Criticality]int{audience.CriticalityCritical: 1, audience.CriticalityAll: 3} {
		read, err := a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "u0", Criticality: &choice})
		require.NoError(t, err)
		require.Len(t, read.Workflows, want)
	}
	scoped, err := a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "u0", ContextKeys: []string{"region:eu"}})
	require.NoError(t, err)
	require.True(t, *scoped.Global.Channels.Push, "scopes do not inherit")
	_, err = a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "ghost"})
	notifytest.RequireKind(t, fault.NotFound, err)
	_, err = a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "u0", Criticality: new(audience.Criticality("some"))})
	notifytest.RequireKind(t, fault.Invalid, err)
}

func TestUpdatePreferences(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	order := a.MakeWorkflow(t, "order", nil)
	a.MakeWorkflow(t, "alarm", critical)
	a.MakeWorkflow(t, "asleep", func(c *ent.WorkflowCreate, _ *workflow.Definition) { c.SetActive(false) })
	update := func(items ...audience.WorkflowPreferenceInput) ([]*audience.PreferenceResult, error) {
		return a.Preferences.Update(a.Ctx, audience.UpdatePreferencesInput{SubscriberID: "u0", Preferences: items})
	}
	item := func(ref string, c workflow.ChannelPreferences) audience.WorkflowPreferenceInput {
		return audience.WorkflowPreferenceInput{WorkflowID: ref, Channels: c}
	}

	results, err := update(
		item("order", workflow.ChannelPreferences{Email: notifytest.Yes()}),
		item("asleep", workflow.ChannelPreferences{}),
		item(id.Slug("order", "wf", order.ID), workflow.ChannelPreferences{SMS: notifytest.No()}),
		item(order.ID, workflow.ChannelPreferences{Email: notifytest.No(), Chat: notifytest.No()}),
	)
	require.NoError(t, err)
	require.Len(t, results, 2)
	require.Equal(t, "order", results[0].Workflow.Identifier)
	require.Equal(t, audience.LevelTemplate, results[0].Level)
	require.Equal(t, workflow.ChannelPreferences{Email: notifytest.No(), SMS: notifytest.Yes(), InApp: notifytest.Yes(), Chat: notifytest.No(), Push: notifytest.Yes()}, results[0].Channels)
	require.Equal(t, "asleep", results[1].Workflow.Identifier)
	require.Equal(t, 1, a.DB.Ent.Preference.Query().CountX(a.Ctx), "an empty wish stores nothing")

	results, err = update(item("order", workflow.ChannelPreferences{Chat: notifytest.Yes()}))
	require.NoError(t, err)
	require.Equal(t, workflow.ChannelPreferences{Email: notifytest.No(), SMS: notifytest.Yes(), InApp: notifytest.Yes(), Chat: notifytest.Yes(), Push: notifytest.Yes()}, results[0].Channels, "other channels keep what they had")
	require.Equal(t, 2, a.DB.Ent.PreferenceChange.Query().CountX(a.Ctx))

	_, err = update()
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	require.Equal(t, audience.CodeEmptyPreferences, f.Code)
	_, err = update(item("order", workflow.ChannelPreferences{Push: notifytest.No()}), item("x", workflow.ChannelPreferences{}), item("y", workflow.ChannelPreferences{}))
	notifytest.RequireKind(t, fault.NotFound, err)
	require.ErrorContains(t, err, "x, y")
	_, err = update(item("order", workflow.ChannelPreferences{Push: notifytest.No()}), item("alarm", workflow.ChannelPreferences{}))
	require.ErrorAs(t, err, &f)
	require.Equal(t, audience.CodeCriticalWorkflow, f.Code)
	_, err = update(make([]audience.WorkflowPreferenceInput, 101)...)
	notifytest.RequireKind(t, fault.Invalid, err)
	require.Equal(t, 2, a.DB.Ent.PreferenceChange.Query().CountX(a.Ctx), "refused calls store nothing")
}

func TestGlobalWishesAreNewerThanSingleOnes(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	a.MakeWorkflow(t, "order", nil)
	a.MakeWorkflow(t, "promo", nil)
	region := map[string]any{"region": "eu"}
	for _, context := range []map[string]any{nil, region} {
		_, err := a.Preferences.Update(a.Ctx, audience.UpdatePreferencesInput{SubscriberID: "u0", Context: context, Preferences: []audience.WorkflowPreferenceInput{
			{WorkflowID: "order", Channels: workflow.ChannelPreferences{Email: notifytest.Yes(), SMS: notifytest.No()}},
			{WorkflowID: "promo", Channels: workflow.ChannelPreferences{Email: notifytest.Yes()}},
		}})
		require.NoError(t, err)
	}
	a.Now = a.Now.Add(time.Minute)
	result, err := a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{SubscriberID: "u0", Channels: &workflow.ChannelPreferences{Email: notifytest.No()}})
	require.NoError(t, err)
	require.Equal(t, audience.LevelGlobal, result.Level)

	read, err := a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "u0"})
	require.NoError(t, err)
	require.False(t, *read.Workflows[0].Channels.Email)
	require.False(t, *read.Workflows[0].Channels.SMS, "other channels keep their wish")
	require.Nil(t, read.Workflows[1].UpdatedAt, "nothing is left of it")
	other, err := a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "u0", ContextKeys: []string{"region:eu"}})
	require.NoError(t, err)
	require.True(t, *other.Workflows[0].Channels.Email, "another scope is another matter")

	_, err = a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{SubscriberID: "u0", Enabled: notifytest.No()})
	require.NoError(t, err)
	read, err = a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "u0"})
	require.NoError(t, err)
	require.False(t, read.Global.Enabled)
	require.False(t, *read.Workflows[0].Channels.InApp)

	history, err := a.PreferenceChanges.List(a.Ctx, usecase.Page{}, nil, &audience.PreferenceChangeFilter{SubscriberID: new("u0"), ContextKeys: []string{}})
	require.NoError(t, err)
	require.Len(t, history.Nodes(), 7, "two wishes, a global one with two losses, another with one loss")
	require.Equal(t, "api_key:key", history.Nodes()[0].ChangedBy)
}

func TestDeletePreference(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	_, err := a.Preferences.SetGlobal(a.Ctx, audience.SetGlobalPreferencesInput{SubscriberID: "u0", Channels: &workflow.ChannelPreferences{Email: notifytest.No()}})
	require.NoError(t, err)
	stored, err := a.Preferences.ByKey(a.Ctx, audience.PreferenceKey{SubscriberID: "u0"})
	require.NoError(t, err)
	_, err = a.Preferences.Delete(a.Ctx, stored.GlobalID())
	require.NoError(t, err)
	_, err = a.Preferences.ByKey(a.Ctx, audience.PreferenceKey{SubscriberID: "u0"})
	notifytest.RequireKind(t, fault.NotFound, err)
	require.Equal(t, 2, a.DB.Ent.PreferenceChange.Query().CountX(a.Ctx))
}

func TestSetSchedule(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	_, err := a.Preferences.SetSchedule(a.Ctx, audience.SetScheduleInput{SubscriberID: "u0", Schedule: &audience.ScheduleInput{IsEnabled: true}})
	require.NoError(t, err)
	read, err := a.Preferences.Read(a.Ctx, audience.ReadPreferencesInput{SubscriberID: "u0"})
	require.NoError(t, err)
	require.True(t, read.Global.Schedule.IsEnabled)
	saved, err := a.Preferences.SetSchedule(a.Ctx, audience.SetScheduleInput{SubscriberID: "u0", Schedule: &audience.ScheduleInput{
		IsEnabled: true, WeeklySchedule: &audience.WeeklySchedule{Monday: &calendar.DaySchedule{IsEnabled: true, Hours: []calendar.TimeRange{{Start: " 09:05 am ", End: "05:00 pm"}}}},
	}})
	require.NoError(t, err)
	require.Equal(t, []calendar.TimeRange{{Start: "09:05 AM", End: "05:00 PM"}}, saved.Schedule.WeeklySchedule["monday"].Hours, "written as documented")
	cleared, err := a.Preferences.SetSchedule(a.Ctx, audience.SetScheduleInput{SubscriberID: "u0"})
	require.NoError(t, err)
	require.Nil(t, cleared.Schedule)
}
