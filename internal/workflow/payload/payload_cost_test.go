package payload_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/payload"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// doubled is a schema whose cost doubles with each of so many levels, each made of the one below by a template.
func doubled(levels int, template string) string {
	defs := []string{`"d0":{"type":"object"}`}
	for i := range levels {
		defs = append(defs, fmt.Sprintf(`"d%d":%s`, i+1, strings.ReplaceAll(template, "BELOW", fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i))))
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d%d","$defs":{%s}}`, levels, strings.Join(defs, ","))
}

// chain is a schema that refers to the next one so many times.
func chain(length int) string {
	defs := []string{`"d0":{}`}
	for i := range length {
		defs = append(defs, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i+1, i))
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d%d","$defs":{%s}}`, length, strings.Join(defs, ","))
}

func TestExpensiveSchemasAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, says string }{
		"allOf":        {doubled(40, `{"allOf":[BELOW,BELOW]}`), "remove combinations"},
		"anyOf":        {doubled(40, `{"anyOf":[BELOW,BELOW]}`), "remove combinations"},
		"oneOf":        {doubled(40, `{"oneOf":[BELOW,BELOW]}`), "remove combinations"},
		"if":           {doubled(40, `{"if":BELOW,"then":BELOW,"else":BELOW}`), "remove combinations"},
		"not":          {doubled(40, `{"not":{"not":BELOW},"anyOf":[BELOW]}`), "must not follow"},
		"dependent":    {doubled(40, `{"dependentSchemas":{"a":BELOW,"b":BELOW}}`), "remove combinations"},
		"dependencies": {doubled(40, `{"dependencies":{"a":BELOW,"b":BELOW}}`), "remove combinations"},
		"properties":   {doubled(40, `{"allOf":[{"properties":{"a":BELOW}},{"properties":{"a":BELOW}}]}`), "remove combinations"},
		"items":        {doubled(40, `{"items":BELOW,"contains":BELOW}`), "remove combinations"},
		"draft 7": {strings.Replace(strings.ReplaceAll(doubled(40, `{"allOf":[BELOW,BELOW]}`), "$defs", "definitions"), "{",
			`{"$schema":"http://json-schema.org/draft-07/schema#",`, 1), "remove combinations"},
		"circle":           {`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`, "back to itself"},
		"itself":           {`{"$ref":"#"}`, "back to itself"},
		"long chain":       {chain(150), "must not follow more than"},
		"dynamic":          {`{"$dynamicAnchor":"n","properties":{"a":{"$dynamicRef":"#n"}}}`, "use $ref"},
		"meta-schema":      {`{"properties":{"a":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}}`, "outside the schema"},
		"long pattern":     {`{"pattern":"` + strings.Repeat("a", 1500) + `"}`, "1000 bytes"},
		"nested pattern":   {`{"pattern":"(` + strings.Repeat("a", 50) + `){100}"}`, "repetitions"},
		"pattern of names": {`{"patternProperties":{"(` + strings.Repeat("a", 50) + `){100}":{}}}`, "repetitions"},
		"many values":      {`{"enum":[` + strings.Repeat("1,", 25_000) + `2]}`, "JSON values"},
		"many subschemas":  {`{"allOf":[` + strings.Repeat("{},", 2_500) + `{}]}`, "subschemas"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := payload.CompileSchema(workflowtest.Object(t, c.schema))
			require.ErrorContains(t, err, c.says)
			var e *fault.Error
			err = (&workflow.Definition{PayloadSchema: workflowtest.Object(t, c.schema)}).Check(workflow.CheckOptions{})
			require.ErrorAs(t, err, &e)
			require.Equal(t, "payloadSchema", e.Fields[0].Path)
		})
	}
}

// richText is the schema of a document of n kinds of parts, each of which may hold all of them.
func richText(n int) string {
	refs, defs := make([]string, n), make([]string, n)
	for i := range n {
		refs[i] = fmt.Sprintf(`{"$ref":"#/$defs/k%d"}`, i)
		defs[i] = fmt.Sprintf(`"k%d":{"type":"object","required":["kind"],"properties":{"kind":{"const":"k%d"},"parts":{"$ref":"#/$defs/parts"}}}`, i, i)
	}
	return `{"properties":{"body":{"$ref":"#/$defs/parts"}},"$defs":{"parts":{"type":"array","items":{"anyOf":[` + strings.Join(refs, ",") + `]}},` +
		strings.Join(defs, ",") + `}}`
}

// parts is a document of nested parts.
func parts(depth int) string {
	text := `[]`
	for range depth {
		text = `[{"kind":"k0","parts":` + text + `}]`
	}
	return `{"body":` + text + `}`
}

func TestSchemasOfUseAreAllowed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, payload string }{
		"combinations":   {doubled(6, `{"allOf":[BELOW,BELOW]}`), `{}`},
		"tree":           {`{"properties":{"left":{"$ref":"#"},"right":{"$ref":"#"},"n":{"type":"integer"}}}`, `{"left":{"left":{"n":1}},"right":{"n":2}}`},
		"rich text":      {richText(20), parts(3)},
		"named document": {`{"$id":"https://example.com/order.json","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`, `{"a":"x"}`},
		"draft 7":        {`{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"x":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/x"}}}`, `{"a":"x"}`},
		"large list":     {`{"properties":{"a":{"items":{"type":"number"}}}}`, `{"a":[` + strings.Repeat("1,", 250_000) + `1]}`},
		"large objects":  {`{"properties":{"a":{"items":{"required":["id"],"properties":{"id":{"type":"string","minLength":1},"n":{"type":"number"}}}}}}`, `{"a":[` + strings.Repeat(`{"id":"x","n":1.5},`, 20_000) + `{"id":"y"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := payload.CompileSchema(workflowtest.Object(t, c.schema))
			require.NoError(t, err)
			_, err = s.Apply(numbered(t, c.payload), true)
			require.NoError(t, err)
		})
	}
}

// numbered is a payload as accepting reads it, with numbers as they were written.
func numbered(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&out))
	return out
}

// TestExpensivePayloadsAreRefused: what a schema costs may rest on the payload, whose sender cannot mend the schema.
func TestExpensivePayloadsAreRefused(t *testing.T) {
	t.Parallel()
	nested := func(name string, depth int) string {
		return strings.Repeat(`{"`+name+`":`, depth) + `{}` + strings.Repeat(`}`, depth)
	}
	alternatives := make([]string, 900)
	for i := range alternatives {
		alternatives[i] = fmt.Sprintf(`{"const":%d}`, i)
	}
	for name, c := range map[string]struct{ schema, dear, fair string }{
		"recursion":    {`{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}`, nested("a", 40), nested("a", 8)},
		"rich text":    {richText(20), parts(12), parts(3)},
		"items":        {`{"properties":{"a":{"items":{"anyOf":[` + strings.Join(alternatives, ",") + `]}}}}`, `{"a":[` + strings.Repeat("1,", 5_000) + `1]}`, `{"a":[1,2]}`},
		"pattern":      {`{"properties":{"a":{"pattern":"(x+x+)+y{1,500}$"}}}`, `{"a":"` + strings.Repeat("x", 400_000) + `"}`, `{"a":"xxy"}`},
		"names":        {`{"patternProperties":{"(x+x+)+y{1,500}$":{}}}`, `{"` + strings.Repeat("x", 400_000) + `":1}`, `{"x":1}`},
		"digits":       {`{"properties":{"a":{"minimum":0}}}`, `{"a":0.` + strings.Repeat("1", 500_000) + `5}`, `{"a":0.15}`},
		"equal items":  {`{"properties":{"a":{"uniqueItems":true}}}`, `{"a":[` + strings.Repeat(`{"x":[[[[[[[[1]]]]]]]]},`, 40_000) + `1]}`, `{"a":[1,2]}`},
		"unevaluated":  {`{"allOf":[` + strings.Repeat(`{"properties":{"b":{}}},`, 30) + `{}],"unevaluatedProperties":true}`, `{` + many(20_000) + `}`, `{"b":1}`},
		"deep default": {`{"properties":{"a":{"default":"` + strings.Repeat("x", 100_000) + `"},"b":{"$ref":"#","default":{}}}}`, `{}`, `{"a":1,"b":{"a":1,"b":{"a":1,"b":1}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := payload.CompileSchema(workflowtest.Object(t, c.schema))
			require.NoError(t, err)
			_, err = s.Apply(numbered(t, c.dear), true)
			var e *fault.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, fault.Invalid, e.Kind)
			require.Equal(t, payload.CodeSchemaCost, e.Code)
			require.Equal(t, "payload", e.Fields[0].Path)
			_, err = s.Apply(numbered(t, c.fair), true)
			if err != nil {
				require.ErrorAs(t, err, &e)
				require.Equal(t, payload.CodePayload, e.Code, "judged, not refused")
			}
		})
	}
}

// many is the inside of an object with n members.
func many(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(`"m%d":1`, i)
	}
	return strings.Join(names, ",")
}

// TestViolationsStaySmall: what is said of a payload is bounded, however large the payload.
func TestViolationsStaySmall(t *testing.T) {
	t.Parallel()
	s, err := payload.CompileSchema(workflowtest.Object(t, `{"allOf":[`+strings.Repeat(`{"additionalProperties":false},`, 50)+`{}]}`))
	require.NoError(t, err)
	_, err = s.Apply(numbered(t, `{`+many(20_000)+`}`), true)
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, payload.CodePayload, e.Code)
	raw, err := json.Marshal(e.Details["errors"])
	require.NoError(t, err)
	require.Less(t, len(raw), 200_000)
}
