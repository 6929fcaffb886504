package accept

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		``: true, `{"a": 1, "b": -1.25, "c": true, "d": 100}`: true, `{"id": "12e4", "s": "\"1e5", "z": "-0"}`: true,
		`{"a": 1e3}`: false, `{"a": 1.5E-2}`: false, `[-0]`: false, `{"a": "\\", "b": 2e1}`: false,
	} {
		require.Equal(t, want, plainNumbers([]byte(text)), text)
	}
}
