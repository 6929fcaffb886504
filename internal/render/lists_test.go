package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestListsByMember: the filters that choose and add items by a member, as Liquid documents them.
func TestListsByMember(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"items":[{"n":"a","kind":"tea","count":2,"new":true},{"n":"b","kind":"cup","count":1.5,"new":false},
		{"n":"c","kind":"tea","count":"3"},{"n":"d","count":1234567},"text",null],"kind":"tea","none":null,"numbers":[1,2.5,"4","x",null],"n":7,"t":"9"}`)
	for template, want := range map[string]string{
		"{{ payload.items | where: 'kind', 'tea' | map: 'n' | join }}":                                     "a c",
		"{{ payload.items | where: 'kind', payload.kind | map: 'n' | join }}":                              "a c",
		"{% capture k %}tea{% endcapture %}{{ payload.items | where: 'kind', k | map: 'n' | join }}":       "a c",
		"{{ payload.items | where: 'new' | map: 'n' | join }}":                                             "a",
		"{{ payload.items | where: 'kind', payload.none | map: 'n' | join }}":                              "a b c",
		"{{ payload.items | where: 'count', 1.5 | map: 'n' | join }}":                                      "b",
		"{{ payload.items | where: 'count', 1234567 | map: 'n' | join }}":                                  "d",
		"{{ payload.items | where: 'new', false | map: 'n' | join }}":                                      "b",
		"{{ payload.items | where: 'kind', 'nope' | size }}":                                               "0",
		"{{ payload.none | where: 'kind', 'tea' | size }}":                                                 "0",
		"{{ payload.items | reject: 'kind', 'tea' | map: 'n' | compact | join }}":                          "b d",
		"{{ payload.items | reject: 'new' | size }}":                                                       "5",
		"{% assign x = payload.items | find: 'kind', 'cup' %}{{ x.n }}":                                    "b",
		"{% assign x = payload.items | find: 'kind', 'nope' %}[{{ x.n }}]":                                 "[]",
		"{% for i in payload.items | where: 'kind', 'tea' %}{{ i.n }}{% endfor %}":                         "ac",
		"{{ payload.items | sum: 'count' }}":                                                               "1234573.5",
		"{{ payload.numbers | sum }}":                                                                      "7.5",
		"{{ payload.none | sum }}":                                                                         "0",
		"{{ payload.n | at_least: 10 }} {{ payload.n | at_least: 3 }} {{ payload.n | at_least: '8.5' }}":   "10 7 8.5",
		"{{ payload.n | at_most: 5 }} {{ payload.n | at_most: 9.5 }} {{ payload.t | at_most: payload.n }}": "5 7 7",
	} {
		for _, render := range []func() (string, error){
			func() (string, error) { return newEngine().Text(t.Context(), template, b) },
			func() (string, error) { return newEngine().HTML(t.Context(), template, b) },
		} {
			got, err := render()
			require.NoError(t, err, template)
			assert.Equal(t, want, got, template)
		}
	}
}
