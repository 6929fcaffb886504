package render_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/stall"
)

// TestFiltersAreBounded by the output that a message may have, before the memory for it is taken.
func TestFiltersAreBounded(t *testing.T) {
	t.Parallel()
	limits := render.DefaultLimits()
	limits.Output = 100
	e := render.New(limits)
	b := bind(t, `{"s":"`+strings.Repeat("x", 60)+`","l":["`+strings.Repeat("y", 60)+`","`+strings.Repeat("z", 60)+`"]}`)
	for template, fits := range map[string]bool{
		"{% assign a = payload.s | append: payload.s %}":             false,
		"{% assign a = payload.s | prepend: payload.s %}":            false,
		"{% assign a = payload.s | replace: 'x', 'yy' %}":            false,
		"{% assign a = payload.s | replace: '', 'y' %}":              false,
		"{% assign a = payload.s | replace: 'x', 'y' %}":             true,
		"{% assign a = payload.s | replace_first: 'x', payload.s %}": false,
		"{% assign a = payload.s | remove: 'x' %}":                   true,
		"{% assign a = payload.l | join: '' %}":                      false,
		"{% assign a = payload.l | first | append: 'z' %}":           true,
		"{% assign a = payload.l | json %}":                          false,
		"{{ payload.s }}{{ payload.s }}":                             false,
		"{{ payload.s }}" + strings.Repeat("t", 40):                  true,
		"{{ payload.s }}" + strings.Repeat("t", 41):                  false,
		strings.Repeat("t", 100):                                     true,
		strings.Repeat("t", 101):                                     false,
	} {
		_, err := e.Text(t.Context(), template, b)
		if fits {
			require.NoError(t, err, template)
			continue
		}
		assert.ErrorIs(t, err, render.ErrOutputTooLarge, template)
	}
	list, err := json.Marshal(map[string]any{"l": make([]int, 60_000)})
	require.NoError(t, err)
	for template, fits := range map[string]bool{
		"{{ payload.l | concat: payload.l | size }}": false, "{{ payload.l | uniq | concat: payload.l | size }}": true,
	} {
		_, err = newEngine().Text(t.Context(), template, bind(t, string(list)))
		require.Equal(t, fits, err == nil, template)
	}
}

// TestExpressionsAreBounded: an expression is evaluated without a look at the time, each part on a text of up to a megabyte.
func TestExpressionsAreBounded(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{"s":"x"}`)
	for template, want := range map[string]string{
		"{{ payload.s" + strings.Repeat(" | upcase", 100) + " }}":                                  "X",
		"{% if payload.s == 'y'" + strings.Repeat(" or payload.s == 'x'", 300) + " %}1{% endif %}": "1",
	} {
		got, err := e.Text(t.Context(), template, b)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, template := range []string{
		"{{ payload.s" + strings.Repeat(" | upcase", 101) + " }}",
		"{% assign a = payload.s" + strings.Repeat(" | upcase", 101) + " %}",
		"{% if payload.s contains 'y'" + strings.Repeat(" or payload.s contains 'y'", 1000) + " %}{% endif %}",
	} {
		_, err := e.Text(t.Context(), template, b)
		require.ErrorContains(t, err, "an expression may not have more than 100 filters or 2000 words and signs")
	}
}

// TestComparisonsAreBounded: an expression may compare large values hundreds of times, and looks at the time before each.
func TestComparisonsAreBounded(t *testing.T) {
	t.Parallel()
	list, err := json.Marshal(map[string]any{"l": make([]map[string]int, 100_000)})
	require.NoError(t, err)
	limits := render.DefaultLimits()
	limits.Time = 10 * time.Millisecond
	e, b := render.New(limits), bind(t, string(list))
	for _, template := range []string{
		"{{ " + strings.Repeat("payload.l == payload.l and ", 300) + "true }}",
		"{% if " + strings.Repeat("payload.l == payload.l and ", 300) + "true %}{% endif %}",
		"{% if " + strings.Repeat("(1..99999) != payload.l and ", 150) + "true %}{% endif %}",
	} {
		begin := time.Now()
		_, err := e.Text(t.Context(), template, b)
		require.ErrorIs(t, err, render.ErrTooManySteps)
		require.Less(t, time.Since(begin), stall.Limit(2*time.Second))
	}
	begin := time.Now()
	got, err := newEngine().Text(t.Context(), "{% if "+strings.Repeat("not ", 1900)+"true %}y{% endif %}", b)
	require.NoError(t, err)
	require.Equal(t, "y", got)
	require.Less(t, time.Since(begin), stall.Limit(2*time.Second))
}
