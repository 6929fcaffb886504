package graph_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/graph/generated"
	"github.com/carillon/carillon/internal/viewer"
)

// TestWrongInputsAreNamed gives every argument and every field of every input type values of other types, as variables and
// in the text of the operation: each is refused in the documented shape, with the field's path, in words of this API.
func TestWrongInputsAreNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := wrongInputs{schema: generated.NewExecutableSchema(generated.Config{}).Schema(), done: map[string]bool{}}
	asked := 0
	for _, root := range []*ast.Definition{w.schema.Query, w.schema.Mutation} {
		for _, operation := range root.Fields {
			for _, argument := range operation.Arguments {
				for _, c := range w.of(argument.Type) {
					path := strings.TrimPrefix(strings.TrimSuffix(argument.Name+"."+c.path, "."), "input.")
					w.refused(t, b, root, operation, argument, c, path)
					asked++
				}
			}
		}
	}
	require.Greater(t, asked, 2000)
}

// wrong is a value that does not fit, and where within it the fault lies.
type wrong struct {
	value any
	path  string
}

type wrongInputs struct {
	schema *ast.Schema
	done   map[string]bool // input types that were walked
}

var othersOf = map[string][]any{
	"String":  {true, map[string]any{}, []any{}},
	"ID":      {true, map[string]any{}, []any{}, 1.5},
	"Int":     {"3", "x", 1.5, true, map[string]any{}, []any{}, json.Number("99999999999999999999"), json.Number("1e400")},
	"Float":   {"1.5", true, map[string]any{}, []any{}, json.Number("1e400")},
	"Boolean": {"true", 1, map[string]any{}, []any{}},
	"Time":    {"yesterday", "", "2026-13-45T00:00:00Z", 5, true, map[string]any{}, []any{}},
	"JSON":    {"x", 5, true, []any{}, map[string]any{"a": []any{json.Number("1e400")}}, map[string]any{"a": json.Number("1e-30000")}},
}

// of are values that do not fit a type, each wrong at one place.
func (w *wrongInputs) of(typ *ast.Type) (all []wrong) {
	if typ.Elem != nil {
		for _, c := range w.of(typ.Elem) {
			all = append(all, wrong{[]any{c.value}, strings.TrimSuffix("0."+c.path, ".")})
		}
		return all
	}
	if typ.NonNull {
		all = append(all, wrong{})
	}
	definition := w.schema.Types[typ.NamedType]
	switch definition.Kind { //nolint:exhaustive // these are all that go in
	case ast.Enum:
		return append(all, plain("nope", "", 5, true, map[string]any{}, []any{})...)
	case ast.Scalar:
		if definition.Name == "StringMap" {
			return append(all, plain("x", 5, []any{}, map[string]any{"a": 5})...)
		}
		return append(all, plain(othersOf[definition.Name]...)...)
	}
	all = append(all, plain("x", 5, true)...)
	if w.done[definition.Name] {
		return all
	}
	w.done[definition.Name] = true
	for _, field := range definition.Fields {
		least := w.least(typ).(map[string]any) //nolint:forcetypeassert // of an object
		if field.Type.NonNull && field.DefaultValue == nil {
			without := maps.Clone(least)
			delete(without, field.Name)
			all = append(all, wrong{without, field.Name})
		}
		for _, c := range w.of(field.Type) {
			with := maps.Clone(least)
			with[field.Name] = c.value
			all = append(all, wrong{with, strings.TrimSuffix(field.Name+"."+c.path, ".")})
		}
	}
	return append(all, wrong{withMember(w.least(typ), "nothing"), "nothing"})
}

func plain(values ...any) (all []wrong) {
	for _, v := range values {
		if list, ok := v.([]any); ok && len(list) == 0 {
			v = []any{[]any{}} // an empty list fits everything a list of one fits
		}
		all = append(all, wrong{value: v})
	}
	return all
}

func withMember(object any, name string) any {
	out := maps.Clone(object.(map[string]any)) //nolint:forcetypeassert // of an object
	out[name] = "x"
	return out
}

// least is a value that fits a type.
func (w *wrongInputs) least(typ *ast.Type) any {
	if typ.Elem != nil {
		return []any{w.least(typ.Elem)}
	}
	definition := w.schema.Types[typ.NamedType]
	switch definition.Kind { //nolint:exhaustive // these are all that go in
	case ast.Enum:
		return enumValue(definition.EnumValues[0].Name)
	case ast.Scalar:
		return map[string]any{
			"String": "x", "ID": "x", "Int": 1, "Float": 1.5, "Boolean": true, "Time": "2026-01-31T12:00:00Z",
			"JSON": map[string]any{}, "StringMap": map[string]any{},
		}[definition.Name]
	}
	object := map[string]any{}
	for _, field := range definition.Fields {
		if field.Type.NonNull && field.DefaultValue == nil {
			object[field.Name] = w.least(field.Type)
		}
	}
	return object
}

type enumValue string

var plainWords = regexp.MustCompile(`^(is required|must not be null|must be (a|an|one of) [A-Za-z0-9 :_,-]+|is not a field of this input|must not hold a number out of the range of a double)$`)

func (w *wrongInputs) refused(t *testing.T, b *bundle, root *ast.Definition, operation *ast.FieldDefinition, argument *ast.ArgumentDefinition, c wrong, path string) {
	t.Helper()
	literals, variables, declared, passed := []string{}, map[string]any{}, []string{}, []string{}
	for _, other := range operation.Arguments {
		value := c.value
		if other != argument {
			if !other.Type.NonNull {
				continue
			}
			value = w.least(other.Type)
		}
		name := "v" + strconv.Itoa(len(literals))
		literals = append(literals, other.Name+": "+literal(value))
		declared = append(declared, "$"+name+": "+other.Type.String())
		passed = append(passed, other.Name+": $"+name)
		variables[name] = value
	}
	selected := ""
	if kind := w.schema.Types[operation.Type.Name()].Kind; kind == ast.Object || kind == ast.Interface || kind == ast.Union {
		selected = " { __typename }"
	}
	keyword := map[bool]string{true: "mutation", false: "query"}[root == w.schema.Mutation]
	texts := []string{fmt.Sprintf("%s(%s) { %s(%s)%s }", keyword, strings.Join(declared, ", "), operation.Name, strings.Join(passed, ", "), selected)}
	if !strings.HasSuffix(path, "nothing") && c.value != nil { // these are mistakes of the text, which says where they are
		texts = append(texts, fmt.Sprintf("%s { %s(%s)%s }", keyword, operation.Name, strings.Join(literals, ", "), selected))
	}
	for _, text := range texts {
		r := b.ask(t, b.key, text, variables)
		if r.code() == "GRAPHQL_VALIDATION_FAILED" && !strings.Contains(text, "$") && lacks(r) {
			continue
		}
		require.Equal(t, "VALIDATION", r.code(), "%s %v: %v", text, variables, r.Errors)
		fields, _ := r.Errors[0].Extensions["fields"].([]any)
		at := slices.IndexFunc(fields, func(f any) bool { return f.(map[string]any)["path"] == path }) //nolint:forcetypeassert // an object
		require.GreaterOrEqual(t, at, 0, "%s at %s: %v", text, path, r.Errors)
		require.Regexp(t, plainWords, fields[at].(map[string]any)["message"], text) //nolint:forcetypeassert // an object
		require.Empty(t, r.Data, text)
	}
}

// lacks reports whether the text itself was found incomplete, which is a mistake at a line and column.
func lacks(r reply) bool { return strings.Contains(r.Errors[0].Message, "required") }

// literal is a value as it stands in the text of an operation.
func literal(value any) string {
	switch v := value.(type) {
	case map[string]any:
		members := []string{}
		for name, member := range v {
			members = append(members, name+": "+literal(member))
		}
		return "{" + strings.Join(members, ", ") + "}"
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = literal(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case enumValue:
		return string(v)
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// TestLongIntegersInLiterals: a whole number that the text of an operation cannot hold is named, and one in a variable is kept.
func TestLongIntegersInLiterals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const long = "92233720368547758080"
	r := b.ask(t, b.key, `mutation { createSubscriber(input: {subscriberId: "u", data: {a: [1, {n: `+long+`}], m: -`+long+`, f: 1e30}}) { subscriber { data } } }`, nil)
	require.Equal(t, "VALIDATION", r.code(), r.Errors)
	paths := []string{}
	for _, f := range r.Errors[0].Extensions["fields"].([]any) { //nolint:forcetypeassert // a list
		field := f.(map[string]any) //nolint:forcetypeassert // an object
		require.Contains(t, field["message"], "give it in a variable")
		paths = append(paths, field["path"].(string)) //nolint:forcetypeassert // a text
	}
	require.Equal(t, []string{"data.a.1.n", "data.m"}, paths)

	r = b.ask(t, b.key, `mutation($data: JSON) { createSubscriber(input: {subscriberId: "u", data: $data}) { subscriber { subscriberId } } }`,
		map[string]any{"data": map[string]any{"n": json.RawMessage(long)}})
	require.Empty(t, r.Errors)
	stored := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("u")).OnlyX(viewer.SystemContext(t.Context()))
	require.Equal(t, json.Number(long), stored.Data["n"])
}

// TestInputsKeepTheirPlace names what is wrong by the argument, wherever its value comes from, and all of it at once.
func TestInputsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	paths := func(r reply) (all []string) {
		require.Equal(t, "VALIDATION", r.code(), r.Errors)
		for _, f := range r.Errors[0].Extensions["fields"].([]any) { //nolint:forcetypeassert // a list
			all = append(all, f.(map[string]any)["path"].(string)) //nolint:forcetypeassert // an object
		}
		return all
	}
	const threshold = "definition.steps.0.throttle.threshold"
	throttle := func(of string) string {
		return `{name: "n", definition: {steps: [{type: THROTTLE, name: "t", throttle: {threshold: ` + of + `, amount: 1, unit: HOURS}}]}}`
	}
	for _, of := range []string{`1.5`, `"3"`, `true`} {
		require.Equal(t, []string{threshold}, paths(b.ask(t, b.key, `mutation { createWorkflow(input: `+throttle(of)+`) { workflow { id } } }`, nil)), of)
		require.Equal(t, []string{threshold}, paths(b.ask(t, b.key, `mutation($n: Int) { createWorkflow(input: `+throttle("$n")+`) { workflow { id } } }`,
			map[string]any{"n": json.RawMessage(of)})), of)
	}
	require.Equal(t, []string{threshold}, paths(b.ask(t, b.key, `mutation { createWorkflow(input: `+throttle("0")+`) { workflow { id } } }`, nil)))
	r := b.ask(t, b.key, `query($first: Int, $filter: TopicFilter) { topics(first: $first, filter: $filter) { totalCount } }`,
		map[string]any{"first": "x", "filter": map[string]any{"createdAfter": "soon", "key": 5}})
	require.Subset(t, paths(r), []string{"first", "filter.createdAfter"})
	require.Equal(t, []string{"a"}, paths(b.ask(t, b.key, `query($a: Int) { ...f } fragment f on Query { topics(first: $a) { totalCount } }`, map[string]any{"a": "x"})))
}

// TestNULInTextsIsNamed stores texts with U+0000 by operations whose use cases do not look for it: the refusal of the database
// comes with the path of the text.
func TestNULInTextsIsNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const step = `mutation($b: String!) { createWorkflow(input: {name: "n", definition: {steps: [{type: IN_APP, name: "a", inApp: {body: "ok"}}, {type: IN_APP, name: "b", inApp: {body: $b}}]}}) { workflow { id } } }`
	for path, query := range map[string]string{
		"definition.steps.1.inApp.body": step,
		"name":                          `mutation($b: String!) { createTopic(input: {key: "k", name: $b}) { topic { id } } }`,
		"content":                       `mutation($b: String!) { createLayout(input: {identifier: "l", name: "l", content: $b}) { layout { id } } }`,
		"firstName":                     `mutation($b: String!) { createSubscriber(input: {subscriberId: "s", firstName: $b}) { subscriber { id } } }`,
		"definition.steps.0.name":       `mutation($b: String!) { createWorkflow(input: {name: "n", definition: {steps: [{type: IN_APP, name: $b, inApp: {body: "ok"}}]}}) { workflow { id } } }`,
	} {
		r := b.ask(t, b.key, query, map[string]any{"b": "a\x00b"})
		require.Equal(t, "VALIDATION", r.code(), "%s: %v", path, r.Errors)
		require.Contains(t, r.Errors[0].Message, path+": must be valid UTF-8 without the character U+0000", path)
	}
}

// TestWholeNumbersOfDoubles: programs that keep all numbers as doubles write 5.0 where an integer is wanted.
func TestWholeNumbersOfDoubles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const query = `query($first: Int, $filter: IdempotencyRecordFilter, $code: Int!) {
		topics(first: $first) { nodes { key } }
		all: idempotencyRecords(filter: $filter) { totalCount }
		one: idempotencyRecords(filter: {statusCodeIn: [$code]}) { totalCount }
	}`
	for _, number := range []string{`2.0`, `2`, `2e0`, `20e-1`} {
		for _, codes := range []string{number, `[` + number + `, 3]`} {
			r := b.ask(t, b.key, query, map[string]any{
				"first": json.RawMessage(number), "code": json.RawMessage(number), "filter": json.RawMessage(`{"statusCodeIn":` + codes + `}`),
			})
			require.Empty(t, r.Errors, number)
		}
	}
	for _, number := range []string{`2.5`, `1e300`, `2147483648.0`, `"2.0"`} {
		require.Equal(t, "VALIDATION", b.ask(t, b.key, query, map[string]any{"first": json.RawMessage(number), "code": 1}).code(), number)
	}
	made := b.must(t, `mutation($p: JSON) { createTenant(input: {identifier: "t", data: $p}) { tenant { data } } }`, map[string]any{"p": json.RawMessage(`{"first":2.0}`)})
	require.EqualValues(t, 2, at(t, made, "createTenant", "tenant", "data", "first"), "what callers store is theirs")
}
