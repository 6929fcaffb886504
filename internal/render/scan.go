package render

import (
	"regexp"
	"strings"

	"github.com/osteele/liquid/parser"
)

const (
	commentTag = "#"      // what scan names comments in a tag
	echoTag    = "echo"   // writes a value
	liquidTag  = "liquid" // has a tag on each line
)

// scannedTags are those that scan replaces by others, so that no other part knows them.
var scannedTags = []string{echoTag, liquidTag}

// scan splits a template into tokens as the Liquid library does, with what its scanner does not know: objects of several lines, comments
// in a tag, which become tags with the name "#", the tag echo, which becomes an object, and the tag liquid, each line of which becomes a
// tag. Tokens for whitespace marks are left out; trims reads them from a token's source.
func scan(source string) []parser.Token {
	s := scanner{source: source, line: 1}
	for at := 0; ; {
		next := strings.Index(source[at:], "{")
		if next < 0 || at+next+1 == len(source) {
			break
		}
		at += next
		switch source[at+1] {
		case '{':
			s.object(at)
		case '%':
			s.tag(at)
		}
		at = max(s.done, at+1)
	}
	s.text(len(source))
	return s.tokens
}

type scanner struct {
	source     string
	tokens     []parser.Token
	done, line int    // end of what has become tokens, and the line there
	ends       [2]int // where an object and a tag end next, from a position on; they keep scanning linear
}

// end is the position of the next end of an object or a tag, -1 without one.
func (s *scanner) end(kind, from int) int {
	if at := s.ends[kind]; at < 0 || at >= from {
		return at
	}
	from = min(from, len(s.source))
	s.ends[kind] = strings.Index(s.source[from:], [...]string{"}}", "%}"}[kind])
	if s.ends[kind] >= 0 {
		s.ends[kind] += from
	}
	return s.ends[kind]
}

// text makes a token of what lies before a position.
func (s *scanner) text(to int) {
	if s.done < to {
		s.add(parser.Token{Type: parser.TextTokenType}, to)
	}
}

// add makes a token of what lies before a position.
func (s *scanner) add(t parser.Token, to int) {
	t.Source, t.SourceLoc = s.source[s.done:to], parser.SourceLoc{LineNo: s.line}
	s.tokens = append(s.tokens, t)
	s.line += strings.Count(t.Source, "\n")
	s.done = to
}

// object reads an object at a position, if there is one.
func (s *scanner) object(at int) {
	end := s.end(0, at+3)
	if end < 0 {
		return
	}
	inner := s.source[at+2 : end]
	args := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(inner, "-"), "-"))
	if strings.Contains(args, "\n") && opening(args) >= 0 { // two, of which the first has no end
		return
	}
	if args == "" {
		args = inner
	}
	s.text(at)
	s.add(parser.Token{Type: parser.ObjTokenType, Args: args}, end+2)
}

var (
	commentBegin = regexp.MustCompile(`^{%-?\s*#`)
	tagName      = regexp.MustCompile(`^{%-?\s*(\w+)`)
	verbatimEnds = map[string]*regexp.Regexp{
		"raw":     regexp.MustCompile(`{%-?\s*endraw\s*-?%}`),
		"comment": regexp.MustCompile(`{%-?\s*endcomment\s*-?%}`),
	}
)

// tag reads a tag at a position, if there is one; of raw and comment also what is in them, which is a text.
func (s *scanner) tag(at int) {
	end := s.end(1, at+2)
	if end < 0 {
		return
	}
	found := s.source[at : end+2]
	if commentBegin.MatchString(found) {
		s.text(at)
		s.add(parser.Token{Type: parser.TagTokenType, Name: commentTag}, end+2)
		return
	}
	named := tagName.FindStringSubmatch(found)
	if named == nil {
		return
	}
	rest := strings.TrimSuffix(found[len(named[0]):len(found)-2], "-")
	args := strings.TrimSpace(rest)
	if args != "" && strings.TrimLeft(rest[:1], " \t\r\n\f") != "" {
		return // no blank behind the name
	}
	s.text(at)
	switch {
	case named[1] == liquidTag && args != "":
		s.lines(at+len(named[0]), end+2)
	case named[1] == echoTag && args != "":
		s.add(parser.Token{Type: parser.ObjTokenType, Args: args}, end+2)
	case named[1] == echoTag || named[1] == liquidTag:
		s.add(parser.Token{Type: parser.TagTokenType, Name: commentTag}, end+2)
	default:
		s.add(parser.Token{Type: parser.TagTokenType, Name: named[1], Args: args}, end+2)
	}
	if ends := verbatimEnds[named[1]]; ends != nil {
		to := len(s.source)
		if found := ends.FindStringIndex(s.source[s.done:]); found != nil {
			to = s.done + found[0]
		}
		s.text(to)
	}
}

// lines makes tags of the lines of the tag liquid, whose whitespace marks the first and the last of them get.
func (s *scanner) lines(from, to int) {
	open, end := trims(s.source[s.done:to])
	lines := strings.SplitAfter(s.source[from:to-2-len(end)], "\n")
	s.line += strings.Count(s.source[s.done:from], "\n")
	for i, line := range lines {
		t := parser.Token{Type: parser.TagTokenType, Name: commentTag, SourceLoc: parser.SourceLoc{LineNo: s.line}}
		name, args, _ := strings.Cut(strings.TrimSpace(line)+" ", " ")
		switch args = strings.TrimSpace(args); {
		case name == "" || strings.HasPrefix(name, commentTag) || name == echoTag && args == "":
		case name == echoTag:
			t.Type, t.Name, t.Args = parser.ObjTokenType, "", args
		default:
			t.Name, t.Args = name, args
		}
		t.Source = "{%"
		if i == 0 {
			t.Source += open
		}
		t.Source += " " + line
		if i == len(lines)-1 {
			t.Source += " " + end
		}
		t.Source += "%}"
		s.tokens = append(s.tokens, t)
		s.line += strings.Count(line, "\n")
	}
	s.done = to
}
