package payload_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow/payload"
)

func TestExample(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, want string }{
		"Given":      {`{"properties":{"a":{"examples":["x","y"],"default":"z"},"b":{"default":0},"c":{"const":null},"d":{"enum":["p","q"]},"e":{"examples":[],"type":"boolean"}}}`, `{"a":"x","b":0,"c":null,"d":"p","e":true}`},
		"Types":      {`{"type":"object","properties":{"name":{"type":["null","string"]},"n":{"type":"integer","minimum":5},"mail":{"type":"string","format":"email"},"any":{}}}`, `{"name":"name","n":5,"mail":"jane@example.com","any":null}`},
		"Whole":      {`{"examples":[{"order":{"id":7}}],"properties":{"x":{"type":"string"}}}`, `{"order":{"id":7}}`},
		"List":       {`{"properties":{"items":{"type":"array","items":{"$ref":"#/$defs/item"}}},"$defs":{"item":{"properties":{"price":{"type":"number"}}}}}`, `{"items":[{"price":1}]}`},
		"UnknownRef": {`{"properties":{"a":{"$ref":"https://example.com/x"}}}`, `{"a":null}`},
		"NoObject":   {`{"type":"string"}`, `null`},
	} {
		var schema map[string]any
		require.NoError(t, json.Unmarshal([]byte(c.schema), &schema), name)
		got, err := json.Marshal(payload.Example(schema))
		require.NoError(t, err)
		require.JSONEq(t, c.want, string(got), name)
	}
}

// TestExampleIsBounded: a schema that refers to itself many times ends.
func TestExampleIsBounded(t *testing.T) {
	t.Parallel()
	var schema map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"$ref":"#/$defs/n","$defs":{"n":{"properties":{
		"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n"},"c":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`), &schema))
	raw, err := json.Marshal(payload.Example(schema))
	require.NoError(t, err)
	require.Less(t, len(raw), 20_000)
}
