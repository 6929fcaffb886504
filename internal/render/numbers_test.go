package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArithmetic: divisions and rounding as the template language documents them.
func TestArithmetic(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"price":19.99,"n":7,"neg":-3,"text":"2","half":-2.5}`)
	for template, want := range map[string]string{
		"{{ payload.price | divided_by: 2 }}":              "9.995",
		"{{ payload.n | divided_by: 2 }}":                  "3",
		"{{ payload.neg | divided_by: 2 }}":                "-2",
		"{{ payload.n | divided_by: 2.0 }}":                "3.5",
		"{{ payload.n | divided_by: payload.text }}":       "3",
		"{{ payload.n | divided_by: '2.5' }}":              "2.8",
		"{{ payload.neg | modulo: 2 }}":                    "1",
		"{{ payload.n | modulo: -4 }}":                     "-1",
		"{{ payload.price | modulo: 5 | round: 2 }}":       "4.99",
		"{{ payload.half | round }} {{ 2.5 | round }}":     "-3 3",
		"{{ payload.price | round: 1 }}":                   "20",
		"{{ 1250 | round: -2 }}":                           "1300",
		"{{ payload.price | round: 400 }}":                 "19.99",
		"{{ payload.price | round: -400 }}":                "0",
		"{{ payload.neg | times: payload.price | floor }}": "-60",
	} {
		got, err := newEngine().Text(t.Context(), template, b)
		require.NoError(t, err, template)
		require.Equal(t, want, got, template)
	}
	for _, template := range []string{"{{ 7 | modulo: 0 }}", "{{ 7 | divided_by: 0 }}", "{{ 7 | divided_by: 0.0 }}", "{{ 7 | divided_by: 'x' }}", "{{ 7 | divided_by: payload.nope }}"} {
		_, err := newEngine().Text(t.Context(), template, b)
		require.ErrorContains(t, err, "the divisor must be a number that is not 0", template)
	}
}
