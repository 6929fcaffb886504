package render

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/osteele/liquid/parser"
)

// blockTags are the tags that have an end, with the tags that divide them.
var blockTags = map[string][]string{
	"if": {"elsif", "else"}, "unless": {"elsif", "else"}, "case": {"when", "else"}, "for": {"else"}, "tablerow": nil, "capture": nil, "raw": nil, "comment": nil,
}

// otherTags stand alone.
var otherTags = []string{"assign", "break", "continue", "cycle", "decrement", "include", "increment", renderTag}

// nest checks where a tag stands, and keeps the blocks that are open. The library would quote what was made of the template for it.
func (p *preparer) nest(t parser.Token) error {
	within := ""
	if len(p.open) > 0 {
		within = p.open[len(p.open)-1].Name
	}
	if _, begins := blockTags[t.Name]; begins {
		if p.open = append(p.open, t); len(p.open) > p.maxDepth {
			return ErrTooDeep
		}
		return nil
	}
	if slices.Contains(otherTags, t.Name) {
		return nil
	}
	if begin, isEnd := strings.CutPrefix(t.Name, "end"); isEnd {
		if _, known := blockTags[begin]; known {
			switch within {
			case begin:
				p.open = p.open[:len(p.open)-1]
				return nil
			case "":
				return fmt.Errorf("%s not inside a block in %s", t.Name, quoted(t))
			default:
				return fmt.Errorf("{%% %s %%} closes nothing here: {%% %s %%} is closed by {%% end%s %%}", t.Name, within, within)
			}
		}
	}
	var parents []string
	for name, divisions := range blockTags {
		if slices.Contains(divisions, t.Name) {
			parents = append(parents, name)
		}
	}
	slices.Sort(parents)
	switch {
	case len(parents) == 0:
		return fmt.Errorf("undefined tag %q in %s", t.Name, quoted(t))
	case slices.Contains(parents, within):
		return nil
	case within == "":
		return fmt.Errorf("%s not inside %s in %s", t.Name, strings.Join(parents, " or "), quoted(t))
	}
	return fmt.Errorf("%s not inside %s; immediate parent is %s in %s", t.Name, strings.Join(parents, " or "), within, quoted(t))
}

// unterminated reports a block that has no end.
func (p *preparer) unterminated() error {
	if len(p.open) == 0 {
		return nil
	}
	last := p.open[len(p.open)-1]
	return fmt.Errorf("template line %d: unterminated %q block in %s", last.SourceLoc.LineNo, last.Name, quoted(last))
}

// quoted is an object or a tag as its author wrote it, in one line, for a message.
func quoted(t parser.Token) string {
	if t.Type == parser.ObjTokenType {
		return "{{ " + inLine(t.Args) + " }}"
	}
	return "{% " + inLine(t.Name+" "+t.Args) + " %}"
}

// inLine is a part of a template in one line.
func inLine(source string) string { return firstLine(strings.Join(strings.Fields(source), " ")) }

var errInclude = errors.New(`include is not available; a snippet is rendered with {% render "identifier" %}`)
