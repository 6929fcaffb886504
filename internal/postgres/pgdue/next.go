package pgdue

import (
	"context"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/postgres"
)

// DueReplies names the replies that wait for their callback, DueWebhooks the deliveries of outgoing webhooks.
const (
	DueReplies  DueTable = "replies"
	DueWebhooks DueTable = "webhook_deliveries"
)

// DuePauses names the pauses that are over and still hold something, DueRetries the retries of failed messages.
const (
	DuePauses  DueTable = "pauses"
	DueRetries DueTable = "message_retries"
)

// DueSchedules names the schedules whose next run has come.
const DueSchedules DueTable = "trigger_schedules"

// DueAlerts names the alert rules that are to be evaluated.
const DueAlerts DueTable = "alert_rules"

// Each is the head of an index of what is due; of deliveries whose endpoints have no room for a call none is.
var nextDue = WaitingEndpoints + ` SELECT (SELECT min(first) FROM unnest(ARRAY['urgent', 'normal', 'bulk']) AS l (lane)
		CROSS JOIN LATERAL (SELECT due_at AS first FROM events WHERE lane = l.lane AND due_at IS NOT NULL ORDER BY due_at LIMIT 1) e),
	(SELECT due_at FROM notifications WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1),
	(SELECT due_at FROM messages WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1),
	(SELECT due_at FROM message_leases ORDER BY due_at LIMIT 1),
	(SELECT snoozed_until FROM messages WHERE snoozed_until IS NOT NULL ORDER BY snoozed_until LIMIT 1),
	(SELECT due_at FROM replies WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1),
	coalesce((SELECT min(due_at) FROM waiting WHERE room > 0),
		(SELECT due_at FROM webhook_deliveries WHERE due_at > statement_timestamp() ORDER BY due_at LIMIT 1)),
	(SELECT due_at FROM pauses WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1),
	(SELECT due_at FROM message_retries WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1),
	(SELECT due_at FROM trigger_schedules WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1),
	(SELECT due_at FROM alert_rules WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1)`

// Next returns when the next row of each kind is due, by real time, without the kinds of which no row is. What it names may
// be in a worker's hands.
func Next(ctx context.Context, db *postgres.DB) (map[DueTable]time.Time, error) {
	kinds := [][]DueTable{{DueEvents}, {DueNotifications, DueHTTPSteps}, {DueMessages}, {DueLeases}, {DueSnoozes}, {DueReplies}, {DueWebhooks}, {DuePauses}, {DueRetries}, {DueSchedules}, {DueAlerts}}
	times := make([]*time.Time, len(kinds))
	into := make([]any, len(kinds))
	for i := range times {
		into[i] = &times[i]
	}
	if err := db.Pool.QueryRow(ctx, nextDue).Scan(into...); err != nil {
		return nil, fmt.Errorf("look for what is due next: %w", err)
	}
	next := map[DueTable]time.Time{}
	for i, names := range kinds {
		for _, name := range names {
			if times[i] != nil {
				next[name] = *times[i]
			}
		}
	}
	return next, nil
}
