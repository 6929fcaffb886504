package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/workflow"
)

// TestTags: the tags as Liquid documents them.
func TestTags(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"k":"b","n":7,"e":"","none":null,"yes":true,"no":false,"list":[3,1,2],"o":{"a":1},"same":{"a":1},"x":"<b>","deep":[[1,2],[3]],"it's":[1,2]}`)
	for template, want := range map[string]string{
		"{% case payload.k %}{% when 'a' or 'b' %}1{% else %}2{% endcase %}":                                                                            "1",
		"{% case payload.k %}{% when 'a', 'c' or payload.k %}1{% else %}2{% endcase %}":                                                                 "1",
		"{% case payload.e %}{% when blank %}1{% else %}2{% endcase %}":                                                                                 "1",
		"{% case payload.none %}{% when empty %}1{% when nil %}2{% endcase %}":                                                                          "2",
		"{% case payload.n %}{% when '7' %}1{% when 7.0 %}2{% endcase %}":                                                                               "2",
		"{% case payload.o %}{% when payload.same %}1{% endcase %}":                                                                                     "1",
		"{% case payload.k %}\n {% when 'b' %}1{% when 'b' or 'c' %}2{% else %}3{% endcase %}":                                                          "12",
		"{% case payload.k | upcase %}{% when 'B' %}1{% endcase %}{% case payload.n > 6 %}{% when true %}2{% endcase %}":                                "12",
		"{% case payload.k %}{% when 'or' or ' or ' %}1{% else %}2{% endcase %}":                                                                        "2",
		"{% unless payload.yes %}1{% elsif payload.no %}2{% elsif payload.n == 7 %}3{% else %}4{% endunless %}":                                         "3",
		"{% unless payload.no %}1{% elsif payload.yes %}2{% endunless %}":                                                                               "1",
		"{% unless payload.yes %}1{% else %}2{% endunless %}{% if payload.none %}3{% elsif payload.e %}4{% endif %}":                                    "24",
		"{% increment a %}{% increment a %}{% increment b %}{{ a }}":                                                                                    "0102",
		"{% decrement a %}{% decrement a %}{% increment a %}{{ a }}":                                                                                    "-1-2-2-1",
		"{% assign a = 10 %}{% increment a %}{% increment a %}{{ a }}":                                                                                  "0110",
		"{% for i in payload.list %}{% increment row %}{% endfor %}":                                                                                    "012",
		"{% for i in payload.list %}{% cycle 'g': 'a', 'b' %}{% cycle 'h': 'a', 'b' %}{% endfor %}":                                                     "aabbaa",
		"{% for i in payload.list %}{% cycle payload.k, payload.n %}{% endfor %}":                                                                       "b7b",
		"{% for i in payload.list %}{% cycle payload.k: 'x', 'y' %}{% cycle 'b': 'x', 'y' %}{% endfor %}":                                               "xyxyxy",
		"{% cycle 1, 2 %}{% cycle 1, 2 %}{% cycle 1, 2 %}":                                                                                              "121",
		"{% for i in (1..3) %}{% cycle 'a','b' %}{% endfor %}{% for i in (1..3) %}{% cycle 'a','b' %}{% endfor %}":                                      "ababab",
		"{% cycle '<i>', ',' %}{% cycle '<i>', ',' %}{% cycle payload.x %}{% cycle 'a:b': ', ' %}":                                                      "<i>,&lt;b&gt;, ",
		"{% for i in payload.list %}{% for j in payload.list %}{{ forloop.parentloop.index }}{{ forloop.index }} {% endfor %}{% endfor %}{{ forloop }}": "11 12 13 21 22 23 31 32 33 ",
		"{% for i in payload.deep %}{% for j in i %}{% if j == 2 %}{% break %}{% endif %}{{ j }}{% endfor %}{% continue %}x{% endfor %}":                "13",
		"{% tablerow i in payload.list cols: 2 %}{{ tablerowloop.col }}{{ tablerowloop.col0 }}{{ tablerowloop.row }}{{ tablerowloop.col_first }}{{ tablerowloop.col_last }}{{ tablerowloop.last }}{{ forloop.index }}{% endtablerow %}{{ tablerowloop }}": `<tr class="row1"><td class="col1">101truefalsefalse1</td><td class="col2">211falsetruefalse2</td></tr><tr class="row2"><td class="col1">102truetruetrue3</td></tr>`,
		"{% for i in payload.list limit: 1 %}{{ i }}{% endfor %}-{% for i in payload.list offset: continue limit: 1 %}{{ i }}{% endfor %}-{% for i in payload.list offset:continue %}{{ i }}{% else %}none{% endfor %}":                                   "3-1-2",
		"{% for i in payload[\"it's\"] limit: 1 %}{{ i }}{% endfor %}{% for i in payload[\"it's\"] offset: continue %}{{ i }}{% endfor %}":                                                                                                                "12",
		"{% for i in payload.list %}{% if i == 1 %}{% break %}{% endif %}{% endfor %}{% for i in payload.list offset: continue %}{{ i }}{% endfor %}":                                                                                                     "2",
		"{% capture 'x' %}a{% endcapture %}{{ x }}{% capture \"y\" %}b{% endcapture %}{{ y }}":                                                                                                                                                            "ab",
		"{% assign r = (1..payload.n) %}{{ r | join: ',' }} {{ (3..1) | size }} {% for i in (1..3) | reverse %}{{ i }}{% endfor %}":                                                                                                                       "1,2,3,4,5,6,7 0 321",
		"{% assign i = 'keep' %}{% for i in payload.list %}{% assign last = i %}{% endfor %}{{ i }}{{ last }}":                                                                                                                                            "keep2",
		"a {%- if payload.yes -%} b {%- endif -%} c {%- case payload.k -%} {%- when 'b' -%} d {%- endcase -%} e":                                                                                                                                          "abcde",
		"a\n{%- unless payload.no %}\nb\n{%- endunless %}\nc{% for i in payload.list -%} {{ i }} {%- endfor %}":                                                                                                                                           "a\nb\nc312",
		"{{ _continue }}{% for i in _continue %}x{% endfor %}{{ _continue | size }}":                                                                                                                                                                      "0",
	} {
		got, err := newEngine().HTML(t.Context(), template, b)
		if assert.NoError(t, err, template) {
			assert.Equal(t, want, got, template)
		}
		if !strings.Contains(template, "_continue") {
			assert.Empty(t, newEngine().Analyze(template, workflow.TemplateScope{HTML: true}), template)
		}
	}
}

// TestFaultsOfTags say what to do, and never what the library is given.
func TestFaultsOfTags(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"{% if a %}\n{% endunless %}":                      "template line 2: {% endunless %} closes nothing here: {% if %} is closed by {% endif %}",
		"{% unless a %}":                                   `template line 1: unterminated "unless" block in {% unless a %}`,
		"{% case a %}{% elsif b %}{% endcase %}":           "template line 1: elsif not inside if or unless; immediate parent is case in {% elsif b %}",
		"{% when 1 %}":                                     "template line 1: when not inside case in {% when 1 %}",
		"{% case a %}{% when 'x' == %}{% endcase %}":       "template line 1: syntax error in {% when 'x' == %}",
		"{% increment %}":                                  "template line 1: a counter needs a name, such as {% increment row %} in {% increment %}",
		"{% decrement a.b %}":                              "template line 1: a counter needs a name, such as {% increment row %} in {% decrement a.b %}",
		"{% cycle %}":                                      `template line 1: cycle takes values, and before them the name of a group if it has one, such as {% cycle "rows": "odd", "even" %} in {% cycle %}`,
		"{% cycle 'a': 'b': 'c' %}":                        `template line 1: cycle takes values, and before them the name of a group if it has one, such as {% cycle "rows": "odd", "even" %} in {% cycle 'a': 'b': 'c' %}`,
		"{% include 'x' %}":                                `template line 1: include is not available; a snippet is rendered with {% render "identifier" %} in {% include 'x' %}`,
		"{% for x in a %}{% else %}{% else %}{% endfor %}": "template line 1: a loop has one else",
		"\n{% if a == 1 and b.size > 2 %}{% for x in a %}{% endfor %}": `template line 2: unterminated "if" block in {% if a == 1 and b.size > 2 %}`,
		"{% nope a == '\\n' %}":            `template line 1: undefined tag "nope" in {% nope a == '\n' %}`,
		"{% cycle a.size, b == %}":         `template line 1: cycle takes values, and before them the name of a group if it has one, such as {% cycle "rows": "odd", "even" %} in {% cycle a.size, b == %}`,
		"{% liquid\nif a == 1\necho a\n%}": `template line 2: unterminated "if" block in {% if a == 1 %}`,
		"{% _tick %}":                      `template line 1: undefined tag "_tick" in {% _tick %}`,
	} {
		assert.EqualError(t, newEngine().Check(template, false), want, template)
	}
	for template, want := range map[string]string{
		"{% if true %}\n{% for i in (1..2) %}\n{{ 'x' | plus: 1 }}{% endfor %}{% endif %}": `template line 3: filter plus: needs a number, not "x"`,
		"\n{% break %}":                             "template line 2: break is only for loops",
		"{{ (1..200000) | size }}":                  render.ErrOutputTooLarge.Error(),
		"{{ ('a'..'b') | size }}":                   "template line 1: the ends of a range and the columns of a table must be whole numbers",
		"{% assign _budget = 1 %}{% increment a %}": render.ErrTooManySteps.Error(),
	} {
		_, err := newEngine().Text(t.Context(), template, render.Vars{}.Bind())
		assert.EqualError(t, err, want, template)
	}
}

// TestFaultsOfIdleTags: what a tag would ignore is a fault when it is saved, and stored templates are rendered without it.
func TestFaultsOfIdleTags(t *testing.T) {
	t.Parallel()
	const capture = "template line 1: capture needs the name of a variable, such as {% capture address %} in "
	for template, want := range map[string]string{
		"{% capture %}x{% endcapture %}":                    capture + "{% capture %}",
		"{% capture a b %}x{% endcapture %}":                capture + "{% capture a b %}",
		"{% capture a.b %}x{% endcapture %}":                capture + "{% capture a.b %}",
		"{% capture 'a b' %}x{% endcapture %}":              capture + "{% capture 'a b' %}",
		"{% capture \"a' %}x{% endcapture %}":               capture + "{% capture \"a' %}",
		"{% capture a | upcase %}x{% endcapture %}":         capture + "{% capture a | upcase %}",
		"{% if a %}\n{% else if b %}{% endif %}":            "template line 2: else takes no condition, elsif does in {% else if b %}",
		"{% if a %}{% else %}\n{% elsif b %}{% endif %}":    "template line 2: elsif comes before else in {% elsif b %}",
		"{% unless a %}{% else %}{% else %}{% endunless %}": "template line 1: unless has one else in {% else %}",
		"{% case a %}{% else %}{% else %}{% endcase %}":     "template line 1: case has one else in {% else %}",
		"{% for x in a %}{% break if x %}{% endfor %}":      "template line 1: break takes nothing in {% break if x %}",
		"{% if a %}{% continue %}{% endif %}":               "template line 1: continue is only for loops in {% continue %}",
		"{% for x in a limit: 1 limit: 2 %}{% endfor %}":    "template line 1: limit is there twice in {% for x in a limit: 1 limit: 2 %}",
		"{% for x in a reversed reversed %}{% endfor %}":    "template line 1: reversed is there twice in {% for x in a reversed reversed %}",
		"{% for x in a cols: 2 %}{% endfor %}":              "template line 1: cols is only for tablerow in {% for x in a cols: 2 %}",
		"{% render 'x', a: 1, a: 2 %}":                      "template line 1: the argument a is there twice in {% render 'x', a: 1, a: 2 %}",
		"{% raw x %}{% endraw %}":                           "template line 1: raw takes nothing in {% raw x %}",
		"{% liquid\n if a\n echo b\n else if c\n endif %}":  "template line 4: else takes no condition, elsif does in {% else if c %}",
		"{% for x in a %}{% tablerow y in x cols: 2 %}{% break %}{% endtablerow %}{% else %}{% endfor %}{% comment a %}{% else %}{% endcomment %}":                    "",
		"{% case a %}{% when 1 %}{% if b %}{% else %}{% endif %}{% else %}{% endcase %}{% raw %}{% break %}{% endraw %}{% echo %}{% capture 'b-c' %}{% endcapture %}": "",
	} {
		err := newEngine().Check(template, false)
		if want == "" {
			require.NoError(t, err, template)
			continue
		}
		require.EqualError(t, err, want, template)
		_, err = newEngine().Text(t.Context(), template, render.Vars{Snippets: map[string]string{"x": "y"}}.Bind())
		require.NoError(t, err, template)
	}
}

// TestTagsAreBounded by the budget of the rendering.
func TestTagsAreBounded(t *testing.T) {
	t.Parallel()
	limits := render.DefaultLimits()
	limits.Output, limits.Iterations = 1000, 500
	e := render.New(limits)
	for template, want := range map[string]error{
		"{% for i in (1..100) %}{% for j in (1..100) %}{% endfor %}{% endfor %}": render.ErrTooManySteps,
		"{% for i in (1..300) %}{% cycle 'abcdefgh' %}{% endfor %}":              render.ErrOutputTooLarge,
		"{% tablerow i in (1..100) %}{% endtablerow %}":                          render.ErrOutputTooLarge,
		"{% for i in (1..1000) %}{% increment a %}{% endfor %}":                  render.ErrTooManySteps,
		"{% liquid\n" + strings.Repeat("assign a = 1\n", 600) + "%}":             render.ErrTooManySteps,
		"{% assign a = (1..90000) %}{% assign b = (1..90000) | concat: a %}":     render.ErrOutputTooLarge,
	} {
		_, err := e.Text(t.Context(), template, render.Vars{}.Bind())
		require.ErrorIs(t, err, want, template)
	}
}

// TestNestedListsAreBounded: filters can nest lists as deep as a loop has turns. What is written of them takes no copy for each level.
func TestNestedListsAreBounded(t *testing.T) {
	t.Parallel()
	limits := render.DefaultLimits()
	limits.Time = 20 * time.Second
	e := render.New(limits)
	const nest = "{% assign text = payload.text %}{% assign a = text | split: '|' %}{% assign none = a | slice: 9 %}{% for i in (1..3000) %}{% assign a = none | push: a %}{% endfor %}"
	b := render.Vars{Payload: map[string]any{"text": strings.Repeat("x", 900_000)}}.Bind()
	begin := time.Now()
	for template, want := range map[string]error{
		nest + "{{ a | size }}{% if a == a %}{{ a | json | size }}{% endif %}{{ a | join | size }}{{ a }}": nil,
		nest + "{% assign j = a | json: 10 %}": render.ErrOutputTooLarge,
	} {
		_, err := e.Text(t.Context(), template, b)
		require.ErrorIs(t, err, want)
	}
	require.Less(t, time.Since(begin), stall.Limit(10*time.Second))
}
