package scalar_test

import (
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/graph/scalar"
	"github.com/carillon/carillon/internal/workflow"
)

func written(m graphql.Marshaler) string {
	var b strings.Builder
	m.MarshalGQL(&b)
	return strings.TrimSpace(b.String())
}

// TestValuesOfEnumerations: each value is shown in GraphQL's spelling and read back as it is stored; an empty one is null.
func TestValuesOfEnumerations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		marshal   func(string) graphql.Marshaler
		unmarshal func(any) (string, error)
		values    map[string]string // shown, by what is stored
	}{
		"Lower":   {scalar.MarshalLower, scalar.UnmarshalLower, map[string]string{"in_app": "IN_APP", "sms": "SMS"}},
		"Same":    {scalar.MarshalSame, scalar.UnmarshalSame, map[string]string{"LARGER_EQUAL": "LARGER_EQUAL", "payload": "payload"}},
		"Ordinal": {scalar.MarshalOrdinal, scalar.UnmarshalOrdinal, map[string]string{"1": "FIRST", "2": "SECOND", "3": "THIRD", "4": "FOURTH", "5": "FIFTH", "last": "LAST"}},
		"Unit": {
			func(s string) graphql.Marshaler { return scalar.MarshalUnit(workflow.Unit(s)) },
			func(v any) (string, error) { u, err := scalar.UnmarshalUnit(v); return string(u), err },
			map[string]string{"minutes": "MINUTES", "months": "MONTHS"},
		},
		"Origin": {
			func(s string) graphql.Marshaler { return scalar.MarshalOrigin(workflow.Origin(s)) },
			func(v any) (string, error) { o, err := scalar.UnmarshalOrigin(v); return string(o), err },
			map[string]string{"cloud": "CLOUD", "cloud-v1": "CLOUD_V1", "external": "EXTERNAL"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for stored, shown := range c.values {
				require.Equal(t, `"`+shown+`"`, written(c.marshal(stored)))
				back, err := c.unmarshal(shown)
				require.NoError(t, err)
				require.Equal(t, stored, back)
			}
			require.Equal(t, "null", written(c.marshal("")))
			none, err := c.unmarshal(nil)
			require.NoError(t, err)
			require.Empty(t, none)
			_, err = c.unmarshal(map[string]any{})
			require.Error(t, err)
		})
	}
	require.Equal(t, "null", written(scalar.MarshalOrdinal("6")), "what no reader could send")
	for _, bad := range []string{"1", "first", "SIXTH"} {
		_, err := scalar.UnmarshalOrdinal(bad)
		require.ErrorContains(t, err, bad+" is no ordinal")
	}
}

func TestStringMap(t *testing.T) {
	t.Parallel()
	require.Equal(t, "null", written(scalar.MarshalStringMap(nil)))
	require.Equal(t, "{}", written(scalar.MarshalStringMap(map[string]string{})))
	require.JSONEq(t, `{"a":"<b>","c":"\""}`, written(scalar.MarshalStringMap(map[string]string{"a": "<b>", "c": `"`})))

	got, err := scalar.UnmarshalStringMap(map[string]any{"X-Key": "v", "": ""})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"X-Key": "v", "": ""}, got)
	_, err = scalar.UnmarshalStringMap(map[string]any{"n": 1})
	require.EqualError(t, err, "the value of n must be a text")
	_, err = scalar.UnmarshalStringMap(map[string]any{"n": nil})
	require.Error(t, err)
	for _, bad := range []any{nil, "text", []any{}} {
		_, err = scalar.UnmarshalStringMap(bad)
		require.ErrorContains(t, err, "must be an object")
	}
}
