package auth

import (
	"context"
	"runtime"
	"time"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// Hashing a password takes a core for a quarter of a second, and any caller may ask for it. So only a few are hashed at a
// time, some wait, and the rest is refused. Networks take turns, and when too many wait those of the network with most of
// them go. People in a device that they logged in with before come first.
const (
	hashingQueue      = 32
	hashingPatience   = 5 * time.Second
	hashingRetryAfter = 5 // seconds
)

// Passwords hashes passwords and compares them, a few at a time. It is the only bound of this work, whichever door it comes
// through.
type Passwords struct {
	gate  *admission.Gate
	count func()
}

// NewPasswords leaves half of the cores to everything else. count, which may be nil, is called for each password that is
// hashed.
func NewPasswords(count func()) *Passwords {
	return newPasswords(max(1, runtime.GOMAXPROCS(0)/2), hashingPatience, count)
}

func newPasswords(slots int, patience time.Duration, count func()) *Passwords {
	if count == nil {
		count = func() {}
	}
	return &Passwords{admission.New(admission.Config{Wait: patience, Least: slots, Most: slots, Queue: hashingQueue}), count}
}

// Matches is PasswordMatches when the caller's turn comes. known says that the caller uses a device in which the person
// logged in before.
func (p *Passwords) Matches(ctx context.Context, known bool, hash, password string) (matches bool, err error) {
	err = p.Do(ctx, known, func() { matches = PasswordMatches(hash, password) })
	return matches, err
}

// Hash is HashPassword when the caller's turn comes.
func (p *Passwords) Hash(ctx context.Context, password string) (hash string, err error) {
	var failed error
	err = p.Do(ctx, false, func() { hash, failed = HashPassword(password) })
	if err == nil {
		err = failed
	}
	return hash, err
}

// Do runs work that hashes when the caller's turn comes; see Matches.
func (p *Passwords) Do(ctx context.Context, known bool, work func()) error {
	leave, err := p.gate.Enter(ctx, admission.Request{Environment: viewer.Network(ctx), Urgent: known})
	if admission.Refused(err) {
		return &fault.Error{
			Kind: fault.Unavailable, Message: "Too many people log in at the moment. Try again in a few seconds.",
			Details: map[string]any{fault.RetryAfter: hashingRetryAfter},
		}
	}
	if err != nil {
		return err //nolint:wrapcheck // classified
	}
	defer leave()
	p.count()
	work()
	return nil
}
