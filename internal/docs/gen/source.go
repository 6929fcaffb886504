package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// walk calls fn for each node of the Go sources below the folders, without tests and generated clients.
func walk(folders []string, fn func(ast.Node)) error {
	set := token.NewFileSet()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "client" || entry.Name() == "testdata"):
				return fs.SkipDir
			case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if node != nil {
					fn(node)
				}
				return true
			})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// called is the name of the function or method called.
func called(call *ast.CallExpr) string {
	if selector, ok := call.Fun.(*ast.SelectorExpr); ok {
		return selector.Sel.Name
	}
	return word(call.Fun)
}

// word is an identifier, also behind a package; "" for anything else.
func word(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// text is a string literal, also one in several parts, with … for those that are none; "" for anything else.
func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return orAnything(text(e.X)) + orAnything(text(e.Y))
	}
	return ""
}

// orAnything returns text, or … for a part that is known only when the program runs.
func orAnything(text string) string {
	if text == "" {
		return "…"
	}
	return text
}

// texts is a list of string literals.
func texts(e ast.Expr) string {
	list, ok := e.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	all := make([]string, len(list.Elts))
	for i, element := range list.Elts {
		all[i] = "`" + text(element) + "`"
	}
	return strings.Join(all, ", ")
}
