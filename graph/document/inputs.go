package document

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// inputs holds the values of an operation's arguments against their types, and reports every one that does not fit under
// its path, as the use cases do. gqlparser would report the first only, by the name of a variable, in Go's words.
type inputs struct {
	schema    *ast.Schema
	secretive bool // keeps the names of the schema out of messages
	literal   bool // the values are part of the text, where enumerations are no strings
	problems  fault.Problems
}

// refuseVariables refuses the variables of an operation that do not fit.
func (d *reader) refuseVariables(op *ast.OperationDefinition, given map[string]any) *gqlerror.Error {
	in := inputs{schema: d.schema, secretive: d.secretive}
	for _, v := range op.VariableDefinitions {
		value, there := given[v.Variable]
		switch {
		case there:
			given[v.Variable] = in.withIntegers(v.Type, value)
			in.check(v.Variable, v.Type, given[v.Variable])
		case v.Type.NonNull && v.DefaultValue == nil:
			in.problems.Add(v.Variable, nil, messageRequired)
		}
	}
	return in.refusal(func(path string) string {
		name, rest, _ := strings.Cut(path, ".")
		return JoinPath(placeOf(op.SelectionSet, name), rest)
	})
}

// refuseLiterals refuses the values in the text of an operation that do not fit; problems are those of validation, which
// has found the types of the values. nil when something else is wrong besides.
func (d *reader) refuseLiterals(doc *ast.QueryDocument, problems gqlerror.List) *gqlerror.Error {
	if slices.ContainsFunc(problems, func(p *gqlerror.Error) bool { return p.Rule != rules.ValuesOfCorrectTypeRule.Name }) {
		return nil
	}
	in := inputs{schema: d.schema, secretive: d.secretive, literal: true}
	visit := func(field *ast.Field) {
		for _, argument := range field.Arguments {
			if defined := field.Definition.Arguments.ForName(argument.Name); defined != nil {
				in.check(argument.Name, defined.Type, literalOf(argument.Value))
			}
		}
	}
	for _, op := range doc.Operations {
		eachField(op.SelectionSet, visit)
	}
	for _, fragment := range doc.Fragments {
		eachField(fragment.SelectionSet, visit)
	}
	return in.refusal(func(path string) string { return path })
}

const (
	messageRequired = "is required"
	messageNull     = "must not be null"
)

// refusal is the error of all problems, whose paths begin with an argument once place has changed them; nil without problems.
func (in *inputs) refusal(place func(path string) string) *gqlerror.Error {
	err := in.problems.Err()
	known, ok := err.(*fault.Error) //nolint:errorlint // as Err makes it
	if !ok {
		return nil
	}
	for i := range known.Fields {
		known.Fields[i].Path = WithoutInput(place(known.Fields[i].Path))
	}
	return &gqlerror.Error{Message: transport.MessageOf(known), Extensions: transport.ExtensionsOf(known)}
}

// WithoutInput is the path of a value among the arguments as the use cases report it: the argument input, which holds all
// that an operation takes, is not part of it.
func WithoutInput(path string) string { return strings.TrimPrefix(path, "input.") }

// check reports whether a decoded value fits a type, under its path.
func (in *inputs) check(path string, t *ast.Type, value any) {
	switch {
	case value == variable{}: // held against its own type
		return
	case value == nil:
		if t.NonNull {
			in.problems.Add(path, nil, messageNull)
		}
		return
	case t.Elem != nil:
		list, ok := value.([]any)
		if !ok {
			in.check(path, t.Elem, value) // one value is a list of one
			return
		}
		for i, item := range list {
			in.check(JoinPath(path, strconv.Itoa(i)), t.Elem, item)
		}
		return
	}
	switch definition := in.schema.Types[t.NamedType]; definition.Kind { //nolint:exhaustive // these are all that go in
	case ast.Scalar:
		want := scalars[t.NamedType]
		switch {
		case want.fits != nil && !want.fits(value):
			in.wrong(path, value, want.message)
		case t.NamedType == "JSON" && !numbersFit(value):
			in.wrong(path, value, "must not hold a number out of the range of a double")
		case t.NamedType == "JSON" && in.literal:
			in.integers(path, value)
		}
	case ast.Enum:
		in.enum(path, definition, value)
	case ast.InputObject:
		in.object(path, definition, value)
	}
}

// withIntegers spells the numbers for which a type wants integers without a fraction: programs that keep all numbers as doubles write
// 5.0. Lists and objects are changed in place.
func (in *inputs) withIntegers(t *ast.Type, value any) any {
	switch v := value.(type) {
	case json.Number:
		f, err := v.Float64()
		if t.Name() == "Int" && !isInteger(v) && err == nil && f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32 {
			return json.Number(strconv.Itoa(int(f)))
		}
	case []any:
		for i := range v {
			if t.Elem != nil {
				v[i] = in.withIntegers(t.Elem, v[i])
			}
		}
	case map[string]any:
		if definition := in.schema.Types[t.Name()]; definition.Kind == ast.InputObject {
			for _, field := range definition.Fields {
				if member, there := v[field.Name]; there {
					v[field.Name] = in.withIntegers(field.Type, member)
				}
			}
		}
	}
	return value
}

// integers reports the whole numbers within a literal that validation cannot read.
func (in *inputs) integers(path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range jsonvalue.SortedKeys(v) {
			in.integers(JoinPath(path, name), v[name])
		}
	case []any:
		for i, item := range v {
			in.integers(JoinPath(path, strconv.Itoa(i)), item)
		}
	case json.Number:
		if _, err := strconv.ParseInt(v.String(), 10, 64); errors.Is(err, strconv.ErrRange) {
			in.wrong(path, value, "is a whole number of more than 64 bits, which the text of an operation cannot hold: give it in a variable")
		}
	}
}

func (in *inputs) enum(path string, definition *ast.Definition, value any) {
	name, ok := value.(enumName)
	if text, isText := value.(string); isText && !in.literal {
		name, ok = enumName(text), true
	}
	if ok && definition.EnumValues.ForName(string(name)) != nil {
		return
	}
	if in.secretive {
		in.wrong(path, value, "must be a value of the enumeration")
		return
	}
	names := make([]string, len(definition.EnumValues))
	for i, v := range definition.EnumValues {
		names[i] = v.Name
	}
	in.wrong(path, value, "must be one of "+strings.Join(names, ", "))
}

func (in *inputs) object(path string, definition *ast.Definition, value any) {
	members, ok := value.(map[string]any)
	if !ok {
		in.wrong(path, value, messageObject)
		return
	}
	for _, field := range definition.Fields {
		member, there := members[field.Name]
		switch {
		case there:
			in.check(JoinPath(path, field.Name), field.Type, member)
		case field.Type.NonNull && field.DefaultValue == nil && in.secretive:
			in.problems.Add(path, nil, "lacks a required field")
		case field.Type.NonNull && field.DefaultValue == nil:
			in.problems.Add(JoinPath(path, field.Name), nil, messageRequired)
		}
	}
	for name := range members {
		if definition.Fields.ForName(name) == nil && name != "__typename" {
			in.problems.Add(JoinPath(path, name), nil, "is not a field of this input")
		}
	}
}

// wrong reports a value, and shows it when it is short by its nature.
func (in *inputs) wrong(path string, value any, message string) {
	switch value.(type) {
	case map[string]any, []any:
		value = nil
	}
	in.problems.Add(path, value, "%s", message)
}

const messageObject = "must be an object"

// scalars are what values of the schema's scalars must be.
var scalars = map[string]struct {
	fits    func(any) bool
	message string
}{
	"String":    {func(v any) bool { return isText(v) || isWritten(v) }, "must be a string"},
	"ID":        {func(v any) bool { return isText(v) || isInteger(v) }, "must be a string"},
	"Int":       {isInteger, "must be an integer"},
	"Float":     {isNumber, "must be a number"},
	"Boolean":   {func(v any) bool { _, ok := v.(bool); return ok }, "must be a boolean"},
	"Time":      {isTime, "must be a time such as 2026-01-31T12:00:00Z"},
	"JSON":      {func(v any) bool { _, ok := v.(map[string]any); return ok }, messageObject},
	"StringMap": {isTextMap, "must be an object whose values are strings"},
}

func isText(v any) bool { _, ok := v.(string); return ok }

// isWritten reports whether a value is a number of the variables: clients have always been able to write a port or a phone
// number so where a string is wanted. In the text of an operation validation refuses it.
func isWritten(v any) bool { _, ok := v.(json.Number); return ok }

func isInteger(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	_, err := strconv.Atoi(n.String())
	return err == nil
}

func isNumber(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	f, err := n.Float64()
	return err == nil && !math.IsInf(f, 0)
}

// numbersFit reports whether each number inside a value can be stored, and read again.
func numbersFit(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			if !numbersFit(member) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !numbersFit(item) })
	case json.Number:
		return shape.StorableNumber(v.String())
	}
	return true
}

func isTime(v any) bool {
	_, err := graphql.UnmarshalTime(v)
	return err == nil && v != "" && isText(v)
}

func isTextMap(v any) bool {
	members, ok := v.(map[string]any)
	for _, member := range members {
		_, later := member.(variable)
		ok = ok && (later || isText(member))
	}
	return ok
}

// A value in the text of a document is decoded like JSON, and two kinds more.
type (
	enumName string
	variable struct{}
)

func literalOf(value *ast.Value) any {
	switch value.Kind {
	case ast.Variable:
		return variable{}
	case ast.IntValue, ast.FloatValue:
		return json.Number(value.Raw)
	case ast.StringValue, ast.BlockValue:
		return value.Raw
	case ast.BooleanValue:
		return value.Raw == "true"
	case ast.EnumValue:
		return enumName(value.Raw)
	case ast.ListValue:
		list := make([]any, len(value.Children))
		for i, child := range value.Children {
			list[i] = literalOf(child.Value)
		}
		return list
	case ast.ObjectValue:
		members := make(map[string]any, len(value.Children))
		for _, child := range value.Children {
			members[child.Name] = literalOf(child.Value)
		}
		return members
	case ast.NullValue:
	}
	return nil
}

// eachField visits the fields of a selection and those below them, but not those of fragments that it names.
func eachField(set ast.SelectionSet, visit func(*ast.Field)) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Definition != nil {
				visit(s)
			}
			eachField(s.SelectionSet, visit)
		case *ast.InlineFragment:
			eachField(s.SelectionSet, visit)
		}
	}
}

// placeOf is the path of the argument, or of the part of one, that a variable gives first; the variable's own name
// when it is used within a fragment or a directive.
func placeOf(set ast.SelectionSet, name string) string {
	place := ""
	eachField(set, func(field *ast.Field) {
		for _, argument := range field.Arguments {
			if place == "" {
				place = placeIn(argument.Value, argument.Name, name)
			}
		}
	})
	if place == "" {
		return name
	}
	return place
}

// placeIn is the path of a variable within a value at some path; "" when it is not part of it.
func placeIn(value *ast.Value, path, name string) string {
	if value.Kind == ast.Variable && value.Raw == name {
		return path
	}
	for i, child := range value.Children {
		member := child.Name
		if value.Kind == ast.ListValue {
			member = strconv.Itoa(i)
		}
		if place := placeIn(child.Value, JoinPath(path, member), name); place != "" {
			return place
		}
	}
	return ""
}

// JoinPath is the path of what lies at rest within path; path itself when rest is empty.
func JoinPath(path, rest string) string {
	if rest == "" {
		return path
	}
	return path + "." + rest
}
