package pgrun

// LoadCollectedQuery is the statement of LoadCollected.
var LoadCollectedQuery = loadCollected
