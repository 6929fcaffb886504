package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// stdout and stderr take what commands print. Names and texts in it are those of others: members, readers and vendors.
var (
	stdout io.Writer = &printable{to: raw}
	stderr io.Writer = &printable{to: os.Stderr}
)

// printable writes control characters, by which a text would move the cursor, change what is printed already or speak to the terminal
// otherwise, as JSON does: \u001b. So what is JSON stays JSON. Lines and tabs stay as they are.
type printable struct {
	to io.Writer

	mu   sync.Mutex
	held []byte // firstOfC1 where a piece ended with it
}

// firstOfC1 begins the control characters U+0080 to U+009F, and other characters, in UTF-8.
const firstOfC1 = 0xc2

// Write writes a piece of the output.
func (p *printable) Write(piece []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := append(p.held, piece...)
	p.held = nil
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c, next := text[i], byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case c == firstOfC1 && i+1 == len(text):
			p.held = []byte{c}
		case c == firstOfC1 && next < 0xa0:
			out = fmt.Appendf(out, `\u%04x`, next)
			i++
		case c < ' ' && c != '\n' && c != '\t' && (c != '\r' || next != '\n'), c == 0x7f:
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	if _, err := p.to.Write(out); err != nil {
		return 0, err
	}
	return len(piece), nil
}

// oneLine is a text within a line of a table, in which it begins no other line or cell.
func oneLine(text string) string { return breaks.Replace(text) }

var breaks = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\v", `\v`, "\f", `\f`)
