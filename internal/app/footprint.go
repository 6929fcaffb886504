package app

import (
	"context"
	"log/slog"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A process is idle when it has allocated at most idleAllocates in idleAfter. What it does then, looking for due rows and answering
// probes, takes less than a tenth of that.
const (
	idleAfter     = 10 * time.Second
	idleAllocates = 8 << 20 // bytes
	// idleKeeps is how many bytes of free heap an idle process keeps.
	idleKeeps = 4 << 20
)

// giveBack gives memory back to the system until ctx ends: what the start needed, and every idleAfter the program's pages that were not
// used since; what an idle process does every minute or less often would else add up. Each time the process has become idle it also gives
// back its free heap, which Go by itself would keep, and again when more has become free, such as that of caches whose entries expire.
func giveBack(ctx context.Context, log *slog.Logger) {
	release := func(pages func() error) {
		if err := pages(); err != nil {
			log.DebugContext(ctx, "some memory that is not needed is kept", slog.Any("error", err))
		}
	}
	release(evictProgram)
	release(unmapProgram)
	tick := time.NewTicker(idleAfter)
	defer tick.Stop()
	idle := idleness{allocated: allocated()}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if idle.begins(allocated()) || idle.idle && read("/memory/classes/heap/free:bytes") > idleKeeps {
			debug.FreeOSMemory()
		}
		release(unmapProgram)
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
func allocated() uint64 { return read("/gc/heap/allocs:bytes") }

func read(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
