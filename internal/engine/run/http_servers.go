package run

import (
	"slices"
	"sync"
	"time"
)

const (
	longRequest   = 5 * time.Second  // after it the server of a request counts as slow
	slowServerFor = 30 * time.Second // for how long after its last long request
	deferPause    = 10 * time.Second // is the least time for which a step is deferred
)

// servers are those to which requests of custom steps are under way. One that is slow has a bounded share of the places for requests, so
// that steps which call others do not wait for it.
type servers struct {
	most  int // requests under way to one that is slow
	mu    sync.Mutex
	of    map[string]*server // by scheme, host and port
	under map[string]int     // requests under way, by environment
	total int
}

type server struct {
	under     int
	slowUntil time.Time
}

// enter counts a request that begins. Unless it begins always, one to a slow server that has as many under way as it may is refused.
func (s *servers) enter(environmentID, name string, now time.Time, always bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.of[name]
	if of == nil {
		of = &server{}
		s.of[name] = of
	}
	if !always && of.under >= s.most && now.Before(of.slowUntil) {
		return false
	}
	of.under++
	s.under[environmentID]++
	s.total++
	return true
}

// full are the environments that have as many requests under way as are left of so many beside them, so that those of one, however slow its
// servers are, leave places to others.
func (s *servers) full(places int) (environments []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, n := range s.under {
		if n >= places-s.total {
			environments = append(environments, id)
		}
	}
	slices.Sort(environments)
	return environments
}

func (s *servers) leave(environmentID, name string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total--
	if s.under[environmentID]--; s.under[environmentID] == 0 {
		delete(s.under, environmentID)
	}
	s.of[name].under--
	for other, of := range s.of { // few: those with requests, and those that were slow a moment ago
		if of.under == 0 && !now.Before(of.slowUntil) {
			delete(s.of, other)
		}
	}
}

// slow says that a request under way takes long.
func (s *servers) slow(name string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[name].slowUntil = now.Add(slowServerFor)
}
