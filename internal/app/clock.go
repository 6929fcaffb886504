package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

// readServer reads the settings of the database's server, and by how much its clock differs from this machine's at least.
func readServer(ctx context.Context, db *postgres.DB, now func() time.Time) (facts pgupkeep.ServerFacts, differ time.Duration, err error) {
	before := now()
	facts, err = pgupkeep.ReadServerFacts(ctx, db)
	return facts, postgres.ClockDifference(before, facts.Now, now()), err
}

// requireClock compares the clocks of this machine and the database.
func requireClock(ctx context.Context, db *postgres.DB, now func() time.Time, log *slog.Logger) error {
	differ, err := db.ClockDiffers(ctx, now)
	if err != nil {
		return err //nolint:wrapcheck // says what it did
	}
	switch {
	case differ > postgres.MostSkew:
		return fmt.Errorf("the clocks of this machine and the database differ by %s: delays and digests would end at the wrong time, and "+
			"records be deleted too early. Run NTP on both", differ.Round(time.Second))
	case differ > skewWarn:
		log.WarnContext(ctx, "the clocks of this machine and the database differ: run NTP on both", "differ_ms", differ.Milliseconds())
	}
	return nil
}
