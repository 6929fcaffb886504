package pgrun

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// heirOf is the oldest run that was merged into the window d and is none of $2.
const heirOf = `SELECT n.id FROM notifications n WHERE n.digest_id = d.id AND n.status = 'merged' AND n.id <> ALL($2) ORDER BY n.event_id LIMIT 1`

// Place is where a run is that is about to be cancelled, when other runs were merged into a digest window that has closed since.
type Place struct {
	At       time.Time
	Run      NotificationRow // is about to be cancelled
	Step     string          // the last step that Run has come to, in its version
	Messages []PlaceMessage  // of Run, without those that were withdrawn before a first attempt
	Next     NotificationRow // the oldest of the runs that were merged
	Since    time.Time       // when the window closed
	Single   bool            // no other window that Run continued from has closed
	windows  []string        // the window and those that Run came to afterwards
}

// PlaceMessage is a message of the run that is about to be cancelled.
type PlaceMessage struct {
	StepID    string
	CreatedAt time.Time
	Failed    bool
	Open      bool // it is not final
}

// Continuation is how a run continues instead of a cancelled one.
type Continuation struct {
	Next  NotificationRow // as it is from now on; its trace holds what is new
	Shown []string        // steps whose messages become Next's
}

// TakeOver decides how the next run continues from a place; nil: it does not.
type TakeOver func(*Place) *Continuation

// handOver lets other runs continue instead of those that are about to be cancelled. The windows that they share become theirs and count
// one event less. A pause that holds a cancelled run holds the other one.
func handOver(ctx context.Context, tx pgx.Tx, scope viewer.Scope, stopped []string, at time.Time, takeOver TakeOver) error {
	places, err := loadPlaces(ctx, tx, scope, stopped, at)
	if err != nil || len(places) == 0 {
		return err
	}
	var next []NotificationRow
	var former, heirs, windows, owners, joined, shownOf, shown []string
	for i := range places {
		p := &places[i]
		c := takeOver(p)
		if c == nil {
			continue
		}
		next, former, heirs = append(next, c.Next), append(former, p.Run.ID), append(heirs, c.Next.ID)
		for _, id := range p.windows {
			windows, owners = append(windows, id), append(owners, c.Next.ID)
		}
		for _, step := range c.Shown {
			shownOf, shown = append(shownOf, p.Run.ID), append(shown, step)
		}
		if p.Run.Status == workflow.RunMerged {
			joined = append(joined, p.Run.DigestID)
		}
	}
	if len(next) == 0 {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(`UPDATE digests d SET notification_id = u.owner, total = d.total - 1, updated_at = now()
FROM unnest($1::text[], $2::text[]) AS u (id, owner) WHERE d.id = u.id`, windows, owners)
	b.Queue(`UPDATE digests d SET total = d.total - u.events, updated_at = now()
FROM (SELECT id, count(*) AS events FROM unnest($1::text[]) AS u (id) WHERE id <> ALL($2) GROUP BY id) u WHERE d.id = u.id`, joined, windows)
	b.Queue(`UPDATE messages m SET notification_id = h.id, event_id = h.event_id, transaction_id = h.transaction_id, updated_at = now()
FROM unnest($1::text[], $2::text[]) AS u (run, heir) JOIN notifications h ON h.id = u.heir
WHERE m.notification_id = u.run AND (u.run, m.step_id) IN (SELECT * FROM unnest($3::text[], $4::text[]))`, former, heirs, shownOf, shown)
	b.Queue(`UPDATE notifications n SET held_by = f.held_by FROM unnest($1::text[], $2::text[]) AS u (former, heir) JOIN notifications f ON f.id = u.former
WHERE n.id = u.heir`, former, heirs)
	b.Queue(`UPDATE notifications SET digest_id = NULL WHERE id = ANY($1)`, former)
	UpdateNotifications(b, next)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("hand over the places of cancelled runs: %w", err)
	}
	return nil
}

var placeColumns = slices.Concat(runColumns, insertNotifications.Columns.Pick("finished_at"))

// loadPlaces finds those of the runs into whose closed windows others were merged.
func loadPlaces(ctx context.Context, tx pgx.Tx, scope viewer.Scope, stopped []string, at time.Time) ([]Place, error) {
	rows, err := tx.Query(ctx, `SELECT d.notification_id, d.id, d.closes_at, `+pgdue.HasStatus("d.status", "closed")+`, coalesce(heir.id, '')
FROM digests d LEFT JOIN LATERAL (`+heirOf+`) heir ON `+pgdue.HasStatus("d.status", "closed")+`
WHERE d.environment_id = $1 AND d.notification_id = ANY($2) AND d.status <> 'cancelled' ORDER BY d.notification_id, d.closes_at, d.id`,
		scope.EnvironmentID, stopped)
	windows, err := postgres.Collect(rows, err, "find the windows of cancelled runs", pgx.RowToStructByPos[placeWindow])
	if err != nil {
		return nil, err
	}
	places := placesOf(windows, at)
	if len(places) == 0 {
		return nil, nil
	}
	byRun, wanted, former := map[string]*Place{}, []string{}, []string{}
	for i := range places {
		p := &places[i]
		byRun[p.Run.ID], byRun[p.Next.ID] = p, p
		former, wanted = append(former, p.Run.ID), append(wanted, p.Run.ID, p.Next.ID)
	}
	b := &pgx.Batch{}
	b.Queue(`SELECT `+placeColumns.Select("t")+` FROM notifications t WHERE t.id = ANY($1) ORDER BY t.id FOR NO KEY UPDATE`, wanted).Query(func(rows pgx.Rows) error {
		found, err := placeColumns.Collect(rows, nil, "read the runs")
		for _, n := range found {
			if p := byRun[n.ID]; n.ID == p.Run.ID {
				p.Run = n
			} else {
				p.Next = n
			}
		}
		return err
	})
	var run, step string
	b.Queue(`SELECT n.id, coalesce(v.definition -> 'steps' -> (n.position - 1)::int ->> 'stepId', '')
FROM notifications n JOIN workflow_versions v ON v.id = n.workflow_version_id WHERE n.id = ANY($1)`, former).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&run, &step}, func() error {
			byRun[run].Step = step
			return nil
		})
		return err
	})
	var m PlaceMessage
	b.Queue(`SELECT notification_id, step_id, created_at, status = 'error', `+pgdue.OpenMessage("")+` FROM messages
WHERE environment_id = $1 AND notification_id = ANY($2)`, scope.EnvironmentID, former).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&run, &m.StepID, &m.CreatedAt, &m.Failed, &m.Open}, func() error {
			byRun[run].Messages = append(byRun[run].Messages, m)
			return nil
		})
		return err
	})
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("read the places of cancelled runs: %w", err)
	}
	return slices.DeleteFunc(places, func(p Place) bool { return p.Next.Status != workflow.RunMerged }), nil // another transaction was faster
}

// placeWindow is a window that a run continued from, or continues from when it closes.
type placeWindow struct {
	RunID, ID string
	ClosesAt  time.Time
	Closed    bool
	NextID    string // the oldest run that was merged into it once it has closed; "": none
}

// placesOf are the places behind the first window of each run that another run can continue from. windows are ordered by their runs, and
// then by their ends.
func placesOf(windows []placeWindow, at time.Time) (places []Place) {
	closed := map[string]int{}
	for _, w := range windows {
		if w.Closed {
			closed[w.RunID]++
		}
	}
	var last *Place
	for _, w := range windows {
		switch {
		case last != nil && last.Run.ID == w.RunID:
			last.windows = append(last.windows, w.ID)
		case w.NextID != "":
			places = append(places, Place{
				At: at, Run: NotificationRow{ID: w.RunID}, Next: NotificationRow{ID: w.NextID}, Since: w.ClosesAt, Single: closed[w.RunID] == 1,
				windows: []string{w.ID},
			})
			last = &places[len(places)-1]
		}
	}
	return places
}
