package render

import "strings"

// sections are what disappears together with its content.
var sections = [...]struct{ begin, end string }{{"<script", "</script>"}, {"<!--", "-->"}, {"<style", "</style>"}, {"<", ">"}}

// stripHTML takes out tags, comments, scripts and styles. What has no end stays, and its end is not looked for again: a regular
// expression would read the rest of the text at each beginning, for hours in a text of a megabyte.
func stripHTML(text string) string {
	var b strings.Builder
	var endless [len(sections)]bool
	for rest := text; ; {
		at := strings.IndexByte(rest, '<')
		if at < 0 {
			b.WriteString(rest)
			return b.String()
		}
		b.WriteString(rest[:at])
		rest = rest[at:]
		length := 0
		for i, section := range sections {
			if endless[i] || !strings.HasPrefix(rest, section.begin) {
				continue
			}
			end := strings.Index(rest[len(section.begin):], section.end)
			if endless[i] = end < 0; end >= 0 {
				length = len(section.begin) + end + len(section.end)
				break
			}
		}
		if length == 0 { // not even a tag ends any more
			b.WriteString(rest)
			return b.String()
		}
		rest = rest[length:]
	}
}
