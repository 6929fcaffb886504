package rest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// Words of 3.1 and what 3.0 says instead, whether the document uses them today or not.
func TestDowngrade(t *testing.T) {
	t.Parallel()
	for newer, older := range map[string]string{
		`{"type":["string","null"]}`: `{"type":"string","nullable":true}`,
		`{"anyOf":[{"$ref":"#/components/schemas/Colour"},{"type":"null"}],"description":"own"}`: `{"type":"string","nullable":true,"description":"own One of red, or null."}`,
		`{"anyOf":[{"type":"string"},{"type":"integer"}]}`:                                       `{"anyOf":[{"type":"string"},{"type":"integer"}]}`,
		`{"$ref":"#/components/schemas/Colour","description":"own"}`:                             `{"allOf":[{"$ref":"#/components/schemas/Colour"}],"description":"own"}`,
		`{"$ref":"#/components/schemas/Colour"}`:                                                 `{"$ref":"#/components/schemas/Colour"}`,
		`{"const":"a"}`:                                                                          `{"enum":["a"]}`,
		`{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":9}`:                           `{"type":"integer","minimum":1,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":true}`,
		`{"examples":["a","b"]}`:                                                                 `{"example":"a"}`,
		`{"type":"object","propertyNames":{"pattern":"a"}}`:                                      `{"type":"object"}`,
		`{"properties":{"const":{"type":["string","null"]}}}`:                                    `{"properties":{"const":{"type":"string","nullable":true}}}`,
		`{"example":{"type":["string","null"]},"items":{"const":false}}`:                         `{"example":{"type":["string","null"]},"items":{"enum":[false]}}`,
	} {
		var document map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","info":{"summary":"s"},"components":{"schemas":{"Colour":{"type":"string","enum":["red"]}}},
			"paths":{"schema":`+newer+`,"colour":{"$ref":"#/components/schemas/Colour"}}}`), &document))
		got, err := json.Marshal(downgrade(document))
		require.NoError(t, err)
		require.JSONEq(t, `{"openapi":"3.0.3","info":{},"components":{"schemas":{"Colour":{"type":"string","enum":["red"]}}},
			"paths":{"schema":`+older+`,"colour":{"$ref":"#/components/schemas/Colour"}}}`, string(got), newer)
	}
}
