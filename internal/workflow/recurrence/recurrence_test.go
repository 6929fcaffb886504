package recurrence_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/recurrence"
)

func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	loc, err := time.LoadLocation(name)
	require.NoError(tb, err)
	return loc
}

func parsed(tb testing.TB, s recurrence.Spec) *recurrence.Plan {
	tb.Helper()
	var problems fault.Problems
	plan := recurrence.Parse(&problems, s)
	require.NoError(tb, problems.Err())
	require.NotNil(tb, plan)
	return plan
}

// runs are the first n runs after an instant, as RFC 3339 in the zone.
func runs(p *recurrence.Plan, after time.Time, loc *time.Location, n int) (list []string) {
	for at := range p.Runs(after, loc) {
		if list = append(list, at.In(loc).Format(time.RFC3339)); len(list) == n {
			break
		}
	}
	return list
}

func TestRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec  recurrence.Spec
		zone  string // UTC when empty
		after string // local, 2026-01-01T00:00 when empty
		want  string // without the year 2026
	}{
		"once":                          {recurrence.Spec{StartsAt: "2026-03-01T09:00"}, "Europe/Berlin", "", "03-01T09:00:00+01:00"},
		"once, in the past":             {recurrence.Spec{StartsAt: "2025-03-01T09:00"}, "", "", ""},
		"once, on a day without":        {recurrence.Spec{StartsAt: "2026-03-01T09:00", Exceptions: []string{"2026-03-01"}}, "", "", ""},
		"daily over the start of DST":   {recurrence.Spec{StartsAt: "2026-03-28T09:00", Rule: "FREQ=DAILY;COUNT=3"}, "Europe/Berlin", "", "03-28T09:00:00+01:00 03-29T09:00:00+02:00 03-30T09:00:00+02:00"},
		"daily over the end of DST":     {recurrence.Spec{StartsAt: "2026-10-24T09:00", Rule: "FREQ=DAILY;COUNT=3"}, "Europe/Berlin", "", "10-24T09:00:00+02:00 10-25T09:00:00+01:00 10-26T09:00:00+01:00"},
		"a time that is skipped":        {recurrence.Spec{StartsAt: "2026-03-28T02:30", Rule: "FREQ=DAILY;COUNT=3"}, "Europe/Berlin", "", "03-28T02:30:00+01:00 03-29T03:00:00+02:00 03-30T02:30:00+02:00"},
		"a time that occurs twice":      {recurrence.Spec{StartsAt: "2026-10-24T02:30", Rule: "FREQ=DAILY;COUNT=3"}, "Europe/Berlin", "", "10-24T02:30:00+02:00 10-25T02:30:00+02:00 10-26T02:30:00+01:00"},
		"hourly over a gap":             {recurrence.Spec{StartsAt: "2026-03-29T00:00", Rule: "FREQ=HOURLY;COUNT=5"}, "Europe/Berlin", "", "03-29T00:00:00+01:00 03-29T01:00:00+01:00 03-29T03:00:00+02:00 03-29T04:00:00+02:00"},
		"hourly over a repeated hour":   {recurrence.Spec{StartsAt: "2026-10-25T01:00", Rule: "FREQ=HOURLY;COUNT=3"}, "Europe/Berlin", "", "10-25T01:00:00+02:00 10-25T02:00:00+02:00 10-25T03:00:00+01:00"},
		"minutes of a repeated hour":    {recurrence.Spec{StartsAt: "2026-10-25T00:00", Rule: "FREQ=MINUTELY;INTERVAL=30;COUNT=8"}, "Europe/Berlin", "2026-10-25T01:45", "10-25T02:00:00+02:00 10-25T02:30:00+02:00 10-25T03:00:00+01:00 10-25T03:30:00+01:00"},
		"minutes of a gap are one run":  {recurrence.Spec{StartsAt: "2026-03-29T00:00", Rule: "FREQ=MINUTELY;INTERVAL=20;COUNT=12"}, "Europe/Berlin", "2026-03-29T01:30", "03-29T01:40:00+01:00 03-29T03:00:00+02:00 03-29T03:20:00+02:00 03-29T03:40:00+02:00"},
		"a day that a zone left out":    {recurrence.Spec{StartsAt: "2011-12-29T12:00", Rule: "FREQ=DAILY;COUNT=3"}, "Pacific/Apia", "2011-01-01T00:00", "2011-12-29T12:00:00-10:00 2011-12-31T00:00:00+14:00 2011-12-31T12:00:00+14:00"},
		"exceptions count":              {recurrence.Spec{StartsAt: "2026-12-24T08:00", Rule: "FREQ=DAILY;COUNT=3", Exceptions: []string{"2026-12-25"}}, "", "", "12-24T08:00:00Z 12-26T08:00:00Z"},
		"the end of a month":            {recurrence.Spec{StartsAt: "2026-01-31T08:00", Rule: "FREQ=MONTHLY;COUNT=3"}, "", "", "01-31T08:00:00Z 03-31T08:00:00Z 05-31T08:00:00Z"},
		"the last weekday of the month": {recurrence.Spec{StartsAt: "2026-01-01T08:00", Rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2"}, "", "", "01-30T08:00:00Z 02-27T08:00:00Z"},
		"the second Tuesday":            {recurrence.Spec{StartsAt: "2026-01-01T08:00", Rule: "FREQ=MONTHLY;BYDAY=2TU;COUNT=2"}, "", "", "01-13T08:00:00Z 02-10T08:00:00Z"},
		"every other week, later":       {recurrence.Spec{StartsAt: "2025-01-06T08:00", Rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"}, "", "2026-01-01T00:00", "01-05T08:00:00Z 01-09T08:00:00Z 01-19T08:00:00Z 01-23T08:00:00Z"},
		"every 7 hours, later":          {recurrence.Spec{StartsAt: "2025-12-31T00:00", Rule: "FREQ=HOURLY;INTERVAL=7"}, "", "2026-01-01T12:00", "01-01T18:00:00Z 01-02T01:00:00Z 01-02T08:00:00Z 01-02T15:00:00Z"},
		"leap days":                     {recurrence.Spec{StartsAt: "2024-02-29T08:00", Rule: "FREQ=YEARLY"}, "", "", "2028-02-29T08:00:00Z 2032-02-29T08:00:00Z 2036-02-29T08:00:00Z 2040-02-29T08:00:00Z"},
		"until a day":                   {recurrence.Spec{StartsAt: "2026-01-01T20:00", Rule: "FREQ=DAILY;UNTIL=20260103"}, "America/New_York", "", "01-01T20:00:00-05:00 01-02T20:00:00-05:00 01-03T20:00:00-05:00"},
		"until a time of the clock":     {recurrence.Spec{StartsAt: "2026-01-01T20:00", Rule: "FREQ=DAILY;UNTIL=20260103T195959"}, "America/New_York", "", "01-01T20:00:00-05:00 01-02T20:00:00-05:00"},
		"until an instant":              {recurrence.Spec{StartsAt: "2026-01-01T20:00", Rule: "FREQ=DAILY;UNTIL=20260104T010000Z"}, "America/New_York", "", "01-01T20:00:00-05:00 01-02T20:00:00-05:00 01-03T20:00:00-05:00"},
		"an instant that comes before":  {recurrence.Spec{StartsAt: "2026-01-01T20:00", Rule: "FREQ=DAILY;UNTIL=20260104T005959Z"}, "America/New_York", "", "01-01T20:00:00-05:00 01-02T20:00:00-05:00"},
		"a prefix and small letters":    {recurrence.Spec{StartsAt: "2026-01-01T20:00", Rule: " rrule:freq=daily;count=1 "}, "", "", "01-01T20:00:00Z"},
		"a start that does not match":   {recurrence.Spec{StartsAt: "2026-01-01T08:00", Rule: "FREQ=WEEKLY;BYDAY=MO;COUNT=1"}, "", "", "01-05T08:00:00Z"},
		"what is named twice":           {recurrence.Spec{StartsAt: "2026-01-01T08:00", Rule: "FREQ=DAILY;BYHOUR=9,8,9;BYMINUTE=0,0;COUNT=3"}, "", "", "01-01T08:00:00Z 01-01T09:00:00Z 01-02T08:00:00Z"},
		"a date that no year has":       {recurrence.Spec{StartsAt: "2026-01-01T08:00", Rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "", "", ""},
		"weekdays it never comes to":    {recurrence.Spec{StartsAt: "2026-01-01T08:00", Rule: "FREQ=HOURLY;INTERVAL=168;BYDAY=MO"}, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loc := time.UTC
			if c.zone != "" {
				loc = zone(t, c.zone)
			}
			if c.after == "" {
				c.after = "2026-01-01T00:00"
			}
			after, err := time.ParseInLocation(recurrence.Clock, c.after, loc)
			require.NoError(t, err)
			want := strings.Fields(c.want)
			for i, w := range want {
				if w[2] == '-' {
					want[i] = "2026-" + w
				}
			}
			require.Equal(t, want, append([]string{}, runs(parsed(t, c.spec), after, loc, 4)...))
		})
	}
}

// TestFarAway: what lies far behind the start is found without going through all before it, and is what going through finds.
func TestFarAway(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"FREQ=MINUTELY;INTERVAL=7", "FREQ=HOURLY;INTERVAL=5;BYHOUR=3,8", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;INTERVAL=3;WKST=SU;BYDAY=SU,SA", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;BYSETPOS=-1"} {
		start := recurrence.Spec{StartsAt: "2026-01-01T08:10", Rule: rule}
		plan := parsed(t, start)
		var all []time.Time
		for at := range plan.Runs(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.UTC) {
			if all = append(all, at); len(all) == 200 {
				break
			}
		}
		for i := range len(all) - 1 {
			next, ok := plan.Next(all[i], time.UTC)
			require.True(t, ok)
			require.Equal(t, all[i+1], next, "%s after %s", rule, all[i])
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	many := make([]string, recurrence.MaxExceptions+1)
	for i := range many {
		many[i] = "2026-01-01"
	}
	at := func(rule string) recurrence.Spec { return recurrence.Spec{StartsAt: "2026-01-01T08:00", Rule: rule} }
	for name, c := range map[string]struct {
		spec recurrence.Spec
		path string
	}{
		"no start":             {recurrence.Spec{}, "startsAt"},
		"an instant":           {recurrence.Spec{StartsAt: "2026-01-01T08:00:00Z"}, "startsAt"},
		"another century":      {recurrence.Spec{StartsAt: "1999-12-31T08:00"}, "startsAt"},
		"no day":               {recurrence.Spec{StartsAt: "2026-01-01T08:00", Exceptions: []string{"2026-02-30"}}, "exceptions"},
		"many days":            {recurrence.Spec{StartsAt: "2026-01-01T08:00", Exceptions: many}, "exceptions"},
		"nonsense":             {at("every day"), "rrule"},
		"no frequency":         {at("COUNT=3"), "rrule"},
		"seconds":              {at("FREQ=SECONDLY"), "rrule"},
		"seconds of a minute":  {at("FREQ=DAILY;BYSECOND=0,1,2"), "rrule"},
		"a start of its own":   {at("DTSTART=20260101T080000Z;FREQ=DAILY"), "rrule"},
		"several lines":        {at("DTSTART:20260101T080000Z\nRRULE:FREQ=DAILY"), "rrule"},
		"Easter":               {at("FREQ=YEARLY;BYEASTER=1"), "rrule"},
		"an endless text":      {at("FREQ=DAILY;BYHOUR=" + strings.Repeat("1,", 400) + "1"), "rrule"},
		"no interval":          {at("FREQ=DAILY;INTERVAL=0"), "rrule"},
		"a huge interval":      {at("FREQ=MONTHLY;INTERVAL=9223372036854775807"), "rrule"},
		"no count":             {at("FREQ=DAILY;COUNT=0"), "rrule"},
		"a huge count":         {at("FREQ=DAILY;COUNT=1001"), "rrule"},
		"two ends":             {at("FREQ=DAILY;COUNT=3;UNTIL=20270101"), "rrule"},
		"dense days":           {at("FREQ=YEARLY;BYHOUR=1,2,3,4,5;BYMINUTE=0,10,20,30,40"), "rrule"},
		"weeks of a month":     {at("FREQ=MONTHLY;BYDAY=6MO"), "rrule"},
		"weeks of some months": {at("FREQ=YEARLY;BYMONTH=12;BYDAY=-40MO"), "rrule"},
		"counted weekdays":     {at("FREQ=DAILY;BYDAY=2MO"), "rrule"},
		"weeks of the year":    {at("FREQ=DAILY;BYWEEKNO=20"), "rrule"},
		"hours passed over":    {at("FREQ=HOURLY;INTERVAL=2;BYHOUR=9"), "rrule"},
		"minutes passed over":  {at("FREQ=MINUTELY;INTERVAL=10;BYMINUTE=5"), "rrule"},
		"a rare minute":        {at("FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30"), "rrule"},
		"a place in an hour":   {at("FREQ=HOURLY;BYSETPOS=2"), "rrule"},
		"a month of 13":        {at("FREQ=YEARLY;BYMONTH=13"), "rrule"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var problems fault.Problems
			require.Nil(t, recurrence.Parse(&problems, c.spec))
			require.NotEmpty(t, problems.Fields())
			require.Equal(t, c.path, problems.Fields()[0].Path)
		})
	}
}

// TestAnyRule: whatever parses can be computed, runs are whole minutes, and they ascend.
func TestAnyRule(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 26))
	parts := map[string]func() string{
		"INTERVAL": func() string { return fmt.Sprint(1 + random.IntN(40)) },
		"BYMONTH":  func() string { return fmt.Sprint(1 + random.IntN(12)) }, "BYMONTHDAY": func() string { return fmt.Sprint(random.IntN(63) - 31) },
		"BYYEARDAY": func() string { return fmt.Sprint(random.IntN(733) - 366) }, "BYWEEKNO": func() string { return fmt.Sprint(random.IntN(107) - 53) },
		"BYDAY":  func() string { return fmt.Sprintf("%dMO,%dSU", random.IntN(107)-53, random.IntN(11)-5) },
		"BYHOUR": func() string { return fmt.Sprint(random.IntN(24)) }, "BYMINUTE": func() string { return fmt.Sprint(random.IntN(60)) },
		"BYSETPOS": func() string { return fmt.Sprint(random.IntN(9) - 4) }, "WKST": func() string { return []string{"MO", "SU", "WE"}[random.IntN(3)] },
	}
	berlin, understood := zone(t, "Europe/Berlin"), 0
	for range 3_000 {
		value := []string{"FREQ=" + []string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY"}[random.IntN(6)]}
		for name, part := range parts {
			if random.IntN(4) == 0 {
				value = append(value, name+"="+part())
			}
		}
		rule := strings.Join(value, ";")
		var problems fault.Problems
		plan := recurrence.Parse(&problems, recurrence.Spec{StartsAt: fmt.Sprintf("20%02d-%02d-28T08:30", random.IntN(99), 1+random.IntN(12)), Rule: rule})
		require.NotEqual(t, plan == nil, len(problems.Fields()) == 0, rule)
		if plan == nil {
			continue
		}
		understood++
		last := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		n := 0
		for at := range plan.Runs(last, berlin) {
			require.True(t, at.After(last) && at.Second() == 0, "%s: %s after %s", rule, at, last)
			if last, n = at, n+1; n == 5 {
				break
			}
		}
	}
	require.Greater(t, understood, 1_000)
}

// TestZones: in the zones of several recipients a time of the clock comes at several instants.
func TestZones(t *testing.T) {
	t.Parallel()
	plan := parsed(t, recurrence.Spec{StartsAt: "2026-06-01T09:00", Rule: "FREQ=DAILY"})
	require.True(t, plan.Local())
	require.False(t, parsed(t, recurrence.Spec{StartsAt: "2026-06-01T09:00", Rule: "FREQ=HOURLY"}).Local())
	zones := []*time.Location{zone(t, "America/New_York"), zone(t, "Europe/Berlin"), zone(t, "Europe/Rome"), zone(t, "Asia/Tokyo")}
	at := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	var order [][]int
	for range 4 {
		next, ok := plan.Next(at, zones...)
		require.True(t, ok)
		order = append(order, plan.Due(at, next, zones...))
		at = next
	}
	require.Equal(t, [][]int{{0}, {3}, {1, 2}, {0}}, order)
	require.Equal(t, []int{0, 1, 2, 3}, plan.Due(at, at.Add(48*time.Hour), zones...), "after a stop each zone is due once")
	require.Empty(t, plan.Due(at, at.Add(time.Hour), zones...))
	_, ok := parsed(t, recurrence.Spec{StartsAt: "2026-06-01T09:00"}).Next(at, zones...)
	require.False(t, ok)
}
