package render

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/osteele/tuesday"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// wideDirective would make the formatter pad to any width.
var wideDirective = regexp.MustCompile(`%[-_0^#:]*[0-9]{3,}`)

// ordinal is the directive of a day's ending, which the formatter does not know, or an escaped percent sign.
var ordinal = regexp.MustCompile(`%[%q]`)

// date formats a date, in a zone if there is one: its name, or the minutes that it is behind UTC. What is no date stays as it is.
func (f filterSet) date(v any, r *reader, format, zone any) (any, error) {
	return f.dateBy(v, r, textOr(format, "%a, %b %d, %y"), zone)
}

func (f filterSet) dateBy(v any, r *reader, layout string, zone any) (any, error) {
	if wideDirective.MatchString(layout) {
		return nil, errors.New("the width of a date directive must be below 100")
	}
	t, ok := r.instant(v)
	if !ok {
		return v, nil
	}
	if t.Location() == unzoned {
		t = inUTC(t)
	}
	if zone != nil {
		in, err := zoneOf(zone)
		if err != nil {
			return nil, err
		}
		t = t.In(in)
	}
	layout = ordinal.ReplaceAllStringFunc(layout, func(directive string) string {
		if directive == "%q" {
			return dayEnding(t.Day())
		}
		return directive
	})
	text, err := tuesday.Strftime(layout, t)
	if err != nil {
		return nil, err //nolint:wrapcheck // it never fails
	}
	return f.bounded(text)
}

// dateAs is date with a format of its own.
func (f filterSet) dateAs(layout string) func(v any, r *reader) (any, error) {
	return func(v any, r *reader) (any, error) { return f.dateBy(v, r, layout, nil) }
}

// dateInWords is a date with its month in words, such as 05 Mar 2024; with the style "ordinal" 5th Mar 2024, or Mar 5th, 2024 in the US.
func (f filterSet) dateInWords(month string) func(v any, r *reader, style, region any) (any, error) {
	return func(v any, r *reader, style, region any) (any, error) {
		layout := "%d " + month + " %Y"
		switch {
		case toText(style) == "ordinal" && toText(region) == "US":
			layout = month + " %-d%q, %Y"
		case toText(style) == "ordinal":
			layout = "%-d%q " + month + " %Y"
		}
		return f.dateBy(v, r, layout, nil)
	}
}

// dayEnding is what follows the number of a day in English: st, nd, rd or th.
func dayEnding(day int) string {
	switch {
	case day/10 == 1:
	case day%10 == 1:
		return "st"
	case day%10 == 2:
		return "nd"
	case day%10 == 3:
		return "rd"
	}
	return "th"
}

// zoneOf is a time zone by its name, or by the minutes that it is behind UTC.
func zoneOf(v any) (*time.Location, error) {
	const day = 24 * 60
	if behind, ok := jsonvalue.Number(v); ok {
		if behind < -day || behind > day {
			return nil, fmt.Errorf("a time zone is at most %d minutes from UTC, not %s", day, toText(v))
		}
		return time.FixedZone("", -int(behind)*60), nil
	}
	zone, ok := workflow.Location(strings.TrimSpace(toText(v)))
	if !ok {
		return nil, fmt.Errorf("%s is no time zone; one is named as Europe/Berlin is", described(v))
	}
	return zone, nil
}

// unzoned is the location of times that name no zone. No zone that a text can name is a second from UTC.
var unzoned = time.FixedZone("", 1)

// inUTC is the time at which the clock shows in UTC what t shows.
func inUTC(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// instant reads a time: a date as a text, seconds since 1970, and the words now and today, where the time is known. What names no zone is
// in unzoned.
func (r *reader) instant(v any) (time.Time, bool) {
	switch x := v.(type) {
	case time.Time:
		return x, true
	case nil, bool, []any, map[string]any:
		return time.Time{}, false
	}
	if !isText(v) {
		n, ok := jsonvalue.Number(v)
		if !ok {
			return time.Time{}, false
		}
		return epoch(n, time.UTC)
	}
	text := strings.TrimSpace(toText(v))
	if text == "now" || text == "today" {
		return r.now, !r.now.IsZero()
	}
	if n, ok := jsonvalue.ParseNumber(text); ok && strings.Trim(text, "0123456789") == "" {
		return epoch(n, time.UTC)
	}
	return parseDate(text)
}

// dateLayouts are those of ISO 8601 with what programs make of it, of mail and of browsers, and English ones.
var dateLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly, "2006-01-02T15:04:05Z0700",
	"2006-01-02 15:04", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 MST",
	"20060102T150405Z0700", "2006/01/02", "2006/01/02 15:04:05", "2006/01/02 15:04", "2006-01",
	time.RFC1123, time.RFC1123Z, "Mon, _2 Jan 2006 15:04:05 -0700", time.RFC850, time.RFC822, time.RFC822Z,
	time.ANSIC, time.UnixDate, time.RubyDate, "Mon Jan 02 2006 15:04:05 GMT-0700", "Mon Jan 02 2006",
	"January 2, 2006", "January 2, 2006 15:04", "January 2, 2006 15:04:05", "Monday, January 2, 2006", "January 2 2006",
	"Jan 2, 2006", "Jan 2, 2006 15:04", "Jan 2, 2006 15:04:05", "Jan 2 2006", "2 January 2006", "2 Jan 2006",
}

// mailZones are the zones that mails name (RFC 5322 §4.3), in hours from UTC.
var mailZones = map[string]int{"EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8}

// parseDate reads a date of a text.
func parseDate(s string) (time.Time, bool) {
	const longest = 80
	if at := strings.Index(s, " ("); at > 0 && strings.HasSuffix(s, ")") { // the name of the zone, as browsers write it
		s = s[:at]
	}
	if len(s) > longest {
		return time.Time{}, false
	}
	for _, layout := range dateLayouts {
		t, err := time.ParseInLocation(layout, s, unzoned)
		if err != nil {
			continue
		}
		if name, _ := t.Zone(); mailZones[name] != 0 { // the parser takes a zone by its name for UTC
			t = inUTC(t).Add(-time.Duration(mailZones[name]) * time.Hour).In(time.FixedZone(name, mailZones[name]*60*60))
		}
		return t, true
	}
	return time.Time{}, false
}
