package postgres

import "github.com/jackc/pgx/v5"

// DueQueries are the statements that look for due rows, for tests of their plans: first those of the urgent lane.
func DueQueries(table DueTable) (queries []string) {
	for _, turn := range turns {
		queries = append(queries, dueQueries[table](turn))
	}
	return queries
}

// ClaimDueMessages are the statements that claim due messages: first those of the urgent lane.
func ClaimDueMessages() (queries []string) {
	for _, turn := range turns {
		queries = append(queries, claimDueMessages(Moment{}, turn))
	}
	return queries
}

// ClaimQueries are the statements that claim events: by their ids, and the overdue ones of a lane.
var ClaimQueries = struct{ ByID, Due string }{claimEvents(Moment{}), claimDueEvents}

// StatisticsQueries are the statements behind charts, for tests of their plans.
var StatisticsQueries = map[string]string{"message": messageCounts, "attempt": attemptCounts}

// Bounds are the ids between which the rows of each bucket lie.
func (b Buckets) Bounds() (low, high []string) { return b.bounds() }

// OutcomeQueries are the statements that record outcomes, for tests of their plans.
func OutcomeQueries() []*pgx.QueuedQuery {
	b := &pgx.Batch{}
	outcomes := []MessageOutcome{{Attempt: &AttemptRow{}}}
	finishAttempts(b, []AttemptRow{{}})
	moveMessages(b, outcomes)
	settleRuns(b, outcomes)
	return b.QueuedQueries
}
