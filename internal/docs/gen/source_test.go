package main

import (
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func expression(t *testing.T, source string) ast.Expr {
	t.Helper()
	e, err := parser.ParseExpr(source)
	require.NoError(t, err)
	return e
}

// TestText: what a reader of the page sees of a text that the sources put together.
func TestText(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`"plain"`:              "plain",
		"`raw`":                "raw",
		`"a\tb"`:               "a\tb",
		`"one " + "two"`:       "one two",
		`"hello " + name`:      "hello …",
		`name + " is gone"`:    "… is gone",
		`"a " + f(x) + " b"`:   "a … b",
		`prefix + name`:        "……",
		`name`:                 "",
		`7`:                    "",
		`fmt.Sprint("a", "b")`: "",
	} {
		require.Equal(t, want, text(expression(t, source)), source)
	}
}

func TestCalled(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`f()`:                "f",
		`fault.New(a, b)`:    "New",
		`x.y.Refuse("A")`:    "Refuse",
		`func() {}()`:        "",
		`handlers["a"](1)`:   "",
		`(*Server).Close(s)`: "Close",
	} {
		call, ok := expression(t, source).(*ast.CallExpr)
		require.True(t, ok, source)
		require.Equal(t, want, called(call), source)
	}
	require.Equal(t, "B", word(expression(t, `a.B`)))
	require.Equal(t, "b", word(expression(t, `b`)))
	require.Empty(t, word(expression(t, `b[0]`)))
}

// TestWalk: the pages are made of what the program does, not of its tests and of clients.
func TestWalk(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, source := range map[string]string{
		"one.go": "package a\nvar One = 1", "inner/two.go": "package b\nvar Two = 2", "one_test.go": "package a\nvar InTest = 3",
		"client/three.go": "package c\nvar InClient = 4", "testdata/four.go": "no Go", "node_modules/five.go": "no Go", "readme.md": "# no Go",
	} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	}
	found := func(folders ...string) (names []string, err error) {
		err = walk(folders, func(n ast.Node) {
			if v, ok := n.(*ast.ValueSpec); ok {
				names = append(names, v.Names[0].Name)
			}
		})
		return names, err
	}
	names, err := found(folder)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"One", "Two"}, names)
	names, err = found(filepath.Join(folder, "inner"), folder)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"Two", "One", "Two"}, names)

	_, err = found(filepath.Join(folder, "nowhere"))
	require.Error(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "broken.go"), []byte("package a\nvar"), 0o600))
	_, err = found(folder)
	require.ErrorContains(t, err, "broken.go")
}
