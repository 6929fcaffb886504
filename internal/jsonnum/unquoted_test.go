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

func TestIsPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		``: true, `{"a": 1, "b": -1.25, "c": true, "d": 100}`: true, `{"id": "12e4", "s": "\"1e5", "z": "-0"}`: true,
		`{"a": 1e3}`: false, `{"a": 1.5E-2}`: false, `[-0]`: false, `{"a": "\\", "b": 2e1}`: false,
	} {
		require.Equal(t, want, jsonnum.IsPlain([]byte(text)), text)
	}
}
