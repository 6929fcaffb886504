package realtime

import (
	"strings"
	"time"
)

// What processes say to each other about themselves. A process that watches anything says so at once and again and again; the
// others then send it their signals. What they left out before they knew it, it reads: each tells it once to look.
const (
	watchMark  Topic = "watching" // the sender watches
	whoMark    Topic = "who"      // the sender asks who watches
	missedMark Topic = "missed:"  // before the name of a process that was sent no signals so far
)

// isWatching reports whether this process watches or follows anything. The hub is locked.
func (h *Hub) isWatching() bool { return len(h.watchers)+len(h.followers) > 0 }

// announce says that this process watches, when it begins to. The hub is locked.
func (h *Hub) announce() {
	if !h.isWatching() {
		h.send(watchMark)
	}
}

// isHeard reports whether another process watches. The hub is locked.
func (h *Hub) isHeard() bool {
	for _, at := range h.others {
		if time.Since(at) < interestEnd {
			return true
		}
	}
	return false
}

// meet notes what another process says about itself. The hub is locked.
func (h *Hub) meet(from string, topics []Topic) {
	for _, topic := range topics {
		switch {
		case topic == watchMark, strings.HasPrefix(string(topic), interestMark): // who follows watches, even if it was not heard to say so
			if time.Since(h.others[from]) >= interestEnd {
				h.send(missedMark + Topic(from))
			}
			h.others[from] = time.Now()
		case topic == whoMark:
			if h.isWatching() {
				h.send(watchMark)
			}
		}
	}
}
