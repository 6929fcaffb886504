// Package calendar owns schedules, periods and the wall clock of a time zone: pure functions of given instants.
package calendar

import (
	"errors"
	"math"
	"time"

	"github.com/sosodev/duration"
)

// Period is an ISO 8601 duration: months and days keep the wall clock, the rest is exact.
type Period struct {
	Months int
	Days   int
	Exact  time.Duration
}

var errPeriod = errors.New(`must be an ISO 8601 duration such as "P1D" or "PT90M"`)

// ParsePeriod reads an ISO 8601 duration, such as P1M2DT3H or PT90S. Years, months, weeks and days are whole numbers;
// it is not negative and at most a century.
func ParsePeriod(s string) (p Period, err error) {
	d, err := duration.Parse(s)
	if err != nil || d.Negative || s == "P" || s == "PT" {
		return p, errPeriod
	}
	const century = 100 * 366 * 24 * time.Hour
	months, days, seconds := 12*d.Years+d.Months, 7*d.Weeks+d.Days, 3600*d.Hours+60*d.Minutes+d.Seconds
	switch {
	case months != math.Trunc(months), days != math.Trunc(days):
		return p, errPeriod
	case months > 1200, days > century.Hours()/24, seconds > century.Seconds():
		return p, errPeriod
	}
	return Period{int(months), int(days), time.Duration(math.Round(seconds * float64(time.Second)))}, nil
}

// After is the end of the period that begins at t, by the wall clock of t's location. A month that lacks the day ends it
// on its last one.
func (p Period) After(t time.Time) time.Time {
	if p.Months != 0 || p.Days != 0 {
		t = SameClock(t, DayOf(t).AddMonths(p.Months).AddDays(p.Days)).In(t.Location())
	}
	return t.Add(p.Exact)
}
