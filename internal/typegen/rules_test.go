package typegen_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/typegen"
)

func decoded(t *testing.T, schema string) map[string]any {
	t.Helper()
	var out map[string]any
	require.NoError(t, json.Unmarshal([]byte(schema), &out))
	return out
}

// generated is the source in a language, with every run of white space as one space. Go compiles.
func generated(t *testing.T, language string, triggers ...typegen.Trigger) string {
	t.Helper()
	source, err := typegen.Generate(language, "triggers", triggers)
	require.NoError(t, err)
	if language == "go" {
		compiles(t, source)
	}
	return strings.Join(strings.Fields(string(source)), " ")
}

// order is a trigger whose payload has that schema.
func order(t *testing.T, schema string) typegen.Trigger {
	t.Helper()
	return typegen.Trigger{Identifier: "order", Name: "Order", Schema: decoded(t, schema)}
}

// TestTypesOfMembers: what each form of schema becomes, required and optional.
func TestTypesOfMembers(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]struct{ required, optional, ts string }{
		`{"type": "string"}`:                                        {"string", "*string", "string"},
		`{"type": "number"}`:                                        {"float64", "*float64", "number"},
		`{"type": "integer"}`:                                       {"int64", "*int64", "number"},
		`{"type": "boolean"}`:                                       {"bool", "*bool", "boolean"},
		`{"type": "null"}`:                                          {"any", "any", "null"},
		`{"type": "date"}`:                                          {"any", "any", "unknown"},
		`{"type": ["string", "null"]}`:                              {"*string", "*string", "string | null"},
		`{"type": ["string"]}`:                                      {"string", "*string", "string"},
		`{"type": ["null"]}`:                                        {"any", "any", "null"},
		`{"type": ["string", "boolean"]}`:                           {"any", "any", "string | boolean"},
		`{"type": ["integer", "number"]}`:                           {"any", "any", "number"},
		`{"oneOf": [{"type": "string"}, {"type": "null"}]}`:         {"*string", "*string", "string | null"},
		`{"anyOf": [{"type": "string"}, {"const": 1}]}`:             {"any", "any", "string | 1"},
		`{"enum": [1, 2.5, true]}`:                                  {"any", "any", "1 | 2.5 | true"},
		`{"enum": [null]}`:                                          {"any", "any", "null"},
		`{"enum": [{"a": 1}]}`:                                      {"any", "any", "unknown"},
		`{"enum": []}`:                                              {"any", "any", "unknown"},
		`{"const": "<b>\"x\""}`:                                     {"OrderPayloadP", "*OrderPayloadP", `"\u003cb\u003e\"x\""`},
		`{"enum": ["a", "b", null]}`:                                {"*OrderPayloadP", "*OrderPayloadP", `"a" | "b" | null`},
		`{"type": "array"}`:                                         {"[]any", "[]any", "Array<unknown>"},
		`{"type": "array", "items": {"type": ["integer", "null"]}}`: {"[]*int64", "[]*int64", "Array<number | null>"},
		`{"type": "array", "items": {"type": "array", "items": {"type": "string"}}}`: {"[][]string", "[][]string", "Array<Array<string>>"},
		`{"type": ["array", "null"], "items": {"type": "string"}}`:                   {"[]string", "[]string", "Array<string> | null"},
		`{"type": "object"}`: {"map[string]any", "map[string]any", "Record<string, unknown>"},
		`{"type": "object", "additionalProperties": {"type": "number"}}`: {"map[string]float64", "map[string]float64", "Record<string, number>"},
		`{"additionalProperties": false}`:                                {"OrderPayloadP", "*OrderPayloadP", "Record<string, never>"},
		`true`:                                                           {"any", "any", "unknown"},
		`{"$ref": "https://shop.example/s.json"}`:                        {"any", "any", "unknown"},
		`{"$ref": "#/$defs/missing"}`:                                    {"any", "any", "unknown"},
		`{"allOf": [{"type": "string"}]}`:                                {"any", "any", "unknown"},
		`{"allOf": [{"type": "object"}, "broken"]}`:                      {"any", "any", "unknown"},
	} {
		t.Run(schema, func(t *testing.T) {
			t.Parallel()
			required := order(t, `{"type": "object", "required": ["p"], "properties": {"p": `+schema+`}}`)
			require.Contains(t, generated(t, "go", required), "{ P "+want.required+" `json:\"p\"` }")
			require.Contains(t, generated(t, "ts", required), "{ p: "+want.ts+"; [name: string]: unknown; }")
			optional := order(t, `{"properties": {"p": `+schema+`}}`)
			require.Contains(t, generated(t, "go", optional), "{ P "+want.optional+" `json:\"p,omitempty\"` }")
			require.Contains(t, generated(t, "ts", optional), "{ p?: "+want.ts+"; [name: string]: unknown; }")
		})
	}
}

// TestTypesOfMembersInPython: the same for Python, whose types of objects have names.
func TestTypesOfMembersInPython(t *testing.T) {
	t.Parallel()
	var sources [][]byte
	for schema, want := range map[string]string{
		`{"type": "string"}`:                                                                  "str",
		`{"type": "number"}`:                                                                  "float",
		`{"type": "integer"}`:                                                                 "int",
		`{"type": "null"}`:                                                                    "None",
		`{"type": ["string", "null"]}`:                                                        "str | None",
		`{"anyOf": [{"type": "string"}, {"const": 1}]}`:                                       "str | Literal[1]",
		`{"anyOf": [{"type": "string"}, true]}`:                                               "Any",
		`{"enum": [1, 2.5, true]}`:                                                            "Literal[1, True] | float",
		`{"enum": [0.5]}`:                                                                     "float",
		`{"enum": ["OrderPayload", "\"", null]}`:                                              `Literal["OrderPayload", "\""] | None`,
		`{"type": "array", "items": {"type": ["integer", "null"]}}`:                           "list[int | None]",
		`{"type": "object", "additionalProperties": {"type": "number"}}`:                      "dict[str, float]",
		`{"additionalProperties": false}`:                                                     "dict[str, Never]",
		`{"properties": {"a": {}}}`:                                                           `"OrderPayloadP"`,
		`{"type": ["object", "null"], "properties": {"a": {}}}`:                               `"OrderPayloadP | None"`,
		`{"type": "array", "items": {"properties": {"a": {}}}}`:                               `"list[OrderPayloadP]"`,
		`{"anyOf": [{"const": "a"}, {"properties": {"a": {}}}]}`:                              `"Literal[\"a\"] | OrderPayloadP"`,
		`{"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}`:                   `"OrderPayloadP | OrderPayloadP2"`,
		`{"properties": {"q": {"properties": {"class": {}, "__x": {}}}, "r": {"$ref": "#"}}}`: `"OrderPayloadP"`,
	} {
		for mark, required := range map[string]string{"p: " + want: `["p"]`, "p: NotRequired[" + want + "]": `[]`} {
			source, err := typegen.Generate("py", "", []typegen.Trigger{order(t, `{"type": "object", "required": `+required+`, "properties": {"p": `+schema+`}}`)})
			require.NoError(t, err)
			require.Contains(t, string(source), "class OrderPayload(TypedDict):\n    "+mark+"\n", schema)
			sources = append(sources, source)
		}
	}
	interpreted(t, sources...)
}

// TestNamesThatPythonHasNot: words of the language and what it renames are no attributes, and texts cannot end a comment.
func TestNamesThatPythonHasNot(t *testing.T) {
	t.Parallel()
	var sources [][]byte
	for _, name := range []string{"class", "None", "__secret", "first name", "2nd", "é", "a\\nb", "\\\"", "\\\\"} {
		source, err := typegen.Generate("py", "", []typegen.Trigger{
			{Identifier: "order", Name: "Two\nlines \x00 \x0c here", Schema: decoded(t, `{"description": "a\r\nimport os", "properties": {"`+name+`": {"description": "b\ffoo"}}}`)},
			{Identifier: "never", Schema: decoded(t, `{"$ref": "#/$defs/r", "$defs": {"r": {"type": "object"}}}`)},
		})
		require.NoError(t, err)
		require.Contains(t, string(source), `OrderPayload = TypedDict(`)
		sources = append(sources, source)
	}
	interpreted(t, sources...)
}

// TestPayloadIsAnObject, whatever its schema says: the API takes no other.
func TestPayloadIsAnObject(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{`{}`, `{"type": "string"}`, `{"enum": ["a"]}`, `{"type": ["object", "array"]}`} {
		require.Contains(t, generated(t, "go", order(t, schema)), "type OrderPayload map[string]any", schema)
		require.Contains(t, generated(t, "ts", order(t, schema)), "type OrderPayload = Record<string, unknown>;", schema)
	}
	closed := order(t, `{"additionalProperties": false, "properties": {"a": {"type": "string"}}}`)
	require.Contains(t, generated(t, "ts", closed), "type OrderPayload = { a?: string; };", "no other members")
}

// TestDefaultsNeedNotBeSent: the server fills them in.
func TestDefaultsNeedNotBeSent(t *testing.T) {
	t.Parallel()
	filled := order(t, `{"required": ["a", "b"], "properties": {"a": {"type": "string", "default": ""}, "b": {"type": "string"}}}`)
	require.Contains(t, generated(t, "go", filled), "{ A *string `json:\"a,omitempty\"` B string `json:\"b\"` }")
	require.Contains(t, generated(t, "ts", filled), "{ a?: string; b: string;")
}

// TestAllOfMergesObjects: members of all parts, required where one of them requires it, closed where one of them is.
func TestAllOfMergesObjects(t *testing.T) {
	t.Parallel()
	merged := order(t, `{"allOf": [
		{"properties": {"b": {"type": "string"}, "a": {"type": "string"}}}, {"$ref": "#/$defs/more"}, {"required": ["b"], "properties": {"b": {"type": "string"}}}
	], "properties": {"c": {"type": "boolean"}}, "$defs": {"more": {"additionalProperties": false, "properties": {"d": {"type": "integer"}}}}}`)
	require.Contains(t, generated(t, "ts", merged), "type OrderPayload = { a?: string; b: string; c?: boolean; d?: number; };")
	require.Contains(t, generated(t, "go", merged), "B string `json:\"b\"`")
}

// TestDefinitions are types of their own, under the names of their trigger; pointers may be escaped, and may lead in a circle.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	tree := order(t, `{"properties": {"root": {"$ref": "#/$defs/tree~1node"}, "loop": {"$ref": "#/$defs/a"}}, "$defs": {
		"tree/node": {"description": "A node.", "properties": {"next": {"$ref": "#/$defs/tree~1node"}}},
		"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}
	}}`)
	source := generated(t, "go", tree)
	for range 20 {
		require.Equal(t, source, generated(t, "go", tree), "the same for the same schemas")
	}
	require.Contains(t, source, "Root *OrderTreeNode `json:\"root,omitempty\"`")
	require.Contains(t, source, "// OrderTreeNode is part of payloads of TriggerOrder. A node.")
	require.Contains(t, source, "type OrderTreeNode struct { Next *OrderTreeNode `json:\"next,omitempty\"` }")
	require.Contains(t, source, "type OrderA any", "nothing but itself")
	source = generated(t, "ts", tree)
	require.Contains(t, source, "root?: OrderTreeNode;")
	require.Contains(t, source, "type OrderA = unknown;")
}

// TestStructuresWithinThemselves: Go takes them behind pointers only, whether required, by way of others, or in an object.
func TestStructuresWithinThemselves(t *testing.T) {
	t.Parallel()
	source := generated(t, "go", order(t, `{"required": ["a"], "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {
		"a": {"required": ["b", "leaf"], "properties": {"b": {"$ref": "#/$defs/alias"}, "leaf": {"$ref": "#/$defs/leaf"}}}, "alias": {"$ref": "#/$defs/b"},
		"b": {"required": ["inner"], "properties": {"inner": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/a"}}}}},
		"leaf": {"properties": {"text": {"type": "string"}}}
	}}`))
	require.Contains(t, source, "type OrderA struct { B *OrderAlias `json:\"b\"` Leaf OrderLeaf `json:\"leaf\"` }")
	require.Contains(t, source, "type OrderBInner struct { A *OrderA `json:\"a\"` }")
}

// TestNames: each type has a name of its own, in the letters of both languages.
func TestNames(t *testing.T) {
	t.Parallel()
	var all []typegen.Trigger
	for _, identifier := range []string{"a_b", "2fa", "żółć", "a-b", "ünder-way", "aB"} {
		all = append(all, typegen.Trigger{Identifier: identifier})
	}
	given := slices.Clone(all)
	source := generated(t, "go", all...)
	require.Equal(t, given, all, "the caller's list stays in its order")
	for name, identifier := range map[string]string{
		"N2fa": "2fa", "AB": "a-b", "AB2": "aB", "AB3": "a_b", "X": "żółć", "NderWay": "ünder-way",
	} {
		require.Contains(t, source, fmt.Sprintf("const Trigger%s = %q", name, identifier))
	}
	slices.Reverse(all)
	require.Equal(t, source, generated(t, "go", all...), "whatever the order")
	ts := generated(t, "ts", all...)
	require.Contains(t, ts, `"2fa": N2faPayload;`)
	require.Contains(t, ts, `"a_b": ABPayload3;`)
	reserved := generated(t, "ts", typegen.Trigger{Identifier: "order", Schema: decoded(t, `{"properties": {"a": {"$ref": "#/$defs/payload"}}, "$defs": {"payload": {"type": "string"}}}`)})
	require.Contains(t, reserved, "a?: OrderPayload2;", "a definition does not take the payload's name")
}

// TestTextsCannotLeaveTheirPlace: texts of people and names of members are data in the source.
func TestTextsCannotLeaveTheirPlace(t *testing.T) {
	t.Parallel()
	hostile := typegen.Trigger{
		Identifier: "a\"`b", Name: "*/ evil() /*\nfunc init() {}",
		Schema: decoded(t, `{"description": "first\nfunc init() {} */ x", "properties": {
			"with space": {"type": "string", "description": "*/ y"}, "q\"uote": {"type": "string"}, "back`+"`"+`tick": {"type": "string"}
		}}`),
	}
	source := generated(t, "go", hostile)
	require.NotContains(t, source, "} func init")
	require.Contains(t, source, `const TriggerAB = "a\"`+"`"+`b"`)
	require.Contains(t, source, "WithSpace *string `json:\"with space,omitempty\"`")
	require.Contains(t, source, "QUote *string `json:\"-\"`", "no tag can hold the name")
	require.Contains(t, source, "BackTick *string `json:\"-\"`")
	ts := generated(t, "ts", hostile)
	require.Contains(t, ts, "/** * / y */ \"with space\"?: string;")
	require.Contains(t, ts, `"q\"uote"?: string;`)
	require.Contains(t, ts, "/** * / evil() /* func init() {} */")
	require.Contains(t, ts, "\"a\\\"`b\": ABPayload;")
}

// TestEnumsOfTexts are constants in Go, one for each value, also where their letters are the same.
func TestEnumsOfTexts(t *testing.T) {
	t.Parallel()
	source := generated(t, "go", order(t, `{"properties": {"state": {"enum": ["in-transit", "in_transit", "", "5"]}}}`))
	for _, constant := range []string{`InTransit OrderPayloadState = "in-transit"`, `InTransit2 OrderPayloadState = "in_transit"`, `X OrderPayloadState = ""`, `N5 OrderPayloadState = "5"`} {
		require.Contains(t, source, "OrderPayloadState"+constant)
	}
	source = generated(t, "go", order(t, `{"properties": {"a-b": {"enum": ["x"]}, "a_b": {"enum": ["y"]}}}`))
	require.Contains(t, source, "AB *OrderPayloadAB `json:\"a-b,omitempty\"` AB2 *OrderPayloadAB2 `json:\"a_b,omitempty\"`")
}

// TestNoTriggers: what is written is a whole file all the same.
func TestNoTriggers(t *testing.T) {
	t.Parallel()
	require.Equal(t, "// Code generated by carillon types. DO NOT EDIT. package triggers", generated(t, "go"))
	require.Contains(t, generated(t, "ts"), "export interface Payloads { } ")
	for _, name := range []string{"", "_", "func", "a-b", "1a"} {
		_, err := typegen.Generate("go", name, nil)
		require.EqualError(t, err, fmt.Sprintf("write types: %q is no name of a package", name))
	}
	_, err := typegen.Generate("TS", "", nil)
	require.EqualError(t, err, `write types: "TS" is none of go, ts and py`)
}

// TestNamesThatTagsCannotHold: encoding/json would read a comma as the start of options, and falls back to the field's name for
// other signs.
func TestNamesThatTagsCannotHold(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"total,net", "total,string", "customer's", "", "-", `a\\b`} {
		source := generated(t, "go", order(t, `{"required": ["`+name+`"], "properties": {"`+name+`": {"type": "string"}}}`))
		require.Contains(t, source, "string `json:\"-\"`", name)
	}
	for _, name := range []string{"a.b", "$id", "-x", "größe", "a/b"} {
		source := generated(t, "go", order(t, `{"required": ["`+name+`"], "properties": {"`+name+`": {"type": "string"}}}`))
		require.Contains(t, source, "string `json:\""+name+"\"`")
	}
}
