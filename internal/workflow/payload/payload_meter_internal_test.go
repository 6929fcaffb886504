package payload

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// decoded is JSON with numbers as they were written.
func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&v))
	return v
}

// metered is a schema as the meter sees it.
func metered(t *testing.T, schema string) *PayloadSchema {
	t.Helper()
	object, ok := decoded(t, schema).(map[string]any)
	require.True(t, ok)
	s, err := CompileSchema(object)
	require.NoError(t, err)
	return s
}

// TestStepsFollowEveryKeyword: a keyword whose subschema the meter overlooked would cost without being counted.
func TestStepsFollowEveryKeyword(t *testing.T) {
	t.Parallel()
	const (
		dear    = `{"enum":[1,2,3,4,5,6,7,8,9,10]}`
		draft7  = `"$schema":"http://json-schema.org/draft-07/schema#",`
		member  = `{"a":"x"}`
		element = `["x","y"]`
	)
	for name, c := range map[string]struct {
		schema, payload string
		times           int // that the subschema is applied
	}{
		"properties":            {`{"properties":{"a":DEAR}}`, member, 1},
		"properties, absent":    {`{"properties":{"b":DEAR}}`, member, 0},
		"additionalProperties":  {`{"properties":{"b":{}},"additionalProperties":DEAR}`, member, 1},
		"patternProperties":     {`{"patternProperties":{"a":DEAR}}`, member, 1},
		"propertyNames":         {`{"propertyNames":DEAR}`, member, 1},
		"unevaluatedProperties": {`{"unevaluatedProperties":DEAR}`, member, 1},
		"dependentSchemas":      {`{"dependentSchemas":{"a":DEAR}}`, member, 1},
		"dependencies":          {`{` + draft7 + `"dependencies":{"a":DEAR}}`, member, 1},
		"dependencies, absent":  {`{` + draft7 + `"dependencies":{"b":DEAR}}`, member, 0},
		"items":                 {`{"items":DEAR}`, element, 2},
		"prefixItems":           {`{"prefixItems":[DEAR]}`, element, 1},
		"contains":              {`{"contains":DEAR}`, element, 2},
		"unevaluatedItems":      {`{"unevaluatedItems":DEAR}`, element, 2},
		"items of draft 7":      {`{` + draft7 + `"items":DEAR}`, element, 2},
		"tuple of draft 7":      {`{` + draft7 + `"items":[DEAR]}`, element, 1},
		"additionalItems":       {`{` + draft7 + `"items":[{}],"additionalItems":DEAR}`, element, 1},
		"not":                   {`{"not":DEAR}`, member, 1},
		"if, then and else":     {`{"if":DEAR,"then":DEAR,"else":DEAR}`, member, 3},
		"allOf":                 {`{"allOf":[DEAR,DEAR]}`, member, 2},
		"anyOf":                 {`{"anyOf":[DEAR,DEAR]}`, member, 2},
		"oneOf":                 {`{"oneOf":[DEAR,DEAR]}`, member, 2},
		"$ref":                  {`{"$ref":"#/$defs/d","$defs":{"d":DEAR}}`, member, 1},
		"$defs alone":           {`{"$defs":{"d":DEAR}}`, member, 0},
		"another type":          {`{"type":"string","anyOf":[DEAR,DEAR]}`, member, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := func(part string) int {
				return metered(t, strings.ReplaceAll(c.schema, "DEAR", part)).steps(decoded(t, c.payload))
			}
			require.Equal(t, 10*c.times, with(dear)-with(`{"title":"free"}`))
		})
	}
}

// TestStepsOfValues: what one value costs grows with what validation does with it.
func TestStepsOfValues(t *testing.T) {
	t.Parallel()
	long := `"` + strings.Repeat("x", 1280) + `"`
	for name, c := range map[string]struct {
		schema, payload string
		steps           int
	}{
		"any text":                  {`{"title":"t"}`, long, 1},
		"length":                    {`{"maxLength":5}`, long, 1 + 10},
		"format":                    {`{"format":"email"}`, long, 1 + 40},
		"a regular expression":      {`{"format":"regex"}`, long, 1 + 40 + maxPatternBytes},
		"a short one":               {`{"format":"regex"}`, `"abc"`, 1 + 3},
		"names that are required":   {`{"required":["a","b"]}`, `"x"`, 3},
		"names required with one":   {`{"dependentRequired":{"a":["b","c"]}}`, `"x"`, 4},
		"a constant":                {`{"const":{"a":[1,2]}}`, `"x"`, 1 + 4},
		"bounds of a number":        {`{"minimum":1,"maximum":2}`, `1`, 1 + 2},
		"bounds of no number":       {`{"minimum":1,"maximum":2}`, `"x"`, 1},
		"a whole number":            {`{"type":"integer"}`, `1`, 1 + 1},
		"a number of many digits":   {`{"minimum":1}`, strings.Repeat("1", 160), 1 + 1 + 10},
		"a number among others":     {`{"enum":[1,2]}`, `1`, 1 + 2 + 2},
		"few items that may differ": {`{"uniqueItems":true}`, `[1,2,3]`, 1 + 3*4},
		"true":                      {`{"not":{"not":true}}`, `{"a":1}`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.steps, metered(t, c.schema).steps(decoded(t, c.payload)))
		})
	}
}

// TestNumbersOfGo: a payload that was made here holds numbers of Go, which cost one step for each bound.
func TestNumbersOfGo(t *testing.T) {
	t.Parallel()
	s := metered(t, `{"minimum":1,"maximum":2,"multipleOf":1}`)
	require.Equal(t, 4, s.steps(1.5))
	require.Equal(t, 4, s.steps(int64(1)))
	require.Equal(t, 1, s.steps(true))
	require.Equal(t, 1, s.steps(nil))
}

// TestPatternBounds: the largest that is allowed is, and the next one is not.
func TestPatternBounds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		source string
		says   string
	}{
		"longest":         {`[` + strings.Repeat("a", maxPatternBytes-2) + `]`, ""},
		"longer":          {`[` + strings.Repeat("a", maxPatternBytes-1) + `]`, "1000 bytes"},
		"most repeated":   {`(a){500}`, ""},
		"more repeated":   {`(a){501}`, "2000 steps"},
		"nested":          {`((a{10}){10}){10}`, "2000 steps"},
		"repeated forms":  {`(?:a|b)*`, ""},
		"malformed":       {`(`, "missing closing )"},
		"look-ahead":      {`(?=a)`, "invalid or unsupported Perl syntax"},
		"back reference":  {`(a)\1`, "invalid escape sequence"},
		"repeat too much": {`a{1001}`, "invalid repeat count"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := compilePattern(c.source)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
		})
	}
}
