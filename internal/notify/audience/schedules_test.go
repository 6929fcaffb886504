package audience_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// TestSchedules stores weeks as the documented API writes them, and shows them by weekday again.
func TestSchedules(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	day := func(start, end string) *calendar.DaySchedule {
		return &calendar.DaySchedule{IsEnabled: true, Hours: []calendar.TimeRange{{Start: start, End: end}}}
	}
	set := func(in *audience.ScheduleInput) (*calendar.Schedule, error) {
		changed, err := a.Preferences.SetSchedule(a.Ctx, audience.SetScheduleInput{SubscriberID: "u0", Schedule: in})
		if err != nil {
			return nil, err
		}
		return changed.Schedule, nil
	}
	for name, c := range map[string]struct{ day, want *calendar.DaySchedule }{
		"documented": {day("09:00 AM", "05:30 PM"), day("09:00 AM", "05:30 PM")},
		"lower case": {day(" 09:00 am", "05:30 pm "), day("09:00 AM", "05:30 PM")},
		"midnight":   {day("12:00 AM", "12:00 PM"), day("12:00 AM", "12:00 PM")},
		"closed":     {&calendar.DaySchedule{}, &calendar.DaySchedule{}},
	} {
		stored, err := set(&audience.ScheduleInput{IsEnabled: true, WeeklySchedule: &audience.WeeklySchedule{Sunday: c.day}})
		require.NoError(t, err, name)
		require.True(t, stored.IsEnabled)
		week := audience.WeekOf(stored)
		require.Equal(t, c.want.IsEnabled, week.Sunday.IsEnabled, name)
		require.ElementsMatch(t, c.want.Hours, week.Sunday.Hours, name)
		require.Nil(t, week.Monday, "a day that is missing is closed")
	}
	for name, wrong := range map[string]*calendar.DaySchedule{
		"no time": day("soon", "05:00 PM"), "no such hour": day("25:00", "26:00"), "nothing": day("", ""),
	} {
		_, err := set(&audience.ScheduleInput{IsEnabled: true, WeeklySchedule: &audience.WeeklySchedule{Friday: wrong}})
		notifytest.RequireKind(t, fault.Invalid, err)
		for _, path := range notifytest.Paths(t, err) {
			require.Contains(t, path, "schedule.weeklySchedule.friday", name)
		}
	}
	stored, err := set(&audience.ScheduleInput{})
	require.NoError(t, err)
	require.False(t, stored.IsEnabled)
	require.Nil(t, audience.WeekOf(stored), "switched off, without a week")
	stored, err = set(nil)
	require.NoError(t, err)
	require.Nil(t, stored, "null takes the schedule away")
	require.Nil(t, audience.WeekOf(nil))
	_, err = a.Preferences.SetSchedule(a.Ctx, audience.SetScheduleInput{SubscriberID: "nobody"})
	notifytest.RequireKind(t, fault.NotFound, err)
}
