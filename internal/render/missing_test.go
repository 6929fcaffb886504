package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
)

func TestKeysOf(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][]render.KeyUse{
		"{{ 'a' | t }}":                                                                {{"a", 1}},
		"one\ntwo {{ \"it's\" | t | upcase }}":                                         {{"it's", 2}},
		"{% assign x = 'a' | t %}\n{{- 'b' | t -}}":                                    {{"a", 1}, {"b", 2}},
		"\n{% render 'card',\n title: 'a' | t,\n other: 'b', last: 'c' | t %}":         {{"a", 3}, {"c", 4}},
		"{% if x == 'a' %}{% endif %}{{ 'b' | upcase }}":                               nil,
		"{{ 'a' | append: 'b' | t }}":                                                  nil,
		"{{ 'a' | replace: 'b', 'c' | t }}":                                            nil,
		"{{ payload.key | default: 'a' | t }}":                                         nil,
		"{{ payload.key | t }}{{ 'a' | upcase | t }}":                                  nil,
		"{% raw %}{{ 'a' | t }}{% endraw %}{% comment %}{{ 'a' | t }}{% endcomment %}": nil,
		"'a' | t": nil,
	} {
		require.Equal(t, want, render.KeysOf(source), source)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	texts := func(keys ...string) map[string]string {
		of := map[string]string{}
		for _, key := range keys {
			of[key] = ""
		}
		return of
	}
	for name, c := range map[string]struct {
		stored   render.Translations
		fallback string
		used     []string
		want     []render.MissingKey
	}{
		"nothing":  {nil, "en", nil, nil},
		"complete": {render.Translations{"en": texts("a"), "de": texts("a")}, "en", []string{"a"}, nil},
		"used by templates": {
			render.Translations{"en": texts("a"), "de": texts("b")},
			"en",
			[]string{"c", "a", "c"},
			[]render.MissingKey{{"a", []string{"de"}}, {"b", []string{"en"}}, {"c", []string{"de", "en"}}},
		},
		"of the language":          {render.Translations{"de": texts("a", "b"), "de-AT": texts("a")}, "de", nil, nil},
		"of the region":            {render.Translations{"de": texts("b"), "de-AT": texts("a")}, "de", nil, []render.MissingKey{{"a", []string{"de"}}}},
		"without the fallback":     {render.Translations{"de": texts("a")}, "en-GB", []string{"a"}, []render.MissingKey{{"a", []string{"en-GB"}}}},
		"fallback of the language": {render.Translations{"en": texts("a"), "de": texts("a")}, "en-GB", nil, nil},
		"fallback in other case":   {render.Translations{"en_gb": texts("a"), "de": texts("b")}, "en-GB", nil, []render.MissingKey{{"a", []string{"de"}}, {"b", []string{"en_gb"}}}},
	} {
		require.Equal(t, c.want, c.stored.Missing(c.fallback, c.used), name)
	}
}
