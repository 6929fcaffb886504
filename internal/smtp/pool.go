package smtp

import (
	"slices"
	"sync"
	"time"
)

// The pool does not keep connections for long: many servers close an idle one after a minute and count it against
// a limit until then.
const (
	poolSize = 64 // as many as the callers send through one client at a time
	poolIdle = 20 * time.Second
)

// pool holds the idle connections of one client.
type pool struct {
	mu     sync.Mutex
	idle   []*session
	closed bool
}

func (p *pool) take(now time.Time) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		s := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		s.expiry.Stop()
		if now.Sub(s.since) < poolIdle {
			return s
		}
		go s.close()
	}
	return nil
}

func (p *pool) put(s *session, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= poolSize {
		go s.close()
		return
	}
	s.since = now
	p.idle = append(p.idle, s)
	if s.expiry == nil {
		s.expiry = time.AfterFunc(poolIdle, func() { p.drop(s) })
	} else {
		s.expiry.Reset(poolIdle)
	}
}

// drop closes s unless it was used meanwhile.
func (p *pool) drop(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.idle, s); i >= 0 && time.Since(s.since) >= poolIdle {
		p.idle = slices.Delete(p.idle, i, i+1)
		go s.close()
	}
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, s := range p.idle {
		go s.close()
	}
	p.idle = nil
}
