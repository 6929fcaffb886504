package render

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlainTextOfBlocks: what stands below or beside each other in a mail does so in its text, and what is not shown is not there.
func TestPlainTextOfBlocks(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"<div>one</div><div>two</div>three":                                     "one\ntwo\nthree",
		"<div>one</div>\n<div>two<br>\n</div>\n<div>three</div>":                "one\ntwo\nthree",
		"<div><div><div>one</div></div></div><div><div>two</div></div>":         "one\ntwo",
		"one<hr>two<blockquote>three</blockquote>":                              "one\ntwo\nthree",
		"<p>one</p><div>two</div><p>three</p>":                                  "one\n\ntwo\n\nthree",
		"<table><tr><td>Tea</td><td>3</td></tr><tr><th>Cup</th>\n<td> 4</td>":   "Tea 3\nCup 4",
		"<table><tr><td><table><tr><td>a</td></tr></table></td><td>b</td></tr>": "a\nb",
		"<!--[if mso]><table><tr><td>Outlook</td></tr></table><![endif]-->one":  "one",
		"<!-- a > b -->one<!doctype html>":                                      "one",
		`<p title="a>b">one</p><img title="a > b" src=x>`:                       "one",
		`<p>one</p><img alt=" a >
			b" src=x><img alt src=y>`: "one\n\na > b",
		`<a href=/x><img alt="Our shop" src=x></a><a href=/y><img alt="&lt;b&gt;" src=y/>now</a>`: "Our shop </x> <b> now </y>",
		"1 < 2 and 3 > 2":                     "1 < 2 and 3 > 2",
		"a &lt;b&gt; &amp;amp; &hellip; AT&T": "a <b> &amp; … AT&T",
		"<title>T</title><style>p > a{}</style><script>x='</div>';a<b</script>one": "one",
		"<script/>one</script>two<noscript>three <b>four</b></noscript>":           "twothree four",
		"<a href='https://x.y/?a=1&amp;b=2'>one</a><div><a href=/z>two</a></div>":  "one <https://x.y/?a=1&b=2>\ntwo </z>",
	} {
		got, err := plainText(body)
		require.NoError(t, err, body)
		require.Equal(t, want, got, body)
	}
	for _, part := range []string{"<", "<div>", "<td>", "</div>", "<!--", "<noscript>", "&", "<a href='"} {
		_, err := plainText(strings.Repeat(part, 100_000/len(part)))
		require.NoError(t, err, part)
	}
}
