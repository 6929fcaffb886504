package pgmessage

import (
	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres/pgdue"
)

// ClaimDueMessages are the statements that claim due messages: first those of the urgent lane.
func ClaimDueMessages() (queries []string) {
	for _, turn := range pgdue.Turns {
		queries = append(queries, claimDueMessages(pgdue.Moment{}, turn))
	}
	return queries
}

// OutcomeQueries are the statements that record outcomes, for tests of their plans.
func OutcomeQueries() []*pgx.QueuedQuery {
	b := &pgx.Batch{}
	outcomes := []MessageOutcome{{Attempt: &AttemptRow{}}}
	finishAttempts(b, []AttemptRow{{}})
	moveMessages(b, outcomes)
	settleRuns(b, outcomes)
	return b.QueuedQueries
}
