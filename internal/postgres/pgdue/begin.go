package pgdue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/workflow"
)

// How many pauses of an environment last at once: every event, run and message is held against them.
const (
	MaxPauses = 100
	// MaxPausedSubscribers is where rules begin no further pauses of subscribers, so that people can still pause by hand.
	MaxPausedSubscribers = 50
)

// NewPause is a pause that is to begin.
type NewPause struct {
	ID            string
	EnvironmentID string
	Kind          workflow.PauseKind
	Target        string
	Reason        string
	// Since is set by a rule: of the same kind and target none began since then, not even one that people have ended.
	Since *time.Time
}

var newPauses = bulk.Columns[NewPause]{
	bulk.Field("id", func(p *NewPause) *string { return &p.ID }),
	bulk.Field("environment_id", func(p *NewPause) *string { return &p.EnvironmentID }),
	bulk.Text("kind", func(p *NewPause) *workflow.PauseKind { return &p.Kind }),
	bulk.Field("target", func(p *NewPause) *string { return &p.Target }),
	bulk.Field("reason", func(p *NewPause) *string { return &p.Reason }),
	bulk.Field("since", func(p *NewPause) **time.Time { return &p.Since }),
}

var (
	// lockPauses makes transactions that begin pauses in one environment come one after the other, so that each counts those of the
	// others. It takes its locks in sorted order.
	lockPauses = bulk.New(`SELECT pg_advisory_xact_lock(l.key) FROM (
	SELECT DISTINCT hashtextextended('pauses ' || u.environment_id, 0) AS key FROM {rows} ORDER BY 1 OFFSET 0) l`, newPauses.Pick("environment_id"))
	// beginPauses gives what is left of the limit to pauses of subscribers last: the others hold more.
	beginPauses = bulk.New(`WITH wanted AS (SELECT DISTINCT ON (u.environment_id, u.kind, u.target) u.* FROM {rows}
	WHERE NOT EXISTS (SELECT FROM pauses o WHERE o.environment_id = u.environment_id AND o.kind = u.kind AND o.target = u.target
		AND (o.resumed_at IS NULL OR o.created_at >= u.since))
	ORDER BY u.environment_id, u.kind, u.target, u.place),
counted AS (SELECT w.*, row_number() OVER (PARTITION BY w.environment_id ORDER BY w.kind = 'subscriber', w.place) AS nth,
	row_number() OVER (PARTITION BY w.environment_id, w.kind ORDER BY w.place) AS nth_of_kind FROM wanted w)
INSERT INTO pauses (id, created_at, updated_at, environment_id, kind, target, reason)
SELECT c.id, @1::timestamptz, @1::timestamptz, c.environment_id, c.kind, c.target, c.reason FROM counted c CROSS JOIN LATERAL (
	SELECT count(*) AS all_kinds, count(*) FILTER (WHERE l.kind = 'subscriber') AS subscribers
	FROM pauses l WHERE l.environment_id = c.environment_id AND l.resumed_at IS NULL) lasting
WHERE lasting.all_kinds + c.nth <= @2::int AND (c.since IS NULL OR c.kind <> 'subscriber' OR lasting.subscribers + c.nth_of_kind <= @3::int)
ORDER BY c.environment_id, c.kind, c.target`, newPauses)
	lastingPauses = bulk.New(`SELECT u.id, o.id FROM {rows} JOIN pauses o ON o.environment_id = u.environment_id AND o.kind = u.kind
	AND o.target = u.target AND o.resumed_at IS NULL`, newPauses.Pick("id", "environment_id", "kind", "target"))
)

// Begin begins pauses; it is the only way to do so. It returns which pause lasts by the id of the one that was to begin: that itself,
// or one of the same that lasted already. None lasts where the limit is reached, or where people have ended it since a rule began it.
func Begin(ctx context.Context, tx pgx.Tx, list []NewPause, now time.Time) (lasting map[string]string, err error) {
	batch := &pgx.Batch{}
	lockPauses.Queue(batch, list)
	beginPauses.Queue(batch, list, now, MaxPauses, MaxPausedSubscribers)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("begin pauses: %w", err)
	}
	lasting = map[string]string{}
	rows, err := tx.Query(ctx, lastingPauses.Text, lastingPauses.Args(list)...)
	if err == nil {
		var wanted, found string
		_, err = pgx.ForEachRow(rows, []any{&wanted, &found}, func() error { lasting[wanted] = found; return nil })
	}
	if err != nil {
		return nil, fmt.Errorf("begin pauses: %w", err)
	}
	return lasting, nil
}
