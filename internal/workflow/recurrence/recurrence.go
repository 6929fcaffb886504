// Package recurrence computes when a schedule runs: once, or again and again by a rule of RFC 5545, on the clock of a zone.
// It is pure, and everything that it computes takes bounded time.
package recurrence

import (
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// Spec says when a schedule runs, as it is stored.
type Spec struct {
	StartsAt   string   // date and time on the clock of the zone: 2026-12-01T09:00
	Rule       string   // value of an RRULE; "": once, at StartsAt
	Exceptions []string // days of that clock without a run: 2026-12-25
}

const (
	// Clock is the form of times on a clock.
	Clock = "2006-01-02T15:04"
	// Day is the form of days.
	Day = time.DateOnly

	// MaxExceptions bounds the days without a run.
	MaxExceptions = 200

	firstYear, lastYear = 2000, 2199
)

// Plan is a Spec that was read.
type Plan struct {
	start      time.Time // what the clock shows, in UTC
	rule       *rule     // nil: once
	exceptions map[calendar.Date]bool
}

// Parse reads a Spec, and records what is wrong with it at the paths startsAt, rrule and exceptions.
func Parse(p *fault.Problems, s Spec) *Plan {
	plan := &Plan{exceptions: make(map[calendar.Date]bool, len(s.Exceptions))}
	start, err := time.Parse(Clock, s.StartsAt)
	if err != nil || start.Year() < firstYear || start.Year() > lastYear {
		p.Add("startsAt", s.StartsAt, "must be a date and a time such as 2026-12-01T09:00, from the year %d to %d", firstYear, lastYear)
		return nil
	}
	plan.start = start
	if len(s.Exceptions) > MaxExceptions {
		p.Add("exceptions", nil, "must not hold more than %d days", MaxExceptions)
		return nil
	}
	wrong := false
	for _, text := range s.Exceptions {
		day, err := time.Parse(Day, text)
		if err != nil {
			p.Add("exceptions", text, "must be days such as 2026-12-25")
			wrong = true
		}
		plan.exceptions[calendar.DayOf(day)] = true
	}
	if s.Rule != "" {
		plan.rule = parseRule(p, s.Rule, start)
		wrong = wrong || plan.rule == nil
	}
	if wrong {
		return nil
	}
	return plan
}

// Local reports whether the plan has at most a few runs a day, so that each recipient's own clock can be meant.
func (p *Plan) Local() bool {
	return p.rule == nil || units[p.rule.options.Freq] == 0 || units[p.rule.options.Freq] >= 24*time.Hour
}

// Runs iterates over the instants of runs after one, in a zone. A time that the zone's clock jumps over runs at the first
// instant after it, one that occurs twice runs the first time (semantics.md §3.10), and no two runs share an instant.
func (p *Plan) Runs(after time.Time, zone *time.Location) func(yield func(time.Time) bool) {
	return func(yield func(time.Time) bool) {
		for local := range p.times(clockOf(after, zone)) {
			if p.exceptions[calendar.DayOf(local)] {
				continue
			}
			at := calendar.WallClocks(local, zone)[0]
			if !at.After(after) {
				continue
			}
			if p.rule != nil && !p.rule.until.IsZero() && at.After(p.rule.until) || !yield(at) {
				return
			}
			after = at
		}
	}
}

// times iterates over what the clock shows at runs, behind local.
func (p *Plan) times(local time.Time) func(yield func(time.Time) bool) {
	if p.rule != nil {
		return p.rule.after(local)
	}
	return func(yield func(time.Time) bool) {
		if p.start.After(local) {
			yield(p.start)
		}
	}
}

// clockOf is what a zone's clock shows at an instant, in UTC.
func clockOf(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	return time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), local.Nanosecond(), time.UTC)
}

// Next is the first instant of a run after one, in any of some zones; false when no run follows.
func (p *Plan) Next(after time.Time, zones ...*time.Location) (next time.Time, ok bool) {
	for _, zone := range zones {
		for at := range p.Runs(after, zone) {
			if !ok || at.Before(next) {
				next, ok = at, true
			}
			break
		}
	}
	return next, ok
}

// Due are the zones, by their positions, in which a run lies after one instant and not after another one.
func (p *Plan) Due(after, now time.Time, zones ...*time.Location) (due []int) {
	for i, zone := range zones {
		if at, ok := p.Next(after, zone); ok && !at.After(now) {
			due = append(due, i)
		}
	}
	return due
}
