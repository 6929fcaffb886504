package render

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// plainText makes the plain part of a mail from its HTML: what a mail program shows below each other is below each other there, and what
// it does not show is missing.
func plainText(body string) string {
	w := partWriter{}
	w.document(body, hiddenElements(body), true)
	return strings.TrimRight(w.text.String(), " \t\n")
}

// partWriter writes the text of HTML token by token, since a mail may have any number of elements within each other.
type partWriter struct {
	text   strings.Builder
	breaks int    // ends of lines that are due before what follows
	inLine bool   // whether something is in the current line
	space  bool   // whether a blank is due
	items  []int  // for each open list the number of its next item; 0: they have none
	bullet string // of the item that has begun
	pre    int    // open elements that keep blanks and lines
	preAt  int    // where the text of the last one begins
	link   string // address of the open link
	linkAt int    // where its text begins
}

// document writes the text of HTML. Programs without scripts show what is in noscript, which the tokenizer takes for text.
func (w *partWriter) document(body string, hidden map[int]int, noscript bool) {
	tokens := html.NewTokenizer(strings.NewReader(body))
	var within atom.Atom // the element that began last
	until := -1          // the token that ends what is hidden
	for n := 0; ; n++ {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return
		}
		switch {
		case n <= until:
			continue
		case kind == html.TextToken && within == atom.Noscript && noscript:
			w.document(string(tokens.Raw()), nil, false)
			continue
		}
		token := tokens.Token()
		switch kind {
		case html.TextToken:
			if !isHiddenTag(within) {
				w.write(token.Data)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			within = token.DataAtom
			if last, is := hidden[n]; is {
				until, within = last, 0
				continue
			}
			w.begin(token)
		case html.EndTagToken:
			within = 0
			w.end(token.DataAtom)
		}
	}
}

// write writes a text, with one blank for any between words.
func (w *partWriter) write(text string) {
	if w.pre > 0 {
		w.asItIs(text)
		return
	}
	words := strings.FieldsFunc(text, isBlank)
	if !w.inLine || w.breaks > 0 {
		if len(words) == 1 && strings.Trim(words[0], "\u00a0") == "" { // keeps a cell or a line open
			return
		}
	}
	for i, word := range words {
		w.space = w.space || i > 0 || isBlank(rune(text[0]))
		w.put(word)
		w.space = false
	}
	w.space = w.space || text != "" && isBlank(rune(text[len(text)-1]))
}

// asItIs writes a text with its blanks and lines.
func (w *partWriter) asItIs(text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if w.text.Len() == w.preAt {
		text = strings.TrimPrefix(text, "\n") // which does not count
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			w.breaks++
		}
		if line != "" {
			w.put(line)
		}
	}
}

// put writes what is due and a text in the current line.
func (w *partWriter) put(text string) {
	if w.text.Len() == 0 {
		w.breaks, w.inLine = 0, false
	}
	if w.breaks > 0 {
		w.text.WriteString(strings.Repeat("\n", w.breaks))
		w.breaks, w.inLine = 0, false
	}
	switch {
	case w.inLine && w.space:
		w.text.WriteString(" ")
	case !w.inLine && w.bullet != "":
		w.text.WriteString(indent(len(w.items)-1) + w.bullet)
	case !w.inLine:
		w.text.WriteString(indent(len(w.items)))
	}
	w.text.WriteString(text)
	w.inLine, w.space, w.bullet = true, false, ""
}

// indent is what lines within so many lists begin with.
func indent(lists int) string {
	const deepest = 4
	return strings.Repeat("   ", max(0, min(lists, deepest)))
}

// newLine ends the line, with a blank one behind it when there are two breaks.
func (w *partWriter) newLine(breaks int) {
	w.breaks, w.space = max(w.breaks, breaks), w.space && breaks == 0
}

func (w *partWriter) begin(token html.Token) {
	tag := token.DataAtom
	w.newLine(breaksAround(tag))
	switch tag {
	case atom.Br:
		w.newLine(min(w.breaks+1, 2))
	case atom.Img:
		if text := attribute(token, "alt"); strings.TrimSpace(text) != "" { // which mail programs show in the place of the picture
			w.write(" " + text + " ")
		}
	case atom.A:
		w.link, w.linkAt = attribute(token, "href"), w.text.Len()
	case atom.Ul:
		w.items = append(w.items, 0)
	case atom.Ol:
		start, err := strconv.Atoi(attribute(token, "start"))
		if err != nil || start < 1 {
			start = 1
		}
		w.items = append(w.items, start)
	case atom.Li:
		w.bullet = " - "
		if last := len(w.items) - 1; last >= 0 && w.items[last] > 0 {
			w.bullet = " " + strconv.Itoa(w.items[last]) + ". "
			w.items[last]++
		}
	case atom.Pre:
		w.pre++
		w.preAt = w.text.Len()
	}
}

func (w *partWriter) end(tag atom.Atom) {
	w.newLine(breaksAround(tag))
	switch tag {
	case atom.Td, atom.Th:
		w.space = true
	case atom.A:
		if w.link != "" && !strings.HasPrefix(strings.ToLower(w.link), "javascript:") {
			breaks := w.breaks
			if w.text.Len() > w.linkAt { // beside the last line of its text
				w.breaks = 0
			}
			w.space = true
			w.put("<" + w.link + ">")
			w.newLine(breaks)
		}
		w.link = ""
	case atom.Ul, atom.Ol:
		w.items = w.items[:max(0, len(w.items)-1)]
		w.bullet = ""
	case atom.Li:
		w.bullet = ""
	case atom.Pre:
		w.pre = max(0, w.pre-1)
	}
}

func isBlank(r rune) bool { return strings.ContainsRune(" \t\r\n\f", r) }

func attribute(token html.Token, name string) string {
	for _, a := range token.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
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

// breaksAround is how many lines an element ends where it begins and ends: 2 leave a blank one.
func breaksAround(tag atom.Atom) int {
	switch tag {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Pre:
		return 2
	case atom.Div, atom.Tr, atom.Table, atom.Hr, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Aside,
		atom.Blockquote, atom.Center, atom.Address, atom.Figure, atom.Figcaption, atom.Dl, atom.Dt, atom.Dd, atom.Form, atom.Caption,
		atom.Ul, atom.Ol, atom.Li:
		return 1
	}
	return 0
}
