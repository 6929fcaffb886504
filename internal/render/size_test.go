package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSize: the member size counts characters of texts, as the filter does.
func TestSize(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"s":"Grüße 👍","list":["é","b"],"o":{"a":1,"b c":"é"},"own":{"size":9},"none":null,"n":7,"items":[{"name":"Müsli","tags":["öl"]},{"name":"ää"}]}`)
	for template, want := range map[string]string{
		"{{ payload.s.size }} {{ payload.s | size }}":                                                                                                                  "7 7",
		"{{ payload.list.size }} {{ payload.list[0].size }} {{ payload.o.size }}":                                                                                      "2 1 2",
		"{{ payload.o['b c'].size }} {{ payload.own.size }}":                                                                                                           "1 9",
		"[{{ payload.none.size }}{{ payload.nope.size }}{{ payload.n.size }}]":                                                                                         "[]",
		"{% if payload.s.size > 7 or payload.s.size == 7 and payload.list.size != blank %}y{% endif %}":                                                                "y",
		"{% assign n = payload.s.size | plus: payload.list.size %}{{ n }}":                                                                                             "9",
		"{% assign size = 3 %}{{ size }}{% for x in (1..payload.list.size) %}{{ x }}{% endfor %}":                                                                      "312",
		"{% for x in payload.list limit: payload.list.size %}{{ x.size }}{% endfor %}":                                                                                 "11",
		"{% case payload.s.size %}{% when 7 %}y{% endcase %}{{ 'payload.s.size' }}":                                                                                    "ypayload.s.size",
		"{% assign i = 0 %}{% assign k = 'b c' %}{{ payload.list[i].size }}{{ payload.o[k].size }}{{ payload.items[i].name.size }}{{ payload.items[i].tags[i].size }}": "1152",
		"{% assign i = 1 %}{{ payload.items[i].size }}{% if payload.items[i].name.size == 2 and payload.list[payload.list.size].size == nil %}y{% endif %}":            "1y",
		"{{ payload.list.first.size }}{{ 'hello' | t: n: payload.s.size }}":                                                                                            "1Servus",
	} {
		got, err := newEngine().Text(t.Context(), template, b)
		require.NoError(t, err, template)
		require.Equal(t, want, got, template)
	}
	got, err := newEngine().HTML(t.Context(), "{% capture z %}ü{% endcapture %}{{ z.size }}{% assign y = '<ü>' | raw %}{{ y.size }}", b)
	require.NoError(t, err)
	require.Equal(t, "13", got)
	_, err = newEngine().Text(t.Context(), "{{ payload.s.size ! }}", b)
	require.ErrorContains(t, err, "payload.s.size !")
}
