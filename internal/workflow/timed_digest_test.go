package workflow_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func asJSON(tb rapid.TB, v any) string {
	raw, err := json.Marshal(v)
	require.NoError(tb, err)
	return string(raw)
}

// referenceCalendar is a second reading of timed digests, for tests: minute by minute, with nothing in common with the code under
// test but the zone's data.
type referenceCalendar struct {
	digest workflow.DigestControls
	loc    *time.Location
}

// closes walks the minutes from well before the opening. The mark is the furthest that the wall clock has come: a moment
// is reached when the mark passes it, so one in a gap is reached at its end, and one that occurs twice at the first.
func (c referenceCalendar) closes(opened time.Time) time.Time {
	day := c.dayOf(opened)
	at := opened.Truncate(time.Minute).Add(-48 * time.Hour)
	mark := c.shows(at)
	for range 14 * 366 * 24 * 60 {
		at = at.Add(time.Minute)
		now := c.shows(at)
		for ; mark < now; mark++ {
			reached := mark + 1
			if at.After(opened) && c.names(reached, day) {
				return at
			}
		}
	}
	return time.Time{}
}

// shows is what the wall clock shows at t, in minutes since 1970.
func (c referenceCalendar) shows(t time.Time) int64 {
	_, offset := t.In(c.loc).Zone()
	return (t.Unix() + int64(offset)) / 60
}

func (c referenceCalendar) dayOf(t time.Time) int64 { return c.shows(t) / (24 * 60) }

// names reports whether the digest names the moment, given the day on which its window opened.
func (c referenceCalendar) names(minute, opened int64) bool {
	clock := c.digest.Timed.AtTime
	hour, _ := strconv.Atoi(clock[:2])
	past, _ := strconv.Atoi(clock[3:])
	day := minute / (24 * 60)
	if minute%(24*60) != int64(hour*60+past) || day < opened {
		return false
	}
	every := int64(max(c.digest.Amount, 1))
	switch c.digest.Unit {
	case "days":
		return (day-opened)%every == 0
	case "weeks":
		return ((day+3)/7-(opened+3)/7)%every == 0 && slices.Contains(c.digest.Timed.WeekDays, weekday(day))
	}
	return months(opened, day)%every == 0 && c.monthly(day)
}

func utc(day int64) time.Time { return time.Unix(day*24*60*60, 0).UTC() }

func weekday(day int64) string { return strings.ToLower(utc(day).Weekday().String()) }

// months counts the firsts that lie between.
func months(opened, day int64) (n int64) {
	for d := opened + 1; d <= day; d++ {
		if utc(d).Day() == 1 {
			n++
		}
	}
	return n
}

// monthly lists the days of the month that count, and takes the wanted one.
func (c referenceCalendar) monthly(day int64) bool {
	t := c.digest.Timed
	if t.MonthlyType == "each" {
		return slices.Contains(t.MonthDays, strconv.Itoa(utc(day).Day()))
	}
	var list []int64
	first := day - int64(utc(day).Day()) + 1
	for d := first; utc(d).Month() == utc(day).Month(); d++ {
		name := weekday(d)
		weekend := name == "saturday" || name == "sunday"
		if t.OrdinalValue == "day" || t.OrdinalValue == "weekday" && !weekend || t.OrdinalValue == "weekend" && weekend || t.OrdinalValue == name {
			list = append(list, d)
		}
	}
	if t.Ordinal == "last" {
		return list[len(list)-1] == day
	}
	place, _ := strconv.Atoi(t.Ordinal)
	return place <= len(list) && list[place-1] == day
}

// timedDigest makes a valid timed digest out of numbers.
func timedDigest(unit, amount, minute, which uint) workflow.DigestControls {
	clock := time.Date(2000, 1, 1, 0, int(minute%(24*60)), 0, 0, time.UTC).Format("15:04")
	names := []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "day", "weekday", "weekend"}
	every := int(amount % 4)
	switch unit % 4 {
	case 0:
		return days(every, clock)
	case 1:
		return weeks(every, clock, names[which%7], names[which/7%7])
	case 2:
		return dates(every, clock, strconv.Itoa(int(which%31)+1), strconv.Itoa(int(which/31%31)+1))
	}
	return ordinal(every, clock, []string{"1", "2", "3", "4", "5", "last"}[which%6], names[which/6%10])
}

// FuzzTimedDigest: a timed digest closes at the first minute after its opening that it names, found by walking.
func FuzzTimedDigest(f *testing.F) {
	for i := range uint(48) {
		f.Add(i, i/4, 150+i*7, i*11, i, uint32(38_300_000+3000*i)) // about a change to summer time
	}
	f.Fuzz(func(t *testing.T, unit, amount, minute, which, place uint, second uint32) {
		opened := time.Date(2025, 1, 1, 0, 0, int(second%(12*365*24*60*60)), 0, time.UTC)
		loc := workflowtest.Zone(t, zonesOfTests[place%uint(len(zonesOfTests))])
		d := timedDigest(unit, amount, minute, which)
		require.NoError(t, (&workflow.Definition{Steps: []workflow.Step{{StepID: "d", Type: "digest", Digest: &d}}}).Check(workflow.CheckOptions{}))

		got := d.ClosesAt(opened, loc)
		require.True(t, got.After(opened))
		want := referenceCalendar{d, loc}.closes(opened)
		require.True(t, want.Equal(got), "%+v %+v in %s opened %s: want %s, got %s", d, *d.Timed, loc, opened.In(loc), want.In(loc), got.In(loc))
	})
}
