package render

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// withBreaks readies HTML for the library that makes a text of it, which knows only paragraphs, headings and lists: what a mail program
// shows below each other would stand in one line, without a blank between the words. It leaves out comments, whose content the library
// takes for text when there are tags in it, as in those for Outlook, and writes signs and attributes so that < and > in them are no tags.
func withBreaks(body string) string {
	var b strings.Builder
	b.Grow(len(body))
	tokens := html.NewTokenizer(strings.NewReader(body))
	var within atom.Atom        // the element that began last
	inLine, gap := false, false // whether something stands in the current line, and whether a cell of a table ended behind it
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return b.String()
		}
		raw := tokens.Raw()
		if kind == html.TextToken && within == atom.Noscript { // which programs without scripts show
			b.Write(raw)
			inLine = true
			continue
		}
		token := tokens.Token()
		switch kind {
		case html.CommentToken, html.DoctypeToken:
			continue
		case html.TextToken:
			if isHiddenTag(within) {
				continue
			}
			if !inLine || gap {
				token.Data = strings.TrimLeft(token.Data, " \t\r\n\f")
			}
			if strings.TrimSpace(token.Data) != "" {
				if gap {
					b.WriteString(" ")
				}
				inLine, gap = true, false
			}
			b.WriteString(token.String())
			continue
		case html.StartTagToken, html.SelfClosingTagToken:
			within = token.DataAtom
			if text := altText(token); text != "" { // which mail programs show in the place of the picture
				if inLine {
					b.WriteString(" ")
				}
				b.WriteString(html.EscapeString(text))
				inLine, gap = true, true
				continue
			}
		case html.EndTagToken:
			within = 0
		}
		switch {
		case isHiddenTag(token.DataAtom):
			continue
		case !inLine:
		case isBlockTag(token.DataAtom):
			b.WriteString("<br>")
			inLine, gap = false, false
		case breaksByItself(token.DataAtom):
			inLine, gap = false, false
		case token.DataAtom == atom.Td, token.DataAtom == atom.Th:
			gap = true
		}
		b.WriteString(token.String())
	}
}

// altText is what a picture says where it is not shown.
func altText(token html.Token) string {
	if token.DataAtom != atom.Img {
		return ""
	}
	for _, a := range token.Attr {
		if a.Key == "alt" {
			return strings.Join(strings.Fields(a.Val), " ")
		}
	}
	return ""
}

// isHiddenTag reports whether the text of an element is not shown.
func isHiddenTag(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Title, atom.Iframe, atom.Noembed, atom.Noframes:
		return true
	}
	return false
}

// isBlockTag reports whether an element begins and ends lines and the library does not know it.
func isBlockTag(tag atom.Atom) bool {
	switch tag {
	case atom.Div, atom.Tr, atom.Table, atom.Hr, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Aside,
		atom.Blockquote, atom.Center, atom.Address, atom.Figure, atom.Figcaption, atom.Dl, atom.Dt, atom.Dd, atom.Form, atom.Caption:
		return true
	}
	return false
}

// breaksByItself reports whether the library ends the line at an element.
func breaksByItself(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Br, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li:
		return true
	}
	return false
}
