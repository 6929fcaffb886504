package payload

import (
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// Bounds of an example: levels of a schema that are followed, and values that are made.
const (
	exampleDepth  = 8
	exampleValues = 500
)

// Example is a payload as a schema describes it: of each value the first that the schema gives as example, default, const
// or enum, else one made up after its type. It need not be valid: patterns, lengths and combined schemas are not read.
func Example(schema map[string]any) map[string]any {
	e := exampler{root: schema, left: exampleValues}
	out, _ := e.value("", schema, exampleDepth).(map[string]any)
	return out
}

type exampler struct {
	root map[string]any
	left int // values
}

func (e *exampler) value(name string, schema map[string]any, depth int) any {
	if e.left--; depth < 0 || e.left < 0 {
		return nil
	}
	if given, ok := givenExample(schema); ok {
		return given
	}
	if ref, ok := schema["$ref"].(string); ok {
		return e.value(name, e.referred(ref), depth-1)
	}
	if _, is := schema["properties"].(map[string]any); is || hasType(schema, "object") {
		return e.object(schema, depth)
	}
	switch {
	case hasType(schema, "array"):
		items, _ := schema["items"].(map[string]any)
		return []any{e.value(name, items, depth-1)}
	case hasType(schema, "string"):
		format, _ := schema["format"].(string)
		if text, known := formatExamples[format]; known {
			return text
		}
		return name
	case hasType(schema, "integer"), hasType(schema, "number"):
		if least, ok := schema["minimum"].(float64); ok {
			return least
		}
		return 1.0
	case hasType(schema, "boolean"):
		return true
	}
	return nil
}

func (e *exampler) object(schema map[string]any, depth int) map[string]any {
	out := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range jsonvalue.SortedKeys(properties) { // what the bound leaves out is the same every time
		if below, ok := properties[name].(map[string]any); ok && e.left > 0 {
			out[name] = e.value(name, below, depth-1)
		}
	}
	return out
}

// referred is a definition of the same schema; empty when there is none.
func (e *exampler) referred(ref string) map[string]any {
	for _, section := range []string{"$defs", "definitions"} {
		if name, ok := strings.CutPrefix(ref, "#/"+section+"/"); ok {
			definitions, _ := e.root[section].(map[string]any)
			found, _ := definitions[name].(map[string]any)
			return found
		}
	}
	return nil
}

// givenExample is the value that a schema names itself.
func givenExample(schema map[string]any) (any, bool) {
	for _, member := range []string{"examples", "default", "const", "enum"} {
		given, there := schema[member]
		if list, isList := given.([]any); isList && (member == "examples" || member == "enum") {
			if len(list) == 0 {
				continue
			}
			return list[0], true
		}
		if there {
			return given, true
		}
	}
	return nil, false
}

func hasType(schema map[string]any, want string) bool {
	switch t := schema["type"].(type) {
	case string:
		return t == want
	case []any:
		return slices.Contains(t, any(want))
	}
	return false
}

var formatExamples = map[string]string{
	"date-time": "2026-01-31T12:00:00Z", "date": "2026-01-31", "time": "12:00:00Z", "email": "jane@example.com",
	"uri": "https://example.com", "uuid": "123e4567-e89b-12d3-a456-426614174000",
}
