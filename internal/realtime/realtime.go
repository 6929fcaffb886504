// Package realtime signals to watchers that something changed: in this process at once, in the others through a broker.
// A signal says that something changed; who hears one reads the database, which alone is the truth. A signal that comes twice,
// too late or out of order changes nothing, and one that is lost costs time until the next look, never an event. Within the
// process a signal may carry what changed (Tell), numbered, so that a watcher who has seen all before it need not read. Nothing
// is sent to the other processes while none of them watches anything.
package realtime

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/fault"
)

// Topic is what can be watched.
type Topic string

// Inbox is the topic of one subscriber's in-app messages, in all context sets. The ids are internal.
func Inbox(environmentID, subscriberID string) Topic {
	return Topic("inbox." + environmentID + "." + subscriberID)
}

// Notifications is the prefix of the topics of an environment's notifications; see Notification.
func Notifications(environmentID string) Topic { return Topic("notifications." + environmentID + ".") }

// Access is the topic of an environment's keys and tokens: holders of an open connection check its credential again.
func Access(environmentID string) Topic { return Topic("access." + environmentID) }

// Everything is the topic of all that may have changed: signals of another process were lost on their way.
const Everything Topic = "everything"

// Broker carries signals between processes. It may lose some, and must then say so.
type Broker interface {
	// Publish hands signals of a sender to all processes, this one included or not.
	Publish(ctx context.Context, from string, topics []Topic) error
	// Listen calls hear for signals until ctx ends or the connection is lost. It calls connected once it hears everything
	// from then on: what came before may be lost.
	Listen(ctx context.Context, connected func(), hear func(from string, topics []Topic)) error
}

// Config is what a Hub needs.
type Config struct {
	Broker Broker // nil: there are no other processes, or they cannot be heard; see Poll
	Logger *slog.Logger
	// Window is the least time between two publications, so that a busy process publishes some hundred times a second and not
	// for every commit. Default 10 ms.
	Window time.Duration
	// Poll is how often watchers look by themselves, for changes without a signal. Default 30 s with a broker, 1 s without.
	Poll time.Duration
}

// Hub is where a process's changes and its watchers meet.
type Hub struct {
	cfg  Config
	self string // the sender of its signals

	mu        sync.Mutex
	watchers  map[Topic]map[*Watch]struct{}
	followers map[Topic]map[*Follow]struct{} // by prefix
	interest  map[Topic]time.Time            // when a process last said that it follows a prefix
	others    map[string]time.Time           // when another process last said that it watches
	turn      uint8                          // of the next watch
	outgoing  map[Topic]struct{}
	waiting   chan struct{} // holds one value while something is outgoing
}

// maxOutgoing bounds what is gathered while the broker is away. Beyond it signals are dropped; the others' polls make up
// for them.
const maxOutgoing = 100_000

// NewHub builds a hub; Run connects it with the other processes.
func NewHub(cfg Config) *Hub {
	cfg.Window = cmp.Or(cfg.Window, 10*time.Millisecond)
	if cfg.Broker == nil {
		cfg.Poll = cmp.Or(cfg.Poll, time.Second)
	}
	cfg.Poll = cmp.Or(cfg.Poll, 30*time.Second)
	return &Hub{
		cfg: cfg, self: rand.Text(), others: map[string]time.Time{}, watchers: map[Topic]map[*Watch]struct{}{}, followers: map[Topic]map[*Follow]struct{}{},
		interest: map[Topic]time.Time{}, outgoing: map[Topic]struct{}{}, waiting: make(chan struct{}, 1),
	}
}

// Watch is one watcher's interest in a topic.
type Watch struct {
	// C holds a value when the watcher should look. Signals that come before it does are one.
	C <-chan struct{}

	c     chan struct{}
	call  *call // nil: c is raised
	hub   *Hub
	topic Topic
	turn  uint8 // which part of the polls is its own
}

// turns spreads the watchers' looks over a poll's length, so that ten thousand of them do not ask the database at once.
const turns = 64

// Watch begins to watch. The caller looks once by itself after this call, then whenever C says so, and closes the watch.
func (h *Hub) Watch(topic Topic) *Watch {
	c := make(chan struct{}, 1)
	w := &Watch{C: c, c: c, hub: h, topic: topic}
	h.add(w)
	return w
}

func (h *Hub) add(w *Watch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.announce()
	w.turn = h.turn
	h.turn = (h.turn + 1) % turns
	if h.watchers[w.topic] == nil {
		h.watchers[w.topic] = map[*Watch]struct{}{}
	}
	h.watchers[w.topic][w] = struct{}{}
}

// Close ends the watch. A second call does nothing.
func (w *Watch) Close() {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	delete(w.hub.watchers[w.topic], w)
	if len(w.hub.watchers[w.topic]) == 0 {
		delete(w.hub.watchers, w.topic)
	}
}

// Watching counts the watches of this process.
func (h *Hub) Watching() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, all := range h.watchers {
		n += len(all)
	}
	return n
}

// Publish says that the topics changed, after the commit that changed them. It never blocks.
func (h *Hub) Publish(topics ...Topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wake(topics)
	if h.isHeard() {
		h.send(topics...)
	}
}

// Tell is Publish of one topic with what changed, for the watchers of this process that Call made.
func (h *Hub) Tell(topic Topic, news any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.watchers[topic] {
		w.tell(news)
	}
	h.wakeFollowers(topic)
	if h.isHeard() {
		h.send(topic)
	}
}

// Watched reports whether this process has a watch of the topic.
func (h *Hub) Watched(topic Topic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.watchers[topic]) > 0
}

// send hands topics to the broker. The hub is locked.
func (h *Hub) send(topics ...Topic) {
	if h.cfg.Broker == nil || len(topics) == 0 {
		return
	}
	for _, topic := range topics {
		if len(h.outgoing) < maxOutgoing {
			h.outgoing[topic] = struct{}{}
		}
	}
	raise(h.waiting)
}

func (h *Hub) wake(topics []Topic) {
	for _, topic := range topics {
		for w := range h.watchers[topic] {
			w.Look()
		}
		h.wakeFollowers(topic)
	}
}

// wakeAll has everybody look, since signals may have been lost.
func (h *Hub) wakeAll() {
	h.mu.Lock()
	for _, all := range h.followers {
		for f := range all {
			f.missed = true
			raise(f.c)
		}
	}
	h.mu.Unlock()
	h.wakeWhere(func(*Watch) bool { return true })
}

func (h *Hub) wakeWhere(due func(*Watch) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, all := range h.watchers {
		for w := range all {
			if due(w) {
				w.Look()
			}
		}
	}
}

// hear takes the signals of a sender; its own, which its watchers know, are left out.
func (h *Hub) hear(from string, topics []Topic) {
	if from == h.self {
		return
	}
	if slices.Contains(topics, Everything) || slices.Contains(topics, missedMark+Topic(h.self)) {
		h.wakeAll()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.meet(from, topics)
	h.wake(topics)
}

// raise leaves one value in c, whether or not one is there.
func raise(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Run exchanges signals with the other processes until ctx ends.
func (h *Hub) Run(ctx context.Context) {
	var running sync.WaitGroup
	if h.cfg.Broker != nil {
		running.Go(func() { h.publish(ctx) })
		running.Go(func() { h.listen(ctx) })
	}
	running.Go(func() { h.poll(ctx) })
	running.Go(func() { h.keepInterest(ctx) })
	running.Wait()
}

func (h *Hub) poll(ctx context.Context) {
	tick := time.NewTicker(max(h.cfg.Poll/turns, time.Millisecond))
	defer tick.Stop()
	for turn := uint8(0); ; turn = (turn + 1) % turns {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.wakeWhere(func(w *Watch) bool { return w.turn == turn })
		}
	}
}

// retry is the pause before a broker that failed is tried again.
const retry = 500 * time.Millisecond

// publish hands what is outgoing to the broker until ctx ends, and then once more: the processes that go on would see it at their next look.
func (h *Hub) publish(ctx context.Context) {
	defer h.publishLast(ctx)
	var last time.Time
	var repeats fault.Repeats
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.waiting:
		}
		if !sleep(ctx, h.cfg.Window-time.Since(last)) {
			return
		}
		last = time.Now()
		topics := h.take()
		if err := h.cfg.Broker.Publish(ctx, h.self, topics); err != nil {
			h.restore(topics)
			if left, ok := repeats.Say(err, time.Now()); ok && ctx.Err() == nil {
				h.cfg.Logger.WarnContext(ctx, "live events not published; other processes see them at their next look", "error", err.Error(), "left_out", left)
			}
			if !sleep(ctx, retry) {
				return
			}
		}
	}
}

// publishLast publishes what is outgoing after ctx has ended. The stop does not wait for a broker that is away.
func (h *Hub) publishLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), retry)
	defer cancel()
	if topics := h.take(); len(topics) > 0 {
		_ = h.cfg.Broker.Publish(ctx, h.self, topics)
	}
}

func (h *Hub) take() []Topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	topics := slices.Sorted(maps.Keys(h.outgoing))
	h.outgoing = map[Topic]struct{}{}
	return topics
}

// restore makes topics outgoing again.
func (h *Hub) restore(topics []Topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.send(topics...)
}

// connected begins to hear the others: signals may have been lost, and who watches may have changed.
func (h *Hub) connected() {
	h.wakeAll()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.send(whoMark)
	if h.isWatching() {
		h.send(watchMark)
	}
}

func (h *Hub) listen(ctx context.Context) {
	var repeats fault.Repeats
	for ctx.Err() == nil {
		err := h.cfg.Broker.Listen(ctx, h.connected, h.hear)
		if err != nil && ctx.Err() == nil {
			if left, ok := repeats.Say(err, time.Now()); ok {
				h.cfg.Logger.WarnContext(ctx, "live events of other processes are not heard; trying again", "error", err.Error(), "left_out", left)
			}
		}
		sleep(ctx, retry)
	}
}

// sleep is false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
