package render

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/osteele/liquid/expressions"
	liquid "github.com/osteele/liquid/render"
)

const (
	renderTag   = "render"
	snippetsKey = "_snippets" // hidden variable of the tag render
	envKey      = "env"
)

// snippetScope is what the tag render needs: the sources by identifier, the variables of the environment that every snippet
// sees, and how many snippets it is in already.
type snippetScope struct {
	sources map[string]string
	env     map[string]any
	depth   int
}

// renderCall is {% render "identifier", key: value %}.
type renderCall struct {
	identifier string
	arguments  []snippetArgument
}

type snippetArgument struct {
	name  string
	value expressions.Expression
}

// addRender adds the tag render. The snippet is escaped as the template around it is.
func (e *Engine) addRender(cfg *liquid.Config, m mode) {
	cfg.AddTag(renderTag, func(args string) (func(w writer, ctx liquid.Context) error, error) {
		call, err := parseRender(args)
		if err != nil {
			return nil, err
		}
		return func(w writer, ctx liquid.Context) error {
			if err := e.renderSnippet(w, ctx, m, call); err != nil {
				return fmt.Errorf("snippet %q: %w", call.identifier, err)
			}
			return nil
		}, nil
	})
}

// renderSnippet renders a snippet, which sees its arguments and the environment's variables. It spends from the budget of the
// template that renders it.
func (e *Engine) renderSnippet(w writer, ctx liquid.Context, m mode, call renderCall) error {
	scope, _ := ctx.Get(snippetsKey).(snippetScope)
	source, known := scope.sources[call.identifier]
	if !known {
		return errors.New("there is no such snippet")
	}
	if scope.depth++; scope.depth > e.limits.Snippets {
		return ErrTooDeep
	}
	vars := map[string]any{snippetsKey: scope, readerKey: ctx.Get(readerKey), budgetKey: ctx.Get(budgetKey), continueKey: loopEnds{}}
	addWords(vars)
	if scope.env != nil {
		vars[envKey] = scope.env
	}
	for _, a := range call.arguments {
		value, err := ctx.Evaluate(a.value)
		if err != nil {
			return err //nolint:wrapcheck // the caller names the snippet
		}
		vars[a.name] = value
	}
	if isLiteral(source) {
		_, err := io.WriteString(w, source)
		return err //nolint:wrapcheck // the caller names the snippet
	}
	t, err := e.compile(source, m)
	if err != nil {
		return err
	}
	text, err := e.run(t, vars)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err //nolint:wrapcheck // the caller names the snippet
}

var errRender = errors.New(`render takes the identifier of a snippet in quotes and arguments by name, such as {% render "footer", year: 2026 %}`)

func parseRender(args string) (call renderCall, err error) {
	lexemes := lex(args)
	if len(lexemes) == 0 || lexemes[0].kind != lexString || len(lexemes[0].text) < 3 {
		return call, errRender
	}
	call.identifier = lexemes[0].text[1 : len(lexemes[0].text)-1]
	names := argumentNames(lexemes)
	if len(names) == 0 && len(lexemes) > 1 {
		return call, errRender
	}
	for i, at := range names {
		name := lexemes[at]
		if i == 0 && at != 2 || strings.HasPrefix(name.text, "_") || strings.ContainsAny(name.text, ".[") {
			return call, errRender
		}
		end := len(args)
		if i+1 < len(names) {
			end = lexemes[names[i+1]-1].start
		}
		value, err := expressions.Parse(args[lexemes[at+1].end:end])
		if err != nil {
			return call, fmt.Errorf("the argument %s: %w", name.text, err)
		}
		call.arguments = append(call.arguments, snippetArgument{name.text, value})
	}
	return call, nil
}

// argumentNames are the positions of the names of a render tag's arguments.
func argumentNames(lexemes []lexeme) (at []int) {
	for i := range lexemes {
		if isArgumentName(lexemes, i) {
			at = append(at, i)
		}
	}
	return at
}

// isArgumentName reports whether a lexeme of a render tag names an argument: it follows a comma and precedes a colon.
func isArgumentName(lexemes []lexeme, i int) bool {
	named := lexemes[i].kind == lexPath || lexemes[i].kind == lexKeyword
	return named && i > 1 && lexemes[i-1].text == "," && i+1 < len(lexemes) && lexemes[i+1].text == ":"
}

// SnippetsOf lists the identifiers of the snippets that a template renders, sorted.
func SnippetsOf(source string) []string {
	if isLiteral(source) || !strings.Contains(source, renderTag) {
		return nil
	}
	var names []string
	for _, x := range expressionsOf(source) {
		if x.tag != renderTag {
			continue
		}
		if call, err := parseRender(x.args); err == nil {
			names = append(names, call.identifier)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
