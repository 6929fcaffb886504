package audience

import (
	"slices"

	"github.com/carillon/carillon/internal/workflow/calendar"
)

// ScheduleInput is a subscriber's hours as a caller writes them.
type ScheduleInput struct {
	IsEnabled      bool
	WeeklySchedule *WeeklySchedule
}

// Schedule is the value to store.
func (s *ScheduleInput) Schedule() *calendar.Schedule {
	return &calendar.Schedule{IsEnabled: s.IsEnabled, WeeklySchedule: s.WeeklySchedule.days()}
}

// WeeklySchedule is a schedule by weekday; a day that is missing is closed.
type WeeklySchedule struct {
	Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday *calendar.DaySchedule
}

// WeekOf is the week of a stored schedule, nil when it has none.
func WeekOf(s *calendar.Schedule) *WeeklySchedule {
	if s == nil || s.WeeklySchedule == nil {
		return nil
	}
	week := &WeeklySchedule{}
	for name, day := range week.slots() {
		if stored, ok := s.WeeklySchedule[name]; ok {
			*day = &stored
		}
	}
	return week
}

func (w *WeeklySchedule) days() map[string]calendar.DaySchedule {
	if w == nil {
		return nil
	}
	days := map[string]calendar.DaySchedule{}
	for name, day := range w.slots() {
		if *day != nil {
			days[name] = calendar.DaySchedule{IsEnabled: (*day).IsEnabled, Hours: documentedHours((*day).Hours)}
		}
	}
	return days
}

// documentedHours writes hours as the documented API shows them; what cannot be read stays, for the check that refuses it.
func documentedHours(hours []calendar.TimeRange) []calendar.TimeRange {
	written := slices.Clone(hours)
	for i := range written {
		for _, text := range []*string{&written[i].Start, &written[i].End} {
			if minute, ok := calendar.ParseClock(*text); ok {
				*text = calendar.FormatClock(minute)
			}
		}
	}
	return written
}

func (w *WeeklySchedule) slots() map[string]**calendar.DaySchedule {
	return map[string]**calendar.DaySchedule{
		"monday": &w.Monday, "tuesday": &w.Tuesday, "wednesday": &w.Wednesday, "thursday": &w.Thursday,
		"friday": &w.Friday, "saturday": &w.Saturday, "sunday": &w.Sunday,
	}
}
