package auth

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/fault"
)

// Hashing a password takes a core for a quarter of a second, and anybody may ask for it. So only a few are hashed at a time,
// some wait, and the rest is refused; no network has more than its part of those that wait.
const (
	hashingWaits          = 32
	hashingWaitsOfNetwork = 12
	hashingPatience       = 10 * time.Second
	hashingRetryAfter     = 5 // seconds
)

// Passwords hashes passwords and compares them, a few at a time.
type Passwords struct {
	slots chan struct{}

	mu      sync.Mutex
	waiting int
	from    map[string]int // who waits or is served, by network
}

// NewPasswords leaves half of the cores to everything else, but always takes two passwords at a time.
func NewPasswords() *Passwords {
	return &Passwords{slots: make(chan struct{}, max(2, runtime.GOMAXPROCS(0)/2)), from: map[string]int{}}
}

// Matches is PasswordMatches for a caller of a network.
func (p *Passwords) Matches(ctx context.Context, network, hash, password string) (matches bool, err error) {
	err = p.take(ctx, network, func() { matches = PasswordMatches(hash, password) })
	return matches, err
}

// Hash is HashPassword for a caller of a network.
func (p *Passwords) Hash(ctx context.Context, network, password string) (hash string, err error) {
	var failed error
	err = p.take(ctx, network, func() { hash, failed = HashPassword(password) })
	if err == nil {
		err = failed
	}
	return hash, err
}

func (p *Passwords) take(ctx context.Context, network string, work func()) error {
	if !p.enter(network) {
		return errHashing()
	}
	defer p.leave(network)
	patience := time.NewTimer(hashingPatience)
	defer patience.Stop()
	select {
	case p.slots <- struct{}{}:
	case <-patience.C:
		return errHashing()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-p.slots }()
	work()
	return nil
}

func errHashing() error {
	return &fault.Error{
		Kind: fault.Unavailable, Message: "Too many people log in at the moment. Try again in a few seconds.",
		Details: map[string]any{fault.RetryAfter: hashingRetryAfter},
	}
}

func (p *Passwords) enter(network string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting >= hashingWaits || p.from[network] >= hashingWaitsOfNetwork {
		return false
	}
	p.waiting++
	p.from[network]++
	return true
}

func (p *Passwords) leave(network string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting--
	if p.from[network]--; p.from[network] == 0 {
		delete(p.from, network)
	}
}
