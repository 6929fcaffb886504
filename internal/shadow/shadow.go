// Package shadow is a proxy in front of a deployment of the documented API: it forwards every call, answers with the deployment's
// answer, and plays the same call on a Carillon afterwards, with sending held, to report where the outcomes differ (migrate.md
// §5, decisions.md §18).
package shadow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/carillon/carillon/internal/client"
)

// Config is what a Shadow needs.
type Config struct {
	// Old is the address of the deployment that is forwarded to.
	Old *url.URL
	// Here is the environment on which calls are played.
	Here *client.Client
	// Queue is how many calls wait to be played at most; 0: 10,000. Memory is how many bytes the bodies take that are kept of
	// all calls, those under way and those that wait; 0: 64 MiB. Calls beyond are forwarded, dropped and counted.
	Queue  int
	Memory int64
	// MaxBody is how much of a body is kept; a call with a larger one is forwarded and not played. 0: 1 MiB.
	MaxBody int64
	// Log takes a line of JSON for each call that differs; nil: none.
	Log io.Writer
	// Logger reports failures of the deployment; nil: none are reported.
	Logger *slog.Logger
}

// Shadow is the proxy. It is an http.Handler.
type Shadow struct {
	cfg     Config
	proxy   *httputil.ReverseProxy
	queue   chan *call
	memory  memory
	closing sync.RWMutex // held for reading while a call enters the queue
	closed  bool
	results results
}

// call is one call that was forwarded, with its answer.
type call struct {
	at       time.Time
	method   string
	path     string // escaped
	query    url.Values
	body     *capture
	status   int
	header   http.Header // of the answer
	answered *capture
	queued   bool       // Run releases its bodies
	held     []receiver // who would have received what here
}

// release gives the memory of the bodies back.
func (c *call) release() {
	c.body.release()
	c.answered.release()
}

// New returns a Shadow. Run plays its calls.
func New(cfg Config) *Shadow {
	if cfg.Queue == 0 {
		cfg.Queue = 10_000
	}
	if cfg.Memory == 0 {
		cfg.Memory = 64 << 20
	}
	if cfg.MaxBody == 0 {
		cfg.MaxBody = 1 << 20
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Shadow{cfg: cfg, queue: make(chan *call, cfg.Queue), memory: memory{most: cfg.Memory}}
	s.results.since = time.Now()
	s.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(cfg.Old)
			r.Out.URL.RawQuery = r.In.URL.RawQuery
			for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
				if values := r.In.Header[name]; values != nil && !httpguts.HeaderValuesContainsToken(r.In.Header["Connection"], name) {
					r.Out.Header[name] = values
				}
			}
		},
		Transport:      transport(),
		ErrorLog:       slog.NewLogLogger(cfg.Logger.Handler(), slog.LevelWarn),
		ModifyResponse: s.answered,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			cfg.Logger.WarnContext(r.Context(), "the deployment did not answer", "error", err)
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	return s
}

// transport passes bodies as they come, packed or not.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // what the standard library sets
	t.DisableCompression = true
	t.MaxIdleConnsPerHost = 100
	return t
}

type callKey struct{}

// ServeHTTP forwards a call. What it keeps of it is copied as it passes, so that nothing waits for it.
func (s *Shadow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{
		at: time.Now(), method: r.Method, path: r.URL.EscapedPath(), query: r.URL.Query(),
		body: &capture{most: s.cfg.MaxBody, memory: &s.memory}, answered: &capture{most: s.cfg.MaxBody, memory: &s.memory},
	}
	defer func() {
		if !c.queued {
			c.release()
		}
	}()
	s.results.forwarded.Add(1)
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &copying{ReadCloser: r.Body, to: c.body}
	}
	for _, name := range []string{"Content-Type", "Date"} {
		w.Header()[name] = nil // the server adds none of its own to an answer without
	}
	s.proxy.ServeHTTP(w, r)
}

// answered keeps the answer while it is passed on, and queues the call at its end.
func (s *Shadow) answered(resp *http.Response) error {
	c, ok := resp.Request.Context().Value(callKey{}).(*call)
	if !ok || resp.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	c.status, c.header = resp.StatusCode, resp.Header.Clone()
	resp.Body = &copying{ReadCloser: resp.Body, to: c.answered, done: func(complete bool) {
		if complete {
			s.enqueue(c)
		} else {
			s.results.skip("the answer broke off")
		}
	}}
	return nil
}

// enqueue never waits: what has no place is dropped.
func (s *Shadow) enqueue(c *call) {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if !s.closed && !c.body.crowdedOut() && !c.answered.crowdedOut() {
		c.queued = true
		select {
		case s.queue <- c:
			return
		default:
			c.queued = false
		}
	}
	s.results.dropped.Add(1)
}

// Run plays the calls in the order in which they were answered, until Close is called and the queue is empty, or ctx ends.
func (s *Shadow) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			s.results.dropped.Add(int64(len(s.queue)))
			return
		case c, open := <-s.queue:
			if !open {
				return
			}
			s.playSafely(ctx, c)
			c.release()
		}
	}
}

// playSafely plays a call; a fault in it ends neither the proxy nor the playing of the next one.
func (s *Shadow) playSafely(ctx context.Context, c *call) {
	defer func() {
		if fault := recover(); fault != nil {
			s.results.skip("a fault of the proxy")
			s.cfg.Logger.ErrorContext(ctx, "a call could not be played", "panic", fault)
		}
	}()
	s.play(ctx, c)
}

// Close ends the queue: Run plays what waits and returns.
func (s *Shadow) Close() {
	s.closing.Lock()
	defer s.closing.Unlock()
	if !s.closed {
		s.closed = true
		close(s.queue)
	}
}

// memory counts the bytes that the bodies of all calls take.
type memory struct {
	most int64
	used atomic.Int64
}

// take reports whether there was room for n bytes more.
func (m *memory) take(n int64) bool {
	if m.used.Add(n) <= m.most {
		return true
	}
	m.used.Add(-n)
	return false
}

// capture keeps what passes, until it is too large, memory is short, or it is released.
type capture struct {
	most   int64
	memory *memory

	mu       sync.Mutex
	buffer   bytes.Buffer
	tooLarge bool
	crowded  bool // there was no memory
	released bool
}

func (c *capture) add(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.tooLarge || c.crowded || c.released:
	case int64(c.buffer.Len()+len(p)) > c.most:
		c.tooLarge = true
		c.drop()
	case !c.memory.take(int64(len(p))):
		c.crowded = true
		c.drop()
	default:
		c.buffer.Write(p)
	}
}

func (c *capture) drop() {
	c.memory.used.Add(-int64(c.buffer.Len()))
	c.buffer = bytes.Buffer{}
}

func (c *capture) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = true
	c.drop()
}

func (c *capture) crowdedOut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.crowded
}

func (c *capture) content() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tooLarge {
		return nil, fmt.Errorf("a body is larger than %d bytes", c.most)
	}
	return c.buffer.Bytes(), nil
}

// copying is a body that copies what is read from it.
type copying struct {
	io.ReadCloser

	to       *capture
	done     func(complete bool) // called once when it is closed; nil: nothing
	complete bool                // it was read to its end
}

func (b *copying) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.to.add(p[:n])
	b.complete = b.complete || errors.Is(err, io.EOF)
	return n, err //nolint:wrapcheck // io.EOF is compared
}

func (b *copying) Close() error {
	if b.done != nil {
		b.done(b.complete)
		b.done = nil
	}
	return b.ReadCloser.Close() //nolint:wrapcheck // as it is
}
