package shape_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/shape"
)

// reading is one JSON value of a member: what it is read as, or the problems that it has, by path.
type reading struct {
	json     string
	want     any // nil: it is not set
	problems map[string]string
}

// requireReads holds how a type reads values as the member v of an object.
func requireReads[V any](t *testing.T, of shape.Type[V], readings ...reading) {
	t.Helper()
	type holder struct{ set any }
	object := shape.Object("Holder", "", shape.Optional("v", of, "", func(in *holder, v V) { in.set = v }))
	for _, r := range readings {
		got, err := object.Read([]byte(`{"v":`+r.json+`}`), func(*holder, *fault.Problems) {})
		require.Equal(t, r.problems, problems(t, err), r.json)
		require.Equal(t, r.want, got.set, r.json)
	}
}

// at returns one problem without a shown value.
func at(path, message string) map[string]string { return map[string]string{path: message + "|"} }

func TestTextsAreRead(t *testing.T) {
	t.Parallel()
	const notText = "must be a string"
	requireReads(t, shape.Text(shape.AtMost(1)),
		reading{json: `"abc"`, want: "abc"}, // bounds are the use case's to check
		reading{json: `""`, want: ""},
		reading{json: `null`},
		reading{json: `1`, problems: at("v", notText)},
		reading{json: `true`, problems: at("v", notText)},
		reading{json: `["a"]`, problems: at("v", notText)},
		reading{json: `{}`, problems: at("v", notText)},
		reading{json: `"a\u0000b"`, problems: at("v", "must not hold the character U+0000")},
	)
	requireReads(t, shape.ID(),
		reading{json: `"a"`, want: "a"},
		reading{json: `"a\u0000b"`, want: "a\x00b"}, // names nothing, and is looked for as any other
		reading{json: `1`, problems: at("v", notText)},
	)
	requireReads(t, shape.Matching("^[a-z]+$"),
		reading{json: `"UPPER"`, want: "UPPER"}, // without a rule the pattern is documentation
		reading{json: `"\u0000"`, problems: at("v", "must not hold the character U+0000")},
	)
}

func TestEnumsAreRead(t *testing.T) {
	t.Parallel()
	type colour string
	requireReads(t, shape.Enum[colour]("red", "green"),
		reading{json: `"red"`, want: colour("red")},
		reading{json: `"green"`, want: colour("green")},
		reading{json: `"Red"`, problems: at("v", "must be red or green")},
		reading{json: `""`, problems: at("v", "must be red or green")},
		reading{json: `"\u0000"`, problems: at("v", "must not hold the character U+0000")},
		reading{json: `0`, problems: at("v", "must be a string")},
	)
	requireReads(t, shape.Enum("a", "b", "c"), reading{json: `"d"`, problems: at("v", "must be a, b or c")})
}

func TestFlagsAndFreeObjectsAreRead(t *testing.T) {
	t.Parallel()
	requireReads(t, shape.Flag(),
		reading{json: `true`, want: true},
		reading{json: `false`, want: false},
		reading{json: `"true"`, problems: at("v", "must be a boolean")},
		reading{json: `1`, problems: at("v", "must be a boolean")},
	)
	requireReads(t, shape.Free(),
		reading{json: `{}`, want: map[string]any{}},
		reading{json: `{"n":12345678901234567890.10}`, want: map[string]any{"n": json.Number("12345678901234567890.10")}},
		reading{json: `{"a":null}`, want: map[string]any{"a": nil}},
		reading{json: `[]`, problems: at("v", "must be an object")},
		reading{json: `"{}"`, problems: at("v", "must be an object")},
	)
}

func TestListsAreRead(t *testing.T) {
	t.Parallel()
	requireReads(t, shape.List(shape.Flag(), shape.AtMost(1)),
		reading{json: `[]`, want: []bool{}},
		reading{json: `[true,false]`, want: []bool{true, false}},
		reading{json: `true`, problems: at("v", "must be an array")},
		reading{json: `[true,0,null]`, want: []bool{true, false, false}, problems: map[string]string{"v.1": "must be a boolean|", "v.2": "is required|"}},
	)
	requireReads(t, shape.List(shape.List(shape.Text())),
		reading{json: `[["a"],[]]`, want: [][]string{{"a"}, {}}},
		reading{json: `[["a",1],"b",null]`, want: [][]string{{"a", ""}, nil, nil}, problems: map[string]string{
			"v.0.1": "must be a string|", "v.1": "must be an array|", "v.2": "is required|",
		}},
	)
	requireReads(t, shape.OneOrMany(shape.Text(), shape.List(shape.Text())),
		reading{json: `"a"`, want: []string{"a"}},
		reading{json: `["a","b"]`, want: []string{"a", "b"}},
		reading{json: `""`, want: []string{}},
		reading{json: `[""]`, want: []string{""}},
		reading{json: `[]`, want: []string{}},
		reading{json: `"\u0000"`, problems: at("v", "must not hold the character U+0000")},
		reading{json: `{}`, problems: at("v", "must be a string or an array of strings")},
		reading{json: `1`, problems: at("v", "must be a string or an array of strings")},
	)
}

func TestObjectsAreRead(t *testing.T) {
	t.Parallel()
	inner := shape.Object("Inner", "", shape.Required("name", shape.Text(), "", func(in *string, v string) { *in = v }))
	requireReads(t, inner.Type,
		reading{json: `{"name":"a","other":1}`, want: "a"},
		reading{json: `{"name":null}`, want: "", problems: at("v.name", "is required")},
		reading{json: `{}`, want: "", problems: at("v.name", "is required")},
		reading{json: `[]`, problems: at("v", "must be an object")},
	)
	requireReads(t, shape.List(inner.Type), reading{
		json: `[{"name":"a"},null,"b",{"name":2}]`, want: []string{"a", "", "", ""},
		problems: map[string]string{"v.1": "is required|", "v.2": "must be an object|", "v.3.name": "must be a string|"},
	})
}

// A rule sees what could be read under its path, and what it complains about is set all the same.
func TestRulesOfTypes(t *testing.T) {
	t.Parallel()
	short := shape.Text().Check(func(p *fault.Problems, path, v string) {
		if len(v) > 2 {
			p.Add(path, nil, "is long")
		}
	})
	requireReads(t, short,
		reading{json: `"ab"`, want: "ab"},
		reading{json: `"abc"`, want: "abc", problems: at("v", "is long")},
		reading{json: `123`, problems: at("v", "must be a string")},
	)
	requireReads(t, shape.List(short), reading{json: `["a","abc"]`, want: []string{"a", "abc"}, problems: at("v.1", "is long")})
}

// A member that is skipped is not read, not even to report what is wrong with it.
func TestSkippedMembers(t *testing.T) {
	t.Parallel()
	type dated struct{ now, later string }
	object := shape.Object("Dated", "",
		shape.Optional("now", shape.Text(), "", func(in *dated, v string) { in.now = v }),
		shape.Required("later", shape.Text(), "", func(in *dated, v string) { in.later = v }).Unless(func(in *dated) bool { return in.now != "" }),
	)
	for body, want := range map[string]map[string]string{
		`{"now":"x"}`:           nil,
		`{"now":"x","later":1}`: nil,
		`{"later":"y"}`:         nil,
		`{"now":""}`:            at("later", "is required"),
		`{"later":1}`:           at("later", "must be a string"),
	} {
		got, err := object.Read([]byte(body), func(*dated, *fault.Problems) {})
		require.Equal(t, want, problems(t, err), body)
		require.False(t, got.now != "" && got.later != "", body)
	}
}

// The use case is asked after everything was read, with what was read.
func TestTheUseCaseChecksWhatWasRead(t *testing.T) {
	t.Parallel()
	object := shape.Object("Name", "", shape.Expected("name", shape.Text(), "", func(in *string, v string) { *in = v }))
	check := func(in *string, p *fault.Problems) {
		if *in == "" {
			p.Add("name", nil, "names no one")
		}
	}
	for body, want := range map[string]map[string]string{
		`{"name":"a"}`: nil, `{}`: at("name", "names no one"), `{"name":null}`: at("name", "names no one"),
	} {
		_, err := object.Read([]byte(body), check)
		require.Equal(t, want, problems(t, err), body)
	}
}

func TestSchemasOfTypes(t *testing.T) {
	t.Parallel()
	fixed := func(*shape.Document) shape.Schema { return shape.Schema{"format": "date-time"} }
	for want, described := range map[string]shape.Described{
		`{"type":"string"}`:                                                        shape.Text(),
		`{"type":"string","minLength":1}`:                                          shape.Text(shape.AtLeast(1)),
		`{"type":"string","minLength":1,"maxLength":9}`:                            shape.ID(shape.Between(1, 9)),
		`{"type":"string","pattern":"^a$","maxLength":0}`:                          shape.Matching("^a$", shape.AtMost(0)),
		`{"type":"string","enum":["a","b"]}`:                                       shape.Enum("a", "b"),
		`{"type":"boolean","description":"On."}`:                                   shape.Flag().Describe("On."),
		`{"type":"boolean","deprecated":true}`:                                     shape.Flag().Describe("").Deprecated(),
		`{"type":"object","additionalProperties":true}`:                            shape.Free(),
		`{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":2}`:    shape.List(shape.Flag(), shape.AtLeast(1), shape.AtMost(2)),
		`{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`: shape.OneOrMany(shape.Text(), shape.List(shape.Text())),
		`{"format":"date-time"}`:                                                   shape.Text().As(fixed),
		`{"$ref":"#/components/schemas/Colour"}`:                                   shape.Named("Colour", shape.Enum("red", "green")),
		`{"oneOf":[{"type":"string"},{"$ref":"#/components/schemas/Guest"}]}`: shape.TextOrObject(
			shape.Text(), func(v string) guest { return guest{name: v} }, guestShape),
	} {
		d := &shape.Document{Schemas: map[string]shape.Schema{}}
		got, err := json.Marshal(described.Schema(d))
		require.NoError(t, err)
		require.JSONEq(t, want, string(got))
		require.Equal(t, strings.Count(want, "$ref"), len(d.Schemas), "what is referred to is defined: %s", want)
	}
}

// A schema is defined once, by the first use of its name, and may refer to itself.
func TestNamedSchemas(t *testing.T) {
	t.Parallel()
	d := &shape.Document{Schemas: map[string]shape.Schema{}}
	defined := 0
	var tree func() shape.Schema
	tree = func() shape.Schema {
		defined++
		return shape.Record("A tree.", shape.Schema{"below": shape.ArrayOf(d.Named("Tree", tree))}, "below")
	}
	require.Equal(t, shape.Ref("Tree"), d.Named("Tree", tree))
	require.Equal(t, shape.Ref("Tree"), d.Named("Tree", func() shape.Schema { return nil }))
	require.Equal(t, 1, defined)
	require.Equal(t, shape.Schema{
		"type": "object", "description": "A tree.", "required": []string{"below"},
		"properties": shape.Schema{"below": shape.Schema{"type": "array", "items": shape.Ref("Tree")}},
	}, d.Schemas["Tree"])
	require.NotContains(t, shape.Record("Empty.", shape.Schema{}), "required", "an empty list is not a JSON Schema of draft 4")
}

func TestStorable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": true, "äß日": true, "\u2028": true, "\x00": false, "a\x00": false, "\xff": false, "a\xc3": false} {
		require.Equal(t, want, shape.Storable(text), "%q", text)
	}
}
