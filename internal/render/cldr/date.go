package cldr

import (
	"strconv"
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
func (l *Locale) Date(t time.Time, s Style) string { return l.date(t, l.data.Date[s]) }

// Time writes the hour of a time, in the zone that the time has.
func (l *Locale) Time(t time.Time, s Style) string { return l.date(t, l.data.Time[s]) }

// joined puts a time and a date into a pattern such as {1}, {0}.
func joined(pattern, date, clock string) string {
	return strings.NewReplacer("{0}", clock, "{1}", date).Replace(pattern)
}

// date writes an instant as a pattern says.
func (l *Locale) date(t time.Time, pattern string) string {
	var b strings.Builder
	for _, f := range datePattern(pattern) {
		if f.letter == 0 {
			b.WriteString(f.text)
		} else {
			b.WriteString(l.dateField(t, f.letter, f.width))
		}
	}
	return b.String()
}

// dateField is a letter of a pattern, as often as it is repeated, or a text.
type dateField struct {
	letter byte // 0: text
	width  int
	text   string
}

func datePattern(pattern string) (fields []dateField) {
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			fields = append(fields, dateField{text: text.String()})
			text.Reset()
		}
	}
	quoted := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\'' && i+1 < len(pattern) && pattern[i+1] == '\'':
			text.WriteByte('\'')
			i++
		case c == '\'':
			quoted = !quoted
		case !quoted && (c|0x20 >= 'a' && c|0x20 <= 'z'):
			flush()
			width := 1
			for ; i+1 < len(pattern) && pattern[i+1] == c; i++ {
				width++
			}
			fields = append(fields, dateField{letter: c, width: width})
		default:
			text.WriteByte(c)
		}
	}
	flush()
	return fields
}

func (l *Locale) dateField(t time.Time, letter byte, width int) string {
	number := func(n int) string { return padded(n, width) }
	switch letter {
	case 'G':
		return l.data.Eras[[...]string{"abbreviated", "wide"}[btoi(width > 3)]]
	case 'y', 'u':
		if width == 2 {
			return number(t.Year() % 100)
		}
		return number(t.Year())
	case 'M', 'L':
		return l.month(t.Month(), letter, width)
	case 'd':
		return number(t.Day())
	case 'E', 'e', 'c':
		return l.data.Days[context(letter == 'c')+widthName(width)][t.Weekday()]
	case 'a', 'b', 'B':
		return l.period(t.Hour(), letter == 'B')
	case 'h':
		return number((t.Hour()+11)%12 + 1)
	case 'H':
		return number(t.Hour())
	case 'K':
		return number(t.Hour() % 12)
	case 'k':
		return number((t.Hour()+23)%24 + 1)
	case 'm':
		return number(t.Minute())
	case 's':
		return number(t.Second())
	default:
		return l.zone(t, width > 3)
	}
}

func (l *Locale) month(m time.Month, letter byte, width int) string {
	if width < 3 {
		return padded(int(m), width)
	}
	return l.data.Months[context(letter == 'L')+widthName(width)][m-1]
}

// period is the part of a day that an hour is in: before or after noon, or one of the finer parts that some languages use.
func (l *Locale) period(hour int, fine bool) string {
	if fine {
		parts := known().shared.Periods
		of, there := parts[l.tag]
		if !there {
			of = parts[l.language]
		}
		for name, within := range of {
			from, before := within[0], within[1]
			if text := l.data.Periods[name]; text != "" && (from <= hour && hour < before || from > before && (hour >= from || hour < before)) {
				return text
			}
		}
	}
	return l.data.Periods[[...]string{"am", "pm"}[btoi(hour >= 12)]]
}

func context(alone bool) string {
	if alone {
		return "alone-"
	}
	return "format-"
}

func widthName(width int) string {
	switch width {
	case 4:
		return "wide"
	case 5:
		return "narrow"
	default:
		return "abbreviated"
	}
}

func padded(n, width int) string {
	text := strconv.Itoa(n)
	if missing := min(width, 9) - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	return text
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// zone is the abbreviation of a zone, such as CET, or for zones that have none the difference from UTC as the locale writes it.
func (l *Locale) zone(t time.Time, long bool) string {
	name, seconds := t.Zone()
	if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && name != "" {
		return name
	}
	sign, minutes := 0, seconds/60
	if minutes < 0 {
		sign, minutes = 1, -minutes
	}
	if minutes == 0 {
		return l.data.Zone["zero"]
	}
	pattern := strings.Split(l.data.Zone["hour"], ";")[sign]
	hour := strconv.Itoa(minutes / 60)
	if long {
		hour = padded(minutes/60, 2)
	} else if minutes%60 == 0 {
		hours, _, _ := strings.Cut(pattern, "mm")
		pattern = strings.TrimRight(hours, ":.")
	}
	offset := strings.NewReplacer("HH", hour, "H", hour, "mm", padded(minutes%60, 2)).Replace(pattern)
	return strings.ReplaceAll(l.data.Zone["format"], "{0}", offset)
}
