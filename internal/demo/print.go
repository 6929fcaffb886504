package demo

import (
	"fmt"
	"io"
	"time"
)

// printer writes what the audience sees.
type printer struct{ out io.Writer }

func (p *printer) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p.out, "  "+format+"\n", args...) // an audience that left needs no answer
}

func (p *printer) title(text string) { _, _ = fmt.Fprintf(p.out, "\n%s\n\n", text) }

// step shows what is being waited for, and then what came of it.
func (p *printer) step(name string, do func() (result string, err error)) error {
	_, _ = fmt.Fprintf(p.out, "  %-12s  ", name)
	result, err := do()
	if err != nil {
		_, _ = fmt.Fprintln(p.out, "failed")
		return fmt.Errorf("%s: %w", name, err)
	}
	_, _ = fmt.Fprintln(p.out, result)
	return nil
}

// short is a duration as people say it.
func short(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
