package app

import (
	"context"
	"log/slog"
	"runtime/metrics"
	"time"
)

// A process is idle when it has allocated at most idleAllocates in idleAfter. What it does then, looking for due rows and answering
// probes, takes less than a tenth of that.
const (
	idleAfter     = 10 * time.Second
	idleAllocates = 8 << 20 // bytes
)

// giveBackWhenIdle gives memory back to the system each time the process has become idle, after its start as after work, until ctx
// ends. By itself Go would keep it for minutes.
func giveBackWhenIdle(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(idleAfter)
	defer tick.Stop()
	idle := idleness{allocated: allocated()}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !idle.begins(allocated()) {
			continue
		}
		if err := giveBack(); err != nil {
			log.DebugContext(ctx, "some memory that is not needed is kept", slog.Any("error", err))
		}
	}
}

// idleness is what was seen of a process until the last look.
type idleness struct {
	allocated uint64 // bytes since its start
	idle      bool
}

// begins reports whether the process, which has allocated so much by now, was busy before the last look and idle since.
func (i *idleness) begins(allocated uint64) bool {
	was := i.idle
	i.idle = allocated-i.allocated <= idleAllocates
	i.allocated = allocated
	return i.idle && !was
}

// allocated is how many bytes of heap the process has allocated since its start, freed ones included.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
