package render

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	liquid "github.com/osteele/liquid/render"

	"github.com/carillon/carillon/internal/jsonnum"
)

// maxList bounds lists made by filters.
const maxList = 100_000

// addFilters defines all filters. Those of the library could use unbounded memory or time, read the clock, fail with Go's words, print
// Go's notation instead of the reader's, and break texts that are not ASCII. A filter takes any value, because the library's conversion
// to a type of Go fails with Go's words.
func addFilters(cfg *liquid.Config, m mode, limits Limits) {
	f := filterSet{mode: m, limit: limits.Output, messages: newMessages()}
	for name, fn := range map[string]any{
		outFilter: f.out, itemsFilter: loopItems, wholeFilter: wholeNumber, rangeFilter: rangeList, sizeFilter: sizeOf, stringFilter: decodeLiteral, relationFilter: relate, notFilter: func(v any) bool { return !holdsTruth(v) }, "raw": f.raw, textFilter: f.translate,
		"number": f.number, "percent": f.percent, "currency": f.currency, "local_date": f.localDate, "local_time": f.localTime,
		"append":     func(v, suffix any) (any, error) { return f.join(v, suffix) },
		"prepend":    func(v, prefix any) (any, error) { return f.join(prefix, v) },
		"replace":    func(v, old, with any) (any, error) { return f.replace(v, old, with, -1) },
		"remove":     func(v, old any) (any, error) { return f.replace(v, old, "", -1) },
		"join":       f.joinList,
		"concat":     f.concat,
		"uniq":       uniq,
		"escape":     f.escape,
		"strip_html": func(v any) string { return stripHTML(toText(v)) },
		"replace_first": func(v, old, with any) (any, error) {
			return f.replace(v, old, with, 1)
		},
		"remove_first":  func(v, old any) (any, error) { return f.replace(v, old, "", 1) },
		"replace_last":  f.replaceLast,
		"remove_last":   func(v, old any) (any, error) { return f.replaceLast(v, old, "") },
		"base64_encode": func(v any) (any, error) { return f.bounded(base64.StdEncoding.EncodeToString([]byte(toText(v)))) },
		"base64_decode": decodeBase64,

		"normalize_whitespace": func(v any) string { return blanks.ReplaceAllString(toText(v), " ") },
		"number_of_words":      numberOfWords,

		"xml_escape":    f.escape,
		"escape_once":   func(v any) any { return f.escape(html.UnescapeString(toText(v))) },
		"newline_to_br": f.newlineToBreak,
		"truncate":      truncate,
		"truncatewords": truncateWords,
		"slice":         slice,
		"capitalize":    capitalize,
		"date":          f.date,

		"date_to_xmlschema":   f.dateAs("%Y-%m-%dT%H:%M:%S%:z"),
		"date_to_rfc822":      f.dateAs("%a, %d %b %Y %H:%M:%S %z"),
		"date_to_string":      f.dateInWords("%b"),
		"date_to_long_string": f.dateInWords("%B"),

		"upcase":     func(v any) string { return strings.ToUpper(toText(v)) },
		"downcase":   func(v any) string { return strings.ToLower(toText(v)) },
		"strip":      trimmed(strings.TrimSpace),
		"lstrip":     trimmed(func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }),
		"rstrip":     trimmed(func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }),
		"json":       f.json,
		"inspect":    f.json,
		"jsonify":    f.json,
		"to_integer": func(v any) (any, error) { return numberOf(v) },
		"type":       typeName,
		"divided_by": dividedBy,
		"modulo":     modulo,
		"round":      round,
		"url_encode": f.encodeURL,
		"url_decode": decodeURL,
		"cgi_escape": f.encodeURL,
		"uri_escape": f.encodeURI,
		"slugify":    slugify,
		"split":      f.split,
		"strip_newlines": func(v any) string {
			return strings.NewReplacer("\r\n", "", "\n", "").Replace(toText(v))
		},
		"sort":         sortBy(byValue),
		"sort_natural": sortBy(byLetters),
		"where":        where,
		"reject":       reject,
		"find":         find,
		"sum":          sum,
		"has":          has,
		"find_index":   findIndex,
		"group_by":     groupBy,
		"push":         f.push,
		"unshift":      f.unshift,
		"pop":          pop,
		"shift":        shift,
		"compact":      compact,

		"array_to_sentence_string": f.sentence,
		"map":                      mapTo,
		"reverse":                  reversed,
		"first":                    first,
		"last":                     last,
		"size":                     sizeFilterOf,
		"default":                  defaultTo,
		"abs":                      numberFilter(math.Abs),
		"ceil":                     numberFilter(math.Ceil),
		"floor":                    numberFilter(math.Floor),
		"plus":                     numbersFilter(func(a, b float64) float64 { return a + b }),
		"minus":                    numbersFilter(func(a, b float64) float64 { return a - b }),
		"times":                    numbersFilter(func(a, b float64) float64 { return a * b }),
		"at_least":                 numbersFilter(func(a, b float64) float64 { return max(a, b) }),
		"at_most":                  numbersFilter(func(a, b float64) float64 { return min(a, b) }),
	} {
		cfg.AddFilter(name, fn)
	}
}

type filterSet struct {
	mode     mode
	limit    int
	messages messages
}

// escape keeps a value from meaning more than its text where it is shown.
func (m mode) escape(s string) string {
	switch m {
	case htmlMode:
		return html.EscapeString(s)
	case chatMode:
		return joined(s)
	case urlMode:
		return markedValue(s)
	}
	return s
}

// settle finishes a text in which values were escaped.
func (m mode) settle(s string) string {
	if m == chatMode {
		return settleChat(s)
	}
	return s
}

// written is a text that a template has made, for a variable: what values it holds are escaped already.
func (m mode) written(s string) any {
	switch m {
	case htmlMode:
		return markup(s)
	case urlMode:
		return writtenAddress(s)
	}
	return m.settle(s)
}

// markup is HTML that is written as it is. What reads the same either way stays a string, which filters take for a number or a date.
func markup(s string) any {
	if html.EscapeString(s) == s {
		return s
	}
	return escaped(s)
}

// out is the last filter of every object.
func (f filterSet) out(v any) any {
	if safe, ok := v.(escaped); ok {
		return string(safe)
	}
	return f.mode.escape(toText(v))
}

func (f filterSet) raw(v any) any {
	if f.mode == textMode {
		return toText(v)
	}
	if t, ok := v.(translation); ok {
		return escaped(t.markup)
	}
	if f.mode == htmlMode {
		return markup(toText(v))
	}
	return escaped(toText(v))
}

func (f filterSet) escape(v any) any {
	if safe, ok := v.(escaped); ok {
		return safe
	}
	if f.mode != htmlMode {
		return html.EscapeString(toText(v))
	}
	return markup(html.EscapeString(toText(v)))
}

var lineBreaks = strings.NewReplacer("\r\n", "<br />\n", "\n", "<br />\n")

func (f filterSet) newlineToBreak(v any) (any, error) {
	if f.mode != htmlMode {
		return f.bounded(lineBreaks.Replace(toText(v)))
	}
	text, err := f.bounded(lineBreaks.Replace(toText(f.escape(v))))
	return escaped(toText(text)), err
}

func (f filterSet) encodeURL(v any) (any, error) { return f.bounded(url.QueryEscape(toText(v))) }

func (f filterSet) bounded(s string) (any, error) {
	if len(s) > f.limit {
		return nil, ErrOutputTooLarge
	}
	return s, nil
}

// join puts two texts together. Beside one that is escaped the other one is escaped, too.
func (f filterSet) join(a, b any) (any, error) {
	first, safe := a.(escaped)
	second, safeToo := b.(escaped)
	if !safe && !safeToo {
		return f.bounded(toText(a) + toText(b))
	}
	if !safe {
		first = escaped(f.mode.escape(toText(a)))
	}
	if !safeToo {
		second = escaped(f.mode.escape(toText(b)))
	}
	if len(first)+len(second) > f.limit {
		return nil, ErrOutputTooLarge
	}
	return first + second, nil
}

// trimmed is a filter that takes blanks from the ends of a text, which remains escaped if it is.
func trimmed(trim func(string) string) func(any) any {
	return func(v any) any {
		if safe, ok := v.(escaped); ok {
			return escaped(trim(string(safe)))
		}
		return trim(toText(v))
	}
}

func (f filterSet) replace(v, old, with any, n int) (any, error) {
	s, from, to := toText(v), toText(old), toText(with)
	if hits := strings.Count(s, from); n < 0 && len(s)+hits*(len(to)-len(from)) > f.limit {
		return nil, ErrOutputTooLarge
	}
	return f.bounded(strings.Replace(s, from, to, n))
}

func (f filterSet) joinList(v, separator any) (any, error) {
	sep := textOr(separator, " ")
	var b strings.Builder
	for i, item := range listOf(v) {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(toText(item))
		if b.Len() > f.limit {
			return nil, ErrOutputTooLarge
		}
	}
	return b.String(), nil
}

// split leaves empty texts at the end out, and splits at a blank between words, as the template language does.
func (f filterSet) split(v, separator any) ([]any, error) {
	text, at := toText(v), toText(separator)
	if count := strings.Count(text, at); count > maxList {
		return nil, ErrOutputTooLarge
	}
	parts := strings.Split(text, at)
	if at == " " {
		parts = blanks.Split(text, -1)
	}
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	list := make([]any, len(parts))
	for i, part := range parts {
		list[i] = part
	}
	return list, nil
}

var blanks = regexp.MustCompile(`[[:space:]]+`)

// json writes a value as JSON, over several lines with an indent. In HTML the signs of tags are escaped, because the text may be written
// raw into a script.
func (f filterSet) json(v, indent any) (any, error) {
	spaces, err := numberOr(indent, 0)
	if err != nil {
		return nil, err
	}
	var b, indented bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(f.mode == htmlMode)
	if err := encoder.Encode(unmarked(v)); err != nil {
		return nil, errors.New("the value cannot be written as JSON")
	}
	raw := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if spaces = min(max(spaces, 0), 10); spaces == 0 {
		return f.object(v, string(raw))
	}
	if len(raw)+indentation(raw, spaces) > f.limit {
		return nil, ErrOutputTooLarge
	}
	if err := json.Indent(&indented, raw, "", strings.Repeat(" ", spaces)); err != nil {
		return nil, errors.New("the value cannot be written as JSON")
	}
	return f.object(v, indented.String())
}

// object is the JSON of a value. In a chat text the author means an object to be one, such as a card of Teams; the texts in it are values.
func (f filterSet) object(v any, text string) (any, error) {
	if _, isObject := v.(map[string]any); isObject && f.mode == chatMode {
		text = withoutMarkup(withoutMentions(text))
		if len(text) > f.limit {
			return nil, ErrOutputTooLarge
		}
		return escaped(text), nil
	}
	return f.bounded(text)
}

// indentation is at least how many signs a JSON text grows by when it is indented.
func indentation(raw []byte, spaces int) (added int) {
	depth := 0
	for _, c := range jsonnum.Unquoted(raw) {
		switch c {
		case '{', '[':
			depth++
			added += depth * spaces
		case ',':
			added += depth * spaces
		case '}', ']':
			depth--
		}
	}
	return added
}

func (f filterSet) concat(v, with any) ([]any, error) {
	a, b := listOf(v), listOf(with)
	if len(a)+len(b) > maxList || weigh(b, weigh(a, f.limit)) < 0 {
		return nil, ErrOutputTooLarge
	}
	return append(append(make([]any, 0, len(a)+len(b)), a...), b...), nil
}

// uniq compares by JSON, which keeps it linear.
func uniq(v any) []any {
	list := listOf(v)
	seen := make(map[string]bool, len(list))
	out := make([]any, 0, len(list))
	for _, v := range list {
		raw, err := json.Marshal(unmarked(v))
		if err != nil || seen[string(raw)] {
			continue
		}
		seen[string(raw)] = true
		out = append(out, v)
	}
	return out
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string, escaped, translation:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

// toText is how a value reads in a message: whole numbers without exponent, lists joined, objects as JSON.
func toText(v any) string {
	switch x := v.(type) {
	case nil, nothing:
		return ""
	case string:
		return x
	case escaped:
		return x.plain()
	case translation:
		return x.text
	case bool:
		return strconv.FormatBool(x)
	case int:
		return strconv.Itoa(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return numberText(x)
	case json.Number:
		return x.String()
	case time.Time:
		return x.Format("2006-01-02 15:04:05 -0700")
	case []any:
		var b strings.Builder
		writeItems(&b, x)
		return b.String()
	case map[string]any:
		raw, err := json.Marshal(x)
		if err != nil {
			return ""
		}
		return string(raw)
	case *reader, *budget, snippetScope, loopEnds:
		return ""
	}
	return fmt.Sprint(v)
}

// writeItems writes a list without copying what is in lists of lists once a level.
func writeItems(b *strings.Builder, list []any) {
	for _, item := range list {
		if inner, isList := item.([]any); isList {
			writeItems(b, inner)
		} else {
			b.WriteString(toText(item))
		}
	}
}

func numberText(f float64) string {
	if f == 0 {
		return "0" // not -0
	}
	if math.Abs(f) < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
