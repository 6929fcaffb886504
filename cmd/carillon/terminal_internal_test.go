package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Names and texts of others reach a terminal as text: none of them moves its cursor, clears it or sets its title.
func TestPrintedTextsAreText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\tb\nc\r\nd":                            "a\tb\nc\r\nd",
		"\x1b[2J\x1b]0;title\a":                   `\u001b[2J\u001b]0;title\u0007`,
		"shown\rhidden\b\x7f\x00":                 `shown\u000dhidden\u0008\u007f\u0000`,
		"\u009b31m\u0080 \u00a0é\u00bf\U0001f600": `\u009b31m\u0080` + " \u00a0é\u00bf\U0001f600",
	} {
		for size := 1; size <= len(text); size++ {
			var out strings.Builder
			p := &printable{to: &out}
			for from := 0; from < len(text); from += size {
				piece := text[from:min(from+size, len(text))]
				n, err := p.Write([]byte(piece))
				require.NoError(t, err)
				require.Len(t, piece, n)
			}
			if size >= len(text) || !strings.Contains(text, "\r\n") { // a line's end within one piece
				require.Equal(t, want, out.String(), size)
			}
		}
	}
	name := "\u009b\x7f\x1b\"\n"
	raw, err := json.Marshal(name)
	require.NoError(t, err)
	var out strings.Builder
	_, err = (&printable{to: &out}).Write(raw)
	require.NoError(t, err)
	var read string
	require.NoError(t, json.Unmarshal([]byte(out.String()), &read))
	require.Equal(t, name, read)
}
