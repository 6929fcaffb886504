package pgaccess

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
)

// TryLimit says how many tries of one kind pass before each further one is delayed, and by how much.
type TryLimit struct {
	Free    int           // tries without a delay
	First   time.Duration // the first delay; each further one is twice as long
	Longest time.Duration
	Forget  time.Duration // after which quiet tries count from the start
}

// Tried is what became of a try.
type Tried struct {
	Wait  time.Duration // zero: the try may continue; it was counted as a failure, which EndTries takes back
	Fresh bool          // it made a row
}

// One statement counts and decides, so that of many tries at once each counts. A try that is refused is not counted: waiting
// helps. A delay grows to longest at the latest after 30 doublings, beyond which power would overflow intervals.
const tryLogIn = `INSERT INTO log_in_tries AS t (id, created_at, updated_at, key, failures, tried_at, blocked_until)
VALUES ($1, $2, $2, $3, 1, $2, $2)
ON CONFLICT (key) DO UPDATE SET updated_at = $2, tried_at = $2,
	failures = CASE WHEN t.tried_at < $4 THEN 1 ELSE t.failures + 1 END,
	blocked_until = CASE WHEN t.tried_at < $4 OR t.failures + 1 < $5 THEN $2
		ELSE $2 + make_interval(secs => least($7::float8, $6::float8 * power(2, least(t.failures + 1 - $5, 30)))) END
WHERE t.blocked_until <= $2
RETURNING failures = 1`

// TryLogIn counts a try under a key, unless an earlier one delays it. now is real time.
func TryLogIn(ctx context.Context, db *postgres.DB, key []byte, now time.Time, limit TryLimit) (Tried, error) {
	rows, err := db.Pool.Query(ctx, tryLogIn, id.New(now), now, key, now.Add(-limit.Forget), limit.Free, limit.First.Seconds(), limit.Longest.Seconds())
	counted, err := postgres.Collect(rows, err, "count a log-in", pgx.RowTo[bool])
	if err != nil {
		return Tried{}, postgres.Translate(err)
	}
	if len(counted) > 0 {
		return Tried{Fresh: counted[0]}, nil
	}
	rows, err = db.Pool.Query(ctx, `SELECT blocked_until FROM log_in_tries WHERE key = $1`, key)
	until, err := postgres.Collect(rows, err, "count a log-in", pgx.RowTo[time.Time])
	if err != nil {
		return Tried{}, postgres.Translate(err)
	}
	wait := time.Second // the row has gone meanwhile: what delayed the try is over
	if len(until) > 0 {
		wait = max(wait, until[0].Sub(now))
	}
	return Tried{Wait: wait}, nil
}

// EndTries forgets what was counted under the keys: whoever tried was right.
func EndTries(ctx context.Context, db *postgres.DB, keys ...[]byte) error {
	if _, err := db.Pool.Exec(ctx, `DELETE FROM log_in_tries WHERE key = ANY($1)`, keys); err != nil {
		return postgres.Translate(fmt.Errorf("forget failed log-ins: %w", err))
	}
	return nil
}

// TrimTries removes all rows but keep of them, so that the table stays small: those with the fewest failures go first, of these the
// oldest. Rows of one failure cost a stranger a request each; if they took the places of others, a flood of them would end the delays
// of one's own guesses.
func TrimTries(ctx context.Context, db *postgres.DB, keep int) error {
	_, err := db.Pool.Exec(ctx, `DELETE FROM log_in_tries WHERE id IN (
		SELECT id FROM log_in_tries ORDER BY failures DESC, tried_at DESC, id DESC OFFSET $1)`, keep)
	if err != nil {
		return postgres.Translate(fmt.Errorf("trim failed log-ins: %w", err))
	}
	return nil
}
