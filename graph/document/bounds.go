// Package document reads the documents of GraphQL operations: their texts are bounded before they are parsed and before they are
// validated, what they ask for is measured, and values are held against their types, before anything of the operation runs.
package document

import (
	"cmp"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"

	"github.com/carillon/carillon/graph/transport"
)

// Bounds limit the text of a document, before it is parsed. A zero field means the default.
type Bounds struct {
	// Bytes is the length of the text. Default 256 KiB.
	Bytes int
	// Tokens is how many words and signs it may have, comments included. Default 4,000.
	Tokens int
	// Definitions is how many operations and fragments it may hold. Default 64.
	Definitions int
	// Spreads is how often it may name fragments. Default 200.
	Spreads int
	// Nesting is how many brackets may lie within each other. Default 64.
	Nesting int
	// Aliases is how many fields may be renamed. Default 100.
	Aliases int
	// Directives is how many it may have. Default 100.
	Directives int
	// Variables is how often it may name variables. Default 500.
	Variables int
}

// WithDefaults returns the bounds with the defaults of those that are zero.
func (b Bounds) WithDefaults() Bounds {
	return Bounds{
		Bytes: cmp.Or(b.Bytes, 256<<10), Tokens: cmp.Or(b.Tokens, 4_000), Definitions: cmp.Or(b.Definitions, 64),
		Spreads: cmp.Or(b.Spreads, 200), Nesting: cmp.Or(b.Nesting, 64), Aliases: cmp.Or(b.Aliases, 100),
		Directives: cmp.Or(b.Directives, 100), Variables: cmp.Or(b.Variables, 500),
	}
}

// Stranger bounds the document of a log-in.
var Stranger = Bounds{Bytes: 8 << 10, Tokens: 300, Definitions: 1, Spreads: 0, Nesting: 16, Aliases: 10, Directives: 5, Variables: 40}

// maxName bounds a word, which may be compared with every name of the schema.
const maxName = 255

// maxReads bounds the words that validation reads: it walks each definition by itself, with all fragments that this names.
const maxReads = 100_000

// tally counts what a text holds, token by token.
type tally struct {
	Bounds       // so many of each so far
	open, parens int
	before       lexer.Token
	longest      int
}

// Scan refuses a text beyond the bounds, in one pass that keeps nothing.
func (b Bounds) Scan(text string) *gqlerror.Error {
	if len(text) > b.Bytes {
		return tooMuch("bytes", b.Bytes, len(text))
	}
	words := lexer.New(&ast.Source{Input: text})
	var t tally
	for {
		token, err := words.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			break // reported by the parser
		}
		t.count(token)
		if over := b.exceeded(&t); over != nil {
			return over
		}
	}
	if reads := t.Tokens * max(t.Definitions, 1); reads > maxReads {
		return tooMuch("tokens times definitions", maxReads, reads)
	}
	return nil
}

func (t *tally) count(token lexer.Token) {
	t.Tokens++
	switch token.Kind {
	case lexer.BraceL, lexer.BracketL, lexer.ParenL:
		if token.Kind == lexer.ParenL {
			t.parens++
		}
		if t.open++; t.open == 1 && token.Kind == lexer.BraceL {
			t.Definitions++
		}
		t.Nesting = max(t.Nesting, t.open)
	case lexer.BraceR, lexer.BracketR, lexer.ParenR:
		if token.Kind == lexer.ParenR {
			t.parens--
		}
		t.open--
	case lexer.Name:
		t.longest = max(t.longest, len(token.Value))
		if t.before.Kind == lexer.Spread && token.Value != "on" {
			t.Spreads++
		}
	case lexer.Colon:
		if t.before.Kind == lexer.Name && t.parens == 0 {
			t.Aliases++
		}
	case lexer.At:
		t.Directives++
	case lexer.Dollar:
		t.Variables++
	}
	t.before = token
}

// exceeded is the first bound that a tally has passed.
func (b *Bounds) exceeded(t *tally) *gqlerror.Error {
	switch {
	case t.Tokens > b.Tokens:
		return tooMuch("tokens", b.Tokens, t.Tokens)
	case t.Definitions > b.Definitions:
		return tooMuch("operations and fragments", b.Definitions, t.Definitions)
	case t.Spreads > b.Spreads:
		return tooMuch("fragment spreads", b.Spreads, t.Spreads)
	case t.Nesting > b.Nesting:
		return tooMuch("levels of brackets", b.Nesting, t.Nesting)
	case t.Aliases > b.Aliases:
		return transport.Refuse(transport.CodeAliasLimit, transport.Exceeded(b.Aliases, t.Aliases), "The text has %d aliases and more, at most %d are allowed.", t.Aliases, b.Aliases)
	case t.Directives > b.Directives:
		return tooMuch("directives", b.Directives, t.Directives)
	case t.Variables > b.Variables:
		return tooMuch("mentions of variables", b.Variables, t.Variables)
	case t.longest > maxName:
		return tooMuch("characters in a name", maxName, t.longest)
	}
	return nil
}

func tooMuch(what string, limit, actual int) *gqlerror.Error {
	return transport.Refuse(transport.CodeDocumentLimit, transport.Exceeded(limit, actual), "The text has more than %d %s. Send data as variables, and large texts as several operations.", limit, what)
}

const (
	// maxFields bounds the fields of a document, each fragment filled in wherever it is named.
	maxFields = 5_000
	// maxPairs bounds how many pairs of fields are answered under one name in one place: validation compares them all.
	maxPairs = 50_000
)

// MeasureWork refuses a document whose validation would take long. It takes no more than maxFields steps itself.
func MeasureWork(doc *ast.QueryDocument) *gqlerror.Error {
	w := work{fragments: make(map[string]ast.SelectionSet, len(doc.Fragments))}
	for _, f := range doc.Fragments {
		w.fragments[f.Name] = f.SelectionSet
	}
	for _, op := range doc.Operations {
		w.merge([]ast.SelectionSet{op.SelectionSet})
	}
	for _, f := range doc.Fragments {
		w.merge([]ast.SelectionSet{f.SelectionSet})
	}
	switch {
	case w.fields > maxFields:
		return transport.Refuse(transport.CodeComplexityLimit, map[string]any{"limit": maxFields}, "The text names more than %d fields, its fragments filled in.", maxFields)
	case w.pairs > maxPairs:
		return transport.Refuse(transport.CodeComplexityLimit, transport.Exceeded(maxPairs, w.pairs), "The text names fields more often than once in %d places, at most %d are allowed.", w.pairs, maxPairs)
	}
	return nil
}

// work is what validating a document takes.
type work struct {
	fragments     map[string]ast.SelectionSet
	fields, pairs int
}

// merge adds the work of selection sets that are answered in one place.
func (w *work) merge(sets []ast.SelectionSet) {
	children, times := map[string][]ast.SelectionSet{}, map[string]int{}
	spread := map[string]bool{}
	var collect func(ast.SelectionSet)
	collect = func(set ast.SelectionSet) {
		for _, selection := range set {
			if w.fields++; w.fields > maxFields {
				return
			}
			switch s := selection.(type) {
			case *ast.Field:
				w.pairs += times[s.Alias]
				times[s.Alias]++
				if len(s.SelectionSet) > 0 {
					children[s.Alias] = append(children[s.Alias], s.SelectionSet)
				}
			case *ast.InlineFragment:
				collect(s.SelectionSet)
			case *ast.FragmentSpread:
				if !spread[s.Name] {
					spread[s.Name] = true
					collect(w.fragments[s.Name])
				}
			}
		}
	}
	for _, set := range sets {
		collect(set)
	}
	for _, within := range children {
		if w.fields > maxFields || w.pairs > maxPairs {
			return
		}
		w.merge(within)
	}
}
