package realtime

import (
	"sync"
	"sync/atomic"
)

// The states of a watch that calls.
const (
	idle int32 = iota
	calling
	again // once more, for what was published meanwhile
)

// call is the look of a watcher that waits without a goroutine.
type call struct {
	look  func(news []any)
	state atomic.Int32

	mu   sync.Mutex
	news []any // told since the last look
	bare bool  // whether a signal came since that did not tell what changed
}

// maxNews bounds what is kept of what a slow watcher is told. Beyond it, the watcher reads.
const maxNews = 8

// Call is a watch that calls look, on a goroutine that ends with it, when the watcher should look. Two looks never overlap;
// signals that come during one are one more. news is what was told with the signals, in their order; it is nil when one of them
// told nothing, and the watcher has to read what changed.
func (h *Hub) Call(topic Topic, look func(news []any)) *Watch {
	w := &Watch{hub: h, topic: topic, call: &call{look: look}}
	h.add(w)
	return w
}

// Look has the watcher look, as a signal would.
func (w *Watch) Look() { w.tell(nil) }

// tell has the watcher look at news; nil: at whatever changed.
func (w *Watch) tell(news any) {
	if w.call == nil {
		raise(w.c)
		return
	}
	w.call.add(news)
	w.call.raise()
}

func (c *call) add(news any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bare = c.bare || news == nil || len(c.news) == maxNews; c.bare {
		c.news = nil
		return
	}
	c.news = append(c.news, news)
}

// take is what was told since the last call; ok is false when there was no signal.
func (c *call) take() (news []any, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	news, ok = c.news, c.bare || len(c.news) > 0
	c.news, c.bare = nil, false
	return news, ok
}

func (c *call) raise() {
	for {
		switch c.state.Load() {
		case idle:
			if c.state.CompareAndSwap(idle, calling) {
				go c.run()
				return
			}
		case calling:
			if c.state.CompareAndSwap(calling, again) {
				return
			}
		default:
			return
		}
	}
}

func (c *call) run() {
	for {
		if news, ok := c.take(); ok {
			c.look(news)
		}
		if c.state.CompareAndSwap(calling, idle) {
			return
		}
		c.state.Store(calling)
	}
}
