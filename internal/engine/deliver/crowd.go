package deliver

import (
	"math"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// crowd counts the messages that are under way to a provider, or to a server of targets.
type crowd struct {
	under atomic.Int64 // messages whose attempt is under way or waits for its turn
	long  atomic.Int64 // attempts under way that take long
	took  atomic.Int64 // nanoseconds that attempts took lately, a moving average; 0: none has ended
}

// learn lets an attempt count for how long they take.
func (c *crowd) learn(took time.Duration) {
	const weight = 8 // of what is known beside one more attempt; the first one, which opens connections, counts no more than others
	known := c.took.Load()
	c.took.Store(max(known+(int64(took)-known)/weight, 1))
}

// most is how many messages may be under way for a lane where so many attempts may be: twice as many for the urgent lane and as many for the
// bulk one, or more where they are called for within LongAttempt all the same. Those beyond would wait in this process, under intents,
// where no other one could send them.
func (c *crowd) most(lane string, attempts int) int {
	least := max(attempts*(4-max(rank(lane), 0))/2, 1)
	took := time.Duration(c.took.Load())
	switch {
	case int(c.long.Load()) >= max(attempts/4, 1):
		return least
	case took == 0:
		return math.MaxInt // not known yet
	}
	return max(least, int(int64(least)*int64(LongAttempt)/int64(took)))
}

// servers are those of targets, such as the subscribers' own webhooks, to which messages of one integration are under way.
type servers struct {
	mu sync.Mutex
	of map[string]*crowd // by host and port
}

// serverShare is the part of an integration's attempts that a server of targets gets once it is slow, so that it delays no message to others.
const serverShare = 4

// find returns the server; nil when nothing is under way to it.
func (s *servers) find(name string) *crowd {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[name]
}

func (s *servers) enter(name string) *crowd {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string]*crowd{}
	}
	c := s.of[name]
	if c == nil {
		c = &crowd{}
		s.of[name] = c
	}
	c.under.Add(1)
	return c
}

func (s *servers) leave(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[name].under.Add(-1) == 0 {
		delete(s.of, name)
	}
}

// serverOf is the server of the message's own target; "": it goes to the provider's.
func (w *Worker) serverOf(d *Delivery) string {
	if d.envelope.Endpoint.URL == "" {
		return ""
	}
	opened, err := w.Secrets.OpenURL(d.EnvironmentID, d.envelope.Endpoint.URL)
	if err != nil {
		return "" // the attempt fails by that
	}
	u, err := url.Parse(opened)
	if err != nil {
		return ""
	}
	return u.Host
}

// enter counts the message as under way until leave. Once its attempt takes long at a server of its target's own, leaveProvider
// takes it off the integration's count.
func (d *Delivery) enter() (leave func()) {
	a := d.adapter
	a.under.Add(1)
	d.leaveProvider = sync.OnceFunc(func() { a.under.Add(-1) })
	if d.server == "" {
		return d.leaveProvider
	}
	d.toServer = a.servers.enter(d.server)
	return func() {
		d.leaveProvider()
		a.servers.leave(d.server)
	}
}

// crowds counts what a batch would add to crowds.
type crowds struct {
	attempts  int // of an integration at once
	providers map[*openAdapter]int
	servers   map[toServer]int
}

type toServer struct {
	adapter *openAdapter
	name    string
}

func (w *Worker) newCrowds() *crowds {
	return &crowds{attempts: w.AttemptsPerIntegration, providers: map[*openAdapter]int{}, servers: map[toServer]int{}}
}

// admit counts a message, unless its integration, of which at most limit may be under way, or the server of its target has as many as are
// called for soon.
func (c *crowds) admit(d *Delivery, limit int) bool {
	a, server := d.adapter, toServer{d.adapter, d.server}
	if int(a.under.Load())+c.providers[a] >= min(a.most(d.Lane, c.attempts), limit) {
		return false
	}
	if d.server != "" {
		if s := a.servers.find(d.server); s != nil && int(s.under.Load())+c.servers[server] >= s.most(d.Lane, c.attempts/serverShare) {
			return false
		}
		c.servers[server]++
	}
	c.providers[a]++
	return true
}

// deferSlow defers messages of integrations, and to servers of targets, that have as many under way as they are called for soon. Their
// attempts do not begin; they come back after a while.
func (w *Worker) deferSlow(deliveries []*Delivery) (admitted, deferred []*Delivery) {
	under := w.newCrowds()
	for _, d := range deliveries {
		if d.attempt != nil && !d.interrupted && !under.admit(d, math.MaxInt) {
			deferred = append(deferred, d)
			continue
		}
		admitted = append(admitted, d)
	}
	return admitted, deferred
}
