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
		require.Equal(t, want, plainText(body), body)
	}
	for _, part := range []string{"<", "<div>", "<td>", "</div>", "<!--", "<noscript>", "&", "<a href='"} {
		require.LessOrEqual(t, len(plainText(strings.Repeat(part, 100_000/len(part)))), 200_000, part)
	}
}

// TestPlainTextOfLists: items have the signs that mail programs show, as far in as their lists are within each other, and what is not
// displayed is missing.
func TestPlainTextOfLists(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"<p>Hi</p><ul>\n<li>one</li>\n<li>two<ul><li>deep</li></ul></li></ul><p>end</p>":                              "Hi\n\n - one\n - two\n    - deep\n\nend",
		"<ul><li><p>one</p></li><li>two<br>more</li></ul>text":                                                        " - one\n\n - two\n   more\ntext",
		"<ol><li>one</li><li>two</li></ol><ol start=9><li>nine<li>ten</ol>":                                           " 1. one\n 2. two\n 9. nine\n 10. ten",
		"<ul><li></li><li>one</li></ul>":                                                                              " - one",
		"<p>code:</p><pre>\nif a {\n    b  &lt; c\n\n\n}\n</pre>end":                                                  "code:\n\nif a {\n    b  < c\n\n\n}\n\nend",
		"<div style=\"DISPLAY : none !important;max-height:0\">Preview <div>of</div> it &zwnj;&nbsp;</div><p>one</p>": "one",
		"<p hidden>a</p>one<img hidden alt=x><img style='display:none' alt=pixel src=y>":                              "one",
		"<span style='display:none'>a<p>one":                                                                          "a\n\none",
		"<div style='mso-hide:all;display:inline'>one</div>":                                                          "one",
		"<div>one</div><div><br></div><div>two</div><div>&nbsp;</div><p>three</p>":                                    "one\n\ntwo\n\nthree",
		"<a href='https://x.y'><div>Open</div></a>now <a href='JavaScript:x()'>a</a> <a>b</a>":                        "Open <https://x.y>\nnow a b",
		"ខ្ញុំ\u200bទៅ&#x200b;ផ្សារ":                                                                                  "ខ្ញុំ\u200bទៅ\u200bផ្សារ",
		"<textarea>a <b>c</textarea><p dir=rtl>שלום&rlm;</p>":                                                         "a <b>c\n\nשלום\u200f",
	} {
		require.Equal(t, want, plainText(body), body)
	}
}
