package pgfanout

import (
	"github.com/carillon/carillon/internal/postgres/pgdue"
)

// ClaimQueries are the statements that claim events: by their ids, and the overdue ones of a lane.
var ClaimQueries = struct{ ByID, Due string }{claimEvents(pgdue.Moment{}), claimDueEvents}
