package icu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render/cldr"
	"github.com/carillon/carillon/internal/render/icu"
)

func TestDoubts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		locale, message string
		want            []string
	}{
		{"en", "{n, plural, one {#} other {#}} {d, date} {name}", nil},
		{"fr", "{n, plural, one {#} other {#}}", nil},
		{"ja", "{n, plural, =1 {a} one {#} other {#}}", []string{"no number takes the form one of the argument n; the language has other"}},
		{"pl", "a {n, plural, one {#} other {#}}", []string{"the argument n has no text for few, many, so that the one for other is written"}},
		{"en", "{x, select, other {{n, selectordinal, one {#st} two {#nd} many {#} other {#th}}}}", []string{
			"no number takes the form many of the argument n; the language has one, two, few, other",
			"the argument n has no text for few, so that the one for other is written",
		}},
	} {
		m, err := icu.Parse(c.message)
		require.NoError(t, err)
		require.Equal(t, c.want, m.Doubts(cldr.For(c.locale)), c.message)
	}
}
