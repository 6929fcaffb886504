package calendar_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func day(ranges ...string) calendar.DaySchedule {
	d := calendar.DaySchedule{IsEnabled: true}
	for i := 0; i+1 < len(ranges); i += 2 {
		d.Hours = append(d.Hours, calendar.TimeRange{Start: ranges[i], End: ranges[i+1]})
	}
	return d
}

func week(days map[string]calendar.DaySchedule) *calendar.Schedule {
	return &calendar.Schedule{IsEnabled: true, WeeklySchedule: days}
}

func TestClock(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"12:00 AM": 0, "12:30 AM": 30, "09:05 am": 545, "12:00 PM": 720, "11:59 PM": 1439} {
		got, ok := calendar.ParseClock(text)
		require.True(t, ok, text)
		require.Equal(t, want, got)
	}
	for _, bad := range []string{"", "13:00 PM", "09:60 AM", "09:00", "0900 AM"} {
		_, ok := calendar.ParseClock(bad)
		require.False(t, ok, bad)
	}
	for minute := range 24 * 60 {
		got, ok := calendar.ParseClock(calendar.FormatClock(minute))
		require.True(t, ok)
		require.Equal(t, minute, got)
	}
}

func TestOpenAt(t *testing.T) {
	t.Parallel()
	berlin := workflowtest.Zone(t, "Europe/Berlin")
	s := week(map[string]calendar.DaySchedule{
		"monday":    day("09:00 AM", "12:00 PM", "01:00 PM", "05:00 PM"),
		"tuesday":   day(),                       // all day
		"wednesday": {IsEnabled: false},          // closed
		"friday":    day("10:00 PM", "02:00 AM"), // over midnight into a day that is not listed
		"sunday":    day("08:00 AM", "08:00 AM"), // a whole turn of the clock
	})
	for at, want := range map[string]bool{
		"2025-03-03T09:00": true, "2025-03-03T08:59": false, "2025-03-03T12:00": false, "2025-03-03T13:00": true,
		"2025-03-03T16:59": true, "2025-03-03T17:00": false,
		"2025-03-04T00:00": true, "2025-03-04T23:59": true, "2025-03-05T12:00": false, "2025-03-06T12:00": false,
		"2025-03-07T22:00": true, "2025-03-08T01:59": true, "2025-03-08T02:00": false, "2025-03-08T22:00": false,
		"2025-03-09T08:00": true, "2025-03-10T07:59": true, "2025-03-10T08:00": false,
	} {
		require.Equal(t, want, s.OpenAt(workflowtest.Instant(t, at, berlin), berlin), at)
	}
	require.True(t, (*calendar.Schedule)(nil).OpenAt(time.Unix(0, 0), berlin))
	require.True(t, (&calendar.Schedule{WeeklySchedule: s.WeeklySchedule}).OpenAt(workflowtest.Instant(t, "2025-03-05T12:00", berlin), berlin))
	require.True(t, (&calendar.Schedule{IsEnabled: true}).OpenAt(time.Unix(0, 0), berlin))

	closed := week(map[string]calendar.DaySchedule{})
	require.False(t, closed.OpenAt(time.Unix(0, 0), berlin), "a weekday that is missing is closed, and so are all of them")
	_, ok := closed.NextOpen(time.Unix(0, 0), berlin)
	require.False(t, ok)
	stored, err := json.Marshal(closed)
	require.NoError(t, err)
	require.JSONEq(t, `{"isEnabled": true, "weeklySchedule": {}}`, string(stored), "else it would be open once it is read back")
}

func TestNextOpen(t *testing.T) {
	t.Parallel()
	berlin, ny := workflowtest.Zone(t, "Europe/Berlin"), workflowtest.Zone(t, "America/New_York")
	for name, tc := range map[string]struct {
		days     map[string]calendar.DaySchedule
		loc      *time.Location
		at, want string
	}{
		"Now":         {map[string]calendar.DaySchedule{"monday": day("09:00 AM", "05:00 PM")}, berlin, "2025-03-03T09:30:00+01:00", "2025-03-03T09:30:00+01:00"},
		"NextWeek":    {map[string]calendar.DaySchedule{"monday": day("09:00 AM", "05:00 PM")}, berlin, "2025-03-03T17:00:00+01:00", "2025-03-10T09:00:00+01:00"},
		"WholeDay":    {map[string]calendar.DaySchedule{"saturday": day()}, ny, "2025-03-03T17:00:00Z", "2025-03-08T00:00:00-05:00"},
		"GapHour":     {map[string]calendar.DaySchedule{"sunday": day("02:30 AM", "04:00 AM")}, berlin, "2025-03-30T00:00:00+01:00", "2025-03-30T03:00:00+02:00"},
		"WhollyInGap": {map[string]calendar.DaySchedule{"sunday": day("02:00 AM", "02:45 AM")}, berlin, "2025-03-30T00:00:00+01:00", "2025-04-06T02:00:00+02:00"},
		"SecondTwo":   {map[string]calendar.DaySchedule{"sunday": day("02:00 AM", "02:30 AM")}, berlin, "2025-10-26T02:40:00+02:00", "2025-10-26T02:00:00+01:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := week(tc.days).NextOpen(workflowtest.Instant(t, tc.at, time.UTC), tc.loc)
			require.True(t, ok)
			require.True(t, workflowtest.Instant(t, tc.want, time.UTC).Equal(got), got.In(tc.loc))
		})
	}
	_, ok := week(map[string]calendar.DaySchedule{"monday": {IsEnabled: false}}).NextOpen(time.Unix(0, 0), berlin)
	require.False(t, ok)
}

func TestWallClock(t *testing.T) {
	t.Parallel()
	berlin := workflowtest.Zone(t, "Europe/Berlin")
	for name, tc := range map[string]struct {
		month  time.Month
		d, min int
		want   string
	}{
		"Plain":  {3, 1, 9 * 60, "2025-03-01T09:00:00+01:00"},
		"Gap":    {3, 30, 2*60 + 30, "2025-03-30T03:00:00+02:00"},
		"Twice":  {10, 26, 2*60 + 30, "2025-10-26T02:30:00+02:00"},
		"Beyond": {1, 32, 24 * 60, "2025-02-02T00:00:00+01:00"},
	} {
		got := calendar.WallClock(2025, tc.month, tc.d, tc.min, berlin)
		require.True(t, workflowtest.Instant(t, tc.want, time.UTC).Equal(got), "%s: %s", name, got)
	}
	apia := workflowtest.Zone(t, "Pacific/Apia") // skipped 30 December 2011 altogether
	got := calendar.WallClock(2011, 12, 30, 12*60, apia)
	require.True(t, workflowtest.Instant(t, "2011-12-31T00:00:00+14:00", time.UTC).Equal(got), got)
}

// NextOpen is what minute by minute search finds.
func TestNextOpenAgainstSearch(t *testing.T) {
	t.Parallel()
	names := []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
	rapid.Check(t, func(rt *rapid.T) {
		days := map[string]calendar.DaySchedule{}
		for _, name := range names {
			if rapid.IntRange(0, 3).Draw(rt, "there") == 0 {
				var hours []string
				for range rapid.IntRange(0, 2).Draw(rt, "ranges") {
					hours = append(hours,
						calendar.FormatClock(rapid.IntRange(0, 95).Draw(rt, "start")*15), calendar.FormatClock(rapid.IntRange(0, 95).Draw(rt, "end")*15))
				}
				days[name] = day(hours...)
			}
		}
		days["sunday"] = day(calendar.FormatClock(rapid.IntRange(0, 20).Draw(rt, "s")*15), calendar.FormatClock(rapid.IntRange(0, 20).Draw(rt, "e")*15))
		loc := workflowtest.Zone(t, rapid.SampledFrom([]string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC", "Asia/Kathmandu"}).Draw(rt, "zone"))
		// The hours around the changes of 2025 in these zones, and any others.
		base := rapid.SampledFrom([]string{"2025-03-29T20:00:00Z", "2025-10-25T20:00:00Z", "2025-03-09T00:00:00Z", "2025-11-02T00:00:00Z", "2025-04-05T10:00:00Z", "2025-10-04T10:00:00Z"}).Draw(rt, "base")
		at := workflowtest.Instant(t, base, time.UTC).Add(time.Duration(rapid.IntRange(0, 24*60).Draw(rt, "minute")) * time.Minute)

		s := week(days)
		got, ok := s.NextOpen(at, loc)
		for c := at; c.Before(at.Add(8 * 24 * time.Hour)); c = c.Add(time.Minute) {
			if s.OpenAt(c, loc) {
				require.True(rt, ok)
				require.True(rt, c.Equal(got), "want %s, got %s", c.In(loc), got.In(loc))
				return
			}
		}
		require.True(rt, !ok || got.Sub(at) >= 8*24*time.Hour)
	})
}

func TestScheduleValidate(t *testing.T) {
	t.Parallel()
	p := &fault.Problems{}
	week(map[string]calendar.DaySchedule{"funday": day(), "monday": day("9", "25:00 PM")}).Validate(p, "schedule")
	require.Equal(t, []string{
		"schedule.weeklySchedule.funday", "schedule.weeklySchedule.monday.hours.0.start", "schedule.weeklySchedule.monday.hours.0.end",
	}, workflowtest.Paths(t, p.Err()))
}

// FuzzSchedule: any hours can be judged, and NextOpen only ever names open moments.
func FuzzSchedule(f *testing.F) {
	f.Add("09:00 AM", "05:00 PM", "monday", int64(1741000000))
	f.Add("10:00 PM", "02:00 AM", "sunday", int64(1743292800))
	f.Add("", "x", "friday", int64(-1))
	f.Fuzz(func(t *testing.T, start, end, name string, unix int64) {
		at := time.Unix(unix%1e10, 0)
		s := week(map[string]calendar.DaySchedule{name: day(start, end)})
		for _, loc := range []*time.Location{time.UTC, workflowtest.Zone(t, "Europe/Berlin"), workflowtest.Zone(t, "Australia/Lord_Howe")} {
			if open, ok := s.NextOpen(at, loc); ok {
				require.True(t, s.OpenAt(open, loc))
				require.False(t, open.Before(at))
			}
		}
	})
}
