package configuration

import (
	"regexp"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// TextChange is what happens to a piece of a text.
type TextChange string

// What happens to pieces of a text.
const (
	TextSame    TextChange = "SAME"
	TextRemoved TextChange = "REMOVED"
	TextAdded   TextChange = "ADDED"
)

// TextPart is a piece of two texts that are compared word by word.
type TextPart struct {
	Change TextChange
	Text   string
}

// Words compares the two sides of a change word by word. What is absent is compared as an empty text.
func (f FieldChange) Words() []TextPart {
	var before, after string
	if f.Before != nil {
		before = *f.Before
	}
	if f.After != nil {
		after = *f.After
	}
	return wordDifference(before, after)
}

var words = regexp.MustCompile(`[\p{L}\p{N}_]+|\s+|.`)

// The characters that represent words while they are compared: as many as Unicode has of one width in UTF-8.
const (
	firstMark = 0x10000
	lastMark  = 0x10ffff
	markWidth = 4
)

func wordDifference(before, after string) (parts []TextPart) {
	add := func(change TextChange, words []string) {
		if len(words) > 0 {
			parts = append(parts, TextPart{change, strings.Join(words, "")})
		}
	}
	x, y := words.FindAllString(before, -1), words.FindAllString(after, -1)
	marks := map[string]rune{}
	marked := func(list []string) string {
		var out strings.Builder
		for _, word := range list {
			if _, known := marks[word]; !known {
				marks[word] = firstMark + rune(len(marks))
			}
			out.WriteRune(marks[word])
		}
		return out.String()
	}
	a, b := marked(x), marked(y)
	if firstMark+len(marks) > lastMark {
		add(TextRemoved, x)
		add(TextAdded, y)
		return parts
	}
	at, there := 0, 0 // in x and in y
	for _, edit := range udiff.Strings(a, b) {
		start, end := edit.Start/markWidth, edit.End/markWidth
		add(TextSame, x[at:start])
		add(TextRemoved, x[start:end])
		there += start - at
		added := len(edit.New) / markWidth
		add(TextAdded, y[there:there+added])
		at, there = end, there+added
	}
	add(TextSame, x[at:])
	return parts
}
