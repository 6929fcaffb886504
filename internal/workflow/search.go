package workflow

import (
	"slices"
	"strings"
)

// The grams of a text are its parts of one to three characters. A text contains a shorter one only if its grams contain
// those of the shorter one, which an index can find; no extension of the database is needed for it.
const maxGram = 3

// maxSearchGrams bounds the grams that one search asks the index for. More of them would not narrow it further.
const maxSearchGrams = 24

// SearchText is what searches look through: the texts in lower case, one to a line.
func SearchText(texts ...string) string { return strings.ToLower(strings.Join(texts, "\n")) }

// Grams are the distinct grams of every text, in lower case, sorted.
func Grams(texts ...string) []string {
	var grams []string
	for _, text := range texts {
		runes := []rune(strings.ToLower(text))
		for i := range runes {
			for n := 1; n <= maxGram && i+n <= len(runes); n++ {
				grams = append(grams, string(runes[i:i+n]))
			}
		}
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

// SearchGrams are the grams that every text has which contains the searched one, whatever the case.
func SearchGrams(searched string) []string {
	runes := []rune(strings.ToLower(searched))
	if len(runes) <= maxGram {
		return []string{string(runes)}
	}
	var grams []string
	for i := 0; i+maxGram <= len(runes) && len(grams) < maxSearchGrams; i++ {
		grams = append(grams, string(runes[i:i+maxGram]))
	}
	return grams
}
