package render

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/osteele/liquid/expressions"
	liquid "github.com/osteele/liquid/render"
)

// addTags defines all tags. The library's own keep whatever they are given, compare otherwise than Liquid does, and lack words such as
// elsif in unless.
func (e *Engine) addTags(cfg *liquid.Config, m mode) {
	cfg.AddBlock("raw")
	cfg.AddBlock("comment")
	cfg.AddBlock("if").Clause("elsif").Clause("else").Compiler(compileIf(true))
	cfg.AddBlock("unless").Clause("elsif").Clause("else").Compiler(compileIf(false))
	cfg.AddBlock("case").Clause("when").Clause("else").Compiler(compileCase)
	cfg.AddBlock("for").Clause("else").Compiler(compileLoop)
	cfg.AddBlock("tablerow").Compiler(compileLoop)
	cfg.AddTag("break", interrupt(errBreak))
	cfg.AddTag("continue", interrupt(errContinue))
	cfg.AddTag("cycle", compileCycle(filterSet{mode: m}))
	cfg.AddTag("assign", compileAssign)
	cfg.AddBlock("capture").Compiler(compileCapture(m, e.limits.Output))
	cfg.AddTag("increment", compileCounter(1))
	cfg.AddTag("decrement", compileCounter(-1))
	cfg.AddTag("include", func(string) (func(w writer, ctx liquid.Context) error, error) {
		return nil, errInclude
	})
	cfg.AddTag(tickTag, func(string) (func(w writer, ctx liquid.Context) error, error) { return tick, nil })
	e.addRender(cfg, m)
}

func compileAssign(source string) (func(io.Writer, liquid.Context) error, error) {
	statement, err := expressions.ParseStatement(expressions.AssignStatementSelector, source)
	if err != nil {
		return nil, err //nolint:wrapcheck // the engine gives it its line
	}
	return func(_ io.Writer, ctx liquid.Context) error {
		value, err := ctx.Evaluate(statement.Assignment.ValueFn)
		if err != nil {
			return err //nolint:wrapcheck // the engine gives it its line
		}
		return keep(ctx, statement.Assignment.Variable, value)
	}, nil
}

func compileCapture(m mode, limit int) liquid.BlockCompiler {
	return func(node liquid.BlockNode) (func(io.Writer, liquid.Context) error, error) {
		name := strings.Trim(node.Args, `"'`)
		return func(_ io.Writer, ctx liquid.Context) error {
			out := &boundedBuffer{limit: limit}
			if err := ctx.RenderChildren(out); err != nil {
				return err
			}
			return keep(ctx, name, m.written(out.String()))
		}, nil
	}
}

// compileCounter is the tag that writes a counter and counts it up, or counts it down and writes it. A counter is a variable as long as
// no other one has its name.
func compileCounter(step int) func(string) (func(io.Writer, liquid.Context) error, error) {
	return func(args string) (func(io.Writer, liquid.Context) error, error) {
		if err := checkCounter(args); err != nil {
			return nil, err
		}
		return func(w io.Writer, ctx liquid.Context) error {
			b, err := budgetOf(ctx)
			if err != nil {
				return err
			}
			before := b.counters[args]
			if b.counters == nil {
				b.counters = map[string]int{}
			}
			b.counters[args] += step
			if current := ctx.Get(args); current == nil || current == before {
				if err := keep(ctx, args, before+step); err != nil {
					return err
				}
			}
			_, err = fmt.Fprint(w, before+min(step, 0))
			return err //nolint:wrapcheck // the engine gives it its line
		}, nil
	}
}

// checkCounter refuses what is no name of a counter.
func checkCounter(args string) error {
	if !isName(args) {
		return errors.New("a counter needs a name, such as {% increment row %}")
	}
	return nil
}

// isName reports whether a text is the name of one variable.
func isName(text string) bool {
	lexemes := lex(text)
	return len(lexemes) == 1 && lexemes[0].kind == lexPath && lexemes[0].text == text && !strings.ContainsAny(text, ".[")
}

// compileCycle is the tag that writes the next of its values each time, those of a group wherever they are.
func compileCycle(f filterSet) func(string) (func(io.Writer, liquid.Context) error, error) {
	return func(args string) (func(io.Writer, liquid.Context) error, error) {
		group, values, err := parseCycle(args)
		if err != nil {
			return nil, err
		}
		return func(w io.Writer, ctx liquid.Context) error {
			b, err := budgetOf(ctx)
			if err != nil {
				return err
			}
			key := args
			if group != nil {
				name, err := ctx.Evaluate(group)
				if err != nil {
					return err //nolint:wrapcheck // the engine gives it its line
				}
				key = fmt.Sprintf("%d %.100s", len(values), toText(name))
			}
			if b.cycles == nil {
				b.cycles = map[string]int{}
			}
			next := values[b.cycles[key]%len(values)]
			b.cycles[key]++
			text := any(next.literal)
			if next.of != nil {
				value, err := ctx.Evaluate(next.of)
				if err != nil {
					return err //nolint:wrapcheck // the engine gives it its line
				}
				text = f.out(value)
			}
			_, err = io.WriteString(w, toText(text))
			return err //nolint:wrapcheck // the engine gives it its line
		}, nil
	}
}

// cycled is a value of the tag cycle: a text of the template, which is written as it is, or an expression.
type cycled struct {
	literal string
	of      expressions.Expression
}

var errCycle = errors.New(`cycle takes values, and before them the name of a group if it has one, such as {% cycle "rows": "odd", "even" %}`)

func parseCycle(args string) (group expressions.Expression, values []cycled, err error) {
	depth, from := 0, 0
	take := func(to int) (expressions.Expression, error) {
		source := strings.TrimSpace(args[from:to])
		of, err := expressions.Parse(source)
		if err != nil {
			return nil, errCycle
		}
		if l := lex(source); len(l) == 1 && l[0].kind == lexString {
			values = append(values, cycled{literal: source[1 : len(source)-1]})
		} else {
			values = append(values, cycled{of: of})
		}
		return of, nil
	}
	for _, l := range append(lex(args), lexeme{text: ",", start: len(args), end: len(args)}) {
		switch {
		case l.text == "(" || l.text == "[":
			depth++
		case l.text == ")" || l.text == "]":
			depth--
		case depth > 0 || l.kind != lexSymbol && l.start < len(args):
		case l.text == ":" && group == nil && len(values) == 0:
			if group, err = take(l.start); err != nil {
				return nil, nil, err
			}
			values, from = nil, l.end
		case l.text == "," || l.text == ":":
			if _, err := take(l.start); err != nil || l.text == ":" {
				return nil, nil, errCycle
			}
			from = l.end
		}
	}
	return group, values, nil
}
