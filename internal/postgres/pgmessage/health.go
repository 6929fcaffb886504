package pgmessage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
)

// The breaker and the pace of an integration live in its row, so that all processes share them. None of these writes
// touches updated_at: the integration's settings stay as they are. Their times are those of the environment's clock.

// Probe asks for a call to an integration with an open breaker.
type Probe struct {
	EnvironmentID string
	IntegrationID string
	Now           time.Time // by the environment's clock
}

var takeProbes = bulk.New(`UPDATE integrations i SET breaker = 'half_open', breaker_probe_at = free.at + @1::interval
FROM (SELECT i.id, u.at FROM integrations i JOIN {rows} ON i.id = u.id AND i.environment_id = u.environment_id
	WHERE i.breaker <> 'closed' AND (i.breaker_probe_at IS NULL OR i.breaker_probe_at <= u.at) FOR UPDATE OF i SKIP LOCKED) free
WHERE i.id = free.id RETURNING i.id`, bulk.Columns[Probe]{
	bulk.Field("environment_id", func(p *Probe) *string { return &p.EnvironmentID }),
	bulk.Field("id", func(p *Probe) *string { return &p.IntegrationID }),
	bulk.Field("at", func(p *Probe) *time.Time { return &p.Now }),
})

// TakeProbes gives the caller the one call at a time that integrations with an open breaker get, of those whose turn it
// is. lease is how long that call may take before another one may be made.
func TakeProbes(ctx context.Context, q postgres.Querier, probes []Probe, lease time.Duration) (taken map[string]bool, err error) {
	rows, err := q.Query(ctx, takeProbes.Text, takeProbes.Args(probes, lease)...)
	list, err := postgres.Collect(rows, err, "take probes", pgx.RowTo[string])
	taken = make(map[string]bool, len(list))
	for _, integrationID := range list {
		taken[integrationID] = true
	}
	return taken, err
}

// Pace is the time that the calls of a batch take up of an integration's pace.
type Pace struct {
	EnvironmentID string
	IntegrationID string
	Now           time.Time // by the environment's clock
	Span          time.Duration
	Step          time.Duration // that of one call
	Ahead         time.Duration // how far ahead time is set aside at most, for whole steps
}

var reservePace = bulk.New(`WITH want AS MATERIALIZED (
	SELECT i.id, greatest(i.paced_until, u.at) AS free, u.at,
		least(u.span, greatest(floor((u.ahead - extract(epoch FROM greatest(i.paced_until, u.at) - u.at)) / u.step + 1e-3), 0) * u.step) * interval '1 second' AS span
	FROM {rows} JOIN integrations i ON i.id = u.id AND i.environment_id = u.environment_id ORDER BY i.id FOR UPDATE OF i)
UPDATE integrations i SET paced_until = w.free + w.span FROM want w WHERE i.id = w.id
RETURNING i.id, extract(epoch FROM w.free - w.at)::float8`, bulk.Columns[Pace]{
	bulk.Field("environment_id", func(p *Pace) *string { return &p.EnvironmentID }),
	bulk.Field("id", func(p *Pace) *string { return &p.IntegrationID }),
	bulk.Value("span", func(p *Pace) float64 { return p.Span.Seconds() }),
	bulk.Value("step", func(p *Pace) float64 { return p.Step.Seconds() }),
	bulk.Value("ahead", func(p *Pace) float64 { return p.Ahead.Seconds() }),
	bulk.Field("at", func(p *Pace) *time.Time { return &p.Now }),
})

// ReservePace sets time of integrations aside and returns how long after Now that of each begins; zero or less: at once.
func ReservePace(ctx context.Context, q postgres.Querier, paces []Pace) (begins map[string]time.Duration, err error) {
	rows, err := q.Query(ctx, reservePace.Text, reservePace.Args(paces)...)
	if err != nil {
		return nil, fmt.Errorf("reserve pace: %w", err)
	}
	begins = make(map[string]time.Duration, len(paces))
	var integrationID string
	var seconds float64
	_, err = pgx.ForEachRow(rows, []any{&integrationID, &seconds}, func() error {
		begins[integrationID] = time.Duration(seconds * float64(time.Second))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reserve pace: %w", err)
	}
	return begins, nil
}

// Health is what the calls of a batch say of their integration.
type Health struct {
	EnvironmentID string
	IntegrationID string
	ProviderID    string
	At            time.Time // by the environment's clock
	Works         bool      // the call shows that it works
	Well          bool      // a call is the first to work after failures, or is a probe that works
	Anew          bool      // a call worked before the failures: they count from zero
	Probe         bool      // a call that makes Well true is a probe
	Failures      int       // in a row since the last call that worked, as far as the integration may be blamed for them
	Fault         bool      // a call failed for a reason that lies with the integration for sure
	Cause         string
	Learned       *float64 // calls per second that are too many
	Faster        bool     // it took all it was given: try a little more
}

// BreakerPolicy says when breakers open and for how long.
type BreakerPolicy struct {
	Failures int           // in a row that open it; default 10
	Pause    time.Duration // before the first probe; doubles while probes fail; default 30 s
	Longest  time.Duration // bound of the pause; default 10 min
}

// Well again closes only after a probe: a call that began before the breaker opened proves nothing.
const (
	recordSuccess = `WITH before AS (SELECT id, breaker AS was FROM integrations
	WHERE id = $1 AND environment_id = $2 AND (breaker <> 'closed' OR breaker_failures > 0) AND (breaker = 'closed' OR $3) FOR UPDATE)
UPDATE integrations i SET breaker = 'closed', breaker_failures = 0, breaker_cause = NULL, breaker_opened_at = NULL, breaker_probe_at = NULL
FROM before WHERE i.id = before.id RETURNING i.breaker, before.was <> 'closed'`
	recordFailure = `WITH before AS (SELECT id, breaker AS was, f.failures, ($4 OR breaker <> 'closed' OR f.failures >= $5) AS opens
	FROM integrations, LATERAL (SELECT CASE WHEN $9 THEN 0 ELSE breaker_failures END + $3::int AS failures) f
	WHERE id = $1 AND environment_id = $2 FOR UPDATE OF integrations)
UPDATE integrations i SET breaker_failures = before.failures,
	breaker = CASE WHEN opens THEN 'open' ELSE breaker END,
	breaker_cause = CASE WHEN opens THEN $6 ELSE breaker_cause END,
	breaker_opened_at = CASE WHEN opens THEN coalesce(breaker_opened_at, $10::timestamptz) END,
	breaker_probe_at = CASE WHEN opens AND was = 'open' THEN breaker_probe_at
		WHEN opens THEN $10::timestamptz + least(greatest($10::timestamptz - breaker_opened_at, $7::interval), $8::interval) END
FROM before WHERE i.id = before.id RETURNING i.breaker, i.breaker <> before.was`
	healthSlower = `UPDATE integrations SET learned_rate = greatest(least(coalesce(learned_rate, $3), $3) * 0.7, 0.2)
WHERE id = $1 AND environment_id = $2`
	healthFaster = `UPDATE integrations SET learned_rate = CASE WHEN learned_rate < 500 THEN learned_rate * 1.1 END
WHERE id = $1 AND environment_id = $2 AND learned_rate IS NOT NULL`
)

// BreakerChange is a breaker that came to another state.
type BreakerChange struct{ IntegrationID, ProviderID, State, Cause string }

// RecordHealth moves breakers and learned rates. Of one integration what worked is recorded before what failed after it. Integrations are
// locked in the order of their ids, as ReservePace locks them; a claim has those that it probes before those that it paces.
func RecordHealth(ctx context.Context, db *postgres.DB, signs []Health, policy BreakerPolicy) (changes []BreakerChange, err error) {
	err = postgres.Retry(ctx, func(ctx context.Context) (err error) {
		changes, err = recordHealth(ctx, db, signs, policy)
		return err
	})
	return changes, err
}

func recordHealth(ctx context.Context, db *postgres.DB, signs []Health, policy BreakerPolicy) (changes []BreakerChange, err error) {
	b := &pgx.Batch{}
	signs = slices.SortedStableFunc(slices.Values(signs), func(x, y Health) int { return cmp.Compare(x.IntegrationID, y.IntegrationID) })
	for i := range signs {
		s := &signs[i]
		moved := func(row pgx.Row) error {
			var state string
			var changed bool
			err := row.Scan(&state, &changed)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err == nil && changed {
				changes = append(changes, BreakerChange{s.IntegrationID, s.ProviderID, state, s.Cause})
			}
			return err
		}
		if s.Well {
			b.Queue(recordSuccess, s.IntegrationID, s.EnvironmentID, s.Probe).QueryRow(moved)
		}
		if s.Fault || s.Failures > 0 {
			b.Queue(recordFailure, s.IntegrationID, s.EnvironmentID, s.Failures, s.Fault, policy.Failures, s.Cause, policy.Pause, policy.Longest, s.Anew, s.At).QueryRow(moved)
		}
		switch {
		case s.Learned != nil:
			b.Queue(healthSlower, s.IntegrationID, s.EnvironmentID, *s.Learned)
		case s.Faster:
			b.Queue(healthFaster, s.IntegrationID, s.EnvironmentID)
		}
	}
	if b.Len() == 0 {
		return nil, nil
	}
	if err := db.Pool.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("record the health of integrations: %w", err)
	}
	return changes, nil
}
