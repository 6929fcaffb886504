package email

import "strings"

// opens reports whether a text begins with what begins something in the template languages of vendors: `{{ … }}`, `{% … %}` or `${…}`.
func opens(text string) bool {
	return strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "{%") || strings.HasPrefix(text, "${")
}

// makeLiteral leaves nothing in the mail that a vendor which takes every content for a template of its own would evaluate. What looks like
// a template is text by now, of a reader's comment for example: it would reach what the vendor knows of people, or end the mail. The HTML
// reads the same; in plain text a space of no width is between the two characters.
func (l *letter) makeLiteral() {
	l.html = parted(l.html, func(first string) string { return entities[first] })
	for _, text := range []*string{&l.subject, &l.text, &l.senderName} {
		*text = parted(*text, func(first string) string { return first + "\u200b" })
	}
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
