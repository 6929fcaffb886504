package shape_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/shape"
)

type settings struct {
	layout  *string
	cleared bool
	kept    map[string]any
	headers map[string]string
	tokens  []string
}

var settingsShape = shape.Object("Settings", "Settings.",
	shape.Nullable("layout", shape.Text(), "The layout.", func(s *settings, v string, null bool) {
		if s.cleared = null; !null {
			s.layout = &v
		}
	}),
	shape.Optional("kept", shape.Group("Kept.", shape.Optional("size", shape.Flag(), "", func(*struct{}, bool) {})).Kept(), "", func(s *settings, v map[string]any) { s.kept = v }),
	shape.Optional("headers", shape.Map(shape.Unchecked()), "", func(s *settings, v map[string]string) { s.headers = v }),
	shape.Optional("tokens", shape.Texts(shape.Unchecked(), 2), "", func(s *settings, v []string) { s.tokens = v }),
).Open()

// What is open is read as far as it is declared, and null is told apart from absent where it clears something.
func TestOpenObjects(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]struct {
		read     settings
		problems []string
	}{
		`{}`:                            {},
		`{"layout":null,"other":1}`:     {read: settings{cleared: true}},
		`{"kept":{"size":true,"a":[]}}`: {read: settings{kept: map[string]any{"size": true, "a": []any{}}}},
		`{"headers":{"b":null,"a":"x"},"tokens":["a","b"]}`: {read: settings{headers: map[string]string{"a": "x", "b": ""}, tokens: []string{"a", "b"}}},
		`{"kept":{"size":1},"headers":{"b":1,"a":2},"tokens":["a",null]}`: {
			read:     settings{kept: map[string]any{"size": 1.0}, headers: map[string]string{"a": "", "b": ""}, tokens: []string{"a", ""}},
			problems: []string{"at.kept.size", "at.headers.a", "at.headers.b", "at.tokens.1"},
		},
		`{"tokens":["a","b",1]}`:               {problems: []string{"at.tokens"}},
		`{"tokens":"a","headers":[],"kept":1}`: {problems: []string{"at.kept", "at.headers", "at.tokens"}},
	} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(raw), &value))
		var p fault.Problems
		read, ok := settingsShape.Parse(&p, "at", value)
		require.True(t, ok, raw)
		require.Equal(t, want.read, read, raw)
		var paths []string
		if err := p.Err(); err != nil {
			var f *fault.Error
			require.ErrorAs(t, err, &f)
			for _, field := range f.Fields {
				paths = append(paths, field.Path)
			}
		}
		require.Equal(t, want.problems, paths, raw)
	}
	d := &shape.Document{Schemas: map[string]shape.Schema{}}
	require.Equal(t, shape.Ref("Settings"), settingsShape.Schema(d))
	require.Equal(t, true, d.Schemas["Settings"]["additionalProperties"])
	properties, _ := d.Schemas["Settings"]["properties"].(shape.Schema)
	layout, _ := properties["layout"].(shape.Schema)
	require.Equal(t, []any{"string", "null"}, layout["type"])
}
