package jsonnum_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/jsonnum"
)

func TestUnquoted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``: ``, `{"a,b":1}`: `{:1}`, `["\"",2]`: `[,2]`, `["\\",3]`: `[,3]`, `["never ended`: `[`, `["\`: `[`, `-0.5e3`: `-0.5e3`,
	} {
		var got []byte
		for i, c := range jsonnum.Unquoted([]byte(text)) {
			require.Equal(t, text[i], c)
			got = append(got, c)
		}
		require.Equal(t, want, string(got), text)
	}
	for i := range jsonnum.Unquoted([]byte(`{"a":[]}`)) {
		require.Zero(t, i)
		break
	}
}
