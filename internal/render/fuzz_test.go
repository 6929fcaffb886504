package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// FuzzTemplate: no template panics, hangs, grows beyond its bound or shows our own additions.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{
		"{{ payload.a }}", "{{ payload.list | join: ', ' | truncate: 5 }}", "{% for i in (1..3) %}{{ i }}{% endfor %}",
		"{% assign a = 'x' %}{% if a == 'x' %}{{ a | t }}{% endif %}", "{%- raw -%}{{ x }}{%- endraw -%}",
		"{{ payload['a b'].c[0] | date: '%Y' | default: nil }}", "{% case a %}{% when 1 %}{% endcase %}", "{{'", "{%", "{{ a | }}",
		"{% for i in payload.list reversed limit:1 offset:1 %}{% cycle 'a', 'b' %}{% break %}{% endfor %}", "{{ (1..2) }}",
		"{% liquid\nassign a = payload.list\nfor i in a offset: continue\necho i | date: '%q', 60\nendfor %}{% # {{ x }} %}{{ a\n| has: 'k' }}",
		"{% if not a <> 'x' or payload.list >= 2 %}{% increment a %}{% elsif b == blank %}{% cycle a: '1', b %}{% endif %}",
		"{% case payload.a %}{% when 1 or '\\n', blank %}{% endcase %}{% unless a %}{% elsif a %}{% endunless %}{{ a | default: 1, allow_false: true }}",
	} {
		f.Add(s)
	}
	limits := render.DefaultLimits()
	limits.Output, limits.Iterations, limits.Time = 64<<10, 1000, time.Second
	e := render.New(limits)
	b := render.Vars{Payload: map[string]any{"a": "<1>", "list": []any{"x", 2.0, nil, map[string]any{"k": true}}}}.Bind()
	f.Fuzz(func(t *testing.T, source string) {
		text, err := e.Text(t.Context(), source, b)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
		}
		require.LessOrEqual(t, len(text), limits.Output)
		_, _ = e.HTML(t.Context(), source, b)
		e.Analyze(source, workflow.TemplateScope{})
	})
}

// FuzzPlain: the fast path reads variables as the library does. A comment keeps a template off the fast path.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"payload.a", "payload.list[1]", "payload.o.k.z", "nope.x", "payload.n", "payload.list[9]", "payload", "payload.o[0]"} {
		f.Add(s)
	}
	e := newEngine()
	b := render.Vars{Payload: map[string]any{
		"a": "<1>", "n": 1e6, "list": []any{"x", 2.0}, "o": map[string]any{"k": true, "0": "zero"},
	}}.Bind()
	f.Fuzz(func(t *testing.T, path string) {
		if strings.ContainsAny(path, "{}%\n") {
			t.Skip()
		}
		plain, err := e.HTML(t.Context(), "{{ "+path+" }}", b)
		full, fullErr := e.HTML(t.Context(), "{{ "+path+" }}{% comment %}{% endcomment %}", b)
		require.Equal(t, err == nil, fullErr == nil, "%v / %v", err, fullErr)
		require.Equal(t, full, plain)
	})
}
