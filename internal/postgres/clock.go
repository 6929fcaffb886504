package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// MostSkew is by how much the clocks of this machine and the database may differ for a process to take up due rows. Waits end by the clock
// of the process that takes them up: one whose clock is an hour ahead ends those of all processes an hour early, takes messages from processes
// that hold them still, and deletes by it.
const MostSkew = 5 * time.Minute

// ClockDifference is by how much a clock that was read between two instants of this machine differs from its own at least.
func ClockDifference(before, read, after time.Time) time.Duration {
	switch {
	case read.Before(before):
		return before.Sub(read)
	case read.After(after):
		return read.Sub(after)
	}
	return 0
}

// ClockDiffers reads the database's clock and returns by how much it differs from now at least.
func (db *DB) ClockDiffers(ctx context.Context, now func() time.Time) (time.Duration, error) {
	before := now()
	var read time.Time
	if err := db.Pool.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&read); err != nil {
		return 0, Translate(fmt.Errorf("read the database's clock: %w", err))
	}
	return ClockDifference(before, read, now()), nil
}

const (
	// clockMoved is by how much a clock may drift before it counts as set.
	clockMoved = time.Minute
	// clockAskEvery is the pause between two comparisons while the clocks differ.
	clockAskEvery = time.Second
)

// ClockGuard notices that the clock of this machine was set since it was last compared with the database's, and compares them
// again then. Until it was set, that costs no statement.
type ClockGuard struct {
	log *slog.Logger
	// read returns the time of day, and for how long this process has run, which setting the clock does not change.
	read func() (wall time.Time, ran time.Duration)
	ask  Gather[struct{}, time.Duration]

	mu      sync.Mutex
	started time.Time // when the process began to run, by the clock as it was when it agreed last
	apart   time.Duration
	next    time.Duration // of a process that runs for this long, when the clocks differ
}

// SystemClock is the clock of this machine, as a ClockGuard reads it.
func SystemClock() func() (wall time.Time, ran time.Duration) {
	began := time.Now()
	return func() (time.Time, time.Duration) {
		now := time.Now()
		return now.Round(0), now.Sub(began) // without and with its monotonic reading
	}
}

// NewClockGuard begins while the clocks agree.
func NewClockGuard(db *DB, log *slog.Logger, read func() (wall time.Time, ran time.Duration)) *ClockGuard {
	g := &ClockGuard{log: log, read: read}
	wall, ran := read()
	g.started = wall.Add(-ran)
	g.ask.Ask = func(ctx context.Context, askers []struct{}) ([]time.Duration, error) {
		by, err := db.ClockDiffers(ctx, func() time.Time { wall, _ := read(); return wall })
		if err != nil {
			return nil, err
		}
		g.compared(ctx, by)
		answers := make([]time.Duration, len(askers))
		for i := range answers {
			answers[i] = by
		}
		return answers, nil
	}
	return g
}

// Apart returns by how much the clocks differ, 0 when that is no more than MostSkew.
func (g *ClockGuard) Apart(ctx context.Context) (time.Duration, error) {
	wall, ran := g.read()
	g.mu.Lock()
	apart, known := g.apart, ran < g.next
	if apart == 0 {
		known = wall.Add(-ran).Sub(g.started).Abs() < clockMoved
	}
	g.mu.Unlock()
	if known {
		return apart, nil
	}
	by, err := g.ask.Get(ctx, struct{}{})
	if err != nil || by <= MostSkew {
		return 0, err
	}
	return by, nil
}

// compared keeps what a comparison said.
func (g *ClockGuard) compared(ctx context.Context, by time.Duration) {
	wall, ran := g.read()
	g.mu.Lock()
	defer g.mu.Unlock()
	if by <= MostSkew {
		if g.apart > 0 {
			g.log.InfoContext(ctx, "the clocks of this machine and the database agree again")
		}
		g.started, g.apart = wall.Add(-ran), 0
		return
	}
	if g.apart == 0 {
		g.log.ErrorContext(ctx, "the clocks of this machine and the database differ: nothing that is due is taken up or deleted until they agree; run NTP on both",
			"differ_ms", by.Milliseconds())
	}
	g.apart, g.next = by, ran+clockAskEvery
}
