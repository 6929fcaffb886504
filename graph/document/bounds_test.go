package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/carillon/carillon/graph/document"
	"github.com/carillon/carillon/graph/transport"
)

// small are bounds that short texts pass.
var small = document.Bounds{Bytes: 1000, Tokens: 40, Definitions: 2, Spreads: 2, Nesting: 3, Aliases: 2, Directives: 1, Variables: 3}

func TestScan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text          string
		what          string // in the message; empty: it passes
		limit, actual int
	}{
		"empty":                   {"", "", 0, 0},
		"a field":                 {"{ me }", "", 0, 0},
		"not GraphQL":             {"{ me ", "", 0, 0}, // the parser's to report
		"no token of the lexer":   {"{ \x00 }", "", 0, 0},
		"as long as may be":       {"{ me }" + strings.Repeat(" ", 994), "", 0, 0},
		"too long":                {"{ me }" + strings.Repeat(" ", 995), "1000 bytes", 1000, 1001},
		"as many tokens":          {"{" + strings.Repeat(" a", 38) + "}", "", 0, 0},
		"too many tokens":         {"{" + strings.Repeat(" a", 39) + "}", "40 tokens", 40, 41},
		"comments count":          {strings.Repeat("#\n", 41), "40 tokens", 40, 41},
		"two definitions":         {"query A { a } query B { b }", "", 0, 0},
		"three definitions":       {"{ a } { b } { c }", "2 operations and fragments", 2, 3},
		"braces of arguments":     {"{ a(x: {y: {z: 1}}) }", "3 levels of brackets", 3, 4},
		"nested":                  {"{ a { b { c } } }", "", 0, 0},
		"too deeply nested":       {"{ a { b { c { d } } } }", "3 levels of brackets", 3, 4},
		"brackets of lists":       {"{ a(x: [[1]]) }", "3 levels of brackets", 3, 4},
		"spreads":                 {"{ ...A ...B }", "", 0, 0},
		"too many spreads":        {"{ ...A ...B ...C }", "2 fragment spreads", 2, 3},
		"inline fragments":        {"{ ...on A { a } ...on B { b } ...on C { c } }", "", 0, 0},
		"aliases":                 {"{ a: x b: x }", "", 0, 0},
		"too many aliases":        {"{ a: x b: x c: x }", "The text has 3 aliases and more", 2, 3},
		"names of arguments":      {"{ x(a: 1, b: 2, c: 3) }", "", 0, 0},
		"a directive":             {"{ a @skip(if: true) }", "", 0, 0},
		"too many directives":     {"{ a @x @y }", "1 directives", 1, 2},
		"variables":               {"query ($a: Int) { x(a: $a) y(a: $a) }", "", 0, 0},
		"too many variables":      {"query ($a: Int) { x(a: $a) y(a: $a) z(a: $a) }", "3 mentions of variables", 3, 4},
		"a long name":             {"{ " + strings.Repeat("n", 255) + " }", "", 0, 0},
		"too long a name":         {"{ " + strings.Repeat("n", 256) + " }", "255 characters in a name", 255, 256},
		"long texts are no names": {`{ x(a: "` + strings.Repeat("n", 256) + `") }`, "", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireRefused(t, small.Scan(c.text), c.what, c.limit, c.actual)
		})
	}
}

func requireRefused(t *testing.T, err *gqlerror.Error, what string, limit, actual int) {
	t.Helper()
	if what == "" {
		require.Nil(t, err)
		return
	}
	require.NotNil(t, err)
	require.Contains(t, err.Message, what)
	require.Equal(t, limit, err.Extensions["limit"])
	require.Equal(t, actual, err.Extensions["actual"])
	require.NotEmpty(t, err.Extensions["code"])
}

func TestCodesOfScan(t *testing.T) {
	t.Parallel()
	require.Equal(t, transport.CodeAliasLimit, small.Scan("{ a: x b: x c: x }").Extensions["code"])
	require.Equal(t, transport.CodeDocumentLimit, small.Scan("{ a @x @y }").Extensions["code"])
}

// TestScanBoundsValidation: each definition is read with all fragments, so that tokens count once for each.
func TestScanBoundsValidation(t *testing.T) {
	t.Parallel()
	of := func(definitions, fields int) string {
		return strings.Repeat("{"+strings.Repeat(" a", fields)+"}", definitions)
	}
	wide := document.Bounds{}.WithDefaults()
	require.Nil(t, wide.Scan(of(1, 3_990)))
	require.Nil(t, wide.Scan(of(50, 38)), "2,000 tokens read 50 times")
	refused := wide.Scan(of(50, 39))
	require.NotNil(t, refused)
	require.Contains(t, refused.Message, "tokens times definitions")
}

func TestDefaultsOfBounds(t *testing.T) {
	t.Parallel()
	all := document.Bounds{}.WithDefaults()
	require.Equal(t, document.Bounds{
		Bytes: 256 << 10, Tokens: 4_000, Definitions: 64, Spreads: 200, Nesting: 64, Aliases: 100, Directives: 100, Variables: 500,
	}, all)
	require.Equal(t, small, small.WithDefaults(), "what is set stays")
	one := document.Bounds{Tokens: 7}.WithDefaults()
	require.Equal(t, 7, one.Tokens)
	require.Equal(t, all.Bytes, one.Bytes)
}

func TestStrangersSendLittle(t *testing.T) {
	t.Parallel()
	logIn := `mutation ($email: String!, $password: String!) { logIn(input: {email: $email, password: $password}) { token user { id email } } }`
	require.Nil(t, document.Stranger.Scan(logIn))
	for what, text := range map[string]string{
		"operations and fragments": logIn + logIn,
		"fragment spreads":         "{ ...A }",
		"bytes":                    strings.Repeat(" ", 8<<10+1),
		"aliases":                  "{" + strings.Repeat(" a: b", 11) + "}",
	} {
		refused := document.Stranger.Scan(text)
		require.NotNil(t, refused, what)
		require.Contains(t, refused.Message, what)
	}
}

func parse(t *testing.T, text string) *ast.QueryDocument {
	t.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	require.NoError(t, err)
	return doc
}

// doubling is a document of n fragments, each of which names the next one twice.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString("{ ...F0 }")
	for i := range n {
		fmt.Fprintf(&b, " fragment F%d on Query { a%d { ...F%d } b%d { ...F%d } }", i, i, i+1, i, i+1)
	}
	fmt.Fprintf(&b, " fragment F%d on Query { leaf }", n)
	return b.String()
}

func TestMeasureWork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		says string // empty: it passes
	}{
		"a field":                       {"{ me { id } }", ""},
		"fields of one name":            {"{" + strings.Repeat(" me", 300) + "}", ""},
		"too many of one name":          {"{" + strings.Repeat(" me", 330) + "}", "more often than once in 54285 places"},
		"of many names":                 {"{" + many(330) + "}", ""},
		"one name in different places":  {"{ a {" + strings.Repeat(" me", 200) + "} b {" + strings.Repeat(" me", 200) + "} }", ""},
		"one name in one place":         {"{ a {" + strings.Repeat(" me", 200) + "} a {" + strings.Repeat(" me", 200) + "} }", "more often than once"},
		"inline fragments are no place": {"{ ...on A {" + strings.Repeat(" me", 200) + "} ...on B {" + strings.Repeat(" me", 200) + "} }", "more often than once"},
		"a fragment twice in one place": {"{ ...F ...F } fragment F on Query {" + many(200) + "}", ""},
		"fragments that grow":           {doubling(6), ""},
		"fragments that grow too much":  {doubling(14), "names more than 5000 fields"},
		"a fragment that names itself":  {"{ ...F } fragment F on Query { a { ...F } }", "names more than 5000 fields"},
		"an unknown fragment":           {"{ ...Nothing }", ""},
		"a fragment beside":             {"{ me } fragment F on Query {" + strings.Repeat(" me", 330) + "}", "more often than once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := document.MeasureWork(parse(t, c.text))
			if c.says == "" {
				require.Nil(t, err)
				return
			}
			require.NotNil(t, err)
			require.Contains(t, err.Message, c.says)
			require.Equal(t, transport.CodeComplexityLimit, err.Extensions["code"])
		})
	}
}

// many is a selection of n fields of different names.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " f%d", i)
	}
	return b.String()
}
