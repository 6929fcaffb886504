package calendar

import (
	"slices"
	"time"
)

// DayOf is the day that a clock shows.
func DayOf(local time.Time) Date {
	return Date{time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)}
}

// SameClock is the instant on another day at which the clock shows what it shows at local; in the zone of local.
func SameClock(local time.Time, on Date) time.Time {
	shown := time.Date(on.Year(), on.Month(), on.Day(), local.Hour(), local.Minute(), local.Second(), local.Nanosecond(), time.UTC)
	return WallClocks(shown, local.Location())[0].UTC()
}

// Date is a day of the calendar, as midnight in UTC.
type Date struct{ time.Time }

// AddDays is the day n days on.
func (d Date) AddDays(n int) Date { return Date{d.AddDate(0, 0, n)} }

// AddMonths is the same day n months on, or the last of a month that lacks it.
func (d Date) AddMonths(n int) Date {
	first := time.Date(d.Year(), d.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return Date{first.AddDate(0, 0, min(d.Day(), first.AddDate(0, 1, -1).Day())-1)}
}

func (d Date) monday() Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }

// DaysBetween counts the days from first to day.
func DaysBetween(first, day Date) int { return int(day.Sub(first.Time).Hours() / 24) }

// WeeksBetween counts changes of the week, which begins on Monday.
func WeeksBetween(first, day Date) int { return DaysBetween(first.monday(), day.monday()) / 7 }

// MonthsBetween counts changes of the month.
func MonthsBetween(first, day Date) int {
	return 12*(day.Year()-first.Year()) + int(day.Month()) - int(first.Month())
}

// WallClocks are all instants at which loc's clock shows what shown shows in UTC, in order; for a time in a gap the end
// of the gap.
func WallClocks(shown time.Time, loc *time.Location) []time.Time {
	// No zone moves its clock by more than 24 hours at once, so these two offsets are those on both sides of any change
	// near the wanted moment.
	const reach = 26 * time.Hour
	before, after := offsetAt(shown.Add(-reach), loc), offsetAt(shown.Add(reach), loc)
	var hits []time.Time
	for _, offset := range []time.Duration{before, after} {
		c := shown.Add(-offset)
		if offsetAt(c, loc) == offset && (len(hits) == 0 || !hits[0].Equal(c)) {
			hits = append(hits, c)
		}
	}
	if len(hits) == 0 {
		start, _ := shown.Add(-before).In(loc).ZoneBounds()
		return []time.Time{start.UTC()}
	}
	slices.SortFunc(hits, time.Time.Compare)
	return hits
}

// WallClock is the instant at which loc's clock shows the given time of day on that date: the first of two when it
// occurs twice, the first valid instant after it when the clock jumps over it (semantics.md §3.10). Day and month
// overflow as in time.Date; minute counts from midnight.
func WallClock(year int, month time.Month, day, minute int, loc *time.Location) time.Time {
	return WallClocks(time.Date(year, month, day, 0, minute, 0, 0, time.UTC), loc)[0]
}
