package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFiltersTakeAnyValue: a filter of lists takes one value as a list of it, a filter of numbers a blank text as 0.
func TestFiltersTakeAnyValue(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"text":"Zoë","n":7,"yes":true,"blank":" ","none":null,"list":[3,1,2],"items":[{"a":{"b":1}},{"a":{"b":2},"a.b":3},{"c":[5,6]}],
		"o":{"k":"v"},"big":12345678901234567890,"neg":-0.3}`)
	for template, want := range map[string]string{
		"{{ payload.text | join: ', ' }}":                                                          "Zoë",
		"{{ payload.text | concat: payload.list | join: ' ' }}":                                    "Zoë 3 1 2",
		"{{ payload.list | concat: payload.text | join: ' ' }}":                                    "3 1 2 Zoë",
		"{{ payload.n | sort | reverse | uniq | compact | join }}":                                 "7",
		"{{ payload.none | sort | reverse | uniq | compact | join }}":                              "",
		"{{ payload.text | first }}{{ payload.text | last }}":                                      "Zë",
		"[{{ payload.n | first }}{{ payload.o | last }}{{ payload.none | first }}{{ '' | last }}]": "[]",
		"{{ payload.o | map: 'k' }}{{ payload.o | where: 'k', 'v' | size }}":                       "v1",
		"{{ payload.items | map: 'a.b' | join }}":                                                  "1 3 ",
		"{{ payload.items | map: 'c.1' | compact | join }}":                                        "6",
		"{{ payload.items | map: 'c' | compact | first | size }}":                                  "2",
		"{{ payload.list | slice: 1, 2 | join }} {{ payload.list | slice: -1 | first }}":           "1 2 2",
		"{{ payload.list | slice: 9 | size }} {{ payload.list | slice: 0, -1 | size }}":            "0 0",
		"{{ payload.text | slice: '1', '2' }} {{ payload.text | size }}":                           "oë 3",
		"{{ payload.blank | plus: 1 }} {{ payload.none | minus: 1 }} {{ 2 | times: '' }}":          "1 -1 0",
		"{{ payload.big | floor }} {{ payload.big | ceil }}":                                       "12345678901234567000 12345678901234567000",
		"{{ payload.neg | ceil }} {{ payload.neg | round }} {{ '-2.5' | abs | floor }}":            "0 0 2",
		"{{ 99999999999999999999 }} {{ -99999999999999999999 | abs }} {{ 123456789012345678 }}":    "100000000000000000000 100000000000000000000 123456789012345678",
		"{{ payload.n | size }}{{ payload.o | size }}":                                             "00",
	} {
		got, err := newEngine().HTML(t.Context(), template, b)
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
	}
	for template, want := range map[string]string{
		"{{ payload.text | plus: 1 }}":            `template line 1: filter plus: needs a number, not "Zoë"`,
		"\n{{ 1 | minus: payload.yes }}":          `template line 2: filter minus: needs a number, not true`,
		"{{ payload.list | abs }}":                `template line 1: filter abs: needs a number, not a list`,
		"{{ payload.o | round }}":                 `template line 1: filter round: needs a number, not an object`,
		"{{ payload.text | slice: 'x' }}":         `template line 1: filter slice: needs a number, not "x"`,
		"{{ payload.text | truncate: 'x' }}":      `template line 1: filter truncate: needs a number, not "x"`,
		"{% assign x = 7 | divided_by: 0 %}{{x}}": `template line 1: filter divided_by: the divisor must be a number that is not 0`,
	} {
		_, err := newEngine().Text(t.Context(), template, b)
		assert.EqualError(t, err, want, template)
	}
}
