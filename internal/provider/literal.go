package provider

import "strings"

// LiteralText returns a text in which a vendor that takes every content for a template of its own finds none, with a space of no width
// between the two characters that open something. What looks like a template is text by now, of a reader's comment for example: evaluated,
// it would reach what the vendor knows of people, or end the message.
func LiteralText(text string) string {
	return parted(text, func(first string) string { return first + "\u200b" })
}

// LiteralHTML does the same for HTML, which reads as before.
func LiteralHTML(html string) string {
	return parted(html, func(first string) string { return entities[first] })
}

var entities = map[string]string{"{": "&#123;", "$": "&#36;"}

// parted replaces the first character of each opening. The second one may be the first of another.
func parted(text string, replace func(first string) string) string {
	var out strings.Builder
	for from := 0; ; {
		at := strings.IndexAny(text[from:], "{$")
		if at < 0 {
			return out.String() + text[from:]
		}
		at += from
		out.WriteString(text[from:at])
		from = at + 1
		if first := text[at:from]; opens(text[at:]) {
			out.WriteString(replace(first))
		} else {
			out.WriteString(first)
		}
	}
}

// opens reports whether a text begins with what begins something in the template languages of vendors: `{{ … }}`, `{% … %}` or `${…}`.
func opens(text string) bool {
	return strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "{%") || strings.HasPrefix(text, "${")
}
