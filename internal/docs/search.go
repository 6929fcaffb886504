package docs

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of one search, so that its cost does not depend on who asks.
const (
	maxTerms   = 8
	maxQuery   = 200 // bytes
	maxResults = 50
	excerpt    = 200 // bytes of text shown of a result
)

// Result is a section that holds every term of a search.
type Result struct {
	Document *Document
	Section  Section
	Excerpt  string // the text around the first term found
	score    int
}

// Search returns the sections that hold every term of the query, best first, at most 50. Terms in a heading weigh more
// than terms in its text; case does not matter.
func Search(all []*Document, query string) []Result {
	if len(query) > maxQuery {
		query = strings.ToValidUTF8(query[:maxQuery], "")
	}
	terms := strings.Fields(strings.ToLower(query))
	if len(terms) == 0 {
		return nil
	}
	terms = terms[:min(len(terms), maxTerms)]
	var results []Result
	for _, d := range all {
		for _, s := range d.Sections {
			if score := match(s, terms); score > 0 {
				results = append(results, Result{Document: d, Section: s, Excerpt: around(s.Text, terms), score: score})
			}
		}
	}
	slices.SortStableFunc(results, func(a, b Result) int { return cmp.Compare(b.score, a.score) })
	return results[:min(len(results), maxResults)]
}

// match returns how well a section fits the terms, 0 when one of them is missing.
func match(s Section, terms []string) (score int) {
	title, body := strings.ToLower(s.Number+" "+s.Title), strings.ToLower(s.Text)
	for _, term := range terms {
		inTitle, inBody := strings.Count(title, term), strings.Count(body, term)
		if inTitle+inBody == 0 {
			return 0
		}
		score += 20*min(inTitle, 1) + min(inBody, 5)
	}
	return score
}

// around cuts the text to the neighbourhood of the first term.
func around(text string, terms []string) string {
	start := 0
	if lower := strings.ToLower(text); len(lower) == len(text) { // else positions would differ
		start = max(0, strings.Index(lower, terms[0])-excerpt/3)
	}
	end := min(len(text), start+excerpt)
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	cut := text[start:end]
	if start > 0 {
		cut = "… " + cut
	}
	if end < len(text) {
		cut += " …"
	}
	return cut
}
