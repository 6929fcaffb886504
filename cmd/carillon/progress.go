package main

import (
	"fmt"
	"time"
)

// progressEvery is how often a command says at most how far it has come.
const progressEvery = 2 * time.Second

// progress says how far a command has come with each kind of thing: now and then, and how many there were in the end.
type progress struct {
	said  time.Time
	lines []progressLine // not said yet
}

type progressLine struct{ kind, text string }

// note says the line of a kind, or keeps it for later, instead of the one before.
func (p *progress) note(kind, text string) {
	kept := false
	for i := range p.lines {
		if p.lines[i].kind == kind {
			p.lines[i].text, kept = text, true
		}
	}
	if !kept {
		p.lines = append(p.lines, progressLine{kind, text})
	}
	if now := time.Now(); now.Sub(p.said) >= progressEvery {
		p.said = now
		p.end()
	}
}

// end says what was kept.
func (p *progress) end() {
	for _, l := range p.lines {
		fmt.Fprintf(stderr, "%s: %s\n", l.kind, l.text)
	}
	p.lines = nil
}

// fileProgress says how many items were written to each file of a folder.
type fileProgress struct {
	progress

	items map[string]int
}

func (p *fileProgress) more(file string, items int) {
	if p.items == nil {
		p.items = map[string]int{}
	}
	p.items[file] += items
	p.note(file, fmt.Sprintf("%d more", p.items[file]))
}
