package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/viewer"
)

// KeyClaim is a request that wants an idempotency key of its organization.
type KeyClaim struct {
	ID, OrganizationID, Key string
	RequestHash             []byte
	Now, ExpiresAt          time.Time
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
}

// takeKeys lets the first claim of a key have it, and a later one when the record has expired. Nothing rests on a taken
// key before its request commits, and that commit makes this one durable too; so this one does not wait for the disk.
const takeKeys = `WITH lazily AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
asked AS MATERIALIZED (SELECT a.*, o.idempotency
	FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[], $6::timestamptz[])
		WITH ORDINALITY AS a(id, organization_id, key, request_hash, now, expires_at, place)
	JOIN organizations o ON o.id = a.organization_id),
taken AS (INSERT INTO idempotency_records AS r (id, created_at, updated_at, organization_id, key, request_hash, expires_at)
	SELECT a.id, a.now, a.now, a.organization_id, a.key, a.request_hash, a.expires_at FROM asked a, lazily
	WHERE a.idempotency ORDER BY a.organization_id, a.key
	ON CONFLICT (organization_id, key) DO UPDATE SET id = excluded.id, created_at = excluded.created_at,
		updated_at = excluded.updated_at, request_hash = excluded.request_hash, expires_at = excluded.expires_at,
		status_code = NULL, body = NULL
	WHERE r.expires_at <= excluded.created_at
	RETURNING r.id)
SELECT a.place, NOT a.idempotency, t.id IS NOT NULL, r.request_hash, r.status_code, r.body
FROM asked a LEFT JOIN taken t ON t.id = a.id
LEFT JOIN idempotency_records r ON t.id IS NULL AND r.organization_id = a.organization_id AND r.key = a.key AND r.expires_at > a.now`

// TakeKeys settles claims of any organizations, in one round trip. Of several claims of one key within a call the first
// counts, and the others meet it running.
func (db *DB) TakeKeys(ctx context.Context, claims []KeyClaim) ([]KeyState, error) {
	first, order := map[[2]string]int{}, make([]int, len(claims))
	columns := struct {
		ids, organizations, keys []string
		hashes                   [][]byte
		now, expire              []time.Time
	}{}
	for i, c := range claims {
		name := [2]string{c.OrganizationID, c.Key}
		place, twice := first[name]
		if !twice {
			place = len(columns.ids)
			first[name] = place
			columns.ids, columns.organizations = append(columns.ids, c.ID), append(columns.organizations, c.OrganizationID)
			columns.keys, columns.hashes = append(columns.keys, c.Key), append(columns.hashes, c.RequestHash)
			columns.now, columns.expire = append(columns.now, c.Now), append(columns.expire, c.ExpiresAt)
		}
		order[i] = place
	}
	rows, err := db.Pool.Query(ctx, takeKeys, columns.ids, columns.organizations, columns.keys, columns.hashes, columns.now, columns.expire)
	if err != nil {
		return nil, Translate(fmt.Errorf("take idempotency keys: %w", err))
	}
	states, place, state := make([]KeyState, len(columns.ids)), 0, KeyState{}
	_, err = pgx.ForEachRow(rows, []any{&place, &state.Off, &state.Taken, &state.RequestHash, &state.StatusCode, &state.Body}, func() error {
		states[place-1] = state
		state = KeyState{}
		return nil
	})
	if err != nil {
		return nil, Translate(fmt.Errorf("take idempotency keys: %w", err))
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

const storeReplies = `UPDATE idempotency_records r SET status_code = a.status_code, body = a.body, updated_at = a.now, expires_at = a.expires_at
FROM unnest($1::text[], $2::text[], $3::int[], $4::bytea[], $5::timestamptz[], $6::timestamptz[])
	AS a(id, organization_id, status_code, body, now, expires_at)
WHERE r.id = a.id AND r.organization_id = a.organization_id AND r.status_code IS NULL`

// replyColumns are the arguments of storeReplies.
type replyColumns struct {
	ids, organizations []string
	codes              []int
	bodies             [][]byte
	now, expire        []time.Time
}

func (c *replyColumns) add(scope viewer.Scope, r KeyReply) {
	c.ids, c.organizations, c.codes = append(c.ids, r.ID), append(c.organizations, scope.OrganizationID), append(c.codes, r.StatusCode)
	c.bodies, c.now, c.expire = append(c.bodies, r.Body), append(c.now, r.Now), append(c.expire, r.ExpiresAt)
}

func (c *replyColumns) arguments() []any {
	return []any{c.ids, c.organizations, c.codes, c.bodies, c.now, c.expire}
}

// QueueReply stores a reply with whatever else batch holds. Replies that are queued one after the other are stored by one
// statement: those of a crowded commit are dozens.
func QueueReply(batch *pgx.Batch, scope viewer.Scope, r KeyReply) {
	if n := len(batch.QueuedQueries); n > 0 && batch.QueuedQueries[n-1].SQL == storeReplies {
		last := batch.QueuedQueries[n-1]
		c := replyColumns{
			last.Arguments[0].([]string), last.Arguments[1].([]string), last.Arguments[2].([]int), //nolint:forcetypeassert // as arguments gives them
			last.Arguments[3].([][]byte), last.Arguments[4].([]time.Time), last.Arguments[5].([]time.Time), //nolint:forcetypeassert // the same
		}
		c.add(scope, r)
		last.Arguments = c.arguments()
		return
	}
	var c replyColumns
	c.add(scope, r)
	batch.Queue(storeReplies, c.arguments()...)
}

// stillKept divides by zero when the reply was not stored, because the commit that follows it in the same round trip cannot
// wait for somebody to look.
const stillKept = `SELECT 1 / count(*) FROM idempotency_records WHERE id = $1 AND organization_id = $2 AND status_code IS NOT NULL`

// QueueOwnReply stores a reply in a transaction of its request's own, which fails when the key is no longer the request's:
// KeyLost tells that error.
func QueueOwnReply(batch *pgx.Batch, scope viewer.Scope, r KeyReply) {
	QueueReply(batch, scope, r)
	batch.Queue(stillKept, r.ID, scope.OrganizationID)
}

// KeyLost tells that a request ran longer than it may hold its key, so that another took it.
func KeyLost(err error) bool { return code(err) == "22012" } // division_by_zero

// ReleaseKey frees the key of a request that has no reply.
func (db *DB) ReleaseKey(ctx context.Context, scope viewer.Scope, recordID string) error {
	_, err := db.Pool.Exec(ctx, `DELETE FROM idempotency_records WHERE id = $1 AND organization_id = $2 AND status_code IS NULL`,
		recordID, scope.OrganizationID)
	return Translate(err)
}
