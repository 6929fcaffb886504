package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	gqlast "github.com/vektah/gqlparser/v2/ast"
	gqlparser "github.com/vektah/gqlparser/v2/parser"
)

// folders hold what answers callers.
var folders = []string{"graph", "rest", "internal/notify", "internal/fault", "internal/intake", "internal/admission", "internal/workflow", "internal/dashboard", "internal/postgres"}

var (
	codeFormat = regexp.MustCompile(`^[A-Z]+(_[A-Z]+)+$|^TIMEOUT$|^OVERLOADED$`)
	codeName   = regexp.MustCompile(`^[cC]ode[A-Z]`)
	verb       = regexp.MustCompile(`%[+#]?[a-z]`)
)

// codes lists what an error may be called, and what a trace may say.
func codes(out *strings.Builder) error {
	out.WriteString(`# Codes

Every code that an error may have, and every reason that a trace may give. GraphQL shows the code of an error as
` + "`extensions.code`" + `, the REST API as ` + "`type`" + ` where it has a status of several meanings. Programs should compare codes, never texts. This page is
made from the sources by ` + "`make generate`" + `.

## Kinds of errors

An error that has no code of its own has that of its kind.

`)
	if err := kinds(out); err != nil {
		return err
	}
	out.WriteString("\n## Codes of errors\n\n")
	if err := errorCodes(out); err != nil {
		return err
	}
	out.WriteString("\n## Reasons in traces\n\n")
	return reasons(out)
}

// kinds lists the kinds of faults with the comments beside them, which name the status.
func kinds(out *strings.Builder) error {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("internal", "fault", "fault.go"), nil, parser.ParseComments)
	if err != nil {
		return err
	}
	var names, meanings []string
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if spec.Names[0].Name == "kindNames" {
			list, _ := spec.Values[0].(*ast.CompositeLit)
			for _, element := range list.Elts {
				names = append(names, text(element))
			}
		} else if spec.Comment != nil && len(names) == 0 {
			meanings = append(meanings, strings.TrimSpace(spec.Comment.Text()))
		}
		return true
	})
	heads(out, "Code", "Meaning, and HTTP status")
	for i, name := range names {
		row(out, "`"+name+"`", meanings[i])
	}
	return nil
}

// errorCodes lists the codes that errors have of their own, with their texts.
func errorCodes(out *strings.Builder) error {
	values, messages := map[string]string{}, map[string]string{}
	err := walk(folders, func(node ast.Node) {
		spec, ok := node.(*ast.ValueSpec)
		if ok && len(spec.Values) == 1 && codeName.MatchString(spec.Names[0].Name) && codeFormat.MatchString(text(spec.Values[0])) {
			values[spec.Names[0].Name] = text(spec.Values[0])
			messages[text(spec.Values[0])] = ""
		}
	})
	if err != nil {
		return err
	}
	code := func(e ast.Expr) string {
		if value := text(e); codeFormat.MatchString(value) {
			return value
		}
		return values[word(e)]
	}
	note := func(code, message string) {
		if known, listed := messages[code]; !listed || known == "" {
			messages[code] = verb.ReplaceAllString(message, "…")
		}
	}
	err = walk(folders, func(node ast.Node) {
		switch n := node.(type) {
		case *ast.CallExpr:
			for i, argument := range n.Args {
				if c := code(argument); c != "" {
					noteFirst(n.Args[i+1:], func(message string) { note(c, message) })
				}
			}
		case *ast.CompositeLit:
			members := map[string]ast.Expr{}
			for _, element := range n.Elts {
				if member, ok := element.(*ast.KeyValueExpr); ok {
					members[word(member.Key)] = member.Value
				}
			}
			if c, message := members["Code"], members["Message"]; c != nil && message != nil && code(c) != "" {
				note(code(c), text(message))
			}
		}
	})
	if err != nil {
		return err
	}
	heads(out, "Code", "Text, for example")
	for _, c := range slices.Sorted(maps.Keys(messages)) {
		row(out, "`"+c+"`", messages[c])
	}
	return nil
}

// noteFirst notes the first sentence of the arguments behind a code.
func noteFirst(arguments []ast.Expr, note func(string)) {
	for _, argument := range arguments {
		if message := text(argument); strings.Contains(message, " ") {
			note(message)
			return
		}
	}
}

// reasons lists those of the schema.
func reasons(out *strings.Builder) error {
	path := filepath.Join("graph", "enums.graphqls")
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	schema, err := gqlparser.ParseSchema(&gqlast.Source{Name: path, Input: string(source)})
	if err != nil {
		return err
	}
	heads(out, "Reason", "Meaning")
	for _, value := range schema.Definitions.ForName("TraceReason").EnumValues {
		row(out, "`"+value.Name+"`", value.Description)
	}
	return nil
}
