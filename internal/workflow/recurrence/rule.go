package recurrence

import (
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"github.com/carillon/carillon/internal/fault"
)

// Bounds of a rule. They keep what a stranger sends from running often, and from taking long to compute.
const (
	maxRule     = 500    // bytes of text
	maxInterval = 10_000 // units between two runs
	maxCount    = 1_000  // runs of a rule that counts them: they are counted from its start each time
	maxPerDay   = 24     // times of the day of a rule that repeats daily or less often
)

// rule is what repeats, on a clock without a zone: its times are in UTC, era years ahead.
type rule struct {
	options rrule.ROption
	until   time.Time // the last instant of a rule that ends at one; zero: it ends by the clock, if at all
}

// era is how many years ahead rules are computed: whole cycles of the calendar, so that dates fall on the same days of the
// week. The library looks for the next run up to the year 9999. A rule that has none any more is known to have none after
// 373 years then, instead of after 8,000.
const era = 7_600

func toEra(t time.Time) time.Time   { return t.AddDate(era, 0, 0) }
func fromEra(t time.Time) time.Time { return t.AddDate(-era, 0, 0) }

// parseRule reads the value of an RRULE (RFC 5545, section 3.3.10) that begins at start.
func parseRule(p *fault.Problems, text string, start time.Time) *rule {
	wrong := func(format string, args ...any) *rule {
		p.Add("rrule", text, format, args...)
		return nil
	}
	if len(text) > maxRule {
		p.Add("rrule", nil, "must not be longer than %d characters", maxRule)
		return nil
	}
	value := strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "RRULE:")
	if strings.ContainsAny(value, "\r\n") || strings.Contains(value, "DTSTART") || strings.Contains(value, "BYEASTER") {
		return wrong("must be the value of one RRULE of RFC 5545: no DTSTART, no BYEASTER, one line")
	}
	options, err := rrule.StrToROption(value)
	if err != nil {
		return wrong("is no RRULE of RFC 5545: %s", err.Error())
	}
	for _, numbers := range []*[]int{&options.Byhour, &options.Byminute} { // the library runs twice at what is named twice
		slices.Sort(*numbers)
		*numbers = slices.Compact(*numbers)
	}
	if problem := bounded(options, value); problem != "" {
		return wrong("%s", problem)
	}
	r := &rule{options: *options}
	r.options.Dtstart = toEra(start)
	r.end(value)
	if _, err := rrule.NewRRule(r.options); err != nil {
		return wrong("is no RRULE of RFC 5545: %s", err.Error())
	}
	if !r.reachable(start) {
		return wrong("has no run: INTERVAL passes over every BYHOUR and BYMINUTE")
	}
	return r
}

// bounded says what is wrong with a rule that would run too often, or that the library would not compute.
func bounded(o *rrule.ROption, value string) string {
	switch {
	case o.Freq == rrule.SECONDLY || len(o.Bysecond) > 0:
		return "must not be SECONDLY or hold BYSECOND: runs are at least a minute apart"
	case strings.Contains(value, "INTERVAL=") && (o.Interval < 1 || o.Interval > maxInterval):
		return "must have an INTERVAL from 1 to 10,000"
	case strings.Contains(value, "COUNT=") && (o.Count < 1 || o.Count > maxCount):
		return "must have a COUNT from 1 to 1,000"
	case o.Count > 0 && !o.Until.IsZero():
		return "must not hold both COUNT and UNTIL"
	case o.Freq <= rrule.DAILY && max(1, len(o.Byhour))*max(1, len(o.Byminute)) > maxPerDay:
		return "must not hold more than 24 times of the day"
	case o.Freq > rrule.DAILY && len(o.Bysetpos)+len(o.Bymonthday)+len(o.Byyearday) > 0: // a day that is rare would be looked for minute by minute
		return "must not hold BYSETPOS, BYMONTHDAY or BYYEARDAY when it is HOURLY or MINUTELY"
	case len(o.Byweekno) > 0 && o.Freq != rrule.YEARLY:
		return "must not hold BYWEEKNO unless it is YEARLY"
	}
	most := 0 // weeks that BYDAY may count
	switch {
	case o.Freq == rrule.YEARLY && len(o.Bymonth) == 0:
		most = 53
	case o.Freq <= rrule.MONTHLY:
		most = 5
	}
	for _, day := range o.Byweekday {
		if n := day.N(); n > most || -n > most {
			return "counts a BYDAY further than its month or year goes"
		}
	}
	return ""
}

// end takes the end of the rule. A date ends with its day; a time without zone is one of the rule's clock.
func (r *rule) end(value string) {
	until := r.options.Until
	if until.IsZero() {
		return
	}
	_, text, _ := strings.Cut(value, "UNTIL=")
	text, _, _ = strings.Cut(text, ";")
	switch {
	case strings.HasSuffix(text, "Z"):
		r.until, r.options.Until = until, time.Time{}
		return
	case !strings.Contains(text, "T"):
		until = until.AddDate(0, 0, 1).Add(-time.Second)
	}
	r.options.Until = toEra(until)
}

// reachable reports whether a rule that advances by hours or minutes ever comes to one of its hours and minutes. The library
// would look for one forever.
func (r *rule) reachable(start time.Time) bool {
	o := &r.options
	step, cycle, at := max(1, o.Interval), 24, start.Hour()
	minutes := []int{0}
	switch o.Freq {
	case rrule.HOURLY:
	case rrule.MINUTELY:
		cycle, at = 24*60, start.Hour()*60+start.Minute()
		minutes = orAll(o.Byminute, 60)
	default:
		return true
	}
	for a := cycle; a%step != 0; { // Euclid: what both have in common is how far apart the times are that it comes to
		a, step = step, a%step
	}
	return slices.ContainsFunc(orAll(o.Byhour, 24), func(hour int) bool {
		return slices.ContainsFunc(minutes, func(minute int) bool { return (hour*(cycle/24)+minute-at)%step == 0 })
	})
}

func orAll(given []int, n int) []int {
	if len(given) > 0 {
		return given
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

var units = map[rrule.Frequency]time.Duration{
	rrule.WEEKLY: 7 * 24 * time.Hour, rrule.DAILY: 24 * time.Hour, rrule.HOURLY: time.Hour, rrule.MINUTELY: time.Minute,
}

// after iterates over the times of the rule behind a time of its clock. Unless runs are counted it begins near that time
// instead of at the start: whole intervals away, so that it meets the same times.
func (r *rule) after(local time.Time) func(yield func(time.Time) bool) {
	options, behind := r.options, toEra(local)
	if unit := units[options.Freq]; unit > 0 && options.Count == 0 {
		step := unit * time.Duration(max(1, options.Interval))
		if n := behind.Sub(options.Dtstart)/step - 2; n > 0 {
			options.Dtstart = options.Dtstart.Add(n * step)
		}
	}
	return func(yield func(time.Time) bool) {
		library, err := rrule.NewRRule(options)
		if err != nil {
			return // parseRule made one
		}
		for next := library.Iterator(); ; {
			at, ok := next()
			if !ok || at.After(behind) && !yield(fromEra(at)) {
				return
			}
		}
	}
}
