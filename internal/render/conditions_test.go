package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrderOfConditions: and and or hold from right to left.
func TestOrderOfConditions(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"y":true,"n":false}`)
	for condition, want := range map[string]bool{
		"payload.y or payload.n and payload.n":                             true,
		"payload.n and payload.n or payload.y":                             false,
		"payload.y and payload.n or payload.y":                             true,
		"payload.y or payload.n and payload.n or payload.n":                true,
		"payload.n and payload.y or payload.y and payload.y":               false,
		"payload.y and payload.y and payload.n":                            false,
		"payload.n or payload.n or payload.y":                              true,
		"(payload.n and payload.y) or payload.y":                           true,
		"payload.y == true or ' and ' == 'x' and payload.m['and'] == true": true,
	} {
		got, err := newEngine().Text(t.Context(), "{% if "+condition+" %}y{% else %}n{% endif %}{% assign x = "+condition+" %}{{ x }} {{ "+condition+" }}", b)
		require.NoError(t, err, condition)
		require.Equal(t, map[bool]string{true: "ytrue true", false: "nfalse false"}[want], got, condition)
	}
}
