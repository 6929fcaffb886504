package render

import (
	"io"

	"github.com/osteele/liquid/expressions"
	liquid "github.com/osteele/liquid/render"
)

// branch is a part of a tag that is rendered when its condition holds.
type branch struct {
	condition expressions.Expression // nil: always
	body      *liquid.BlockNode
}

// compileIf is the tag if, and unless, whose first condition must not hold.
func compileIf(wanted bool) liquid.BlockCompiler {
	return func(node liquid.BlockNode) (func(io.Writer, liquid.Context) error, error) {
		condition, err := expressions.Parse(node.Args)
		if err != nil {
			return nil, err //nolint:wrapcheck // the engine gives it its line
		}
		branches := []branch{{condition, &node}}
		for _, clause := range node.Clauses {
			b := branch{body: clause}
			if clause.Name == "elsif" {
				if b.condition, err = expressions.Parse(clause.Args); err != nil {
					return nil, err //nolint:wrapcheck // the engine gives it its line
				}
			}
			branches = append(branches, b)
		}
		return func(w io.Writer, ctx liquid.Context) error {
			for i, b := range branches {
				if b.condition != nil {
					value, err := ctx.Evaluate(b.condition)
					if err != nil {
						return err //nolint:wrapcheck // the engine gives it its line
					}
					if holdsTruth(value) != (wanted || i > 0) {
						continue
					}
				}
				return ctx.RenderBlock(w, b.body) //nolint:wrapcheck // the engine gives it its line
			}
			return nil
		}, nil
	}
}

// alternative is a part of the tag case.
type alternative struct {
	values []expressions.Expression // nil: rendered when no value was the one before
	body   *liquid.BlockNode
}

// compileCase is the tag case: every when that names the value is rendered, else what is behind else.
func compileCase(node liquid.BlockNode) (func(io.Writer, liquid.Context) error, error) {
	of, err := expressions.Parse(node.Args)
	if err != nil {
		return nil, err //nolint:wrapcheck // the engine gives it its line
	}
	var alternatives []alternative
	for _, clause := range node.Clauses {
		a := alternative{body: clause}
		if clause.Name == "when" {
			statement, err := expressions.ParseStatement(expressions.WhenStatementSelector, clause.Args)
			if err != nil {
				return nil, err //nolint:wrapcheck // the engine gives it its line
			}
			a.values = statement.When.Exprs
		}
		alternatives = append(alternatives, a)
	}
	return func(w io.Writer, ctx liquid.Context) error {
		value, err := ctx.Evaluate(of)
		if err != nil {
			return err //nolint:wrapcheck // the engine gives it its line
		}
		found := false
		for _, a := range alternatives {
			hit := a.values == nil && !found
			for _, one := range a.values {
				if hit {
					break
				}
				other, err := ctx.Evaluate(one)
				if err != nil {
					return err //nolint:wrapcheck // the engine gives it its line
				}
				hit = equal(value, other)
			}
			if !hit {
				continue
			}
			found = true
			if err := ctx.RenderBlock(w, a.body); err != nil {
				return err //nolint:wrapcheck // the engine gives it its line
			}
		}
		return nil
	}, nil
}

// whenArguments are the values of when, which may be joined by or, as the library takes them.
func whenArguments(args string) string {
	depth, last, out := 0, 0, ""
	for _, l := range lex(args) {
		switch {
		case l.text == "(" || l.text == "[":
			depth++
		case l.text == ")" || l.text == "]":
			depth--
		case depth == 0 && l.kind == lexKeyword && l.text == "or":
			out += args[last:l.start] + ","
			last = l.end
		}
	}
	return out + args[last:]
}
