package pgaccept

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/carillon/carillon/ent/transactionclaim"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/bulk"
	"github.com/carillon/carillon/internal/viewer"
)

// KeyClaim is a request that wants an idempotency key of its organization.
type KeyClaim struct {
	ID, OrganizationID, Key string
	EnvironmentID           string // of the request; shown, not part of the key's space
	RequestHash             []byte
	Now, ExpiresAt          time.Time
}

var keyClaims = bulk.Columns[KeyClaim]{
	bulk.Field("id", func(c *KeyClaim) *string { return &c.ID }),
	bulk.Field("organization_id", func(c *KeyClaim) *string { return &c.OrganizationID }),
	bulk.Field("key", func(c *KeyClaim) *string { return &c.Key }),
	bulk.Field("request_hash", func(c *KeyClaim) *[]byte { return &c.RequestHash }),
	bulk.Field("now", func(c *KeyClaim) *time.Time { return &c.Now }),
	bulk.Field("expires_at", func(c *KeyClaim) *time.Time { return &c.ExpiresAt }),
	bulk.Field("environment_id", func(c *KeyClaim) *string { return &c.EnvironmentID }),
}

// KeyState is what became of a claim.
type KeyState struct {
	Off   bool // the organization does without keys; nothing else is set
	Taken bool // the claim holds the key now, under its own id
	// RequestHash, StatusCode and Body are of the finished request that had the key; without one another request still
	// runs under it.
	RequestHash []byte
	StatusCode  *int
	Body        []byte
	// Since and ExpiresAt are when the key was taken, and until when it is.
	Since, ExpiresAt *time.Time
}

// takeKeys lets the first claim of a key have it, and a later one when the record has expired. Nothing rests on a taken
// key before its request commits, and that commit makes this one durable too; so this one does not wait for the disk.
var takeKeys = bulk.New(`WITH lazily AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
asked AS MATERIALIZED (SELECT u.*, u.place AS nth, o.idempotency FROM {rows} JOIN organizations o ON o.id = u.organization_id),
taken AS (INSERT INTO idempotency_records AS r (id, created_at, updated_at, organization_id, environment_id, key, request_hash, expires_at)
	SELECT a.id, a.now, a.now, a.organization_id, a.environment_id, a.key, a.request_hash, a.expires_at FROM asked a, lazily
	WHERE a.idempotency ORDER BY a.organization_id, a.key
	ON CONFLICT (organization_id, key) DO UPDATE SET id = excluded.id, created_at = excluded.created_at,
		updated_at = excluded.updated_at, request_hash = excluded.request_hash, expires_at = excluded.expires_at,
		environment_id = excluded.environment_id, status_code = NULL, body = NULL
	WHERE r.expires_at <= excluded.created_at
	RETURNING r.id)
SELECT a.nth, NOT a.idempotency, t.id IS NOT NULL, r.request_hash, r.status_code, r.body, r.created_at, r.expires_at
FROM asked a LEFT JOIN taken t ON t.id = a.id
LEFT JOIN idempotency_records r ON t.id IS NULL AND r.organization_id = a.organization_id AND r.key = a.key AND r.expires_at > a.now`, keyClaims)

// into are the destinations of a row.
func (s *KeyState) into(place *int) []any {
	return []any{place, &s.Off, &s.Taken, &s.RequestHash, &s.StatusCode, &s.Body, &s.Since, &s.ExpiresAt}
}

// TakeKeys settles claims of any organizations, in one round trip. Of several claims of one key within a call the first
// counts, and the others meet it running.
func TakeKeys(ctx context.Context, db *postgres.DB, claims []KeyClaim) ([]KeyState, error) {
	first, order := map[[2]string]int{}, make([]int, len(claims))
	var distinct []KeyClaim
	for i, c := range claims {
		name := [2]string{c.OrganizationID, c.Key}
		place, twice := first[name]
		if !twice {
			place = len(distinct)
			first[name] = place
			distinct = append(distinct, c)
		}
		order[i] = place
	}
	rows, err := db.Pool.Query(ctx, takeKeys.Text, takeKeys.Args(distinct)...)
	if err != nil {
		return nil, postgres.Translate(fmt.Errorf("take idempotency keys: %w", err))
	}
	states, place, state := make([]KeyState, len(distinct)), 0, KeyState{}
	_, err = pgx.ForEachRow(rows, state.into(&place), func() error {
		states[place-1] = state
		state = KeyState{}
		return nil
	})
	if err != nil {
		return nil, postgres.Translate(fmt.Errorf("take idempotency keys: %w", err))
	}
	settled, holds := make([]KeyState, len(claims)), make([]bool, len(states))
	for i, at := range order {
		settled[i] = states[at]
		settled[i].Taken = states[at].Taken && !holds[at]
		holds[at] = true
	}
	return settled, nil
}

// KeyReply is the reply of a request that holds a key.
type KeyReply struct {
	ID             string // of the record
	StatusCode     int
	Body           []byte
	Now, ExpiresAt time.Time
}

const storeReply = `UPDATE idempotency_records SET status_code = $3, body = $4, updated_at = $5, expires_at = $6
WHERE id = $1 AND organization_id = $2 AND status_code IS NULL`

// stillKept divides by zero when the reply was not stored, because the commit that follows it in the same round trip cannot
// wait for a look at its result.
const stillKept = `SELECT 1 / count(*) FROM idempotency_records WHERE id = $1 AND organization_id = $2 AND status_code IS NOT NULL`

// QueueOwnReply stores a reply in a transaction of its request's own, which fails when the key is no longer the request's:
// Overtaken reports whether err is that error.
func QueueOwnReply(batch *pgx.Batch, scope viewer.Scope, r KeyReply) {
	batch.Queue(storeReply, r.ID, scope.OrganizationID, r.StatusCode, r.Body, r.Now, r.ExpiresAt)
	batch.Queue(stillKept, r.ID, scope.OrganizationID)
}

// Overtaken reports whether a transaction found changed what it took for granted, so that it did nothing: a workflow, a transactionId
// that was new, or the key of the request whose reply was to be stored, because that ran longer than it may hold the key, or
// another came to it on the other way.
func Overtaken(err error) bool { return postgres.Code(err) == "22012" || Repeated(err) } // division by zero: bulk.Check

// Repeated reports whether a transaction found a transactionId used that was taken to be new, and nothing else changed.
func Repeated(err error) bool {
	var failed *pgconn.PgError
	return errors.As(err, &failed) && failed.Code == "23505" && failed.TableName == transactionclaim.Table // a unique key
}

var (
	// lockKeys holds keys until the transaction ends. It does not wait for those that another transaction holds.
	lockKeys = bulk.New(`SELECT u.place, pg_try_advisory_xact_lock(hashtextextended('idempotency ' || u.organization_id || ' ' || u.key, 0))
		FROM {rows}`, keyClaims.Pick("organization_id", "key"))
	// findKeyed comes after lockKeys, so that it sees what whoever held the keys before has stored.
	findKeyed = bulk.New(`SELECT u.place, NOT o.idempotency, r.id IS NULL, r.request_hash, r.status_code, r.body, r.created_at, r.expires_at
		FROM {rows} JOIN organizations o ON o.id = u.organization_id
		LEFT JOIN LATERAL (SELECT * FROM idempotency_records r
			WHERE r.organization_id = u.organization_id AND r.key = u.key AND r.expires_at > u.now OFFSET 0) r ON true`,
		keyClaims.Pick("organization_id", "key", "now"))
	// storeKeyed divides by zero when a key is not free any more, like stillKept.
	storeKeyed = bulk.Insert("idempotency_records", bulk.Columns[KeyedReply]{
		bulk.Field("id", func(r *KeyedReply) *string { return &r.KeyClaim.ID }),
		bulk.Field("created_at", func(r *KeyedReply) *time.Time { return &r.KeyClaim.Now }),
		bulk.Field("updated_at", func(r *KeyedReply) *time.Time { return &r.KeyReply.Now }),
		bulk.Field("organization_id", func(r *KeyedReply) *string { return &r.OrganizationID }),
		bulk.Field("environment_id", func(r *KeyedReply) *string { return &r.EnvironmentID }),
		bulk.Field("key", func(r *KeyedReply) *string { return &r.Key }),
		bulk.Field("request_hash", func(r *KeyedReply) *[]byte { return &r.RequestHash }),
		bulk.Field("status_code", func(r *KeyedReply) *int { return &r.StatusCode }),
		bulk.Field("body", func(r *KeyedReply) *[]byte { return &r.Body }),
		bulk.Field("expires_at", func(r *KeyedReply) *time.Time { return &r.KeyReply.ExpiresAt }),
	}).With(`ORDER BY u.organization_id, u.key
		ON CONFLICT (organization_id, key) DO UPDATE SET id = excluded.id, created_at = excluded.created_at,
			updated_at = excluded.updated_at, request_hash = excluded.request_hash, expires_at = excluded.expires_at,
			environment_id = excluded.environment_id, status_code = excluded.status_code, body = excluded.body
		WHERE t.expires_at <= excluded.created_at
		RETURNING 1`).Within(`WITH stored AS ({insert}) SELECT 1 / (count(*) = cardinality($1))::int FROM stored`)
)

// queueKeys takes keys for the time of the transaction, no key twice, and reads what became of earlier requests under them.
// A key that is free is taken; a request that gets it stores its reply in the same transaction, with QueueKeyedReplies.
func queueKeys(batch *pgx.Batch, claims []KeyClaim, states []KeyState) {
	held := make([]bool, len(claims))
	lockKeys.Queue(batch, claims).Query(func(rows pgx.Rows) error {
		var place int
		var locked bool
		_, err := pgx.ForEachRow(rows, []any{&place, &locked}, func() error { held[place-1] = locked; return nil })
		return err
	})
	findKeyed.Queue(batch, claims).Query(func(rows pgx.Rows) error {
		var place int
		var s KeyState
		_, err := pgx.ForEachRow(rows, s.into(&place), func() error {
			s.Taken = s.Taken && held[place-1] && !s.Off
			states[place-1], s = s, KeyState{}
			return nil
		})
		return err
	})
}

// KeyedReply is the reply of a request that took its key in the transaction that stores it.
type KeyedReply struct {
	KeyClaim
	KeyReply
}

// QueueKeyedReplies stores replies under keys that the transaction holds. It fails when one is not free any more: Overtaken
// reports that error, after which nothing has happened and the transaction may be tried again.
func QueueKeyedReplies(batch *pgx.Batch, replies []KeyedReply) {
	if len(replies) > 0 {
		storeKeyed.Queue(batch, replies)
	}
}

// QueueKeptKey keeps the key of a request that has no reply yet until an instant, together with something that the request did. It
// divides by zero, so that nothing of that happens, when the key is no longer the request's: Overtaken reports that error.
func QueueKeptKey(batch *pgx.Batch, scope viewer.Scope, recordID string, until time.Time) {
	batch.Queue(`WITH kept AS (UPDATE idempotency_records SET expires_at = $3 WHERE id = $1 AND organization_id = $2 AND status_code IS NULL RETURNING 1)
SELECT 1 / count(*) FROM kept`, recordID, scope.OrganizationID, until)
}

// ReleaseKey frees the key of a request that has no reply, and did nothing that keeps the key for longer than until.
func ReleaseKey(ctx context.Context, db *postgres.DB, scope viewer.Scope, recordID string, until time.Time) error {
	_, err := db.Pool.Exec(ctx, `DELETE FROM idempotency_records WHERE id = $1 AND organization_id = $2 AND status_code IS NULL AND expires_at <= $3`,
		recordID, scope.OrganizationID, until)
	return postgres.Translate(err)
}
