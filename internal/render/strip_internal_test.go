package render

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestStripHTML is as the expression that Liquid documents the filter by, which takes the square of the text's length.
func TestStripHTML(t *testing.T) {
	t.Parallel()
	documented := regexp.MustCompile(`(?s)<script.*?</script>|<!--.*?-->|<style.*?</style>|<.*?>`)
	part := rapid.SampledFrom([]string{"<script", "</script>", "<style", "</style>", "<!--", "-->", "<!-", "<", ">", "\n", "a", "<b>", "é"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
		require.Equal(t, documented.ReplaceAllString(text, ""), stripHTML(text))
	})
}

// TestStripHTMLIsLinear strips a text that a square of its length would keep for an hour, and then the test's time is over.
func TestStripHTMLIsLinear(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"<script>", "<style>", "<!--", "<!-->", "<"} {
		stripHTML(strings.Repeat(unit, (1<<20)/len(unit)))
	}
}
