package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSort: what has no value comes last, and what is equal keeps its order.
func TestSort(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"texts":["b","A",null,"c","a"],"mixed":[null,"b",2,"A"],"numbers":[10,9,2.5],"none":null,
		"events":[{"p":2,"n":"a"},{"n":"B"},{"p":1,"n":"c"},{"p":2,"n":"D"},{"p":1,"n":"e"},{"p":2,"n":"f"},{"p":1,"n":"g"},{"p":2,"n":"h"},
			{"p":1,"n":"i"},{"p":2,"n":"j"},{"p":1,"n":"k"},{"p":2,"n":"l"},{"p":1,"n":"m"},{"p":2,"n":"n"},{"p":1,"n":"o"}]}`)
	for template, want := range map[string]string{
		"{{ payload.texts | sort | join: ',' }}":                                               "A,a,b,c,",
		"{{ payload.texts | sort_natural | join: ',' }}":                                       "A,a,b,c,",
		"{{ payload.numbers | sort | join: ',' }}":                                             "2.5,9,10",
		"{{ payload.mixed | sort_natural | join: ',' }}":                                       "2,A,b,",
		"{{ payload.events | sort: 'p' | map: 'n' | join: '' }}":                               "cegikmoaDfhjlnB",
		"{{ payload.events | sort_natural: 'n' | map: 'n' | join: '' }}":                       "aBcDefghijklmno",
		"{{ payload.events | sort: 'nope' | map: 'n' | join: '' }}":                            "aBcDefghijklmno",
		"{{ payload.events | sort: payload.nope | map: 'n' | join: '' }}":                      "aBcDefghijklmno",
		"[{{ payload.none | sort | join: ',' }}{{ payload.nope | sort_natural | join: ',' }}]": "[]",
		"{{ 'b,C,a' | split: ',' | sort_natural | join: ',' }}":                                "a,b,C",
	} {
		got, err := newEngine().Text(t.Context(), template, b)
		require.NoError(t, err, template)
		require.Equal(t, want, got, template)
	}
}
