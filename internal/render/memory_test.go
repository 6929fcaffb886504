package render_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// TestMemoryIsBounded: what a template makes of small values stays within a multiple of the output that it may have. Without a bound
// each of these would take gigabytes under the limits of the service.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	limits := render.DefaultLimits()
	limits.Output = 1 << 10
	e := render.New(limits)
	doubled := func(name, first, filter string, times int) string {
		return fmt.Sprintf("{%% assign %[1]s = %[2]s %%}{%% for i in (1..%[3]d) %%}{%% assign %[1]s = %[1]s | %[4]s: %[1]s %%}{%% endfor %%}", name, first, times, filter)
	}
	text := doubled("s", `"x"`, "append", 9) // half the output
	list := text + "{% assign l = s | split: '|' %}"
	var variables strings.Builder
	for i := range 40 {
		fmt.Fprintf(&variables, "{%% assign v%d = s | append: 'x' %%}", i)
	}
	for name, template := range map[string]string{
		"OneTextInAList":    list + doubled("l", "l", "concat", 9) + "{{ l | size }}",
		"OneObjectInAList":  "{% assign l = payload.list %}" + doubled("l", "l", "concat", 9) + "{{ l | size }}",
		"LibrarysFilter":    "{{ payload.percents | url_encode | url_encode | size }}",
		"Captured":          text + "{% capture c %}{{ s }}{{ s }}{{ s }}{% endcapture %}",
		"ManyVariables":     text + variables.String(),
		"ManyVariablesRead": text + strings.ReplaceAll(strings.ReplaceAll(variables.String(), "assign ", "capture "), " = s | append: 'x' %}", " %}{{ s }}{% endcapture %}"),
		"ManyLists":         "{% assign parts = payload.percents | split: '' %}" + strings.ReplaceAll(variables.String(), "s | append: 'x'", "parts"),
	} {
		_, err := e.Text(t.Context(), template, bind(t, `{"percents":"`+strings.Repeat("%", 300)+`","list":[{"a":"`+strings.Repeat("b", 500)+`"}]}`))
		require.ErrorIs(t, err, render.ErrOutputTooLarge, name)
	}
	for template, want := range map[string]string{
		text + "{% for i in (1..40) %}{% assign v = s | append: 'x' %}{% endfor %}{{ v | size }}":             "513", // one variable, again and again
		"{% capture a %}{% capture b %}x{% endcapture %}{{ b }}y{% endcapture %}{{ a }}{{ b }}":               "xyx",
		"{% assign l = 'a,b' | split: ',' %}{% assign l = l | concat: l | concat: payload.n %}{{ l | json }}": `["a","b","a","b",1,null]`,
	} {
		got, err := e.Text(t.Context(), template, bind(t, `{"n":[1,null]}`))
		require.NoError(t, err, template)
		require.Equal(t, want, got, template)
	}
	_, err := newEngine().Text(t.Context(), doubled("s", `"x"`, "append", 17)+"{{ s | split: '' | size }}", bind(t, `{}`))
	require.ErrorIs(t, err, render.ErrOutputTooLarge, "more items than a list may have")
	_, err = newEngine().Text(t.Context(), "{% _capture x %}{% end_capture %}", bind(t, `{}`))
	require.ErrorContains(t, err, "undefined tag")
	_, err = newEngine().Text(t.Context(), "{% capture x %}", bind(t, `{}`))
	require.ErrorContains(t, err, `"capture"`)
	require.NotContains(t, err.Error(), "_capture")
}

// TestPartsHaveTheBoundsOfOneText: data of 64 kB can hold thousands of texts, and an e-mail hundreds of blocks.
func TestPartsHaveTheBoundsOfOneText(t *testing.T) {
	t.Parallel()
	limits := render.DefaultLimits()
	limits.Output = 100
	texts := func(n int, text string) map[string]any {
		return map[string]any{"list": slices.Repeat([]any{text}, n)}
	}
	b := bind(t, `{"s":"0123456789"}`)
	out, err := render.New(limits).Data(t.Context(), texts(10, "{{ payload.s }}"), b)
	require.NoError(t, err)
	require.Equal(t, texts(10, "0123456789"), out)
	_, err = render.New(limits).Data(t.Context(), texts(11, "{{ payload.s }}"), b)
	require.ErrorIs(t, err, render.ErrOutputTooLarge)

	limits.Time = 0 // is over for all of them, and for each
	_, err = render.New(limits).Data(t.Context(), texts(2, "{% if payload.s %}{% endif %}"), b)
	require.ErrorIs(t, err, render.ErrTooManySteps)

	limits.Time = time.Minute
	email := func(n int, content string) error {
		block := workflow.EmailBlock{Type: workflow.BlockText, Content: content}
		_, err := render.New(limits).Email(t.Context(), &workflow.EmailControls{Subject: "s", Blocks: slices.Repeat([]workflow.EmailBlock{block}, n)}, "", b)
		return err
	}
	require.NoError(t, email(10, "{{ payload.s }}"))
	require.ErrorIs(t, email(11, "{{ payload.s }}"), render.ErrOutputTooLarge)
	limits.Time = 0
	require.ErrorIs(t, email(1, "{% if payload.s %}{% endif %}"), render.ErrTooManySteps)
}
