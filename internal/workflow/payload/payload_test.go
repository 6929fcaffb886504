package payload_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/payload"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func compiled(t *testing.T, schema string) *payload.PayloadSchema {
	t.Helper()
	s, err := payload.CompileSchema(workflowtest.Object(t, schema))
	require.NoError(t, err)
	return s
}

// violations are what a payload is told, as "field: message at place".
func violations(t *testing.T, err error) (list []string) {
	t.Helper()
	if err == nil {
		return nil
	}
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, fault.BadRequest, e.Kind)
	require.Equal(t, payload.CodePayload, e.Code)
	faults := e.Details["errors"].([]payload.PayloadFault)
	require.Len(t, e.Fields, len(faults))
	for i, f := range faults {
		require.Equal(t, fault.Field{Path: f.Field, Message: f.Message, Value: f.Value}, e.Fields[i])
		require.Contains(t, e.Message, f.Field+": "+f.Message)
		list = append(list, fmt.Sprintf("%s: %s at %s", f.Field, f.Message, f.SchemaPath))
	}
	return list
}

// TestViolations: each names the field, says what must hold, and where the schema asks for it.
func TestViolations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		schema, payload string
		want            []string
	}{
		"Valid":        {`{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":"x","more":1}`, nil},
		"Type":         {`{"properties":{"a":{"type":"string"}}}`, `{"a":5}`, []string{"a: must be string at #/properties/a/type"}},
		"Types":        {`{"properties":{"a":{"type":["string","null"]}}}`, `{"a":5}`, []string{"a: must be null or string at #/properties/a/type"}},
		"WholeNumber":  {`{"properties":{"a":{"type":"integer"}}}`, `{"a":5.0}`, nil},
		"Fraction":     {`{"properties":{"a":{"type":"integer"}}}`, `{"a":5.5}`, []string{"a: must be integer at #/properties/a/type"}},
		"Required":     {`{"required":["a","b"]}`, `{"b":1}`, []string{"root: must have required property 'a' at #/required"}},
		"NullIsThere":  {`{"required":["a"]}`, `{"a":null}`, nil},
		"Additional":   {`{"properties":{"a":true},"additionalProperties":false}`, `{"a":1,"b":2}`, []string{"root: must NOT have additional properties 'b' at #/additionalProperties"}},
		"Enum":         {`{"properties":{"a":{"enum":["x","y"]}}}`, `{"a":"z"}`, []string{"a: must be equal to one of the allowed values at #/properties/a/enum"}},
		"Const":        {`{"properties":{"a":{"const":1}}}`, `{"a":2}`, []string{"a: must be equal to constant at #/properties/a/const"}},
		"Email":        {`{"properties":{"a":{"format":"email"}}}`, `{"a":"x"}`, []string{`a: must match format "email" at #/properties/a/format`}},
		"Date":         {`{"properties":{"a":{"format":"date-time"}}}`, `{"a":"2025-02-30T10:00:00Z"}`, []string{`a: must match format "date-time" at #/properties/a/format`}},
		"Pattern":      {`{"properties":{"a":{"pattern":"^x+$"}}}`, `{"a":"y"}`, []string{`a: must match pattern "^x+$" at #/properties/a/pattern`}},
		"Lengths":      {`{"properties":{"a":{"minLength":2},"b":{"maxLength":2}}}`, `{"a":"ä","b":"äöü"}`, []string{"a: must NOT have fewer than 2 characters at #/properties/a/minLength", "b: must NOT have more than 2 characters at #/properties/b/maxLength"}},
		"Items":        {`{"properties":{"a":{"minItems":2},"b":{"maxItems":1}}}`, `{"a":[1],"b":[1,2]}`, []string{"a: must NOT have fewer than 2 items at #/properties/a/minItems", "b: must NOT have more than 1 items at #/properties/b/maxItems"}},
		"Bounds":       {`{"properties":{"a":{"minimum":1},"b":{"maximum":2.5}}}`, `{"a":0,"b":3}`, []string{"a: must be >= 1 at #/properties/a/minimum", "b: must be <= 2.5 at #/properties/b/maximum"}},
		"Ends":         {`{"properties":{"a":{"exclusiveMinimum":0.5},"b":{"exclusiveMaximum":1e3},"d":{"minimum":-0.125}}}`, `{"a":0.5,"b":1000,"d":-1}`, []string{"a: must be > 0.5 at #/properties/a/exclusiveMinimum", "b: must be < 1000 at #/properties/b/exclusiveMaximum", "d: must be >= -0.125 at #/properties/d/minimum"}},
		"OtherKeyword": {`{"properties":{"a":{"multipleOf":3}}}`, `{"a":4}`, []string{"a: multipleOf: got 4, want 3 at #/properties/a/multipleOf"}},
		"Nested":       {`{"properties":{"a":{"items":{"properties":{"id":{"type":"string"}}}}}}`, `{"a":[{"id":"x"},{"id":1}]}`, []string{"a.1.id: must be string at #/properties/a/items/properties/id/type"}},
		"Reference":    {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`, `{"a":1}`, []string{"a: must be string at #/$defs/x/type"}},
		"EscapedNames": {`{"properties":{"a/b":{"type":"string"}}}`, `{"a/b":1}`, []string{"a/b: must be string at #/properties/a~1b/type"}},
		"Sorted":       {`{"properties":{"b":{"type":"string"},"a":{"type":"string"},"c":{"type":"string"}}}`, `{"c":1,"a":1,"b":1}`, []string{"a: must be string at #/properties/a/type", "b: must be string at #/properties/b/type", "c: must be string at #/properties/c/type"}},
		"Nothing":      {`{"required":["a"]}`, `{}`, []string{"root: must have required property 'a' at #/required"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := compiled(t, c.schema)
			for form, p := range map[string]map[string]any{"floats": workflowtest.Object(t, c.payload), "numbers as written": numbered(t, c.payload)} {
				_, err := s.Apply(p, true)
				require.Equal(t, c.want, violations(t, err), form)
				_, err = s.Apply(p, false)
				require.NoError(t, err, "not validated: %s", form)
			}
		})
	}
}

// The reply quotes the value and the schema, so that the caller need not look it up; a large value is left out.
func TestViolationsQuoteTheValue(t *testing.T) {
	t.Parallel()
	s := compiled(t, `{"properties":{"small":{"maxLength":1},"large":{"maxLength":1},"list":{"maxItems":1},"object":{"maxProperties":1}}}`)
	_, err := s.Apply(map[string]any{
		"small": "abc", "large": strings.Repeat("x", 2_000), "list": []any{strings.Repeat("x", 800), strings.Repeat("y", 800)},
		"object": map[string]any{"a": json.Number("1"), "b": strings.Repeat("\x01", 400)}, // short in memory, long as JSON
	}, true)
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	values := map[string]any{}
	for _, f := range e.Fields {
		values[f.Path] = f.Value
	}
	require.Equal(t, map[string]any{"large": nil, "list": nil, "object": nil, "small": "abc"}, values)
	require.Equal(t, s.Raw(), e.Details["schema"])
}

// The message of one violation is cut between characters, and so is the number of violations.
func TestViolationsAreBounded(t *testing.T) {
	t.Parallel()
	names := make([]string, 400)
	for i := range names {
		names[i] = fmt.Sprintf(`"größe%d"`, i)
	}
	_, err := compiled(t, `{"required":[`+strings.Join(names, ",")+`]}`).Apply(nil, true)
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Len(t, e.Fields, 1)
	require.LessOrEqual(t, len(e.Fields[0].Message), 1<<10+len("…"))
	require.True(t, strings.HasSuffix(e.Fields[0].Message, "…"))
	require.Equal(t, e.Fields[0].Message, strings.ToValidUTF8(e.Fields[0].Message, "?"))

	list := make([]any, 500)
	_, err = compiled(t, `{"properties":{"a":{"items":{"type":"string"}}}}`).Apply(map[string]any{"a": list}, true)
	require.ErrorAs(t, err, &e)
	require.Len(t, e.Fields, 100)
}

// TestDefaults: the properties that every valid payload has are filled in, those of alternatives are not.
func TestDefaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, payload, want string }{
		"Missing":         {`{"properties":{"a":{"default":5}}}`, `{}`, `{"a":5}`},
		"Given":           {`{"properties":{"a":{"default":5}}}`, `{"a":1}`, `{"a":1}`},
		"NullIsGiven":     {`{"properties":{"a":{"default":5}}}`, `{"a":null}`, `{"a":null}`},
		"FalseAndEmpty":   {`{"properties":{"a":{"default":false},"b":{"default":""},"c":{"default":0}}}`, `{}`, `{"a":false,"b":"","c":0}`},
		"ObjectAndList":   {`{"properties":{"a":{"default":{"x":[1,{"y":2.5}]}}}}`, `{}`, `{"a":{"x":[1,{"y":2.5}]}}`},
		"Nested":          {`{"properties":{"a":{"properties":{"b":{"default":1}}}}}`, `{"a":{}}`, `{"a":{"b":1}}`},
		"NoParentNoChild": {`{"properties":{"a":{"properties":{"b":{"default":1}}}}}`, `{}`, `{}`},
		"InsideDefault":   {`{"properties":{"a":{"default":{},"properties":{"b":{"default":1}}}}}`, `{}`, `{"a":{"b":1}}`},
		"Items":           {`{"properties":{"a":{"items":{"properties":{"n":{"default":1}}}}}}`, `{"a":[{},{"n":2},"x"]}`, `{"a":[{"n":1},{"n":2},"x"]}`},
		"Draft7Items":     {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"items":{"properties":{"n":{"default":1}}}}}}`, `{"a":[{}]}`, `{"a":[{"n":1}]}`},
		"Reference":       {`{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{"default":1}}}}}`, `{}`, `{"a":1}`},
		"AllOf":           {`{"allOf":[{"properties":{"a":{"default":1}}},{"properties":{"a":{"default":2},"b":{"default":3}}}]}`, `{}`, `{"a":1,"b":3}`},
		"NotAnyOf":        {`{"anyOf":[{"properties":{"a":{"default":1}}}]}`, `{}`, `{}`},
		"NotIf":           {`{"if":{"properties":{"a":{"default":1}}},"then":{"properties":{"b":{"default":1}}}}`, `{}`, `{}`},
		"OtherType":       {`{"properties":{"a":{"properties":{"b":{"default":1}}}}}`, `{"a":"text"}`, `{"a":"text"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given := workflowtest.Object(t, c.payload)
			filled, err := compiled(t, c.schema).Apply(given, false)
			require.NoError(t, err)
			require.Equal(t, workflowtest.Object(t, c.want), filled)
			require.Equal(t, workflowtest.Object(t, c.payload), given, "the given payload does not change")
		})
	}
}

// A default may be what makes a payload valid, and is judged like a value that was given.
func TestDefaultsAreValidated(t *testing.T) {
	t.Parallel()
	filled, err := compiled(t, `{"properties":{"a":{"type":"string","default":"x"}},"required":["a"]}`).Apply(nil, true)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"a": "x"}, filled)
	_, err = compiled(t, `{"properties":{"a":{"type":"string","default":5}}}`).Apply(nil, true)
	require.Equal(t, []string{"a: must be string at #/properties/a/type"}, violations(t, err))
}

// One payload's defaults are its own: changing them must not change those of the next.
func TestDefaultsAreCopied(t *testing.T) {
	t.Parallel()
	s := compiled(t, `{"properties":{"a":{"default":{"list":[{"n":1}]}}}}`)
	first, err := s.Apply(nil, true)
	require.NoError(t, err)
	first["a"].(map[string]any)["list"].([]any)[0].(map[string]any)["n"] = "changed"
	second, err := s.Apply(nil, true)
	require.NoError(t, err)
	require.Equal(t, workflowtest.Object(t, `{"a":{"list":[{"n":1}]}}`), second)
}

// A schema that refers to itself could fill in without end.
func TestRecursiveDefaultsEnd(t *testing.T) {
	t.Parallel()
	wide, err := compiled(t, `{"properties":{"a":{"$ref":"#","default":{}},"b":{"$ref":"#","default":{}}}}`).Apply(nil, true)
	require.NoError(t, err)
	raw, err := json.Marshal(wide)
	require.NoError(t, err)
	require.Less(t, len(raw), 20_000)

	filled, err := compiled(t, `{"properties":{"next":{"$ref":"#","default":{}}}}`).Apply(map[string]any{}, false)
	require.NoError(t, err)
	depth := 0
	for next, ok := filled["next"].(map[string]any); ok; next, ok = next["next"].(map[string]any) {
		depth++
	}
	require.Positive(t, depth)
	require.LessOrEqual(t, depth, 64)
}

func TestNoSchemaAcceptsEverything(t *testing.T) {
	t.Parallel()
	s, err := payload.CompileSchema(map[string]any{})
	require.NoError(t, err)
	require.Nil(t, s)
	require.Nil(t, s.Raw())
	given := map[string]any{"a": 1.0}
	filled, err := s.Apply(given, true)
	require.NoError(t, err)
	require.Equal(t, given, filled)
	filled, steps, err := s.Fill(nil, true)
	require.NoError(t, err)
	require.Nil(t, filled)
	require.Zero(t, steps)
}

// TestBadSchemas: the author is told where in the schema, and what must be there.
func TestBadSchemas(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, says string }{
		"Type":          {`{"properties":{"a":{"type":"text"}}}`, "payload schema: properties.a.type must be array, boolean, integer, null, number, object, string or a list of these"},
		"Properties":    {`{"properties":[]}`, "payload schema: properties must be object"},
		"Required":      {`{"required":"a"}`, "payload schema: required must be array"},
		"Minimum":       {`{"properties":{"a":{"minimum":"1"}}}`, "payload schema: properties.a.minimum must be number"},
		"NegativeSize":  {`{"minLength":-1}`, "payload schema: minLength must be >= 0"},
		"Pattern":       {`{"properties":{"a":{"pattern":"("}}}`, "payload schema: properties.a.pattern must match format \"regex\""},
		"NoSuchPart":    {`{"$ref":"#/$defs/x"}`, "payload schema: #/$defs/x names no part of the schema"},
		"File":          {`{"$ref":"file:///etc/passwd"}`, "references outside the schema are not allowed"},
		"Web":           {`{"$ref":"https://example.com/a.json"}`, "references outside the schema are not allowed"},
		"UnknownDraft":  {`{"$schema":"https://example.com/mine"}`, "references outside the schema are not allowed"},
		"TooDeep":       {strings.Repeat(`{"not":`, 65) + `{}` + strings.Repeat(`}`, 65), "must not be nested deeper than 64 levels"},
		"TooLarge":      {`{"description":"` + strings.Repeat("x", payload.MaxSchemaBytes) + `"}`, "must not exceed 262144 bytes"},
		"RootType":      {`{"type":"nope"}`, "payload schema: type must be array, boolean, integer, null, number, object, string or a list of these"},
		"NoSuchAnchor":  {`{"properties":{"a":{"$ref":"#nowhere"}}}`, "payload schema: "},
		"RelativeOther": {`{"$ref":"other.json"}`, "payload schema: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := payload.CompileSchema(workflowtest.Object(t, c.schema))
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, strings.ReplaceAll(err.Error(), "file:///etc/passwd", ""), "file:", "nothing of the server's own paths")
			require.NotRegexp(t, `urn:|metaschema|regexp:|\n|got `, err.Error(), "what the compiler calls things is no help")
		})
	}
	_, err := payload.CompileSchema(map[string]any{"default": func() {}})
	require.ErrorContains(t, err, "payload schema")
}
