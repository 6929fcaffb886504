package workflow_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

func TestGrams(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"a", "ab", "abé", "b", "bé", "é"}, workflow.Grams("AbÉ"))
	require.Equal(t, []string{"a", "b"}, workflow.Grams("a", "b"), "no gram spans two texts")
	require.Empty(t, workflow.Grams(""))
	require.Equal(t, []string{"ßx"}, workflow.SearchGrams("ßX"))
	require.Len(t, workflow.SearchGrams(strings.Repeat("abcd", 100)), 24)
	require.Equal(t, "über\norder", workflow.SearchText("ÜBER", "Order"))
}

// FuzzSearchGrams holds that a text has every gram that a search for a part of it asks for.
func FuzzSearchGrams(f *testing.F) {
	f.Add("Order shipped", 3, 9)
	f.Add("ÜBERRASCHUNG 100%", 0, 4)
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		runes := []rune(text)
		if from < 0 || to > len(runes) || from >= to {
			return
		}
		have := workflow.Grams(string(runes))
		for _, gram := range workflow.SearchGrams(string(runes[from:to])) {
			if !slices.Contains(have, gram) {
				t.Fatalf("%q has no gram %q of %q", text, gram, string(runes[from:to]))
			}
		}
	})
}
