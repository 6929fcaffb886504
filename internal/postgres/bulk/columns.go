// Package bulk writes and reads many rows with one statement. A list of columns says once what each column is called, which
// type it has and where a row keeps it; the texts of INSERT, UPDATE and SELECT, their arguments and their scanning all
// come from that list, so that two columns cannot be mistaken for each other.
package bulk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Column is one column of rows of type T.
type Column[T any] struct {
	name   string
	array  string              // type of its array; empty: it is only read
	cast   string              // what the elements of the array become
	read   string              // expression that it is read by; empty: the column itself
	values func(rows []T) any  // a slice with the value of each row
	value  func(row *T) any    // its value in one row
	alike  func(rows []T) bool // whether all rows have the same value
	target func(row *T) any    // where its value is scanned to; nil: it is only written
}

// Columns is the list of the columns of a table, or of the rows that a statement works on.
type Columns[T any] []Column[T]

// Scalar lists the Go types whose SQL type is known.
type Scalar interface {
	string | *string | bool | *bool | int | *int | int64 | float64 | []byte | time.Time | *time.Time
}

// arrayOf is the SQL type of the array of values like v.
func arrayOf(v any) string {
	switch v.(type) {
	case bool, *bool:
		return "bool"
	case int, *int:
		return "int"
	case int64:
		return "bigint"
	case float64:
		return "float8"
	case []byte:
		return "bytea"
	case time.Time, *time.Time:
		return "timestamptz"
	}
	return "text"
}

// Field is a column that is kept in a field of the row as it is in the database.
func Field[T any, V Scalar](name string, field func(*T) *V) Column[T] {
	c := Value(name, func(row *T) V { return *field(row) })
	c.target = func(row *T) any { return field(row) }
	return c
}

// Value is a column that is derived from the row; it is only written.
func Value[T any, V Scalar](name string, value func(*T) V) Column[T] {
	return written(name, arrayOf(*new(V)), value)
}

// written is a column of the given type that is only written.
func written[T, V any](name, array string, value func(*T) V) Column[T] {
	equal := equality[V]()
	return Column[T]{
		name: name, array: array,
		values: func(rows []T) any { return each(rows, value) },
		value:  func(row *T) any { return value(row) },
		alike: func(rows []T) bool {
			first := value(&rows[0])
			for i := 1; i < len(rows); i++ {
				if !equal(first, value(&rows[i])) {
					return false
				}
			}
			return true
		},
	}
}

// equality is how values of a Scalar type are compared, as what is stored of them; values of other types never count as the same.
func equality[V any]() func(a, b V) bool {
	var compare any
	switch any(*new(V)).(type) {
	case string:
		compare = equal[string]
	case bool:
		compare = equal[bool]
	case int:
		compare = equal[int]
	case int64:
		compare = equal[int64]
	case float64:
		compare = equal[float64]
	case *string:
		compare = equalPointers[string]
	case *bool:
		compare = equalPointers[bool]
	case *int:
		compare = equalPointers[int]
	case []byte:
		compare = func(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
	case time.Time:
		compare = time.Time.Equal
	case *time.Time:
		compare = func(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }
	}
	if known, ok := compare.(func(a, b V) bool); ok {
		return known
	}
	return func(V, V) bool { return false }
}

func equal[V comparable](a, b V) bool { return a == b }

func equalPointers[V comparable](a, b *V) bool { return a == b || a != nil && b != nil && *a == *b }

// Text is a text column whose field has a type of its own.
func Text[T any, V ~string](name string, field func(*T) *V) Column[T] {
	c := written(name, "text", func(row *T) string { return string(*field(row)) })
	c.target = func(row *T) any { return field(row) }
	return c
}

// Optional is a text column that is NULL where the field is empty.
func Optional[T any, V ~string](name string, field func(*T) *V) Column[T] {
	c := written(name, "text", func(row *T) *string {
		if *field(row) == "" {
			return nil
		}
		text := string(*field(row))
		return &text
	})
	c.target = func(row *T) any { return field(row) }
	c.read = "coalesce(%s, '')"
	return c
}

// JSON is a jsonb column that is NULL where the field is nil, empty or null as JSON.
func JSON[T, V any](name string, field func(*T) *V) Column[T] {
	c := JSONValue(name, func(row *T) V { return *field(row) })
	c.target = func(row *T) any { return field(row) }
	return c
}

// JSONValue is JSON for what is derived from the row; it is only written.
func JSONValue[T, V any](name string, value func(*T) V) Column[T] {
	c := written(name, "text", func(row *T) []byte { return jsonOf(value(row)) })
	c.cast = "::jsonb"
	return c
}

// List is a jsonb column that holds a list, empty where the field is nil.
func List[T, E any](name string, field func(*T) *[]E) Column[T] {
	c := written(name, "text", func(row *T) []byte {
		if text := jsonOf(*field(row)); text != nil {
			return text
		}
		return noElements
	})
	c.target = func(row *T) any { return field(row) }
	c.cast = "::jsonb"
	return c
}

// Read is a column that is only read, by an expression.
func Read[T any](expression string, target func(*T) any) Column[T] {
	return Column[T]{read: expression, target: target}
}

// As is the column read by an expression, in which %s is replaced by the column itself.
func (c Column[T]) As(expression string) Column[T] {
	c.read = expression
	return c
}

// JSONText is v as JSON text; nil for what is null, or nothing, as JSON. What has no JSON (an infinite number) becomes the text
// of the error, which Postgres refuses: a value is never lost on the way to its row.
func JSONText(v any) *string {
	raw := jsonOf(v)
	if raw == nil {
		return nil
	}
	text := string(raw)
	return &text
}

// jsonOf is JSONText without a copy.
func jsonOf(v any) []byte {
	raw, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(v); err != nil {
			return []byte(err.Error())
		}
		if string(raw) == "null" {
			return nil
		}
	}
	if len(raw) == 0 {
		return nil
	}
	return raw
}

var noElements = []byte("[]")

func each[T, V any](rows []T, value func(*T) V) []V {
	list := make([]V, len(rows))
	for i := range rows {
		list[i] = value(&rows[i])
	}
	return list
}

// Pick is the list of the named columns, in the order of the names.
func (c Columns[T]) Pick(names ...string) Columns[T] {
	picked := make(Columns[T], len(names))
	for i, name := range names {
		at := c.index(name)
		if at < 0 {
			panic(fmt.Sprintf("bulk: no column %q", name))
		}
		picked[i] = c[at]
	}
	return picked
}

func (c Columns[T]) index(name string) int {
	for i := range c {
		if c[i].name == name {
			return i
		}
	}
	return -1
}

// written is how many columns are written.
func (c Columns[T]) written() (n int) {
	for i := range c {
		if c[i].array != "" {
			n++
		}
	}
	return n
}

// Args are the arrays of rows, one per column that is written, and then more.
func (c Columns[T]) Args(rows []T, more ...any) []any {
	return c.args(rows, func(int) bool { return false }, more)
}

// argsOfOne are the values of the first row, one per column that is written, and then more.
func (c Columns[T]) argsOfOne(rows []T, more ...any) []any {
	return c.args(rows, func(int) bool { return true }, more)
}

// args are, of each column that is written, the value of the first row where the column is sent once, else the array of all rows; and then
// more. once is asked by the place of a column among those that are written.
func (c Columns[T]) args(rows []T, once func(place int) bool, more []any) []any {
	args := make([]any, 0, len(c)+len(more))
	for i := range c {
		switch {
		case c[i].array == "":
		case once(len(args)):
			args = append(args, c[i].value(&rows[0]))
		default:
			args = append(args, c[i].values(rows))
		}
	}
	return append(args, more...)
}

// row is the FROM item that makes a row of argsOfOne, which it calls u. Postgres reads each of the arrays of unnest by a function of its
// own, which for one row costs more than the row.
func (c Columns[T]) row(place bool) string {
	var values, names []string
	for i := range c {
		if c[i].array != "" {
			values = append(values, "$"+strconv.Itoa(1+len(values))+"::"+c[i].array)
			names = append(names, c[i].name)
		}
	}
	if place {
		values, names = append(values, "1"), append(names, "place")
	}
	return "(VALUES (" + strings.Join(values, ", ") + ")) AS u (" + strings.Join(names, ", ") + ")"
}

// unnest is the FROM item that turns the arrays of Args back into rows, which it calls u; places adds their positions.
func (c Columns[T]) unnest(places bool) string {
	var arrays, names []string
	for i := range c {
		if c[i].array != "" {
			arrays = append(arrays, "$"+strconv.Itoa(1+len(arrays))+"::"+c[i].array+"[]")
			names = append(names, c[i].name)
		}
	}
	if places {
		return "unnest(" + strings.Join(arrays, ", ") + ") WITH ORDINALITY AS u (" + strings.Join(append(names, "place"), ", ") + ")"
	}
	return "unnest(" + strings.Join(arrays, ", ") + ") AS u (" + strings.Join(names, ", ") + ")"
}

// Select lists the columns that are read, of the table with this alias, for Scan.
func (c Columns[T]) Select(alias string) string {
	var list []string
	for i := range c {
		if c[i].target == nil {
			continue
		}
		expression := alias + "." + c[i].name
		if c[i].read != "" {
			expression = strings.ReplaceAll(c[i].read, "%s", expression)
		}
		list = append(list, expression)
	}
	return strings.Join(list, ", ")
}

// Targets are where the columns of Select are scanned to.
func (c Columns[T]) Targets(row *T) []any {
	list := make([]any, 0, len(c))
	for i := range c {
		if c[i].target != nil {
			list = append(list, c[i].target(row))
		}
	}
	return list
}

// Collect reads all rows of a query for the columns of Select; what says in errors what for. All rows are scanned to one place, one after
// the other, because places of their own cost as much as the rows.
func (c Columns[T]) Collect(rows pgx.Rows, err error, what string) ([]T, error) {
	list := []T{}
	if err == nil {
		var row, empty T
		_, err = pgx.ForEachRow(rows, c.Targets(&row), func() error {
			list = append(list, row)
			row = empty // so that the next one's lists and maps are its own
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return list, nil
}
