package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/id"
)

// InboxDelta is a change of one inbox: of one subscriber in one context set. The counters count in-app messages that are
// neither archived nor snoozed (snoozed_until is null) nor deleted: Total all of them, Unread those not read, Unseen
// those not seen. A row whose counters stay the same still moves the inbox's sequence.
type InboxDelta struct {
	EnvironmentID string
	SubscriberID  string // internal id
	Scope         string // workflow.ContextSet.Scope of ContextKeys
	ContextKeys   []string
	Total         int
	Unread        int
	Unseen        int
}

type inboxKey struct{ environment, subscriber, scope string }

func (d *InboxDelta) key() inboxKey { return inboxKey{d.EnvironmentID, d.SubscriberID, d.Scope} }

const bumpInbox = `
INSERT INTO inbox_states (id, created_at, updated_at, environment_id, subscriber_id, scope, context_keys,
	sequence, total, unread, unseen)
SELECT id, now(), now(), environment_id, subscriber_id, scope, context_keys::jsonb, 1, total, unread, unseen
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::int[], $8::int[])
	AS d (id, environment_id, subscriber_id, scope, context_keys, total, unread, unseen)
ON CONFLICT (environment_id, subscriber_id, scope) DO UPDATE SET
	sequence = inbox_states.sequence + 1,
	total = inbox_states.total + excluded.total,
	unread = inbox_states.unread + excluded.unread,
	unseen = inbox_states.unseen + excluded.unseen,
	updated_at = excluded.updated_at
RETURNING environment_id, subscriber_id, scope, sequence`

// BumpInbox adds deltas to the inboxes' counters, in the transaction of the messages they count, and moves the sequence
// of every inbox named by one, however many deltas name it. sequences are the new ones, one per delta. Inboxes are made
// on first use. Rows are locked in sorted order; a transaction that also locks messages must do that first, and must call
// this once.
func BumpInbox(ctx context.Context, tx pgx.Tx, deltas []InboxDelta) (sequences []int64, err error) {
	if len(deltas) == 0 {
		return nil, nil
	}
	sums := sumDeltas(deltas)
	rows, err := tx.Query(ctx, bumpInbox, bumpArguments(sums, time.Now())...)
	if err != nil {
		return nil, fmt.Errorf("bump inboxes: %w", err)
	}
	bumped := make(map[inboxKey]int64, len(sums))
	var key inboxKey
	var sequence int64
	_, err = pgx.ForEachRow(rows, []any{&key.environment, &key.subscriber, &key.scope, &sequence}, func() error {
		bumped[key] = sequence
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("bump inboxes: %w", err)
	}
	sequences = make([]int64, len(deltas))
	for i := range deltas {
		sequences[i] = bumped[deltas[i].key()]
	}
	return sequences, nil
}

func bumpArguments(sums []InboxDelta, now time.Time) []any {
	n := len(sums)
	environments, subscribers, scopes, keys := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	totals, unread, unseen := make([]int, n), make([]int, n), make([]int, n)
	for i, d := range sums {
		environments[i], subscribers[i], scopes[i], keys[i] = d.EnvironmentID, d.SubscriberID, d.Scope, jsonList(d.ContextKeys)
		totals[i], unread[i], unseen[i] = d.Total, d.Unread, d.Unseen
	}
	return []any{id.Batch(now, n), environments, subscribers, scopes, keys, totals, unread, unseen}
}

// sumDeltas gives one delta per inbox, in the order in which inboxes are locked.
func sumDeltas(deltas []InboxDelta) []InboxDelta {
	at := make(map[inboxKey]int, len(deltas))
	sums := make([]InboxDelta, 0, len(deltas))
	for _, d := range deltas {
		i, seen := at[d.key()]
		if !seen {
			at[d.key()] = len(sums)
			sums = append(sums, d)
			continue
		}
		sums[i].Total += d.Total
		sums[i].Unread += d.Unread
		sums[i].Unseen += d.Unseen
	}
	slices.SortFunc(sums, func(a, b InboxDelta) int {
		return cmp.Or(cmp.Compare(a.EnvironmentID, b.EnvironmentID), cmp.Compare(a.SubscriberID, b.SubscriberID),
			cmp.Compare(a.Scope, b.Scope))
	})
	return sums
}

// jsonList is the JSON text of a list of strings; never null.
func jsonList(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	text, _ := json.Marshal(list) // strings always marshal
	return string(text)
}
