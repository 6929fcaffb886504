package postgres

import "github.com/jackc/pgx/v5"

// DueQueries are the statements that look for due rows, for tests of their plans.
var DueQueries = dueQueries

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
