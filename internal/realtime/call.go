package realtime

import "sync/atomic"

// The states of a watch that calls.
const (
	idle int32 = iota
	calling
	again // once more, for what was published meanwhile
)

// call is the look of a watcher that waits without a goroutine.
type call struct {
	look  func()
	state atomic.Int32
}

// Call is a watch that calls look, on a goroutine that ends with it, when the watcher should look. Two looks never overlap;
// signals that come during one are one more.
func (h *Hub) Call(topic Topic, look func()) *Watch {
	w := &Watch{hub: h, topic: topic, call: &call{look: look}}
	h.add(w)
	return w
}

// Look has the watcher look, as a signal would.
func (w *Watch) Look() {
	if w.call == nil {
		raise(w.c)
		return
	}
	w.call.raise()
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
		c.look()
		if c.state.CompareAndSwap(calling, idle) {
			return
		}
		c.state.Store(calling)
	}
}
