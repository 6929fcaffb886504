package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

// skewRefused is by how much the clocks of this machine and the database may differ for a process to start. Waits end by the clock of the
// process that takes them up: one whose clock is an hour ahead ends those of all processes an hour early, and deletes by it.
const skewRefused = 5 * time.Minute

// readServer reads the settings of the database's server, and by how much its clock differs from this machine's at least.
func readServer(ctx context.Context, db *postgres.DB, now func() time.Time) (facts pgupkeep.ServerFacts, differ time.Duration, err error) {
	before := now()
	facts, err = pgupkeep.ReadServerFacts(ctx, db)
	return facts, clockDifference(before, facts.Now, now()), err
}

// requireClock compares the clocks of this machine and the database.
func requireClock(ctx context.Context, db *postgres.DB, now func() time.Time, log *slog.Logger) error {
	_, differ, err := readServer(ctx, db, now)
	if err != nil {
		return err
	}
	switch {
	case differ > skewRefused:
		return fmt.Errorf("the clocks of this machine and the database differ by %s: delays and digests would end at the wrong time, and "+
			"records be deleted too early. Run NTP on both", differ.Round(time.Second))
	case differ > skewWarn:
		log.WarnContext(ctx, "the clocks of this machine and the database differ: run NTP on both", "differ_ms", differ.Milliseconds())
	}
	return nil
}

// clockDifference is by how much a clock that was read between two instants of this machine differs from its own at least.
func clockDifference(before, read, after time.Time) time.Duration {
	switch {
	case read.Before(before):
		return before.Sub(read)
	case read.After(after):
		return read.Sub(after)
	}
	return 0
}
