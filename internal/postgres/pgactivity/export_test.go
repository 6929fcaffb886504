package pgactivity

// StatisticsQueries are the statements behind charts, for tests of their plans.
var StatisticsQueries = map[string]string{"message": messageCounts, "attempt": attemptCounts}

// Bounds are the ids between which the rows of each bucket lie.
func (b Buckets) Bounds() (low, high []string) { return b.bounds() }
