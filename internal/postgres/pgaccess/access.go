// Package pgaccess looks up API keys, sessions and subscribers' tokens, and counts failed log-ins.
package pgaccess

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// Standing says whether an environment takes requests.
type Standing struct {
	Suspended string // "environment" or "organization" when one is, else ""
	Move      string // where a move of the organization to another cell has come to; "none": it lives here
	MovedTo   string // where it has moved to
}

// Err is what callers hear, nil when the environment takes requests.
func (s Standing) Err() error {
	switch {
	case s.Move == string(organization.MoveMoved):
		return postgres.Moved(s.MovedTo, nil)
	case s.Move != "" && s.Move != string(organization.MoveNone):
		return postgres.Moving(nil)
	case s.Suspended != "":
		return fault.Forbiddenf("This %s is suspended.", s.Suspended)
	}
	return nil
}

// KeyAccess is what an API key gives access to, and whether it still does.
type KeyAccess struct {
	viewer.Scope // an organization's key has no environment
	Hash         []byte
	KeyID        string
	UserID       string // "" for a key without an owner
	Name         string
	Grants       viewer.Grants
	ExpiresAt    *time.Time
	RevokedAt    *time.Time
	Standing
}

// keysOf selects the keys with the hashes $1, those of environments and those of organizations, whose texts are unlike each other by chance
// only; and with each what the expressions say. Whatever it reads of an environment's key, the version of the environment's configuration
// changes with it.
func keysOf(ofEnvironment, ofOrganization string) string {
	return `SELECT k.hash, k.id, coalesce(k.user_id, ''), k.name, k.scopes, k.expires_at, k.revoked_at, e.id, e.organization_id,
	CASE WHEN o.suspended THEN 'organization' WHEN e.suspended THEN 'environment' ELSE '' END, o.move, o.moved_to` + ofEnvironment + `
FROM api_keys k JOIN environments e ON e.id = k.environment_id JOIN organizations o ON o.id = e.organization_id
WHERE k.hash = ANY($1)
UNION ALL
SELECT k.hash, k.id, coalesce(k.user_id, ''), k.name, k.scopes, k.expires_at, k.revoked_at, '', k.organization_id,
	CASE WHEN o.suspended THEN 'organization' ELSE '' END, o.move, o.moved_to` + ofOrganization + `
FROM organization_keys k JOIN organizations o ON o.id = k.organization_id
WHERE k.hash = ANY($1)`
}

var findKeys = keysOf("", "")

// FindKeys reads the API keys with the given hashes, across environments: it is what decides the scope of a request.
func FindKeys(ctx context.Context, db *postgres.DB, hashes [][]byte) ([]KeyAccess, error) {
	rows, err := db.Pool.Query(ctx, findKeys, hashes)
	found, err := postgres.Collect(rows, err, "find API keys", scanKey)
	if err != nil {
		return nil, postgres.Translate(err)
	}
	return found, nil
}

func scanKey(row pgx.CollectableRow) (k KeyAccess, err error) { return scanKeyWith(row) }

// scanKeyWith scans what comes after the columns of a key into more.
func scanKeyWith(row pgx.CollectableRow, more ...any) (k KeyAccess, err error) {
	var grants []viewer.Grant
	err = row.Scan(append([]any{
		&k.Hash, &k.KeyID, &k.UserID, &k.Name, &grants, &k.ExpiresAt, &k.RevokedAt, &k.EnvironmentID, &k.OrganizationID,
		&k.Suspended, &k.Move, &k.MovedTo,
	}, more...)...)
	k.Grants = viewer.GrantsOf(grants...)
	return k, err
}

// SessionAccess is what a user's log-in gives access to, and whether it still does.
type SessionAccess struct {
	viewer.Scope
	SessionID, UserID string
	Email             string
	Role              string // of the user's membership now
	ExpiresAt         time.Time
	RevokedAt         *time.Time
	Standing
	Enrolling bool // see viewer.Viewer
}

const findSession = `SELECT s.id, s.user_id, u.email, m.role, s.expires_at, s.revoked_at, e.id, e.organization_id,
	o.require_second_factor AND u.second_factor_at IS NULL AND NOT s.verified_elsewhere,
	CASE WHEN o.suspended THEN 'organization' WHEN e.suspended THEN 'environment' ELSE '' END, o.move, o.moved_to
FROM sessions s JOIN environments e ON e.id = s.environment_id JOIN organizations o ON o.id = e.organization_id
	JOIN members m ON m.organization_id = e.organization_id AND m.user_id = s.user_id
	JOIN users u ON u.id = s.user_id
WHERE s.hash = $1`

// FindSession reads the log-in whose token has this hash, before there is a viewer; found is false when there is none, or
// when its user is no member any more.
func FindSession(ctx context.Context, db *postgres.DB, hash []byte) (a SessionAccess, found bool, err error) {
	rows, err := db.Pool.Query(ctx, findSession, hash)
	if err != nil {
		return a, false, postgres.Translate(fmt.Errorf("find a session: %w", err))
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a SessionAccess, err error) {
		return a, row.Scan(&a.SessionID, &a.UserID, &a.Email, &a.Role, &a.ExpiresAt, &a.RevokedAt, &a.EnvironmentID, &a.OrganizationID, &a.Enrolling, &a.Suspended, &a.Move, &a.MovedTo)
	})
	if err != nil || len(all) == 0 {
		return a, false, postgres.Translate(err)
	}
	return all[0], true, nil
}

// SubscriberRef names a subscriber of an environment by either of its ids.
type SubscriberRef struct{ InternalID, ExternalID string }

// SubscriberAccess is what a living subscriber's credential is checked by.
type SubscriberAccess struct {
	viewer.Scope
	InternalID, ExternalID string
	TokensValidAfter       *time.Time
	InboxSecret            []byte // the environment's, sealed; nil: it has none
	InboxSeen              bool   // whether any inbox of the environment was ever opened
	Standing
}

const findSubscriberAccess = `SELECT coalesce(s.id, ''), coalesce(s.subscriber_id, ''), s.tokens_valid_after, e.inbox_secret, e.inbox_seen,
	e.id, e.organization_id, CASE WHEN o.suspended THEN 'organization' WHEN e.suspended THEN 'environment' ELSE '' END, o.move, o.moved_to
FROM environments e JOIN organizations o ON o.id = e.organization_id
	LEFT JOIN subscribers s ON s.environment_id = e.id AND NOT s.deleted AND %s
WHERE e.id = $1`

// FindSubscriberAccess reads what a subscriber's credential is checked by, before there is a viewer; found is false when the
// environment has no such subscriber, and then a holds what is known of the environment.
func FindSubscriberAccess(ctx context.Context, db *postgres.DB, environmentID string, ref SubscriberRef) (a SubscriberAccess, found bool, err error) {
	is, arg := "s.id = $2", ref.InternalID
	if ref.ExternalID != "" {
		is, arg = "s.subscriber_id = $2", ref.ExternalID
	}
	rows, err := db.Pool.Query(ctx, fmt.Sprintf(findSubscriberAccess, is), environmentID, arg)
	if err != nil {
		return a, false, postgres.Translate(fmt.Errorf("find a subscriber: %w", err))
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a SubscriberAccess, err error) {
		return a, row.Scan(&a.InternalID, &a.ExternalID, &a.TokensValidAfter, &a.InboxSecret, &a.InboxSeen, &a.EnvironmentID, &a.OrganizationID, &a.Suspended, &a.Move, &a.MovedTo)
	})
	if err != nil || len(all) == 0 {
		return a, false, postgres.Translate(err)
	}
	return all[0], all[0].InternalID != "", nil
}

// NewSubscriber is a subscriber of whom nothing but its identifier is known.
type NewSubscriber struct {
	ID            string // of the record
	EnvironmentID string
	SubscriberID  string
	// Returning lets one come back that was deleted, as a new record.
	Returning bool
}

// MakeSubscriber makes a subscriber unless there is one, and reports whether it did. Of several at once one does.
func MakeSubscriber(ctx context.Context, tx pgx.Tx, n NewSubscriber) (made bool, err error) {
	tag, err := tx.Exec(ctx, `INSERT INTO subscribers (id, created_at, updated_at, environment_id, subscriber_id)
SELECT $1::text, now(), now(), $2::text, $3::text WHERE $4::boolean OR NOT EXISTS (SELECT FROM subscribers WHERE environment_id = $2 AND subscriber_id = $3)
ON CONFLICT (environment_id, subscriber_id) WHERE NOT deleted DO NOTHING`, n.ID, n.EnvironmentID, n.SubscriberID, n.Returning)
	if err != nil {
		return false, postgres.Translate(fmt.Errorf("make a subscriber: %w", err))
	}
	return tag.RowsAffected() == 1, nil
}

// MarkInboxSeen records that an inbox of the environment was opened for the first time (decisions.md §11,
// INBOX_NOT_CONNECTED).
func MarkInboxSeen(ctx context.Context, db *postgres.DB, scope viewer.Scope) error {
	_, err := db.Pool.Exec(ctx, `UPDATE environments SET inbox_seen = true WHERE id = $1 AND NOT inbox_seen`, scope.EnvironmentID)
	if err != nil {
		return postgres.Translate(fmt.Errorf("record the first inbox: %w", err))
	}
	return nil
}

const recordKeyUse = `WITH used AS (SELECT * FROM unnest($1::text[], $2::timestamptz[]) AS u(id, used_at)),
ofOrganizations AS (UPDATE organization_keys k SET last_used_at = greatest(k.last_used_at, u.used_at) FROM used u WHERE k.id = u.id)
UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, u.used_at) FROM used u WHERE k.id = u.id`

// RecordKeyUse stores when API keys were last used, those of environments and of organizations. Ids are taken in order, so
// that two processes never wait for each other in a circle.
func RecordKeyUse(ctx context.Context, db *postgres.DB, used map[string]time.Time) error {
	ids := slices.Sorted(maps.Keys(used))
	times := make([]time.Time, len(ids))
	for i, id := range ids {
		times[i] = used[id]
	}
	if _, err := db.Pool.Exec(ctx, recordKeyUse, ids, times); err != nil {
		return postgres.Translate(fmt.Errorf("record the use of API keys: %w", err))
	}
	return nil
}

// bootstrapLock is the key of the lock under which the first records of a database are made.
const bootstrapLock = 0x63617262 // "carb"

// LockBootstrap lets one transaction at a time make the first records of a database.
func LockBootstrap(ctx context.Context, tx *postgres.Tx) error {
	if _, err := tx.Pgx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", bootstrapLock); err != nil {
		return postgres.Translate(fmt.Errorf("lock the bootstrap: %w", err))
	}
	return nil
}

// LockEnvironment holds an environment's row until the transaction ends, so that rules over several of its records (one
// usable key must remain) are not broken by two changes at once.
func LockEnvironment(ctx context.Context, tx *postgres.Tx, scope viewer.Scope) error {
	_, err := tx.Pgx.Exec(ctx, "SELECT 1 FROM environments WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE",
		scope.EnvironmentID, scope.OrganizationID)
	if err != nil {
		return postgres.Translate(fmt.Errorf("lock the environment: %w", err))
	}
	return nil
}

// LockKind lets those who make records of one kind in an environment follow each other until the transaction ends, so that each
// counts those of the others. Changes of the environment's configuration, which end with its row, do not wait for it.
func LockKind(ctx context.Context, tx *postgres.Tx, scope viewer.Scope, kind string) error {
	_, err := tx.Pgx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", kind+" "+scope.EnvironmentID)
	if err != nil {
		return postgres.Translate(fmt.Errorf("lock the %s of the environment: %w", kind, err))
	}
	return nil
}

// LockOrganization holds an organization's row until the transaction ends; see LockEnvironment.
func LockOrganization(ctx context.Context, tx *postgres.Tx, scope viewer.Scope) error {
	if _, err := tx.Pgx.Exec(ctx, "SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE", scope.OrganizationID); err != nil {
		return postgres.Translate(fmt.Errorf("lock the organization: %w", err))
	}
	return nil
}

// AwaitTransactions returns once the transactions have ended that are open now, or the time is over: a backup reads for long, and
// stores nothing.
func AwaitTransactions(ctx context.Context, db *postgres.DB, within time.Duration) error {
	var began time.Time
	if err := db.Pool.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&began); err != nil {
		return postgres.Translate(fmt.Errorf("wait for open transactions: %w", err))
	}
	for {
		var ended bool
		err := db.Pool.QueryRow(ctx, `SELECT clock_timestamp() > $2 OR NOT EXISTS (SELECT FROM pg_stat_activity
	WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < $1)`, began, began.Add(within)).Scan(&ended)
		if err != nil || ended {
			return postgres.Translate(err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(awaitEvery):
		}
	}
}

// awaitEvery is the pause between two looks at open transactions.
const awaitEvery = 20 * time.Millisecond

// heldFirst are the tables whose rows workers lock while they store others of the same run: deleted before those, their rows are waited
// for, and what was stored meanwhile is deleted with the rest.
var heldFirst = []string{event.Table, notification.Table}

// DeleteEnvironmentRows removes all rows of an environment that no foreign key would remove with it: those of the hot
// tables. The audit stays, for the organization's admins.
func DeleteEnvironmentRows(ctx context.Context, tx *postgres.Tx, scope viewer.Scope) error {
	tables := slices.Clone(migrate.Tables)
	rank := func(t *schema.Table) int {
		if i := slices.Index(heldFirst, t.Name); i >= 0 {
			return i
		}
		return len(heldFirst)
	}
	slices.SortStableFunc(tables, func(a, b *schema.Table) int { return rank(a) - rank(b) })
	for _, table := range tables {
		if !table.HasColumn("environment_id") || len(table.ForeignKeys) > 0 || table.Name == auditentry.Table {
			continue
		}
		name := pgx.Identifier{table.Name}.Sanitize()
		if _, err := tx.Pgx.Exec(ctx, "DELETE FROM "+name+" WHERE environment_id = $1", scope.EnvironmentID); err != nil {
			return postgres.Translate(fmt.Errorf("delete the environment's %s: %w", table.Name, err))
		}
	}
	return nil
}
