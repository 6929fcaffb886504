package repairs

// Bounded is a Recalls whose calls make so many changes, a run at a time.
func (r *Recalls) Bounded(changes int) *Recalls {
	bounded := *r
	bounded.batchSize, bounded.changes = 1, changes
	return &bounded
}
