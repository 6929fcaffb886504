package render

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

func truncate(v, length, ellipsis any) (string, error) {
	s, dots := toText(v), textOr(ellipsis, "...")
	n, err := numberOr(length, 50)
	if err != nil || utf8.RuneCountInString(s) <= n {
		return s, err
	}
	keep := max(n-utf8.RuneCountInString(dots), 0)
	return beginning(s, keep) + dots, nil
}

// beginning is as much of a text as n code points hold, without a character that would be cut, such as a flag, a family or a letter with
// its accent (UAX #29).
func beginning(text string, n int) string {
	at, state := 0, -1
	for rest := text; rest != ""; {
		var character string
		character, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if n -= utf8.RuneCountInString(character); n < 0 {
			break
		}
		at += len(character)
	}
	return text[:at]
}

// textOr is an argument of a filter as a text, or what counts where it is left out or nil: a variable that is not set. The library
// hands such a variable to a function of a text as "<nil>".
func textOr(argument any, otherwise string) string {
	if argument == nil {
		return otherwise
	}
	return toText(argument)
}

// numberOr is textOr for whole numbers.
func numberOr(argument any, otherwise int) (int, error) {
	if argument == nil {
		return otherwise, nil
	}
	n, ok := jsonvalue.ParseNumber(argument)
	if !ok {
		return 0, fmt.Errorf("needs a number, not %s", described(argument))
	}
	return int(min(max(n, math.MinInt32), math.MaxInt32)), nil
}

func truncateWords(v, length, ellipsis any) (string, error) {
	s := toText(v)
	words := strings.Fields(s)
	n, err := numberOr(length, 15)
	if n = max(n, 1); err == nil && len(words) > n {
		return strings.Join(words[:n], " ") + textOr(ellipsis, "..."), nil
	}
	return s, err
}

// slice is a part of a list, or of a text.
func slice(v, start, length any) (any, error) {
	from, err := numberOr(start, 0)
	if err != nil {
		return nil, err
	}
	count, err := numberOr(length, 1)
	if err != nil {
		return nil, err
	}
	if list, isList := v.([]any); isList {
		return part(list, from, count), nil
	}
	return string(part([]rune(toText(v)), from, count)), nil
}

// part are so many items from a position on, which counts from the end where it is negative.
func part[T any](of []T, from, count int) []T {
	if from < 0 {
		from += len(of)
	}
	if from < 0 || from >= len(of) {
		return of[:0]
	}
	return of[from : from+min(max(count, 0), len(of)-from)]
}

// defaultTo is another value for what is not set, false, unless this is allowed, or empty.
func defaultTo(v, otherwise, allowFalse any) any {
	if v == false && allowFalse == true {
		return v
	}
	if v == false || (nothing{}).holds(v) || v == nil {
		return otherwise
	}
	return v
}

// capitalize makes the first letter of a text a capital one, and all others small.
func capitalize(v any) string {
	s := toText(v)
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + strings.ToLower(s[size:])
}

// replaceLast replaces where a text is found last.
func (f filterSet) replaceLast(v, old, with any) (any, error) {
	text, from := toText(v), toText(old)
	at := strings.LastIndex(text, from)
	if at < 0 {
		return text, nil
	}
	return f.bounded(text[:at] + toText(with) + text[at+len(from):])
}

// decodeBase64 reads a text in base64, of either alphabet, with or without its padding.
func decodeBase64(v any) (string, error) {
	text := strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "").Replace(strings.TrimRight(strings.TrimSpace(toText(v)), "="))
	decoded, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return "", fmt.Errorf("needs a text in base64, not %s", described(v))
	}
	return strings.ToValidUTF8(string(decoded), "\ufffd"), nil
}

// decodeURL reads what url_encode writes.
func decodeURL(v any) (string, error) {
	text, err := url.QueryUnescape(toText(v))
	if err != nil {
		return "", fmt.Errorf("needs a text with URL encoding, not %s", described(v))
	}
	return text, nil
}

// encodeURI encodes what no address may hold, and leaves the signs that have a meaning in one.
func (f filterSet) encodeURI(v any) (any, error) {
	const kept = "-_.!~*'();/?:@&=+$,#[]"
	var b strings.Builder
	for _, c := range []byte(toText(v)) {
		if isLetter(c) || isDigit(c) || strings.IndexByte(kept, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return f.bounded(b.String())
}

// betweenWords are the signs that a slug has a hyphen for, by its mode.
var betweenWords = map[string]*regexp.Regexp{
	"default": regexp.MustCompile(`[^\p{M}\p{L}\p{Nd}]+`), "raw": regexp.MustCompile(`\s+`), "ascii": regexp.MustCompile(`[^A-Za-z0-9]+`),
	"latin": regexp.MustCompile(`[^\p{M}\p{L}\p{Nd}]+`), "pretty": regexp.MustCompile(`[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+`),
}

// withoutAccents writes letters of Western languages in those of English.
var withoutAccents = strings.NewReplacer(
	"à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "æ", "ae", "ç", "c", "è", "e", "é", "e", "ê", "e", "ë", "e",
	"ì", "i", "í", "i", "î", "i", "ï", "i", "ð", "d", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ö", "o", "ø", "o",
	"ù", "u", "ú", "u", "û", "u", "ü", "u", "ý", "y", "ÿ", "y", "ß", "ss", "œ", "oe", "þ", "th",
)

// slugify makes a part of an address of a text.
func slugify(v, style any) (string, error) {
	text, mode := strings.ToLower(toText(v)), textOr(style, "default")
	between, known := betweenWords[mode]
	switch {
	case mode == "none":
		return text, nil
	case !known:
		return "", fmt.Errorf("knows no %s: default, raw, ascii, latin, pretty and none are its modes", described(style))
	case mode == "latin":
		text = withoutAccents.Replace(text)
	}
	return strings.Trim(between.ReplaceAllString(text, "-"), "-"), nil
}

// numberOfWords counts words; with a mode other than the default one, each sign of Chinese, Japanese and Korean is one.
func numberOfWords(v, mode any) int {
	text := toText(v)
	signs := func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	}
	switch textOr(mode, "") {
	case "cjk", "auto":
		count := 0
		for _, r := range text {
			if signs(r) {
				count++
			}
		}
		return count + len(strings.FieldsFunc(text, func(r rune) bool { return signs(r) || unicode.IsSpace(r) }))
	}
	return len(strings.Fields(text))
}
