package pgdue

// DueQueries are the statements that look for due rows, for tests of their plans: first those of the urgent lane.
func DueQueries(table DueTable) (queries []string) {
	for _, turn := range Turns {
		queries = append(queries, dueQueries[table](turn))
	}
	return queries
}

// NextHeld is the query that finds what a pause holds.
func NextHeld(table DueTable) string { return nextHeld(table) }
