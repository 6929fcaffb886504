// Package intake bounds what callers send and how long they take for it, before any work is done on it: the time of a whole
// request, the time of reading its response, and the memory that the bodies of all requests hold together. Every door reads
// bodies through it.
package intake

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

// Config is what a Meter permits. A zero field means the default.
type Config struct {
	// Memory is how many bytes of bodies may be held at once, by all requests together, and how many of answers that are being sent.
	// Default 256 MiB.
	Memory int64
	// Wait is how long every request may take to arrive, and every response to be read. Default 10 seconds.
	Wait time.Duration
	// Rate is how many bytes earn a second more. Default 64 KiB.
	Rate int64
}

// Meter holds callers to a Config.
type Meter struct {
	wait    time.Duration
	rate    int64
	budget  budget // of bodies
	answers budget
}

// New makes a Meter.
func New(cfg Config) *Meter {
	size := cmp.Or(cfg.Memory, 256<<20)
	return &Meter{
		wait: cmp.Or(cfg.Wait, 10*time.Second), rate: cmp.Or(cfg.Rate, 64<<10),
		budget:  budget{size: size, shares: map[string]int64{}},
		answers: budget{size: size, shares: map[string]int64{}, first: true},
	}
}

// Held returns how many bytes of bodies are held at present.
func (m *Meter) Held() int64 { return m.budget.held() }

// deadline returns when something that began at a moment, and of which so many bytes have passed, must be over.
func (m *Meter) deadline(began time.Time, passed int64) time.Time {
	return began.Add(m.wait + time.Duration(float64(passed)/float64(m.rate)*float64(time.Second)))
}

// Handler gives every request of next its deadline and an account for the bytes that it holds, which ends with the request.
func (m *Meter) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*conn); ok {
			defer c.handle()()
		}
		a := m.Stranger(viewer.Address(r.Context()))
		defer a.Close()
		r = r.WithContext(context.WithValue(r.Context(), accountKey{}, a))
		if r.ContentLength != 0 {
			b := &body{ReadCloser: r.Body, meter: m, began: time.Now(), header: w.Header(), control: http.NewResponseController(w)}
			b.extend()
			r.Body = b
		}
		next.ServeHTTP(w, r)
	})
}

// body is the body of a request that has to arrive in time.
type body struct {
	io.ReadCloser
	meter    *Meter
	began    time.Time
	received int64
	until    time.Time
	final    bool // the deadline grows no more
	header   http.Header
	control  *http.ResponseController
}

// Read answers with a fault when the request took too long; the connection is of no use any more then.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.received += int64(n)
	switch {
	case errors.Is(err, io.EOF):
		_ = b.control.SetReadDeadline(time.Time{}) // what the caller sends now belongs to the next request
	case errors.Is(err, os.ErrDeadlineExceeded):
		b.header.Set("Connection", "close")
		return n, &fault.Error{Kind: fault.TooSlow, Message: "The request did not arrive in time.", Cause: err}
	case err == nil:
		b.extend()
	}
	return n, err
}

// extend moves the deadline when that is worth a call.
func (b *body) extend() {
	until := b.meter.deadline(b.began, b.received)
	if !b.final && until.Sub(b.until) > b.meter.wait/10 {
		b.until = until
		_ = b.control.SetReadDeadline(until) // a recorder of a test has none
	}
}

// Discard reads the rest of a body that is refused, so that its sender reads the answer instead of meeting a broken
// connection. It takes no longer than a small request may.
func Discard(r *http.Request) {
	if b, ok := r.Body.(*body); ok {
		b.final, b.until = true, time.Now().Add(b.meter.wait)
		_ = b.control.SetReadDeadline(b.until)
	}
	_, _ = io.CopyN(io.Discard, r.Body, maxDiscarded)
}

// maxDiscarded bounds what Discard reads.
const maxDiscarded = 64 << 20

// holder is whom bytes count for: an environment, or a caller who has shown no credential.
type holder struct{ environment, caller string }

// share is a part of the memory that has a bound of its own.
type share struct {
	of   string
	most int64
}

// leastOfCaller is the share of a caller without a credential in a small memory: the largest of what strangers send, a mail of 10 MiB,
// has room in it.
const leastOfCaller = 11 << 20

// ofBodies are the shares that bodies count in. No holder may take all of the memory: an environment has half of it, and those who have
// shown no credential share a quarter, of which one caller has a quarter, so that one who sends slowly does not keep others from
// logging in.
func (h holder) ofBodies(size int64) []share {
	if h.environment != "" {
		return []share{{"environment " + h.environment, size / 2}}
	}
	strangers := size / 4
	return []share{{"strangers", strangers}, {"caller " + h.caller, max(strangers/4, min(strangers, leastOfCaller))}}
}

// ofAnswers are the shares that answers count in while they are sent: as bodies, and one caller has a quarter of its environment's, since
// readers with a token ask for answers as well.
func (h holder) ofAnswers(size int64) []share {
	if h.environment != "" {
		return []share{{"environment " + h.environment, size / 2}, {"caller " + h.caller + " of " + h.environment, size / 8}}
	}
	return []share{{"strangers", size / 4}, {"caller " + h.caller, size / 16}}
}

// budget is the memory of all bodies, or of all answers, together.
type budget struct {
	size  int64
	first bool // what is alone in its shares has room, whatever its size

	mu     sync.Mutex
	used   int64
	shares map[string]int64
}

func (b *budget) held() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// move gives bytes to those who have the shares, back when they are negative, and reports whether there was room for them.
func (b *budget) move(shares []share, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	full := b.exceeds(b.used, n, b.size)
	for _, s := range shares {
		full = full || b.exceeds(b.shares[s.of], n, s.most)
	}
	if n > 0 && full {
		return false
	}
	b.used += n
	b.charge(shares, n)
	return true
}

func (b *budget) exceeds(held, n, most int64) bool { return held+n > most && (held > 0 || !b.first) }

// pass hands bytes on to others, who may have more than their share afterwards: they are there already.
func (b *budget) pass(from, to []share, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.charge(from, -n)
	b.charge(to, n)
}

// charge is called with the lock held.
func (b *budget) charge(shares []share, n int64) {
	for _, s := range shares {
		if b.shares[s.of] += n; b.shares[s.of] == 0 {
			delete(b.shares, s.of)
		}
	}
}
