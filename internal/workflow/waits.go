package workflow

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// AddUnits is the end of a span that begins at t. Seconds, minutes and hours are exact durations; days, weeks and months
// keep the wall clock of loc, and a month that lacks the day ends on its last one (semantics.md §11.6). A negative amount
// leads back.
func AddUnits(t time.Time, amount int, unit Unit, loc *time.Location) time.Time {
	local := t.In(loc)
	switch unit {
	case UnitSeconds:
		return t.Add(time.Duration(amount) * time.Second)
	case UnitMinutes:
		return t.Add(time.Duration(amount) * time.Minute)
	case UnitHours:
		return t.Add(time.Duration(amount) * time.Hour)
	case UnitWeeks:
		amount *= 7
	case UnitMonths:
		return calendar.SameClock(local, calendar.DayOf(local).AddMonths(amount))
	}
	return calendar.SameClock(local, calendar.DayOf(local).AddDays(amount))
}

// ClosesAt is when a window ends that opens at an instant. That of a timed digest is the first moment it names strictly
// after the opening, by the clock of loc (semantics.md §3.6, §3.8).
func (d *DigestControls) ClosesAt(opened time.Time, loc *time.Location) time.Time {
	if d.Type != DigestTimed || d.Timed == nil {
		return AddUnits(opened, d.Amount, d.Unit, loc)
	}
	at, ok := d.closes(opened, loc, max(d.Amount, 1))
	if !ok {
		at, _ = d.closes(opened, loc, 1)
	}
	return at
}

// closes is ClosesAt of a timed digest whose days count only every so many units. It is false when no day that counts has
// the wanted date: the thirty-first of every twelfth month, counted from one that has none.
func (d *DigestControls) closes(opened time.Time, loc *time.Location, every int) (at time.Time, ok bool) {
	minute, _ := calendar.ParseClock24(d.Timed.AtTime) // validated when the workflow was saved
	first := calendar.DayOf(opened.In(loc))
	for day, last := first, first.AddDate(horizon, 0, 0); !day.After(last); day = day.AddDays(1) {
		if !d.falls(day, first, every) {
			continue
		}
		if at = calendar.WallClock(day.Year(), day.Month(), day.Day(), minute, loc); at.After(opened) {
			return at, true
		}
	}
	return opened, false
}

// horizon is how many years ahead a timed digest looks for its moment; no amount reaches further than a century.
const horizon = 101

// falls reports whether a timed digest whose window opened on the day first may close on a day. Only every nth day,
// week or month counts, and the one that holds the opening's day is the first (semantics.md §11.16): were weeks and
// months spans that begin on that day, every window would find its moment in its own first span, and no amount mattered.
func (d *DigestControls) falls(day, first calendar.Date, every int) bool {
	switch d.Unit {
	case UnitWeeks:
		return calendar.WeeksBetween(first, day)%every == 0 && slices.Contains(d.Timed.WeekDays, calendar.WeekdayKey(day.Weekday()))
	case UnitMonths:
		return calendar.MonthsBetween(first, day)%every == 0 && d.Timed.monthly(day)
	}
	return calendar.DaysBetween(first, day)%every == 0
}

// monthly reports whether a monthly digest names the day: by its number, or by its place among the days of a kind. A month
// that lacks the number or the place has no such day (semantics.md §3.9).
func (t *DigestTimedAt) monthly(day calendar.Date) bool {
	if t.MonthlyType != "on" {
		return slices.ContainsFunc(t.MonthDays, func(s string) bool {
			n, _ := parseMonthDay(s)
			return n == day.Day()
		})
	}
	if !t.counts(day) {
		return false
	}
	if t.Ordinal == "last" {
		for next := day.AddDays(1); next.Month() == day.Month(); next = next.AddDays(1) {
			if t.counts(next) {
				return false
			}
		}
		return true
	}
	place := 0
	for d := day; d.Month() == day.Month(); d = d.AddDays(-1) {
		if t.counts(d) {
			place++
		}
	}
	return t.Ordinal == string(rune('0'+place))
}

// parseMonthDay reads a date of a monthly digest, 1 to 31.
func parseMonthDay(s string) (day int, ok bool) {
	day, err := strconv.Atoi(s)
	return day, err == nil && day >= 1 && day <= 31
}

// counts reports whether a day is of the ordinal's kind.
func (t *DigestTimedAt) counts(day calendar.Date) bool {
	weekend := day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
	switch t.OrdinalValue {
	case "day":
		return true
	case "weekday":
		return !weekend
	case "weekend":
		return weekend
	}
	return t.OrdinalValue == calendar.WeekdayKey(day.Weekday())
}

// LookBack is where the look-back of a digest begins for an event; an event at exactly that instant is not inside
// (semantics.md §11.4).
func (d *DigestControls) LookBack(at time.Time, loc *time.Location) time.Time {
	return AddUnits(at, -d.BackoffAmount, d.BackoffUnit, loc)
}

// Delayed is what a delay step comes to.
type Delayed struct {
	Until time.Time
	Past  string // what to do when Until has passed: continue, fail or skip; "": it has not
	Fault string // why the instant cannot be used; "": it can
}

// EndsAt is the end of a delay that begins at now: from the trigger's override, the author's amount, or the date-time
// that is in the payload; one without a zone is in loc (semantics.md §4.2).
func (c *DelayControls) EndsAt(now time.Time, payload map[string]any, loc *time.Location, over *DelayOverride, longest time.Duration) (d Delayed) {
	switch {
	case c.Type == DelayScheduled:
		value := jsonvalue.LookupPayload(payload, c.DelayPath)
		at, ok := readInstant(value, loc)
		if !ok {
			return Delayed{Fault: "payload." + trimPayload(c.DelayPath) + " is not a date-time such as 2026-01-31T09:00:00Z: " + condition.Compact(condition.Shown(value))}
		}
		d.Until = at
		if !at.After(now) {
			d.Past = "continue"
			if c.Past != "" {
				d.Past = c.Past
			}
			return d
		}
	case over != nil:
		d.Until = AddUnits(now, over.Amount, over.Unit, loc)
	default:
		d.Until = AddUnits(now, c.Amount, c.Unit, loc)
	}
	if longest > 0 && d.Until.Sub(now) > longest {
		d.Fault = "the delay would end at " + d.Until.UTC().Format(time.RFC3339) + ", further ahead than the operator permits (" + longest.String() + ")"
	}
	return d
}

// WindowEnd is when the window of a throttle ends that begins at start: after the author's amount, or at the date or after
// the duration in the payload. With a warning there is none (semantics.md §5.2).
func (c *ThrottleControls) WindowEnd(start time.Time, payload map[string]any, loc *time.Location) (end time.Time, warning string) {
	if c.WindowPath == "" {
		return AddUnits(start, c.Amount, c.Unit, loc), ""
	}
	value := jsonvalue.LookupPayload(payload, c.WindowPath)
	name := "payload." + trimPayload(c.WindowPath)
	end, ok := readInstant(value, loc)
	if !ok {
		end, ok = readDuration(start.In(loc), value)
	}
	switch {
	case !ok:
		return time.Time{}, name + " is neither a date-time nor a duration such as PT1H: " + condition.Compact(condition.Shown(value))
	case !end.After(start):
		return time.Time{}, name + " has passed: " + condition.Compact(condition.Shown(value))
	}
	return end.UTC(), ""
}

// readDuration is the end of a duration that begins at start: ISO 8601, or an amount with a unit (semantics.md §11.13).
func readDuration(start time.Time, value any) (end time.Time, ok bool) {
	switch v := value.(type) {
	case string:
		p, err := calendar.ParsePeriod(strings.TrimSpace(v))
		if err != nil {
			return end, false
		}
		return p.After(start), true
	case map[string]any:
		amount, whole := jsonvalue.WholeNumber(v["amount"])
		unit, _ := v["unit"].(string)
		if !Unit(unit).Valid() || !whole || amount < 1 || amount > Unit(unit).Most() {
			return end, false
		}
		return AddUnits(start, amount, Unit(unit), start.Location()), true
	}
	return end, false
}

// readInstant reads a date-time. What is finer than the database keeps is rounded up, because nothing fires early.
func readInstant(value any, loc *time.Location) (time.Time, bool) {
	text, ok := value.(string)
	if !ok {
		return time.Time{}, false
	}
	at, ok := condition.ParseInstant(text, loc)
	return at.UTC().Add(time.Microsecond - 1).Truncate(time.Microsecond), ok
}

// KeyValue is the value of a digest's or throttle's key in a payload, as JSON, so that different values differ. Without a
// path it is empty; no value is a value of its own (semantics.md §11.17).
func KeyValue(payload map[string]any, path string) string {
	if path == "" {
		return ""
	}
	raw, err := json.Marshal(canonical(jsonvalue.LookupPayload(payload, path))) // keys of objects are sorted
	if err != nil {
		return "null" // unreachable: the value has been JSON
	}
	return shortKey(string(raw))
}

// canonical writes equal numbers alike, however they were given and decoded: 1.0 and 1e0 as 1. Whole numbers keep all
// their digits.
func canonical(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, member := range v {
			out[key] = canonical(member)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = canonical(v[i])
		}
		return out
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
	}
	return value
}

func trimPayload(path string) string { return strings.TrimPrefix(path, "payload.") }

// maxKey bounds a key's value, which is part of an identity; longer ones are replaced by their hash.
const maxKey = 200

func shortKey(value string) string {
	if len(value) <= maxKey {
		return value
	}
	sum := sha256.Sum256([]byte(value))
	return "sha256:" + hex.EncodeToString(sum[:])
}
