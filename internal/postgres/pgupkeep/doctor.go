// Package pgupkeep reads the state of the installation for the doctor command, prunes what is past its retention, and
// replaces sealed values.
package pgupkeep

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgdue"
)

// This file is for the operator's own questions: it reads across environments and changes nothing.

// ServerFacts are the settings of the server that Carillon's promises rest on.
type ServerFacts struct {
	Version           int    // server_version_num, such as 150004
	VersionText       string // such as 15.4
	FSync             string
	SynchronousCommit string
	FullPageWrites    string
	ReadOnly          bool // a standby, or default_transaction_read_only
	Connections       int  // how many an ordinary role may have here, the role's and the database's own limits included
	Used              int  // how many are open
	Now               time.Time
	Encoding          string
	OwnSettings       bool // whether the settings that the connection began with hold; a transaction pooler drops or refuses them
	Isolation         string
	RandomPageCost    float64
	JIT               bool
}

const serverFacts = `SELECT current_setting('server_version_num')::int, current_setting('server_version'),
	current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes'),
	pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool,
	least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
		(SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()),
		(SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user)),
	(SELECT coalesce(sum(numbackends), 0)::int FROM pg_stat_database), clock_timestamp(), current_setting('server_encoding'),
	current_setting('plan_cache_mode') <> 'auto', current_setting('default_transaction_isolation'),
	current_setting('random_page_cost')::float8, current_setting('jit')::bool`

// ReadServerFacts reads them, as a session of Carillon's sees them.
func ReadServerFacts(ctx context.Context, db *postgres.DB) (f ServerFacts, err error) {
	err = db.Pool.QueryRow(ctx, serverFacts).Scan(&f.Version, &f.VersionText, &f.FSync, &f.SynchronousCommit,
		&f.FullPageWrites, &f.ReadOnly, &f.Connections, &f.Used, &f.Now, &f.Encoding, &f.OwnSettings, &f.Isolation,
		&f.RandomPageCost, &f.JIT)
	if err != nil {
		return f, postgres.Translate(fmt.Errorf("read the server's settings: %w", err))
	}
	return f, nil
}

// Gap is a channel that published, active workflows use although no active integration delivers on it.
type Gap struct {
	Environment string // identifier
	Channel     string
	Workflows   []string // identifiers, at most five
	Total       int      // how many workflows
}

// Gaps lists at most limit of them.
func Gaps(ctx context.Context, db *postgres.DB, limit int) ([]Gap, error) {
	rows, err := db.Pool.Query(ctx, `WITH used AS (
	SELECT DISTINCT w.environment_id, w.identifier, step->>'type' AS channel
	FROM workflows w JOIN workflow_versions v ON v.id = w.published_version_id
	CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(v.definition->'steps') WHEN 'array' THEN v.definition->'steps' END) step
	WHERE w.active AND NOT w.deleted AND coalesce((step->>'active')::bool, true)
		AND step->>'type' IN ('in_app', 'email', 'sms', 'chat', 'push'))
SELECT e.identifier, u.channel, (array_agg(u.identifier ORDER BY u.identifier))[1:5], count(*)::int
FROM used u JOIN environments e ON e.id = u.environment_id
WHERE NOT EXISTS (SELECT FROM integrations i WHERE i.environment_id = u.environment_id AND i.channel = u.channel
	AND i.active AND NOT i.deleted)
GROUP BY 1, 2 ORDER BY 1, 2 LIMIT $1`, limit)
	return postgres.Collect(rows, err, "look for channels without an integration", pgx.RowToStructByPos[Gap])
}

// RowCount counts rows of a table; ID is one of them, to look at.
type RowCount struct {
	Table string
	Count int
	ID    string
}

// Parked counts the rows that failed so often that they are not tried any more.
func Parked(ctx context.Context, db *postgres.DB) ([]RowCount, error) {
	rows, err := db.Pool.Query(ctx, `SELECT 'events', count(*)::int, coalesce(max(id), '') FROM events WHERE status = 'parked'
UNION ALL SELECT 'notifications', count(*)::int, coalesce(max(id), '') FROM notifications WHERE status = 'parked'`)
	return postgres.Collect(rows, err, "count parked rows", pgx.RowToStructByPos[RowCount])
}

// Overdue counts, up to limit, the rows that were due before a moment and that no worker holds; Count and Oldest are
// zero for a table without any.
type Overdue struct {
	RowCount
	Oldest time.Time
}

var overdueQueries = map[pgdue.DueTable]string{
	pgdue.DueEvents: `SELECT count(*)::int, coalesce((array_agg(id ORDER BY due_at))[1], ''), min(due_at)
FROM (SELECT id, due_at FROM events WHERE due_at < $1 ORDER BY due_at LIMIT $2) r`,
	pgdue.DueNotifications: `SELECT count(*)::int, coalesce((array_agg(id ORDER BY due_at))[1], ''), min(due_at)
FROM (SELECT id, due_at FROM notifications WHERE due_at < $1 ORDER BY due_at LIMIT $2) r`,
	pgdue.DueLeases: `SELECT count(*)::int, coalesce((array_agg(id ORDER BY due_at))[1], ''), min(due_at)
FROM (SELECT id, due_at FROM message_leases WHERE due_at < $1 ORDER BY due_at LIMIT $2) r`,
	pgdue.DueMessages: `SELECT count(*)::int, coalesce((array_agg(id ORDER BY due_at))[1], ''), min(due_at)
FROM (SELECT id, due_at FROM messages WHERE due_at < $1 AND (leased_until IS NULL OR leased_until < clock_timestamp())
	ORDER BY due_at LIMIT $2) r`,
}

// FindOverdue looks at every table with due rows.
func FindOverdue(ctx context.Context, db *postgres.DB, before time.Time, limit int) ([]Overdue, error) {
	var all []Overdue
	for _, table := range []pgdue.DueTable{pgdue.DueEvents, pgdue.DueNotifications, pgdue.DueMessages, pgdue.DueLeases} {
		var oldest *time.Time
		o := Overdue{RowCount: RowCount{Table: string(table)}}
		if err := db.Pool.QueryRow(ctx, overdueQueries[table], before, limit).Scan(&o.Count, &o.ID, &oldest); err != nil {
			return nil, postgres.Translate(fmt.Errorf("look for overdue %s: %w", table, err))
		}
		if oldest != nil {
			o.Oldest = *oldest
		}
		all = append(all, o)
	}
	return all, nil
}

// Transaction is one of another session of the database that has written, or locked rows or tables.
type Transaction struct {
	PID         int
	Application string
	State       string // such as idle in transaction
	Since       time.Time
}

// FindTransactions returns the transactions that have written, or locked rows or tables, and began before an instant, at most five, the oldest first.
// Those of other roles are seen by who may read all statistics.
func FindTransactions(ctx context.Context, db *postgres.DB, before time.Time) ([]Transaction, error) {
	rows, err := db.Pool.Query(ctx, `SELECT pid, application_name, coalesce(state, ''), xact_start FROM pg_stat_activity a
WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < $1 AND (backend_xid IS NOT NULL OR EXISTS (
	SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.granted AND l.locktype = 'relation'
		AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))) ORDER BY xact_start, pid LIMIT 5`, before)
	return postgres.Collect(rows, err, "look for long transactions", pgx.RowToStructByPos[Transaction])
}

// OpenMove is the move of an organization between two cells that has not ended.
type OpenMove struct {
	Organization, Name string
	To                 string // what the source calls the target; empty in the target
	Since              time.Time
}

// OpenMoves are the moves that have not ended, at most limit. The target has them from the copy on.
func OpenMoves(ctx context.Context, db *postgres.DB, limit int) ([]OpenMove, error) {
	rows, err := db.Pool.Query(ctx, `SELECT id, name, CASE move WHEN 'leaving' THEN moved_to ELSE '' END, updated_at FROM organizations
WHERE move IN ('leaving', 'arriving') ORDER BY id LIMIT $1`, limit)
	return postgres.Collect(rows, err, "look for moves", pgx.RowToStructByPos[OpenMove])
}

// StuckLeases counts messages whose lease ends later than any worker would set it.
func StuckLeases(ctx context.Context, db *postgres.DB, beyond time.Duration) (RowCount, error) {
	c := RowCount{Table: string(pgdue.DueMessages)}
	err := db.Pool.QueryRow(ctx, `SELECT count(*)::int, coalesce(max(id), '') FROM messages
WHERE due_at IS NOT NULL AND leased_until > clock_timestamp() + $1`, beyond).Scan(&c.Count, &c.ID)
	if err != nil {
		return c, postgres.Translate(fmt.Errorf("look for stuck leases: %w", err))
	}
	return c, nil
}

// Dangling counts rows of a hot table that point at nothing. Hot tables have no foreign keys.
type Dangling struct {
	RowCount
	Column string // which points
}

const dangling = `SELECT 'notifications', 'event_id', count(*)::int, coalesce(max(id), '') FROM
	(SELECT id, event_id AS ref FROM notifications ORDER BY id DESC LIMIT $1) r WHERE NOT EXISTS (SELECT FROM events t WHERE t.id = r.ref)
UNION ALL SELECT 'notifications', 'workflow_version_id', count(*)::int, coalesce(max(id), '') FROM
	(SELECT id, workflow_version_id AS ref FROM notifications ORDER BY id DESC LIMIT $1) r
	WHERE NOT EXISTS (SELECT FROM workflow_versions t WHERE t.id = r.ref)
UNION ALL SELECT 'messages', 'notification_id', count(*)::int, coalesce(max(id), '') FROM
	(SELECT id, notification_id AS ref FROM messages ORDER BY id DESC LIMIT $1) r
	WHERE NOT EXISTS (SELECT FROM notifications t WHERE t.id = r.ref)
UNION ALL SELECT 'messages', 'event_id', count(*)::int, coalesce(max(id), '') FROM
	(SELECT id, event_id AS ref FROM messages ORDER BY id DESC LIMIT $1) r WHERE NOT EXISTS (SELECT FROM events t WHERE t.id = r.ref)
UNION ALL SELECT 'attempts', 'message_id', count(*)::int, coalesce(max(id), '') FROM
	(SELECT id, message_id AS ref FROM attempts ORDER BY id DESC LIMIT $1) r WHERE NOT EXISTS (SELECT FROM messages t WHERE t.id = r.ref)`

// FindDangling looks at the newest sample rows of every hot table, in one snapshot.
func FindDangling(ctx context.Context, db *postgres.DB, sample int) ([]Dangling, error) {
	rows, err := db.Pool.Query(ctx, dangling, sample)
	return postgres.Collect(rows, err, "look for dangling rows", func(r pgx.CollectableRow) (d Dangling, err error) {
		return d, r.Scan(&d.Table, &d.Column, &d.Count, &d.ID)
	})
}

// Delivering reports whether any process that takes up due rows is connected.
func Delivering(ctx context.Context, db *postgres.DB) (yes bool, err error) {
	err = db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity
	WHERE datname = current_database() AND application_name LIKE '%'||$1)`, postgres.DeliversSuffix).Scan(&yes)
	if err != nil {
		return false, postgres.Translate(fmt.Errorf("look for processes that deliver: %w", err))
	}
	return yes, nil
}

// tryWrite takes less than a megabyte of new pages, on the disk of the database's own tables.
const tryWrite = `CREATE TEMPORARY TABLE carillon_doctor ON COMMIT DROP AS SELECT md5(i::text) FROM generate_series(1, 10000) i`

// TryWrite stores something and takes it back. A database whose disk is full answers questions and refuses this (53100): the
// error is what it says.
func TryWrite(ctx context.Context, db *postgres.DB) error {
	err := pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL temp_tablespaces = ''`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, tryWrite)
		return err
	})
	if err != nil {
		return fmt.Errorf("store something: %w", err)
	}
	return nil
}
