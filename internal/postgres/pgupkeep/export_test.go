package pgupkeep

// PastRuns and PastEvents find what is to be deleted.
var (
	PastRuns   = pastRuns
	PastEvents = pastEvents
)
