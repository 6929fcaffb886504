package deliver

import (
	"context"
	"slices"
	"sync"
)

// places bound the attempts under way in a process. Each lane may hold what those more urgent leave it, and each integration as many
// places as are left beside its own, without those that it has in less urgent lanes: where four integrations take all they get, a fifth
// of the places is free. So integrations whose providers take long, of one environment or of many, leave places to those that have few
// attempts under way.
type places struct {
	mu   sync.Mutex
	most [3]int // by lane, with those less urgent
	held [3]int // the same
	of   map[*openAdapter]*seats
}

// seats are those of one integration.
type seats struct {
	held    [3]int             // by lane, with those more urgent
	waiting [3][]chan struct{} // by lane, in the order in which they came
}

func newPlaces(n int) *places {
	return &places{most: shares(n), of: map[*openAdapter]*seats{}}
}

// shares are how many of n each lane may have: of 64 the bulk lane 48 and the normal one 56, so that neither a broadcast nor a provider that
// hangs keeps a login code waiting.
func shares(n int) (of [3]int) {
	for rank := range of {
		of[rank] = n - rank*n/8
	}
	return of
}

// take waits for a place. It is given back once.
func (p *places) take(ctx context.Context, a *openAdapter, lane string) (give func(), err error) {
	of := max(rank(lane), 0)
	turn := make(chan struct{})
	p.mu.Lock()
	s := p.of[a]
	if s == nil {
		s = &seats{}
		p.of[a] = s
	}
	s.waiting[of] = append(s.waiting[of], turn)
	p.admit()
	p.mu.Unlock()
	select {
	case <-turn:
	case <-ctx.Done():
		if p.leave(a, of, turn) {
			return nil, context.Cause(ctx)
		}
	}
	return func() { p.give(a, of) }, nil
}

// leave takes one that waits out, unless it was given a place.
func (p *places) leave(a *openAdapter, of int, turn chan struct{}) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.of[a]
	if s == nil {
		return false
	}
	at := slices.Index(s.waiting[of], turn)
	if at < 0 {
		return false
	}
	s.waiting[of] = slices.Delete(s.waiting[of], at, at+1)
	p.forget(a)
	return true
}

func (p *places) give(a *openAdapter, of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(a, of, -1)
	p.forget(a)
	p.admit()
}

func (p *places) count(a *openAdapter, of, by int) {
	s := p.of[a]
	for at := range p.held {
		if at <= of {
			p.held[at] += by
		}
		if at >= of {
			s.held[at] += by
		}
	}
}

func (p *places) forget(a *openAdapter) {
	s := p.of[a]
	if s.held[2]+len(s.waiting[0])+len(s.waiting[1])+len(s.waiting[2]) == 0 {
		delete(p.of, a)
	}
}

// admit gives the places that are left to those who wait: the most urgent first, of those to the integration that has fewest.
func (p *places) admit() {
	for of := range p.most {
		for p.admitOne(of) {
		}
	}
}

func (p *places) admitOne(of int) bool {
	left := p.left(of)
	var to *openAdapter
	for a, s := range p.of {
		if len(s.waiting[of]) > 0 && s.held[of] < left && (to == nil || s.held[of] < p.of[to].held[of]) {
			to = a
		}
	}
	if to == nil {
		return false
	}
	s := p.of[to]
	close(s.waiting[of][0])
	s.waiting[of] = s.waiting[of][1:]
	p.count(to, of, 1)
	return true
}

// left is how many further places a lane may have.
func (p *places) left(of int) int {
	left := p.most[of] - p.held[of]
	for at := range of {
		left = min(left, p.most[at]-p.held[at])
	}
	return left
}
