package run

import (
	"context"
	"runtime"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"golang.org/x/sys/unix"
)

// The events of a version of which one took more than a fifth of PlanTime of a processor are fanned out after they are stored, for slowFor:
// clients do not wait for the templates of others. A busy machine, which lets a thread wait, makes no version slow. Nor do many events that
// are not fast, as those of a bulk request: of these the ones that are left when the others have taken as much are fanned out later.
const (
	slowFor = 30 * time.Second
	maxSlow = 1_000
)

// advance takes the runs of plans as far as they go, and leaves out of the list what cannot be decided before its event is stored, and what
// comes after the events of its version have taken most of a processor.
func (p *Planner) advance(ctx context.Context, list []*planned, runs []*run, most time.Duration) {
	byEvent := map[*EventContext][]*run{}
	for _, r := range runs {
		byEvent[r.event] = append(byEvent[r.event], r)
	}
	runtime.LockOSThread() // whose time is measured
	defer runtime.UnlockOSThread()
	took := map[string]time.Duration{} // by version
	for i, plan := range list {
		if plan == nil {
			continue
		}
		version := plan.event.VersionID
		if took[version] > most {
			list[i] = nil
			continue
		}
		began := processorTime()
		_, span := p.Span(ctx, plan.event.TraceParent, "fan out", attribute.String("event.id", plan.event.ID))
		ok := plan.advance(ctx, byEvent[plan.event])
		span.End()
		spent := processorTime() - began
		took[version] += spent
		if spent > p.PlanTime/5 {
			p.slow.add(version)
		}
		if !ok {
			list[i] = nil
		}
	}
}

// processorTime is how long the thread of the caller has run. Systems on which it is not known call no version slow.
func processorTime() time.Duration {
	var spent unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &spent) != nil {
		return 0
	}
	return time.Duration(spent.Nano())
}
