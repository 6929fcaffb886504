package render

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/carillon/carillon/internal/render/cldr"
	"github.com/carillon/carillon/internal/render/icu"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/calendar"
)

// readerKey is a hidden variable: the filters that depend on the reader get it as their first argument.
const readerKey = "_reader"

// reader is for whom a template is rendered: their texts, their locale and their time zone.
type reader struct {
	texts *Translator
	zone  string    // IANA name; "" is UTC
	now   time.Time // zero: not known
}

// readersFilters are the filters that get the reader.
var readersFilters = map[string]bool{
	textFilter: true, "number": true, "percent": true, "currency": true, "local_date": true, "local_time": true,
}

// timesFilters are the filters that get the reader for the time that it is, which is the same for all readers.
var timesFilters = map[string]bool{
	"date": true, "date_to_xmlschema": true, "date_to_rfc822": true, "date_to_string": true, "date_to_long_string": true,
}

// ReadersFilters are the names of the filters whose results depend on the reader, sorted.
func ReadersFilters() []string { return slices.Sorted(maps.Keys(readersFilters)) }

func (r *reader) locale() *cldr.Locale { return cldr.For(r.texts.Locale()) }

// time reads a time and moves it to the reader's zone. What names no zone, such as a plain date, is by the reader's own clock; a time that
// the clock jumps over is the first instant after it.
func (r *reader) time(v any) (time.Time, bool) {
	zone := workflow.LocationOrUTC(r.zone)
	t, ok := r.instant(v)
	if ok && t.Location() == unzoned {
		t = calendar.WallClocks(inUTC(t), zone)[0]
	}
	return t.In(zone), ok
}

// epoch is a time in seconds since 1970, or in milliseconds where seconds would be beyond the year 5138.
func epoch(n float64, zone *time.Location) (time.Time, bool) {
	const milliseconds, most = 1e11, 1e14
	switch n = math.Trunc(n); {
	case math.Abs(n) > most:
		return time.Time{}, false
	case math.Abs(n) >= milliseconds:
		return time.UnixMilli(int64(n)).In(zone), true
	default:
		return time.Unix(int64(n), 0).In(zone), true
	}
}

// maxMessages bounds the parsed translations that are kept.
const maxMessages = 1000

// messages keeps parsed translations by their text; nil for a text that is no message.
type messages struct {
	parsed *lru.Cache[string, *icu.Message]
}

func newMessages() messages {
	parsed, err := lru.New[string, *icu.Message](maxMessages)
	if err != nil {
		panic(err) // the size is not positive
	}
	return messages{parsed}
}

func (c messages) of(text string) *icu.Message {
	if m, known := c.parsed.Get(text); known {
		return m
	}
	m, err := icu.Parse(text)
	if err != nil {
		m = nil
	}
	c.parsed.Add(text, m)
	return m
}

// translation is a translation with arguments in an HTML template: as text, and with the arguments escaped for the filter raw,
// after which the markup of the translation counts and that of the arguments does not.
type translation struct{ text, markup string }

// translate is the filter t. With arguments the translation is a message of ICU; one that is not well-formed is shown as it is.
func (f filterSet) translate(key any, r *reader, named ...any) (any, error) {
	text, locale, known := r.texts.lookup(toText(key))
	if !known {
		return toText(key), nil
	}
	if len(named) == 0 {
		return text, nil
	}
	message := f.messages.of(text)
	if message == nil {
		return text, nil
	}
	values := icu.Values{Locale: cldr.For(locale), Arguments: map[string]any{}, Time: r.time, Text: toText, Limit: f.limit}
	for i := 0; i+1 < len(named); i += 2 {
		values.Arguments[toText(named[i])] = named[i+1]
	}
	written, err := message.Format(values)
	if err != nil || f.mode == textMode {
		return written, tooLarge(err)
	}
	values.Escape = f.mode.escape
	markup, err := message.Format(values)
	return translation{written, f.mode.settle(markup)}, tooLarge(err)
}

func tooLarge(err error) error {
	if errors.Is(err, icu.ErrTooLarge) {
		return ErrOutputTooLarge
	}
	return err
}

func (f filterSet) number(v any, r *reader, decimals ...any) (any, error) {
	n, ok := cldr.NumberOf(v)
	if !ok {
		return v, nil
	}
	if len(decimals) == 0 {
		return r.locale().Number(n), nil
	}
	d, ok := whole(decimals[0]).(int)
	if !ok || d < 0 || d > 10 {
		return nil, fmt.Errorf("number takes 0 to 10 decimals, not %s", toText(decimals[0]))
	}
	return r.locale().Decimals(n, d, d), nil
}

func (f filterSet) percent(v any, r *reader) any {
	if n, ok := cldr.NumberOf(v); ok {
		return r.locale().Percent(n)
	}
	return v
}

func (f filterSet) currency(v any, r *reader, code any) (any, error) {
	n, ok := cldr.NumberOf(v)
	if !ok {
		return v, nil
	}
	return r.locale().Currency(n, strings.TrimSpace(toText(code))) //nolint:wrapcheck // names the currency
}

func (f filterSet) localDate(v any, r *reader, style any) (any, error) {
	return localTime(v, r, style, (*cldr.Locale).Date)
}

func (f filterSet) localTime(v any, r *reader, style any) (any, error) {
	return localTime(v, r, style, (*cldr.Locale).Time)
}

func localTime(v any, r *reader, style any, write func(*cldr.Locale, time.Time, cldr.Style) string) (any, error) {
	s, known := cldr.StyleOf(toText(style))
	if !known {
		return nil, fmt.Errorf("%q is no style of a date or time: short, medium, long and full are", toText(style))
	}
	if t, ok := r.time(v); ok {
		return write(r.locale(), t, s), nil
	}
	return v, nil
}
