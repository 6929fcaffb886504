// Package prove drives a Carillon of its own through kills, freezes, failing providers and cut networks, and checks every event that
// was acknowledged meanwhile.
package prove

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/client"
)

// Config says how long a run is, and on what.
type Config struct {
	Binary         string        // of carillon
	Kills          int           // how many kills end the load; 0: For does
	For            time.Duration // the load ends after it at the latest; 0: Kills does
	Seed           uint64        // of faults and load
	Rate           int           // calls per second
	Calm           bool          // makes no faults: For says how long the load lasts while others make theirs
	DatabaseURL    string        // of an empty database; "": a Postgres of the run's own, which is killed and frozen too
	DirectURL      string        // of the same database, when DatabaseURL leads to a transaction pooler: for migrations and the verdict
	SecretKey      string        // of the run
	PostgresBin    string        // where its programs are; "": they are looked for
	ObtainPostgres bool          // whether they may be downloaded
	Progress       io.Writer     // says every few seconds what has happened so far
}

// ErrBreach is returned when a promise was broken; the report names each.
var ErrBreach = errors.New("Carillon broke a promise") //nolint:staticcheck // a name

const (
	// settleWithin is how long everything may take to come to rest: a circuit breaker stays open for minutes.
	settleWithin = 10 * time.Minute
	// longPause is how far ahead the next try of a message may be due after the load. After many failures it is up to half an hour.
	longPause = 15 * time.Second
)

// Run makes a run and returns its report. The error is ErrBreach when a promise was broken, another one when the run could not be
// finished.
func Run(ctx context.Context, cfg Config) (report *Report, err error) {
	s, err := startSystem(ctx, cfg, "crl_"+rand.Text())
	defer func() { err = errors.Join(err, s.close()) }()
	if err != nil {
		return nil, err
	}
	r, err := startReceivers(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := furnish(ctx, s.api, r); err != nil {
		return nil, err
	}
	p := &run{Config: cfg, system: s, receivers: r, began: time.Now(), faults: tally{}}
	state, err := p.drive(ctx)
	if err != nil {
		return nil, err
	}
	report = p.report(state, Judge(state))
	if len(report.Breaches) > 0 {
		err = ErrBreach
	}
	return report, err
}

// run is a run under way.
type run struct {
	Config
	system    *system
	receivers *receivers
	began     time.Time
	loaded    time.Duration // how long the load took
	settled   time.Duration // and coming to rest after it
	repeats   int64
	pause     time.Duration // the longest time in which no call was acknowledged

	mu     sync.Mutex
	faults tally
}

// drive makes the load and the faults, lets everything come to rest, and returns what is there then.
func (p *run) drive(ctx context.Context) (State, error) {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	readers := startReaders(reading, p.system.api)
	defer readers.group.Wait()
	defer stop()
	if err := until(ctx, patience, func(context.Context) (bool, error) { return readers.begun(), nil }); err != nil {
		return State{}, fmt.Errorf("open the inboxes: %w", err)
	}
	loading, abandon := context.WithCancelCause(ctx)
	defer abandon(nil)
	load := startLoad(loading, p.system.api, p.Seed, p.Rate)
	fmt.Fprintln(p.Progress, "the load has begun")
	failed := p.disturb(ctx, load)
	if failed != nil {
		abandon(failed)
	}
	acked, err := load.finish()
	if err := errors.Join(failed, err); err != nil {
		return State{}, err
	}
	p.loaded, p.repeats, p.pause = time.Since(p.began), load.repeat.Load(), load.pause
	fmt.Fprintf(p.Progress, "%s: %d events acknowledged; waiting for everything to come to rest\n", p.loaded.Round(time.Second), len(acked))
	if err := p.settle(ctx, readers); err != nil {
		return State{}, err
	}
	p.settled = time.Since(p.began) - p.loaded
	state, err := collect(ctx, p.system.db)
	state.Acknowledged, state.Calls, state.Streams = acked, p.receivers.Calls(), readers.streams()
	return state, err
}

// disturb makes faults until there were enough kills or the time is over.
func (p *run) disturb(ctx context.Context, load *load) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	end := ctx
	if p.For > 0 {
		var over context.CancelFunc
		end, over = context.WithTimeout(ctx, p.For)
		defer over()
	}
	inner := newChaos(p.Seed, 1, p.system.processFaults(), 300*time.Millisecond, time.Second)
	outer := newChaos(p.Seed, 2, outerFaults(p.system, p.receivers), 4*time.Second, time.Second)
	beside, done := context.WithCancel(end)
	var group sync.WaitGroup
	group.Go(func() {
		for !p.Calm && beside.Err() == nil {
			_ = p.strike(beside, beside, outer) // these do not fail
		}
	})
	defer group.Wait()
	defer done()
	if p.Calm {
		<-end.Done()
		return context.Cause(ctx)
	}
	said := time.Now()
	for end.Err() == nil && (p.Kills == 0 || p.counted().kills(inner.faults) < p.Kills) {
		if err := p.strike(ctx, end, inner); err != nil {
			return err
		}
		if time.Since(said) > 5*time.Second {
			said = time.Now()
			fmt.Fprintf(p.Progress, "%s: %d kills, %d events acknowledged\n", time.Since(p.began).Round(time.Second), p.counted().kills(inner.faults), load.count())
		}
	}
	return context.Cause(ctx)
}

// strike waits until the next fault, unless end comes first, and makes it.
func (p *run) strike(ctx, end context.Context, c *chaos) error {
	f, pause, span := c.next()
	wait(end, pause)
	if end.Err() != nil {
		return nil
	}
	p.mu.Lock()
	p.faults[f.name]++
	p.mu.Unlock()
	return f.run(ctx, span)
}

func (p *run) counted() tally {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.faults)
}

// settle waits until no row is open and the readers have caught up; what is open after settleWithin counts as stuck. Long pauses
// between tries are cut short.
func (p *run) settle(ctx context.Context, readers *readers) error {
	quiet := func(ctx context.Context) (bool, error) {
		rows, err := open(ctx, p.system.db)
		if rows == 0 || err != nil {
			return rows == 0, err
		}
		return false, shortenPauses(ctx, p.system.db, longPause)
	}
	if err := until(ctx, settleWithin, quiet); err != nil && !errors.Is(err, errPatience) {
		return err
	}
	caughtUp := func(ctx context.Context) (bool, error) {
		state, err := collect(ctx, p.system.db)
		streams := readers.streams()
		for _, b := range state.Inboxes {
			if stream, watched := streams[b.Subscriber]; watched && stream.Sequence != b.Sequence {
				return false, err
			}
		}
		return true, err
	}
	if err := until(ctx, catchUpWithin, caughtUp); err != nil && !errors.Is(err, errPatience) {
		return err
	}
	return nil
}

// catchUpWithin is how long a reader may take to receive the last updates, once it is connected.
const catchUpWithin = 90 * time.Second

var errPatience = errors.New("not in time")

func until(ctx context.Context, limit time.Duration, check func(context.Context) (bool, error)) error {
	within, cancel := context.WithTimeoutCause(ctx, limit, errPatience)
	defer cancel()
	err := client.Until(within, 100*time.Millisecond, check)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return errPatience // a check that was cut off has nothing else to say
	}
	return err
}
