package admission

import (
	"cmp"
	"sync"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// Seats bounds how many live connections, and operations on them, are open at once. An environment has at most half of them,
// all connections that have not shown a credential yet a quarter, one network address (of IPv6 one network) a quarter of that,
// and one subscriber maxOfSubscriber. Nothing is bounded by nil Seats.
type Seats struct {
	most int

	mu    sync.Mutex
	taken int
	held  map[string]int // by holder
}

const (
	defaultSeats = 50_000
	// maxOfSubscriber is far more than the pages that one person has open.
	maxOfSubscriber = 200
)

// NewSeats makes so many seats; 0 means the default.
func NewSeats(most int) *Seats {
	return &Seats{most: cmp.Or(most, defaultSeats), held: map[string]int{}}
}

// Taken returns how many seats are taken.
func (s *Seats) Taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// share is how many seats a holder may have.
type share struct {
	holder string
	most   int
}

// Stranger takes a seat for a connection from a network address that has not shown a credential. Addresses of one caller count
// together.
func (s *Seats) Stranger(address string) (*Seat, error) {
	return s.take(func() []share {
		strangers := max(s.most/4, 1)
		return []share{{"strangers", strangers}, {"address:" + viewer.Caller(address), max(strangers/4, 1)}}
	})
}

// Viewer takes a seat for a viewer.
func (s *Seats) Viewer(v viewer.Viewer) (*Seat, error) {
	return s.take(func() []share {
		shares := []share{{"environment:" + cmp.Or(v.EnvironmentID, v.OrganizationID), max(s.most/2, 1)}}
		if v.SubscriberID != "" {
			shares = append(shares, share{"subscriber:" + v.SubscriberID, maxOfSubscriber})
		}
		return shares
	})
}

func (s *Seats) take(of func() []share) (*Seat, error) {
	if s == nil {
		return nil, nil //nolint:nilnil // a nil Seat has nothing to leave
	}
	shares := of()
	s.mu.Lock()
	defer s.mu.Unlock()
	full := s.taken >= s.most
	for _, sh := range shares {
		full = full || s.held[sh.holder] >= sh.most
	}
	if full {
		return nil, &fault.Error{Kind: fault.Unavailable, Code: codeOverloaded, Message: "Too many live connections are open. Close some of them, or retry later."}
	}
	s.taken++
	for _, sh := range shares {
		s.held[sh.holder]++
	}
	return &Seat{seats: s, shares: shares}, nil
}

// Seat is one seat that is taken.
type Seat struct {
	seats  *Seats
	shares []share // nil once it was left
}

// Leave gives the seat back. A second call does nothing, nor does that of a nil Seat.
func (t *Seat) Leave() {
	if t == nil {
		return
	}
	t.seats.mu.Lock()
	defer t.seats.mu.Unlock()
	if t.shares == nil {
		return
	}
	t.seats.taken--
	for _, sh := range t.shares {
		if t.seats.held[sh.holder]--; t.seats.held[sh.holder] == 0 {
			delete(t.seats.held, sh.holder)
		}
	}
	t.shares = nil
}
