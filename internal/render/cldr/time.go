package cldr

import (
	"strings"
	"time"
)

// Style is how much of a date or time is written.
type Style string

// The styles of CLDR. Long and full times name the time zone.
const (
	Short  Style = "short"
	Medium Style = "medium"
	Long   Style = "long"
	Full   Style = "full"
)

// StyleOf is the style of a name; "" is medium.
func StyleOf(name string) (s Style, ok bool) {
	switch s = Style(name); s {
	case "":
		return Medium, true
	case Short, Medium, Long, Full:
		return s, true
	}
	return "", false
}

// Date writes the day of a time, in the zone that the time has.
func (l *Locale) Date(t time.Time, s Style) string {
	switch s {
	case Short:
		return l.times.FormatDateShort(t)
	case Long:
		return l.times.FormatDateLong(t)
	case Full:
		return l.times.FormatDateFull(t)
	default:
		return l.times.FormatDateMedium(t)
	}
}

// Time writes the hour of a time, in the zone that the time has.
func (l *Locale) Time(t time.Time, s Style) string {
	text, plain := l.clock(t, s)
	if strings.Contains(text, "B") { // a period of the day, such as "in the morning", which the library has no words for
		return t.Format(plain)
	}
	return text
}

// clock is a time by the locale's pattern, and the layout that every locale can read.
func (l *Locale) clock(t time.Time, s Style) (text, plain string) {
	switch s {
	case Short:
		return l.times.FormatTimeShort(t), "15:04"
	case Long:
		return l.times.FormatTimeLong(t), "15:04:05 MST"
	case Full:
		return l.times.FormatTimeFull(t), "15:04:05 MST"
	default:
		return l.times.FormatTimeMedium(t), "15:04:05"
	}
}
