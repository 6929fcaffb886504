package calendar

import (
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

const minutesPerDay = 24 * 60

// maxRanges bounds the hours of one day.
const maxRanges = 50

// weekdayKeys are the keys of a weekly schedule by time.Weekday.
var weekdayKeys = [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// ParseClock reads "hh:mm AM" or "hh:mm PM" as minutes after midnight.
func ParseClock(s string) (minute int, ok bool) {
	t, err := time.Parse("03:04 PM", strings.ToUpper(strings.TrimSpace(s)))
	if err != nil {
		return 0, false
	}
	return t.Hour()*60 + t.Minute(), true
}

// ParseClock24 reads "HH:MM", as timed digests write it, as minutes after midnight.
func ParseClock24(s string) (minute int, ok bool) {
	t, err := time.Parse("15:04", s)
	if err != nil || len(s) != len("15:04") {
		return 0, false
	}
	return t.Hour()*60 + t.Minute(), true
}

// FormatClock is the inverse of ParseClock.
func FormatClock(minute int) string {
	return time.Date(2000, 1, 1, minute/60, minute%60, 0, 0, time.UTC).Format("03:04 PM")
}

// Validate reports every fault of the schedule under path.
func (s *Schedule) Validate(p *fault.Problems, path string) {
	days := make([]string, 0, len(s.WeeklySchedule))
	for day := range s.WeeklySchedule {
		days = append(days, day)
	}
	slices.Sort(days)
	for _, day := range days {
		dayPath := jsonvalue.Join(path, "weeklySchedule", day)
		if !slices.Contains(weekdayKeys[:], day) {
			p.Add(dayPath, nil, "must be a weekday, monday to sunday")
			continue
		}
		validateHours(p, jsonvalue.Join(dayPath, "hours"), s.WeeklySchedule[day].Hours)
	}
}

func validateHours(p *fault.Problems, path string, hours []TimeRange) {
	if len(hours) > maxRanges {
		p.Add(path, nil, "must not hold more than %d ranges", maxRanges)
		return
	}
	for i, r := range hours {
		if _, ok := ParseClock(r.Start); !ok {
			p.Add(jsonvalue.Join(jsonvalue.JoinIndex(path, i), "start"), r.Start, "must be a time such as 09:00 AM")
		}
		if _, ok := ParseClock(r.End); !ok {
			p.Add(jsonvalue.Join(jsonvalue.JoinIndex(path, i), "end"), r.End, "must be a time such as 05:00 PM")
		}
	}
}

// OpenAt reports whether t lies in the hours by the wall clock of loc (semantics.md §7, §11.5). A nil or disabled
// schedule is always open. Ranges that cannot be read count for nothing.
func (s *Schedule) OpenAt(t time.Time, loc *time.Location) bool {
	if s == nil || !s.IsEnabled || s.WeeklySchedule == nil {
		return true
	}
	local := t.In(loc)
	minute := local.Hour()*60 + local.Minute()
	today := local.Weekday()
	return s.covers(today, minute) || s.covers((today+6)%7, minute+minutesPerDay)
}

// covers reports whether a range that starts on day holds the minute counted from that day's midnight; minutes from
// 1440 on belong to the following day, which overnight ranges reach.
func (s *Schedule) covers(day time.Weekday, minute int) bool {
	d, ok := s.WeeklySchedule[weekdayKeys[day]]
	if !ok || !d.IsEnabled {
		return false
	}
	if len(d.Hours) == 0 {
		return minute < minutesPerDay
	}
	return slices.ContainsFunc(d.Hours, func(r TimeRange) bool {
		start, end, ok := r.minutes()
		return ok && start <= minute && minute < end
	})
}

// minutes are the bounds from the midnight of the day on which the range starts; the end lies on the next day when it
// is not after the start.
func (r TimeRange) minutes() (start, end int, ok bool) {
	start, okStart := ParseClock(r.Start)
	end, okEnd := ParseClock(r.End)
	if end <= start {
		end += minutesPerDay
	}
	return start, end, okStart && okEnd
}

// openHorizon is how far NextOpen looks: a weekly range may fall into the hour that a change to summer time drops, so
// one week is not enough.
const openHorizon = 16

// NextOpen is the first instant not before t that lies in the hours; ok is false when they never open.
func (s *Schedule) NextOpen(t time.Time, loc *time.Location) (open time.Time, ok bool) {
	if s.OpenAt(t, loc) {
		return t, true
	}
	for _, c := range s.openings(t, loc) {
		if c.After(t) && s.OpenAt(c, loc) {
			return c, true
		}
	}
	return time.Time{}, false
}

// openings are the instants at which the state can turn to open, sorted: starts of ranges, midnights, and the zone's
// own changes, where the wall clock jumps.
func (s *Schedule) openings(t time.Time, loc *time.Location) []time.Time {
	var all []time.Time
	year, month, day := t.In(loc).Date()
	for i := range openHorizon {
		date := time.Date(year, month, day+i, 0, 0, 0, 0, time.UTC)
		for _, minute := range s.starts(date.Weekday()) {
			all = append(all, WallClocks(date.Add(time.Duration(minute)*time.Minute), loc)...)
		}
	}
	if _, change := t.In(loc).ZoneBounds(); !change.IsZero() {
		all = append(all, change)
	}
	slices.SortFunc(all, time.Time.Compare)
	return all
}

func (s *Schedule) starts(day time.Weekday) []int {
	minutes := []int{0}
	for _, r := range s.WeeklySchedule[weekdayKeys[day]].Hours {
		if start, _, ok := r.minutes(); ok {
			minutes = append(minutes, start)
		}
	}
	return minutes
}

func offsetAt(t time.Time, loc *time.Location) time.Duration {
	_, offset := t.In(loc).Zone()
	return time.Duration(offset) * time.Second
}

// Schedule is a subscriber's hours (api.md, Subscriber preferences; decisions.md §10).
type Schedule struct {
	IsEnabled      bool                   `json:"isEnabled"`
	WeeklySchedule map[string]DaySchedule `json:"weeklySchedule,omitzero"` // monday..sunday; none: always open, an empty one: never
}

// TimeRange is start (included) to end (excluded), as "hh:mm AM".
type TimeRange struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// Weekdays are the names of the days, as schedules use them.
func Weekdays() []string { return slices.Clone(weekdayKeys[:]) }

// DaySchedule is one weekday of a schedule.
type DaySchedule struct {
	IsEnabled bool        `json:"isEnabled"`
	Hours     []TimeRange `json:"hours,omitempty"`
}

// WeekdayKey is the name of a day, as schedules use it.
func WeekdayKey(day time.Weekday) string { return weekdayKeys[day] }
