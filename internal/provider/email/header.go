package email

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	headerLine  = 76  // where lines of a header are folded (RFC 5322 §2.1.1, RFC 2047 §2)
	longestWord = 900 // what cannot be folded must still fit into the 998 bytes of a line
)

// writeHeader folds a value at its spaces. The first word is beside the name: a line that holds the name alone is
// allowed, but not every reader takes the space behind it away.
func writeHeader(to *bytes.Buffer, name, value string) {
	to.WriteString(name + ":")
	column := len(name) + 1
	for i, word := range strings.Split(value, " ") {
		if i > 0 && word != "" && column+1+len(word) > headerLine {
			to.WriteString("\r\n")
			column = 0
		}
		to.WriteString(" " + word)
		column += 1 + len(word)
	}
	to.WriteString("\r\n")
}

// writeText writes a header that is a text for people: what is not allowed there becomes encoded words (RFC 2047).
func writeText(to *bytes.Buffer, name, value string) {
	if !plain(value) {
		value = encodedWords(value, max(headerLine-len(name)-len(": "), headerLine/2))
	}
	writeHeader(to, name, value)
}

// plain reports whether a text reads the same when it is folded and read again.
func plain(value string) bool {
	if value != strings.TrimSpace(value) || strings.Contains(value, "  ") || strings.Contains(value, "=?") {
		return false
	}
	for word := range strings.SplitSeq(value, " ") {
		if len(word) > longestWord {
			return false
		}
	}
	return !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
}

const (
	wordStart = "=?UTF-8?q?"
	wordEnd   = "?="
)

// encodedWords are the encoded words of a text, none of which parts a character; room is that of the first one.
func encodedWords(value string, room int) string {
	var words []string
	var word strings.Builder
	for _, r := range value {
		piece := encodedRune(r)
		if len(wordStart)+word.Len()+len(piece)+len(wordEnd) > room {
			words = append(words, wordStart+word.String()+wordEnd)
			word.Reset()
			room = headerLine - len(" ")
		}
		word.WriteString(piece)
	}
	return strings.Join(append(words, wordStart+word.String()+wordEnd), " ")
}

func encodedRune(r rune) string {
	switch {
	case r == ' ':
		return "_"
	case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
		return string(r)
	}
	var piece strings.Builder
	for _, b := range []byte(string(r)) {
		fmt.Fprintf(&piece, "=%02X", b)
	}
	return piece.String()
}
