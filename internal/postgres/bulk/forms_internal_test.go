package bulk

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormsAreMadeOnce: rows that are far more alike than the best of many forms go by that one, whose text is not made again for each
// statement.
func TestFormsAreMadeOnce(t *testing.T) {
	t.Parallel()
	made := 0
	text := func(columnSet) string { made++; return "" }
	f := &forms{}
	for _, alike := range []columnSet{0x0000_000f, 0x0000_0ff0, 0x000f_f000, 0x0ff0_0000} {
		require.Equal(t, alike, f.of(alike, leastRows, text).once)
	}
	require.Equal(t, mostForms, made)
	for range 3 {
		require.Equal(t, columnSet(0x0000_000f), f.of(0xf000_003f, leastRows, text).once)
	}
	require.Equal(t, mostForms, made)
	require.Equal(t, columnSet(0x0000_0fe0), f.of(0xf000_0fef, leastRows, text).once, "another is made to fit, which is better")
	require.Equal(t, mostForms+1, made)
}
