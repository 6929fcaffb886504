package render

import (
	"errors"
	"regexp"
	"time"

	"github.com/osteele/liquid/values"
	"github.com/osteele/tuesday"
)

// wideDirective would make the formatter pad to any width.
var wideDirective = regexp.MustCompile(`%[-_0^#:]*[0-9]{3,}`)

// date formats a date. There is no clock here, so "now" stays as it is, and so does what is no date.
func date(v, format any) (any, error) {
	layout := textOr(format, "%a, %b %d, %y")
	if wideDirective.MatchString(layout) {
		return nil, errors.New("the width of a date directive must be below 100")
	}
	t, ok := v.(time.Time)
	if !ok {
		s, isText := v.(string)
		if !isText || s == "now" || s == "today" {
			return v, nil
		}
		if t, ok = parseDate(s); !ok {
			return v, nil
		}
	}
	return tuesday.Strftime(layout, t)
}

// parseDate reads ISO dates as UTC, and leaves other notations to the library.
func parseDate(s string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	t, err := values.ParseDate(s)
	return t, err == nil
}
