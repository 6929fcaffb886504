package pgmove

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// A row of an organization that is being moved is due three thousand years later, so that no worker of either cell finds it
// due. That is behind what pauses do (a thousand years), whose rows keep theirs. Hours, because years are not of one length.
const (
	later   = `interval '26297496 hours'`
	farAway = `(now() + interval '17531664 hours')`
)

// batch is how many rows one transaction changes or deletes.
const batch = 5000

// free are the conditions on rows t that no worker has in its hands. What a worker sends is finished, or its lease ends.
func (t table) free() string {
	switch {
	case t.Name == "notifications": // a request of a custom step
		return ` AND coalesce((t.state -> 'call' ->> 'until')::timestamptz, '-infinity') < clock_timestamp()`
	case strings.Contains(" "+strings.Join(t.Columns, " ")+" ", " leased_until "):
		return ` AND (t.leased_until IS NULL OR t.leased_until < clock_timestamp())`
	}
	return ""
}

// postponed are further columns that move with due_at.
var postponed = map[string]string{"events": `, retry_at = coalesce(t.retry_at, t.created_at) + ` + later}

// resumed are the columns that go back with due_at. The tries and the deadline of a message that should have been sent
// meanwhile do not count the move, as they do not count a pause; a deadline that the event names stays (semantics.md §13.8).
var resumed = map[string]string{
	"events": `, retry_at = t.retry_at - ` + later,
	"messages": `, deadline_at = CASE WHEN EXISTS (SELECT FROM events e WHERE e.id = t.event_id AND e.overrides ->> 'deadline' IS NOT NULL)
		THEN t.deadline_at ELSE t.deadline_at + greatest(interval '0', now() - (t.due_at - ` + later + `)) END,
	envelope = CASE WHEN t.due_at - ` + later + ` < now() AND jsonb_typeof(t.envelope) = 'object'
		THEN t.envelope || jsonb_build_object('again', now()) ELSE t.envelope END`,
}

// leased selects whether messages are under a lease: until it ends they have no due time that could be moved.
const leased = `SELECT EXISTS (SELECT FROM message_leases l CROSS JOIN LATERAL unnest(l.message_ids) u (id)
	JOIN messages m ON m.id = u.id AND m.lease_id = l.id WHERE m.environment_id = ` + itsEnvironments + `)`

// postpone puts what waits out of reach of workers, and reports how much it changed and whether workers have rows in their hands.
func postpone(ctx context.Context, db *postgres.DB, all []table, s scope) (changed int64, busy bool, err error) {
	if err := db.Pool.QueryRow(ctx, s.given(leased)).Scan(&busy); err != nil {
		return changed, busy, postgres.Translate(fmt.Errorf("look for messages under a lease: %w", err))
	}
	for _, t := range all {
		for _, column := range t.due() {
			set, open := column+` = t.`+column+` + `+later, t.where+` AND t.`+column+` < `+farAway
			free := ""
			if column == "due_at" {
				set, free = set+postponed[t.Name], t.free()
			}
			n, err := inBatches(ctx, db, `UPDATE `+t.name()+` t SET `+set+` WHERE t.id IN (SELECT t.id FROM `+t.name()+` t WHERE `+
				open+free+` LIMIT `+fmt.Sprint(batch)+` FOR UPDATE SKIP LOCKED)`, s)
			if err != nil {
				return changed, busy, fmt.Errorf("hold %s: %w", t.Name, err)
			}
			changed += n
			var left bool
			if err := db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+t.name()+` t WHERE `+s.given(open)+`)`).Scan(&left); err != nil {
				return changed, busy, postgres.Translate(fmt.Errorf("hold %s: %w", t.Name, err))
			}
			busy = busy || left
		}
	}
	return changed, busy, nil
}

// resume makes what waits due again as it was.
func resume(ctx context.Context, db *postgres.DB, all []table, s scope) error {
	for _, t := range all {
		for _, column := range t.due() {
			set := column + ` = t.` + column + ` - ` + later
			if column == "due_at" {
				set += resumed[t.Name]
			}
			_, err := inBatches(ctx, db, `UPDATE `+t.name()+` t SET `+set+` WHERE t.id IN (SELECT t.id FROM `+t.name()+` t WHERE `+
				t.where+` AND t.`+column+` > `+farAway+` AND t.`+column+` < 'infinity' LIMIT `+fmt.Sprint(batch)+` FOR UPDATE)`, s)
			if err != nil {
				return fmt.Errorf("release %s: %w", t.Name, err)
			}
		}
	}
	return nil
}

// inBatches repeats a statement that changes at most batch rows of the scope, each time in a transaction of its own, until it
// finds less.
func inBatches(ctx context.Context, db *postgres.DB, sql string, s scope) (changed int64, err error) {
	sql = s.given(sql)
	for {
		var n int64
		err := inMove(ctx, db, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, sql)
			n = tag.RowsAffected()
			return err
		})
		changed += n
		if err != nil || n < batch {
			return changed, err
		}
	}
}

// inMove commits what fn does, which no fence refuses and no webhook reports.
func inMove(ctx context.Context, db *postgres.DB, fn func(tx pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL carillon.move = 'on'; SET LOCAL carillon.webhooks = 'off'`); err != nil {
			return err
		}
		return fn(tx)
	})
	return postgres.Translate(err)
}

// hold returns when nothing of the organization waits within reach of workers, none of them has anything of it in its hands, and
// its rows refuse to be written. What is authenticated already may write until then; that is copied.
func (m *Move) hold(ctx context.Context, all []table, s scope) error {
	for waited := false; ; {
		changed, busy, err := postpone(ctx, m.Source, all, s)
		switch {
		case err != nil:
			return err
		case busy:
			if !waited {
				m.Report(Waiting, "what is being sent is finished, or its lease has ended")
			}
			if waited, err = true, pause(ctx, m.poll()); err != nil {
				return err
			}
			continue
		case changed > 0:
			continue
		}
		if err := fence(ctx, m.Source, s.organization); err != nil {
			return err
		}
		// What began before the fence is committed or refused now.
		if changed, busy, err = postpone(ctx, m.Source, all, s); err != nil || !busy && changed == 0 {
			return err
		}
		if err := fence(ctx, m.Source, ""); err != nil {
			return err
		}
	}
}

func (m *Move) poll() time.Duration {
	if m.Poll > 0 {
		return m.Poll
	}
	return 500 * time.Millisecond
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
