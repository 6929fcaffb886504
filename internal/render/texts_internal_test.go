package render

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTruncateKeepsCharactersWhole: what people see as one character is there or is not, and the text is never longer than asked for.
func TestTruncateKeepsCharactersWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		length int
		want   string
	}{
		{"Hi 👨‍👩‍👧‍👦!", 9, "Hi "},
		{"Hi 👨‍👩‍👧‍👦!!", 10, "Hi 👨‍👩‍👧‍👦"},
		{"a👍🏽b", 2, "a"},
		{"🇩🇪🇫🇷🇪🇸", 3, "🇩🇪"},
		{"🇩🇪🇫🇷🇪🇸", 4, "🇩🇪🇫🇷"},
		{"❤️‍🔥x", 1, ""},
		{"Cafe\u0301 au lait", 4, "Caf"},
		{"Cafe\u0301 au lait", 5, "Cafe\u0301"},
		{"नमस्ते जी", 5, "नमस्"},
		{"\u1112\u1161\u11ab\u1100\u1173\u11af", 5, "\u1112\u1161\u11ab"},
		{"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007fEngland", 6, ""},
		{"a\r\nb", 2, "a"},
		{"plain text", 5, "plain"},
		{"a" + strings.Repeat("\u0301", 50_000), 40_000, ""},
		{"x" + strings.Repeat("🇩", 50_001), 40_000, "x" + strings.Repeat("🇩", 39_998)},
	} {
		got, err := truncate(c.text, c.length, "")
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	got, err := truncate("Cafe\u0301 au lait", 7, nil)
	require.NoError(t, err)
	require.Equal(t, "Caf...", got)
}
