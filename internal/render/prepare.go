package render

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/osteele/liquid/expressions"
	"github.com/osteele/liquid/parser"
)

type writer = io.Writer

const (
	outFilter  = "_out" // formats, and in HTML escapes, every value that is written
	textFilter = "t"    // translates a key
)

// prepared is a template's source as the Liquid library gets it.
type prepared struct {
	source string
	heavy  bool
}

// lightObjects is the number of objects below which a template without tags counts as light.
const lightObjects = 64

// prepare rewrites a template for safety, because the library offers no hook for it: every {{ value }} goes through
// outFilter; every tag is followed by a tick that takes from the budget, which inside a loop runs with every iteration.
func prepare(source string, maxDepth int) (prepared, error) {
	tokens := scan(source)
	p := preparer{maxDepth: maxDepth, heavy: strings.Count(source, "{{") > lightObjects || strings.Contains(source, "{%") || slices.ContainsFunc(tokens, compares)}
	p.out.Grow(len(source) + 32*len(tokens))
	lost := trimTexts(tokens)
	if len(lost) > 0 && lost[0] != "" {
		p.out.WriteString("{{ ''" + lost[0] + " }}")
	}
	for i, t := range tokens {
		if p.lost = ""; i+1 < len(tokens) && t.Type != parser.TextTokenType {
			p.lost = lost[i+1]
		}
		if err := p.token(t); err != nil {
			if plain := undress(err.Error()); plain != err.Error() { // of the library
				err = errors.New(plain)
			}
			return prepared{}, fmt.Errorf("template line %d: %w", t.SourceLoc.LineNo, err)
		}
	}
	if err := p.unterminated(); err != nil {
		return prepared{}, err
	}
	return prepared{source: p.out.String(), heavy: p.heavy}, nil
}

// compares reports whether an object compares values or has a range, which may be large.
func compares(t parser.Token) bool {
	return t.Type == parser.ObjTokenType && (strings.ContainsAny(t.Args, "=<>") || strings.Contains(t.Args, "..") || strings.Contains(t.Args, "contains"))
}

type preparer struct {
	out      strings.Builder
	maxDepth int
	open     []parser.Token // blocks that have not ended yet
	heavy    bool
	verbatim string // tag that ends a raw or comment section
	lost     string // ends of lines that the text behind the token has lost, and that are written with it
}

func (p *preparer) token(t parser.Token) error {
	switch {
	case p.verbatim != "":
		switch {
		case t.Type == parser.TagTokenType && t.Name == p.verbatim:
			p.out.WriteString("{% " + p.verbatim + " %}{% " + tickTag + lines(t.Source) + p.lost + " %}")
			p.verbatim = ""
		case p.verbatim == "endcomment": // in which the library's scanner would look for ends
			p.out.WriteString(lines(t.Source))
		default:
			p.out.WriteString(t.Source)
		}
	case t.Type == parser.ObjTokenType:
		return p.object(t)
	case t.Type == parser.TagTokenType:
		return p.tag(t)
	default:
		p.out.WriteString(t.Source)
	}
	return nil
}

func (p *preparer) object(t parser.Token) error {
	args, err := expression("", t.Args)
	if err != nil {
		return err
	}
	if _, err := expressions.Parse("(" + args + ")"); err != nil {
		return syntaxError(t, err)
	}
	if p.heavy {
		p.out.WriteString("{% " + tickTag + " %}")
	}
	args = strings.NewReplacer("\r", " ", "\n", " ").Replace(args)
	p.out.WriteString("{{ (" + args + ") | " + outFilter + " " + lines(t.Source) + p.lost + "}}")
	return nil
}

// lines are the ends of lines in a part of a template, which keep the numbers of those behind it.
func lines(source string) string { return strings.Repeat("\n", strings.Count(source, "\n")) }

func (p *preparer) tag(t parser.Token) error {
	if t.Name == commentTag {
		p.out.WriteString("{% " + tickTag + lines(t.Source) + p.lost + " %}")
		return nil
	}
	if err := p.nest(t); err != nil {
		return err
	}
	args, err := expression(t.Name, t.Args)
	if err != nil {
		return err
	}
	if err := parseArguments(t.Name, args); err != nil {
		return syntaxError(t, err)
	}
	if t.Name == "raw" || t.Name == "comment" {
		p.open = p.open[:len(p.open)-1]
		p.verbatim = "end" + t.Name
		p.out.WriteString("{% " + t.Name + lines(t.Source) + " %}")
		return nil
	}
	missing := strings.TrimPrefix(lines(t.Source), lines(args)) + p.lost
	if t.Name == "case" { // nothing but when may follow it
		p.out.WriteString("{% case " + args + missing + " %}")
		return nil
	}
	p.out.WriteString("{% " + strings.TrimSpace(t.Name+" "+args) + " %}{% " + tickTag + missing + " %}")
	return nil
}

// parseArguments reports what the library would find wrong with the arguments of a tag.
func parseArguments(name, args string) (err error) {
	switch name {
	case "if", "elsif", "unless", "case":
		_, err = expressions.Parse(args)
	case "assign":
		_, err = expressions.ParseStatement(expressions.AssignStatementSelector, args)
	case "when":
		_, err = expressions.ParseStatement(expressions.WhenStatementSelector, args)
	case "for", "tablerow":
		_, err = expressions.ParseStatement(expressions.LoopStatementSelector, args)
	case "cycle":
		_, _, err = parseCycle(args)
	case "increment", "decrement":
		err = checkCounter(args)
	case renderTag:
		_, err = parseRender(args)
	case "include":
		err = errInclude
	}
	return err //nolint:wrapcheck // syntaxError does
}

// syntaxError quotes an object or a tag as its author wrote it: the library quotes what it was given.
func syntaxError(t parser.Token, err error) error {
	if _, isSyntax := err.(expressions.SyntaxError); !isSyntax { //nolint:errorlint // the library wraps none
		return fmt.Errorf("%w in %s", err, quoted(t))
	}
	return fmt.Errorf("syntax error in %s", quoted(t))
}

// Bounds of one expression, which is evaluated as a whole: no limit of time ends it.
const (
	maxFilters = 100
	maxLexemes = 2_000
	maxDigits  = 18 // of a whole number of the library; a longer one is rounded
)

var errLong = fmt.Errorf("an expression may not have more than %d filters or %d words and signs", maxFilters, maxLexemes)

// expression makes bounded lists of ranges, hands the hidden argument to the filters that depend on the
// reader, and passes the named arguments of the filter t as the library can: each name as a text before its value.
func expression(tag, args string) (string, error) {
	lexemes := lex(args)
	var b strings.Builder
	last, ranges, filters := 0, false, 0
	if len(lexemes) > maxLexemes {
		return "", errLong
	}
	for i, l := range lexemes {
		switch {
		case l.kind == lexRange:
			ranges = true
		case l.kind == lexNumber && len(l.text) > maxDigits && !strings.Contains(l.text, "."):
			b.WriteString(args[last:l.end] + ".0")
			last = l.end
		case l.kind == lexString && (tag != renderTag || i > 0):
			if text := literal(l.text); text != l.text {
				b.WriteString(args[last:l.start] + text)
				last = l.end
			}
		case isTextArgument(lexemes, i):
			b.WriteString(args[last:l.start] + "'" + l.text + "',")
			last = lexemes[i+1].end
		case isAllowFalse(lexemes, i):
			b.WriteString(args[last:l.start])
			last = lexemes[i+1].end
		case l.kind == lexFilter:
			if filters++; filters > maxFilters {
				return "", errLong
			}
			if !readersFilters[l.text] && !timesFilters[l.text] {
				continue
			}
			b.WriteString(args[last:l.end] + ": " + readerKey)
			last = l.end
			if i+1 < len(lexemes) && lexemes[i+1].text == ":" {
				if err := checkTextArguments(tag, lexemes[i:]); err != nil {
					return "", err
				}
				b.WriteString(", ")
				last = lexemes[i+1].end
			}
		}
	}
	loop := tag == "for" || tag == "tablerow"
	args = sizeArguments(tag, b.String()+args[last:])
	if ranges && (!loop || filters > 0) {
		args = rangeLists(args)
	}
	switch tag {
	case "for", "tablerow":
		return loopArguments(args), nil
	case "when":
		return relations(whenArguments(args)), nil
	case renderTag:
		return args, nil
	}
	return groupFromRight(relations(args)), nil
}

// undress takes our additions and the library's own marks out of its words.
func undress(s string) string {
	s = plainLiterals(s)
	s = wrongEnd.ReplaceAllString(s, "{% $1 %} closes nothing here: {% $2 %} is closed by {% end$2 %}")
	s = sizeMarks.ReplaceAllString(s, "$1"+sizeMember)
	s = loopMarks.ReplaceAllString(libraryMarks.ReplaceAllString(s, ""), "")
	return strings.NewReplacer(") | "+outFilter, "", " | "+outFilter, "", ": "+readerKey, "", "inside  in", "inside a block in").Replace(s)
}

// wrongEnd is what the library says of the end of another block.
var wrongEnd = regexp.MustCompile(`(end\w+) not inside ; immediate parent is (\w+) in .*`)

// libraryMarks are the line, which is reported already, and the kinds of statement in its grammar.
var libraryMarks = regexp.MustCompile(`Liquid error \(line [0-9]+\): |%(loop|assign|cycle|when) `)

// loopMarks are what loopArguments adds.
var loopMarks = regexp.MustCompile(` \| ` + itemsFilter + `: [^"]*| \| ` + wholeFilter)
