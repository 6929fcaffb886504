package icu

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/render/cldr"
)

// SyntaxError says where a text is no message, and why.
type SyntaxError struct {
	Position int // in characters, from 1
	Problem  string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("character %d: %s", e.Position, e.Problem)
}

// maxHead bounds the name and type of an argument that IsTyped looks for, in bytes.
const maxHead = 200

// IsTyped reports whether a text has an argument with a type, such as {n, plural, …}: only then it can be meant as a message and
// as nothing else.
func IsTyped(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '{' {
			continue
		}
		name, rest, found := strings.Cut(text[i+1:min(len(text), i+1+maxHead)], ",")
		if !found || !isName(strings.TrimSpace(name)) {
			continue
		}
		end := strings.IndexAny(rest, ",}")
		if end < 0 {
			end = len(rest)
		}
		if _, known := kinds[strings.TrimSpace(rest[:end])]; known {
			return true
		}
	}
	return false
}

// Parse reads a message. The error is a *SyntaxError.
func Parse(text string) (*Message, error) {
	if len(text) > MaxLength {
		return nil, &SyntaxError{1, fmt.Sprintf("a message has at most %d bytes", MaxLength)}
	}
	p := parser{text: text}
	m, err := p.message(0, false)
	if err != nil {
		return nil, &SyntaxError{utf8.RuneCountInString(text[:min(p.at, len(text))]) + 1, err.Error()}
	}
	return &m, nil
}

type parser struct {
	text string
	at   int
}

// message reads until the end of the text, or of the option that it is in.
func (p *parser) message(depth int, inPlural bool) (m Message, err error) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			m.parts = append(m.parts, part{text: b.String()})
			b.Reset()
		}
	}
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '\'':
			p.quoted(&b, inPlural)
		case c == '{':
			flush()
			a, err := p.argument(depth, inPlural)
			if err != nil {
				return Message{}, err
			}
			m.parts = append(m.parts, part{argument: a})
		case c == '}' && depth > 0:
			flush()
			return m, nil
		case c == '}':
			return Message{}, errors.New("} closes nothing; write '}' for the sign itself")
		case c == '#' && inPlural:
			flush()
			m.parts = append(m.parts, part{pound: true})
			p.at++
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	if depth > 0 {
		return Message{}, errors.New("a { is not closed")
	}
	flush()
	return m, nil
}

// quoted reads an apostrophe: two are one, and one before a sign of the syntax makes text of all up to the next.
func (p *parser) quoted(b *strings.Builder, inPlural bool) {
	rest := p.text[p.at+1:]
	switch {
	case strings.HasPrefix(rest, "'"):
		b.WriteByte('\'')
		p.at += 2
	case strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "}") || inPlural && strings.HasPrefix(rest, "#"):
		p.at++
		p.quotation(b)
	default:
		b.WriteByte('\'')
		p.at++
	}
}

func (p *parser) quotation(b *strings.Builder) {
	for p.at < len(p.text) {
		if p.text[p.at] != '\'' {
			b.WriteByte(p.text[p.at])
			p.at++
			continue
		}
		p.at++
		if p.at == len(p.text) || p.text[p.at] != '\'' {
			return
		}
		b.WriteByte('\'')
		p.at++
	}
}

// argument reads {name}, {name, type} or {name, type, style}.
func (p *parser) argument(depth int, inPlural bool) (*argument, error) {
	p.at++ // {
	a := &argument{name: p.word()}
	if !isName(a.name) {
		return nil, errors.New("the name of an argument must follow {; write '{' for the sign itself")
	}
	if p.take('}') {
		return a, nil
	}
	if !p.take(',') {
		return nil, fmt.Errorf("after the argument %s, a comma or } must follow", a.name)
	}
	word := p.word()
	k, known := kinds[word]
	if !known {
		return nil, fmt.Errorf("%q is no type of an argument: number, date, time, plural, selectordinal and select are", word)
	}
	a.kind = k
	if k == plural || k == ordinal || k == choice {
		return a, p.options(a, depth, inPlural)
	}
	style := ""
	if p.take(',') {
		p.space()
		end := strings.IndexAny(p.text[p.at:], "{}")
		if end < 0 {
			end = len(p.text) - p.at
		}
		style = strings.TrimSpace(p.text[p.at : p.at+end])
		if err := a.setStyle(style); err != nil {
			return nil, err
		}
		p.at += end
	} else if err := a.setStyle(style); err != nil {
		return nil, err
	}
	if !p.take('}') {
		return nil, fmt.Errorf("the argument %s is not closed by }", a.name)
	}
	return a, nil
}

func (a *argument) setStyle(style string) (err error) {
	if a.kind == number {
		a.numbers, err = numberStyleOf(style)
		return err
	}
	if skeleton, is := strings.CutPrefix(style, "::"); is {
		a.skeleton = skeleton
		return cldr.CheckSkeleton(skeleton) //nolint:wrapcheck // names the skeleton
	}
	known := false
	if a.style, known = cldr.StyleOf(style); !known {
		return fmt.Errorf("%q is no style of a date or time: short, medium, long and full are", style)
	}
	return nil
}

// options reads the texts to choose from.
func (p *parser) options(a *argument, depth int, inPlural bool) error {
	if depth++; depth > MaxDepth {
		return fmt.Errorf("choices may be nested %d times", MaxDepth)
	}
	if !p.take(',') {
		return fmt.Errorf("the texts to choose from must follow: {%s, …, other {…}}", a.name)
	}
	if err := p.offset(a); err != nil {
		return err
	}
	complete := false
	for !p.take('}') {
		o, err := p.selector(a)
		if err != nil {
			return err
		}
		if !p.take('{') {
			return fmt.Errorf("after %s, its text must follow in braces", o.selector)
		}
		if o.message, err = p.message(depth, inPlural || a.kind != choice); err != nil {
			return err
		}
		p.at++ // }
		complete = complete || o.selector == "other"
		a.cases = append(a.cases, o)
	}
	if !complete {
		return fmt.Errorf("the argument %s has no text for other", a.name)
	}
	return nil
}

func (p *parser) offset(a *argument) error {
	p.space()
	if a.kind == choice || !strings.HasPrefix(p.text[p.at:], "offset:") {
		return nil
	}
	p.at += len("offset:")
	word := p.word()
	offset, err := strconv.Atoi(word)
	if err != nil || offset < 0 || offset > 1000 {
		return fmt.Errorf("the offset %q is no whole number from 0 to 1000", word)
	}
	a.offset = offset
	return nil
}

func (p *parser) selector(a *argument) (o option, err error) {
	o.selector = p.word()
	for _, before := range a.cases {
		if before.selector == o.selector {
			return o, fmt.Errorf("there are two texts for %s", o.selector)
		}
	}
	exact, isExact := strings.CutPrefix(o.selector, "=")
	switch {
	case o.selector == "":
		return o, fmt.Errorf("the argument %s is not closed by }", a.name)
	case a.kind == choice:
	case isExact:
		o.isExact = true
		if o.exact, isExact = cldr.NumberOf(exact); !isExact {
			return o, fmt.Errorf("%q is no number", exact)
		}
	case !cldr.IsCategory(o.selector):
		return o, fmt.Errorf("%q is no plural form: zero, one, two, few, many, other and =1 are", o.selector)
	}
	return o, nil
}

// word reads up to a space or a sign of the syntax.
func (p *parser) word() string {
	p.space()
	start := p.at
	for p.at < len(p.text) && !strings.ContainsRune(" \t\r\n,{}", rune(p.text[p.at])) {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *parser) take(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// isName reports whether a word can name an argument: letters, digits and underscores.
func isName(s string) bool {
	for _, r := range s {
		if r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') {
			return false
		}
	}
	return s != ""
}
