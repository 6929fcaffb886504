package intake

import (
	"context"
	"sync"

	"github.com/carillon/carillon/internal/fault"
)

// Account is what one request, or one message of a connection, holds of the memory for bodies. A nil Account holds nothing and
// is never refused anything.
type Account struct {
	meter *Meter

	mu     sync.Mutex
	holder string
	held   int64
	closed bool
}

type accountKey struct{}

func accountOf(ctx context.Context) *Account {
	a, _ := ctx.Value(accountKey{}).(*Account)
	return a
}

// Own charges what the request of ctx holds, and will hold, to a holder: the environment whose credential it showed.
func Own(ctx context.Context, holder string) {
	a := accountOf(ctx)
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || a.holder == holder {
		return
	}
	a.meter.budget.pass(a.holder, holder, a.held)
	a.holder = holder
}

// NewAccount opens a further account beside that of ctx, for a message that outlives its request. Close it.
func NewAccount(ctx context.Context, holder string) *Account {
	a := accountOf(ctx)
	if a == nil {
		return nil
	}
	return &Account{meter: a.meter, holder: holder}
}

// Account opens an account for what comes by another way than HTTP. Close it.
func (m *Meter) Account(holder string) *Account { return &Account{meter: m, holder: holder} }

// take adds bytes to what is held.
func (a *Account) take(n int) error {
	if a == nil || n == 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || !a.meter.budget.move(a.holder, int64(n)) {
		return &fault.Error{Kind: fault.Unavailable, Code: "OVERLOADED", Message: "Too many large requests are under way. Retry later."}
	}
	a.held += int64(n)
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
		a.meter.budget.move(a.holder, -n)
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
		a.meter.budget.move(a.holder, -a.held)
		a.held = 0
	}
}
