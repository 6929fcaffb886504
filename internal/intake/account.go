package intake

import (
	"context"
	"sync"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// Account is what one request, or one message of a connection, holds of the memory for bodies. A nil Account holds nothing and
// is never refused anything.
type Account struct {
	meter *Meter

	mu     sync.Mutex
	holder holder
	held   int64
	sent   int64 // of an answer
	closed bool
}

type accountKey struct{}

func accountOf(ctx context.Context) *Account {
	a, _ := ctx.Value(accountKey{}).(*Account)
	return a
}

// Own charges what the request of ctx holds, and will hold, to the environment whose credential it showed.
func Own(ctx context.Context, environment string) {
	a := accountOf(ctx)
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	own := holder{environment, a.holder.caller}
	if a.closed || a.holder == own {
		return
	}
	bodies, answers := a.bodies(), a.answers()
	a.holder = own
	a.meter.budget.pass(bodies, a.bodies(), a.held)
	a.meter.answers.pass(answers, a.answers(), a.sent)
}

// NewAccount opens a further account beside that of ctx, for a message that outlives its request, of an environment; "" while no
// credential was shown. Close it.
func NewAccount(ctx context.Context, environment string) *Account {
	a := accountOf(ctx)
	if a == nil {
		return nil
	}
	return &Account{meter: a.meter, holder: holder{environment, a.caller()}}
}

// Stranger opens an account for what comes from a network address without a credential. Close it.
func (m *Meter) Stranger(address string) *Account {
	return &Account{meter: m, holder: holder{caller: viewer.Caller(address)}}
}

func (a *Account) caller() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.holder.caller
}

// take adds bytes to what is held.
func (a *Account) take(n int) error {
	if a == nil || n == 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || !a.meter.budget.move(a.bodies(), int64(n)) {
		return &fault.Error{Kind: fault.Unavailable, Code: "OVERLOADED", Message: "Too many large requests are under way. Retry later."}
	}
	a.held += int64(n)
	return nil
}

func (a *Account) bodies() []share  { return a.holder.ofBodies(a.meter.budget.size) }
func (a *Account) answers() []share { return a.holder.ofAnswers(a.meter.answers.size) }

// Answer takes memory for so many bytes of the answer to a request, which it holds until it ends: callers may read slowly. The error is a
// fault, when the answers that are being sent hold too much.
func Answer(ctx context.Context, n int) error { return accountOf(ctx).Answer(n) }

// Answer takes memory for so many bytes of an answer.
func (a *Account) Answer(n int) error {
	if a == nil || n == 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || !a.meter.answers.move(a.answers(), int64(n)) {
		return &fault.Error{Kind: fault.Unavailable, Code: "OVERLOADED", Message: "Too many answers are waiting to be read. Retry later."}
	}
	a.sent += int64(n)
	return nil
}

// give gives bytes back before the end.
func (a *Account) give(n int64) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed {
		a.held -= n
		a.meter.budget.move(a.bodies(), -n)
	}
}

// Close gives back what is held. A second call does nothing.
func (a *Account) Close() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed {
		a.closed = true
		a.meter.budget.move(a.bodies(), -a.held)
		a.meter.answers.move(a.answers(), -a.sent)
		a.held, a.sent = 0, 0
	}
}
