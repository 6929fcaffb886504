package realtime

import (
	"context"
	"strings"
	"time"
)

// Notification is the topic of one notification; those of an environment are followed as Notifications.
func Notification(environmentID, notificationID string) Topic {
	return Notifications(environmentID) + Topic(notificationID)
}

// Follow collects which topics below a prefix changed, for those who watch very many of them.
type Follow struct {
	// C holds a value when there is something to take.
	C <-chan struct{}

	c      chan struct{}
	hub    *Hub
	prefix Topic
	topics map[Topic]struct{}
	missed bool
}

const (
	// maxFollowed bounds what a slow follower receives; beyond it, the follower learns that it missed some.
	maxFollowed = 1000
	// interestEvery is how often a process says what its followers want to hear, and interestEnd how long others believe
	// it. Without interest nothing is published, so that topics without followers cost nothing.
	interestEvery = 5 * time.Second
	interestEnd   = 3 * interestEvery

	interestMark = "follow:"
)

// Follow begins to follow the topics that begin with prefix, which ends with a dot. The caller closes it.
func (h *Hub) Follow(prefix Topic) *Follow {
	c := make(chan struct{}, 1)
	f := &Follow{C: c, c: c, hub: h, prefix: prefix, topics: map[Topic]struct{}{}}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.announce()
	if h.followers[prefix] == nil {
		h.followers[prefix] = map[*Follow]struct{}{}
	}
	h.followers[prefix][f] = struct{}{}
	h.send(interestMark + prefix)
	return f
}

// Close ends the follow. A second call does nothing.
func (f *Follow) Close() {
	f.hub.mu.Lock()
	defer f.hub.mu.Unlock()
	delete(f.hub.followers[f.prefix], f)
	if len(f.hub.followers[f.prefix]) == 0 {
		delete(f.hub.followers, f.prefix)
	}
}

// Take gives the ends of the topics that changed since the last call; missed says that there were more.
func (f *Follow) Take() (changed []string, missed bool) {
	f.hub.mu.Lock()
	defer f.hub.mu.Unlock()
	for topic := range f.topics {
		changed = append(changed, strings.TrimPrefix(string(topic), string(f.prefix)))
	}
	missed, f.missed, f.topics = f.missed, false, map[Topic]struct{}{}
	return changed, missed
}

// Followed reports whether there is a follower, in any process, of the topics below prefix: only then they need publishing.
func (h *Hub) Followed(prefix Topic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.followers[prefix]) > 0 || time.Since(h.interest[prefix]) < interestEnd
}

// wakeFollowers hands a topic to those who follow its prefix. The hub is locked.
func (h *Hub) wakeFollowers(topic Topic) {
	if prefix, isInterest := strings.CutPrefix(string(topic), interestMark); isInterest {
		h.interest[Topic(prefix)] = time.Now()
		return
	}
	dot := strings.LastIndexByte(string(topic), '.')
	if dot < 0 {
		return
	}
	for f := range h.followers[topic[:dot+1]] {
		if len(f.topics) < maxFollowed {
			f.topics[topic] = struct{}{}
		} else {
			f.missed = true
		}
		raise(f.c)
	}
}

func (h *Hub) keepInterest(ctx context.Context) {
	tick := time.NewTicker(interestEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.repeatInterest()
		}
	}
}

// repeatInterest says again that this process watches and what it follows, and forgets what others no longer do.
func (h *Hub) repeatInterest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	var mine []Topic
	if h.isWatching() {
		mine = append(mine, watchMark)
	}
	for prefix := range h.followers {
		mine = append(mine, interestMark+prefix)
	}
	for prefix, at := range h.interest {
		if time.Since(at) > interestEnd {
			delete(h.interest, prefix)
		}
	}
	for other, at := range h.others {
		if time.Since(at) > interestEnd {
			delete(h.others, other)
		}
	}
	h.send(mine...)
}
