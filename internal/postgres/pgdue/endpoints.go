package pgdue

import "fmt"

// CallsPerEndpoint is how many deliveries of one webhook endpoint may be under way at once.
const CallsPerEndpoint = 16

// WaitingEndpoints begins a query on waiting: the endpoints of which deliveries are due, since when, and the room that is left for calls.
// It reads one entry of an index for each endpoint that has open deliveries, whatever waits behind that, and nothing when none is due.
var WaitingEndpoints = fmt.Sprintf(`WITH RECURSIVE first AS (
	(SELECT endpoint_id, due_at FROM webhook_deliveries WHERE due_at IS NOT NULL
		AND EXISTS (SELECT FROM webhook_deliveries WHERE due_at <= statement_timestamp()) ORDER BY endpoint_id, due_at LIMIT 1)
	UNION ALL
	SELECT n.endpoint_id, n.due_at FROM first f CROSS JOIN LATERAL (SELECT endpoint_id, due_at FROM webhook_deliveries
		WHERE due_at IS NOT NULL AND endpoint_id > f.endpoint_id ORDER BY endpoint_id, due_at LIMIT 1) n),
waiting AS (SELECT f.endpoint_id, f.due_at, %[1]d - (SELECT count(*) FROM (SELECT FROM webhook_deliveries l
	WHERE l.endpoint_id = f.endpoint_id AND l.leased_until > statement_timestamp() LIMIT %[1]d) busy) AS room
	FROM first f WHERE f.due_at <= statement_timestamp())`, CallsPerEndpoint)
