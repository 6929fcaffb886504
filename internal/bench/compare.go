package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// rounds is how often a figure and its floor are measured in turn. Of each value the median counts, since other work on the
// machine would else be blamed on one of them.
const rounds = 3

// side is one of two that do the same work.
type side struct {
	pids []int // of its processes, without the database
	run  func(ctx context.Context, total int) (load, error)
}

// measured is what the rounds of a side gave.
type measured struct {
	loads []load
	used  []usage
}

// compare measures Carillon and a floor in turn, after a short round of each, so that neither pays for cold caches and new
// connections.
func (b *bench) compare(ctx context.Context, total int, ours, floor side) (carillon, plain measured, err error) {
	for _, s := range []side{floor, ours} {
		if _, err := s.run(ctx, total/10); err != nil {
			return measured{}, measured{}, err
		}
	}
	for range rounds {
		if err := b.measure(ctx, total, floor, &plain); err != nil {
			return measured{}, measured{}, err
		}
		if err := b.measure(ctx, total, ours, &carillon); err != nil {
			return measured{}, measured{}, err
		}
	}
	return carillon, plain, nil
}

func (b *bench) measure(ctx context.Context, total int, s side, into *measured) error {
	before, err := b.usage(ctx, s.pids...)
	if err != nil {
		return err
	}
	l, err := s.run(ctx, total)
	if err != nil {
		return err
	}
	after, err := b.usage(ctx, s.pids...)
	into.loads, into.used = append(into.loads, l), append(into.used, after.since(before))
	return err
}

func (m measured) perSecond() float64 { return medianOf(m.loads, load.perSecond) }
func (m measured) p50() time.Duration {
	return medianOf(m.loads, func(l load) time.Duration { return l.p50 })
}

func (m measured) p99() time.Duration {
	return medianOf(m.loads, func(l load) time.Duration { return l.p99 })
}

// usage is that of the run with the median of CPU.
func (m measured) usage() usage {
	sorted := slices.SortedFunc(slices.Values(m.used), func(x, y usage) int { return cmp.Compare(x.cpu, y.cpu) })
	return sorted[len(sorted)/2]
}

// medianOf is the median of a property of values; of an even number the upper.
func medianOf[T any, N int64 | float64 | time.Duration](values []T, of func(T) N) N {
	var all []N
	for _, v := range values {
		all = append(all, of(v))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// pair are rates per second of one round.
type pair struct{ ours, floor float64 }

// pairs prints the medians of rounds.
func (b *bench) pairs(what string, all []pair, goal string) {
	b.row(what, fmt.Sprintf("%.0f/s", medianOf(all, func(p pair) float64 { return p.ours })), fmt.Sprintf("%.0f/s", medianOf(all, func(p pair) float64 { return p.floor })),
		fmt.Sprintf("%.2f", medianOf(all, func(p pair) float64 { return p.ours / p.floor })), goal)
}

// compared prints what compare has measured: what the requests of a saturated service gave, or those of a steady rate, of
// which the ratios of p50 and p99 count.
func (b *bench) compared(what string, ours, floor measured, total int, steady bool, goal string) {
	text, quotient := func(m measured) string {
		return fmt.Sprintf("%.0f/s, p50 %.1f ms, p99 %.1f ms", m.perSecond(), milliseconds(m.p50()), milliseconds(m.p99()))
	}, medianRatio(ours.loads, floor.loads)
	if steady {
		text = func(m measured) string {
			return fmt.Sprintf("p50 %.1f ms, p99 %.1f ms", milliseconds(m.p50()), milliseconds(m.p99()))
		}
		quotient = ratio(milliseconds(ours.p50()), milliseconds(floor.p50())) + ", " + ratio(milliseconds(ours.p99()), milliseconds(floor.p99()))
	}
	b.row(what, text(ours), text(floor), quotient, goal)
	b.row("  each", ours.usage().each(total), floor.usage().each(total), ratio(ours.usage().cpu.Seconds(), floor.usage().cpu.Seconds()), "1.2 of the floor's CPU at most")
}
