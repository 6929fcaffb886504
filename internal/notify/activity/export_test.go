package activity

// Charted puts counts into their buckets, for tests.
var Charted = charted
