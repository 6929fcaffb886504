package jsonnum

import "iter"

// Unquoted yields the bytes of a JSON text that are outside its strings, with their positions. It does not check the text.
func Unquoted(text []byte) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		quoted := false
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case !quoted && !yield(i, c):
				return
			}
		}
	}
}
