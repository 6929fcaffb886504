package cldr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// dateSkeletons and timeSkeletons are the sets of fields that a skeleton may name, with MMM for a month by name.
var (
	dateSkeletons = []string{
		"", "y", "yM", "yMd", "yMEd", "yMMM", "yMMMd", "yMMMEd", "M", "Md", "MEd", "MMM", "MMMd", "MMMEd", "d", "E", "Ed",
	}
	timeSkeletons = []string{"", "h", "H", "hm", "Hm", "hms", "Hms", "ms"}
)

// skeleton is a set of fields with their widths, split into date and time.
type skeleton struct {
	date, clock string // keys of dateSkeletons and timeSkeletons
	zone        string // run of z, v or O
	widths      map[byte]int
	preferred   bool // j: the locale chooses between h and H
}

const skeletonFields = "use years y, months M, days d, weekdays E, hours j, h or H, minutes m, seconds s and the zone z, such as yMMMd or jm"

// CheckSkeleton reports what is wrong with a skeleton: the fields of a date in any order, such as yMMMd or yMMMMEEEEdjm.
func CheckSkeleton(text string) error {
	_, err := parseSkeleton(text)
	return err
}

func parseSkeleton(text string) (s skeleton, err error) {
	s.widths = map[byte]int{}
	for _, f := range datePattern(text) {
		letter := f.letter
		switch letter {
		case 'L':
			letter = 'M'
		case 'c', 'e':
			letter = 'E'
		case 'j':
			letter, s.preferred = 'h', true
		case 'z', 'v', 'O':
			s.zone = strings.Repeat(string(rune(letter)), f.width)
			continue
		}
		if letter == 0 || !strings.ContainsRune("yMdEhHms", rune(letter)) || s.widths[letter] > 0 || f.width > 5 {
			return s, fmt.Errorf("%q is no skeleton of a date that is supported; %s", text, skeletonFields)
		}
		s.widths[letter] = f.width
	}
	for _, letter := range []byte("yMEd") {
		if width := s.widths[letter]; letter == 'M' && width > 2 {
			s.date += "MMM"
		} else if width > 0 {
			s.date += string(rune(letter))
		}
	}
	for _, letter := range []byte("hHms") {
		if s.widths[letter] > 0 {
			s.clock += string(rune(letter))
		}
	}
	if s.date+s.clock == "" {
		return s, errors.New("a skeleton needs a field; " + skeletonFields)
	}
	if !slices.Contains(dateSkeletons, s.date) || !slices.Contains(timeSkeletons, s.clock) {
		return s, fmt.Errorf("the fields of %q do not go together; %s", text, skeletonFields)
	}
	return s, nil
}

// Skeleton writes the fields of a time that a skeleton names, in the locale's order; see CheckSkeleton.
func (l *Locale) Skeleton(t time.Time, text string) string {
	s, err := parseSkeleton(text)
	if err != nil {
		return l.Date(t, Medium) // refused before
	}
	return l.date(t, l.skeletonPattern(s))
}

func (l *Locale) skeletonPattern(s skeleton) string {
	date, clock := "", ""
	if s.date != "" {
		date = s.widened(l.available(s))
	}
	if s.clock != "" {
		clock = l.clockPattern(s)
	}
	switch {
	case date == "":
		return clock
	case clock == "":
		return date
	}
	join := Short
	switch month := s.widths['M']; {
	case month == 4 && s.widths['E'] > 0:
		join = Full
	case month == 4:
		join = Long
	case month == 3:
		join = Medium
	}
	return joined(l.data.Join[join], date, clock)
}

// available is the pattern of the fields of a date; some locales have one of their own for names in full.
func (l *Locale) available(s skeleton) string {
	month := strings.Replace(s.date, "MMM", strings.Repeat("M", max(s.widths['M'], 3)), 1)
	wide := func(name string) string { return strings.Replace(name, "E", strings.Repeat("E", s.widths['E']), 1) }
	for _, name := range []string{wide(month), wide(s.date), month} {
		if own := l.data.Skeletons[name]; own != "" {
			return own
		}
	}
	return l.data.Skeletons[s.date]
}

func (l *Locale) clockPattern(s skeleton) string {
	key := s.clock
	if s.preferred && strings.Contains(l.data.Time[Short], "H") {
		key = strings.Replace(key, "h", "H", 1)
		s.widths['H'] = s.widths['h']
	}
	pattern := s.widened(l.data.Skeletons[key])
	if s.zone != "" {
		pattern += " " + s.zone
	}
	return pattern
}

// widened gives names the widths that were asked for, and numbers a second digit where one was asked for.
func (s skeleton) widened(pattern string) string {
	var b strings.Builder
	for _, f := range datePattern(pattern) {
		if f.letter == 0 {
			b.WriteString("'" + strings.ReplaceAll(f.text, "'", "''") + "'")
			continue
		}
		asked := map[byte]byte{'L': 'M', 'c': 'E', 'e': 'E'}[f.letter]
		if asked == 0 {
			asked = f.letter
		}
		width, want := f.width, s.widths[asked]
		switch {
		case asked == 'E' && want > 3, asked == 'M' && want > 3 && width > 2, want == 2 && asked != 'E':
			width = want
		}
		b.WriteString(strings.Repeat(string(rune(f.letter)), width))
	}
	return b.String()
}
