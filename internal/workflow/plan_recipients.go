package workflow

// Overlay collapses two mentions of one subscriber: what the later one gives wins over the earlier.
func (s *SubscriberInput) Overlay(later SubscriberInput) { s.overlay(later) }
