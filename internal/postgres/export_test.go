package postgres

// DueQueries are the statements that look for due rows, for tests of their plans.
var DueQueries = dueQueries
