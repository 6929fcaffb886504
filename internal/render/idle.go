package render

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/osteele/liquid/parser"
)

// checkIdle reports the first part of a template, which compiles, that would do nothing of what it says: the library ignores it. Stored
// templates are still rendered so.
func checkIdle(source string) error {
	var c idleCheck
	for _, t := range scan(source) {
		if err := c.token(t); err != nil {
			return fmt.Errorf("template line %d: %w in %s", t.SourceLoc.LineNo, err, quoted(t))
		}
	}
	return nil
}

type idleCheck struct {
	open     []openBlock
	verbatim string // tag that ends a raw or comment section
}

type openBlock struct {
	name      string
	otherwise bool // else has come
}

func (c *idleCheck) token(t parser.Token) error {
	switch {
	case t.Type != parser.TagTokenType:
		return nil
	case c.verbatim != "":
		if t.Name == c.verbatim {
			c.verbatim = ""
		}
		return nil
	case t.Name == "raw" && t.Args != "":
		return errors.New("raw takes nothing")
	case t.Name == "raw" || t.Name == "comment":
		c.verbatim = "end" + t.Name
		return nil
	}
	if err := idleArguments(t); err != nil {
		return err
	}
	return c.place(t)
}

// place checks where a tag is among the blocks.
func (c *idleCheck) place(t parser.Token) error {
	if _, begins := blockTags[t.Name]; begins {
		c.open = append(c.open, openBlock{name: t.Name})
		return nil
	}
	if strings.HasPrefix(t.Name, "end") {
		c.open = c.open[:len(c.open)-1]
		return nil
	}
	switch t.Name {
	case "break", "continue":
		if !slices.ContainsFunc(c.open, func(b openBlock) bool { return b.name == "for" || b.name == "tablerow" }) {
			return fmt.Errorf("%s is only for loops", t.Name)
		}
	case "else", "elsif":
		within := &c.open[len(c.open)-1]
		switch {
		case within.otherwise && t.Name == "else":
			return fmt.Errorf("%s has one else", within.name)
		case within.otherwise:
			return errors.New("elsif comes before else")
		}
		within.otherwise = t.Name == "else"
	}
	return nil
}

// idleArguments checks what a tag is given.
func idleArguments(t parser.Token) error {
	switch t.Name {
	case "else":
		if t.Args != "" {
			return errors.New("else takes no condition, elsif does")
		}
	case "break", "continue":
		if t.Args != "" {
			return fmt.Errorf("%s takes nothing", t.Name)
		}
	case "capture":
		return checkCaptured(t.Args)
	case "for", "tablerow":
		return checkModifiers(t)
	case renderTag:
		return checkNamedOnce(t.Args)
	}
	return nil
}

// checkCaptured refuses what is no name of a variable, in quotes or not.
func checkCaptured(args string) error {
	name := args
	if lexemes := lex(args); len(lexemes) == 1 && lexemes[0].kind == lexString && len(args) > 2 && args[0] == args[len(args)-1] {
		name = args[1 : len(args)-1]
	}
	if !isName(name) {
		return errors.New("capture needs the name of a variable, such as {% capture address %}")
	}
	return nil
}

// checkModifiers refuses those of a loop that come twice, and the columns of a loop that makes no table.
func checkModifiers(t parser.Token) error {
	seen := map[string]bool{}
	lexemes := lex(t.Args)
	for i, l := range lexemes {
		if l.kind != lexKeyword || i < 3 || !slices.Contains([]string{"limit", "offset", "cols", "reversed"}, l.text) { // x in list
			continue
		}
		if seen[l.text] {
			return fmt.Errorf("%s is there twice", l.text)
		}
		if l.text == "cols" && t.Name != "tablerow" {
			return errors.New("cols is only for tablerow")
		}
		seen[l.text] = true
	}
	return nil
}

// checkNamedOnce refuses an argument of a snippet that comes twice.
func checkNamedOnce(args string) error {
	seen := map[string]bool{}
	lexemes := lex(args)
	for _, at := range argumentNames(lexemes) {
		if seen[lexemes[at].text] {
			return fmt.Errorf("the argument %s is there twice", lexemes[at].text)
		}
		seen[lexemes[at].text] = true
	}
	return nil
}
