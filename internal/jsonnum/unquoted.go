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

// IsPlain reports whether no number of a JSON text has an exponent or a zero with a sign: jsonb stores these in another form, which
// templates would show.
func IsPlain(text []byte) bool {
	for i, c := range Unquoted(text) {
		switch {
		case i == 0:
		case (c == 'e' || c == 'E') && text[i-1] >= '0' && text[i-1] <= '9', c == '0' && text[i-1] == '-':
			return false
		}
	}
	return true
}
