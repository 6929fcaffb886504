package workflow_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

const (
	tokyo  = "Asia/Tokyo"
	berlin = "Europe/Berlin"
	lord   = "Australia/Lord_Howe" // moves its clock by half an hour
)

func sameInstant(tb testing.TB, want string, got time.Time, loc *time.Location) {
	tb.Helper()
	require.Equal(tb, want, got.In(loc).Format(time.RFC3339Nano))
}

func TestAddUnits(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		zone, from string
		amount     int
		unit       workflow.Unit
		want       string
	}{
		"Seconds":            {berlin, "2026-03-29T01:59:59+01:00", 2, "seconds", "2026-03-29T03:00:01+02:00"},
		"Minutes":            {berlin, "2026-10-25T02:30:00+02:00", 60, "minutes", "2026-10-25T02:30:00+01:00"},
		"Hours":              {berlin, "2026-03-28T12:00:00+01:00", 24, "hours", "2026-03-29T13:00:00+02:00"},
		"DayOverSpring":      {berlin, "2026-03-28T12:00:00+01:00", 1, "days", "2026-03-29T12:00:00+02:00"},
		"DayOverAutumn":      {berlin, "2026-10-24T12:00:00.25+02:00", 1, "days", "2026-10-25T12:00:00.25+01:00"},
		"DayIntoGap":         {berlin, "2026-03-28T02:30:00+01:00", 1, "days", "2026-03-29T03:00:00+02:00"},
		"DayIntoOverlap":     {berlin, "2026-10-24T02:30:00+02:00", 1, "days", "2026-10-25T02:30:00+02:00"},
		"FromSecondOverlap":  {berlin, "2026-10-25T02:30:00+01:00", 1, "days", "2026-10-26T02:30:00+01:00"},
		"HalfHourGap":        {lord, "2026-10-03T02:10:00+10:30", 1, "days", "2026-10-04T02:30:00+11:00"},
		"HalfHourOverlap":    {lord, "2026-04-04T01:40:00+11:00", 1, "days", "2026-04-05T01:40:00+11:00"},
		"Week":               {"America/New_York", "2026-03-07T23:30:00-05:00", 1, "weeks", "2026-03-14T23:30:00-04:00"},
		"MidnightGap":        {"Africa/Cairo", "2026-04-17T00:15:00+02:00", 1, "weeks", "2026-04-24T01:00:00+03:00"},
		"Month":              {tokyo, "2026-01-15T00:30:00+09:00", 1, "months", "2026-02-15T00:30:00+09:00"},
		"MonthClamps":        {berlin, "2026-01-31T09:00:00+01:00", 1, "months", "2026-02-28T09:00:00+01:00"},
		"LeapYear":           {berlin, "2027-12-31T09:00:00+01:00", 2, "months", "2028-02-29T09:00:00+01:00"},
		"MonthKeepsTheDay":   {berlin, "2026-01-31T09:00:00+01:00", 2, "months", "2026-03-31T09:00:00+02:00"},
		"MonthOfLocalDay":    {tokyo, "2026-03-01T08:00:00+09:00", 1, "months", "2026-04-01T08:00:00+09:00"},
		"Back":               {berlin, "2026-03-30T02:30:00+02:00", -1, "days", "2026-03-29T03:00:00+02:00"},
		"MonthBack":          {berlin, "2026-03-31T12:00:00+02:00", -1, "months", "2026-02-28T12:00:00+01:00"},
		"DayThatNeverWas":    {"Pacific/Apia", "2011-12-29T12:00:00-10:00", 1, "days", "2011-12-31T00:00:00+14:00"},
		"AYearOfTwelveMonth": {berlin, "2028-02-29T12:00:00+01:00", 12, "months", "2029-02-28T12:00:00+01:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loc := workflowtest.Zone(t, tc.zone)
			got := workflow.AddUnits(workflowtest.Instant(t, tc.from, loc), tc.amount, tc.unit, loc)
			sameInstant(t, tc.want, got, loc)
		})
	}
}

// Durations in payloads follow the same calendar.
func TestPeriodKeepsTheClock(t *testing.T) {
	t.Parallel()
	loc := workflowtest.Zone(t, berlin)
	for text, want := range map[string]string{
		"P1D": "2026-03-29T03:00:00+02:00", "P1M1D": "2026-04-29T02:30:00+02:00", "PT24H": "2026-03-29T03:30:00+02:00", "P1DT1H": "2026-03-29T04:00:00+02:00",
	} {
		p, err := calendar.ParsePeriod(text)
		require.NoError(t, err)
		sameInstant(t, want, p.After(workflowtest.Instant(t, "2026-03-28T02:30:00+01:00", loc).In(loc)), loc)
	}
}

func days(amount int, clock string) workflow.DigestControls {
	return workflow.DigestControls{Type: "timed", Amount: amount, Unit: "days", Timed: &workflow.DigestTimedAt{AtTime: clock}}
}

func weeks(amount int, clock string, days ...string) workflow.DigestControls {
	return workflow.DigestControls{Type: "timed", Amount: amount, Unit: "weeks", Timed: &workflow.DigestTimedAt{AtTime: clock, WeekDays: days}}
}

func dates(amount int, clock string, days ...string) workflow.DigestControls {
	return workflow.DigestControls{
		Type: "timed", Amount: amount, Unit: "months", Timed: &workflow.DigestTimedAt{AtTime: clock, MonthlyType: "each", MonthDays: days},
	}
}

func ordinal(amount int, clock, place, kind string) workflow.DigestControls {
	return workflow.DigestControls{
		Type: "timed", Amount: amount, Unit: "months",
		Timed: &workflow.DigestTimedAt{AtTime: clock, MonthlyType: "on", Ordinal: place, OrdinalValue: kind},
	}
}

func TestClosesAt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		digest       workflow.DigestControls
		zone         string
		opened, want string
	}{
		"Regular": {workflow.DigestControls{Type: "regular", Amount: 90, Unit: "minutes"}, berlin, "2026-03-29T01:00:00+01:00", "2026-03-29T03:30:00+02:00"},
		"RegularWeeks": {
			workflow.DigestControls{Type: "regular", Amount: 2, Unit: "weeks"}, berlin, "2026-03-20T09:00:00+01:00", "2026-04-03T09:00:00+02:00",
		},
		"Backoff": {
			workflow.DigestControls{Type: "backoff", Amount: 1, Unit: "months", BackoffAmount: 5, BackoffUnit: "days"},
			berlin, "2026-01-31T09:00:00+01:00", "2026-02-28T09:00:00+01:00",
		},
		"LaterToday":     {days(0, "09:30"), tokyo, "2026-05-01T09:29:59.9+09:00", "2026-05-01T09:30:00+09:00"},
		"StrictlyAfter":  {days(1, "09:30"), tokyo, "2026-05-01T09:30:00+09:00", "2026-05-02T09:30:00+09:00"},
		"LocalDay":       {days(1, "00:00"), tokyo, "2026-05-01T14:59:00Z", "2026-05-02T00:00:00+09:00"},
		"EveryThirdDay":  {days(3, "09:30"), tokyo, "2026-05-01T10:00:00+09:00", "2026-05-04T09:30:00+09:00"},
		"ThirdDayToday":  {days(3, "09:30"), tokyo, "2026-05-01T09:00:00+09:00", "2026-05-01T09:30:00+09:00"},
		"Gap":            {days(1, "02:30"), berlin, "2026-03-28T12:00:00+01:00", "2026-03-29T03:00:00+02:00"},
		"AfterGap":       {days(1, "02:30"), berlin, "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"},
		"Twice":          {days(1, "02:30"), berlin, "2026-10-24T12:00:00+02:00", "2026-10-25T02:30:00+02:00"},
		"BetweenTheTwo":  {days(1, "02:30"), berlin, "2026-10-25T02:40:00+02:00", "2026-10-26T02:30:00+01:00"},
		"MidnightGap":    {weeks(1, "00:00", "friday"), "Africa/Cairo", "2026-04-20T00:00:00+02:00", "2026-04-24T01:00:00+03:00"},
		"MidnightTwice":  {days(1, "23:30"), "Africa/Cairo", "2026-10-29T23:10:00+02:00", "2026-10-30T23:30:00+02:00"},
		"Weekly":         {weeks(1, "08:00", "monday", "thursday"), berlin, "2026-06-02T12:00:00+02:00", "2026-06-04T08:00:00+02:00"},
		"WeeklyWraps":    {weeks(1, "08:00", "monday"), berlin, "2026-06-01T08:00:00+02:00", "2026-06-08T08:00:00+02:00"},
		"Fortnight":      {weeks(2, "08:00", "monday"), berlin, "2026-06-01T08:00:00+02:00", "2026-06-15T08:00:00+02:00"},
		"FortnightNext":  {weeks(2, "08:00", "monday"), berlin, "2026-06-03T08:00:00+02:00", "2026-06-15T08:00:00+02:00"},
		"FortnightFirst": {weeks(2, "08:00", "sunday"), berlin, "2026-06-03T08:00:00+02:00", "2026-06-07T08:00:00+02:00"},
		"SecondMonths":   {ordinal(2, "08:00", "last", "friday"), berlin, "2026-01-31T08:00:00+01:00", "2026-03-27T08:00:00+01:00"},
		"Dates":          {dates(1, "07:00", "1", "15"), berlin, "2026-06-01T07:00:00+02:00", "2026-06-15T07:00:00+02:00"},
		"MonthLacks31":   {dates(1, "07:00", "31"), berlin, "2026-01-31T07:00:00+01:00", "2026-03-31T07:00:00+02:00"},
		"LeapDay":        {dates(1, "07:00", "29"), berlin, "2027-01-30T07:00:00+01:00", "2027-03-29T07:00:00+02:00"},
		"LeapDayThere":   {dates(1, "07:00", "29"), berlin, "2028-01-30T07:00:00+01:00", "2028-02-29T07:00:00+01:00"},
		"EverySecond":    {dates(2, "07:00", "15"), berlin, "2026-01-15T08:00:00+01:00", "2026-03-15T07:00:00+01:00"},
		"LacksAndSkips":  {dates(2, "07:00", "31"), berlin, "2025-12-31T08:00:00+01:00", "2026-08-31T07:00:00+02:00"},
		"NoneCounts":     {dates(12, "07:00", "31"), berlin, "2026-02-01T08:00:00+01:00", "2026-03-31T07:00:00+02:00"},
		"FirstMonday":    {ordinal(1, "07:00", "1", "monday"), berlin, "2026-06-01T08:00:00+02:00", "2026-07-06T07:00:00+02:00"},
		"FifthMonday":    {ordinal(1, "07:00", "5", "monday"), berlin, "2026-01-01T00:00:00+01:00", "2026-03-30T07:00:00+02:00"},
		"LastFriday":     {ordinal(1, "07:00", "last", "friday"), berlin, "2026-02-01T00:00:00+01:00", "2026-02-27T07:00:00+01:00"},
		"LastDay":        {ordinal(1, "07:00", "last", "day"), berlin, "2028-02-01T00:00:00+01:00", "2028-02-29T07:00:00+01:00"},
		"ThirdDay":       {ordinal(1, "07:00", "3", "day"), berlin, "2026-02-03T07:00:00+01:00", "2026-03-03T07:00:00+01:00"},
		"FirstWeekday":   {ordinal(1, "07:00", "1", "weekday"), berlin, "2026-08-01T00:00:00+02:00", "2026-08-03T07:00:00+02:00"},
		"LastWeekday":    {ordinal(1, "07:00", "last", "weekday"), berlin, "2026-05-01T00:00:00+02:00", "2026-05-29T07:00:00+02:00"},
		"SecondWeekend":  {ordinal(1, "07:00", "2", "weekend"), berlin, "2026-02-01T08:00:00+01:00", "2026-02-07T07:00:00+01:00"},
		"LastWeekend":    {ordinal(1, "07:00", "last", "weekend"), berlin, "2026-02-01T08:00:00+01:00", "2026-02-28T07:00:00+01:00"},
		"SkippedDay":     {days(1, "12:00"), "Pacific/Apia", "2011-12-29T13:00:00-10:00", "2011-12-31T00:00:00+14:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loc := workflowtest.Zone(t, tc.zone)
			sameInstant(t, tc.want, tc.digest.ClosesAt(workflowtest.Instant(t, tc.opened, loc), loc), loc)
		})
	}
}

func TestLookBack(t *testing.T) {
	t.Parallel()
	loc := workflowtest.Zone(t, berlin)
	d := workflow.DigestControls{Type: "backoff", Amount: 10, Unit: "minutes", BackoffAmount: 1, BackoffUnit: "days"}
	at := workflowtest.Instant(t, "2026-03-29T12:00:00+02:00", loc)
	sameInstant(t, "2026-03-28T12:00:00+01:00", d.LookBack(at, loc), loc)

	for name, tc := range map[string]struct {
		state  workflow.DigestState
		want   workflow.DigestVerdict
		closes time.Time
	}{
		"Never":          {workflow.DigestState{}, workflow.DigestPasses, time.Time{}},
		"Exactly":        {workflow.DigestState{Last: d.LookBack(at, loc)}, workflow.DigestPasses, time.Time{}},
		"Inside":         {workflow.DigestState{Last: d.LookBack(at, loc).Add(time.Microsecond)}, workflow.DigestOpens, at.Add(10 * time.Minute)},
		"SameInstant":    {workflow.DigestState{Last: at}, workflow.DigestOpens, at.Add(10 * time.Minute)},
		"OpenAndOutside": {workflow.DigestState{ClosesAt: at.Add(1), Last: at.AddDate(0, 0, -9)}, workflow.DigestJoins, at.Add(1)},
		"AtItsEnd":       {workflow.DigestState{ClosesAt: at, Last: at.Add(-1)}, workflow.DigestOpens, at.Add(10 * time.Minute)},
	} {
		verdict, closes := d.Decide(tc.state, at, loc)
		require.Equal(t, tc.want, verdict, name)
		require.True(t, tc.closes.Equal(closes), "%s: %s", name, closes)
	}
}

func TestEndsAt(t *testing.T) {
	t.Parallel()
	loc := workflowtest.Zone(t, berlin)
	now := workflowtest.Instant(t, "2026-03-28T12:00:00+01:00", loc)
	regular := workflow.DelayControls{Type: "regular", Amount: 1, Unit: "days"}
	by := func(path, past string) workflow.DelayControls {
		return workflow.DelayControls{Type: "scheduled", DelayPath: path, Past: past}
	}
	payload := workflowtest.Object(t, `{"at":"2026-03-29T09:00:00Z","local":"2026-03-29T02:30:00","day":"2026-04-01","short":"2026-03-29T09:00+02:00",
		"trip":{"legs":[{"leaves":"2026-04-02T06:00:00+02:00"}]},"payload":"2026-04-03T00:00:00Z","fine":"2026-04-03T00:00:00.0000001Z",
		"gone":"2026-03-28T11:00:00Z","late":"2028-01-01T00:00:00Z","word":"soon","number":1774800000,"empty":null,"list":["2026-04-02"]}`)
	const year = 366 * 24 * time.Hour
	over := &workflow.DelayOverride{Amount: 3, Unit: "hours"}

	for name, tc := range map[string]struct {
		delay workflow.DelayControls
		over  *workflow.DelayOverride
		max   time.Duration
		until string
		past  string
		fault string
	}{
		"Regular":      {delay: regular, max: year, until: "2026-03-29T12:00:00+02:00"},
		"Overridden":   {delay: regular, over: over, max: year, until: "2026-03-28T15:00:00+01:00"},
		"NotScheduled": {delay: by("at", ""), over: over, max: year, until: "2026-03-29T11:00:00+02:00"},
		"TooLong": {
			delay: regular, max: 22 * time.Hour, until: "2026-03-29T12:00:00+02:00",
			fault: "the delay would end at 2026-03-29T10:00:00Z, further ahead than the operator permits (22h0m0s)",
		},
		"JustLongEnough": {delay: regular, max: 23 * time.Hour, until: "2026-03-29T12:00:00+02:00"},
		"OverrideTooLong": {
			delay: regular, over: &workflow.DelayOverride{Amount: 1200, Unit: "months"}, max: year, until: "2126-03-28T12:00:00+01:00",
			fault: "the delay would end at 2126-03-28T11:00:00Z, further ahead than the operator permits (8784h0m0s)",
		},
		"Unbounded":      {delay: regular, until: "2026-03-29T12:00:00+02:00"},
		"LeadingPayload": {delay: by("payload.at", ""), max: year, until: "2026-03-29T11:00:00+02:00"},
		"NamedPayload":   {delay: by("payload", ""), max: year, until: "2026-04-03T02:00:00+02:00"},
		"NoZoneInGap":    {delay: by("local", ""), max: year, until: "2026-03-29T03:00:00+02:00"},
		"Date":           {delay: by("day", ""), max: year, until: "2026-04-01T00:00:00+02:00"},
		"NoSeconds":      {delay: by("short", ""), max: year, until: "2026-03-29T09:00:00+02:00"},
		"Nested":         {delay: by("trip.legs.0.leaves", ""), max: year, until: "2026-04-02T06:00:00+02:00"},
		"NeverEarly":     {delay: by("fine", ""), max: year, until: "2026-04-03T02:00:00.000001+02:00"},
		"Past":           {delay: by("gone", ""), max: year, until: "2026-03-28T12:00:00+01:00", past: "continue"},
		"PastFails":      {delay: by("gone", "fail"), max: year, until: "2026-03-28T12:00:00+01:00", past: "fail"},
		"PastSkips":      {delay: by("gone", "skip"), max: year, until: "2026-03-28T12:00:00+01:00", past: "skip"},
		"TooFar": {
			delay: by("late", ""), max: year, until: "2028-01-01T01:00:00+01:00",
			fault: "the delay would end at 2028-01-01T00:00:00Z, further ahead than the operator permits (8784h0m0s)",
		},
		"Word":   {delay: by("word", ""), max: year, fault: `payload.word is not a date-time such as 2026-01-31T09:00:00Z: "soon"`},
		"Number": {delay: by("number", ""), max: year, fault: "payload.number is not a date-time such as 2026-01-31T09:00:00Z: 1774800000"},
		"Null":   {delay: by("empty", "skip"), max: year, fault: "payload.empty is not a date-time such as 2026-01-31T09:00:00Z: null"},
		"Absent": {delay: by("payload.no.where", ""), max: year, fault: "payload.no.where is not a date-time such as 2026-01-31T09:00:00Z: null"},
		"List":   {delay: by("list", ""), max: year, fault: `payload.list is not a date-time such as 2026-01-31T09:00:00Z: ["2026-04-02"]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := tc.delay.EndsAt(now, payload, loc, tc.over, tc.max)
			require.Equal(t, tc.fault, got.Fault)
			require.Equal(t, tc.past, got.Past)
			if tc.until != "" {
				sameInstant(t, tc.until, got.Until, loc)
			}
		})
	}
}

func TestWindowEnd(t *testing.T) {
	t.Parallel()
	loc := workflowtest.Zone(t, berlin)
	start := workflowtest.Instant(t, "2026-03-28T02:30:00+01:00", loc)
	payload := workflowtest.Object(t, `{"until":"2026-04-01T12:00:00","p":{"iso":" P1D ","exact":"PT36H","pair":{"amount":2,"unit":"hours"}},
		"gone":"2026-03-28T01:30:00Z","none":"PT0S","bad":{"amount":1.5,"unit":"hours"},"unit":{"amount":1,"unit":"years"},
		"far":{"amount":1201,"unit":"months"},"negative":"-PT1H","number":60}`)
	for path, want := range map[string]string{
		"": "2026-03-29T03:00:00+02:00", "until": "2026-04-01T12:00:00+02:00", "payload.until": "2026-04-01T12:00:00+02:00",
		"p.iso": "2026-03-29T03:00:00+02:00", "p.exact": "2026-03-29T15:30:00+02:00", "p.pair": "2026-03-28T04:30:00+01:00",
	} {
		end, warning := (&workflow.ThrottleControls{Amount: 1, Unit: "days", WindowPath: path}).WindowEnd(start, payload, loc)
		require.Empty(t, warning, path)
		sameInstant(t, want, end, loc)
	}
	const unreadable = " is neither a date-time nor a duration such as PT1H: "
	for path, want := range map[string]string{
		"gone": `payload.gone has passed: "2026-03-28T01:30:00Z"`, "none": `payload.none has passed: "PT0S"`,
		"bad": "payload.bad" + unreadable, "unit": "payload.unit" + unreadable, "far": "payload.far" + unreadable, "negative": "payload.negative" + unreadable,
		"number": "payload.number" + unreadable + "60", "payload.absent": "payload.absent" + unreadable + "null",
	} {
		end, warning := (&workflow.ThrottleControls{WindowPath: path}).WindowEnd(start, payload, loc)
		require.True(t, strings.HasPrefix(warning, want), "%s: %s", path, warning)
		require.Zero(t, end)
	}
}

func TestThrottleJudge(t *testing.T) {
	t.Parallel()
	start := workflowtest.Instant(t, "2026-01-01T00:00:00Z", time.UTC)
	c := workflow.ThrottleControls{Threshold: new(2), Amount: 1, Unit: "hours"}
	var state workflow.ThrottleState
	var passed []int
	for _, minute := range []int{0, 10, 20, 59, 60, 119, 119, 120} {
		next, ok, warning := c.Decide(state, start.Add(time.Duration(minute)*time.Minute), nil, time.UTC)
		require.Empty(t, warning)
		if ok {
			passed = append(passed, minute)
		} else {
			require.Equal(t, state, next, "a blocked run changes nothing")
		}
		state = next
	}
	require.Equal(t, []int{0, 10, 60, 119, 120}, passed)

	dynamic := workflow.ThrottleControls{WindowPath: "x"}
	next, ok, warning := dynamic.Decide(state, start, nil, time.UTC)
	require.True(t, ok)
	require.NotEmpty(t, warning)
	require.Equal(t, state, next)
	dynamic.Invalid = "skip"
	_, ok, _ = dynamic.Decide(state, start, nil, time.UTC)
	require.False(t, ok)
}

func TestKeyValue(t *testing.T) {
	t.Parallel()
	payload := workflowtest.Object(t, `{"a":{"b":[{"c":"x"}]},"text":"1","one":1,"true":true,"word":"true","null":null,"nulls":"null","empty":"","list":[],"object":{}}`)
	require.Empty(t, workflow.KeyValue(payload, ""))
	for path, want := range map[string]string{
		"a.b.0.c": `"x"`, "payload.a.b.0.c": `"x"`, "text": `"1"`, "one": "1", "true": "true", "word": `"true"`, "null": "null", "absent": "null",
		"payload.absent": "null", "nulls": `"null"`, "empty": `""`, "list": "[]", "object": "{}", "a": `{"b":[{"c":"x"}]}`,
	} {
		require.Equal(t, want, workflow.KeyValue(payload, path), path)
	}

	var exact map[string]any
	decoder := json.NewDecoder(strings.NewReader(
		`{"a":1.0,"b":1e0,"c":100,"d":1e2,"x":9007199254740992,"y":9007199254740993,"o":{"n":[1.50]},"p":{"n":[1.5]},"huge":1e400}`))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&exact))
	for path, want := range map[string]string{
		"a": "1", "b": "1", "c": "100", "d": "100", "x": "9007199254740992", "y": "9007199254740993", "o": `{"n":[1.5]}`, "p": `{"n":[1.5]}`, "huge": "1e400",
	} {
		require.Equal(t, want, workflow.KeyValue(exact, path), path)
	}

	long := workflow.KeyValue(map[string]any{"k": strings.Repeat("x", 1000)}, "k")
	require.Less(t, len(long), 100)
	require.NotEqual(t, long, workflow.KeyValue(map[string]any{"k": strings.Repeat("x", 1001)}, "k"))
}

// Different values differ, and equal ones are equal, whatever JSON they are.
func TestKeyValueSeparates(t *testing.T) {
	t.Parallel()
	scalar := rapid.OneOf(
		rapid.Just(any(nil)), rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Map(rapid.IntRange(-3, 3), func(n int) any { return float64(n) }),
		rapid.Map(rapid.StringMatching(`[a1 "\\]{0,3}`), func(s string) any { return s }),
	)
	value := rapid.OneOf(scalar, rapid.Map(rapid.SliceOfN(scalar, 0, 2), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(rapid.StringMatching(`[ab]`), scalar, 0, 2), func(m map[string]any) any { return m }))
	rapid.Check(t, func(rt *rapid.T) {
		a, b := value.Draw(rt, "a"), value.Draw(rt, "b")
		keyA, keyB := workflow.KeyValue(map[string]any{"k": a}, "k"), workflow.KeyValue(map[string]any{"k": b}, "payload.k")
		if as, bs := asJSON(rt, a), asJSON(rt, b); (as == bs) != (keyA == keyB) {
			rt.Fatalf("%s and %s have the keys %s and %s", as, bs, keyA, keyB)
		}
	})
}

// Zones with every kind of change of the clock: an hour, half an hour, at midnight, in either half of the year, none.
var zonesOfTests = []string{
	"UTC", berlin, "America/New_York", "America/St_Johns", "America/Santiago", "Africa/Cairo", "Africa/Casablanca",
	"Asia/Kathmandu", tokyo, lord, "Pacific/Chatham", "Pacific/Apia",
}
