package render

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// undisplayed is a style by which an element is not shown.
var undisplayed = regexp.MustCompile(`(?i)(?:^|[;\s])display\s*:\s*none\b`)

// hiddenElements are the elements that are not shown, such as the preview text above a mail: their first and last tokens, by number. One
// that is not closed hides nothing, because too much would be missing.
func hiddenElements(body string) map[int]int {
	if low := strings.ToLower(body); !strings.Contains(low, "display") && !strings.Contains(low, "hidden") {
		return nil
	}
	hidden := map[int]int{}
	open := map[string][]int{} // elements by name: their first tokens, or -1 where they are shown
	tokens := html.NewTokenizer(strings.NewReader(body))
	for n := 0; tokens.Next() != html.ErrorToken; n++ {
		switch token := tokens.Token(); token.Type {
		case html.StartTagToken, html.SelfClosingTagToken:
			first := -1
			if isHidden(token) {
				first = n
			}
			switch {
			case !isVoid(token.DataAtom):
				open[token.Data] = append(open[token.Data], first)
			case first >= 0:
				hidden[first] = n
			}
		case html.EndTagToken:
			if of := open[token.Data]; len(of) > 0 {
				if first := of[len(of)-1]; first >= 0 {
					hidden[first] = n
				}
				open[token.Data] = of[:len(of)-1]
			}
		}
	}
	return hidden
}

func isHidden(token html.Token) bool {
	for _, a := range token.Attr {
		if a.Key == "hidden" || a.Key == "style" && undisplayed.MatchString(a.Val) {
			return true
		}
	}
	return false
}

// isVoid reports whether an element has no end.
func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}
