package prove

import (
	"context"
	"math/rand/v2"
	"time"
)

// longFreeze is above the lease of a message, so that another process takes over what a frozen one was doing.
const longFreeze = 12 * time.Second

// fault is one thing that goes wrong and is right again when run returns.
type fault struct {
	name   string
	weight int
	kill   bool // counts as a kill
	run    func(ctx context.Context, span time.Duration) error
}

// processFaults befall the processes, one at a time.
func (s *system) processFaults() []fault {
	all := []fault{
		{"kill serve", 4, true, func(ctx context.Context, _ time.Duration) error { return s.serve.kill(ctx) }},
		{"kill worker", 3, true, func(ctx context.Context, _ time.Duration) error { return s.worker.kill(ctx) }},
		{"freeze serve", 1, false, s.serve.freeze},
		{"freeze worker", 1, false, s.worker.freeze},
	}
	if s.server != nil {
		all = append(all,
			fault{"kill Postgres", 2, true, func(ctx context.Context, _ time.Duration) error { return s.killPostgres(ctx) }},
			fault{"freeze Postgres", 1, false, s.freezePostgres})
	}
	return all
}

// network is what can be cut and stalled.
type network interface {
	Cut()
	Mend()
	Stall()
	Resume()
}

// outerFaults befall the providers and the network, beside the others.
func outerFaults(s *system, r *receivers) []fault {
	cut := func(l network) func(context.Context, time.Duration) error {
		return func(ctx context.Context, span time.Duration) error {
			l.Cut()
			defer l.Mend()
			wait(ctx, span)
			return nil
		}
	}
	stall := func(l network) func(context.Context, time.Duration) error {
		return func(ctx context.Context, span time.Duration) error {
			l.Stall()
			defer l.Resume()
			wait(ctx, span)
			return nil
		}
	}
	all := []fault{
		{name: "cut the database's network", weight: 1, run: cut(s.network)},
		{name: "stall the database's network", weight: 1, run: stall(s.network)},
		{name: "cut the providers' network", weight: 1, run: cut(r.web)},
		{name: "cut the mail server's network", weight: 1, run: cut(r.smtp)},
		{name: "stall the providers' network", weight: 1, run: stall(r.web)},
	}
	for m := takes + 1; m < manners; m++ {
		all = append(all, fault{name: "providers: " + m.String(), weight: 1, run: func(ctx context.Context, span time.Duration) error {
			r.manner.Store(int32(m))
			defer r.manner.Store(int32(takes))
			wait(ctx, span)
			return nil
		}})
	}
	return all
}

// chaos draws faults from a generator: with one seed the same ones come in the same order with the same pauses.
type chaos struct {
	random *rand.Rand
	faults []fault
	pause  time.Duration // between faults at most
	span   time.Duration // of a fault at most
}

func newChaos(seed, stream uint64, faults []fault, pause, span time.Duration) *chaos {
	return &chaos{rand.New(rand.NewPCG(seed, stream)), faults, pause, span} //nolint:gosec // repeatable on purpose
}

// next draws a fault, the pause before it and its span.
func (c *chaos) next() (f fault, pause, span time.Duration) {
	total := 0
	for _, f := range c.faults {
		total += f.weight
	}
	n := c.random.IntN(total)
	for _, f = range c.faults {
		if n -= f.weight; n < 0 {
			break
		}
	}
	pause, span = c.upTo(c.pause), c.upTo(c.span)
	if !f.kill && c.long() {
		span = longFreeze
	}
	return f, pause, span
}

// long reports whether a freeze outlasts the leases: one in fifteen does.
func (c *chaos) long() bool { return c.random.IntN(15) == 0 }

func (c *chaos) upTo(longest time.Duration) time.Duration {
	return time.Duration(c.random.Int64N(int64(longest)))
}

// tally counts faults by name.
type tally map[string]int

func (t tally) kills(faults []fault) (n int) {
	for _, f := range faults {
		if f.kill {
			n += t[f.name]
		}
	}
	return n
}
