package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLoops: loops as the template language documents them, over the numbers, lists and objects of payloads.
func TestLoops(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"list":[3,1,2,5],"n":2,"text":"2","word":"ab","none":null,"empty":[],"o":{"c":3,"a":1,"d":4,"b":2},"least":-1}`)
	for template, want := range map[string]string{
		"{% for x in payload.list limit: payload.n %}{{ x }}{% endfor %}":                                 "31",
		"{% for x in payload.list limit: payload.text offset: payload.n %}{{ x }}{% endfor %}":            "25",
		"{% for x in payload.list offset:1 limit:payload.list.size %}{{ x }}{% endfor %}":                 "125",
		"{% for x in payload.list limit: payload.none offset: payload.nope %}{{ x }}{% endfor %}":         "3125",
		"{% for x in payload.list limit: payload.least offset: payload.least %}{{ x }}{% endfor %}":       "3125",
		"{% for x in payload.list limit: 0 %}{{ x }}{% else %}none{% endfor %}":                           "none",
		"{% for x in payload.list offset: 9 %}{{ x }}{% else %}none{% endfor %}":                          "none",
		"{% for x in payload.list reversed %}{{ x }}{% endfor %}":                                         "5213",
		"{% for x in payload.list reversed limit: 2 %}{{ x }}{% endfor %}":                                "13",
		"{% for x in payload.list limit: 2 offset: 1 reversed %}{{ x }}{% endfor %}":                      "21",
		"{% for x in (1..payload.n) %}{{ x }}{% endfor %}":                                                "12",
		"{% for x in (payload.n..payload.list.size) reversed %}{{ x }}{% endfor %}":                       "432",
		"{% for x in (1..payload.text) %}{{ x }}{% endfor %}":                                             "12",
		"{% for x in (1..payload.nope) %}{{ x }}{% else %}none{% endfor %}{{ (payload.none..2) | join }}": "none0 1 2",
		"{% assign e = ' ' %}{% for x in (e..payload.n) %}{{ x }}{% endfor %}{{ (1..e) | size }}":         "0120",
		"{% tablerow x in payload.list cols: payload.nope limit: 2 %}{{ x }}{% endtablerow %}":            `<tr class="row1"><td class="col1">3</td><td class="col2">1</td></tr>`,
		"{% for x in (3..1) %}{{ x }}{% else %}none{% endfor %}":                                          "none",
		"{% for x in payload.nope %}{{ x }}{% else %}none{% endfor %}":                                    "none",
		"{% for x in payload.none %}{{ x }}{% else %}none{% endfor %}":                                    "none",
		"{% for x in payload.n %}{{ x }}{% else %}none{% endfor %}":                                       "none",
		"{% for x in payload.empty %}{{ x }}{% else %}none{% endfor %}":                                   "none",
		"{% for x in payload.word %}[{{ x }}]{% else %}none{% endfor %}":                                  "[ab]",
		"{% for x in payload.o %}{{ x[0] }}={{ x[1] }} {% endfor %}":                                      "a=1 b=2 c=3 d=4 ",
		"{% for x in payload.o limit: 1 %}{{ x | join: '=' }}{% endfor %}":                                "a=1",
		"{% for x in 'a,b' | split: ',' reversed %}{{ x }}{% endfor %}":                                   "ba",
		"{% for x in payload.list limit: 2 %}{{ forloop.index }}/{{ forloop.length }} {% endfor %}":       "1/2 2/2 ",
		"{% assign limit = 'a' %}{% for x in limit %}{{ x }}{% endfor %}":                                 "a",
		"{% for x in payload.list limit: 1 %}{% for y in (1..x) %}{{ y }}{% endfor %}{% endfor %}":        "123",
		"{% tablerow x in payload.list cols: payload.n limit: 3 %}{{ x }}{% endtablerow %}":               `<tr class="row1"><td class="col1">3</td><td class="col2">1</td></tr><tr class="row2"><td class="col1">2</td></tr>`,
		"{% tablerow x in payload.list limit: 1 cols: 1 %}{{ x }}{% endtablerow %}":                       `<tr class="row1"><td class="col1">3</td></tr>`,
		"{% for x in payload.list %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}":          "325",
		"{% for x in payload.list reversed %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}":    "52",
	} {
		got, err := newEngine().Text(t.Context(), template, b)
		require.NoError(t, err, template)
		require.Equal(t, want, got, template)
	}
	for template, want := range map[string]string{
		"{% for x in payload.list limit: 'x' %}{% endfor %}":    "template line 1: the limit of a loop must be a whole number, not x",
		"{% for x in (1..payload.word) %}{% endfor %}":          "template line 1: the ends of a range and the columns of a table must be whole numbers",
		"{% for x in payload.list limit: %}{% endfor %}":        `template line 1: syntax error in {% for x in payload.list limit: %}`,
		"{% for x in payload.list limit: 1 2 %}{% endfor %}":    `template line 1: syntax error in {% for x in payload.list limit: 1 2 %}`,
		"{% for x in payload.list | nope %}{{ x }}{% endfor %}": `template line 1: undefined filter "nope"`,
	} {
		_, err := newEngine().Text(t.Context(), template, b)
		require.EqualError(t, err, want, template)
	}
}
