package bulk

import (
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Check makes a transaction fail unless conditions hold, all of them in one statement. It divides by zero (SQLSTATE 22012), because a
// commit that follows in the same round trip cannot wait for a look at its result.
type Check struct {
	conditions []string
	settings   string
	args       []any
}

// Set changes a setting until the end of the transaction. SET LOCAL would warn where the batch is a transaction without a BEGIN.
func (c *Check) Set(name, value string) {
	c.settings += ", set_config('" + name + "', '" + value + "', true)"
}

// Queue queues the check; without conditions and settings nothing.
func (c *Check) Queue(b *pgx.Batch) {
	if len(c.conditions) > 0 || c.settings != "" {
		b.Queue("SELECT 1 / ("+strings.Join(append(c.conditions, "true"), " AND ")+")::int"+c.settings, c.args...)
	}
}

// Condition is a condition on rows of type T.
type Condition[T any] struct {
	columns   Columns[T]
	one, many template
}

// template is a text between whose parts stand the numbers of arguments, from 1.
type template struct {
	parts   []string
	numbers []int
}

// That is a condition that is to hold for each of some rows, which it calls u.
func That[T any](condition string, columns Columns[T]) Condition[T] {
	of := func(rows string) template {
		return templateOf("NOT EXISTS (SELECT FROM " + rows + " WHERE (" + condition + ") IS NOT TRUE)")
	}
	return Condition[T]{columns, of(columns.row(false)), of(columns.unnest(false))}
}

func templateOf(text string) (t template) {
	for {
		before, rest, found := strings.Cut(text, "$")
		t.parts = append(t.parts, before)
		if !found {
			return t
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		number, _ := strconv.Atoi(rest[:digits]) // digits
		t.numbers, text = append(t.numbers, number), rest[digits:]
	}
}

// numbered is the text with its arguments behind others.
func (t template) numbered(others int) string {
	var b strings.Builder
	b.WriteString(t.parts[0])
	for i, n := range t.numbers {
		b.WriteString("$" + strconv.Itoa(others+n) + t.parts[i+1])
	}
	return b.String()
}

// Add adds to a check that the condition holds for rows.
func (c Condition[T]) Add(to *Check, rows []T) {
	switch len(rows) {
	case 0:
		return
	case 1:
		to.conditions = append(to.conditions, c.one.numbered(len(to.args)))
		to.args = append(to.args, c.columns.argsOfOne(rows)...)
	default:
		to.conditions = append(to.conditions, c.many.numbered(len(to.args)))
		to.args = append(to.args, c.columns.Args(rows)...)
	}
}
