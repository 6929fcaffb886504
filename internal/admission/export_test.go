package admission

import "time"

// Waiting is how many calls wait.
func (g *Gate) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting
}

// Limit is how many calls may work at once.
func (g *Gate) Limit() float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limit
}

// LimitAfter is the limit after so many calls that ended at one time, having taken that long, while others waited.
func LimitAfter(calls int, took time.Duration, waiting int) float64 {
	g := New(Config{})
	g.waiting = waiting
	now := time.Now()
	for range calls {
		g.adapt(now, took)
	}
	return g.limit
}

// Picks reports of each next call whether it was an urgent one, while both kinds wait.
func Picks(n int) (urgent []bool) {
	g := New(Config{})
	for range n {
		g.urgent.add("u")
		g.normal.add("n")
	}
	for range n {
		urgent = append(urgent, g.next().queue.environment == "u")
	}
	return urgent
}
