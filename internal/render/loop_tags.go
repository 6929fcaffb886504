package render

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/osteele/liquid/expressions"
	liquid "github.com/osteele/liquid/render"
)

var (
	errBreak    = errors.New("break is only for loops")
	errContinue = errors.New("continue is only for loops")
)

// interrupt is a tag that ends a loop, or one of its turns.
func interrupt(by error) func(string) (func(io.Writer, liquid.Context) error, error) {
	return func(string) (func(io.Writer, liquid.Context) error, error) {
		return func(_ io.Writer, ctx liquid.Context) error { return ctx.WrapError(by) }, nil
	}
}

// loop is the tag for or tablerow.
type loop struct {
	variable, key string                 // key names the loop for a later one that continues it
	of, columns   expressions.Expression // columns: of a table, nil without a number of them
	table         bool
	otherwise     *liquid.BlockNode
}

func compileLoop(node liquid.BlockNode) (func(io.Writer, liquid.Context) error, error) {
	statement, err := expressions.ParseStatement(expressions.LoopStatementSelector, node.Args)
	if err != nil {
		return nil, err //nolint:wrapcheck // the engine gives it its line
	}
	l := loop{variable: statement.Loop.Variable, key: loopKey(node.Args), of: statement.Loop.Expr, columns: statement.Loop.Cols, table: node.Name == "tablerow"}
	switch {
	case len(node.Clauses) > 1:
		return nil, errors.New("a loop has one else")
	case len(node.Clauses) == 1:
		l.otherwise = node.Clauses[0]
	}
	return l.render, nil
}

// loopKey is what a loop goes through, by which another one over the same continues where it ended.
func loopKey(args string) string {
	key, _, _ := strings.Cut(args, " | "+itemsFilter)
	return strings.ReplaceAll(strings.Join(strings.Fields(key), " "), "'", `"`)
}

func (l loop) render(w io.Writer, ctx liquid.Context) error {
	value, err := ctx.Evaluate(l.of)
	if err != nil {
		return err //nolint:wrapcheck // the engine gives it its line
	}
	columns := math.MaxInt
	if l.columns != nil {
		number, err := ctx.Evaluate(l.columns)
		if err != nil {
			return err //nolint:wrapcheck // the engine gives it its line
		}
		if n, ok := number.(int); ok && n > 0 {
			columns = n
		}
	}
	sequence := sequenceOf(value)
	length := sequence.Len()
	if length == 0 && l.otherwise != nil {
		return ctx.RenderBlock(w, l.otherwise) //nolint:wrapcheck // the engine gives it its line
	}
	outer := ctx.Get(loopVariable)
	defer func(variable, table any) {
		ctx.Set(l.variable, variable)
		ctx.Set(tableVariable, table)
		ctx.Set(loopVariable, outer)
	}(ctx.Get(l.variable), ctx.Get(tableVariable))
	for i := range length {
		ctx.Set(l.variable, sequence.Index(i))
		fields := loopFields(i, length)
		if outer != nil {
			fields["parentloop"] = outer
		}
		ctx.Set(loopVariable, fields)
		if l.table {
			ctx.Set(tableVariable, tableFields(fields, i, columns, length))
			if err := beginCell(w, i, columns); err != nil {
				return err
			}
		}
		err := ctx.RenderChildren(w)
		l.passed(ctx, value, i+1)
		if l.table {
			if err := endCell(w, i, columns, length); err != nil {
				return err
			}
		}
		switch {
		case err == nil:
		case errors.Is(err.Cause(), errBreak):
			return nil
		case errors.Is(err.Cause(), errContinue):
		default:
			return err
		}
	}
	return nil
}

const (
	loopVariable  = "forloop"
	tableVariable = "tablerowloop"
)

func loopFields(i, length int) map[string]any {
	return map[string]any{
		"index": i + 1, "index0": i, "rindex": length - i, "rindex0": length - i - 1, "first": i == 0, "last": i == length-1, "length": length,
	}
}

func tableFields(fields map[string]any, i, columns, length int) map[string]any {
	table := loopFields(i, length)
	if outer, has := fields["parentloop"]; has {
		table["parentloop"] = outer
	}
	column := i % columns
	table["col"], table["col0"], table["row"] = column+1, column, i/columns+1
	table["col_first"], table["col_last"] = column == 0, column == columns-1 || i == length-1
	return table
}

func beginCell(w io.Writer, i, columns int) (err error) {
	if i%columns == 0 {
		_, err = fmt.Fprintf(w, `<tr class="row%d">`, i/columns+1)
	}
	if err == nil {
		_, err = fmt.Fprintf(w, `<td class="col%d">`, i%columns+1)
	}
	return err //nolint:wrapcheck // the engine gives it its line
}

func endCell(w io.Writer, i, columns, length int) error {
	end := "</td>"
	if (i+1)%columns == 0 || i+1 == length {
		end += "</tr>"
	}
	_, err := io.WriteString(w, end)
	return err //nolint:wrapcheck // the engine gives it its line
}

// loopEnds are how far loops have come, by their keys.
type loopEnds map[string]any

// passed takes note of how far a loop has come, for one that continues it.
func (l loop) passed(ctx liquid.Context, value any, turns int) {
	if of, isSpan := value.(span); isSpan {
		if ends, has := ctx.Get(continueKey).(loopEnds); has {
			ends[l.key] = of.from + turns
		}
	}
}
